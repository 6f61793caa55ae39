//! Checks of a manifest.

#[cfg(feature = "reference")]
use manifest_core::Profile;
use manifest_core::json::{Document, Node, rules as json_rules};
use manifest_core::{Depth, Report, ValidateOptions, secret};

#[cfg(feature = "reference")]
use crate::published;
use crate::table::{Key, Nodes};
use crate::{advice, names, rules, semantics, structure};

/// Checks a document that is a manifest.
///
/// Bundles and search results have checks of their own:
/// [`Bundle::check`](crate::Bundle::check) and
/// [`SearchResults::check`](crate::SearchResults::check).
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let (report, _) = read(document, options);
    report
}

/// Checks a document that is a manifest. Also returns its nodes.
pub(crate) fn read<'d>(
    document: &'d Document<'d>,
    options: &ValidateOptions,
) -> (Report, Nodes<'d>) {
    let mut report = options.new_report();
    let root = document.root();
    let mut nodes = Nodes::default();
    if root.is_array() && !structure::is_reference(options.profile) {
        let found = json_rules::TYPE.at(root, "expected an object, found an array");
        report.push(found.help("an array of documents is a stream"));
    } else {
        nodes = check(root, options, &mut report);
        if let Some((id, text)) = nodes.text(Key::Id) {
            manifest_core::names::check_one(names::without_prefix(&text), id, &mut report);
        }
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    (report, nodes)
}

/// Checks a manifest, which may be a member of a bundle. Returns its nodes, but none under
/// the `reference` profile.
pub(crate) fn check<'n>(
    node: Node<'n>,
    options: &ValidateOptions,
    report: &mut Report,
) -> Nodes<'n> {
    #[cfg(feature = "reference")]
    if options.profile == Profile::Reference {
        if let Err(message) = published::manifest(node) {
            report.push(rules::REFERENCE.at(node, message));
        }
        return Nodes::default();
    }
    if let Some(other) = describe_other_document(node) {
        let message = format!("this is {other}, not a tool manifest");
        let found = rules::NOT_A_MANIFEST.at(node, message);
        let help = "the manifest of a bundle is its \"manifest\" member";
        report.push(if other == BUNDLE { found.help(help) } else { found });
        return structure::capture(node);
    }
    let nodes = structure::check(node, report);
    if node.is_object() && options.depth >= Depth::Semantics {
        semantics::check(&nodes, &options.limits, report);
        if report.includes_depth(Depth::Advice) {
            advice::check(node, &nodes, &options.limits, report);
        }
    }
    nodes
}

/// The description of a bundle in [`describe_other_document`].
const BUNDLE: &str = "a bundle";

fn describe_other_document(node: Node<'_>) -> Option<&'static str> {
    if has(node, "id") || has(node, "entry") {
        None
    } else if has(node, "manifest") && has(node, "files") {
        Some(BUNDLE)
    } else if has(node, "results") && has(node, "total") {
        Some("a page of search results")
    } else if node.get("error").is_some_and(|error| has(error, "code")) {
        Some("an error of a registry")
    } else {
        None
    }
}

fn has(node: Node<'_>, name: &str) -> bool {
    node.get(name).is_some()
}
