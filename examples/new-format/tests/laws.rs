//! Every law of conversion, between this format and others, on generated documents.
//!
//! A failure names its seed.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::cast_possible_truncation)] // sizes are small

use manifest_core::json::Document;
use manifest_core::{Format, Limits, Validate};
use testkit::{Coverage, Rng, Testkit, edit, inject, laws, relayout};
use toolglot::{convert, mcpkg, tools_json};

/// Documents for each ordered pair.
const CASES: u64 = 256;

static UTCP: &Testkit = &utcp::testkit::TESTKIT;
static TOOLS_JSON: &Testkit = &tools_json::testkit::TESTKIT;
static MCPKG: &Testkit = &mcpkg::testkit::TESTKIT;

macro_rules! pairs {
    ($($name:ident: $from:ident => $to:ident;)*) => {
        $(#[test] fn $name() { hold($from, $to); })*
    };
}

pairs! {
    utcp_to_itself: UTCP => UTCP;
    utcp_to_tools_json: UTCP => TOOLS_JSON;
    utcp_to_mcpkg: UTCP => MCPKG;
    tools_json_to_utcp: TOOLS_JSON => UTCP;
    mcpkg_to_utcp: MCPKG => UTCP;
}

fn hold(from: &Testkit, to: &Testkit) {
    let others = (0..64_u64).map(|seed| (from.generate)(&mut Rng::new(!seed), 2));
    let values = laws::Values::of(others);
    for seed in 0..CASES {
        if let Err(message) = case(from, to.format, seed, &values) {
            panic!("seed {seed}: {message}");
        }
    }
}

fn case(from: &Testkit, b: &'static Format, seed: u64, values: &laws::Values) -> laws::Law {
    let rng = &mut Rng::new(seed);
    let text = source(from, rng, 1 + seed as usize % 3);
    let a = from.format;
    let third = [UTCP, TOOLS_JSON, MCPKG][seed as usize % 3].format;
    let law = |name: &'static str| move |message| format!("{name}: {message}");

    laws::valid(a, &text).map_err(law("generator"))?;
    laws::tree_fidelity(a, &text).map_err(law("tree fidelity"))?;
    laws::round_trip(a, b, &text).map_err(law("round trip"))?;
    laws::path_independence(a, b, third, &text).map_err(law("path independence"))?;
    laws::complete_ledger(a, b, &text).map_err(law("complete ledger"))?;
    let mut sample = |leaf: &str| {
        let mut like = rng.once_in(8).then(|| values.like(leaf))?;
        rng.shuffle(&mut like);
        like.truncate(8);
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
        if a.name != b.name && ![a.name, b.name].contains(&third.name) {
            let way = [a, b, third];
            laws::edit_goes_on(way, &text, which, &edited).map_err(law("edit goes on"))?;
        }
    }
    Ok(())
}

/// A valid document, often with strange members and in a strange layout.
fn source(testkit: &Testkit, rng: &mut Rng, size: usize) -> String {
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

/// Every member, word and branch of the table is in some document.
#[test]
fn the_generator_draws_all_of_the_table() {
    let mut coverage = Coverage::of(UTCP);
    for seed in 0..CASES {
        let text = (UTCP.generate)(&mut Rng::new(seed), 3);
        coverage.add(&Document::parse(text.as_bytes(), &Limits::default()).unwrap());
    }
    assert_eq!(coverage.undrawn(), []);
}

/// Every rule can be broken alone.
#[test]
fn every_rule_is_broken_by_a_document_of_its_own() {
    for rule in utcp::rules::RULES {
        for seed in 0..16 {
            let text = (UTCP.defect)(&mut Rng::new(seed), rule).unwrap();
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let report = UTCP.format.validate(&document, &Validate::default());
            let codes: Vec<&str> = report.diagnostics.iter().map(|d| d.rule.code).collect();
            assert!(!codes.is_empty() && codes.iter().all(|code| *code == rule.code), "{codes:?}");
        }
    }
}
