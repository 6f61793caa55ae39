//! Structure checks: the table, and the spelling of integers.

use manifest_core::json::{Node, rules as json};
use manifest_core::table::{self, Rules, UnknownMemberLocation};
use manifest_core::{Report, Text, ValidateOptions};

use crate::go::quote;
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

/// The nodes of a tool and of the members that later checks need.
pub(crate) struct ToolNodes<'a> {
    pub(crate) tool: Node<'a>,
    /// The text of the name. A missing name is empty.
    pub(crate) name: Text<'a>,
    /// The node of the name, or of the tool if the name is missing.
    pub(crate) name_or_tool: Node<'a>,
    pub(crate) schema: Option<Node<'a>>,
    pub(crate) command: Option<Node<'a>>,
    pub(crate) timeout: Option<Node<'a>>,
    pub(crate) env: Option<Node<'a>>,
}

impl<'a> ToolNodes<'a> {
    /// Creates the nodes of a tool from its `members`, in the order of the fields.
    pub(crate) fn new(tool: Node<'a>, members: [Option<Node<'a>>; 5]) -> Self {
        let [name, schema, command, timeout, env] = members;
        // A name that is missing is reported, and empty.
        let text = name.and_then(Node::text).unwrap_or(Text::Borrowed(""));
        Self { tool, name: text, name_or_tool: name.unwrap_or(tool), schema, command, timeout, env }
    }
}

/// Checks a manifest. Returns the nodes of its tools.
pub(crate) fn check<'a>(
    root: Node<'a>,
    options: &ValidateOptions,
    report: &mut Report,
) -> Vec<ToolNodes<'a>> {
    let mut captured = [None];
    table::check(root, &DOCUMENT_TABLE, 0, &RULES, true, &mut captured, report);
    let mut tools = Vec::new();
    if let [Some(list)] = captured {
        for tool in list.elements() {
            tools.push(check_tool(tool, report));
        }
    }
    if !report.is_valid() {
        use_reference_messages(&tools, options, report);
    }
    tools
}

fn check_tool<'a>(tool: Node<'a>, report: &mut Report) -> ToolNodes<'a> {
    let mut captured = [None; 5];
    table::check(tool, &TOOL_TABLE, 0, &RULES, true, &mut captured, report);
    let nodes = ToolNodes::new(tool, captured);
    if let Some(timeout) = nodes.timeout {
        check_integer(timeout, report);
    }
    nodes
}

/// Returns a number that is spelled as an integer and fits 64 bits. Returns `None` for
/// `5.0` and `1e1`.
pub(crate) fn seconds(node: Node<'_>) -> Option<i64> {
    node.number()?.as_str().parse().ok()
}

/// Checks that a number is spelled as an integer, unlike `5.0` and `1e1`.
fn check_integer(node: Node<'_>, report: &mut Report) {
    let Some(number) = node.number() else { return };
    if seconds(node).is_some() {
        return;
    }
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
        let Some(token) = found.pointer.tokens().nth(1) else { continue };
        let Ok(index) = token.parse() else { continue };
        let number = options.first_index.saturating_add(index);
        if found.rule == &rules::NAME_REQUIRED {
            found.set_message(name_required_message(number));
        } else if found.rule == &rules::COMMAND_EMPTY {
            let Some(tool) = tools.get(index) else { continue };
            found.set_message(tool_message(number, &tool.name, COMMAND_EMPTY_MESSAGE));
        } else if found.rule == &json::TYPE
            // The only number of a tool is an integer.
            && let Some(rest) = found.message.strip_prefix("expected a number")
        {
            found.set_message(format!("expected an integer{rest}"));
        }
    }
}
