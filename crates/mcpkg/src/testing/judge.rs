//! Compares a result with a test case.

use crate::jsonpath::Query;
use manifest_core::json::{Document, Kind, Node, Raw};
use manifest_core::{Limits, Pointer, Profile, printable, quoted};

use super::case::{Assertion, Operator, TestCase};

/// A reason why a test failed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Reason {
    /// The index of the assertion, if an assertion failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertion: Option<usize>,
    /// The path of the value that the reason is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The problem.
    pub message: String,
}

impl Reason {
    /// Creates a reason without a path.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { assertion: None, path: None, message: message.into() }
    }
}

/// Judges a result. Returns the reasons why it fails the test, or an empty list if it
/// passes.
///
/// `expected` is a subset of the result: the result must contain every member of it with an
/// equal value, at every depth; arrays must be equal as a whole. The published tool ignores
/// `expected`, and so does the `reference` profile.
pub fn judge(
    case: &TestCase<'_>,
    result: Node<'_>,
    profile: Profile,
    limits: &Limits,
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if let Some(expected) = case.expected.as_ref().filter(|_| profile != Profile::Reference) {
        match parse(expected, limits) {
            Ok(expected) => add_differences(expected.root(), result, limits, &mut reasons),
            Err(message) => reasons.push(Reason::new(message)),
        }
    }
    for (index, assertion) in case.assertions.iter().enumerate() {
        if let Err(message) = assert(assertion, result, profile, limits) {
            reasons.push(Reason {
                assertion: Some(index),
                path: Some(printable(&assertion.path, 256)),
                message,
            });
        }
        if reasons.len() >= limits.diagnostics.max(1) {
            break;
        }
    }
    reasons
}

fn parse<'r>(raw: &'r Raw<'_>, limits: &Limits) -> Result<Document<'r>, String> {
    Document::parse(raw.as_str().as_bytes(), limits).map_err(|found| found.message.clone())
}

/// Formats a value for a message.
fn format_value(node: Node<'_>) -> String {
    match node.kind() {
        Kind::Array | Kind::Object => node.kind().with_article().to_owned(),
        Kind::String => quoted(&node.text().unwrap_or_default()),
        _ => printable(node.raw(), 64),
    }
}

/// Adds a reason for each expected value that the result lacks.
fn add_differences(
    expected: Node<'_>,
    result: Node<'_>,
    limits: &Limits,
    reasons: &mut Vec<Reason>,
) {
    let mut pending = vec![(Pointer::root(), expected, result)];
    while let Some((pointer, expected, found)) = pending.pop() {
        if reasons.len() >= limits.diagnostics.max(1) {
            return;
        }
        let mut push = |pointer: &Pointer, message| {
            let path = Some(printable(pointer.as_str(), 256));
            reasons.push(Reason { assertion: None, path, message });
        };
        if !(expected.is_object() && found.is_object()) {
            if !expected.same_value(found) {
                let message =
                    format!("expected {}, found {}", format_value(expected), format_value(found));
                push(&pointer, message);
            }
            continue;
        }
        let members = found.index_members();
        for member in expected.members() {
            let below = pointer.clone().push(&member.name());
            match members.get(&member.name()) {
                Some(found) => pending.push((below, member.value, found)),
                None => {
                    push(&below, format!("expected {}, found nothing", format_value(member.value)));
                }
            }
        }
    }
}

fn assert(
    assertion: &Assertion<'_>,
    result: Node<'_>,
    profile: Profile,
    limits: &Limits,
) -> Result<(), String> {
    let query = Query::parse(&assertion.path, limits).map_err(|error| error.to_string())?;
    let found = query.select(result, limits).map_err(|error| error.to_string())?;
    // If the query selects several values, the first counts.
    let first = found.first().copied();
    if profile == Profile::Reference {
        return assert_as_published(assertion, first, limits);
    }
    let exists = |wanted: bool| match (wanted, first) {
        (true, None) => Err(format!("nothing is at {}", quoted(&assertion.path))),
        (false, Some(node)) => Err(format!("{} is there", format_value(node))),
        _ => Ok(()),
    };
    match &assertion.operator {
        Operator::Exists(wanted) => exists(*wanted),
        Operator::NotExists(unwanted) => exists(!unwanted),
        Operator::Equals(value) => check_equality(value, first, true, limits),
        Operator::NotEquals(value) => check_equality(value, first, false, limits),
    }
}

/// Compares a value. A missing one fails both operators, because it is no evidence for
/// either.
fn check_equality(
    value: &Raw<'_>,
    found: Option<Node<'_>>,
    wanted: bool,
    limits: &Limits,
) -> Result<(), String> {
    let value = parse(value, limits)?;
    let Some(found) = found else {
        return Err(format!("expected {}, found nothing", format_value(value.root())));
    };
    match (value.root().same_value(found), wanted) {
        (false, true) => {
            Err(format!("expected {}, found {}", format_value(value.root()), format_value(found)))
        }
        (true, false) => Err(format!("found {}, which it must not be", format_value(found))),
        _ => Ok(()),
    }
}

/// Asserts as the published tool does. Null operands count as absent, and `exists` and
/// `notExists` have an effect only if they are true.
fn assert_as_published(
    assertion: &Assertion<'_>,
    found: Option<Node<'_>>,
    limits: &Limits,
) -> Result<(), String> {
    const NOTHING: &str = "No assertion type specified";
    let path = printable(&assertion.path, 256);
    match (&assertion.operator, found) {
        (Operator::NotExists(true), None) | (Operator::Exists(true), Some(_)) => Ok(()),
        (Operator::NotExists(true), Some(_)) => Err(format!("Path '{path}' exists")),
        (_, None) => Err(format!("Path '{path}' does not exist")),
        (Operator::Exists(_) | Operator::NotExists(_), Some(_)) => Err(NOTHING.to_owned()),
        (Operator::Equals(value) | Operator::NotEquals(value), _) if value.as_str() == "null" => {
            Err(NOTHING.to_owned())
        }
        (Operator::Equals(value), found) => check_equality(value, found, true, limits),
        (Operator::NotEquals(value), found) => check_equality(value, found, false, limits),
    }
}
