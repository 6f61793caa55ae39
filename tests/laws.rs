//! Every law, for every ordered pair of formats, on generated documents.
//!
//! A failure names its seed: `TOOLGLOT_SEED=7` runs that case alone.
//! `TOOLGLOT_CASES=100` runs a hundred times as many.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::cast_possible_truncation)] // sizes are small
#![cfg(all(
    feature = "testkit",
    feature = "capability",
    feature = "install-manifest",
    feature = "jumith",
    feature = "mcpkg",
    feature = "tools-json"
))]

use toolglot::core::testkit::{Rng, Vocabulary, edit, inject, laws, relayout};
use toolglot::{
    Format, Limits, Options, Residue, capability, convert, install_manifest, json::Document,
    jumith, mcpkg, restore, tools_json,
};

/// Cases for each ordered pair in a normal run.
const CASES: u64 = 256;

struct Side {
    format: &'static Format,
    generate: fn(&mut Rng, usize) -> String,
    vocabulary: &'static Vocabulary,
}

static TOOLS_JSON: Side = Side {
    format: &tools_json::FORMAT,
    generate: tools_json::testkit::generate,
    vocabulary: &tools_json::testkit::VOCABULARY,
};

static MCPKG: Side = Side {
    format: &mcpkg::FORMAT,
    generate: mcpkg::testkit::generate,
    vocabulary: &mcpkg::testkit::VOCABULARY,
};

static CAPABILITY: Side = Side {
    format: &capability::FORMAT,
    generate: capability::testkit::generate,
    vocabulary: &capability::testkit::VOCABULARY,
};

static JUMITH: Side = Side {
    format: &jumith::FORMAT,
    generate: jumith::testkit::generate,
    vocabulary: &jumith::testkit::VOCABULARY,
};

static INSTALL_MANIFEST: Side = Side {
    format: &install_manifest::FORMAT,
    generate: install_manifest::testkit::generate,
    vocabulary: &install_manifest::testkit::VOCABULARY,
};

static SIDES: &[&Side] = &[&TOOLS_JSON, &MCPKG, &CAPABILITY, &JUMITH, &INSTALL_MANIFEST];

/// A test for each ordered pair, so that a failure names its pair.
macro_rules! pairs {
    ($($name:ident: $from:ident => $to:ident;)*) => {
        $(#[test] fn $name() { hold(&$from, &$to); })*

        #[test]
        fn no_pair_is_missing() {
            let tested = [$(($from.format.name, $to.format.name)),*];
            let names = || toolglot::FORMATS.iter().map(|format| format.name);
            for pair in names().flat_map(|from| names().map(move |to| (from, to))) {
                assert!(tested.contains(&pair), "{pair:?}");
            }
        }
    };
}

pairs! {
    tools_json_to_itself: TOOLS_JSON => TOOLS_JSON;
    tools_json_to_mcpkg: TOOLS_JSON => MCPKG;
    tools_json_to_capability: TOOLS_JSON => CAPABILITY;
    tools_json_to_jumith: TOOLS_JSON => JUMITH;
    tools_json_to_install_manifest: TOOLS_JSON => INSTALL_MANIFEST;
    mcpkg_to_tools_json: MCPKG => TOOLS_JSON;
    mcpkg_to_itself: MCPKG => MCPKG;
    mcpkg_to_capability: MCPKG => CAPABILITY;
    mcpkg_to_jumith: MCPKG => JUMITH;
    mcpkg_to_install_manifest: MCPKG => INSTALL_MANIFEST;
    capability_to_tools_json: CAPABILITY => TOOLS_JSON;
    capability_to_mcpkg: CAPABILITY => MCPKG;
    capability_to_itself: CAPABILITY => CAPABILITY;
    capability_to_jumith: CAPABILITY => JUMITH;
    capability_to_install_manifest: CAPABILITY => INSTALL_MANIFEST;
    jumith_to_tools_json: JUMITH => TOOLS_JSON;
    jumith_to_mcpkg: JUMITH => MCPKG;
    jumith_to_capability: JUMITH => CAPABILITY;
    jumith_to_itself: JUMITH => JUMITH;
    jumith_to_install_manifest: JUMITH => INSTALL_MANIFEST;
    install_manifest_to_tools_json: INSTALL_MANIFEST => TOOLS_JSON;
    install_manifest_to_mcpkg: INSTALL_MANIFEST => MCPKG;
    install_manifest_to_capability: INSTALL_MANIFEST => CAPABILITY;
    install_manifest_to_jumith: INSTALL_MANIFEST => JUMITH;
    install_manifest_to_itself: INSTALL_MANIFEST => INSTALL_MANIFEST;
}

fn hold(from: &Side, to: &Side) {
    let number = |name: &str| std::env::var(name).ok().map(|number| number.parse::<u64>().unwrap());
    let cases = CASES * number("TOOLGLOT_CASES").unwrap_or(1);
    let seeds = number("TOOLGLOT_SEED").map_or(0..cases, |seed| seed..seed + 1);
    for seed in seeds {
        if let Err(message) = case(from, to, seed) {
            panic!("seed {seed}: {message}");
        }
    }
}

fn case(from: &Side, to: &Side, seed: u64) -> Result<(), String> {
    let rng = &mut Rng::new(seed);
    let text = source(from, rng, 1 + seed as usize % 3);
    let (a, b) = (from.format, to.format);
    let law = |name: &'static str| move |message| format!("{name}: {message}");

    laws::valid(a, &text).map_err(law("generator"))?;
    laws::tree_fidelity(a, &text).map_err(law("tree fidelity"))?;
    laws::round_trip(a, b, &text).map_err(law("round trip"))?;
    let third = SIDES[seed as usize % SIDES.len()].format;
    laws::path_independence(a, b, third, &text).map_err(law("path independence"))?;
    laws::complete_ledger(a, b, &text, rng).map_err(law("complete ledger"))?;
    laws::valid_output(a, b, &text).map_err(law("valid output"))?;
    laws::never_safer(a, b, &text).map_err(law("never safer"))?;
    laws::determinism(a, b, &text).map_err(law("determinism"))?;

    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let target = convert(&document, a, b, &Options::default()).unwrap().text;
    laws::edit_survives(a, b, &text, &relayout(&target, rng)).map_err(law("another layout"))?;
    if let Some(edited) = edited(b, &target, rng) {
        laws::edit_survives(a, b, &text, &edited).map_err(law("edit survives"))?;
    }
    if let Some(changed) = edited(a, &text, rng) {
        laws::edit_commutes(a, b, &text, &changed).map_err(law("edit commutes"))?;
    }
    Ok(())
}

/// A valid document, often with strange members and in a strange layout.
fn source(side: &Side, rng: &mut Rng, size: usize) -> String {
    let mut text = (side.generate)(rng, size);
    if rng.once_in(2) {
        text = inject(&text, side.vocabulary, rng);
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

/// A document as deep as the limit allows is converted like any other.
#[test]
fn depth() {
    for depth in [100, 123, 124] {
        let deep = "[".repeat(depth) + &"]".repeat(depth);
        let text = format!(
            r#"{{"tools":[{{"name":"a","command":["/a"],"x":{deep},"schema":{{"default":{deep}}}}}]}}"#
        );
        if laws::valid(TOOLS_JSON.format, &text).is_err() {
            continue;
        }
        for to in SIDES {
            laws::tree_fidelity(TOOLS_JSON.format, &text).unwrap();
            laws::round_trip(TOOLS_JSON.format, to.format, &text).unwrap();
        }
    }
}

/// A document that fills the limits converts, though it would pass them if it were
/// laid out for people, and comes back.
#[test]
fn no_room_for_layout() {
    let limits = Limits::default();
    let fill = |bytes: usize| format!("[{}0]", "\"0123456789\",".repeat(bytes / 13));
    let schema = fill(limits.schema_bytes - 100);
    let rest = fill(limits.document_bytes - limits.schema_bytes - 1_000);
    let text = format!(
        r#"{{"tools":[{{"name":"a","command":["/a"],"x":{rest},"schema":{{"default":{schema}}}}}]}}"#
    );
    let from = TOOLS_JSON.format;
    laws::valid(from, &text).unwrap();
    for to in SIDES {
        laws::round_trip(from, to.format, &text).unwrap();
    }
}

/// A host that raises the limits can convert what they allow.
#[test]
fn size() {
    let limits = Limits { schema_bytes: 8 << 20, ..Limits::for_catalog() };
    let texts = |length: usize| format!("[{}0]", "\"0123456789\",".repeat(length));
    let text = format!(
        r#"{{"tools":[{{"name":"a","command":["/a"],"x":{},"schema":{{"enum":{}}}}}]}}"#,
        texts(100_000),
        texts(100_000),
    );
    let options = Options { limits: limits.clone(), ..Options::default() };
    let source = Document::parse(text.as_bytes(), &limits).unwrap();
    for to in SIDES {
        let from = TOOLS_JSON.format;
        let converted = convert(&source, from, to.format, &options).unwrap();
        let residue = Residue::parse(converted.residue.to_json().as_bytes(), &limits).unwrap();
        let target = Document::parse(converted.text.as_bytes(), &limits).unwrap();
        let back = restore(&target, Some(&residue), from, to.format, &options).unwrap();
        assert!(back.text == text);
    }
}
