use proptest::prelude::*;
use regex::Regex;

use super::shape::{ASSIGNED, EACH, FLAGGED, NAMES, SHAPES};
use super::*;
use crate::Limits;
use crate::json::Document;

/// Random characters that look the same on every machine.
fn noise(length: usize, alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = 0x9e37_79b9_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        alphabet[usize::try_from(state >> 33).unwrap() % alphabet.len()]
    };
    (0..length).map(|_| next()).collect()
}

const BASE62: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// One of each shape.
fn samples() -> Vec<String> {
    let any = |length| noise(length, BASE62);
    let hex = |length| noise(length, "0123456789abcdef");
    vec![
        format!("ghp_{}", any(36)),
        format!("github_pat_{}", any(82)),
        format!("glpat-{}", any(20)),
        format!("xoxb-123456789012-123456789012-{}", any(24)),
        format!("https://hooks.slack.com/services/T{0}/B{0}/{1}", "0AB12CD34", any(24)),
        format!("AKIA{}", noise(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")),
        format!("sk_live_{}", any(24)),
        format!("sk-ant-api03-{}AA", any(93)),
        format!("sk-proj-{}T3BlbkFJ{}", any(74), any(74)),
        format!("AIza{}", any(35)),
        format!("npm_{}", any(36)),
        format!("hf_{}", any(34)),
        format!("dop_v1_{}", hex(64)),
        format!("SG.{}.{}", any(22), any(43)),
        format!("hvs.{}", any(24)),
        format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.{}", any(30), any(43)),
        format!("Authorization: Bearer {}", any(40)),
        format!("-----BEGIN RSA PRIVATE KEY-----\nMIIE{}", any(60)),
        format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQPG{}", any(60)),
        "postgres://admin:hunter2@db.example.com/x".to_owned(),
        format!("API_TOKEN={}", any(32)),
        format!("say \"secret\": \"{}\"", any(32)),
    ]
}

#[test]
fn every_pattern_compiles() {
    for (kind, pattern) in KINDS {
        assert!(Regex::new(pattern).is_ok(), "{kind}");
    }
    assert!(EACH.iter().all(|(_, pattern)| pattern.is_some()));
    assert!([&SHAPES, &ASSIGNED, &FLAGGED, &NAMES].iter().all(|pattern| pattern.is_some()));
}

#[test]
fn each_shape_is_found_wherever_it_stands() {
    for sample in samples() {
        for text in [sample.clone(), format!("use {sample} here"), format!("\"{sample}\"")] {
            let found = find(&text).unwrap_or_else(|| panic!("{text}"));
            assert!(!found.to_string().contains(&sample), "{found}");
            assert!(masked(&text) != text && masked(&text).len() == text.len());
        }
        let split: String = sample.chars().flat_map(|c| [c, '\u{200b}']).collect();
        assert!(find(&split).is_some(), "{sample} with invisible characters");
    }
}

/// In a document, whatever the spelling of its strings.
#[test]
fn each_shape_is_found_in_a_document() {
    for sample in samples() {
        let escapes = sample.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
        let escaped = escapes.collect::<Vec<_>>().concat();
        for string in [crate::json::quote(&sample), format!("\"{escaped}\"")] {
            for text in [format!("{{\"a\": [{string}]}}"), format!("{{{string}: 1}}")] {
                let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
                assert_eq!(scan(document.root(), 10).len(), 1, "{text}");
            }
        }
    }
}

#[test]
fn what_stands_for_a_secret_is_none() {
    let zeros = "0".repeat(36);
    let clean = [
        "YOUR_API_KEY",
        "sk_test_xxx",
        "<token>",
        "${env.X}",
        "AKIAIOSFODNN7EXAMPLE",
        "Bearer ${TOKEN}",
        "Bearer YOUR_ACCESS_TOKEN_GOES_HERE",
        "postgres://user:${PASSWORD}@host/db",
        "postgres://user:password@localhost/db",
        "https://example.com/a?b=c@d",
        "mailto:a@b.example",
        "vault://kv/unison/github#token",
        "secret://oauth/google/abcdef0123456789",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "123e4567-e89b-12d3-a456-426614174000",
        "api_key: projects/acme/secrets/weather/versions/latest",
        "token=MyVeryLongCamelCaseIdentifierName2",
        "MinimumLength8AndOneDigit1",
        "-----BEGIN PUBLIC KEY-----",
        "begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----",
        "amqp://guest:guest@127.0.0.1:5672",
    ];
    for text in clean.iter().copied().chain([format!("ghp_{zeros}").as_str()]) {
        assert_eq!(find(text), None, "{text}");
        assert_eq!(find_named("api_token", text), None, "{text}");
    }
}

/// Masking ends, however short what it masks is, and goes on to what comes after.
#[test]
fn short_passwords_are_masked_once() {
    let text = "https://user:pw@some-host/ https://user:hunter2hunter2@h/";
    assert_eq!(masked(text), "https://user:**@some-host/ https://user:**************@h/");
}

#[test]
fn noise_costs_little() {
    // A quadratic search would take minutes.
    for text in ["a", "A", "eyJ", "ghp_", "://a:b", "key=", "sk-", "token:A1b"] {
        let long = text.repeat((1 << 20) / text.len());
        let _ = find(&long);
        let _ = find_named("token", &long);
    }
}

/// A text with secrets, near misses and words in it.
fn texts() -> impl Strategy<Value = String> {
    let noise = || "[0-9A-Za-z_+/=.~-]{0,60}";
    let shape = proptest::sample::select(KINDS.iter().map(|(_, kind)| *kind).collect::<Vec<_>>());
    let shape = shape.prop_flat_map(|pattern: &str| {
        // Strategies know no look at what is around, and no flags.
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
        1 => "[\u{200b}\u{e9}\u{1f600}\n\"\\\\]",
    ];
    proptest::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

/// A text as a JSON string in one of its spellings: each character may be escaped.
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
            let quoted = crate::json::quote(&c.to_string());
            quoted[1..quoted.len() - 1].to_owned()
        }
    });
    format!("\"{}\"", characters.collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// The search for what can be a secret at all overlooks none.
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
        let Ok(document) = Document::parse(text.as_bytes(), &limits) else { return Ok(()) };
        let places = |found: Vec<Found<'_>>| -> Vec<_> {
            found.iter().map(|found| (found.node.span(), found.finding.clone())).collect()
        };
        let full = places(walk(document.root(), 100));
        prop_assert_eq!(places(scan(document.root(), 100)), full, "{}", text);
    }

    /// Runs are where a plain loop finds them.
    #[test]
    fn runs_are_all_there(text in "[a+_ \"\\\\\u{e9}.]{0,20}([a-]{10,20}[ ./]{0,2}){0,4}[a ]{0,20}") {
        let within = |b: u8| b.is_ascii_alphanumeric() || b"+-_\\".contains(&b) || b > 127;
        let (mut plain, mut start) = (Vec::new(), 0);
        for (at, byte) in text.bytes().chain([b' ']).enumerate() {
            if !within(byte) {
                plain.extend((at - start >= RUN).then_some(start..at));
                start = at + 1;
            }
        }
        prop_assert_eq!(Runs::of(text.as_bytes()).collect::<Vec<_>>(), plain);
    }
}

const BODY: &str = "u8jzPde0IgxLd6GncfBAepfJBd0Kh8oOOL8d";

#[test]
fn every_spelling_is_masked() {
    let stars = |count| "*".repeat(count);
    for (text, expected) in [
        (format!("use ghp_{BODY}, twice: ghp_{BODY}"), format!("use {0}, twice: {0}", stars(40))),
        (format!("\"gh\\u0070_{BODY}\""), format!("\"{}\"", stars(45))),
        (format!("\"gh\\\\u0070_{BODY}\""), format!("\"{}\"", stars(46))),
        (format!("gh\\u{{70}}_{BODY} it"), format!("{} it", stars(45))),
        (format!("x?t=ghp%5F{BODY}&b"), format!("x?t={}&b", stars(42))),
        (format!("my_ghp_{BODY}"), format!("my_{}", stars(40))),
        (format!("g\u{200b}hp_{BODY}!"), format!("{}!", stars(43))),
        ("/a/x:~1~1me:hunter2@host~1b".to_owned(), "/a/x:~1~1me:*******@host~1b".to_owned()),
        (
            "x:\\/\\/me:hunter2@host.example".to_owned(),
            "x:\\/\\/me:*******@host.example".to_owned(),
        ),
    ] {
        assert_eq!(masked(&text), expected);
        assert_eq!(masked(&expected), expected);
    }
    let key =
        format!("-----BEGIN PRIVATE KEY-----\\n{BODY}\\n{BODY}==\\n-----END PRIVATE KEY-----");
    assert!(!masked(&key).contains("u8jz") && masked(&key).ends_with("-----END PRIVATE KEY-----"));
    for clean in ["50% of ~1 \\n", "C:\\Users\\nobody\\AppData\\Local", "é ~~ %zz \\u12 \\"] {
        assert!(matches!(masked(clean), std::borrow::Cow::Borrowed(_)), "{clean}");
    }
}

#[test]
fn reports_are_json_without_secrets() {
    let random = "9fK2mQ8xV4nB7tR1wZ5y";
    let text = format!(
        r#"{{"ghp_{BODY}": 1e2, "npm_{BODY}": [{{"at": "/env/API_KEY", "was": "{random}"}}],
            "args": ["--token", "{random}"], "token": {{"default": "{random}"}}, "n": "{random}"}}"#
    );
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let masked = masked_json(document.root());
    let again = Document::parse(masked.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(again.root().members().count(), 5);
    assert!(!masked.contains(BODY) && masked.contains("1e2"), "{masked}");
    assert_eq!(masked.matches(random).count(), 1, "{masked}");
    assert_eq!(masked_json(again.root()), masked);
}

#[test]
fn many_secrets_are_masked_in_little_time() {
    let text =
        format!("ghp_{BODY} redis://me:hunter2@host api_key=9fK2mQ8xV4nB7tR1wZ5y ").repeat(4000);
    let masked = masked(&text);
    assert!(!masked.contains("u8jz") && !masked.contains("hunter2") && !masked.contains("9fK2"));
}
