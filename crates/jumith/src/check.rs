//! Checks of a manifest.

use manifest_core::json::{Document, Node, rules as json_rules};
use manifest_core::{Depth, Profile, Report, ValidateOptions, secret};

use crate::node_map::NodeKey;
use crate::{advice, names, reference, rules, semantics, structure};

/// Checks a document that is a manifest.
///
/// Bundles and search results have checks of their own:
/// [`Bundle::check`](crate::Bundle::check) and
/// [`SearchResults::check`](crate::SearchResults::check).
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    if root.is_array() && options.profile != Profile::Reference {
        let found = json_rules::TYPE.at(root, "expected an object, found an array");
        report.push(found.help("an array of documents is a stream: use --jsonl"));
    } else if let Some(id) = check(root, options, &mut report)
        && let Some(text) = id.text()
    {
        manifest_core::names::check_one(names::without_prefix(&text), id, &mut report);
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}

/// Checks a manifest, which may be a member of a bundle. Returns its id of any type, or
/// `None` under the `reference` profile or if the value is not a manifest.
pub(crate) fn check<'n>(
    node: Node<'n>,
    options: &ValidateOptions,
    report: &mut Report,
) -> Option<Node<'n>> {
    if options.profile == Profile::Reference {
        if let Err(message) = reference::manifest(node) {
            report.push(rules::REFERENCE.at(node, message));
        }
        return None;
    }
    if let Some(what) = describe_other_document(node) {
        let message = format!("this is {what}, not a tool manifest");
        let found = rules::NOT_A_MANIFEST.at(node, message);
        let help = "the manifest of a bundle is its \"manifest\" member";
        report.push(if what == BUNDLE { found.help(help) } else { found });
        return None;
    }
    let parts = structure::check(node, report);
    if !node.is_object() {
        return None;
    }
    if options.depth >= Depth::Semantics {
        semantics::check(&parts, &options.limits, report);
        if report.includes_depth(Depth::Advice) {
            advice::check(node, &parts, &options.limits, report);
        }
    }
    parts.at(NodeKey::Id)
}

/// The description of a bundle in [`describe_other_document`].
const BUNDLE: &str = "a bundle";

fn describe_other_document(node: Node<'_>) -> Option<&'static str> {
    let has = |name: &str| node.get(name).is_some();
    if has("id") || has("entry") {
        None
    } else if has("manifest") && has("files") {
        Some(BUNDLE)
    } else if has("results") && has("total") {
        Some("a page of search results")
    } else if node.get("error").is_some_and(|error| error.get("code").is_some()) {
        Some("an error of a registry")
    } else {
        None
    }
}
