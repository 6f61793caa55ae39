//! Secrets are refused wherever they stand, and never printed.

use std::collections::BTreeSet;

use manifest_core::json::Document;
use manifest_core::{Limits, Profile, SourceText, ValidateOptions, render, secret};
use testkit::{Rng, Tree};

fn noise(rng: &mut Rng, length: usize) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    (0..length).map(|_| char::from(LETTERS[rng.below(LETTERS.len())])).collect()
}

fn tokens(rng: &mut Rng) -> Vec<String> {
    let mut any = |length| noise(rng, length);
    vec![
        format!("ghp_{}", any(36)),
        format!("github_pat_{}", any(82)),
        format!("glpat-{}", any(20)),
        format!("sk_live_{}", any(24)),
        format!("sk-ant-api03-{}AA", any(93)),
        format!("AIza{}", any(35)),
        format!("npm_{}", any(36)),
        format!("hf_{}", any(34)),
        format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.{}", any(30), any(43)),
        format!("xoxb-123456789012-123456789012-{}", any(24)),
    ]
}

/// A token in the place of any string of a manifest, in every profile: it is an
/// error there, and nothing that is said about the document holds it.
#[test]
fn in_any_string_and_never_printed() {
    for seed in 0..60 {
        let rng = &mut Rng::new(seed);
        let clean = capability::testkit::manifest(rng, 0, 2);
        let places: Vec<String> = clean
            .leaves()
            .into_iter()
            .filter(|(place, leaf)| matches!(leaf, Tree::Text(_)) && !place.ends_with("/signature"))
            .map(|(place, _)| place)
            .collect();
        let tokens = tokens(rng);
        let token = &tokens[rng.below(tokens.len())];
        let place = &places[rng.below(places.len())];
        let mut tree = clean.clone();
        *tree.at_mut(place).unwrap() = Tree::from(format!("a {token}"));
        let text =
            if rng.once_in(2) { tree.render() } else { testkit::relayout(&tree.render(), rng) };
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        for profile in [Profile::Spec, Profile::Reference, Profile::Strict] {
            let options = ValidateOptions { profile, ..ValidateOptions::default() };
            let report = capability::validate(&document, &options);
            let codes: Vec<_> = report.errors().map(|error| error.rule.code).collect();
            assert!(codes.contains(&"capability/secret-value"), "{place} {profile:?}: {codes:?}");
            let source = SourceText { name: "x.json", bytes: text.as_bytes() };
            let mut said = format!("{report:?}") + &serde_json::to_string(&report).unwrap();
            for diagnostic in &report.diagnostics {
                said += &render(diagnostic, Some(&source), false);
            }
            let body = &token[token.len() - 16..];
            assert!(!said.contains(body), "{place}: {said}");
        }
    }
}

#[test]
fn in_names_too() {
    let token = format!("ghp_{}", noise(&mut Rng::new(1), 36));
    let rng = &mut Rng::new(2);
    let mut tree = capability::testkit::manifest(rng, 0, 1);
    let schema = vec![testkit::member(&token, Tree::plain("true"))];
    *tree.at_mut("/interfaces/inputs").unwrap() = Tree::from(schema);
    let text = tree.render();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let report = capability::validate(&document, &ValidateOptions::default());
    assert!(report.errors().any(|error| error.rule.code == "capability/secret-value"));
    assert!(!format!("{report:?}").contains(&token));
}

/// What generators, vectors and specifications hold is clean: no false alarm.
#[test]
fn no_false_alarm_on_clean_manifests() {
    let check = |text: &str| {
        let document = Document::parse(text.as_bytes(), &Limits::for_catalog()).unwrap();
        let found = secret::scan(document.root(), 10);
        assert!(found.is_empty(), "{found:?}\n{text}");
    };
    for seed in 0..2000 {
        check(&capability::testkit::generate(&mut Rng::new(seed), 3));
    }
    let vectors = include_str!("../../fixtures/capability/capability.validate.jsonl").lines();
    vectors.chain(include_str!("../../fixtures/capability/clean.jsonl").lines()).for_each(check);
}

/// The same for a folder of your own: `TOOLGLOT_CORPUS` names it.
#[test]
fn no_false_alarm_on_a_corpus() {
    let Some(folder) = std::env::var_os("TOOLGLOT_CORPUS") else {
        return;
    };
    let (mut count, mut alarms) = (0, Vec::new());
    let mut open = vec![std::path::PathBuf::from(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|end| end == "json" || end == "jsonl") {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let lines = path.extension().is_some_and(|end| end == "jsonl");
            let texts = if lines { text.lines().collect() } else { vec![text.as_str()] };
            for text in texts {
                let limits = Limits { document_bytes: 64 << 20, ..Limits::for_catalog() };
                let Ok(document) = Document::parse(text.as_bytes(), &limits) else {
                    continue;
                };
                count += 1;
                for found in secret::scan(document.root(), 10) {
                    let place = found.node.pointer();
                    alarms.push(format!("{} {place} {}", path.display(), found.finding));
                }
            }
        }
    }
    assert!(alarms.is_empty(), "{} in {count} documents:\n{}", alarms.len(), alarms.join("\n"));
}

/// References that are none are refused; good ones pass.
///
/// Row X05 of the catalogue of attacks.
#[test]
fn references_only() {
    let codes = |reference: &str| {
        let mut tree = capability::testkit::manifest(&mut Rng::new(9), 0, 1);
        let Tree::Object(members) = &mut tree else { return Vec::new() };
        members.retain(|(name, _)| name != "secrets");
        let secret = vec![testkit::member("name", "A"), testkit::member("ref", reference)];
        members.push(testkit::member("secrets", vec![Tree::from(secret)]));
        let text = tree.render();
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let report = capability::validate(&document, &ValidateOptions::default());
        report.errors().map(|error| error.rule.code).collect::<Vec<_>>()
    };
    assert!(codes("vault://kv/unison/github#token").is_empty());
    for reference in ["plain", "file:///etc/shadow", "data:,x", "hunter2", "vault://"] {
        assert_eq!(codes(reference), ["capability/secret-ref"], "{reference}");
    }
    assert_eq!(codes(""), ["capability/empty"]);
    assert_eq!(codes("https://user:s3cr3tpw@host/"), ["capability/secret-value"]);
    let token = format!("ghp_{}", noise(&mut Rng::new(3), 36));
    assert_eq!(codes(&token), ["capability/secret-value"]);
}

/// What is wrong with one secret is reported whatever the others are: a list has the
/// problems of each of its elements.
#[test]
fn each_is_reported_beside_any_other() {
    let random = "9fK2mQ8xV4nB7tR1wZ5y";
    let broken = [
        "5".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
        r#"{"name": "A"}"#.to_owned(),
        r#"{"name": "B", "ref": "plain"}"#.to_owned(),
        r#"{"name": "", "ref": ""}"#.to_owned(),
        r#"{"name": 3, "ref": "file:///etc/shadow"}"#.to_owned(),
        r#"{"name": "C", "ref": false}"#.to_owned(),
        r#"{"name": "D", "ref": "vault://a/b", "value": "x"}"#.to_owned(),
        r#"{"name": "E\u0007", "ref": "hunter2"}"#.to_owned(),
        r#"{"ref": "data:,x"}"#.to_owned(),
        format!(r#"{{"name": "API_TOKEN", "ref": "{random}"}}"#),
        format!(r#"{{"name": "F", "ref": "ghp_{}"}}"#, noise(&mut Rng::new(4), 36)),
    ];
    let clean = capability::testkit::manifest(&mut Rng::new(9), 0, 1);
    let Tree::Object(mut members) = clean else { panic!("a manifest is an object") };
    members.retain(|(name, _)| name != "secrets");
    let clean = Tree::Object(members).render();
    let problems = |list: &str| {
        let text =
            format!(r#"{{"secrets": [{list}], {}"#, clean.trim_start().strip_prefix('{').unwrap());
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let report = capability::validate(&document, &ValidateOptions::default());
        let found = report.errors().map(|error| (error.rule.code, error.pointer.to_string()));
        found.collect::<BTreeSet<_>>()
    };
    let alone: Vec<_> = broken.iter().map(|one| problems(one)).collect();
    for (one, found) in broken.iter().zip(&alone) {
        assert!(!found.is_empty(), "{one} passes");
    }
    for (first, of_first) in broken.iter().zip(&alone) {
        for (second, of_second) in broken.iter().zip(&alone).filter(|(other, _)| *other != first) {
            let moved = |(code, place): &(&'static str, String)| {
                (*code, place.replacen("/secrets/0", "/secrets/1", 1))
            };
            let expected = of_first.iter().cloned().chain(of_second.iter().map(moved)).collect();
            assert_eq!(problems(&format!("{first}, {second}")), expected, "{first}, {second}");
        }
    }
}
