//! What coming back changed, for people.

use std::collections::BTreeMap;

use toolglot::core::{printable, secret};
use toolglot::json::Document;
use toolglot::{Limits, Pointer};

use crate::places::leaves;
use crate::table::{Line, Section, values};

/// What edits to the target changed in the source, whose text was `before`.
pub(crate) fn by_edits(restored: &str, before: &str, limits: &Limits) -> Section {
    let before = Document::parse(before.as_bytes(), limits);
    let after = Document::parse(restored.as_bytes(), limits);
    let lines = match (&before, &after) {
        (Ok(before), Ok(after)) => differences(before, after),
        // Both were read before.
        _ => Vec::new(),
    };
    Section {
        heading: "changed by edits",
        style: "1;33",
        count: values(lines.len()),
        whole: Vec::new(),
        lines,
    }
}

fn differences(before: &Document<'_>, after: &Document<'_>) -> Vec<Line> {
    let (old, new) = (leaves(before), leaves(after));
    let kept = new.iter().filter_map(|(at, now)| match old.get(at) {
        Some(was) if was == now => None,
        Some(was) => Some((at, format!("{} → {}", short(was), short(now)))),
        None => Some((at, format!("{} is new", short(now)))),
    });
    let gone = old.iter().filter(|(at, _)| !new.contains_key(at));
    let gone = gone.map(|(at, was)| (at, format!("{} is gone", short(was))));
    let line = |(at, note): (&Pointer, String)| {
        let flags = [&old, &new].map(|leaves| flag(leaves, at)).into_iter().flatten();
        let note = flags.fold(note, |note, flag| secret::masked_named(flag, &note).into_owned());
        (printable(at.as_str(), 48), note)
    };
    kept.chain(gone).map(line).collect()
}

/// The argument before a value in a list, which may be its name: `--token`.
fn flag<'l>(leaves: &BTreeMap<Pointer, &'l str>, at: &Pointer) -> Option<&'l str> {
    let (list, index) = at.split_last()?;
    let before = index.parse::<usize>().ok()?.checked_sub(1)?;
    let flag = leaves.get(&list.push_index(before)).copied();
    flag.filter(|flag| flag.starts_with("\"-"))
}

fn short(value: &str) -> String {
    printable(value, 40)
}
