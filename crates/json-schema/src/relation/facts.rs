//! The constraints of a schema on a value, collected in one place.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::super::graph::{Step, Subschema};
use super::super::keywords::{self, Applies, Role};
use super::cost::cost;
use super::hints::{Declared, Hints};
use super::numbers::Numbers;
use super::prints::{Print, joined, of_value};
use super::prover::{Prover, Which};
use super::side::Side;
use super::truth::Truth;
use super::types::Types;
use json_text::Node;
use json_text::canonical;

/// A conjunction: every value that the schema accepts meets all of it.
#[derive(Clone, Debug)]
pub(super) struct Facts<'a> {
    /// True for the whole schema, false for a part of it.
    pub(super) root: bool,
    pub(super) types: Types,
    /// Lists of values, by canonical form. A value must be in each list.
    pub(super) values: Vec<Rc<BTreeMap<String, Node<'a>>>>,
    pub(super) numbers: Numbers<'a>,
    pub(super) length: Range,
    pub(super) patterns: BTreeSet<Cow<'a, str>>,
    pub(super) formats: BTreeSet<Cow<'a, str>>,
    pub(super) items: Range,
    pub(super) unique: bool,
    pub(super) arrays: Vec<ArrayShape>,
    pub(super) members: Range,
    pub(super) required: BTreeSet<Cow<'a, str>>,
    pub(super) objects: Vec<ObjectShape<'a>>,
    /// Schemas for member names.
    pub(super) names: Vec<usize>,
    pub(super) choices: Vec<Choice>,
    /// Constraints that are not read further: the types they apply to, and their print.
    pub(super) opaque: Vec<(Types, Option<Print>)>,
    /// The declarations that senders follow.
    pub(super) declared: Rc<Declared<'a>>,
}

/// A range of counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

impl Range {
    pub(super) fn is_empty(self) -> bool {
        self.max.is_some_and(|max| max < self.min)
    }

    /// Returns true if no count is above `limit`.
    pub(super) fn at_most(self, limit: Option<u64>) -> bool {
        limit.is_none_or(|limit| self.max.is_some_and(|max| max <= limit))
    }

    fn at_least(&mut self, count: u64) {
        self.min = self.min.max(count);
    }

    pub(super) fn up_to(&mut self, count: u64) {
        self.max = Some(self.max.map_or(count, |max| max.min(count)));
    }
}

/// The constraints of one subschema on elements.
#[derive(Clone, Debug, Default)]
pub(super) struct ArrayShape {
    pub(super) first: Vec<usize>,
    pub(super) rest: Option<usize>,
}

/// The constraints of one subschema on members.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectShape<'a> {
    pub(super) properties: BTreeMap<Cow<'a, str>, usize>,
    /// True if there are schemas for names that match a pattern.
    pub(super) patterns: bool,
    pub(super) additional: Option<usize>,
    pub(super) print: Option<Print>,
    /// True if `properties` is present.
    pub(super) named: bool,
}

/// `anyOf` or `oneOf`.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) parts: Vec<usize>,
    pub(super) exclusive: bool,
    pub(super) print: Option<Print>,
}

impl<'a> Facts<'a> {
    fn anything() -> Self {
        Self {
            root: false,
            types: Types::ALL,
            values: Vec::new(),
            numbers: Numbers::default(),
            length: Range::default(),
            patterns: BTreeSet::new(),
            formats: BTreeSet::new(),
            items: Range::default(),
            unique: false,
            arrays: Vec::new(),
            members: Range::default(),
            required: BTreeSet::new(),
            objects: Vec::new(),
            names: Vec::new(),
            choices: Vec::new(),
            opaque: Vec::new(),
            declared: Rc::default(),
        }
    }

    /// Returns the steps to visit all facts.
    pub(super) fn cost(&self) -> usize {
        let named: usize = self.objects.iter().map(|shape| shape.properties.len()).sum();
        let listed: usize = self.arrays.iter().map(|shape| shape.first.len()).sum();
        1 + named + listed + self.required.len() + self.opaque.len() + self.choices.len()
    }

    /// Returns the types of which an unread constraint may refuse some values.
    pub(super) fn blind(&self) -> Types {
        if !self.choices.is_empty() {
            return Types::ALL;
        }
        self.opaque.iter().fold(Types::NONE, |all, (types, _)| all.or(*types))
    }

    /// Returns the types without those that contradictory facts rule out.
    pub(super) fn possible(&self) -> Types {
        let mut types = self.types;
        if self.numbers.no_integers() {
            types = types.without(Types::INTEGER);
        }
        if self.numbers.no_fractions() {
            types = types.without(Types::FRACTION);
        }
        if self.length.is_empty() {
            types = types.without(Types::STRING);
        }
        if self.items.is_empty() {
            types = types.without(Types::ARRAY);
        }
        let needed = u64::try_from(self.required.len()).unwrap_or(u64::MAX);
        if self.members.is_empty() || self.members.max.is_some_and(|max| max < needed) {
            types = types.without(Types::OBJECT);
        }
        types
    }

    /// Checks that the facts about strings imply those of `other`.
    pub(super) fn strings_within(&self, other: &Self) -> Truth {
        let length = self.length.min >= other.length.min && self.length.at_most(other.length.max);
        let texts =
            other.patterns.is_subset(&self.patterns) && other.formats.is_subset(&self.formats);
        match (length, texts) {
            (true, true) => Truth::Yes,
            // Strings of every allowed length exist.
            (false, _) if self.patterns.is_empty() && self.formats.is_empty() => Truth::No,
            _ => Truth::Unknown,
        }
    }

    /// Reads an assertion.
    fn assert(&mut self, name: &str, value: Node<'a>) {
        let count = || {
            let number = value.number();
            // A count that does not fit is larger than any length.
            number.and_then(|n| u64::try_from(n.to_i64()?).ok()).unwrap_or(u64::MAX)
        };
        match name {
            "type" => self.types = self.types.and(Types::named(value)),
            "const" => self.values.push(Rc::new([(canonical(value), value)].into())),
            "enum" => {
                let values = value.elements().map(|value| (canonical(value), value));
                self.values.push(Rc::new(values.collect()));
            }
            "minLength" => self.length.at_least(count()),
            "maxLength" => self.length.up_to(count()),
            "minItems" => self.items.at_least(count()),
            "maxItems" => self.items.up_to(count()),
            "minProperties" => self.members.at_least(count()),
            "maxProperties" => self.members.up_to(count()),
            "uniqueItems" => self.unique |= value.bool() == Some(true),
            "required" => self.required.extend(value.elements().filter_map(Node::text)),
            "pattern" => self.patterns.extend(value.text()),
            "format" => self.formats.extend(value.text()),
            "dependentRequired" => self.opaque.push((Types::OBJECT, Some(of_value(value)))),
            // These are read together with `contains`.
            "minContains" | "maxContains" => {}
            name => {
                if !self.numbers.assert(name, value) {
                    self.opaque.push((Types::ALL, None));
                }
            }
        }
    }
}

impl<'a> Prover<'_, 'a> {
    fn side(&self, which: Which) -> &Side<'a> {
        match which {
            Which::Sub => self.sub,
            Which::Sup => self.sup,
        }
    }

    /// Returns the facts of all the parts together.
    pub(super) fn facts(&mut self, which: Which, parts: &[usize]) -> Facts<'a> {
        let mut facts = Facts::anything();
        self.add(which, parts, &mut facts);
        facts
    }

    /// Returns the facts of parts of the first schema, with the declarations that senders
    /// follow.
    pub(super) fn sent(&mut self, parts: &[usize], hints: &Hints) -> Facts<'a> {
        let mut facts = self.facts(Which::Sub, parts);
        facts.declared = Rc::new(self.declared(parts, hints));
        facts
    }

    /// Adds the facts of parts. If the steps run out, adds an unread constraint instead.
    pub(super) fn add(&mut self, which: Which, parts: &[usize], facts: &mut Facts<'a>) {
        let mut pending = parts.to_vec();
        let mut seen = BTreeSet::new();
        while let Some(index) = pending.pop() {
            if !seen.insert(index) {
                continue;
            }
            let size = self.side(which).graph.parts.get(index).map_or(0, cost);
            if !self.spend(1 + size) {
                facts.opaque.push((Types::ALL, None));
                return;
            }
            read(self.side(which), index, facts, &mut pending);
        }
    }
}

/// Reads one part. Pushes the parts that it always applies onto `pending`.
fn read<'a>(side: &Side<'a>, index: usize, facts: &mut Facts<'a>, pending: &mut Vec<usize>) {
    let Some(part) = side.graph.parts.get(index) else { return };
    if let Some(alias) = part.alias {
        pending.extend(part.uses.get(alias).map(|found| found.target));
        return;
    }
    if part.node.bool() == Some(false) {
        facts.types = Types::NONE;
    }
    for member in part.node.members() {
        let keyword = keywords::find(&member.name(), side.graph.dialect);
        match keyword.map(|keyword| (keyword.role, keyword.name)) {
            Some((Role::Assert | Role::Pattern, name)) => facts.assert(name, member.value),
            Some((Role::Apply(_), "dependencies")) => {
                // The text contains the lists of names; the schemas are uses.
                let prints = part.uses.iter().filter(|found| found.keyword == "dependencies");
                let schemas = prints.map(|found| (found.name(), side.print(found.target)));
                let text = ("", Some(of_value(member.value)));
                facts.opaque.push((Types::OBJECT, joined(schemas.chain([text]))));
            }
            _ => {}
        }
    }
    applied(side, part, facts, pending);
}

/// Reads the subschemas of a part.
fn applied<'a>(
    side: &Side<'a>,
    part: &Subschema<'a>,
    facts: &mut Facts<'a>,
    pending: &mut Vec<usize>,
) {
    let mut array = ArrayShape::default();
    let mut object = ObjectShape::default();
    let mut shape_prints = Vec::new();
    let mut choices: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut condition = Vec::new();
    for found in &part.uses {
        let target = found.target;
        let print = side.print(target);
        let key = || format!("{}\u{1}{}", found.keyword, found.name());
        match (found.applies, found.keyword) {
            (Applies::Never, _) | (_, "dependencies") => {}
            (Applies::Always, _) => pending.push(target),
            (Applies::Perhaps, "anyOf" | "oneOf") => {
                choices.entry(found.keyword).or_default().push(target);
            }
            (Applies::Perhaps, "if" | "then" | "else") => condition.push((found.keyword, print)),
            (Applies::Perhaps, "not") => facts.opaque.push((Types::ALL, joined([("not", print)]))),
            (Applies::Perhaps, _) => {
                let named = joined([(found.name(), print), ("", Some([0; 32]))]);
                facts.opaque.push((Types::OBJECT, named));
            }
            (Applies::Member, _) => {
                if let Step::Name(name) = &found.step {
                    object.properties.insert(name.clone(), target);
                    shape_prints.push((key(), print));
                }
            }
            (Applies::MembersLike, _) => {
                object.patterns = true;
                shape_prints.push((key(), print));
            }
            (Applies::OtherMembers, _) => {
                object.additional = Some(target);
                shape_prints.push((key(), print));
            }
            (Applies::Names, _) => facts.names.push(target),
            (Applies::Element, _) => array.first.push(target),
            (Applies::OtherElements, _) => array.rest = Some(target),
            (Applies::SomeElements, _) => {
                facts.opaque.push((Types::ARRAY, contained(side, part, print)));
            }
            // Their meaning depends on all other keywords.
            (Applies::UnseenMembers, _) => facts.opaque.push((Types::OBJECT, None)),
            (Applies::UnseenElements, _) => facts.opaque.push((Types::ARRAY, None)),
        }
    }
    if condition.iter().any(|(keyword, _)| *keyword == "if") {
        facts.opaque.push((Types::ALL, joined(condition)));
    }
    facts.choices.extend(choices.into_iter().map(|(keyword, parts)| {
        let print = joined(parts.iter().map(|part| (keyword, side.print(*part))));
        Choice { parts, exclusive: keyword == "oneOf", print }
    }));
    if !array.first.is_empty() || array.rest.is_some() {
        facts.arrays.push(array);
    }
    object.named = part.node.get("properties").is_some();
    if !shape_prints.is_empty() || object.named {
        object.print = joined(shape_prints.iter().map(|(key, print)| (key.as_str(), *print)));
        facts.objects.push(object);
    }
}

/// Returns the print of `contains` and its counts.
fn contained(side: &Side<'_>, part: &Subschema<'_>, print: Option<Print>) -> Option<Print> {
    let count = |name| {
        keywords::find(name, side.graph.dialect)?;
        part.node.get(name).map(of_value)
    };
    let counts = ["minContains", "maxContains"];
    let counts = counts.into_iter().filter_map(|name| Some((name, Some(count(name)?))));
    joined(counts.chain([("contains", print)]))
}
