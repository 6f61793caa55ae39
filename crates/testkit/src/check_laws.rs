//! All laws at once, on generated documents.

use std::ops::Range;

use convert::convert;
use json_text::Document;
use manifest_core::{Format, Limits};

use crate::laws::{
    LawResult, Values, accept_all, check_valid, complete_ledger, determinism,
    edit_reaches_third_format, edit_survives, mutants_of_leaves, path_independence, round_trip,
    tree_fidelity, true_ledger, valid_output,
};
use crate::{Rng, Testkit, edit, inject_members, relayout};

/// The number of documents that replacement values are taken from.
const VALUE_DOCUMENTS: u64 = 64;

/// The most replacement values for a leaf.
const MAX_REPLACEMENTS: usize = 8;

/// Checks every [law](crate::laws) for conversions between two formats, on one document for
/// each seed. A law with a third format uses the formats of `onwards` in turn. An error
/// names its seed, which reproduces the case.
pub fn check_laws(
    from: &Testkit,
    to: &'static Format,
    onwards: &[&'static Format],
    seeds: Range<u64>,
) -> LawResult {
    let others = (0..VALUE_DOCUMENTS).map(|seed| (from.generate)(&mut Rng::new(!seed), 2));
    let values = Values::of(others);
    for seed in seeds {
        let number = usize::try_from(seed).unwrap_or(usize::MAX);
        let next = match number.checked_rem(onwards.len()) {
            Some(turn) => onwards.get(turn).copied().unwrap_or(to),
            None => to,
        };
        let rng = &mut Rng::new(seed);
        let text = generate_source(from, rng, 1 + number % 3);
        check_case([from.format, to, next], &text, &values, rng)
            .map_err(|broken| format!("seed {seed}: {broken}"))?;
    }
    Ok(())
}

fn check_case(way: [&'static Format; 3], text: &str, values: &Values, rng: &mut Rng) -> LawResult {
    let [from, to, next] = way;
    check_valid(from, text).map_err(law("generator"))?;
    tree_fidelity(from, text).map_err(law("tree fidelity"))?;
    round_trip(from, to, text).map_err(law("round trip"))?;
    path_independence(from, to, next, text).map_err(law("path independence"))?;
    complete_ledger(from, to, text).map_err(law("complete ledger"))?;
    let mutants = mutants_of_leaves(from, text, |leaf| {
        if !rng.once_in(8) {
            return None;
        }
        let mut like = values.for_member_of(leaf);
        rng.shuffle(&mut like);
        like.truncate(MAX_REPLACEMENTS);
        Some(like)
    })?;
    true_ledger(from, to, text, &mutants).map_err(law("true ledger"))?;
    valid_output(from, to, text).map_err(law("valid output"))?;
    determinism(from, to, text).map_err(law("determinism"))?;

    let document =
        Document::parse(text.as_bytes(), &Limits::default()).map_err(|found| found.to_string())?;
    let Ok(conversion) = convert(&document, from, to, &accept_all()) else { return Ok(()) };
    let which = rng.below(conversion.documents.len());
    let Some(target) = conversion.documents.get(which).map(|one| &one.text) else { return Ok(()) };
    let respelled = relayout(target, rng);
    edit_survives(from, to, text, which, &respelled).map_err(law("another layout"))?;
    if let Some(edited) = valid_edit(to, target, rng) {
        edit_survives(from, to, text, which, &edited).map_err(law("edit survives"))?;
        if ![to.name, next.name].contains(&from.name) {
            edit_reaches_third_format(way, text, which, &edited).map_err(law("edit goes on"))?;
        }
    }
    Ok(())
}

/// Returns a function that puts the name of a law before an error.
fn law(name: &'static str) -> impl Fn(String) -> String {
    move |broken| format!("{name}: {broken}")
}

/// Generates a valid document, often with strange members and a strange layout.
fn generate_source(testkit: &Testkit, rng: &mut Rng, size: usize) -> String {
    let mut text = (testkit.generate)(rng, size);
    if rng.once_in(2) {
        text = inject_members(&text, testkit.vocabulary, rng);
    }
    if rng.once_in(2) {
        text = relayout(&text, rng);
    }
    text
}

/// Returns the document after a random edit that leaves it valid.
fn valid_edit(format: &Format, text: &str, rng: &mut Rng) -> Option<String> {
    for _ in 0..16 {
        let edited = edit(text, format, rng);
        if edited != text && check_valid(format, &edited).is_ok() {
            return Some(edited);
        }
    }
    None
}
