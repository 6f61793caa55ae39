//! `JSONPath` and what it may cost: limits on reading and running a query.

use std::fmt::Write;
use toolglot_tests::on_a_small_stack;

use manifest_core::Limits;
use manifest_core::json::Document;
use mcpkg::jsonpath::{Query, QueryError};

use super::{ends, parse, select};

#[test]
fn q03_repeated_descendants_run_out_of_budget() {
    let deep = format!("{}1{}", r#"{"a":"#.repeat(60), "}".repeat(60));
    let wide = format!("[{}1{}]", "[1,".repeat(100), "]".repeat(100));
    for (query, document) in [
        ("$..a..a..a..a", &deep),
        ("$..a..a..a..a..a..a", &deep),
        ("$..a..a..a..a..a..a..a..a", &deep),
        ("$..*..*..*..*..*", &deep),
        ("$..*..*..*..*..*", &wide),
        ("$..[?count(@..*..*) > 1]", &wide),
        ("$..[?@..[?@..[?@..x]]]", &wide),
    ] {
        let error = ends(|| select(query, document));
        assert_eq!(error, Err(QueryError::Budget), "{query}");
    }
}

#[test]
fn q04_repeated_selectors_run_out_of_budget() {
    let segment = |count| format!("[{}]", vec!["*"; count].join(","));
    let query = format!("${}{}", segment(1000), segment(1000));
    assert_eq!(parse(&query).unwrap_err(), QueryError::TooLong);

    let roomy = Limits { jsonpath_bytes: 1 << 20, ..Limits::default() };
    let text = format!("[{}]", vec!["[1,2,3]"; 100].join(","));
    let document = Document::parse(text.as_bytes(), &roomy).unwrap();
    let query = Query::parse(&query, &roomy).unwrap();
    let error = ends(|| query.select(document.root(), &roomy).unwrap_err());
    assert_eq!(error, QueryError::Budget);
}

#[test]
fn q05_nesting_is_refused_before_the_stack_is_used_up() {
    on_a_small_stack(|| {
        let roomy = Limits {
            jsonpath_bytes: usize::MAX,
            jsonpath_segments: usize::MAX,
            jsonpath_nesting: usize::MAX,
            ..Limits::default()
        };
        for depth in [32, 1000, 5000, 100_000] {
            for (open, close) in [("(", ")"), ("!(", ")"), ("@[?", "]"), ("length(", ")")] {
                let query = format!("$[?{}@{}]", open.repeat(depth), close.repeat(depth));
                let error = ends(|| Query::parse(&query, &roomy).unwrap_err());
                assert_eq!(error, QueryError::TooNested);
            }
        }
        // The deepest that any limit lets through still runs.
        let document = Document::parse(b"[[[[1]]]]", &roomy).unwrap();
        for (open, close) in [("(", ")"), ("!(", ")"), ("@[?", "]")] {
            let query = format!("$[?{}@{}]", open.repeat(31), close.repeat(31));
            let query = Query::parse(&query, &roomy).unwrap();
            query.select(document.root(), &roomy).unwrap();
        }
    });
    let parens = |depth| format!("$[?{}@{}]", "(".repeat(depth), ")".repeat(depth));
    assert!(parse(&parens(7)).is_ok());
    assert_eq!(parse(&parens(8)).unwrap_err(), QueryError::TooNested);
}

#[test]
fn q06_size_limits() {
    assert!(parse(&format!("$.{}", "a".repeat(1022))).is_ok());
    let error = parse(&format!("$.{}", "a".repeat(1023))).unwrap_err();
    assert_eq!(error, QueryError::TooLong);
    assert!(parse(&format!("${}", ".a".repeat(32))).is_ok());
    let error = parse(&format!("${}", ".a".repeat(33))).unwrap_err();
    assert_eq!(error, QueryError::TooManySegments);
    let error = parse(&format!("$[?@{}]", ".a".repeat(32))).unwrap_err();
    assert_eq!(error, QueryError::TooManySegments);
}

#[test]
fn work_that_is_not_visiting_also_counts() {
    let escaped = r"\u0061".repeat(150);
    let mut members = String::new();
    for index in 0..500 {
        write!(members, r#""{escaped}{index}": 0,"#).unwrap();
    }
    let zeros = vec!["0"; 40_000].join(",");
    let lists = vec!["[]"; 40_000].join(",");
    let text = "\\n".repeat(100_000);
    for (query, document) in [
        ("$.a[?$.o.z]", format!(r#"{{"a": [{zeros}], "o": {{{members} "z": 1}}}}"#)),
        ("$.a[?@ == $.b]", format!(r#"{{"a": [{lists}], "b": [{zeros}]}}"#)),
        ("$.a[?$.b[-1] == 1]", format!(r#"{{"a": [{zeros}], "b": [{zeros}]}}"#)),
        ("$.a[?length($.t) == 1]", format!(r#"{{"a": [{zeros}], "t": "{text}"}}"#)),
        ("$.a[?$.t == 'x']", format!(r#"{{"a": [{zeros}], "t": "{text}"}}"#)),
        ("$.a[?length($.b) == 1]", format!(r#"{{"a": [{zeros}], "b": [{zeros}]}}"#)),
        ("$.a[?@ == 1 && @ == 1 || @ == 2 || @ == 3]", format!(r#"{{"a": [{zeros}]}}"#)),
    ] {
        let error = ends(|| select(query, &document));
        assert_eq!(error, Err(QueryError::Budget), "{query}");
    }
}
