//! Tools of every format, given to every target and read back from there, on generated documents.
//!
//! A failure names its seed: `TOOLGLOT_SEED=7` runs that case alone.
//! `TOOLGLOT_CASES=100` runs a hundred times as many.

#![allow(clippy::cast_possible_truncation)] // sizes are small

use toolglot::core::schema::{Relation, relation};
use toolglot::descriptor::{RiskProfile, SideEffects};
use toolglot::json::Document;
use toolglot::providers::{Export, Offer, Options, Revision, Target, export};
use toolglot::testkit::Rng;
use toolglot::{FormatName, Limits, ToolDescriptor, tool_list};
use toolglot_tests::seeds;

const CASES: u64 = 64;

/// Every way to give tools.
fn ways() -> Vec<Options> {
    let strict = |target| Options { strict: true, ..Options::new(target) };
    let gemini = Options::new(Target::Gemini);
    let mcp = |revision| Options::new(Target::Mcp(revision));
    vec![
        mcp(Revision::R20250618),
        mcp(Revision::R20251125),
        mcp(Revision::R20260728),
        Options::new(Target::OpenAiChat),
        strict(Target::OpenAiChat),
        Options::new(Target::OpenAiResponses),
        Options::new(Target::Anthropic),
        strict(Target::Anthropic),
        gemini.clone(),
        Options { gemini_schema: true, ..gemini },
    ]
}

/// A list of tools as an answer or a request has it.
fn listed(given: &str) -> String {
    if given.starts_with('[') { format!("{{\"tools\":{given}}}") } else { given.to_owned() }
}

/// Two schemas are not told apart.
fn are_equal(one: &str, other: &str, limits: &Limits) -> bool {
    let [one, other] = [one, other].map(|text| Document::parse(text.as_bytes(), limits).unwrap());
    let relation = relation(one.root(), other.root(), limits);
    matches!(relation, Relation::Equal | Relation::Undecided)
}

/// What is read back is what was given: names, texts, schemas, and nothing that is safer.
fn is_read_back(given: &Export<'_, '_>, read: &[ToolDescriptor<'_>], limits: &Limits) {
    assert_eq!(given.offers.len(), read.len());
    for (offer, read) in given.offers.iter().zip(read) {
        assert_eq!(read.id.value, offer.name);
        let texts = [&offer.tool.description, &offer.tool.summary];
        let mut told = texts.into_iter().flatten().map(|text| &*text.value);
        let told = told.find(|text| !text.trim().is_empty());
        assert_eq!(read.description.as_ref().map(|text| &*text.value), told);
        // Gemini has words of its own.
        if given.target != Target::Gemini {
            let schema = read.input_schema.as_ref().unwrap();
            assert!(are_equal(schema.as_str(), offer.input.schema.as_str(), limits));
        }
        if let Target::Mcp(_) = given.target {
            let [before, after] =
                [offer.tool, read].map(|tool| RiskProfile::of(tool).effects_or_worst());
            let destroys = |effects| effects == SideEffects::Destructive;
            assert!(after >= before || !destroys(before) && after == SideEffects::Write);
        }
        // Nothing is known of the call.
        assert!(read.invocation.is_none());
    }
}

fn hold(format: FormatName, seed: u64) {
    let rng = &mut Rng::new(seed);
    let text = (format.testkit().unwrap().generate)(rng, 1 + seed as usize % 3);
    let limits = Limits::default();
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let Ok(lifted) = format.format().unwrap().lift(&document, &limits) else { return };
    for options in ways() {
        let given = export(&lifted.tools, &options);
        let list = given.to_json();
        let text = listed(&list);
        let document = Document::parse(text.as_bytes(), &limits).unwrap();
        let tools = tool_list::FORMAT.lift(&document, &limits).unwrap().tools;
        is_read_back(&given, &tools, &limits);
        // What fits once, fits as it is.
        let again = export(&tools, &options);
        assert_eq!(again.to_json(), list, "{options:?}");
        let whole = !options.strict && !options.gemini_schema;
        let equal = |offer: &Offer<'_, '_>| offer.input.relation == Relation::Equal;
        assert!(!whole || again.offers.iter().all(equal), "{options:?}");
        // Any other target takes it, or says why not.
        let others = ways();
        let other = &others[rng.below(others.len())];
        let onwards = export(&tools, other);
        assert_eq!(onwards.offers.len() + onwards.skipped.len(), tools.len());
    }
}

#[test]
fn what_is_given_is_read_back_and_given_again() {
    for seed in seeds(CASES) {
        for format in FormatName::ALL.iter().copied() {
            let held = std::panic::catch_unwind(|| hold(format, seed));
            assert!(held.is_ok(), "seed {seed}, {}", format.format().unwrap().name);
        }
    }
}
