//! All laws at once, on generated documents.

use std::ops::Range;

use convert::convert;
use json_text::Document;
use manifest_core::{Format, Limits};

use crate::broken_laws::BrokenLaws;
use crate::laws::{
    Law, LawResult, Values, accept_all, check_valid, complete_ledger, determinism,
    edit_reaches_third_format, edit_survives, mutants_of_leaves, path_independence, round_trip,
    tree_fidelity, true_ledger, valid_output,
};
use crate::{Rng, Testkit, edit, inject_members, relayout};

/// The number of documents that replacement values are taken from.
const VALUE_DOCUMENTS: u64 = 64;

/// The most replacement values for a leaf.
const MAX_REPLACEMENTS: usize = 8;

/// Checks every [law](Law) for conversions between two formats, on one document for each
/// seed. A law with a third format uses the formats of `onwards` in turn.
///
/// A law that does not hold stops neither the others nor the next seeds: the error has every
/// law that was broken, with a seed that reproduces it.
pub fn check_laws(
    from: &Testkit,
    to: &'static Format,
    onwards: &[&'static Format],
    seeds: Range<u64>,
) -> Result<(), BrokenLaws> {
    let others = (0..VALUE_DOCUMENTS).map(|seed| (from.generate)(&mut Rng::new(!seed), 2));
    let values = Values::of(others);
    let mut broken = BrokenLaws::new(from.format, to);
    for seed in seeds {
        let number = usize::try_from(seed).unwrap_or(usize::MAX);
        let next = match number.checked_rem(onwards.len()) {
            Some(turn) => onwards.get(turn).copied().unwrap_or(to),
            None => to,
        };
        let rng = &mut Rng::new(seed);
        let text = generate_source(from, rng, 1 + number % 3);
        let case = Case { way: [from.format, to, next], seed, text: &text };
        case.check(&values, rng, &mut broken);
    }
    broken.into_result()
}

/// One document on its way from a format to another, and on to a third.
struct Case<'c> {
    way: [&'static Format; 3],
    seed: u64,
    text: &'c str,
}

impl Case<'_> {
    fn check(&self, values: &Values, rng: &mut Rng, broken: &mut BrokenLaws) {
        let Self { way: [from, to, next], seed: _, text } = *self;
        if !self.holds(Law::ValidSource, check_valid(from, text), broken) {
            return;
        }
        self.holds(Law::TreeFidelity, tree_fidelity(from, text), broken);
        self.holds(Law::RoundTrip, round_trip(from, to, text), broken);
        self.holds(Law::PathIndependence, path_independence(from, to, next, text), broken);
        self.holds(Law::CompleteLedger, complete_ledger(from, to, text), broken);
        self.holds(Law::TrueLedger, self.check_true_ledger(values, rng), broken);
        self.holds(Law::ValidOutput, valid_output(from, to, text), broken);
        self.holds(Law::Determinism, determinism(from, to, text), broken);
        self.check_edits(rng, broken);
    }

    fn check_true_ledger(&self, values: &Values, rng: &mut Rng) -> LawResult {
        let Self { way: [from, to, _], seed: _, text } = *self;
        let mutants = mutants_of_leaves(from, text, |leaf| {
            if !rng.once_in(8) {
                return None;
            }
            let mut like = values.for_member_of(leaf);
            rng.shuffle(&mut like);
            like.truncate(MAX_REPLACEMENTS);
            Some(like)
        })?;
        true_ledger(from, to, text, &mutants)
    }

    /// Checks the laws of edits, on one document of the conversion.
    fn check_edits(&self, rng: &mut Rng, broken: &mut BrokenLaws) {
        let Self { way: [from, to, next], seed: _, text } = *self;
        // A source that cannot be read or converted has broken another law, or is refused for
        // a known reason.
        let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) else { return };
        let Ok(conversion) = convert(&document, from, to, &accept_all()) else { return };
        let which = rng.below(conversion.documents.len());
        let Some(target) = conversion.documents.get(which).map(|one| &one.text) else { return };
        let respelled = relayout(target, rng);
        let result = edit_survives(from, to, text, which, &respelled);
        self.holds(Law::AnotherLayout, result, broken);
        let Some(edited) = valid_edit(to, target, rng) else { return };
        let result = edit_survives(from, to, text, which, &edited);
        self.holds(Law::EditSurvives, result, broken);
        if ![to.name, next.name].contains(&from.name) {
            let result = edit_reaches_third_format(self.way, text, which, &edited);
            self.holds(Law::EditGoesOn, result, broken);
        }
    }

    /// Records the law if it is broken. Returns true if it holds.
    fn holds(&self, law: Law, result: LawResult, broken: &mut BrokenLaws) -> bool {
        let [_, _, next] = self.way;
        match result {
            Ok(()) => true,
            Err(problem) => {
                broken.add(law, self.seed, next, &problem);
                false
            }
        }
    }
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
