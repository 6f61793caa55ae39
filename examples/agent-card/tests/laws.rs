//! Every law of conversion, between this format and all others, on generated documents.
//!
//! A failure names its seeds. `TOOLGLOT_CASES=4` checks four times as many documents.

#![allow(clippy::unwrap_used, clippy::panic)]

use agent_card::testkit::TESTKIT as CARD;
use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};
use testkit::{Coverage, Rng, Testkit};
use toolglot::{FORMATS, FormatName};

/// Documents for each ordered pair.
const CASES: u64 = 64;

macro_rules! pairs {
    ($($to:ident $from:ident: $other:ident;)*) => {
        $(
            #[test]
            fn $to() {
                hold(&CARD, FormatName::$other.testkit().unwrap());
            }

            #[test]
            fn $from() {
                hold(FormatName::$other.testkit().unwrap(), &CARD);
            }
        )*

        #[test]
        fn no_format_is_missing() {
            assert_eq!(FormatName::ALL.len(), [$(FormatName::$other),*].len());
        }
    };
}

pairs! {
    to_tools_json from_tools_json: ToolsJson;
    to_mcpkg from_mcpkg: Mcpkg;
    to_jumith from_jumith: Jumith;
    to_capability from_capability: Capability;
    to_install_manifest from_install_manifest: InstallManifest;
    to_mcpb from_mcpb: Mcpb;
    to_server_json from_server_json: ServerJson;
    to_tool_list from_tool_list: ToolList;
}

#[test]
fn to_itself() {
    hold(&CARD, &CARD);
}

fn hold(from: &Testkit, to: &Testkit) {
    let times = std::env::var("TOOLGLOT_CASES").map_or(1, |times| times.parse().unwrap());
    if let Err(broken) = testkit::check_laws(from, to.format, &FORMATS, 0..CASES * times) {
        panic!("{broken}");
    }
}

/// Every member, word and branch of the table is in some document.
#[test]
fn the_generator_draws_all_of_the_table() {
    let mut coverage = Coverage::new(&CARD);
    for seed in 0..1024 {
        let text = (CARD.generate)(&mut Rng::new(seed), 3);
        coverage.add(&Document::parse(text.as_bytes(), &Limits::default()).unwrap());
    }
    assert_eq!(coverage.uncovered(), []);
}

/// Every rule can be broken alone.
#[test]
fn every_rule_is_broken_by_a_document_of_its_own() {
    for rule in agent_card::rules::RULES {
        for seed in 0..32 {
            let text = (CARD.defect)(&mut Rng::new(seed), rule).unwrap();
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let report = CARD.format.validate(&document, &ValidateOptions::default());
            let codes: Vec<&str> = report.diagnostics.iter().map(|d| d.rule.code).collect();
            assert!(!codes.is_empty() && codes.iter().all(|code| *code == rule.code), "{codes:?}");
        }
    }
}
