//! The order and the messages of reports under the `reference` profile.
//!
//! The reference makes several passes over a manifest, each in the order of the
//! specification. The first pass checks the types of all members, and the others check
//! their values.

use manifest_core::json::{Node, rules as json};
use manifest_core::table::Shape;
use manifest_core::{Diagnostic, Report};

use crate::node_map::{NodeKey, NodeMap};
use crate::rules;
use crate::table::ROOT;

/// Changes the diagnostics of a manifest to the order and the messages of the reference.
/// They start at index `first` of the report.
pub(crate) fn apply_reference_style(
    node: Node<'_>,
    parts: &NodeMap<'_>,
    first: usize,
    report: &mut Report,
) {
    let found = report.diagnostics.get_mut(first..).unwrap_or_default();
    if found.is_empty() {
        return;
    }
    let above = node.pointer().tokens().count();
    for diagnostic in &mut *found {
        if let Some(message) = reference_message(diagnostic, above) {
            diagnostic.set_message(message);
        }
    }
    found.sort_by_cached_key(|found| (pass_of(found, above), order_key(found, above, parts).0));
}

/// Returns the pass that finds a problem.
fn pass_of(found: &Diagnostic, above: usize) -> u8 {
    let is = |rule| found.rule == rule;
    if is(&rules::EMPTY) && found.pointer.tokens().count() == above + 1 {
        1
    } else if is(&rules::VERSION) {
        2
    } else if [&rules::EMPTY, &rules::DIGEST, &rules::TIMEOUT, &rules::CALLABLE]
        .contains(&found.rule)
    {
        3
    } else {
        0
    }
}

/// Returns the position of a problem within its pass, and the expected shape. In an object,
/// unknown members come first, then missing members, then the others.
fn order_key(
    found: &Diagnostic,
    above: usize,
    parts: &NodeMap<'_>,
) -> (Vec<usize>, Option<&'static Shape>) {
    let mut path = Vec::new();
    let mut shape = Some(&MANIFEST);
    for token in found.pointer.tokens().skip(above) {
        shape = match shape {
            Some(Shape::Object(object)) => {
                let mut members = object.members.iter().enumerate();
                let known = members.find(|(_, member)| member.name == token);
                path.push(known.map_or(0, |(index, _)| index + 2));
                known.map(|(_, member)| member.shape)
            }
            Some(Shape::List { of, .. }) => {
                path.push(token.parse().unwrap_or_default());
                Some(*of)
            }
            _ => None,
        };
    }
    if found.rule == &json::REQUIRED {
        // The reference checks the interfaces one by one.
        let outputs =
            found.pointer.as_str().ends_with("/interfaces") && parts.get(NodeKey::Inputs).is_some();
        path.push(if outputs { 3 } else { 1 });
    }
    (path, shape)
}

static MANIFEST: Shape = Shape::Object(&ROOT);

fn reference_message(found: &Diagnostic, above: usize) -> Option<String> {
    if found.rule == &rules::WORD {
        let (_, shape) = order_key(found, above, &NodeMap::default());
        let Some(Shape::Enum(words)) = shape else { return None };
        let (text, _) = found.message.rsplit_once(" is not ")?;
        return Some(format!("{text} is not one of: {}", words.join(", ")));
    }
    let message = if found.rule == &rules::DIGEST {
        "the digest is not 64 hexadecimal digits"
    } else if found.rule == &rules::TIMEOUT {
        "the time-out is negative, or beyond all bounds"
    } else {
        return None;
    };
    Some(message.to_owned())
}
