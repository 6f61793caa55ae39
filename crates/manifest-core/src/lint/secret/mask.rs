//! JSON for reports, without the secrets in it.

use std::borrow::Cow;

use diagnostic::Span;
use diagnostic::secret::{mask, mask_named};
use json_text::{Kind, Node, quote};

use super::scan::named_elements;

/// Members that contain the pointer of the value that their object is about.
const POINTER_MEMBERS: [&str; 6] = ["pointer", "at", "field", "target", "source", "path"];
/// Members that may quote the value at such a pointer.
const QUOTING_MEMBERS: [&str; 4] = ["value", "was", "message", "help"];

/// Returns a value as JSON, with the secrets in strings and in member names as asterisks.
/// For reports only, because a masked document is a different document.
pub fn masked_json(root: Node<'_>) -> Cow<'_, str> {
    let mut edits: Vec<(Span, String)> = Vec::new();
    let mut open = vec![(root, Cow::Borrowed(""))];
    while let Some((node, name)) = open.pop() {
        match node.kind() {
            Kind::String => {
                let text = node.text().unwrap_or_default();
                if let Cow::Owned(masked) = mask_named(&name, &text) {
                    edits.push((node.span(), quote(&masked)));
                }
            }
            Kind::Array => open.extend(named_elements(node, &name)),
            Kind::Object => {
                let pointers = POINTER_MEMBERS.iter().filter_map(|name| node.get(name)?.text());
                let place = pointers.into_iter().find(|text| text.starts_with('/'));
                for (number, member) in node.members().enumerate() {
                    let key = member.name();
                    if let Cow::Owned(masked) = mask(&key) {
                        // The number keeps masked names apart.
                        edits.push((member.key.span(), quote(&format!("{masked}#{number}"))));
                    }
                    let name = match (&*key, &place) {
                        (about, Some(place)) if QUOTING_MEMBERS.contains(&about) => place.clone(),
                        ("default" | "const" | "enum" | "examples", _) => name.clone(),
                        _ => key,
                    };
                    open.push((member.value, name));
                }
            }
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }
    let (text, start) = (root.raw(), root.span().start);
    if edits.is_empty() {
        return Cow::Borrowed(text);
    }
    edits.sort_by_key(|(span, _)| span.start);
    let mut out = String::with_capacity(text.len());
    let mut rest = start;
    for (span, masked) in edits {
        out.push_str(text.get(rest - start..span.start - start).unwrap_or_default());
        out.push_str(&masked);
        rest = span.end;
    }
    out.push_str(text.get(rest - start..).unwrap_or_default());
    Cow::Owned(out)
}
