//! No input makes any of it panic, on a small stack.

use capability::{Catalog, CatalogShape, Policy, ReadCatalog, registries};
use manifest_core::json::Document;
use manifest_core::{Depth, Limits, Profile, ValidateOptions};
use testkit::{Rng, edit, relayout};
use toolglot_tests::on_a_small_stack;

/// Everything that takes a document from a stranger.
fn everything(text: &[u8]) {
    let limits = Limits::default();
    let Ok(document) = Document::parse(text, &limits) else {
        return;
    };
    for profile in [Profile::Spec, Profile::Reference, Profile::Strict] {
        for depth in [Depth::Structure, Depth::Semantics, Depth::Advice] {
            let validate = ValidateOptions {
                profile,
                depth,
                limits: limits.clone(),
                ..ValidateOptions::default()
            };
            let report = capability::validate(&document, &validate);
            for diagnostic in &report.diagnostics {
                assert!(diagnostic.span.is_some(), "{diagnostic}");
                assert!(diagnostic.message.len() < 512, "{diagnostic}");
                assert!(!diagnostic.message.contains(char::is_control), "{diagnostic}");
            }
            for shape in [CatalogShape::Catalog, CatalogShape::Static] {
                let options = ReadCatalog { shape, validate: validate.clone(), fail_all: false };
                if let Ok((catalog, _)) = Catalog::read(&document, &options) {
                    let _ = catalog.render_into(&document);
                }
            }
            let policy = Policy::default();
            let url = "https://registry.example/";
            if let Ok((found, _)) = registries::read_index(&document, url, &policy, &validate) {
                for candidate in found {
                    let _ = registries::check_fetched(&candidate, text, &validate);
                    let _ = candidate.to_entry();
                }
            }
        }
    }
    let _ = capability::digest(document.root());
    let _ = capability::Manifest::read(&document);
    let _ = capability::FORMAT.lift(&document, &limits);
}

#[test]
fn everything_works_on_a_small_stack() {
    let run = || {
        for seed in 0..400 {
            let rng = &mut Rng::new(seed);
            let mut text = capability::testkit::generate(rng, 2);
            for _ in 0..rng.below(4) {
                text = edit(&text, &capability::FORMAT, rng);
            }
            everything(text.as_bytes());
            let mut bytes = relayout(&text, rng).into_bytes();
            for _ in 0..rng.below(3) {
                let at = rng.below(bytes.len());
                bytes[at] = u8::try_from(rng.below(256)).unwrap();
            }
            everything(&bytes);
        }
        let deep = |open: &str, close: &str| open.repeat(120) + &close.repeat(120);
        for text in [deep("[", "]"), deep("{\"capabilities\":[", "]}"), "{}".into(), "[]".into()] {
            everything(text.as_bytes());
        }
        let clean = capability::testkit::manifest(&mut Rng::new(1), 0, 1).render();
        for end in 0..clean.len() {
            everything(&clean.as_bytes()[..end]);
        }
    };
    on_a_small_stack(run);
}
