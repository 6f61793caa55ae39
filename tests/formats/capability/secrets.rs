//! Secrets in names, and references to secrets. `attacks/secrets.rs` tries all other texts.

use std::collections::BTreeSet;

use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};
use testkit::{Rng, Tree};

fn noise(rng: &mut Rng, length: usize) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    (0..length).map(|_| char::from(LETTERS[rng.below(LETTERS.len())])).collect()
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
