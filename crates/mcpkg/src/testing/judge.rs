//! Compares a result with a test case.

use manifest_core::json::{Document, Node, NodeValue, Raw};
use manifest_core::{Limits, Pointer, Profile, printable, quoted};

use super::case::{Assertion, Operator, TestCase};
use crate::check::follows_published_tool;
use crate::jsonpath::Query;

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

    /// Creates a reason about a value of the result.
    fn at(pointer: &Pointer, message: String) -> Self {
        Self { assertion: None, path: Some(printable(pointer.as_str(), 256)), message }
    }
}

/// Judges a result. Returns the reasons why it fails the test, or an empty list if it
/// passes.
///
/// `expected` is a subset of the result: the result must contain every member of it with an
/// equal value, at every depth; arrays must be equal as a whole. The published tool ignores
/// `expected`, and so does the `reference` profile with the feature of that name.
pub fn judge(
    case: &TestCase<'_>,
    result: Node<'_>,
    profile: Profile,
    limits: &Limits,
) -> Vec<Reason> {
    let as_published = follows_published_tool(profile);
    let mut reasons = Vec::new();
    if let Some(expected) = &case.expected
        && !as_published
    {
        match parse(expected, limits) {
            Ok(expected) => add_differences(expected.root(), result, limits, &mut reasons),
            Err(message) => reasons.push(Reason::new(message)),
        }
    }
    for (index, assertion) in case.assertions.iter().enumerate() {
        if let Err(message) = assert(assertion, result, as_published, limits) {
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
    match node.value() {
        NodeValue::Array(_) | NodeValue::Object(_) => node.kind().with_article().to_owned(),
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) => printable(node.raw(), 64),
        NodeValue::String(text) => quoted(&text),
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
        if !(expected.is_object() && found.is_object()) {
            if !expected.same_value(found) {
                let message =
                    format!("expected {}, found {}", format_value(expected), format_value(found));
                reasons.push(Reason::at(&pointer, message));
            }
            continue;
        }
        let members = found.index_members();
        for member in expected.members() {
            let below = pointer.clone().push(&member.name());
            if let Some(found) = members.get(&member.name()) {
                pending.push((below, member.value, found));
            } else {
                let message = format!("expected {}, found nothing", format_value(member.value));
                reasons.push(Reason::at(&below, message));
            }
        }
    }
}

fn assert(
    assertion: &Assertion<'_>,
    result: Node<'_>,
    as_published: bool,
    limits: &Limits,
) -> Result<(), String> {
    let query = Query::parse(&assertion.path, limits).map_err(|error| error.to_string())?;
    let found = query.select(result, limits).map_err(|error| error.to_string())?;
    // If the query selects several values, the first counts.
    let first = found.first().copied();
    if as_published {
        return assert_as_published(assertion, first, limits);
    }
    let must_exist = match &assertion.operator {
        Operator::Equals(value) => return check_equality(value, first, true, limits),
        Operator::NotEquals(value) => return check_equality(value, first, false, limits),
        Operator::Exists(exists) => *exists,
        Operator::NotExists(missing) => !missing,
    };
    match first {
        None if must_exist => Err(format!("nothing is at {}", quoted(&assertion.path))),
        Some(node) if !must_exist => Err(format!("{} is there", format_value(node))),
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
