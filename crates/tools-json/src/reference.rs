//! The checks of the published implementation, for the `reference` profile. Tests compare them
//! with its recorded answers.
//!
//! A document is decoded as Go's JSON decoder does: it ignores the case of names, reads `null`
//! as a missing value, and reports only the first problem. A table cannot express this.

use manifest_core::json::{Document, Kind, Node, rules as json_rules};
use manifest_core::read::{self, UnknownMembers, equal_fold};
use manifest_core::{Depth, Diagnostic, Pointer, Profile, Report, Text, ValidateOptions};

use crate::semantics::find_duplicates;
use crate::structure::{
    COMMAND_EMPTY_MESSAGE, ToolNodes, name_required_message, seconds, tool_message,
};
use crate::{command, env, rules};

mod syntax;

/// Parses JSON text, as [`Document::parse`] does. Under the `reference` profile, the error
/// for invalid JSON has the reference's message.
///
/// ```
/// use manifest_core::{Profile, ValidateOptions};
///
/// let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
/// let refused = toolglot_tools_json::parse(br#"{"tools": [],}"#, &options).unwrap_err();
/// assert_eq!(
///     refused.message,
///     "parse manifest: invalid character '}' looking for beginning of object key string",
/// );
/// ```
pub fn parse<'a>(bytes: &'a [u8], options: &ValidateOptions) -> Result<Document<'a>, Diagnostic> {
    let mut refused = match Document::parse(bytes, &options.limits) {
        Ok(document) => return Ok(document),
        Err(refused) => refused,
    };
    // Errors that the reference does not have, for example a duplicate key, keep our message.
    if options.profile == Profile::Reference
        && let Some(problem) = syntax::find_problem(bytes)
    {
        refused.set_message(format!("parse manifest: {problem}"));
    }
    Err(refused)
}

/// Checks a document.
pub(crate) fn check(root: Node<'_>, options: &ValidateOptions, report: &mut Report) {
    let tools = read_tools(root, report);
    // The reference stops here if a value has the wrong type.
    if !report.is_valid() {
        use_reference_messages(report, root);
        return;
    }
    let duplicates = find_duplicates(&tools);
    for (index, tool) in tools.iter().enumerate() {
        let number = options.first_index.saturating_add(index);
        if tool.name.is_empty() {
            let message = name_required_message(number);
            report.add(&rules::NAME_REQUIRED, tool.name_or_tool, message);
            continue;
        }
        if duplicates.contains(&index) {
            let message = tool_message(number, &tool.name, "duplicate name");
            report.add(&rules::DUPLICATE_NAME, tool.name_or_tool, message);
        }
        check_tool(tool, number, options, report);
    }
}

fn check_tool(tool: &ToolNodes<'_>, number: usize, options: &ValidateOptions, report: &mut Report) {
    let program = tool.command.and_then(|command| command.elements().next());
    if program.is_none() {
        let message = tool_message(number, &tool.name, COMMAND_EMPTY_MESSAGE);
        report.add(&rules::COMMAND_EMPTY, tool.command.unwrap_or(tool.tool), message);
    }
    if options.depth < Depth::Semantics {
        return;
    }
    for (index, node) in tool.env.into_iter().flat_map(Node::elements).enumerate() {
        // The decoder reads `null` as an empty text.
        let name = node.text().unwrap_or(Text::Borrowed(""));
        // Go's upper case of these two characters is an ASCII letter.
        let upper = name.replace('\u{17f}', "S").replace('\u{131}', "I");
        if let Err(bad) = env::normalise(&upper) {
            let message = format!("envPassthrough[{index}]: {}", bad.message(&name));
            report.add(&rules::ENV_NAME, node, tool_message(number, &tool.name, &message));
        }
    }
    if let Some(node) = program {
        let program = node.text().unwrap_or(Text::Borrowed(""));
        let Err((rule, message)) = command::check(&program, options.platform) else { return };
        // The reference accepts other spellings of a path in the folder.
        let is_accepted = rule == &rules::COMMAND_PREFIX
            && command::is_in_program_folder(&command::normalise(&program));
        if !is_accepted {
            report.add(rule, node, tool_message(number, &tool.name, &message));
        }
    }
}

/// Reads the nodes of the tools, and reports values of the wrong type.
fn read_tools<'a>(root: Node<'a>, report: &mut Report) -> Vec<ToolNodes<'a>> {
    let mut tools = Vec::new();
    if !root.is_null()
        && let Some(([Some(list)], _)) =
            read::split_members(root, ["tools"], UnknownMembers::AllowAnyCase, report)
        && !list.is_null()
        && let Some(elements) = read::elements(list, report)
    {
        for node in elements {
            tools.push(read_tool(node, report));
        }
    }
    tools
}

fn read_tool<'a>(tool: Node<'a>, report: &mut Report) -> ToolNodes<'a> {
    const NAMES: [&str; 6] =
        ["name", "description", "schema", "command", "timeoutSec", "envPassthrough"];
    let mut members = [None; 6];
    if !tool.is_null()
        && let Some((found, _)) =
            read::split_members(tool, NAMES, UnknownMembers::AllowAnyCase, report)
    {
        members = found;
    }
    let [name, description, schema, command, timeout, env] = members;
    read::text(non_null(name), report);
    read::text(non_null(description), report);
    check_texts(command, report);
    if let Some(node) = non_null(timeout) {
        check_integer(node, report);
    }
    check_texts(env, report);
    ToolNodes::new(tool, [name, schema, command, timeout, env])
}

/// Returns the value unless it is `null`, which the decoder treats as missing.
fn non_null(node: Option<Node<'_>>) -> Option<Node<'_>> {
    node.filter(|node| !node.is_null())
}

fn check_texts(list: Option<Node<'_>>, report: &mut Report) {
    let Some(list) = non_null(list) else { return };
    for node in read::elements(list, report).into_iter().flatten() {
        read::text(non_null(Some(node)), report);
    }
}

fn check_integer(node: Node<'_>, report: &mut Report) {
    if node.number().is_none() {
        read::report_wrong_type(node, "an integer", report);
    } else if seconds(node).is_none() {
        report.push(json_rules::NUMBER_RANGE.at(node, "expected an integer of 64 bits"));
    }
}

/// The members of a tool, and their types in Go.
const TYPES: [(&str, &str); 5] = [
    ("name", "string"),
    ("description", "string"),
    ("command", "[]string"),
    ("timeoutSec", "int"),
    ("envPassthrough", "[]string"),
];

/// Sorts the problems by position, as the reference finds them, and replaces messages about
/// types with the reference's.
fn use_reference_messages(report: &mut Report, root: Node<'_>) {
    report.diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    for diagnostic in &mut report.diagnostics {
        let about_type = [&json_rules::TYPE, &json_rules::NUMBER_RANGE].contains(&diagnostic.rule);
        if about_type
            && let Some(node) = root.at(&diagnostic.pointer)
            && let Some(message) = type_error_message(node, &diagnostic.pointer)
        {
            diagnostic.set_message(message);
        }
    }
}

fn type_error_message(node: Node<'_>, pointer: &Pointer) -> Option<String> {
    let tokens: Vec<Text<'_>> = pointer.tokens().collect();
    let (place, expected) = match tokens.as_slice() {
        [] => ("value".to_owned(), "tools.Manifest"),
        [_tools] => ("struct field Manifest.tools".to_owned(), "[]tools.ToolSpec"),
        [_tools, _index] => ("struct field Manifest.tools".to_owned(), "tools.ToolSpec"),
        [_tools, _index, member, element @ ..] => {
            let (member, whole) = TYPES.iter().find(|(known, _)| equal_fold(known, member))?;
            let expected = if element.is_empty() { whole } else { "string" };
            (format!("struct field ToolSpec.tools.{member}"), expected)
        }
    };
    let found = match node.kind() {
        Kind::Null => "null",
        Kind::Bool => "bool",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
        Kind::Number if expected == "int" => {
            &format!("number {}", manifest_core::printable(node.raw(), 64))
        }
        Kind::Number => "number",
    };
    Some(format!(
        "parse manifest: json: cannot unmarshal {found} into Go {place} of type {expected}"
    ))
}
