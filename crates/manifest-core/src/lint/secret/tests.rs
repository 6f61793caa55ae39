use diagnostic::secret::SHAPES;
use json_text::{Document, Limits};
use proptest::prelude::*;
use samples::samples;

use super::*;

#[path = "../../../../diagnostic/src/secret/tests/samples.rs"]
mod samples;

/// Each kind of secret is found in a document, however its string is escaped.
#[test]
fn each_shape_is_found_in_a_document() {
    // The escaped samples are also used as names of members.
    let limits = Limits { key_bytes: 4096, ..Limits::default() };
    for sample in samples() {
        let escapes = sample.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
        let escaped = escapes.collect::<Vec<_>>().concat();
        for string in [json_text::quote(&sample), format!("\"{escaped}\"")] {
            for text in [format!("{{\"a\": [{string}]}}"), format!("{{{string}: 1}}")] {
                let document = Document::parse(text.as_bytes(), limits).unwrap();
                assert_eq!(scan(document.root(), 10).len(), 1, "{text}");
            }
        }
    }
}

/// A quotation in a message may be a secret, unless it is a short name in lower case.
#[test]
fn quotes_are_left_out_of_messages() {
    for (message, without) in [
        ("no quotes", "no quotes"),
        (r#"the member "name" is "s3cret", not "Other""#, r#"the member "name" is "…", not "…""#),
        (r#""A" and "b_c""#, r#""…" and "b_c""#),
        (r#"it is "abcdefghijklmnopqrstuv""#, r#"it is "…""#),
        (r#"it is "open"#, r#"it is "open"#),
    ] {
        assert_eq!(remove_quotes(message), without);
    }
}

/// Texts with secrets, near misses and ordinary words.
fn texts() -> impl Strategy<Value = String> {
    let noise = || "[0-9A-Za-z_+/=.~-]{0,60}";
    let shape = proptest::sample::select(SHAPES.iter().map(|(_, kind)| *kind).collect::<Vec<_>>());
    let shape = shape.prop_flat_map(|pattern: &str| {
        // Strategies support neither look-around nor flags.
        proptest::string::string_regex(&pattern.replace(",}", ",99}").replace(")*", "){0,2}"))
            .unwrap()
    });
    let part = prop_oneof![
        3 => proptest::sample::select(samples()),
        3 => shape,
        2 => noise(),
        1 => "[A-Za-z]{10,24}",
        1 => "[a-z]{2,9}([_-][a-z]{2,9}){0,5}",
        1 => "[a-z]{2,9}([A-Z][a-z]{2,9}){0,5}",
        1 => "[0-9a-f]{12,40}",
        1 => "(AKIA|ASIA)[A-Z]{16}",
        1 => "[a-z]{1,5}://[a-z]{0,3}:?[a-z0-9!]{0,9}@?[a-z]{1,3}",
        2 => "[ -~]{0,8}",
        1 => "(api_key|token|x)[=: ]{1,2}",
        1 => "(password|pwd) ?= ?[a-z0-9]{2,9}",
        1 => "[\u{200b}\u{e9}\u{1f600}\n\"\\\\]",
    ];
    proptest::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

/// Returns a text as a JSON string, with the characters selected by `escaped` as escapes.
fn spelled(text: &str, escaped: &[bool]) -> String {
    let mut units = escaped.iter().cycle();
    let characters = text.chars().map(|c| match (units.next(), c) {
        (Some(true), '/') => "\\/".to_owned(),
        (Some(true), c) => {
            let mut units = [0; 2];
            let units = c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}"));
            units.collect::<Vec<_>>().concat()
        }
        (_, c) => {
            let quoted = json_text::quote(&c.to_string());
            quoted[1..quoted.len() - 1].to_owned()
        }
    });
    format!("\"{}\"", characters.collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// The quick check misses no secret.
    #[test]
    fn the_quick_search_finds_what_the_full_one_finds(
        texts in proptest::collection::vec(texts(), 1..5),
        escaped in proptest::collection::vec(proptest::bool::weighted(0.1), 1..40),
        name in proptest::sample::select(vec!["token", "api_key", "title", "signature"]),
    ) {
        let strings: Vec<_> = texts.iter().map(|text| spelled(text, &escaped)).collect();
        let text = format!(
            "{{\"{name}\": [{}], \"n\": [1234567890123456E+1, true], {}: {{\"default\": {}}}}}",
            strings.join(","), strings[0], strings[0]
        );
        let limits = Limits::default();
        let Ok(document) = Document::parse(text.as_bytes(), limits) else { return Ok(()) };
        let places = |found: Vec<FoundSecret<'_>>| -> Vec<_> {
            found.iter().map(|found| (found.node.span(), found.finding.clone())).collect()
        };
        let full = places(scan_fully(document.root(), 100));
        prop_assert_eq!(places(scan(document.root(), 100)), full, "{}", text);
    }
}

const BODY: &str = "u8jzPde0IgxLd6GncfBAepfJBd0Kh8oOOL8d";

#[test]
fn reports_are_json_without_secrets() {
    let random = "9fK2mQ8xV4nB7tR1wZ5y";
    let text = format!(
        r#"{{"ghp_{BODY}": 1e2, "npm_{BODY}": [{{"at": "/env/API_KEY", "was": "{random}"}}],
            "args": ["--token", "{random}"], "token": {{"default": "{random}"}}, "n": "{random}"}}"#
    );
    let document = Document::parse(text.as_bytes(), Limits::default()).unwrap();
    let masked = masked_json(document.root());
    let again = Document::parse(masked.as_bytes(), Limits::default()).unwrap();
    assert_eq!(again.root().members().count(), 5);
    assert!(!masked.contains(BODY) && masked.contains("1e2"), "{masked}");
    assert_eq!(masked.matches(random).count(), 1, "{masked}");
    assert_eq!(masked_json(again.root()), masked);
}
