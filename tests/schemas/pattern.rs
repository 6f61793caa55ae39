//! Regular expressions of strangers: what is accepted, what it means, and what
//! it may cost.

use std::time::{Duration, Instant};
use toolglot_tests::on_a_small_stack;

use json_schema::pattern::{Pattern, PatternError, PatternLimits, check, translate};
use proptest::prelude::*;

fn compile(source: &str) -> Result<Pattern, PatternError> {
    Pattern::new(source, &PatternLimits::default())
}

fn matches(source: &str, haystack: &str) -> Result<bool, PatternError> {
    compile(source)?.matches(haystack)
}

/// Fails when something takes a minute: no measurement, but the mark of work without
/// bounds, of which a test would otherwise say nothing.
fn ends<T>(what: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = what();
    assert!(start.elapsed() < Duration::from_secs(60), "took {:?}", start.elapsed());
    result
}

#[test]
fn agrees_with_node() {
    let rows = include_str!("../fixtures/json-schema/ecma-patterns.jsonl");
    for row in rows.lines() {
        let value: serde_json::Value = serde_json::from_str(row).unwrap();
        let (source, haystack) = (value["p"].as_str().unwrap(), value["s"].as_str().unwrap());
        let result = matches(source, haystack);
        let agrees = match &result {
            Ok(found) => value["expect"] == *found,
            Err(PatternError::Syntax { .. }) => value["expect"] == "error",
            Err(PatternError::Unsupported { .. }) => value["expect"].is_boolean(),
            Err(_) => false,
        };
        assert!(agrees, "{row} gave {result:?}");
        let checked = check(source, &PatternLimits::default());
        assert_eq!(checked.err(), compile(source).err(), "{row}");
    }
}

/// What a check passes without compiling it is small enough to compile.
#[test]
fn checking_agrees_with_compiling() {
    let terms = [
        "a",
        ".",
        r"\W",
        r"\s",
        "[^a]",
        "[^\u{e9}-\u{ff}]",
        r"\p{L}",
        r"\u{10FFFF}",
        "[\u{100}-\u{1F600}]",
    ];
    for term in terms {
        for count in [1, 9, 60, 250, 256, 260, 400, 2_000, 9_000] {
            for source in [format!("^{term}{{{count}}}$"), format!("^(?:{term}{{{count},}}x)+$")] {
                let checked = check(&source, &PatternLimits::default());
                assert_eq!(checked.err(), compile(&source).err(), "{source}");
            }
        }
    }
}

#[test]
fn r01_r02_matching_is_linear() {
    let texts = ["a".repeat(50_000) + "!", "ab".repeat(25_000), "aB".repeat(25_000)];
    for source in
        ["^(a+)+$", "(a|a)*$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a|aa)+$", "(.*a){20}"]
    {
        let pattern = compile(source).unwrap();
        for text in &texts {
            ends(|| pattern.matches(text).unwrap());
        }
    }
    assert_eq!(matches("^(a+)+$", &texts[0]), Ok(false));
}

#[test]
fn r03_r04_r05_large_patterns_are_refused_at_once() {
    let limit = 1 << 20;
    for (source, refused) in [
        (r"((a{0,1000}){0,1000}){0,1000}", true),
        (r"(?:a?){100000}a{100000}", true),
        (r"\w{5000}", true),
        (r"[\p{L}]{10000}", true),
        (r"\p{L}{500}", true),
        (r"(?:){294967295}", true),
        (r"(?:(?:){1000}){1000}", true),
        (r"a{99999999999999999999999}", true),
        (r"(?:\b\b\b\b){2000}", true),
        (r"(?:||||){2000}", true),
        (r"^[a-z0-9._-]{1,255}$", false),
        (r"^\w{1,1000}$", false),
    ] {
        match ends(|| compile(source)) {
            Err(error) => {
                assert_eq!((error, refused), (PatternError::TooLarge { limit }, true), "{source}");
            }
            Ok(_) => assert!(!refused, "{source}"),
        }
    }
    // Two quantifiers in a row are no ECMAScript.
    assert!(matches!(compile("a{1000}{1000}"), Err(PatternError::Syntax { .. })));
}

#[test]
fn r04_deep_and_long_patterns_are_refused() {
    let nested = |depth: usize| "(".repeat(depth) + "a" + &")".repeat(depth);
    assert!(compile(&nested(64)).is_ok());
    let too_nested = compile(&nested(65)).unwrap_err();
    assert_eq!(too_nested, PatternError::TooNested { limit: 64 });

    let too_long = PatternError::TooLong { limit: 4096 };
    for source in [nested(50_000), "[".repeat(50_000), "a|".repeat(100_000)] {
        assert_eq!(compile(&source).unwrap_err(), too_long);
    }
    assert!(compile(&"a".repeat(4096)).is_ok());
    assert_eq!(compile(&"a".repeat(4097)).unwrap_err(), too_long);
}

#[test]
fn deepest_pattern_fits_a_small_stack() {
    let depth = 64;
    let source = "(?:b|c".repeat(depth) + "a" + &"|d)+?".repeat(depth);
    let found = on_a_small_stack(|| compile(&source)?.matches("xxd"));
    assert_eq!(found, Ok(true));
}

#[test]
fn r06_what_has_no_linear_match_is_named() {
    for (source, at, name) in [
        ("(?=x)", 0, "look-ahead"),
        ("a(?!x)", 1, "look-ahead"),
        ("é(?<=x)", 2, "look-behind"),
        ("(?<!x)", 0, "look-behind"),
        (r"(a)\1", 3, "back-reference"),
        (r"\1(a)", 0, "back-reference"),
        (r"(?<n>a)\k<n>", 7, "back-reference"),
        (r"[\p{scx=Zzzz}]", 1, "the Unicode script Unknown"),
        (r"\P{CWKCF}", 0, "the Unicode property Changes_When_NFKC_Casefolded"),
    ] {
        let error = compile(source).unwrap_err();
        let expected = PatternError::Unsupported { offset: at, construct: name };
        assert_eq!(error, expected, "{source}");
    }
    // A mistake anywhere makes it no pattern at all.
    assert!(matches!(compile("(?=x)("), Err(PatternError::Syntax { offset: 5, .. })));
}

#[test]
fn r07_what_is_not_ecmascript_is_a_syntax_error() {
    for source in [
        "(",
        "[",
        "*a",
        "a{2,1}",
        r"\",
        "(?P<n>a)",
        "(?i)a",
        "(?x)",
        r"\A",
        r"\z",
        r"\h",
        "[[:alpha:]]",
        "(?>a)",
        "a++",
        "(?i:a)",
        "(?#a)",
        "]",
        "{",
        "}",
        "a{",
        "a{,2}",
        "^*",
        r"\b+",
        "(?=a)*",
        "[b-a]",
        r"[\d-z]",
        r"[a-\d]",
        r"\-",
        r"\_",
        r"\00",
        r"[\1]",
        r"\x{41}",
        r"\pL",
        r"\p{greek}",
        r"\p{Greek}",
        r"\p{Is_Greek}",
        r"\p{lu}",
        "(?<n>a)|(?<n>b)",
        r"\k<n>",
        r"\1",
        r"(?i)\p{L}{500}",
        r"\Q",
        r"\u{110000}",
        r"[\b-\B]",
    ] {
        let error = compile(source).unwrap_err();
        assert!(matches!(error, PatternError::Syntax { .. }), "{source}: {error}");
    }
}

#[test]
fn r08_meanings_that_engines_disagree_on() {
    for (source, haystack, expected) in [
        (r"\d", "٣", false),
        (r"\w", "é", false),
        (r"\s", "\u{FEFF}", true),
        (r"\s", "\u{A0}", true),
        (r"\s", "\u{85}", false),
        (r"\s", "\u{180E}", false),
        (".", "\n", false),
        (".", "\u{2028}", false),
        (".", "\u{85}", true),
        ("a$", "a\n", false),
        ("^a", "\na", false),
        (r"a\b", "aé", true),
        (r"a\B", "ab", true),
        (r"\B|aé5", "aé5", true),
        (r"\B", "a😀a", false),
        (r"^\/[\-]$", "/-", true),
        ("^[^]$", "\n", true),
        ("[]", "a", false),
        (r"\cJ\x41\u0041\u{1F600}\0", "\nAA😀\0", true),
        (r"\uD83D\uDE00", "😀", true),
        (r"\uD83D", "😀", false),
        (r"^[^\uD83D]$", "😀", true),
        (r"[^\uD7FF\uE000]", "\u{E000}", false),
        ("(?<n>a)", "a", true),
        (r"^[a&&b]$", "&", true),
        (r"^[a~~b]$", "~", true),
    ] {
        assert_eq!(matches(source, haystack), Ok(expected), "{source}");
    }
}

#[test]
fn r09_search_is_not_anchored() {
    assert_eq!(matches("a", "xax"), Ok(true));
    assert_eq!(matches("^a$", "xax"), Ok(false));
}

#[test]
fn r10_long_texts_are_refused() {
    let pattern = compile("a").unwrap();
    let limit = 1 << 20;
    assert_eq!(pattern.matches(&"b".repeat(limit)), Ok(false));
    let too_long = PatternError::HaystackTooLong { limit };
    assert_eq!(pattern.matches(&"b".repeat(limit + 1)), Err(too_long.clone()));
    assert_eq!(pattern.matches(&"a".repeat(100_000_000)), Err(too_long));
}

#[test]
fn long_texts_are_refused_sooner_for_large_patterns() {
    let pattern = compile("a[ab]{4000}c").unwrap();
    let limit = (1 << 25) / 4002;
    assert_eq!(pattern.matches(&"ab".repeat(limit)), Err(PatternError::HaystackTooLong { limit }));
    let text = "ab".repeat(limit / 2);
    ends(|| pattern.matches(&text).unwrap());
}

#[test]
fn r11_edges_of_the_source() {
    assert_eq!(matches("", "anything"), Ok(true));
    assert_eq!(matches("^a\0b$", "a\0b"), Ok(true));
    assert_eq!(compile("a|b").unwrap().source(), "a|b");
}

#[test]
fn r13_a_version_pattern() {
    let source = r"^\d+\.\d+\.\d+(-[a-z0-9.-]+)?$";
    assert_eq!(matches(source, "1.2.3-rc.1"), Ok(true));
    for text in ["1.2.3\n", "١.2.3", "1.2.3-RC"] {
        assert_eq!(matches(source, text), Ok(false), "{text:?}");
    }
}

#[test]
fn translations_use_nothing_but_plain_syntax() {
    let limits = PatternLimits::default();
    for (source, expected) in [
        (r"^a\d{2,}?$", r"\Aa[0-9]{2,}?\z"),
        (r"(?<year>\d+)-(x|y)*", r"(?:[0-9]+)\x{2D}(?:x|y)*"),
        (r"[a-f\]é]", r"[a-f\x{5D}-\x{5D}\x{E9}-\x{E9}]"),
        (r"\p{Lu}\P{Script=Grek}", r"\p{gc=Uppercase_Letter}\P{sc=Greek}"),
    ] {
        assert_eq!(translate(source, &limits).as_deref(), Ok(expected));
    }
}

/// Text made of the pieces that patterns are made of.
fn pattern_like() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        "b",
        "é",
        "😀",
        "0",
        "12",
        ",",
        "-",
        "(",
        "(?:",
        "(?<n>",
        "(?=",
        ")",
        "[",
        "[^",
        "]",
        "{",
        "}",
        "{2}",
        "{1,}",
        "{0,3}",
        "*",
        "+",
        "?",
        "|",
        "^",
        "$",
        ".",
        r"\",
        r"\d",
        r"\W",
        r"\s",
        r"\b",
        r"\B",
        r"\p{L}",
        r"\P{sc=Greek}",
        r"\uD83D",
        r"\uDE00",
        r"\u{10FFFF}",
        r"\x41",
        r"\cJ",
        r"\0",
        r"\1",
        r"\k<n>",
        r"\-",
        r"\/",
        "&&",
        "--",
        "~~",
        "\n",
        "\0",
    ]);
    prop::collection::vec(pieces, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn never_panics(source in any::<String>(), haystack in any::<String>()) {
        if let Ok(pattern) = compile(&source) {
            let _ = pattern.matches(&haystack);
        }
    }

    #[test]
    fn engine_takes_every_translation(source in pattern_like(), haystack in any::<String>()) {
        match compile(&source) {
            Ok(pattern) => prop_assert!(pattern.matches(&haystack).is_ok()),
            Err(PatternError::Syntax { offset, reason }) => {
                prop_assert!(offset < source.len());
                prop_assert!(!reason.contains("engine"));
            }
            Err(_) => {}
        }
    }

    #[test]
    fn messages_are_short_and_printable(source in any::<String>()) {
        if let Err(error) = compile(&source) {
            let message = error.to_string();
            prop_assert!(message.len() < 200 && !message.contains(char::is_control));
        }
    }
}
