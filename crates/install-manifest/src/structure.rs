//! Checks of shape: what the published schema of each version asks for.
//!
//! Problems are reported where the schema would: at the object for a member that
//! is missing or unknown, at the value for everything else. Of several kinds of
//! object, only the one that the tag names is looked at.

use manifest_core::json::{Member as Found, Node, Number, rules as json};
use manifest_core::{Pointer, Profile, Report, Validate, did_you_mean, quoted, read, url};

use crate::rules;
use crate::shape::{
    Branch, Condition, Format, Object, SILENT, Shape, Text, is_private, required_by_all, table,
};
use crate::words::Version;

/// The version that a manifest says it has, or a report that it says none.
pub(crate) fn version(node: Node<'_>, report: &mut Report) -> Option<Version> {
    if !node.is_object() {
        read::wrong_type(node, "an object", report);
        return None;
    }
    let stated = node.get("manifest_version").filter(|version| !version.is_null());
    let Some(stated) = stated else {
        let place = Pointer::root().push("manifest_version");
        let place = node.pointer().join(&place);
        let missing = rules::MANIFEST_VERSION
            .at_pointer(place, "the member \"manifest_version\" is missing")
            .span(node.get("manifest_version").unwrap_or(node).span())
            .help("add \"manifest_version\": \"0.4\", or the version that the manifest follows");
        report.push(missing);
        return None;
    };
    let found = stated.text().as_deref().and_then(Version::from_word);
    if found.is_none() {
        let message = match stated.text() {
            Some(text) => format!("{} is not a version of the specification", quoted(&text)),
            None => format!("expected a string, found {}", stated.kind().described()),
        };
        let known = one_of(Version::WORDS);
        report.push(rules::MANIFEST_VERSION.at(stated, message).help(format!("write {known}")));
    }
    found
}

/// Checks a manifest of a version.
pub(crate) fn check(node: Node<'_>, version: Version, options: &Validate, report: &mut Report) {
    // The reference does not look at formats.
    let formats = options.profile != Profile::Reference;
    Walk { version, formats, report }.object(node, &table::MANIFEST, None);
}

/// The table is as deep as the specification, so this recursion is bounded.
struct Walk<'r> {
    version: Version,
    /// Whether texts are checked for what they should be.
    formats: bool,
    report: &'r mut Report,
}

impl Walk<'_> {
    fn value(&mut self, node: Node<'_>, shape: &Shape) {
        let expected = match shape {
            Shape::Any => return,
            Shape::Opaque => (!node.is_object()).then_some("an object"),
            Shape::Bool => node.bool().is_none().then_some("a boolean"),
            Shape::Integer { min, max } => match node.number() {
                Some(number) => return self.integer(node, &number, *min, *max),
                None => Some("a number"),
            },
            Shape::Fraction => match node.number() {
                Some(number) => return self.fraction(node, &number),
                None => Some("a number"),
            },
            // Most strings are long or short enough, and there is no more to them.
            Shape::Text(shape) if shape.takes(node) => return,
            Shape::Text(shape) => match node.text() {
                Some(text) => return self.text(node, &text, shape),
                None => Some("a string"),
            },
            Shape::Word(words) => match node.text() {
                Some(text) => return self.word(node, &text, words),
                None => Some("a string"),
            },
            Shape::List { of, min, max } => {
                if node.is_array() {
                    return self.list(node, of, *min, *max);
                }
                Some("an array")
            }
            Shape::Map(of) => {
                node.members().for_each(|member| self.value(member.value, of));
                (!node.is_object()).then_some("an object")
            }
            Shape::Object(object) => return self.object(node, object, None),
            Shape::Union { tag, branches } => return self.union(node, tag, branches),
        };
        if let Some(expected) = expected {
            self.wrong_type(node, expected);
        }
    }

    fn object(&mut self, node: Node<'_>, object: &Object, tag: Option<&str>) {
        if !node.is_object() {
            return self.wrong_type(node, "an object");
        }
        let version = self.version;
        let mut found = 0_u32;
        // Most documents have their members in the order of the specification.
        let mut next = 0;
        for member in node.members() {
            match object.find(&member, version, next) {
                Some((index, known)) => {
                    found |= 1 << index;
                    next = index + 1;
                    self.value(member.value, known.shape);
                }
                None if tag.is_some_and(|tag| member.is(tag)) => {}
                None => self.unknown(node, &member, object, tag),
            }
        }
        for member in object.missing(version, found) {
            self.missing(node, member.name);
        }
        for need in object.needs.iter().filter(|need| need.since <= version) {
            self.condition(node, &need.what);
        }
    }

    #[cold]
    fn unknown(&mut self, node: Node<'_>, member: &Found<'_>, object: &Object, tag: Option<&str>) {
        let name = member.name();
        let version = self.version;
        self.report.push_with(&rules::UNKNOWN_MEMBER, || {
            let message = format!("{} has no member {} here", version.word(), quoted(&name));
            // What a validator says of the object, shown at the name.
            let diagnostic = rules::UNKNOWN_MEMBER.at(node, message).span(member.key.span());
            let members = object.members.iter();
            let later = members.clone().find(|m| m.name == name && m.in_versions.0 > version);
            let known = members.filter(|m| m.is_in(version)).map(|m| m.name).chain(tag);
            match (later, did_you_mean(&name, known)) {
                (Some(later), _) => diagnostic.help(came_with(later.in_versions.0)),
                (None, Some(guess)) => diagnostic.help(format!("did you mean {}?", quoted(guess))),
                (None, None) => diagnostic.help("remove it"),
            }
        });
    }

    #[cold]
    fn wrong_type(&mut self, node: Node<'_>, expected: &str) {
        self.report.push_with(&json::TYPE, || {
            let found = node.kind().described();
            json::TYPE.at(node, format!("expected {expected}, found {found}"))
        });
    }

    #[cold]
    fn missing(&mut self, node: Node<'_>, name: &str) {
        self.report.push_with(&json::REQUIRED, || {
            json::REQUIRED.at(node, format!("the member {} is missing", quoted(name)))
        });
    }

    fn union(&mut self, node: Node<'_>, tag: &str, branches: &'static [Branch]) {
        if !node.is_object() {
            return self.wrong_type(node, "an object");
        }
        let version = self.version;
        let known = |branch: &&Branch| branch.is_in(version);
        let stated = node.get(tag);
        let word = stated.and_then(Node::text);
        let mut named = branches.iter().filter(known);
        if let Some(branch) = named.find(|branch| Some(branch.word) == word.as_deref()) {
            return self.object(node, branch.object, Some(tag));
        }
        // Whatever it is, it lacks these.
        for name in required_by_all(branches, version).filter(|name| node.get(name).is_none()) {
            self.missing(node, name);
        }
        let Some(stated) = stated else { return self.missing(node, tag) };
        let Some(word) = word else { return self.wrong_type(stated, "a string") };
        let message = format!("{} has no {} {} here", version.word(), tag, quoted(&word));
        let later = branches.iter().find(|branch| branch.word == word);
        let words: Vec<_> = branches.iter().filter(known).map(|branch| branch.word).collect();
        let help = match later {
            Some(later) => came_with(later.in_versions.0),
            None => format!("write {}", one_of(&words)),
        };
        self.report.push_with(&rules::TAG, || rules::TAG.at(stated, message).help(help));
    }

    fn list(&mut self, node: Node<'_>, of: &Shape, min: usize, max: Option<usize>) {
        let mut count = 0;
        for element in node.elements() {
            count += 1;
            self.value(element, of);
        }
        if count < min || max.is_some_and(|max| count > max) {
            let message = format!("{count} elements, not {}", bounds(min, max));
            self.report.add(&rules::COUNT, node, message);
        }
    }

    fn text(&mut self, node: Node<'_>, text: &str, shape: &Text) {
        let Text { min, max, grammar, format } = shape;
        if !shape.fits(text.len()) {
            let count = text.chars().count();
            if count < *min || max.is_some_and(|max| count > max) {
                let message = format!("{count} characters, not {}", bounds(*min, *max));
                self.report.add(&rules::LENGTH, node, message);
            }
        }
        if let Some(grammar) = grammar.filter(|grammar| !grammar.matches(text)) {
            let message = format!("{} is not {}", quoted(text), grammar.described());
            let help = format!("it must match {}", grammar.pattern());
            self.report.push_with(&rules::PATTERN, || rules::PATTERN.at(node, message).help(help));
        }
        match format {
            Some(Format::Uri) if self.formats && !is_uri(text) => {
                let message = format!("{} is not an absolute URI", quoted(text));
                self.report.add(&rules::URI, node, message);
            }
            Some(Format::Email) if self.formats && !is_email(text) => {
                let message = format!("{} is not an e-mail address", quoted(text));
                self.report.add(&rules::EMAIL, node, message);
            }
            _ => {}
        }
    }

    fn word(&mut self, node: Node<'_>, text: &str, words: &[&str]) {
        if words.contains(&text) {
            return;
        }
        self.report.push_with(&rules::WORD, || {
            let message = format!("{} is not {}", quoted(text), one_of(words));
            let diagnostic = rules::WORD.at(node, message);
            match did_you_mean(text, words.iter().copied()) {
                Some(guess) => diagnostic.help(format!("did you mean {}?", quoted(guess))),
                None => diagnostic,
            }
        });
    }

    fn integer(&mut self, node: Node<'_>, number: &Number<'_>, min: Option<i64>, max: Option<i64>) {
        let small = number.as_str().parse::<i64>().ok();
        if small.is_none() && !number.is_integer() {
            let message = "expected a whole number";
            self.report.add(&rules::INTEGER, node, message);
            return;
        }
        let below = min.is_some_and(|min| match small {
            Some(small) => small < min,
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
                (_, max) => format!("expected {} or less", max.unwrap_or_default()),
            };
            self.report.add(&rules::RANGE, node, message);
        }
    }

    fn fraction(&mut self, node: Node<'_>, number: &Number<'_>) {
        if *number < Number::from(0) || *number > Number::from(1) {
            self.report.add(&rules::RANGE, node, "expected a number from 0 to 1");
        }
    }

    fn condition(&mut self, node: Node<'_>, condition: &Condition) {
        match condition {
            Condition::ExactlyOne(names) => {
                let [one, other] = names.map(|name| node.get(name).is_some());
                if one == other {
                    let [first, second] = names.map(quoted);
                    let message = if one {
                        format!("{first} and {second} exclude each other")
                    } else {
                        format!("neither {first} nor {second} is there")
                    };
                    self.report.add(&rules::EXACTLY_ONE, node, message);
                }
            }
            Condition::When { member, is, required } => {
                let value = node.get(member).and_then(Node::text);
                if value.as_deref() == Some(is) && node.get(required).is_none() {
                    let message = format!("{} needs the member {}", quoted(is), quoted(required));
                    self.report.add(&rules::TERMS_URL, node, message);
                }
            }
            Condition::Actions => self.actions(node),
            Condition::DataBoundary => {
                if node.get("data_boundary").is_some() {
                    return;
                }
                let scopes = node.get("scopes").into_iter().flat_map(Node::elements);
                let mut resources = scopes.filter_map(|scope| scope.get("resource")?.text());
                if let Some(private) = resources.find(|resource| is_private(resource)) {
                    let message =
                        format!("{} is private data, and needs a data_boundary", quoted(&private));
                    self.report.add(&rules::BOUNDARY_REQUIRED, node, message);
                }
            }
            Condition::NothingToRevoke => self.nothing_to_revoke(node),
        }
    }

    fn actions(&mut self, node: Node<'_>) {
        let kind = node.get("runtime").and_then(|runtime| runtime.get("kind")?.text());
        let Some(kind) = kind.filter(|kind| SILENT.contains(&kind.as_ref())) else { return };
        let actions = node.get("actions");
        if actions.is_none_or(|actions| actions.is_array() && actions.elements().next().is_none()) {
            let message = format!("the runtime {} needs actions", quoted(&kind));
            self.report.add(&rules::ACTIONS_REQUIRED, actions.unwrap_or(node), message);
        }
    }

    fn nothing_to_revoke(&mut self, node: Node<'_>) {
        let kind = node.get("kill_switch").and_then(|switch| switch.get("kind")?.text());
        if kind.as_deref() != Some("none") {
            return;
        }
        let empty = |list: Node<'_>| list.is_array() && list.elements().next().is_none();
        let some = |list: Option<Node<'_>>| list.is_some_and(|list| !empty(list));
        let mut report = |what: &str| {
            let message = format!("there is no kill switch, but {what}");
            self.report.add(&rules::NOTHING_TO_REVOKE, node, message);
        };
        if some(node.get("env")) {
            report("environment variables are collected");
        }
        if some(node.get("data_boundary").and_then(|boundary| boundary.get("persists"))) {
            report("data is kept");
        }
    }
}

/// Whether a text is a URI, once its templates have values.
fn is_uri(text: &str) -> bool {
    // With a template in it, it is none.
    url::is_uri(text)
        || text.contains("${") && url::is_uri(&text.replace("${", "").replace('}', ""))
}

/// Whether a text looks like an e-mail address: something, an `@`, and a host.
fn is_email(text: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c.is_control())
    };
    text.rsplit_once('@').is_some_and(|(local, host)| {
        plain(local) && plain(host) && !host.starts_with('.') && !host.ends_with('.')
    })
}

fn came_with(version: Version) -> String {
    format!("it came with {}: change \"manifest_version\"", version.word())
}

fn bounds(min: usize, max: Option<usize>) -> String {
    match (min, max) {
        (min, Some(max)) => format!("{min} to {max}"),
        (min, None) => format!("{min} or more"),
    }
}

/// `"a", "b" or "c"`
fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
