//! Compares two manifests.

use manifest_core::Pointer;
use manifest_core::json::{Kind, Node};

/// The members to compare, as pointers. The bool is true if an empty list equals a missing
/// one.
const COMPARED: [(&str, bool); 16] = [
    ("/id", false),
    ("/name", false),
    ("/version", false),
    ("/summary", false),
    ("/description", false),
    ("/tags", true),
    ("/provider", false),
    ("/entry/runtime", false),
    ("/entry/main", false),
    ("/entry/export", false),
    ("/schema/input", false),
    ("/schema/output", false),
    ("/usesPayment", false),
    ("/requiresApproval", false),
    ("/requiredSecrets", true),
    ("/sha256", false),
];

/// Returns up to `limit` places at which a manifest differs from the answer of `describe`.
/// Members that the specification does not define, the order of members and white space do
/// not count.
pub fn differences(describe: Node<'_>, manifest: Node<'_>, limit: usize) -> Vec<Pointer> {
    let mut found = Vec::new();
    for (pointer, list) in COMPARED {
        let Ok(pointer) = Pointer::parse(pointer) else {
            continue;
        };
        match (compared_member(describe, &pointer, list), compared_member(manifest, &pointer, list))
        {
            (None, None) => {}
            (Some(a), Some(b)) => collect_differences(a, b, pointer, limit, &mut found),
            _ => found.push(pointer),
        }
    }
    found.truncate(limit);
    found
}

fn compared_member<'a>(node: Node<'a>, pointer: &Pointer, list: bool) -> Option<Node<'a>> {
    let node = node.at(pointer)?;
    let is_missing = list && node.is_array() && node.elements().next().is_none();
    if is_missing { None } else { Some(node) }
}

/// Collects the places where two values differ. Numbers are compared by their spelling.
fn collect_differences(
    a: Node<'_>,
    b: Node<'_>,
    pointer: Pointer,
    limit: usize,
    found: &mut Vec<Pointer>,
) {
    let mut pending = vec![(a, b, pointer)];
    while let Some((a, b, pointer)) = pending.pop() {
        if found.len() >= limit {
            return;
        }
        match (a.kind(), b.kind()) {
            (Kind::Object, Kind::Object) => {
                let (ours, theirs) = (a.index_members(), b.index_members());
                for member in a.members() {
                    let pointer = pointer.clone().push(&member.name());
                    match theirs.get(&member.name()) {
                        Some(other) => pending.push((member.value, other, pointer)),
                        None => found.push(pointer),
                    }
                }
                for member in b.members() {
                    if ours.get(&member.name()).is_none() {
                        found.push(pointer.clone().push(&member.name()));
                    }
                }
            }
            (Kind::Array, Kind::Array) => {
                let (ours, theirs) = (a.elements().count(), b.elements().count());
                if ours != theirs {
                    found.push(pointer);
                    continue;
                }
                for (index, (a, b)) in a.elements().zip(b.elements()).enumerate() {
                    pending.push((a, b, pointer.clone().push_index(index)));
                }
            }
            (Kind::String, Kind::String) if a.text() == b.text() => {}
            (kind, other) if kind == other && kind != Kind::String && a.raw() == b.raw() => {}
            _ => found.push(pointer),
        }
    }
}
