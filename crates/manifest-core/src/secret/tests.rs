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
    assert!([&SHAPES, &ASSIGNED, &WORDS].iter().all(|pattern| pattern.is_some()));
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

#[test]
fn noise_costs_little() {
    // A quadratic search would take minutes.
    for text in ["a", "A", "eyJ", "ghp_", "://a:b", "key=", "sk-", "token:A1b"] {
        let long = text.repeat((1 << 20) / text.len());
        let _ = find(&long);
        let _ = find_named("token", &long);
    }
}
