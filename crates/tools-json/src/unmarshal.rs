//! The reader of the `reference` profile. It decodes a document as the reference's JSON
//! decoder does, and reports values of the wrong type with that decoder's messages.
//!
//! The decoder ignores the case of names, reads `null` as a missing value, and reports only
//! the first problem. A table cannot express this.

use manifest_core::json::{Kind, Node, Raw, rules as json_rules};
use manifest_core::read::{self, UnknownMembers, equal_fold};
use manifest_core::{Pointer, Report, Text};

use crate::manifest::{Manifest, Tool, seconds};
use crate::nodes::ToolNodes;

/// Reads a document and reports values of the wrong type. Returns the manifest and the
/// nodes of its tools.
pub(crate) fn read_manifest<'a>(
    root: Node<'a>,
    report: &mut Report,
) -> (Manifest<'a>, Vec<ToolNodes<'a>>) {
    let Some(root) = non_null(Some(root)) else {
        return <_>::default();
    };
    let Some(([tools], extras)) =
        read::split_members(root, ["tools"], UnknownMembers::AllowAnyCase, report)
    else {
        return <_>::default();
    };
    let elements = non_null(tools).and_then(|tools| read::elements(tools, report));
    let (tools, parts) = elements.into_iter().flatten().map(|node| read_tool(node, report)).unzip();
    (Manifest { tools, extras }, parts)
}

/// Returns the value unless it is `null`, which the decoder treats as missing.
fn non_null(node: Option<Node<'_>>) -> Option<Node<'_>> {
    node.filter(|node| !node.is_null())
}

fn read_tool<'a>(whole: Node<'a>, report: &mut Report) -> (Tool<'a>, ToolNodes<'a>) {
    const NAMES: [&str; 6] =
        ["name", "description", "schema", "command", "timeoutSec", "envPassthrough"];
    let found = non_null(Some(whole))
        .and_then(|tool| read::split_members(tool, NAMES, UnknownMembers::AllowAnyCase, report));
    let ([name, description, schema, command, timeout, env], extras) = found.unwrap_or_default();
    let tool = Tool {
        name: read::text(non_null(name), report).unwrap_or_default(),
        description: read::text(non_null(description), report),
        schema: schema.map(Raw::from_node),
        command: read_texts(command, report),
        timeout_sec: non_null(timeout).and_then(|node| read_integer(node, report)),
        env_passthrough: read_texts(env, report),
        extras,
    };
    (tool, ToolNodes::new(whole, [name, schema, command, timeout, env]))
}

fn read_texts<'a>(node: Option<Node<'a>>, report: &mut Report) -> Vec<Text<'a>> {
    read::list(non_null(node), report, |node, report| {
        if node.is_null() { Some(Text::default()) } else { read::text(Some(node), report) }
    })
}

fn read_integer(node: Node<'_>, report: &mut Report) -> Option<i64> {
    if node.number().is_none() {
        read::report_wrong_type(node, "an integer", report);
        return None;
    }
    let value = seconds(node);
    if value.is_none() {
        report.push(json_rules::NUMBER_RANGE.at(node, "expected an integer of 64 bits"));
    }
    value
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
pub(crate) fn use_reference_messages(report: &mut Report, root: Node<'_>) {
    report.diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    for diagnostic in &mut report.diagnostics {
        let about_type = [&json_rules::TYPE, &json_rules::NUMBER_RANGE].contains(&diagnostic.rule);
        let message = root
            .at(&diagnostic.pointer)
            .filter(|_| about_type)
            .and_then(|node| type_error_message(node, &diagnostic.pointer));
        if let Some(message) = message {
            diagnostic.set_message(message);
        }
    }
}

fn type_error_message(node: Node<'_>, pointer: &Pointer) -> Option<String> {
    let tokens: Vec<Text<'_>> = pointer.tokens().collect();
    let (place, wanted) = match tokens.as_slice() {
        [] => ("value".to_owned(), "tools.Manifest"),
        [_tools] => ("struct field Manifest.tools".to_owned(), "[]tools.ToolSpec"),
        [_tools, _index] => ("struct field Manifest.tools".to_owned(), "tools.ToolSpec"),
        [_tools, _index, member, element @ ..] => {
            let same = |known: &&(&str, &str)| equal_fold(known.0, member);
            let (member, whole) = TYPES.iter().find(same)?;
            let wanted = if element.is_empty() { whole } else { "string" };
            (format!("struct field ToolSpec.tools.{member}"), wanted)
        }
    };
    let found = match node.kind() {
        Kind::Null => "null",
        Kind::Bool => "bool",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
        Kind::Number if wanted == "int" => {
            &format!("number {}", manifest_core::printable(node.raw(), 64))
        }
        Kind::Number => "number",
    };
    Some(format!("parse manifest: json: cannot unmarshal {found} into Go {place} of type {wanted}"))
}
