//! What the reference's JSON decoder says about a value of the wrong type.

use manifest_core::json::{Kind, Node, rules as json_rules};
use manifest_core::read::equal_fold;
use manifest_core::{Pointer, Report, Text};

/// The members of a tool, and what they are to the decoder.
const TYPES: [(&str, &str); 5] = [
    ("name", "string"),
    ("description", "string"),
    ("command", "[]string"),
    ("timeoutSec", "int"),
    ("envPassthrough", "[]string"),
];

/// Puts the problems into the order of the text, which is the order in which
/// the reference finds them, and those about types into its words.
pub(crate) fn reword(report: &mut Report, root: Node<'_>) {
    report.diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    for diagnostic in &mut report.diagnostics {
        let about_type = [&json_rules::TYPE, &json_rules::NUMBER_RANGE].contains(&diagnostic.rule);
        let message = root
            .at(&diagnostic.pointer)
            .filter(|_| about_type)
            .and_then(|node| message(node, &diagnostic.pointer));
        if let Some(message) = message {
            diagnostic.set_message(message);
        }
    }
}

fn message(node: Node<'_>, pointer: &Pointer) -> Option<String> {
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
