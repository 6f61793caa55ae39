use std::borrow::Cow;

use proptest::prelude::*;
use regex::Regex;

use super::shape::{ANY_SHAPE, ASSIGNMENT, FLAG_VALUE, SECRET_NAME, SHAPE_PATTERNS};
use super::*;
use crate::secret::runs::MIN_RUN;
use samples::samples;

mod samples;

#[test]
fn every_pattern_compiles() {
    for (kind, pattern) in SHAPES {
        assert!(Regex::new(pattern).is_ok(), "{kind}");
    }
    assert_eq!(SHAPE_PATTERNS.len(), SHAPES.len());
    assert!(
        [&ANY_SHAPE, &ASSIGNMENT, &FLAG_VALUE, &SECRET_NAME]
            .iter()
            .all(|pattern| pattern.is_some())
    );
}

#[test]
fn each_shape_is_found_wherever_it_stands() {
    for sample in samples() {
        for text in [sample.clone(), format!("use {sample} here"), format!("\"{sample}\"")] {
            let found = find(&text).unwrap_or_else(|| panic!("{text}"));
            assert!(!found.to_string().contains(&sample), "{found}");
            assert!(mask(&text) != text && mask(&text).len() == text.len());
            let written = format!("{text:?}");
            let held = may_hold(&written) || may_hold_password(&written);
            assert!(held, "the quick look overlooks {text}");
        }
        let split: String = sample.chars().flat_map(|c| [c, '\u{200b}']).collect();
        assert!(find(&split).is_some(), "{sample} with invisible characters");
    }
}

#[test]
fn a_long_secret_is_masked_to_its_end() {
    let long = "Zx9kQ2mV".repeat(200);
    for text in
        [format!("user=me;password={long}"), format!("Basic dXNlcnM6{}", "YWJjMTIz".repeat(200))]
    {
        assert!(!mask(&text).contains(&text[text.len() - 20..]), "{}", &text[..30]);
    }
}

#[test]
fn what_stands_for_a_secret_is_none() {
    let zeros = "0".repeat(36);
    let clean = [
        "YOUR_API_KEY",
        "xxxx-aB3dE5fG7hI9jK1lM3nO5pQ7",
        "<aB3dE5fG7hI9jK1lM3nO5pQ7rS9>",
        "https://files.acme.net/q8Zk3Vw9Tt5Rr1Yy7Uu2Ii",
        "data:image/png;q8Zk3Vw9Tt5Rr1Yy7Uu2Ii",
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
        "Basic dXNlcm5hbWU6cGFzc3dvcmQ= is what is sent",
        "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        "Authorization: Basic ${CREDENTIALS}",
        "Authorization: Basic authentication is used",
        "Basic understanding of the subject",
        "Server=db;User ID=me;Password=<your password>;",
        "Server=db;User ID=me;Password=${DB_PASSWORD};",
        "Server=db;User ID=me;Password=%DB_PASSWORD%;",
        "Server=db;User ID=me;Password=********;",
        "Server=db;User ID=me;Password=secret-name;",
        "Server=db;User ID=me;Password=;Encrypt=true",
        "connect(user=user, password=settings.DB_PASSWORD)",
        "https://example.com/a?password=required&b=c",
        "password=/run/secrets/db_password1",
        "starts the shell with PWD=/home/me1",
        "call it with password=hunter to see",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "aws_secret_access_key=AWS_SECRET_ACCESS_KEY_OF_THE_ACCOUNT_123",
        "AC0123456789abcdef0123456789abcdef",
        "https://h.example/a?sig=0123456789abcdef0123456789abcdef",
        "twilio_auth_token: 00000000000000000000000000000000",
        "at 2024-01-01T12:00:00Z 123456:ABC",
        "key-value pairs of the monkey-patched",
        "00000000000000000000000000000000-00000000-00000000",
        "0123456789abcdef0123456789abcdef-01234567",
    ];
    for text in clean.iter().copied().chain([format!("ghp_{zeros}").as_str()]) {
        assert_eq!(find(text), None, "{text}");
        assert_eq!(find_named("api_token", text), None, "{text}");
    }
}

/// Ordinary texts are rejected by the filter, before any shape is tried.
#[test]
fn the_quick_look_passes_over_what_is_plain() {
    for text in [
        "Finds notes by their text, and shows the newest ones first.",
        "https://docs.example.com/guides/getting-started/with-notes",
        "understandingInternationalization",
        "Write to team@example.com: a < b, a == b and {\\\"a\\\": \\\"@\\\"}",
        "@modelcontextprotocol/server",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "123e4567-e89b-12d3-a456-426614174000",
    ] {
        let written = format!("\"{text}\"");
        assert!(!may_hold(&written) && !may_hold_password(&written), "{text}");
    }
}

/// The sign after a name may be written as an escape.
#[test]
fn the_quick_look_sees_signs_that_are_escaped() {
    assert!(setting::may_hold(r#""dbname\u003dx, and some more""#));
    assert!(!setting::may_hold(r#""a text\nthat has a second line""#));
    assert!(setting::may_hold(r#""user=me password=hunter2""#));
    assert!(!setting::may_hold(r#""this is so: there is nothing""#));
}

/// Any white space that the pattern accepts may precede the scheme of credentials.
#[test]
fn the_quick_look_sees_credentials_behind_any_space() {
    for space in ["", " ", "\t", "\n", "\r", "\x0b", "\x0c", "\u{85}", "\u{a0}", "\u{3000}"] {
        for between in [" ", "\t", "\x0b", "\u{2003}"] {
            let text = format!("{space}Basic{between}dXNlcjpodW50ZXIyelE5eFQ=");
            assert!(find(&text).is_some(), "{text:?}");
        }
    }
}

/// Under the name of a secret, only long and random words are masked.
#[test]
fn words_under_a_secret_name() {
    let text = format!("see the-manual-of-the-service, {BODY} and a1B2c3");
    let masked = mask_named("api_token", &text);
    assert_eq!(masked, format!("see the-manual-of-the-service, {} and a1B2c3", "*".repeat(36)));
}

/// A part that begins or ends inside a character is extended to the whole character.
#[test]
fn whole_characters_are_blotted() {
    for (part, expected) in
        [(1..2, "a**b"), (2..3, "a**b"), (2..4, "a***"), (0..2, "***b"), (4..9, "aéb")]
    {
        let mut text = Cow::Borrowed("aéb");
        mask::overwrite(&mut text, &[part]);
        assert_eq!(text, expected);
    }
}

/// Masking terminates, however short the masked part is, and continues after it.
#[test]
fn short_passwords_are_masked_once() {
    let text = "https://user:pw@some-host/ https://user:hunter2hunter2@h/";
    assert_eq!(mask(text), "https://user:**@some-host/ https://user:**************@h/");
}

/// The name may be that of the member, in the spellings of the AWS SDKs.
#[test]
fn aws_keys_have_slashes() {
    let key = "h7Gk2/Lm9QxWv3+Zr5TbYc8NdPfJ1s/AoUe4iKqH6";
    let key = key.get(..40).unwrap();
    for name in ["aws_secret_access_key", "secretAccessKey", "AWS_SECRET_ACCESS_KEY"] {
        assert_eq!(find_named(name, key).map(|found| found.kind), Some("an AWS secret key"));
    }
    assert!(may_hold(&format!("\"{key}\"")) && is_suspect(key));
    // The key has no shape of its own, and neither has a random value.
    assert!(is_suspect(BODY) && find(BODY).is_none());
    // All runs between its slashes may be short.
    assert!(may_hold("\"h7Gk2/Lm9Qx/Wv3Zr5/TbYc8/NdPfJ1s/AoUe4iK\""));
    assert_eq!(find_named("path", key), None);
}

/// A signature is public. No other value that looks like a token is exempt.
#[test]
fn a_token_that_is_a_signature_is_no_secret() {
    let token = samples().into_iter().find(|sample| sample.starts_with("eyJ")).unwrap();
    let found = find(&token).unwrap();
    assert!(shape::is_signature("signature", &found));
    assert!(!shape::is_signature("token", &found));
    assert!(!shape::is_signature("signature", &find(&format!("ghp_{BODY}")).unwrap()));
}

#[test]
fn noise_costs_little() {
    // A quadratic search would take minutes.
    for text in [
        "a",
        "A",
        "eyJ",
        "ghp_",
        "://a:b",
        "key=",
        "sk-",
        "token:A1b",
        "password=",
        "pwd=a1b2;",
        "sig=",
        "Authorization: Basic ",
        "secretaccesskey:a",
    ] {
        let long = text.repeat((1 << 20) / text.len());
        let _ = find(&long);
        let _ = find_named("token", &long);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    /// `dense` finds the same stretch as a plain loop.
    #[test]
    fn dense_texts_are_found(text in "([ -~\u{e9}]{0,4}[+-~\u{e9}]{0,24}){0,4}") {
        let bytes = text.as_bytes();
        let plain = bytes.windows(MIN_RUN).position(|window| window.iter().all(|byte| *byte >= b'+'));
        let found = runs::find_dense(bytes).map(|rest| bytes.len() - rest.len());
        prop_assert_eq!(found, plain);
    }

    /// `Runs` finds the same runs as a plain loop.
    #[test]
    fn runs_are_all_there(text in "[a+_ \"\\\\\u{e9}.]{0,20}([A-Za-z0-9_+-]{10,20}[ ./]{0,2}){0,4}[a ]{0,20}") {
        let within = |b: u8| b.is_ascii_alphanumeric() || b"+-_\\".contains(&b) || b > 127;
        let (mut plain, mut start) = (Vec::new(), 0);
        for (at, byte) in text.bytes().chain([b' ']).enumerate() {
            if !within(byte) {
                plain.extend((at - start >= MIN_RUN).then_some(start..at));
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
        // An invalid escape hides no secret after it.
        (format!("\\uzz ghp_{BODY}"), format!("\\uzz {}", stars(40))),
        (format!("x?t=ghp%5F{BODY}&b"), format!("x?t={}&b", stars(42))),
        (format!("my_ghp_{BODY}"), format!("my_{}", stars(40))),
        (format!("g\u{200b}hp_{BODY}!"), format!("{}!", stars(43))),
        ("/a/x:~1~1me:hunter2@host~1b".to_owned(), "/a/x:~1~1me:*******@host~1b".to_owned()),
        (
            "x:\\/\\/me:hunter2@host.example".to_owned(),
            "x:\\/\\/me:*******@host.example".to_owned(),
        ),
    ] {
        assert_eq!(mask(&text), expected);
        assert_eq!(mask(&expected), expected);
    }
    let key =
        format!("-----BEGIN PRIVATE KEY-----\\n{BODY}\\n{BODY}==\\n-----END PRIVATE KEY-----");
    assert!(!mask(&key).contains("u8jz") && mask(&key).ends_with("-----END PRIVATE KEY-----"));
    for clean in ["50% of ~1 \\n", "C:\\Users\\nobody\\AppData\\Local", "é ~~ %zz \\u12 \\"] {
        assert!(matches!(mask(clean), Cow::Borrowed(_)), "{clean}");
    }
}

#[test]
fn many_secrets_are_masked_in_little_time() {
    let text =
        format!("ghp_{BODY} redis://me:hunter2@host api_key=9fK2mQ8xV4nB7tR1wZ5y pwd=hunter2; ")
            .repeat(4000);
    let masked = mask(&text);
    assert!(!masked.contains("u8jz") && !masked.contains("hunter2") && !masked.contains("9fK2"));
}

/// Generates texts with settings and URLs, and near misses.
fn settings() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "(password|pwd|Secret_Access_Key|sig|twilio_auth_token|authorization)",
        3 => "(\\\\?[\"'])?[ \t\n\r\x0b\u{3000}\u{200b}]?[=:][ \t\n]?(\\\\?[\"'])?",
        3 => "[a-z0-9]{1,9}",
        2 => "[a-z]{1,3}://[a-z]{0,2}:[a-z0-9!\u{200b}]{1,9}@[a-z]{1,2}",
        1 => "[ \t\n\x0b\x0c\r]?[Bb]asic\u{200b}?[ \t\x0b\r](dTpwYXNz|bWU6aHVudGVyMg==)",
        1 => "[0-9A-Za-z/+]{40}",
        1 => "[ -~\t\n\u{e9}\u{200b}]{0,3}",
    ];
    proptest::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn the_quick_look_overlooks_no_setting(text in settings()) {
        let shown = strip_hidden(&text);
        let mut found = setting::SETTINGS.iter().filter_map(|setting| setting.find(&shown));
        // Shorter texts are searched for passwords only.
        if found.any(|found| shown.len() >= MIN_RUN || found.kind == "a password") {
            prop_assert!(setting::may_hold(&text), "{text:?}");
            prop_assert!(may_hold(&format!("{text:?}")), "as it is written: {text:?}");
            prop_assert!(find(&text).is_some());
        }
        if shape::find_url_password(&shown).is_some() {
            prop_assert!(may_hold_password(&text), "{text:?}");
            prop_assert!(may_hold_password(&format!("{text:?}")), "as it is written: {text:?}");
            prop_assert!(find(&text).is_some());
        }
    }
}
