//! Comparison does not depend on the format, nor on how a document is written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(all(
    feature = "testkit",
    feature = "capability",
    feature = "install-manifest",
    feature = "jumith",
    feature = "mcpkg",
    feature = "tools-json"
))]

use toolglot::compare::{Class, Digest, Side, digest, documents};
use toolglot::core::testkit::{Rng, edit, relayout};
use toolglot::{
    Format, Limits, Options, capability, convert, install_manifest, json::Document, jumith, mcpkg,
    restore, tools_json,
};

const SEEDS: u64 = 48;

type Generate = fn(&mut Rng, usize) -> String;

static FORMATS: [(&Format, Generate); 5] = [
    (&tools_json::FORMAT, tools_json::testkit::generate),
    (&mcpkg::FORMAT, mcpkg::testkit::generate),
    (&jumith::FORMAT, jumith::testkit::generate),
    (&capability::FORMAT, capability::testkit::generate),
    (&install_manifest::FORMAT, install_manifest::testkit::generate),
];

fn digests(format: &Format, text: &str) -> Vec<Digest> {
    let limits = Limits::default();
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let lifted = format.lift(&document, &limits).unwrap();
    lifted.tools.iter().map(digest).collect()
}

/// The kinds and classes of the changes between two texts.
fn changes(
    (from, old): (&'static Format, &str),
    (to, new): (&'static Format, &str),
) -> Vec<(&'static str, Class)> {
    let limits = Limits::default();
    let old = Document::parse(old.as_bytes(), &limits).unwrap();
    let new = Document::parse(new.as_bytes(), &limits).unwrap();
    let (before, after) = (from.lift(&old, &limits).unwrap(), to.lift(&new, &limits).unwrap());
    let found = documents(
        &Side { lifted: &before, source: Some((from, &old)) },
        &Side { lifted: &after, source: Some((to, &new)) },
        &limits,
    );
    for change in &found.changes {
        // Places are places.
        assert!(change.old.iter().all(|at| old.root().at(at).is_some()), "{change:?}");
        assert!(change.new.iter().all(|at| new.root().at(at).is_some()), "{change:?}");
    }
    found.changes.iter().map(|change| (change.kind, change.class)).collect()
}

#[test]
fn spelling_and_order_change_nothing() {
    for (format, generate) in FORMATS {
        for seed in 0..SEEDS {
            let rng = &mut Rng::new(seed);
            let text = generate(rng, 3);
            let other = relayout(&text, rng);
            assert_eq!(digests(format, &text), digests(format, &other), "{} {seed}", format.name);
            let found = changes((format, &text), (format, &other));
            assert_eq!(found, [], "{} {seed}", format.name);
        }
    }
}

#[test]
fn an_edit_does_not_go_unseen() {
    for (format, generate) in FORMATS {
        for seed in 0..SEEDS {
            let rng = &mut Rng::new(seed);
            let text = generate(rng, 3);
            let edited = edit(&text, format, rng);
            let limits = Limits::default();
            let trees =
                [&text, &edited].map(|text| Document::parse(text.as_bytes(), &limits).unwrap());
            if trees[0].root().same_value(trees[1].root()) {
                continue;
            }
            if format.lift(&trees[1], &limits).is_err() {
                continue;
            }
            let found = changes((format, &text), (format, &edited));
            assert!(!found.is_empty(), "{} {seed}\n{text}\n{edited}", format.name);
        }
    }
}

/// The fields that the digest of the interface covers.
const INTERFACE: &[&str] = &[
    "id",
    "name",
    "description",
    "summary",
    "input_schema",
    "output_schema",
    "side_effects",
    "idempotent",
    "requires_approval",
];

#[test]
fn the_interface_survives_what_both_formats_can_say() {
    let mut kept = 0;
    for (from, generate) in FORMATS {
        for (to, _) in FORMATS {
            for seed in 0..SEEDS / 3 {
                let text = generate(&mut Rng::new(seed), 3);
                let limits = Limits::default();
                let options = Options { spelling: false, ..Options::default() };
                let source = Document::parse(text.as_bytes(), &limits).unwrap();
                let converted = convert(&source, from, to, &options).unwrap();
                let (before, after) = (digests(from, &text), digests(to, &converted.text));
                for ((old, new), residue) in before.iter().zip(&after).zip(&converted.residue.tools)
                {
                    let touched = residue.ops.iter().any(|op| {
                        op.at.tokens().next().is_none_or(|name| INTERFACE.contains(&name.as_ref()))
                    });
                    if !touched {
                        kept += usize::from(from.name != to.name);
                        assert_eq!(
                            old.interface, new.interface,
                            "{} {} {seed}",
                            from.name, to.name
                        );
                    }
                    if residue
                        .ops
                        .iter()
                        .all(|op| op.at.tokens().next().as_deref() == Some("extras"))
                    {
                        assert_eq!(old.whole, new.whole, "{} {} {seed}", from.name, to.name);
                    }
                }
                let target = Document::parse(converted.text.as_bytes(), &limits).unwrap();
                let back = restore(&target, Some(&converted.residue), from, to, &options).unwrap();
                assert_eq!(digests(from, &back.text), before, "{} {} {seed}", from.name, to.name);
                // Any two documents can be compared.
                changes((from, &text), (to, &converted.text));
            }
        }
    }
    assert!(kept > 20, "{kept}");
}
