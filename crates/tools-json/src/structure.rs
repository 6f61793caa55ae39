//! Structure checks: the table, and the spelling of integers.
//!
//! The `reference` profile has its own reader, which behaves like Go: see
//! [`unmarshal`](crate::unmarshal).

use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules, UnknownMemberLocation};
use manifest_core::{Report, ValidateOptions};

use crate::go::quote;
use crate::manifest::seconds;
use crate::nodes::ToolNodes;
use crate::rules;
use crate::table::{DOCUMENT_TABLE, TOOL_TABLE};

static RULES: Rules = Rules {
    // All objects are open. Unknown members cause a warning.
    unknown_member: &json::UNKNOWN_MEMBER,
    unknown_members: UnknownMemberLocation::AtMember,
    count: &rules::COMMAND_EMPTY,
    length: &rules::NAME_REQUIRED,
    // The function `integer` checks this, because the spelling of the number matters too.
    integer: None,
    range: &json::NUMBER_RANGE,
    // The table has no branches, patterns or enumerations.
    tag: &json::TYPE,
    pattern: &json::TYPE,
    enum_value: &json::TYPE,
};

/// Checks a manifest. Returns the nodes of its tools.
pub(crate) fn check<'a>(
    root: Node<'a>,
    options: &ValidateOptions,
    report: &mut Report,
) -> Vec<ToolNodes<'a>> {
    let mut kept = [None];
    table::check(root, &DOCUMENT_TABLE, 0, &RULES, true, &mut kept, report);
    let [tools] = kept;
    let tools: Vec<_> =
        tools.into_iter().flat_map(Node::elements).map(|node| check_tool(node, report)).collect();
    if !report.is_valid() {
        use_reference_messages(&tools, options, report);
    }
    tools
}

fn check_tool<'a>(whole: Node<'a>, report: &mut Report) -> ToolNodes<'a> {
    let mut kept = [None; 5];
    table::check(whole, &TOOL_TABLE, 0, &RULES, true, &mut kept, report);
    let [name, schema, command, timeout, env] = kept;
    if let Some(node) = timeout {
        check_integer(node, report);
    }
    ToolNodes::new(whole, [name, schema, command, timeout, env])
}

/// Checks that a number is spelled as an integer, unlike `5.0` and `1e1`.
fn check_integer(node: Node<'_>, report: &mut Report) {
    let Some(number) = node.number().filter(|_| seconds(node).is_none()) else { return };
    let message = if number.as_str().contains(['.', 'e', 'E']) {
        "expected an integer, written without a point or an exponent"
    } else {
        "the number does not fit 64 bits"
    };
    report.add(&json::NUMBER_RANGE, node, message);
}

/// Returns the reference's message about a tool without a name.
pub(crate) fn name_required_message(number: usize) -> String {
    format!("tool[{number}]: name is required")
}

/// The reference's message about a tool without a command.
pub(crate) const COMMAND_EMPTY_MESSAGE: &str = "command must have at least program name";

/// Returns a message about a tool in the reference's format.
pub(crate) fn tool_message(number: usize, name: &str, text: &str) -> String {
    format!("tool[{number}] {}: {text}", quote(name))
}

/// Replaces a message with the reference's if the reference finds the same problem.
fn use_reference_messages(tools: &[ToolNodes<'_>], options: &ValidateOptions, report: &mut Report) {
    for found in &mut report.diagnostics {
        let index = found.pointer.tokens().nth(1).and_then(|token| token.parse().ok());
        let Some(index) = index else { continue };
        let number = options.first_index.saturating_add(index);
        if found.rule == &rules::NAME_REQUIRED {
            found.set_message(name_required_message(number));
        } else if found.rule == &rules::COMMAND_EMPTY {
            let name = tools.get(index).map_or("", |tool| &tool.name);
            found.set_message(tool_message(number, name, COMMAND_EMPTY_MESSAGE));
        } else if found.rule == &json::TYPE
            // The only number of a tool is an integer.
            && let Some(rest) = found.message.strip_prefix("expected a number")
        {
            found.set_message(format!("expected an integer{rest}"));
        }
    }
}
