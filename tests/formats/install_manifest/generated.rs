//! The generator makes valid documents, and reading and writing them again keeps
//! what they say.

use install_manifest::testkit::generate;
use install_manifest::{Manifest, validate};
use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};
use testkit::{Rng, Tree, difference};

#[test]
fn valid() {
    for seed in 0..500 {
        let text = generate(&mut Rng::new(seed), 3);
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let report = validate(&document, &ValidateOptions::default());
        let errors: Vec<_> = report.errors().map(ToString::to_string).collect();
        assert!(report.is_valid(), "seed {seed}: {errors:#?}\n{text}");
    }
}

/// Empty lists and objects that say nothing need not come back.
fn essential(tree: &Tree) -> Tree {
    match tree {
        Tree::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), essential(value)));
            let says = |(name, value): &(String, Tree)| {
                let list = matches!(value, Tree::Array(elements) if elements.is_empty());
                let map = name.starts_with("json_pointer") || name == "headers";
                let empty = matches!(value, Tree::Object(members) if members.is_empty());
                !(list || map && empty)
            };
            Tree::Object(members.filter(says).collect()).normalized()
        }
        Tree::Array(elements) => Tree::Array(elements.iter().map(essential).collect()),
        _ => tree.normalized(),
    }
}

#[test]
fn typed_document_holds_everything() {
    for seed in 0..500 {
        let text = generate(&mut Rng::new(seed), 3);
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let manifest = Manifest::read(&document).unwrap_or_else(|| panic!("seed {seed}: {text}"));
        let written = manifest.to_json();
        let (before, after) = (Tree::parse(&text).unwrap(), Tree::parse(&written).unwrap());
        let difference = difference(&essential(&before), &essential(&after));
        assert_eq!(difference, None, "seed {seed}");
    }
}
