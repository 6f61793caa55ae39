//! Every law of conversion, between this format and others, on generated documents.
//!
//! A failure names its seed.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};
use testkit::{Coverage, Rng, Testkit};
use toolglot::{mcpkg, tools_json};

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
    let onwards = [UTCP, TOOLS_JSON, MCPKG].map(|testkit| testkit.format);
    if let Err(broken) = testkit::check_laws(from, to.format, &onwards, 0..CASES) {
        panic!("{broken}");
    }
}

/// Every member, word and branch of the table is in some document.
#[test]
fn the_generator_draws_all_of_the_table() {
    let mut coverage = Coverage::new(UTCP);
    for seed in 0..CASES {
        let text = (UTCP.generate)(&mut Rng::new(seed), 3);
        coverage.add(&Document::parse(text.as_bytes(), &Limits::default()).unwrap());
    }
    assert_eq!(coverage.uncovered(), []);
}

/// Every rule can be broken alone.
#[test]
fn every_rule_is_broken_by_a_document_of_its_own() {
    for rule in utcp::rules::RULES {
        for seed in 0..16 {
            let text = (UTCP.defect)(&mut Rng::new(seed), rule).unwrap();
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let report = UTCP.format.validate(&document, &ValidateOptions::default());
            let codes: Vec<&str> = report.diagnostics.iter().map(|d| d.rule.code).collect();
            assert!(!codes.is_empty() && codes.iter().all(|code| *code == rule.code), "{codes:?}");
        }
    }
}
