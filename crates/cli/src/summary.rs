//! What a conversion did, for people and for programs.

use std::collections::BTreeMap;

use serde::Serialize;
use toolglot::core::convert::{Assumed, Entry, Op};
use toolglot::json::Document;
use toolglot::{Class, Conversion, Format, Ledger, Pointer, Residue};

use crate::places::{Item, Tools, lines};
use crate::table::{Section, values};

/// What went where, in four sections.
pub(crate) fn of_conversion(
    ledger: &Ledger,
    (source, from): (&Document<'_>, &Format),
    (target, to): (&Document<'_>, &Format),
) -> Vec<Section> {
    let (old, new) = (Tools::of(source, from), Tools::of(target, to));
    let (old_values, new_values) = (leaves(source), leaves(target));
    let item = |entry: &Entry| {
        let value = old_values.get(&entry.source).copied().unwrap_or_default();
        let at = entry.target.first();
        let became = at.and_then(|at| new_values.get(at)).copied();
        Item {
            place: old.locate(&entry.source),
            target: at.map(|at| new.locate(at)),
            value,
            became: became.filter(|became| *became != value),
        }
    };
    let part = |heading, style, classes: &[Class], why: &str| {
        let entries = ledger.entries.iter();
        let entries = entries.filter(|entry| classes.contains(&entry.class));
        let items: Vec<_> = entries.map(item).collect();
        let count = match items.len() {
            0 => "none".to_owned(),
            some => format!("{some} of {}{why}", values(ledger.entries.len())),
        };
        Section { heading, style, count, lines: lines(&items) }
    };
    let assumed = ledger.assumed.iter().map(|assumed| Item {
        place: new.locate(&assumed.target),
        target: None,
        value: &assumed.value,
        became: None,
    });
    let assumed: Vec<_> = assumed.collect();
    let cannot = format!(" that {} cannot say", to.name);
    vec![
        part("carried over", "1;32", &[Class::Native, Class::Equivalent], ""),
        part("approximated", "1;33", &[Class::Approximated], ""),
        Section::assumed(assumed.len(), lines(&assumed), from),
        part("left to the residue", "1;36", &[Class::Carried], &cannot),
    ]
}

/// The values of a document that hold no others, as written.
pub(crate) fn leaves<'d>(document: &'d Document<'_>) -> BTreeMap<Pointer, &'d str> {
    let leaves = document.root().leaves();
    leaves.map(|(at, leaf)| (at, leaf.raw())).collect()
}

/// A conversion, for programs.
#[derive(Serialize)]
pub(crate) struct ConversionReport<'a> {
    from: &'static str,
    to: &'static str,
    score: Score,
    entries: &'a [Entry],
    assumed: &'a [Assumed],
    residue_entries: Vec<ResidueEntry<'a>>,
}

#[derive(Serialize)]
struct Score {
    values: usize,
    native: usize,
    equivalent: usize,
    approximated: usize,
    carried: usize,
    assumed: usize,
}

impl<'a> ConversionReport<'a> {
    pub(crate) fn new(conversion: &'a Conversion, from: &Format, to: &Format) -> Self {
        let ledger = &conversion.ledger;
        Self {
            from: from.name,
            to: to.name,
            score: Score {
                values: ledger.entries.len(),
                native: ledger.count(Class::Native),
                equivalent: ledger.count(Class::Equivalent),
                approximated: ledger.count(Class::Approximated),
                carried: ledger.count(Class::Carried),
                assumed: ledger.assumed.len(),
            },
            entries: &ledger.entries,
            assumed: &ledger.assumed,
            residue_entries: residue_entries(&conversion.residue),
        }
    }
}

/// One difference in a residue.
#[derive(Serialize)]
pub(crate) struct ResidueEntry<'a> {
    /// The tool that it belongs to; the document, if there is none.
    pub(crate) tool: Option<&'a str>,
    #[serde(flatten)]
    pub(crate) op: &'a Op,
}

/// What is in a residue, as a list.
pub(crate) fn residue_entries(residue: &Residue) -> Vec<ResidueEntry<'_>> {
    let document = residue.document.iter();
    let document = document.map(|op| ResidueEntry { tool: None, op });
    let tools = residue.tools.iter().flat_map(|tool| {
        let ops = tool.ops.iter();
        ops.map(|op| ResidueEntry { tool: Some(&tool.id), op })
    });
    document.chain(tools).collect()
}
