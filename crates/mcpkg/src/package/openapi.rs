//! Checks that `openapi.json` is an `OpenAPI` document.

use manifest_core::json::{Document, Kind, Node};
use manifest_core::{Diagnostic, Text, quoted};

use super::rules;

/// Checks the head of an `OpenAPI` document. Tools for `OpenAPI` check the schemas and
/// paths.
pub(super) fn check(document: &Document<'_>) -> Vec<Diagnostic> {
    let root = document.root();
    if !root.is_object() {
        let message = format!("it is {}, not an object", root.kind().with_article());
        return vec![rules::OPENAPI.at(root, message)];
    }
    let (node, major) = match (root.get("openapi"), root.get("swagger")) {
        (Some(node), _) => (node, "3."),
        (None, Some(node)) => (node, "2."),
        (None, None) => {
            return vec![rules::OPENAPI.at(root, "it does not say a version of OpenAPI")];
        }
    };
    let mut found = Vec::new();
    // A version that is not a text is none.
    let text = node.text().unwrap_or(Text::Borrowed(""));
    if !text.starts_with(major) {
        let message = format!("{} is no version of OpenAPI", quoted(&text));
        found.push(rules::OPENAPI.at(node, message));
    }
    let info = root.get("info");
    for name in ["title", "version"] {
        let node = info.and_then(|info| info.get(name));
        if node.is_none_or(|node| node.kind() != Kind::String) {
            let message = format!("info has no {name}");
            found.push(rules::OPENAPI.at(info.unwrap_or(root), message));
        }
    }
    // OpenAPI 3.1 requires one of the three, and older versions require `paths`.
    let is_older = major == "2." || text.starts_with("3.0");
    let lists: &[&str] = if is_older { &["paths"] } else { &["paths", "components", "webhooks"] };
    if !lists.iter().any(|name| root.get(name).is_some_and(Node::is_object)) {
        let message = format!("it has no {}", lists.join(" and no "));
        found.push(rules::OPENAPI.at(root, message));
    }
    found
}
