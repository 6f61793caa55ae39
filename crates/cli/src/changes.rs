//! What coming back changed, for people.

use std::collections::BTreeMap;

use toolglot::core::convert::Op;
use toolglot::core::{printable, secret};
use toolglot::json::{Document, Raw};
use toolglot::{Format, Limits, Pointer, Restored};

use crate::summary::{leaves, residue_entries};
use crate::table::{Line, Section, values};

/// What edits to the target changed in the source, whose text was `before`.
pub(crate) fn by_edits(restored: &Restored, before: Option<&str>, limits: &Limits) -> Section {
    let parse = |text| Document::parse(text, limits).ok();
    let after = parse(restored.text.as_bytes());
    let before = before.and_then(|text| parse(text.as_bytes()));
    let lines = before.zip(after).map(|(before, after)| differences(&before, &after));
    Section {
        heading: "changed by edits",
        style: "1;33",
        count: match &lines {
            None if restored.edited => "some; the residue does not say what was there".to_owned(),
            None => values(0),
            Some(lines) => values(lines.len()),
        },
        lines: lines.unwrap_or_default(),
    }
}

/// What the restored document says and the target does not, and the reverse.
pub(crate) fn by_formats(restored: &Restored, from: &Format, to: &Format) -> [Section; 2] {
    let line = |op: &Op, value: &Raw<'_>| (printable(op.at.as_str(), 48), short(value.as_str()));
    let mut assumed = Vec::new();
    let mut lost = Vec::new();
    for entry in residue_entries(&restored.residue) {
        match (&entry.op.value, &entry.op.was) {
            (Some(value), _) => lost.push(line(entry.op, value)),
            (None, Some(was)) => assumed.push(line(entry.op, was)),
            (None, None) => {}
        }
    }
    let lost = Section {
        heading: "left out",
        style: "1;36",
        count: match lost.len() {
            0 => values(0),
            some => format!("{} that {} cannot say", values(some), to.name),
        },
        lines: lost,
    };
    [Section::assumed(assumed.len(), assumed, from), lost]
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
