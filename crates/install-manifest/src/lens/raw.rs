//! Access to parts of values that descriptors keep as raw JSON.

use manifest_core::format::{Context, Writer};
use manifest_core::json::{Node, Raw};
use manifest_core::{Place, Sourced, Text};

/// Calls `look` with the node of a raw value. If the source still contains that value at
/// its place, `look` also gets the place. Otherwise the value is parsed by itself.
pub(super) fn with_node(
    context: Context<'_>,
    raw: &Sourced<Raw<'_>>,
    look: impl FnOnce(Node<'_>, Option<Place>),
) {
    let text = raw.as_str();
    if let Some(at) = raw.at
        && let Some(node) = context.node(at)
        && node.raw() == text
    {
        look(node, raw.at);
    } else if let Some(document) = raw.document() {
        look(document.root(), None);
    }
}

/// Returns a part of a raw value, with its place if the value has one.
pub(super) fn part(node: Node<'_>, at: Option<Place>) -> Sourced<Raw<'_>> {
    Sourced { value: Raw::from_node(node), at: at.map(|at| at.with_node(node)) }
}

/// Returns the text of a member of a raw value.
pub(super) fn member(context: Context<'_>, raw: &Sourced<Raw<'_>>, name: &str) -> Option<String> {
    let mut found = None;
    with_node(context, raw, |node, _| {
        found = node.get(name).and_then(Node::text).map(Text::into_owned);
    });
    found
}

/// Copies the members of an object, except those in `but`.
pub(super) fn copy_except(w: &mut Writer<'_>, node: Node<'_>, at: Option<Place>, but: &[&str]) {
    for one in node.members() {
        let name = one.name();
        if !but.contains(&name.as_ref()) {
            w.member(&name).copy(&part(one.value, at));
        }
    }
}
