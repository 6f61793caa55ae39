//! The checks of a test case by the published tool.

use manifest_core::Report;
use manifest_core::json::Node;

use crate::rules::REFERENCE;

/// The members of an assertion, one of which is its operator.
const OPERATORS: [&str; 4] = ["equals", "notEquals", "exists", "notExists"];

/// Checks the requirements of the published tool, in its order and with its messages.
/// Members count as absent if they are null.
pub(super) fn check(root: Node<'_>, report: &mut Report) {
    let required = ["name", "description", "input", "assertions"];
    let missing: Vec<&str> = required.into_iter().filter(|name| root.get(name).is_none()).collect();
    if !missing.is_empty() {
        let names = missing.join(", ");
        let message = format!("Invalid JSON: missing required properties, including: {names}");
        return report.push(REFERENCE.at(root, message));
    }
    for name in ["name", "description"] {
        if let Some(node) = root.get(name)
            && is_blank(node)
        {
            report.push(REFERENCE.at(node, format!("{name} is required")));
        }
    }
    if let Some(input) = root.get("input")
        && input.is_null()
    {
        report.push(REFERENCE.at(input, "input is required"));
    }
    let assertions = root.get("assertions").into_iter().flat_map(Node::elements);
    if assertions.clone().next().is_none() {
        report.push(REFERENCE.at(root, "test must have at least one assertion"));
    }
    for (index, assertion) in assertions.enumerate() {
        if assertion.get("path").is_none_or(is_blank) {
            report.push(REFERENCE.at(assertion, format!("assertion[{index}]: path is required")));
        }
        let given = OPERATORS.iter().filter(|name| has_value(assertion, name)).count();
        let message = match given {
            0 => format!("must specify one of: {}", OPERATORS.join(", ")),
            1 => continue,
            _ => "can only specify one assertion type".to_owned(),
        };
        report.push(REFERENCE.at(assertion, format!("assertion[{index}]: {message}")));
    }
    if let Some(timeout) = root.get("timeoutMs")
        && !timeout.is_null()
        && !timeout.number().is_some_and(|number| number.is_positive())
    {
        report.push(REFERENCE.at(timeout, "timeoutMs must be positive if specified"));
    }
}

/// Returns true if a value is not a text, or is blank.
fn is_blank(node: Node<'_>) -> bool {
    node.text().is_none_or(|text| text.trim().is_empty())
}

fn has_value(node: Node<'_>, name: &str) -> bool {
    node.get(name).is_some_and(|value| !value.is_null())
}
