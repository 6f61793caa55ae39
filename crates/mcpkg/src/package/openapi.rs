//! Checks that `openapi.json` is an `OpenAPI` document.

use manifest_core::json::{Document, Kind, Node};
use manifest_core::{Diagnostic, quoted};

use super::rules;

/// Checks the head of an `OpenAPI` document. Tools for `OpenAPI` check the schemas and
/// paths.
pub(super) fn check(document: &Document<'_>) -> Vec<Diagnostic> {
    let root = document.root();
    let mut found = Vec::new();
    let mut say = |node: Node<'_>, message: String| found.push(rules::OPENAPI.at(node, message));
    if !root.is_object() {
        say(root, format!("it is {}, not an object", root.kind().with_article()));
        return found;
    }
    let version = match (root.get("openapi"), root.get("swagger")) {
        (Some(node), _) => Some((node, "3.")),
        (None, Some(node)) => Some((node, "2.")),
        (None, None) => None,
    };
    let Some((node, major)) = version else {
        say(root, "it does not say a version of OpenAPI".to_owned());
        return found;
    };
    let text = node.text().unwrap_or_default();
    if !text.starts_with(major) {
        say(node, format!("{} is no version of OpenAPI", quoted(&text)));
    }
    let info = root.get("info");
    for name in ["title", "version"] {
        let node = info.and_then(|info| info.get(name));
        if node.is_none_or(|node| node.kind() != Kind::String) {
            say(info.unwrap_or(root), format!("info has no {name}"));
        }
    }
    // OpenAPI 3.1 requires one of the three, and older versions require `paths`.
    let is_older = major == "2." || text.starts_with("3.0");
    let lists: &[&str] = if is_older { &["paths"] } else { &["paths", "components", "webhooks"] };
    if !lists.iter().any(|name| root.get(name).is_some_and(Node::is_object)) {
        say(root, format!("it has no {}", lists.join(" and no ")));
    }
    found
}
