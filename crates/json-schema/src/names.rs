//! Identifiers and anchors, the names that references use.

use std::collections::BTreeMap;

use json_text::Node;

/// The identifiers and anchors of a schema.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The schemas with an identifier. The first is the whole schema.
    pub(super) resources: Vec<Resource<'a>>,
    pub(super) by_uri: BTreeMap<String, usize>,
    /// Anchors by resource and name.
    pub(super) anchors: BTreeMap<(usize, String), Anchor<'a>>,
    /// The number of resources with a dynamic anchor, by its name.
    pub(super) dynamic: BTreeMap<String, usize>,
    /// The number of resources with `$recursiveAnchor`.
    pub(super) recursive: usize,
}

pub(super) struct Resource<'a> {
    pub(super) uri: String,
    pub(super) root: Node<'a>,
    pub(super) part: usize,
}

pub(super) struct Anchor<'a> {
    pub(super) node: Node<'a>,
    pub(super) part: usize,
    pub(super) dynamic: bool,
}
