//! What can be referred to by name: identifiers and anchors.

use std::collections::BTreeMap;

use json_text::Node;

/// What can be referred to by name.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The schemas with an identifier of their own. The first is the whole.
    pub(super) resources: Vec<Resource<'a>>,
    pub(super) by_uri: BTreeMap<String, usize>,
    /// Anchors by resource and name.
    pub(super) anchors: BTreeMap<(usize, String), Anchor<'a>>,
    /// How many resources have a dynamic anchor of that name.
    pub(super) dynamic: BTreeMap<String, usize>,
    /// How many resources have `$recursiveAnchor`.
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
