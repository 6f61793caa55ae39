//! The check of a document against a table.
//!
//! Problems are reported where a JSON Schema validator reports them: a missing member at
//! its object, everything else at the value. The format chooses how unknown members are
//! reported ([`Unknown`]). In a union, only the branch that the tag selects is checked.

use super::shape::required_by_all;
use super::{
    Branch, Condition, Grammar, Member, MemberCondition, Object, Reporter, Shape, Table, TextShape,
};
use diagnostic::{Diagnostic, Report, Rule, Span, did_you_mean, quoted};
use json_text::read::{self, UnknownMembers, spelling_advice};
use json_text::{Kind, Member as Found, Node, Number, quote, rules as json, same_name};

/// The rules that the check of a table reports. Wrong types and missing members use the
/// [rules of JSON](json_text::rules), unless a member has its own.
#[derive(Debug)]
pub struct Rules {
    /// A member that a closed object does not have.
    pub unknown_member: &'static Rule,
    /// The way that unknown members are reported.
    pub unknown_members: UnknownMemberLocation,
    /// A tag that selects no branch.
    pub tag: &'static Rule,
    /// Too few or too many elements.
    pub count: &'static Rule,
    /// Too few or too many characters.
    pub length: &'static Rule,
    /// A string that does not match its grammar.
    pub pattern: &'static Rule,
    /// A string that is not an allowed value.
    pub enum_value: &'static Rule,
    /// A number with a fraction. `None` if the format itself checks how whole numbers are
    /// written.
    pub integer: Option<&'static Rule>,
    /// A number that is too small or too great.
    pub range: &'static Rule,
}

impl Rules {
    /// Uses one rule for everything. Reports unknown members at their object.
    pub const fn single(rule: &'static Rule) -> Self {
        Self {
            unknown_member: rule,
            unknown_members: UnknownMemberLocation::AtObject,
            tag: rule,
            count: rule,
            length: rule,
            pattern: rule,
            enum_value: rule,
            integer: Some(rule),
            range: rule,
        }
    }
}

/// The way that unknown members are reported.
#[derive(Clone, Copy, Debug)]
pub enum UnknownMemberLocation {
    /// At the object, as a JSON Schema validator does. An open object accepts them.
    AtObject,
    /// At the member. In an open object they are a warning, and in any object a name that
    /// differs from a known one only in case is an error. A free object accepts them all.
    AtMember,
}

/// Checks a document of a version. `formats` enables the check of [`TextShape::format`], which
/// JSON Schema makes optional. Stores the values of members with an index
/// ([`Member::captured`]) in `kept`, so that later checks need no lookup.
pub fn check<'a>(
    node: Node<'a>,
    table: &Table,
    version: u8,
    rules: &Rules,
    formats: bool,
    kept: &mut [Option<Node<'a>>],
    report: &mut Report,
) {
    let mut walk = Walk { table, version, rules, formats, captured: kept, report };
    walk.value(node, &Shape::Object(table.root), &json::TYPE);
}

/// The recursion is bounded because tables are finite.
struct Walk<'r, 'a> {
    table: &'r Table,
    version: u8,
    rules: &'r Rules,
    formats: bool,
    captured: &'r mut [Option<Node<'a>>],
    report: &'r mut Report,
}

/// Each kind of value has a function that is not inlined: most values are strings without a
/// grammar, and should not pay for the others.
impl<'a> Walk<'_, 'a> {
    fn value(&mut self, node: Node<'a>, shape: &Shape, mistyped: &'static Rule) {
        let fine = match shape {
            Shape::Any => return,
            Shape::Opaque => node.is_object(),
            Shape::Bool => node.bool().is_some(),
            // The format may check whole numbers itself.
            Shape::Integer { min: None, max: None } if self.rules.integer.is_none() => {
                node.kind() == Kind::Number
            }
            Shape::Integer { min, max } => match node.number() {
                Some(number) => return self.integer(node, &number, *min, *max),
                None => false,
            },
            Shape::Number { min, max } => match node.number() {
                Some(number) => return self.range(node, &number, as_i64(&number), [*min, *max]),
                None => false,
            },
            Shape::Text(shape) => match node.text() {
                Some(text) => return self.text(node, &text, shape),
                None => false,
            },
            Shape::Enum(words) if is_one_of(node, words) => return,
            Shape::Enum(words) => match node.text() {
                Some(text) => return self.report_enum_value(node, &text, words),
                None => false,
            },
            Shape::List { of, min, max } => {
                if node.is_array() {
                    return self.list(node, of, *min, *max);
                }
                false
            }
            Shape::Map(of) => {
                for member in node.members() {
                    self.value(member.value, of, &json::TYPE);
                }
                node.is_object()
            }
            Shape::Object(object) if node.is_object() => return self.object(node, object, None),
            Shape::Union { tag, branches } if node.is_object() => {
                return self.union(node, UnionContext { tag, branches });
            }
            Shape::Object(_) | Shape::Union { .. } => false,
            Shape::OneOf(shapes) => match shapes.iter().find(|shape| shape.allows_type_of(node)) {
                Some(shape) => return self.value(node, shape, mistyped),
                None => return self.wrong_types(node, shapes, mistyped),
            },
        };
        if !fine {
            let expected = shape.kind().map_or("a value", Kind::with_article);
            self.report_wrong_type(node, expected, mistyped);
        }
    }

    #[inline(never)]
    fn object(&mut self, node: Node<'a>, object: &Object, choice: Option<UnionContext>) {
        let version = self.version;
        let mut found = 0_u32;
        // Most documents have their members in the order of the specification.
        let mut next = 0;
        for member in node.members() {
            match object.find(&member, version, next) {
                Some((index, known)) => {
                    found |= 1 << index;
                    next = index + 1;
                    if let Some(place) = self.captured.get_mut(known.captured) {
                        *place = Some(member.value);
                    }
                    if !known.shape.is_surely_valid(member.value) {
                        self.value(member.value, known.shape, known.mistyped_rule);
                    }
                }
                None if choice.is_some_and(|union| member.has_name(union.tag)) => {}
                None => self.report_unknown(node, &member, object, choice),
            }
        }
        for Member { name, missing_rule: missing, .. } in object.missing(version, found) {
            self.report_missing(node, name, missing);
        }
        for need in object.conditions.iter().filter(|need| need.since <= version) {
            self.condition(node, need);
        }
    }

    #[cold]
    fn report_unknown(
        &mut self,
        node: Node<'_>,
        member: &Found<'a>,
        object: &Object,
        choice: Option<UnionContext>,
    ) {
        match self.rules.unknown_members {
            UnknownMemberLocation::AtMember if !object.extensible => {
                self.report_unknown_at_member(member, object, choice);
            }
            UnknownMemberLocation::AtObject if !object.open => {
                let tag = choice.map(|union| union.tag);
                self.report_unknown_at_object(node, member, object, tag);
            }
            _ => {}
        }
    }

    /// In a union, the member may belong to another branch.
    fn report_unknown_at_member(
        &mut self,
        member: &Found<'a>,
        object: &Object,
        choice: Option<UnionContext>,
    ) {
        let version = self.version;
        let mut names = object.names(version);
        for branch in choice.map_or(&[][..], |union| union.branches) {
            if !branch.is_in(version) {
                continue;
            }
            if let Some((_, known)) = branch.object.find(member, version, 0) {
                return self.value(member.value, known.shape, known.mistyped_rule);
            }
            names.extend(branch.object.names(version));
        }
        names.extend(choice.map(|union| union.tag));
        let others = if object.open {
            UnknownMembers::Warn
        } else {
            UnknownMembers::Refuse(self.rules.unknown_member)
        };
        read::report_unknown_member(member, names.into_iter(), others, self.report);
    }

    fn report_unknown_at_object(
        &mut self,
        node: Node<'_>,
        member: &Found<'_>,
        object: &Object,
        tag: Option<&str>,
    ) {
        let name = member.name();
        let (version, word, rule) = (self.version, self.version_name(), self.rules.unknown_member);
        let table = self.table;
        self.report.push_with(rule, || {
            let message = format!("{word} has no member {} here", quoted(&name));
            // The pointer is that of the object, as in a validator. The span is that of the
            // name.
            let diagnostic = rule.at(node, message).span(member.key.span());
            let mut members = object.members.iter();
            if let Some(later) = members.find(|m| m.name == name && m.since > version) {
                return diagnostic.help(since_version_help(table, later.since));
            }
            let mut known = object.names(version);
            known.extend(tag);
            match did_you_mean(&name, known) {
                Some(guess) => suggest(diagnostic, member.key.span(), guess),
                None => diagnostic.help("remove it"),
            }
        });
    }

    fn version_name(&self) -> &'static str {
        name_of_version(self.table, self.version)
    }

    #[cold]
    fn report_wrong_type(&mut self, node: Node<'_>, expected: &str, rule: &'static Rule) {
        self.report.push_with(rule, || {
            let found = node.kind().with_article();
            let diagnostic = rule.at(node, format!("expected {expected}, found {found}"));
            if rule == &json::TYPE {
                return diagnostic.help(spelling_advice(expected));
            }
            // A specific rule has a better explanation.
            diagnostic
        });
    }

    #[cold]
    fn wrong_types(&mut self, node: Node<'_>, shapes: &[Shape], rule: &'static Rule) {
        let kinds = shapes.iter().filter_map(Shape::kind);
        let expected: Vec<&str> = kinds.map(Kind::with_article).collect();
        self.report_wrong_type(node, &join_with_or(&expected), rule);
    }

    #[cold]
    fn report_missing(&mut self, node: Node<'_>, name: &str, rule: &'static Rule) {
        self.report.push_with(rule, || {
            let diagnostic = rule.at(node, format!("the member {} is missing", quoted(name)));
            if rule == &json::REQUIRED {
                return diagnostic.help(format!("add {}", quoted(name)));
            }
            diagnostic
        });
    }

    #[inline(never)]
    fn union(&mut self, node: Node<'a>, union: UnionContext) {
        let (UnionContext { tag, branches }, version) = (union, self.version);
        let stated = node.get(tag);
        let word = stated.and_then(Node::text);
        let known = branches.iter().filter(|branch| branch.is_in(version));
        if let Some(word) = &word
            && let Some(branch) = known.clone().find(|branch| branch.tag_value == word)
        {
            return self.object(node, branch.object, Some(union));
        }
        if let UnknownMemberLocation::AtMember = self.rules.unknown_members {
            self.object(node, &NO_BRANCH, Some(union));
        }
        // Every branch requires these members.
        for name in required_by_all(branches, version).filter(|name| node.get(name).is_none()) {
            self.report_missing(node, name, &json::REQUIRED);
        }
        let Some(stated) = stated else { return self.report_missing(node, tag, &json::REQUIRED) };
        let Some(word) = word else {
            return self.report_wrong_type(stated, "a string", &json::TYPE);
        };
        let message = match self.table.version_member {
            Some(_) => format!("{} has no {tag} {} here", self.version_name(), quoted(&word)),
            None => format!("there is no {tag} {}", quoted(&word)),
        };
        let later = branches.iter().find(|branch| branch.tag_value == word);
        let help = if let Some(later) = later {
            since_version_help(self.table, later.since)
        } else {
            let words: Vec<String> = known.map(|branch| quoted(branch.tag_value)).collect();
            format!("write {}", join_with_or(&words))
        };
        let rule = self.rules.tag;
        self.report.push_with(rule, || rule.at(stated, message).help(help));
    }

    #[inline(never)]
    fn list(&mut self, node: Node<'a>, of: &Shape, min: usize, max: Option<usize>) {
        let mut count = 0;
        for element in node.elements() {
            count += 1;
            if !of.is_surely_valid(element) {
                self.value(element, of, &json::TYPE);
            }
        }
        if is_outside(count, min, max) {
            let message = format!("{count} elements, not {}", describe_bounds(min, max));
            self.report.add(self.rules.count, node, message);
        }
    }

    #[inline(never)]
    fn text(&mut self, node: Node<'_>, text: &str, shape: &TextShape) {
        let TextShape { min, max, grammar, reporter, format } = shape;
        let pattern_rule = match reporter {
            Reporter::Table => Some(self.rules.pattern),
            Reporter::Rule(rule) => Some(*rule),
            Reporter::Format => None,
        };
        if let Some(rule) = pattern_rule {
            if !shape.length_fits(text.len()) {
                self.length(node, text.chars().count(), *min, *max);
            }
            if let Some(grammar) = grammar
                && !grammar.matches(text)
            {
                self.mismatch(node, text, grammar, rule);
            }
        }
        if let Some(format) = format
            && self.formats
            && !(format.matches)(text)
        {
            // Many addresses are invalid, so the message takes a single allocation.
            let message = [&quoted(text), " is not ", format.description].concat();
            self.report.add(format.rule, node, message);
        }
    }

    fn length(&mut self, node: Node<'_>, count: usize, min: usize, max: Option<usize>) {
        if is_outside(count, min, max) {
            let message = format!("{count} characters, not {}", describe_bounds(min, max));
            self.report.add(self.rules.length, node, message);
        }
    }

    #[cold]
    fn mismatch(&mut self, node: Node<'_>, text: &str, grammar: &Grammar, rule: &'static Rule) {
        let is_general = rule == self.rules.pattern;
        self.report.push_with(rule, || {
            let message = [&quoted(text), " is not ", grammar.description].concat();
            let diagnostic = rule.at(node, message);
            if is_general {
                return diagnostic.help(format!("it must match {}", grammar.pattern));
            }
            // A specific rule explains the fix.
            diagnostic
        });
    }

    #[cold]
    fn report_enum_value(&mut self, node: Node<'_>, text: &str, words: &[&str]) {
        // A value with escapes did not take the quick path.
        if words.contains(&text) {
            return;
        }
        let rule = self.rules.enum_value;
        self.report.push_with(rule, || {
            let all: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            let diagnostic =
                rule.at(node, format!("{} is not {}", quoted(text), join_with_or(&all)));
            match did_you_mean(text, words.iter().copied()) {
                Some(guess) => suggest(diagnostic, node.span(), guess),
                None => diagnostic,
            }
        });
    }

    #[inline(never)]
    fn integer(&mut self, node: Node<'_>, number: &Number<'_>, min: Option<i64>, max: Option<i64>) {
        let small = as_i64(number);
        if small.is_none() && !number.is_integer() {
            if let Some(rule) = self.rules.integer {
                self.report.add(rule, node, "expected a whole number");
            }
            return;
        }
        self.range(node, number, small, [min, max]);
    }

    /// Most numbers are small, and need no general comparison.
    #[inline(never)]
    fn range(
        &mut self,
        node: Node<'_>,
        number: &Number<'_>,
        small: Option<i64>,
        [min, max]: [Option<i64>; 2],
    ) {
        let below = min.is_some_and(|min| match small {
            Some(small) => small < min,
            // A number that is zero as a double counts as zero, as in schema validators.
            None if min == 0 && number.to_f64() == Some(0.0) => false,
            None => *number < Number::from(min),
        });
        let above = max.is_some_and(|max| match small {
            Some(small) => small > max,
            None => *number > Number::from(max),
        });
        if below || above {
            let message = match (min, max) {
                (Some(min), Some(max)) => format!("expected a number from {min} to {max}"),
                (Some(min), None) => format!("expected {min} or more"),
                (None, Some(max)) => format!("expected {max} or less"),
                (None, None) => return,
            };
            self.report.add(self.rules.range, node, message);
        }
    }

    fn condition(&mut self, node: Node<'_>, need: &MemberCondition) {
        match &need.condition {
            Condition::ExactlyOne(names) => {
                let [one, other] = names.map(|name| node.get(name).is_some());
                if one == other {
                    let [first, second] = names.map(quoted);
                    let message = if one {
                        format!("{first} and {second} exclude each other")
                    } else {
                        format!("neither {first} nor {second} is there")
                    };
                    self.report.add(need.rule, node, message);
                }
            }
            Condition::AtLeastOne(names) => {
                if names.iter().all(|name| node.get(name).is_none()) {
                    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
                    let message = format!("there must be {}", join_with_or(&names));
                    self.report.add(need.rule, node, message);
                }
            }
            Condition::When { member, value: is, required } => {
                let value = node.get(member).and_then(Node::text);
                if value.as_deref() == Some(is) && node.get(required).is_none() {
                    let message = format!("{} needs the member {}", quoted(is), quoted(required));
                    self.report.add(need.rule, node, message);
                }
            }
            Condition::Custom(own) => (own.check)(node, need.rule, self.report),
        }
    }
}

/// The union that an object belongs to.
#[derive(Clone, Copy)]
struct UnionContext {
    tag: &'static str,
    branches: &'static [Branch],
}

/// The object for a tag that selects no branch. Its members are looked up in all branches.
static NO_BRANCH: Object = Object::open(&[]);

/// Returns true if a value is one of the words, and has no escapes.
#[inline]
fn is_one_of(node: Node<'_>, words: &[&str]) -> bool {
    node.plain_bytes().is_some_and(|own| words.iter().any(|word| same_name(own, word)))
}

/// Returns the number as an integer, which is quick to compare.
fn as_i64(number: &Number<'_>) -> Option<i64> {
    number.as_str().parse().ok()
}

/// Returns the version as it is written.
fn name_of_version(table: &Table, version: u8) -> &'static str {
    table.versions.get(usize::from(version)).copied().unwrap_or("")
}

fn since_version_help(table: &Table, version: u8) -> String {
    let word = name_of_version(table, version);
    match table.version_member {
        Some(member) => format!("it came with {word}: change {}", quoted(member)),
        None => format!("it came with {word}"),
    }
}

/// Adds the word that was probably meant.
fn suggest(diagnostic: Diagnostic, span: Span, word: &str) -> Diagnostic {
    diagnostic.help(format!("did you mean {}?", quoted(word))).fix(span, quote(word))
}

fn is_outside(count: usize, min: usize, max: Option<usize>) -> bool {
    count < min || max.is_some_and(|max| count > max)
}

fn describe_bounds(min: usize, max: Option<usize>) -> String {
    match (min, max) {
        (min, Some(max)) => format!("{min} to {max}"),
        (min, None) => format!("{min} or more"),
    }
}

/// Joins the words, for example `a, b or c`.
fn join_with_or<S: AsRef<str>>(words: &[S]) -> String {
    let mut all = String::new();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            all.push_str(if index + 1 == words.len() { " or " } else { ", " });
        }
        all.push_str(word.as_ref());
    }
    all
}
