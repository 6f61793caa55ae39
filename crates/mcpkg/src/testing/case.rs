//! Test cases: `tests/*.test.json`.

use manifest_core::json::{Document, Node, Number, Raw};
use manifest_core::read::{self, Extras, UnknownMembers};
use manifest_core::{Profile, Report, Text, ValidateOptions, quoted};

use super::reference;
use crate::check::follows_published_tool;
use crate::jsonpath::Query;
use crate::package::rules;
use crate::rules::{BLANK, FRACTIONAL_TIMEOUT, INVALID_TIMEOUT, TIMEOUT};

/// A test case: an input, and conditions on the result.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TestCase<'a> {
    /// The name in reports.
    pub name: Text<'a>,
    /// The description of the case.
    pub description: Option<Text<'a>>,
    /// The arguments of the call.
    pub input: Option<Raw<'a>>,
    /// The values that the result must contain.
    pub expected: Option<Raw<'a>>,
    /// The conditions on single places of the result.
    pub assertions: Vec<Assertion<'a>>,
    /// The time-out of the call, in milliseconds.
    pub timeout_ms: Option<Number<'a>>,
    /// Members that the specification does not define.
    pub extras: Extras<'a>,
    /// The reason why the test cannot be run. A test must not pass because an invalid part
    /// was left out.
    pub(super) error: Option<String>,
}

/// A condition on a place of a result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Assertion<'a> {
    /// The JSONPath query of the place.
    pub path: Text<'a>,
    /// The condition on the value there.
    pub operator: Operator<'a>,
    /// Members that the specification does not define.
    pub extras: Extras<'a>,
}

/// The operator of an assertion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Operator<'a> {
    /// The value is equal to this one.
    Equals(Raw<'a>),
    /// The value exists, and is not equal to this one.
    NotEquals(Raw<'a>),
    /// The value exists or, if `false`, is missing.
    Exists(bool),
    /// The value is missing or, if `false`, exists.
    NotExists(bool),
}

impl<'a> TestCase<'a> {
    /// Reads a document. Invalid parts are absent from the result; [`check`] reports them.
    pub fn read(document: &'a Document<'a>) -> Self {
        let mut report = Report::new(Profile::Spec, 1);
        // A document of another type has no part that is valid.
        let case = case(document.root(), &mut report).unwrap_or_default();
        let error = report.errors().next().map(|found| found.message.clone());
        Self { error, ..case }
    }
}

fn case<'a>(node: Node<'a>, report: &mut Report) -> Option<TestCase<'a>> {
    let names = ["name", "description", "input", "expected", "assertions", "timeoutMs"];
    let ([name, description, input, expected, assertions, timeout], extras) =
        read::split_members(node, names, UnknownMembers::Warn, report)?;
    read::require(name, node, "name", report);
    read::require(input, node, "input", report);
    if let Some(input) = input
        && !input.is_object()
    {
        read::report_wrong_type(input, "an object", report);
    }
    Some(TestCase {
        // A name that is missing is reported, and empty.
        name: read::text(name, report).unwrap_or(Text::Borrowed("")),
        description: read::text(description, report),
        input: input.map(Raw::from_node),
        expected: expected.map(Raw::from_node),
        assertions: read::list(assertions, report, assertion),
        timeout_ms: read::number(timeout, report),
        extras,
        error: None,
    })
}

fn assertion<'a>(node: Node<'a>, report: &mut Report) -> Option<Assertion<'a>> {
    let names = ["path", "equals", "notEquals", "exists", "notExists"];
    let ([path, equals, not_equals, exists, not_exists], extras) =
        read::split_members(node, names, UnknownMembers::Warn, report)?;
    read::require(path, node, "path", report);
    let path = read::text(path, report)?;
    let (exists_flag, not_exists_flag) = (flag(exists, report), flag(not_exists, report));
    let operator = match (equals, not_equals, exists, not_exists) {
        (Some(value), None, None, None) => Operator::Equals(Raw::from_node(value)),
        (None, Some(value), None, None) => Operator::NotEquals(Raw::from_node(value)),
        (None, None, Some(_), None) => Operator::Exists(exists_flag?),
        (None, None, None, Some(_)) => Operator::NotExists(not_exists_flag?),
        given => {
            let message = match given {
                (None, None, None, None) => {
                    "the assertion has none of equals, notEquals, exists and notExists"
                }
                _ => "the assertion has more than one of equals, notEquals, exists and notExists",
            };
            report.push(rules::ASSERTION.at(node, message));
            return None;
        }
    };
    Some(Assertion { path, operator, extras })
}

/// Reads a boolean, and reports a value of another kind.
fn flag(node: Option<Node<'_>>, report: &mut Report) -> Option<bool> {
    let node = node?;
    if node.bool().is_none() {
        read::report_wrong_type(node, "a boolean", report);
    }
    node.bool()
}

/// Checks a test case by itself. The check of a package compares its input with the input
/// schema.
pub fn check(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    if follows_published_tool(options.profile) {
        reference::check(root, &mut report);
        return report;
    }
    let Some(case) = case(root, &mut report) else { return report };
    if let Some(node) = root.get("name")
        && let Some(name) = node.text()
        && name.trim().is_empty()
    {
        report.push(BLANK.at(node, "the name of the test is blank"));
    }
    if let (Some(timeout), Some(node)) = (&case.timeout_ms, root.get("timeoutMs")) {
        if !timeout.is_positive() || timeout.to_f64().is_none() {
            report.push(TIMEOUT.at(node, INVALID_TIMEOUT));
        } else if !timeout.is_integer() {
            report.push(FRACTIONAL_TIMEOUT.at(node, "the time-out is not a whole number"));
        }
    }
    let mut has_assertions = false;
    for assertion in root.get("assertions").into_iter().flat_map(Node::elements) {
        has_assertions = true;
        if let Some(node) = assertion.get("path")
            && let Some(path) = node.text()
            && let Err(error) = Query::parse(&path, &options.limits)
        {
            report.push(rules::ASSERTION_PATH.at(node, format!("{}: {error}", quoted(&path))));
        }
    }
    if case.expected.is_none() && !has_assertions {
        report.push(rules::TEST_EMPTY.at(root, "any result passes this test"));
    }
    report
}
