//! The verdicts of the published implementation, with the order and the messages of its
//! reports. Tests compare with it.
//!
//! The reference makes several passes over a manifest, each in the order of the
//! specification. The first pass checks the types of all members, and the others check
//! their values.

use manifest_core::json::{Node, rules as json};
use manifest_core::table::Shape;
use manifest_core::{Diagnostic, Report, ok_or_bug, quoted, some_or_bug};

use crate::table::{Key, Nodes, ROOT};
use crate::{grammar, rules, structure};

/// Checks a manifest, with the order and the messages of the reference. Returns its nodes.
pub(crate) fn check_entry<'n>(node: Node<'n>, report: &mut Report) -> Nodes<'n> {
    let first = report.diagnostics.len();
    let nodes = structure::check_members(node, report);
    if let Some((node, text)) = nodes.text(Key::Version)
        && !grammar::is_loose_version(&text)
    {
        report.add(&rules::VERSION, node, format!("{} is not a version", quoted(&text)));
    }
    let found = some_or_bug(report.diagnostics.get_mut(first..));
    let above = node.pointer().tokens().count();
    let has_inputs = nodes.get(Key::Inputs).is_some();
    for diagnostic in &mut *found {
        if let Some(message) = reference_message(diagnostic, above) {
            diagnostic.set_message(message);
        }
    }
    found.sort_by_cached_key(|found| {
        (pass_of(found, above), position_of(found, above, has_inputs).0)
    });
    nodes
}

/// Returns the pass that finds a problem.
fn pass_of(found: &Diagnostic, above: usize) -> u8 {
    let later = [&rules::EMPTY, &rules::DIGEST, &rules::TIMEOUT, &rules::CALLABLE];
    if found.rule == &rules::EMPTY && found.pointer.tokens().count() == above + 1 {
        1
    } else if found.rule == &rules::VERSION {
        2
    } else if later.contains(&found.rule) {
        3
    } else {
        0
    }
}

/// Returns the position of a problem within its pass, and the expected shape. In an object,
/// unknown members come first, then missing members, then the others.
fn position_of(
    found: &Diagnostic,
    above: usize,
    has_inputs: bool,
) -> (Vec<usize>, Option<&'static Shape>) {
    let mut path = Vec::new();
    let mut shape = Some(&MANIFEST);
    for token in found.pointer.tokens().skip(above) {
        shape = match shape {
            Some(Shape::Object(object)) => {
                if let Some(index) = object.members.iter().position(|member| member.name == token) {
                    path.push(index + 2);
                    object.members.get(index).map(|member| member.shape)
                } else {
                    path.push(0);
                    None
                }
            }
            Some(Shape::List { of, .. }) => {
                // Below a list, the token is an index.
                path.push(some_or_bug(ok_or_bug(token.parse())));
                Some(*of)
            }
            _ => None,
        };
    }
    if found.rule == &json::REQUIRED {
        // The reference checks the interfaces one by one.
        let is_outputs = found.pointer.as_str().ends_with("/interfaces") && has_inputs;
        path.push(if is_outputs { 3 } else { 1 });
    }
    (path, shape)
}

static MANIFEST: Shape = Shape::Object(&ROOT);

fn reference_message(found: &Diagnostic, above: usize) -> Option<String> {
    if found.rule == &rules::WORD {
        let (_, Some(Shape::Enum(words))) = position_of(found, above, false) else { return None };
        let (text, _) = found.message.rsplit_once(" is not ")?;
        Some(format!("{text} is not one of: {}", words.join(", ")))
    } else if found.rule == &rules::DIGEST {
        Some("the digest is not 64 hexadecimal digits".to_owned())
    } else if found.rule == &rules::TIMEOUT {
        Some("the time-out is negative, or beyond all bounds".to_owned())
    } else {
        None
    }
}
