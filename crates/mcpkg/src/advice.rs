//! Advice about valid manifests. The checks of an endpoint give the advice about calls.

use manifest_core::Report;
use manifest_core::json::Node;
use manifest_core::read::strings;

use crate::parts::{Part, Parts};
use crate::rules;

/// Checks a manifest.
pub(crate) fn check(whole: Node<'_>, parts: &Parts<'_>, report: &mut Report) {
    for node in [parts.at(Part::Input), parts.at(Part::Output)].into_iter().flatten() {
        let is_schema = node.is_object() || node.bool().is_some();
        if is_schema && node.get("type").is_none() {
            report.add(&rules::UNTYPED_SCHEMA, node, "the schema has no type");
        }
    }
    let ways = [
        parts.at(Part::Endpoint).is_some_and(Node::is_object),
        parts.objects(Part::Implementations).next().is_some(),
        parts.objects(Part::Chain).next().is_some(),
    ];
    if ways.into_iter().filter(|way| *way).count() > 1 {
        let message = "there is more than one way to call the tool";
        report.add(&rules::SEVERAL_ENDPOINTS, whole, message);
    }
    let (tests, examples) = (parts.at(Part::Tests), parts.at(Part::Examples));
    if strings(tests).next().is_none() {
        report.add(&rules::NO_TESTS, tests.unwrap_or(whole), "there are no tests");
    }
    if strings(examples).next().is_none() {
        report.add(&rules::NO_EXAMPLES, examples.unwrap_or(whole), "there are no examples");
    }
    if !parts.at(Part::Meta).is_some_and(Node::is_object) {
        report.add(&rules::NO_META, whole, "there is no \"meta\"");
    }
}
