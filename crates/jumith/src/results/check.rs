//! Checks of a page of search results.

#[cfg(feature = "reference")]
use manifest_core::Profile;
use manifest_core::json::{Document, Node};
use manifest_core::{Depth, Report, ValidateOptions, prose, quoted, secret};

use super::{SearchResult, SearchResults, page};
#[cfg(feature = "reference")]
use crate::published;
use crate::{names, rules};

impl SearchResults<'_> {
    /// Checks a document.
    pub fn check(document: &Document<'_>, options: &ValidateOptions) -> Report {
        let mut report = options.new_report();
        let root = document.root();
        #[cfg(feature = "reference")]
        if options.profile == Profile::Reference {
            if let Err(message) = published::search(root) {
                report.push(rules::REFERENCE.at(root, message));
            }
            return report;
        }
        if let Some(page) = page(root, &mut report)
            && options.depth >= Depth::Semantics
        {
            let nodes = root.get("results").into_iter().flat_map(Node::elements);
            for (result, node) in page.results.iter().zip(nodes) {
                check_semantics(result, node, &mut report);
            }
        }
        check_similar_ids(root, &mut report);
        secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
        prose::check(root, &mut report);
        report
    }
}

/// Reports ids that are easily confused.
fn check_similar_ids(root: Node<'_>, report: &mut Report) {
    if !report.includes_depth(Depth::Advice) {
        return;
    }
    let mut ids = Vec::new();
    for result in root.get("results").into_iter().flat_map(Node::elements) {
        if let Some(id) = result.get("id")
            && let Some(text) = id.text()
        {
            ids.push((text, id));
        }
    }
    // The prefix is removed: every id has it, so it does not distinguish an id from a
    // host's own names.
    let names = ids.iter().map(|(text, node)| (names::without_prefix(text), *node));
    manifest_core::names::check(names, report);
}

fn check_semantics(result: &SearchResult<'_>, node: Node<'_>, report: &mut Report) {
    let texts = [
        ("id", &result.id),
        ("name", &result.name),
        ("version", &result.version),
        ("summary", &result.summary),
    ];
    for (name, text) in texts {
        let Some(at) = node.get(name) else { continue };
        if at.text().is_none() {
            continue;
        }
        let (rule, problem) = if names::is_blank(text) {
            (&rules::BLANK, format!("{} is blank", quoted(name)))
        } else if name == "id" && !names::is_id(text) {
            (&rules::ID, format!("{} cannot be an id", quoted(text)))
        } else if name == "version" && !names::is_version(text) {
            (&rules::VERSION, format!("{} cannot be a version", quoted(text)))
        } else {
            continue;
        };
        if report.accepts(rule) {
            report.push(rule.at(at, problem));
        }
    }
}
