//! Lift and lower, without other formats.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(feature = "testkit")]

use install_manifest::testkit::{generate, generate_one};
use install_manifest::{FORMAT, Version, format_of};
use manifest_core::convert::{Options, convert};
use manifest_core::json::{Document, Node};
use manifest_core::testkit::{Rng, Tree, difference, laws, relayout};
use manifest_core::{Defaults, Limits};

/// What is one manifest comes back as one, with all its actions.
#[test]
fn manifests_stay_together() {
    for seed in 0..2000 {
        let rng = &mut Rng::new(seed);
        let text = generate(rng, 3);
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let lifted = (FORMAT.read)(&document);
        let written = (FORMAT.write)(&lifted, &Defaults::default()).unwrap();
        let written = Document::parse(written.as_bytes(), &Limits::default()).unwrap();
        let mirror = (FORMAT.read)(&written);
        let places = |lifted: &manifest_core::Lifted<'_>| {
            lifted.tools.iter().map(|tool| tool.source.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(places(&lifted), places(&mirror), "seed {seed}\n{text}\n{}", written.text());
    }
}

#[test]
fn tree_fidelity() {
    for seed in 0..300 {
        let rng = &mut Rng::new(seed);
        let mut text = generate(rng, 3);
        if rng.once_in(2) {
            text = relayout(&text, rng);
        }
        laws::tree_fidelity(&FORMAT, &text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    }
}

/// Up and down between any two versions, and back.
#[test]
fn versions() {
    let versions = [Version::V0_1, Version::V0_2, Version::V0_3, Version::V0_3_1, Version::V0_4];
    for seed in 0..24 {
        let text = generate_one(&mut Rng::new(seed), 2);
        for wanted in versions {
            let to = format_of(wanted);
            let fail = |e| panic!("seed {seed} to {}: {e}", to.name);
            laws::valid_output(&FORMAT, to, &text).unwrap_or_else(fail);
            laws::round_trip(&FORMAT, to, &text).unwrap_or_else(fail);
            laws::never_safer(&FORMAT, to, &text).unwrap_or_else(fail);
            let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let converted = convert(&source, &FORMAT, to, &Options::default()).unwrap();
            let target = Document::parse(converted.text.as_bytes(), &Limits::default()).unwrap();
            let root = target.root();
            let mut manifests = root.elements().chain(Some(root).filter(|root| root.is_object()));
            let is_wanted = |node: Node<'_>| {
                node.get("manifest_version").and_then(Node::text).as_deref() == Some(wanted.word())
            };
            assert!(manifests.all(is_wanted), "seed {seed}: {}", converted.text);
        }
    }
}

/// What another version has and descriptors have no word for is not lost on the
/// way up.
#[test]
fn a_higher_version_keeps_what_it_knows() {
    let text = include_str!("fixtures/valid/0.3.json");
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let to = format_of(Version::V0_4);
    let converted = convert(&source, &FORMAT, to, &Options::default()).unwrap();
    let expected = text.replace("\"manifest_version\": \"0.3\"", "\"manifest_version\": \"0.4\"");
    let tree = |text: &str| Tree::parse(text).unwrap().normal();
    assert_eq!(difference(&tree(&expected), &tree(&converted.text)), None);
}
