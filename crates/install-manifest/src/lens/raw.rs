//! What the source has as one value: looked into, and copied in part.

use manifest_core::format::{Context, Writer};
use manifest_core::json::{Document, Node, Raw};
use manifest_core::{Limits, Place, Sourced, Text};

/// A value as it was read, and where: in the source or, where it was built by hand, in a
/// text of its own.
pub(super) fn open(
    context: Context<'_>,
    raw: &Sourced<Raw<'_>>,
    look: impl FnOnce(Node<'_>, Option<Place>),
) {
    let text = raw.as_str();
    let placed = raw.at.and_then(|at| context.node(at).filter(|node| node.raw() == text));
    match placed {
        Some(node) => look(node, raw.at),
        None => {
            if let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) {
                look(document.root(), None);
            }
        }
    }
}

/// A part of such a value.
pub(super) fn part(node: Node<'_>, at: Option<Place>) -> Sourced<Raw<'_>> {
    Sourced { value: Raw::from_node(node), at: at.map(|at| at.of(node)) }
}

/// The text of a member.
pub(super) fn member(context: Context<'_>, raw: &Sourced<Raw<'_>>, name: &str) -> Option<String> {
    let mut found = None;
    open(context, raw, |node, _| {
        found = node.get(name).and_then(Node::text).map(Text::into_owned);
    });
    found
}

/// The members of an object, but for some.
pub(super) fn copy_but(w: &mut Writer<'_>, node: Node<'_>, at: Option<Place>, but: &[&str]) {
    for one in node.members() {
        let name = one.name();
        if !but.contains(&name.as_ref()) {
            w.member(&name).copy(&part(one.value, at));
        }
    }
}
