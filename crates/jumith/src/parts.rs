//! A manifest taken apart: where its values stand.
//!
//! The checks look at values where they stand, so that a problem needs no search for its
//! place. What is missing or of the wrong type is skipped: the structure says so.

use manifest_core::Text;
use manifest_core::json::Node;
use manifest_core::table;

use crate::table::{ENTRY, MANIFEST, SCHEMAS};

/// The values of a manifest that more is to be said of than their shape.
pub(crate) struct Parts<'a> {
    /// All of it.
    pub(crate) whole: Node<'a>,
    pub(crate) id: Option<Node<'a>>,
    pub(crate) name: Option<Node<'a>>,
    pub(crate) version: Option<Node<'a>>,
    pub(crate) summary: Option<Node<'a>>,
    pub(crate) description: Option<Node<'a>>,
    pub(crate) tags: Option<Node<'a>>,
    pub(crate) provider: Option<Node<'a>>,
    pub(crate) main: Option<Node<'a>>,
    pub(crate) export: Option<Node<'a>>,
    pub(crate) schema: Option<Node<'a>>,
    pub(crate) input: Option<Node<'a>>,
    pub(crate) output: Option<Node<'a>>,
    pub(crate) requires_approval: Option<Node<'a>>,
    pub(crate) required_secrets: Option<Node<'a>>,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(whole: Node<'a>) -> Self {
        let [
            id,
            name,
            version,
            summary,
            description,
            tags,
            provider,
            entry,
            schema,
            _uses_payment,
            requires_approval,
            required_secrets,
            _sha256,
        ] = table::entries(whole, &MANIFEST);
        let [_runtime, main, export] =
            entry.map_or([None; 3], |entry| table::entries(entry, &ENTRY));
        let [input, output] = schema.map_or([None; 2], |schema| table::entries(schema, &SCHEMAS));
        Self {
            whole,
            id,
            name,
            version,
            summary,
            description,
            tags,
            provider,
            main,
            export,
            schema,
            input,
            output,
            requires_approval,
            required_secrets,
        }
    }
}

/// A value that is a text, and that text.
pub(crate) fn text(node: Option<Node<'_>>) -> Option<(Node<'_>, Text<'_>)> {
    node.and_then(|node| Some((node, node.text()?)))
}
