//! Reads objects without losing a member.
//!
//! [`split_members`] splits an object into the members with known names and the rest. It returns
//! both, so a document type that stores the rest beside its fields drops no member.
//!
//! ```
//! use diagnostic::{Profile, Report};
//! use toolglot_json_text::{Document, Limits, read};
//!
//! let document = Document::parse(br#"{"name": "a", "nme": "b"}"#, &Limits::default())?;
//! let mut report = Report::new(Profile::Spec, 10);
//! let names = ["name", "version"];
//! let ([name, version], extras) =
//!     read::split_members(document.root(), names, read::UnknownMembers::Warn, &mut report).unwrap();
//!
//! assert_eq!(read::text(name, &mut report).as_deref(), Some("a"));
//! assert!(version.is_none());
//! assert_eq!(extras.0[0].0, "nme");
//! assert_eq!(report.diagnostics[0].help.as_deref(), Some("did you mean \"name\"?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::{Elements, Kind, Member, Node, Number, Raw, quote, rules};
use diagnostic::{Report, Rule, did_you_mean, quoted};

/// Text that borrows from the document if possible.
pub type Text<'a> = Cow<'a, str>;

/// Members that the specification does not define, in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras<'a>(pub Vec<(Text<'a>, Raw<'a>)>);

impl Extras<'_> {
    /// Returns true if there are no such members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Extras<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// The treatment of members with unknown names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownMembers {
    /// Report a warning and suggest a similar known name. A name that differs from a known
    /// one only in case is an error.
    Warn,
    /// Accept them.
    Allow,
    /// Report an error of this rule, because the specification closes the object. A name
    /// that differs from a known one only in case is an error of [`rules::KEY_CASE`]
    /// instead.
    Refuse(&'static Rule),
    /// Accept them, and match known names in any case, as Go does. A second spelling of a
    /// known name is an error.
    AllowAnyCase,
}

/// Splits an object into the members with the given names, in the order of `names`, and the
/// rest. Reports an error and returns `None` if the value is not an object.
#[allow(clippy::type_complexity)] // an alias would hide the two parts
#[inline] // avoids copying the array of members
pub fn split_members<'a, const N: usize>(
    object: Node<'a>,
    names: [&str; N],
    others: UnknownMembers,
    report: &mut Report,
) -> Option<([Option<Node<'a>>; N], Extras<'a>)> {
    if !object.is_object() {
        report_wrong_type(object, "an object", report);
        return None;
    }
    let mut found = [None; N];
    let extras = fill_slots(object, &names, &mut found, others, report);
    Some((found, extras))
}

/// Stores each member in the slot of its name.
fn fill_slots<'a>(
    object: Node<'a>,
    names: &[&str],
    found: &mut [Option<Node<'a>>],
    others: UnknownMembers,
    report: &mut Report,
) -> Extras<'a> {
    let mut extras = Extras::default();
    // Most documents have their members in the order of the specification.
    let mut next = 0;
    for member in object.members() {
        let index = member.position_in(names, |name| name, next);
        match index.and_then(|index| found.get_mut(index)) {
            // The slot is in use only if another spelling came first.
            Some(slot) if slot.is_none() => {
                *slot = Some(member.value);
                next = index.map_or(0, |index| index + 1);
            }
            _ => place_other_member(member, names, found, others, &mut extras, report),
        }
    }
    extras
}

/// Handles a member whose name is unknown, or whose slot is in use.
#[cold]
fn place_other_member<'a>(
    member: Member<'a>,
    names: &[&str],
    found: &mut [Option<Node<'a>>],
    others: UnknownMembers,
    extras: &mut Extras<'a>,
    report: &mut Report,
) {
    let name = member.name();
    if others == UnknownMembers::AllowAnyCase {
        let mut slots = names.iter().zip(found);
        let slot = slots.find(|(known, _)| equal_fold(&name, known)).map(|(_, slot)| slot);
        if let Some(slot @ None) = slot {
            *slot = Some(member.value);
            return;
        }
    }
    report_unknown_member(&member, names.iter().copied(), others, report);
    extras.0.push((name, Raw::from_node(member.value)));
}

/// Reports a member whose name is not in `names`, or is in use under another spelling.
#[cold]
pub fn report_unknown_member<'n>(
    member: &Member<'_>,
    names: impl Iterator<Item = &'n str> + Clone,
    others: UnknownMembers,
    report: &mut Report,
) {
    if others == UnknownMembers::Allow {
        return;
    }
    let name = member.name();
    let twin = names.clone().find(|known| equal_fold(&name, known));
    match (others, twin) {
        (_, Some(twin)) => report.push_with(&rules::KEY_CASE, || {
            let message = if name == twin {
                format!("{} is here in another case too", quoted(&name))
            } else {
                format!("{} differs from {} only in case", quoted(&name), quoted(twin))
            };
            let diagnostic = rules::KEY_CASE.at(member.value, message).span(member.key.span());
            let diagnostic = diagnostic.help(format!("write {}", quoted(twin)));
            if name == twin { diagnostic } else { diagnostic.fix(member.key.span(), quote(twin)) }
        }),
        (UnknownMembers::Warn, None) => {
            push_unknown_member(member, names, &rules::UNKNOWN_MEMBER, report);
        }
        (UnknownMembers::Refuse(rule), None) => push_unknown_member(member, names, rule, report),
        (UnknownMembers::Allow | UnknownMembers::AllowAnyCase, None) => {}
    }
}

fn push_unknown_member<'n>(
    member: &Member<'_>,
    names: impl Iterator<Item = &'n str>,
    rule: &'static Rule,
    report: &mut Report,
) {
    report.push_with(rule, || {
        let name = member.name();
        let message = format!("{} is not a member that the specification names", quoted(&name));
        let diagnostic = rule.at(member.value, message).span(member.key.span());
        match did_you_mean(&name, names) {
            Some(guess) => {
                let help = format!("did you mean {}?", quoted(guess));
                diagnostic.help(help).fix(member.key.span(), quote(guess))
            }
            None => diagnostic,
        }
    });
}

/// Returns a required member, or reports that it is missing.
#[inline]
pub fn require<'a>(
    found: Option<Node<'a>>,
    object: Node<'a>,
    name: &str,
    report: &mut Report,
) -> Option<Node<'a>> {
    if found.is_none() {
        report_missing(object, name, report);
    }
    found
}

#[cold]
fn report_missing(object: Node<'_>, name: &str, report: &mut Report) {
    if report.accepts(&rules::REQUIRED) {
        let message = format!("the member {} is missing", quoted(name));
        report.push(rules::REQUIRED.at(object, message).help(format!("add {}", quoted(name))));
    }
}

/// Returns the value of a string. Reports a value of another kind.
#[inline]
pub fn text<'a>(node: Option<Node<'a>>, report: &mut Report) -> Option<Text<'a>> {
    let node = node?;
    let found = node.text();
    if found.is_none() {
        report_wrong_type(node, "a string", report);
    }
    found
}

/// Returns the strings of an array. Any other value is reported, and the list is then empty.
pub fn texts<'a>(node: Option<Node<'a>>, report: &mut Report) -> Vec<Text<'a>> {
    list(node, report, |node, report| text(Some(node), report))
}

/// Returns the elements of a list of strings. Empty if any element is not a string.
pub fn string_elements(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> + Clone {
    let is_string = |element: Node<'_>| element.kind() == Kind::String;
    let whole = list.filter(|list| list.elements().all(is_string));
    whole.into_iter().flat_map(Node::elements)
}

/// Reads the elements of an array with `read`, and reports a value of another kind. If
/// `read` cannot read an element, it must report that. The list is then empty, so that
/// indices in a list are always those of the document.
pub fn list<'a, T>(
    node: Option<Node<'a>>,
    report: &mut Report,
    read: impl Fn(Node<'a>, &mut Report) -> Option<T>,
) -> Vec<T> {
    let Some(elements) = node.and_then(|node| elements(node, report)) else {
        return Vec::new();
    };
    let (mut list, mut whole) = (Vec::with_capacity(elements.max_len(8)), true);
    for node in elements {
        match read(node, report) {
            Some(one) => list.push(one),
            None => whole = false,
        }
    }
    if whole { list } else { Vec::new() }
}

/// Returns the elements of an array. Reports a value of another kind.
pub fn elements<'a>(node: Node<'a>, report: &mut Report) -> Option<Elements<'a>> {
    if !node.is_array() {
        report_wrong_type(node, "an array", report);
    }
    node.is_array().then(|| node.elements())
}

/// Returns the value of a number. Reports a value of another kind.
pub fn number<'a>(node: Option<Node<'a>>, report: &mut Report) -> Option<Number<'a>> {
    let node = node?;
    if node.kind() != Kind::Number {
        report_wrong_type(node, "a number", report);
    }
    node.number()
}

/// Returns the value of a boolean. Reports a value of another kind.
pub fn boolean(node: Option<Node<'_>>, report: &mut Report) -> Option<bool> {
    let node = node?;
    if node.kind() != Kind::Bool {
        report_wrong_type(node, "a boolean", report);
    }
    node.bool()
}

/// Reports a value of the wrong kind.
#[cold]
pub fn report_wrong_type(node: Node<'_>, expected: &str, report: &mut Report) {
    if !report.accepts(&rules::TYPE) {
        return;
    }
    let message = format!("expected {expected}, found {}", node.kind().with_article());
    report.push(rules::TYPE.at(node, message).help(spelling_advice(expected)));
}

/// Returns advice on how to write a value of a kind, which is named as in
/// [`Kind::with_article`].
pub fn spelling_advice(expected: &str) -> String {
    let how = match expected {
        "a boolean" => ": true or false, without quotation marks",
        "a number" => " without quotation marks",
        "a string" => " in quotation marks",
        "an array" => " in square brackets: [ … ]",
        "an object" => " in braces: { … }",
        _ => "",
    };
    format!("write {expected}{how}")
}

/// Returns true if two names are equal, ignoring the case of ASCII letters. The two other
/// characters that fold to an ASCII letter count as that letter.
pub fn equal_fold(a: &str, b: &str) -> bool {
    let fold = |c: char| match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    a.chars().map(fold).eq(b.chars().map(fold))
}
