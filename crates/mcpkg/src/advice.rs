//! Advice about valid manifests. The checks of an endpoint give the advice about calls.

use manifest_core::Report;
use manifest_core::json::Node;
use manifest_core::read::string_elements;

use crate::node_map::{NodeKey, NodeMap};
use crate::rules;

/// Checks a manifest.
pub(crate) fn check(whole: Node<'_>, parts: &NodeMap<'_>, report: &mut Report) {
    for node in [parts.get(NodeKey::Input), parts.get(NodeKey::Output)].into_iter().flatten() {
        let is_schema = node.is_object() || node.bool().is_some();
        if is_schema && node.get("type").is_none() {
            report.add(&rules::UNTYPED_SCHEMA, node, "the schema has no type");
        }
    }
    let ways = [
        parts.get(NodeKey::Endpoint).is_some_and(Node::is_object),
        parts.objects(NodeKey::Implementations).next().is_some(),
        parts.objects(NodeKey::Chain).next().is_some(),
    ];
    if ways.into_iter().filter(|way| *way).count() > 1 {
        let message = "there is more than one way to call the tool";
        report.add(&rules::SEVERAL_ENDPOINTS, whole, message);
    }
    let (tests, examples) = (parts.get(NodeKey::Tests), parts.get(NodeKey::Examples));
    if string_elements(tests).next().is_none() {
        report.add(&rules::NO_TESTS, tests.unwrap_or(whole), "there are no tests");
    }
    if string_elements(examples).next().is_none() {
        report.add(&rules::NO_EXAMPLES, examples.unwrap_or(whole), "there are no examples");
    }
    if !parts.get(NodeKey::Meta).is_some_and(Node::is_object) {
        report.add(&rules::NO_META, whole, "there is no \"meta\"");
    }
}
