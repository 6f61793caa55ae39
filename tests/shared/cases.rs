//! The laws, for an ordered pair of formats, on generated documents. Each format's package has
//! a few of them held, and the tests of the whole have many.

#![allow(clippy::cast_possible_truncation)] // sizes are small

use toolglot::testkit::{Rng, edit, inject, laws, relayout};
use toolglot::{FORMATS, Format, FormatName, Limits, convert, json::Document};

/// How many other documents values are taken from.
const VALUES: u64 = 64;

/// How many of them a leaf is changed to.
const OTHERS: usize = 8;

/// Holds the laws for so many documents.
pub(crate) fn hold(from: FormatName, to: FormatName, cases: u64) {
    let number = |name: &str| std::env::var(name).ok().map(|number| number.parse::<u64>().unwrap());
    let cases = cases * number("TOOLGLOT_CASES").unwrap_or(1);
    let seeds = number("TOOLGLOT_SEED").map_or(0..cases, |seed| seed..seed + 1);
    let others = (0..VALUES).map(|seed| (from.testkit().generate)(&mut Rng::new(!seed), 2));
    let values = laws::Values::of(others);
    for seed in seeds {
        if let Err(message) = case(from, to, seed, &values) {
            panic!("seed {seed}: {message}");
        }
    }
}

fn case(from: FormatName, to: FormatName, seed: u64, values: &laws::Values) -> Result<(), String> {
    let rng = &mut Rng::new(seed);
    let text = source(from, rng, 1 + seed as usize % 3);
    let (a, b) = (from.format(), to.format());
    let law = |name: &'static str| move |message| format!("{name}: {message}");

    laws::valid(a, &text).map_err(law("generator"))?;
    laws::tree_fidelity(a, &text).map_err(law("tree fidelity"))?;
    laws::round_trip(a, b, &text).map_err(law("round trip"))?;
    let third = FORMATS[seed as usize % FORMATS.len()];
    laws::path_independence(a, b, third, &text).map_err(law("path independence"))?;
    laws::complete_ledger(a, b, &text).map_err(law("complete ledger"))?;
    let mut sample = |leaf: &str| {
        let mut like = rng.once_in(8).then(|| values.like(leaf))?;
        rng.shuffle(&mut like);
        like.truncate(OTHERS);
        Some(like)
    };
    let mutants = laws::mutants_of_leaves(a, &text, &mut sample)?;
    laws::true_ledger(a, b, &text, &mutants).map_err(law("true ledger"))?;
    laws::valid_output(a, b, &text).map_err(law("valid output"))?;
    laws::determinism(a, b, &text).map_err(law("determinism"))?;

    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let Ok(conversion) = convert(&document, a, b, &laws::accepting()) else { return Ok(()) };
    if conversion.documents.is_empty() {
        return Ok(());
    }
    let which = rng.below(conversion.documents.len());
    let target = &conversion.documents[which].text;
    let survives = |edited: &str| laws::edit_survives(a, b, &text, which, edited);
    survives(&relayout(target, rng)).map_err(law("another layout"))?;
    if let Some(edited) = edited(b, target, rng) {
        survives(&edited).map_err(law("edit survives"))?;
        if a.name != b.name && a.name != third.name {
            let way = [a, b, third];
            laws::edit_goes_on(way, &text, which, &edited).map_err(law("edit goes on"))?;
        }
    }
    Ok(())
}

/// A valid document, often with strange members and in a strange layout.
fn source(format: FormatName, rng: &mut Rng, size: usize) -> String {
    let testkit = format.testkit();
    let mut text = (testkit.generate)(rng, size);
    if rng.once_in(2) {
        text = inject(&text, testkit.vocabulary, rng);
    }
    if rng.once_in(2) {
        text = relayout(&text, rng);
    }
    text
}

/// A document after an edit that leaves it valid.
fn edited(format: &Format, text: &str, rng: &mut Rng) -> Option<String> {
    let mut tries = (0..16).map(|_| edit(text, format, rng));
    tries.find(|edited| edited != text && laws::valid(format, edited).is_ok())
}
