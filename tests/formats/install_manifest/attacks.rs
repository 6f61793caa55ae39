//! Documents that are made to hurt: they end, on a small stack, with a verdict.

use convert::{Options, convert};
use install_manifest::{FORMAT, validate};
use manifest_core::json::Document;
use manifest_core::{Limits, Profile, Report, ValidateOptions, template};
use testkit::Tree;
use toolglot_tests::on_a_small_stack;

/// The clean document with a JSON value in place of another.
fn with(place: &str, value: &str) -> String {
    let mut tree =
        Tree::parse(include_str!("../../../crates/install-manifest/src/testkit/clean.json"))
            .unwrap();
    *tree.at_mut(place).unwrap() = Tree::parse(value).unwrap();
    tree.render()
}

fn list(count: usize, element: impl Fn(usize) -> String) -> String {
    let elements: Vec<String> = (0..count).map(element).collect();
    format!("[{}]", elements.join(","))
}

fn map(count: usize, value: &str) -> String {
    let members: Vec<String> = (0..count).map(|i| format!("\"n{i}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

fn report(text: &str, profile: Profile) -> Report {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    validate(&document, &ValidateOptions { profile, ..ValidateOptions::default() })
}

#[test]
fn floods() {
    let texts = [
        // Problems of every kind, very many of each.
        with("/actions/0/invocation/argv_template", &list(60_000, |_| "\"${\"".into())),
        with("/actions/0/invocation/argv_template", &list(60_000, |_| "1".into())),
        with("/runtime/entrypoint/command", &list(60_000, |_| "\"${env.API_KEY}\"".into())),
        with("/actions", &list(30_000, |_| "{}".into())),
        with("/env", &list(20_000, |i| format!(r#"{{"name":"A{i}","prompt":"x","secret":true}}"#))),
        with("/smoke/success", &format!(r#"{{"json_pointer_equals":{}}}"#, map(60_000, "1"))),
        with("/smoke/success", &format!(r#"{{"json_pointer_in":{}}}"#, map(60_000, "[]"))),
        with("/tool", &map(60_000, "1")),
        with("/tool/homepage", &format!("\"{}\"", "http://".repeat(10_000))),
        with(
            "/data_boundary/transmits",
            &list(8000, |_| {
                r#"{"to":"x","fields":["x"],"purpose":"x","third_party_retention":"unknown","vendor_tos_url":"no"}"#
                    .into()
            }),
        ),
        with(
            "/actions/0/invocation",
            &format!(
                r#"{{"kind":"http","method":"GET","path":"/","headers":{}}}"#,
                map(40_000, "\"\\n\"")
            ),
        ),
        list(2000, |_| "{}".into()),
    ];
    for text in texts {
        for profile in [Profile::Spec, Profile::Reference, Profile::Strict] {
            let text = text.clone();
            let report = on_a_small_stack(move || report(&text, profile));
            assert!(report.diagnostics.len() <= Limits::default().diagnostics);
        }
    }
}

/// A flood of warnings does not hide an error behind it.
#[test]
fn an_error_after_many_warnings() {
    let recipient = |tail: &str| {
        format!(
            r#"{{"to":"x","fields":["x"],"purpose":"x","third_party_retention":"unknown","vendor_tos_url":{tail}}}"#
        )
    };
    let many = list(4000, |i| recipient(if i == 3999 { "1" } else { "\"no\"" }));
    let report = report(&with("/data_boundary/transmits", &many), Profile::Spec);
    assert!(!report.is_valid());
    assert!(report.errors().any(|d| d.pointer.as_str().ends_with("/3999/vendor_tos_url")));
}

#[test]
fn patterns_that_explode() {
    for pattern in ["^(a{1000}){1000}$", "^(((a{99}){99}){99}){99}$"] {
        let report =
            report(&with("/env/1/validation_regex", &format!("{pattern:?}")), Profile::Spec);
        let codes: Vec<_> = report.errors().map(|d| d.rule.code).collect();
        assert_eq!(codes, ["install-manifest/regex"], "{pattern}");
    }
}

#[test]
fn templates_that_nest() {
    let deep = "${input.".repeat(30_000);
    assert!(on_a_small_stack(move || template::parse(&deep).is_err()));
    let many = "${input.a}".repeat(20_000);
    assert_eq!(template::parse(&many).unwrap().len(), 20_000);
}

/// No diagnostic repeats a secret.
#[test]
fn secrets_are_not_repeated() {
    let text = with(
        "/env/0",
        r#"{"name":"API_KEY","prompt":"x","secret":true,"default":"hunter2hunter2"}"#,
    );
    let report = report(&text, Profile::Spec);
    assert!(!report.is_valid());
    assert!(!serde_json::to_string(&report).unwrap().contains("hunter2"));
}

/// A password that is too short to be told from its mask keeps nobody busy.
#[test]
fn short_passwords_in_names() {
    let text = with("/tool", r#"{"https://user:pw@some-host/":1}"#);
    let report = serde_json::to_string(&report(&text, Profile::Spec)).unwrap();
    assert!(report.contains("install-manifest/secret") && !report.contains("pw@"), "{report}");
}

/// As deep as the limit allows is converted like any other.
#[test]
fn deep_schemas() {
    let deep = format!("{}{}", "{\"not\":".repeat(50), "}".repeat(50)).replace(":}", ":{}}");
    let text = with("/actions/0/input", &format!(r#"{{"properties":{{"to":{deep}}}}}"#));
    on_a_small_stack(move || {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let converted = convert(&document, &FORMAT, &FORMAT, &Options::default()).unwrap();
        assert_eq!(converted.documents[0].text, text);
    });
}
