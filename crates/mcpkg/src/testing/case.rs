//! Test cases: `tests/*.test.json`.

use crate::jsonpath::Query;
use manifest_core::json::{Document, Node, Number, Raw};
use manifest_core::read::{self, Extras, UnknownMembers};
use manifest_core::{Profile, Report, Text, ValidateOptions, quoted};

use crate::package::rules;
use crate::rules::{BLANK, FRACTIONAL_TIMEOUT, REFERENCE, TIMEOUT};

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

const OPERATORS: [&str; 4] = ["equals", "notEquals", "exists", "notExists"];

impl<'a> TestCase<'a> {
    /// Reads a document. Invalid parts are absent from the result; [`check`] reports them.
    pub fn read(document: &'a Document<'a>) -> Self {
        let mut report = Report::new(Profile::Spec, 1);
        let case = case(document.root(), &mut report).unwrap_or_default();
        let broken = report.errors().next().map(|found| found.message.clone());
        Self { error: broken, ..case }
    }
}

fn case<'a>(node: Node<'a>, report: &mut Report) -> Option<TestCase<'a>> {
    let names = ["name", "description", "input", "expected", "assertions", "timeoutMs"];
    let ([name, description, input, expected, assertions, timeout], extras) =
        read::split_members(node, names, UnknownMembers::Warn, report)?;
    read::require(name, node, "name", report);
    read::require(input, node, "input", report);
    if let Some(input) = input.filter(|input| !input.is_object()) {
        read::report_wrong_type(input, "an object", report);
    }
    Some(TestCase {
        name: read::text(name, report).unwrap_or_default(),
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
    let [equals, not_equals, exists, not_exists] = OPERATORS;
    let names = ["path", equals, not_equals, exists, not_exists];
    let ([path, equals, not_equals, exists, not_exists], extras) =
        read::split_members(node, names, UnknownMembers::Warn, report)?;
    read::require(path, node, "path", report);
    let path = read::text(path, report)?;
    let mut flag = |node: Option<Node<'a>>| {
        let node = node?;
        if node.bool().is_none() {
            read::report_wrong_type(node, "a boolean", report);
        }
        node.bool()
    };
    let (exists, not_exists) = (flag(exists), flag(not_exists));
    let operators = [
        equals.map(|node| Operator::Equals(Raw::from_node(node))),
        not_equals.map(|node| Operator::NotEquals(Raw::from_node(node))),
        exists.map(Operator::Exists),
        not_exists.map(Operator::NotExists),
    ];
    let given = OPERATORS.iter().filter(|name| node.get(name).is_some()).count();
    if given != 1 {
        let message = match given {
            0 => "the assertion has none of equals, notEquals, exists and notExists",
            _ => "the assertion has more than one of equals, notEquals, exists and notExists",
        };
        report.push(rules::ASSERTION.at(node, message));
        return None;
    }
    let operator = operators.into_iter().flatten().next()?;
    Some(Assertion { path, operator, extras })
}

/// Checks a test case by itself. The check of a package compares its input with the input
/// schema.
pub fn check(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    if options.profile == Profile::Reference {
        reference(root, &mut report);
        return report;
    }
    let Some(case) = case(root, &mut report) else { return report };
    if let Some(name) = root.get("name").filter(|_| case.name.trim().is_empty())
        && name.text().is_some()
    {
        report.push(BLANK.at(name, "the name of the test is blank"));
    }
    if let (Some(timeout), Some(node)) = (&case.timeout_ms, root.get("timeoutMs")) {
        if !timeout.is_positive() || timeout.to_f64().is_none() {
            let message = "the time-out must be greater than zero and not beyond all bounds";
            report.push(TIMEOUT.at(node, message));
        } else if !timeout.is_integer() {
            report.push(FRACTIONAL_TIMEOUT.at(node, "the time-out is not a whole number"));
        }
    }
    let assertions = root.get("assertions").into_iter().flat_map(Node::elements);
    for node in assertions.filter_map(|assertion| assertion.get("path")) {
        let path = node.text().unwrap_or_default();
        if let Err(error) = Query::parse(&path, &options.limits)
            && node.text().is_some()
        {
            report.push(rules::ASSERTION_PATH.at(node, format!("{}: {error}", quoted(&path))));
        }
    }
    let no_assertions = root.get("assertions").is_none_or(|list| list.elements().next().is_none());
    if case.expected.is_none() && no_assertions {
        report.push(rules::TEST_EMPTY.at(root, "any result passes this test"));
    }
    report
}

/// Checks the requirements of the published tool, in its order and with its messages.
/// Members count as absent if they are null.
fn reference(root: Node<'_>, report: &mut Report) {
    let present = |node: Node<'_>, name: &str| {
        let found = node.members().find(|member| member.has_name(name)).map(|member| member.value);
        found.is_some_and(|value| !value.is_null())
    };
    let mut push = |node: Node<'_>, message: String| report.push(REFERENCE.at(node, message));
    let missing: Vec<_> = ["name", "description", "input", "assertions"]
        .into_iter()
        .filter(|name| root.get(name).is_none())
        .collect();
    if !missing.is_empty() {
        let names = missing.join(", ");
        return push(
            root,
            format!("Invalid JSON: missing required properties, including: {names}"),
        );
    }
    for name in ["name", "description"] {
        let blank = |node: &Node<'_>| node.text().is_none_or(|text| text.trim().is_empty());
        if let Some(node) = root.get(name).filter(blank) {
            push(node, format!("{name} is required"));
        }
    }
    if let Some(input) = root.get("input").filter(|input| input.is_null()) {
        push(input, "input is required".to_owned());
    }
    let assertions = root.get("assertions").into_iter().flat_map(Node::elements);
    if assertions.clone().next().is_none() {
        push(root, "test must have at least one assertion".to_owned());
    }
    for (index, assertion) in assertions.enumerate() {
        let path = assertion.get("path").and_then(Node::text);
        if path.is_none_or(|path| path.trim().is_empty()) {
            push(assertion, format!("assertion[{index}]: path is required"));
        }
        let given = OPERATORS.iter().filter(|name| present(assertion, name)).count();
        let message = match given {
            0 => format!("must specify one of: {}", OPERATORS.join(", ")),
            1 => continue,
            _ => "can only specify one assertion type".to_owned(),
        };
        push(assertion, format!("assertion[{index}]: {message}"));
    }
    let timeout = root.get("timeoutMs").filter(|node| !node.is_null());
    if let Some(node) = timeout.filter(|node| !node.number().is_some_and(|n| n.is_positive())) {
        push(node, "timeoutMs must be positive if specified".to_owned());
    }
}
