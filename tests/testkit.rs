//! The generators do what they promise.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(all(
    feature = "testkit",
    feature = "capability",
    feature = "jumith",
    feature = "install-manifest",
    feature = "mcpkg",
    feature = "tools-json"
))]

use toolglot::core::testkit::{Rng, Tree, Vocabulary, inject, laws, relayout};
use toolglot::{
    Format, Limits, Profile, Rule, Validate, capability, install_manifest, json::Document, jumith,
    mcpkg, tools_json,
};

const SEEDS: u64 = 64;

#[test]
fn same_seed_same_bytes() {
    for seed in 0..SEEDS {
        for generate in [
            tools_json::testkit::generate,
            mcpkg::testkit::generate,
            jumith::testkit::generate,
            capability::testkit::generate,
            install_manifest::testkit::generate,
        ] {
            let make = || {
                let rng = &mut Rng::new(seed);
                let text = generate(rng, 4);
                relayout(&text, rng)
            };
            assert_eq!(make(), make());
        }
    }
}

#[test]
fn strange_members_leave_a_document_valid() {
    let leaves = |text: &str| Tree::parse(text).unwrap().leaves().len();
    let mut closed = 0;
    let mut check = |format, vocabulary: &Vocabulary, text: &str, rng: &mut Rng| {
        laws::valid(format, text).unwrap();
        let strange = inject(text, vocabulary, rng);
        laws::valid(format, &strange).unwrap();
        // A document of closed objects may have no room at all.
        let more = leaves(&strange) > leaves(text);
        assert!(more || !vocabulary.open.is_empty(), "{strange}");
        closed += usize::from(more && !vocabulary.open.is_empty());
    };
    for seed in 0..SEEDS {
        let rng = &mut Rng::new(seed);
        let text = tools_json::testkit::generate(rng, 4);
        check(&tools_json::FORMAT, &tools_json::testkit::VOCABULARY, &text, rng);
        let text = mcpkg::testkit::generate(rng, 4);
        check(&mcpkg::FORMAT, &mcpkg::testkit::VOCABULARY, &text, rng);
        let text = jumith::testkit::generate(rng, 4);
        check(&jumith::FORMAT, &jumith::testkit::VOCABULARY, &text, rng);
        let text = capability::testkit::generate(rng, 4);
        check(&capability::FORMAT, &capability::testkit::VOCABULARY, &text, rng);
        let text = install_manifest::testkit::generate(rng, 4);
        check(&install_manifest::FORMAT, &install_manifest::testkit::VOCABULARY, &text, rng);
    }
    assert!(closed as u64 > SEEDS, "{closed} closed documents had room");
}

#[test]
fn a_defect_breaks_its_rule_and_no_other() {
    defects(&tools_json::FORMAT, tools_json::testkit::defect, &[]);
    defects(&mcpkg::FORMAT, mcpkg::testkit::defect, &["json/number-range"]);
    defects(&jumith::FORMAT, jumith::testkit::defect, jumith::testkit::ABOUT_OTHERS);
    let rules = capability::FORMAT.rules.iter().copied();
    let beyond = rules.filter(|rule| capability::testkit::is_beyond_documents(rule));
    let none: Vec<_> = beyond.map(|rule| rule.code).chain(["json/number-range"]).collect();
    defects(&capability::FORMAT, capability::testkit::defect, &none);
    let closed = ["json/unknown-member", "json/key-case", "json/number-range"];
    defects(&install_manifest::FORMAT, install_manifest::testkit::defect, &closed);
}

fn defects(format: &Format, defect: fn(&mut Rng, &'static Rule) -> Option<String>, none: &[&str]) {
    let rules = format.rules.iter().chain(toolglot::json::rules::RULES);
    for rule in rules.copied() {
        for seed in 0..8 {
            let Some(text) = defect(&mut Rng::new(seed), rule) else {
                assert!(none.contains(&rule.code), "no document breaks {}", rule.code);
                continue;
            };
            assert_eq!(broken(format, rule, &text), [rule.code], "{text:.500}");
        }
    }
}

/// The codes of the rules that a document breaks.
fn broken(format: &Format, rule: &Rule, text: &str) -> Vec<&'static str> {
    let profile = match rule.code {
        "mcpkg/reference" | "jumith/reference" => Profile::Reference,
        _ => Profile::Spec,
    };
    let options = Validate { profile, ..Validate::default() };
    let mut codes = match Document::parse(text.as_bytes(), &Limits::default()) {
        Err(diagnostic) => vec![diagnostic.rule.code],
        Ok(document) => {
            let report = (format.validate)(&document, &options);
            report.diagnostics.iter().map(|d| d.rule.code).collect()
        }
    };
    codes.dedup();
    codes
}
