//! The laws, on generated manifests.

use install_manifest::testkit::generate;
use testkit::{Rng, Tree, laws, relayout};

use super::*;

#[test]
fn tree_fidelity() {
    for (name, text) in VALID {
        laws::tree_fidelity(&FORMAT, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    for seed in 0..1000 {
        let rng = &mut Rng::new(seed);
        let mut text = generate(rng, 3);
        if rng.once_in(2) {
            text = close(&relayout(&text, rng));
        }
        laws::tree_fidelity(&FORMAT, &text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    }
}

/// The text without white space in what is empty: the law looks at how leaves are spelled,
/// and layout is no spelling.
fn close(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '}' | ']') {
            let kept = out.trim_end_matches([' ', '\t', '\n', '\r']).len();
            if out[..kept].ends_with(['{', '[']) {
                out.truncate(kept);
            }
        }
        out.push(c);
    }
    out
}

fn tree(text: &str) -> Tree {
    Tree::parse(text).unwrap().normalized()
}

/// What is written in the source's own format is as valid as the source.
#[test]
fn own_words_are_valid() {
    for seed in 0..500 {
        let text = generate(&mut Rng::new(seed), 3);
        let document = open(&text);
        let written = FORMAT.lower_to_source(&lift(&document), &document).unwrap();
        laws::check_valid(&FORMAT, &written[0])
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let (before, after) = (tree(&text), tree(&written[0]));
        for place in ["/manifest_version", "/runtime/kind"] {
            assert_eq!(before.at(place), after.at(place), "seed {seed}");
        }
    }
}

/// Up and down between any two versions: valid, with the same calls, or refused by name.
#[test]
fn versions() {
    let mut counts = [0; 2];
    for seed in 0..300 {
        let text = generate(&mut Rng::new(seed), 2);
        for version in FORMAT.versions {
            let converted = match to_version(&text, version) {
                Ok(converted) => converted,
                Err(why) => {
                    assert!(why.contains("convert/version"), "seed {seed}: {why}\n{text}");
                    counts[0] += 1;
                    continue;
                }
            };
            counts[1] += 1;
            let written = &converted.documents[0].text;
            if let Ok(target) = serde_json::from_str(written) {
                super::versions::published(version, &target);
            }
            let (source, target) = (tree(&text), tree(written));
            for place in ["/runtime/kind", "/runtime/entrypoint", "/runtime/endpoint_url"] {
                let empty = Tree::Array(Vec::new());
                let before = source.at(place).filter(|tree| **tree != empty);
                assert_eq!(before, target.at(place), "seed {seed} to {version}: {place}");
            }
            // Before 0.3 nothing says where data goes: scopes after the source's own say that it
            // is sent or kept.
            let scopes =
                |tree: &Tree| tree.get("scopes").map(Tree::elements).unwrap_or_default().to_vec();
            let (before, after) = (scopes(&source), scopes(&target));
            assert!(after.starts_with(&before), "seed {seed} to {version}");
            let unbounded =
                matches!(*version, "0.1" | "0.2") && source.get("data_boundary").is_some();
            assert!(unbounded || after.len() == before.len(), "seed {seed} to {version}");
            let calls = |tree: &Tree| -> Vec<Vec<(String, Tree)>> {
                let actions = tree.get("actions").map(Tree::elements).unwrap_or_default();
                actions.iter().map(call).collect()
            };
            assert_eq!(calls(&source), calls(&target), "seed {seed} to {version}");
        }
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

/// The call of an action, without what is empty.
fn call(action: &Tree) -> Vec<(String, Tree)> {
    let says = |(_, value): &&(String, Tree)| {
        *value != Tree::Array(Vec::new()) && *value != Tree::Object(Vec::new())
    };
    let members = action.get("invocation").map(Tree::members).unwrap_or_default();
    members.iter().filter(says).cloned().collect()
}
