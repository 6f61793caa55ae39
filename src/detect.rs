//! Which format a document is in.

use manifest_core::json::{Document, Node};
use manifest_core::{Detected, Format};

use crate::formats::FORMATS;

/// A document that is not in any format that we know, or in more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unknown {
    /// It looks like something else.
    LookAlike(&'static str),
    /// It could be several of them.
    Ambiguous(Vec<&'static str>),
    /// It looks like nothing that we know.
    Nothing,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::LookAlike(what) => write!(f, "this is {what}, which is not a format of toolglot"),
            Self::Ambiguous(names) => write!(f, "this could be any of: {}", names.join(", ")),
            Self::Nothing => f.write_str("this is not a manifest in any known format"),
        }
    }
}

impl std::error::Error for Unknown {}

/// The format of a document, and what gave it away.
pub fn detect(document: &Document<'_>) -> Result<(&'static Format, Detected), Unknown> {
    let root = document.root();
    if let Some(what) = look_alike(root) {
        return Err(Unknown::LookAlike(what));
    }
    let found = FORMATS.iter().filter_map(|format| Some((*format, (format.detect)(root)?)));
    let mut found: Vec<_> = found.collect();
    match found.len() {
        1 => found.pop().ok_or(Unknown::Nothing),
        0 => Err(Unknown::Nothing),
        _ => Err(Unknown::Ambiguous(found.iter().map(|(format, _)| format.name).collect())),
    }
}

/// A document that is easily taken for one of ours.
pub fn look_alike(root: Node<'_>) -> Option<&'static str> {
    let has = |name: &str| root.get(name).is_some();
    let versioned = has("manifest_version") || has("dxt_version");
    if versioned && (has("server") || has("dxt_version") || has("user_config")) {
        return Some("an MCPB (DXT) bundle manifest");
    }
    let is_array = |name: &str| root.get(name).is_some_and(Node::is_array);
    if has("manifest") && is_array("files") {
        return Some("a Jumith bundle (see toolglot bundle)");
    }
    if is_array("results") && has("total") {
        return Some("a page of search results of a Jumith registry");
    }
    if root.get("error").is_some_and(|error| error.get("code").is_some()) {
        return Some("an error of a Jumith registry");
    }
    let exported =
        |tool: Node<'_>| tool.get("input_schema").is_some() && tool.get("toolId").is_none();
    if root.is_array() && root.elements().next().is_some() && root.elements().all(exported) {
        return Some("a list of tools that the mcpkg command line exported for a model");
    }
    None
}
