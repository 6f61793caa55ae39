//! The generators do what they promise.

use toolglot::testkit::laws::{self, Law};
use toolglot::testkit::{self, Coverage, Rng, Testkit, Tree, difference, inject_members, relayout};
use toolglot::{
    Format, FormatName, Limits, Profile, Rule, ValidateOptions, capability, json::Document, jumith,
    mcpkg, testkits, tools_json,
};

const SEEDS: u64 = 64;

#[test]
fn same_seed_same_bytes() {
    for seed in 0..SEEDS {
        for testkit in testkits() {
            let make = || {
                let rng = &mut Rng::new(seed);
                let text = (testkit.generate)(rng, 4);
                relayout(&text, rng)
            };
            assert_eq!(make(), make());
        }
    }
}

/// A larger size gives a document with more values on average, in every format. MCPKG has no
/// sizes below 3, so it grows least. Lists in lists multiply: a `server.json` of size 64 is too large.
#[test]
fn size_means_something_in_every_format() {
    for Testkit { format, generate, .. } in testkits() {
        let mut last = 0;
        for size in [1, 4, 16] {
            let mut values = 0;
            for seed in 0..SEEDS {
                let text = generate(&mut Rng::new(seed), size);
                laws::check_valid(format, &text).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
                values += Tree::parse(&text).unwrap().leaves().len();
            }
            assert!(
                values > last + last / 10,
                "{}: {last}, then {values} of size {size}",
                format.name
            );
            last = values;
        }
    }
}

/// Writes tools without their members, so that no conversion is valid.
static SLOPPY: Format = Format { name: "sloppy", write_tool: |_, _| Ok(()), ..tools_json::FORMAT };

#[test]
fn every_broken_law_is_reported_once_with_a_seed() {
    let from = FormatName::ToolsJson.testkit().unwrap();
    let broken = testkit::check_laws(from, &SLOPPY, &[&mcpkg::FORMAT], 3..9).unwrap_err();
    let laws: Vec<Law> = broken.laws.iter().map(|one| one.law).collect();
    let expected = [
        Law::RoundTrip,
        Law::PathIndependence,
        Law::CompleteLedger,
        Law::TrueLedger,
        Law::ValidOutput,
        Law::Determinism,
    ];
    assert_eq!(laws, expected);
    let message = broken.to_string();
    assert!(message.starts_with("6 laws do not hold from tools-json to sloppy\n"), "{message}");
    for one in &broken.laws {
        assert!((3..9).contains(&one.seed) && (1..=6).contains(&one.seeds), "{one:?}");
        assert!(one.problem.chars().count() < 8100, "{}", one.problem.len());
        let line = format!("\n{}, seed {}", one.law.name(), one.seed);
        assert_eq!(message.matches(&line).count(), 1, "{message}");
        // The seed alone reproduces it.
        let again = testkit::check_laws(from, &SLOPPY, &[], one.seed..one.seed + 1).unwrap_err();
        assert!(again.laws.iter().any(|other| other.law == one.law), "{again}");
    }
}

/// The front page of the crate lists every law.
#[test]
fn the_front_page_lists_the_laws() {
    let page = include_str!("../../crates/testkit/src/lib.rs");
    let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("//! - **")).collect();
    let laws: Vec<String> =
        Law::ALL.iter().map(|law| format!("//! - **{}**: {}", law.name(), law.summary())).collect();
    assert_eq!(listed, laws);
}

/// What no generator draws: the format, the version, the part and why.
const NOT_DRAWN: &[(FormatName, &str, &str, &str)] = &[];

/// How many documents of each format are looked at, at most.
const DRAWN: u64 = 3000;

/// In every version, every member, word and branch that the table of the format has is
/// in some document.
#[test]
fn generators_draw_everything() {
    let mut undrawn = Vec::new();
    for testkit in testkits() {
        let mut coverage = Coverage::new(testkit);
        for seed in 0..DRAWN {
            let size = usize::try_from(1 + seed % 4).unwrap();
            let text = (testkit.generate)(&mut Rng::new(seed), size);
            laws::check_valid(testkit.format, &text)
                .unwrap_or_else(|why| panic!("seed {seed}: {why}"));
            coverage.add(&Document::parse(text.as_bytes(), &Limits::default()).unwrap());
            if seed % 50 == 49 && coverage.uncovered().is_empty() {
                break;
            }
        }
        let name = testkit.format.name;
        let parts = coverage.uncovered().into_iter();
        undrawn.extend(parts.map(|one| format!("{name} {} {}", one.version, one.part)));
    }
    let rows = NOT_DRAWN.iter();
    let expected: Vec<_> = rows
        .map(|(format, version, part, why)| {
            assert!(!why.is_empty());
            format!("{format} {version} {part}")
        })
        .collect();
    assert_eq!(undrawn, expected, "what is not drawn");
}

#[test]
fn strange_members_leave_a_document_valid() {
    let leaves = |text: &str| Tree::parse(text).unwrap().leaves().len();
    let mut closed = 0;
    for seed in 0..SEEDS {
        let rng = &mut Rng::new(seed);
        for Testkit { format, generate, vocabulary, .. } in testkits() {
            let text = generate(rng, 4);
            laws::check_valid(format, &text).unwrap();
            let strange = inject_members(&text, vocabulary, rng);
            laws::check_valid(format, &strange).unwrap();
            // A document of closed objects may have no room at all.
            let more = leaves(&strange) > leaves(&text);
            assert!(more || !vocabulary.open.is_empty(), "{strange}");
            closed += usize::from(more && !vocabulary.open.is_empty());
        }
    }
    assert!(closed as u64 > SEEDS, "{closed} closed documents had room");
}

#[test]
fn a_defect_breaks_its_rule_and_no_other() {
    let beyond = |rule: &&Rule| capability::testkit::concerns_no_document(rule);
    let beyond = capability::FORMAT.rules.iter().copied().filter(beyond).map(|rule| rule.code);
    let beyond: Vec<_> = beyond.chain(["json/number-range"]).collect();
    for format in FormatName::ALL.iter().copied() {
        // What no document of the format can break.
        let none: &[&str] = match format {
            FormatName::ToolsJson => &[],
            FormatName::Mcpkg => &["json/number-range"],
            FormatName::Jumith => jumith::testkit::OTHER_DOCUMENT_RULES,
            FormatName::Capability => &beyond,
            FormatName::InstallManifest
            | FormatName::Mcpb
            | FormatName::ServerJson
            | FormatName::ToolList => {
                &["json/unknown-member", "json/key-case", "json/number-range"]
            }
            other => panic!("{other} is a new format"),
        };
        let Testkit { format, defect, .. } = format.testkit().unwrap();
        for rule in format.rules.iter().chain(toolglot::json::rules::RULES).copied() {
            for seed in 0..8 {
                let Some(text) = defect(&mut Rng::new(seed), rule) else {
                    assert!(none.contains(&rule.code), "no document breaks {}", rule.code);
                    continue;
                };
                assert_eq!(broken(format, rule, &text), [rule.code], "{text:.500}");
            }
        }
    }
}

/// The codes of the rules that a document breaks.
fn broken(format: &Format, rule: &Rule, text: &str) -> Vec<&'static str> {
    let profile = match rule.code {
        "mcpkg/reference" | "jumith/reference" => Profile::Reference,
        _ => Profile::Spec,
    };
    let options = ValidateOptions { profile, ..ValidateOptions::default() };
    let mut codes = match Document::parse(text.as_bytes(), &Limits::default()) {
        Err(diagnostic) => vec![diagnostic.rule.code],
        Ok(document) => {
            let report = format.validate(&document, &options);
            report.diagnostics.iter().map(|d| d.rule.code).collect()
        }
    };
    codes.dedup();
    codes
}

#[test]
fn reads_and_renders() {
    let text = r#" { "a\u002fb" : [ 1.0, -0, 1E-400 , "\ud83d\ude00\n" ], "" : { } } "#;
    let tree = Tree::parse(text).unwrap();
    assert_eq!(tree.render(), "{\"a/b\":[1.0,-0,1E-400,\"\u{1f600}\\n\"],\"\":{}}");
    assert_eq!(tree.at("/a~1b/2"), Some(&Tree::plain("1E-400")));
    let pointers: Vec<_> = tree.leaves().into_iter().map(|(p, _)| p).collect();
    assert_eq!(pointers, ["/a~1b/0", "/a~1b/1", "/a~1b/2", "/a~1b/3", "/"]);
    assert_eq!(Tree::parse("[1,]"), None);
    assert_eq!(Tree::parse("1 2"), None);
}

#[test]
fn tells_elements_apart() {
    let mut tree = Tree::parse(r#"{"a": [{"n": "x"}, {"n": "x"}, {}], "b": [1, 2, 1]}"#).unwrap();
    tree.remove_duplicates("/b", "");
    tree.append_indices("/a", "/n");
    assert_eq!(tree.render(), r#"{"a":[{"n":"x0"},{"n":"x1"},{}],"b":[1,2]}"#);
    tree.put("/a/1/n", "x0".into());
    tree.remove_duplicates("/a", "/n");
    assert_eq!(tree.render(), r#"{"a":[{"n":"x0"},{}],"b":[1,2]}"#);
}

#[test]
fn tells_spellings_and_orders_apart() {
    let tree = |text| Tree::parse(text).unwrap();
    assert_ne!(tree("1.0"), tree("1"));
    assert_ne!(tree(r#"{"a":1,"b":2}"#), tree(r#"{"b":2,"a":1}"#));
    assert_eq!(tree(r#"{"a":1,"b":2}"#).normalized(), tree(r#"{"b":2,"a":1}"#).normalized());
    assert_eq!(tree("[1.0, 1e2]").normalized(), tree("[1, 100.0]").normalized());
    let found = difference(&tree(r#"[{"a":1}]"#), &tree(r#"[{"a":2}]"#)).unwrap();
    assert!(found.starts_with("at \"/0/a\""), "{found}");
}
