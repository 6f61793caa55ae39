//! The changes that a restore made to the source, as a section for people.

use std::collections::BTreeMap;

use toolglot::core::{printable, secret};
use toolglot::json::{ChangeKind, Document, MergeOptions, Node, merge};
use toolglot::{Limits, Pointer};

use crate::terminal::places::leaves;
use crate::terminal::table::{Line, Section, count_values};

/// Returns the changes that edits of the target made to the source, whose text was
/// `before`. Elements of lists are aligned by their `keys`, so that a moved element is not
/// listed as removed and added.
pub(crate) fn edits_section(
    restored: &str,
    before: &str,
    keys: &[&str],
    limits: &Limits,
) -> Section {
    let before = Document::parse(before.as_bytes(), limits);
    let after = Document::parse(restored.as_bytes(), limits);
    let lines = match (&before, &after) {
        (Ok(before), Ok(after)) => differences(before, after, keys),
        // Both texts were parsed before, so this does not happen.
        _ => Vec::new(),
    };
    Section {
        heading: "changed by edits",
        style: "1;33",
        count: count_values(lines.len()),
        uncut: Vec::new(),
        lines,
    }
}

fn differences(before: &Document<'_>, after: &Document<'_>, keys: &[&str]) -> Vec<Line> {
    let (old, new) = (leaves(before), leaves(after));
    let options = MergeOptions { keys, partial: false };
    let merged = merge(before, before.root(), after.root(), &options);
    let mut lines = Vec::new();
    let mut say = |at: &Pointer, note: String, flags: [Option<&str>; 2]| {
        let flags = flags.into_iter().flatten();
        let note = flags.fold(note, |note, flag| secret::mask_named(flag, &note).into_owned());
        lines.push((printable(at.as_str(), 48), note));
    };
    for change in &merged.changes {
        match (change.kind, change.old, change.new) {
            (ChangeKind::Reordered, ..) => {
                say(&change.at.pointer(), "in another order".to_owned(), [None; 2]);
            }
            (ChangeKind::Renamed, Some(was), Some(now)) => {
                let note = format!("{} → {}, a new name", short(was.raw()), short(now.raw()));
                say(&change.at.pointer(), note, [None; 2]);
            }
            (_, Some(was), Some(now)) if is_leaf(was) && is_leaf(now) => {
                let note = format!("{} → {}", short(was.raw()), short(now.raw()));
                let (at, there) = (was.pointer(), now.pointer());
                say(&at, note, [flag(&old, &at), flag(&new, &there)]);
            }
            (_, was, now) => {
                for (root, leaves, what) in [(was, &old, "is gone"), (now, &new, "is new")] {
                    let Some(root) = root else { continue };
                    let top = root.pointer();
                    for (below, leaf) in root.leaves() {
                        let at = top.clone().join(&below);
                        say(
                            &at,
                            format!("{} {what}", short(leaf.raw())),
                            [flag(leaves, &at), None],
                        );
                    }
                }
            }
        }
    }
    lines
}

fn is_leaf(node: Node<'_>) -> bool {
    node.descendants().nth(1).is_none()
}

/// Returns the list element before a value if it is a flag, such as `--token`, which may
/// name the value.
fn flag<'l>(leaves: &BTreeMap<Pointer, &'l str>, at: &Pointer) -> Option<&'l str> {
    let (list, index) = at.split_last()?;
    let before = index.parse::<usize>().ok()?.checked_sub(1)?;
    let flag = leaves.get(&list.push_index(before)).copied();
    flag.filter(|flag| flag.starts_with("\"-"))
}

fn short(value: &str) -> String {
    printable(value, 40)
}
