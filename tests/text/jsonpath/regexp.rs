//! I-Regexps in `match` and `search`, and what they may cost.

use std::fmt::Write;
use toolglot_tests::on_a_small_stack;

use manifest_core::Limits;
use manifest_core::json::{Document, quote};
use mcpkg::jsonpath::{Query, QueryError};

use super::{ends, parse, select};

/// Whether a pattern matches, when it is written in the query and when it comes
/// from the document.
fn matches(function: &str, pattern: &str, text: &str) -> Result<bool, QueryError> {
    let document = format!(r#"{{"t": [{}], "p": {}}}"#, quote(text), quote(pattern));
    let literal = format!("$.t[?{function}(@, {})]", quote(pattern));
    let from_query = select(&literal, &document).map(|found| !found.is_empty());
    let from_document = select(&format!("$.t[?{function}(@, $.p)]"), &document);
    assert_eq!(from_query, from_document.map(|found| !found.is_empty()));
    from_query
}

#[test]
fn what_i_regexps_match() {
    for (pattern, text) in [
        ("", ""),
        ("a|", ""),
        ("()", ""),
        ("ab|cd", "cd"),
        ("a.c", "a\u{2028}c"),
        (".", "\u{1f600}"),
        ("a{2}", "aa"),
        ("a{2,}", "aaaa"),
        ("a{0,3}", ""),
        ("(ab)+c?", "abab"),
        (r"\p{Lu}\P{Lu}", "Éé"),
        (r"[\p{L}-]+", "a-b"),
        ("[-a]+", "-a"),
        ("[a-]+", "-a"),
        ("[--]", "-"),
        ("[^a-c]", "d"),
        ("[^^]", "a"),
        ("[a&&b]+", "&"),
        (r"[\--/]", "."),
        (r"[\[\]\\]+", r"[]\"),
        (r"\(\)\*\+\-\.\?\[\\\]\^\{\|\}", r"()*+-.?[\]^{|}"),
        (r"\n\r\t", "\n\r\t"),
        ("#a b", "#a b"),
        ("^ab$", "ab"),
        ("\u{0}", "\u{0}"),
    ] {
        assert_eq!(matches("match", pattern, text), Ok(true), "{pattern}");
    }
    for (pattern, text) in [
        ("a", "ab"),
        ("a|b", "ab"),
        (".", "\n"),
        (".", "\r"),
        ("a", "a\n"),
        ("[^a]", "a"),
        ("A", "a"),
    ] {
        assert_eq!(matches("match", pattern, text), Ok(false), "{pattern}");
    }
    assert_eq!(matches("search", "b|c", "abd"), Ok(true));
    assert_eq!(matches("search", "^b", "ab"), Ok(false));
}

#[test]
fn other_syntax_matches_nothing() {
    for pattern in [
        "(",
        ")",
        "[",
        "]",
        "[]",
        "[^]",
        "*",
        "a**",
        "a*?",
        "a++",
        "a{",
        "a{}",
        "a{,2}",
        "a{2,1}",
        "a{2",
        "{1}",
        "}",
        r"\",
        r"\d",
        r"\w",
        r"\s",
        r"\b",
        r"\A",
        r"\z",
        r"\$",
        r"\/",
        r"\x41",
        r"\u0041",
        r"\pL",
        r"\p{Latin}",
        r"\p{IsGreek}",
        r"\p{Lx}",
        r"\p{L",
        r"\p{}",
        "(?:a)",
        "(?i)a",
        "(?P<n>a)",
        "(?=a)",
        r"(a)\1",
        "[z-a]",
        "[a-b-c]",
        "[--a]",
        "[a[b]]",
        "[[:alpha:]]",
        r"[a-\p{L}]",
        r"[\d]",
        "a{1000}{1000}",
    ] {
        for text in ["", "a", "A", "1", pattern] {
            assert_eq!(matches("search", pattern, text), Ok(false), "{pattern}");
        }
    }
}

#[test]
fn arguments_that_are_not_strings_match_nothing() {
    for test in ["match(@, 1)", "match(1, 'a')", "search(@.x, 'a')", "search(@, $.x)"] {
        let found = select(&format!("$[?{test}]"), r#"["a", 1, null, ["a"]]"#);
        assert_eq!(found.unwrap(), Vec::<String>::new(), "{test}");
    }
}

#[test]
fn r03_r04_r05_large_patterns_are_refused() {
    on_a_small_stack(|| {
        for pattern in [
            "((a{0,1000}){0,1000}){0,1000}",
            r"\p{L}{5000}",
            r"[\p{L}]{10000}",
            "(){294967295}",
            "(a){99999999999}",
            "a{1025}",
            &format!("{}a{}", "(".repeat(13), ")".repeat(13)),
        ] {
            let refused = ends(|| matches("match", pattern, "a"));
            assert_eq!(refused, Err(QueryError::PatternLimit), "{pattern}");
        }
        let nested = format!("{}a{}", "(".repeat(12), "c|b)*".repeat(12));
        assert_eq!(matches("match", &nested, "bb"), Ok(true));
        let (open, close) = ("(".repeat(6), ")".repeat(6));
        let query = format!("$[?{open}match(@, '{nested}'){close}]");
        assert_eq!(select(&query, r#"["bb"]"#).unwrap(), [r#""bb""#]);
    });
    // All patterns of a query share one limit.
    let test = r"match(@,'\\p{L}{9}')";
    assert!(parse(&format!("$[?{}]", [test; 2].join("||"))).is_ok());
    let many = format!("$[?{}]", [test; 40].join("||"));
    let refused = ends(|| parse(&many).unwrap_err());
    assert_eq!(refused, QueryError::PatternLimit);
    let document = format!("[{}]", strings(1000, r"\\p{L}x"));
    let refused = ends(|| select("$[?match('a', @)]", &document));
    assert_eq!(refused, Err(QueryError::PatternLimit));

    let limits = Limits { pattern_haystack_bytes: 9, pattern_bytes: 3, ..Limits::default() };
    let document = Document::parse(br#"["0123456789"]"#, &limits).unwrap();
    let query = Query::parse("$[?search(@, 'abc')]", &limits).unwrap();
    let refused = query.select(document.root(), &limits).unwrap_err();
    assert_eq!(refused, QueryError::PatternLimit);
    let refused = Query::parse("$[?search(@, 'abcd')]", &limits).unwrap_err();
    assert_eq!(refused, QueryError::PatternLimit);
}

/// So many different strings that begin alike.
fn strings(count: usize, prefix: &str) -> String {
    let mut out = String::new();
    for index in 0..count {
        let comma = if index > 0 { "," } else { "" };
        write!(out, r#"{comma}"{prefix}{index}""#).unwrap();
    }
    out
}

#[test]
fn q07_r12_a_pattern_is_compiled_once() {
    let document = format!(r#"{{"p": "\\p{{L}}{{20}}", "t": [{}]}}"#, strings(10_000, "a"));
    for query in
        ["$.t[?match(@, '(a+)+b')]", r"$.t[?match(@, '\\p{L}{20}')]", "$.t[?match(@, $.p)]"]
    {
        let limits = Limits { jsonpath_nodes: 1_000_000, ..Limits::default() };
        let document = Document::parse(document.as_bytes(), &limits).unwrap();
        let query = Query::parse(query, &limits).unwrap();
        let found = ends(|| query.select(document.root(), &limits).unwrap());
        assert!(found.is_empty());
    }
    // The common case fits the default limits.
    assert!(ends(|| select("$.t[?match(@, 'a[0-9]+')]", &document)).is_ok());
}

#[test]
fn r01_r02_matching_is_linear() {
    let text = "a".repeat(50_000) + "!";
    for pattern in
        ["^(a+)+$", "(a|a)*$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a|aa)+$", "(.*a){20}"]
    {
        ends(|| matches("search", pattern, &text).unwrap());
    }
    // Linear in the text, and costly all the same.
    let text: String = (0_u32..50_000)
        .map(|i| if i.wrapping_mul(2_654_435_761) >> 31 == 0 { 'a' } else { 'b' })
        .collect();
    let refused = ends(|| matches("search", "a[ab]{500}c", &text));
    assert_eq!(refused, Err(QueryError::Budget));
}
