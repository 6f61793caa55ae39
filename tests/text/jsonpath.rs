//! `JSONPath`: what is accepted, what is refused, and what it may cost. The
//! names of tests refer to the rows of the attack catalogue.

#![allow(clippy::too_many_lines)] // tables of queries
use std::time::{Duration, Instant};

use manifest_core::Limits;
use manifest_core::json::{Document, Node};
use mcpkg::jsonpath::{Query, QueryError};

mod cost;
mod differential;
mod regexp;
mod rfc9535;

/// The values that a query selects, as they are written.
fn select(query: &str, document: &str) -> Result<Vec<String>, QueryError> {
    let limits = Limits::default();
    let document = Document::parse(document.as_bytes(), &limits).unwrap();
    let nodes = Query::parse(query, &limits)?.select(document.root(), &limits)?;
    Ok(nodes.iter().map(|node| node.raw().to_owned()).collect())
}

fn parse(query: &str) -> Result<Query, QueryError> {
    Query::parse(query, &Limits::default())
}

fn is_syntax_error(query: &str) -> bool {
    matches!(parse(query), Err(QueryError::Syntax { .. }))
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
fn q01_plain_queries() {
    let document = r#"{"status": "ok", "input": {"pdfPath": "x"}, "a b": [1]}"#;
    for (query, value) in
        [("$.status", r#""ok""#), ("$.input.pdfPath", r#""x""#), ("$['a b'][0]", "1")]
    {
        assert_eq!(select(query, document).unwrap(), [value]);
        assert!(parse(query).unwrap().is_singular());
        assert_eq!(parse(query).unwrap().as_str(), query);
    }
}

#[test]
fn q02_only_names_and_indices_are_singular() {
    let limits = Limits::default();
    let document = Document::parse(br#"{"a": [1], "0": 2}"#, &limits).unwrap();
    for query in ["$..*", "$.a[*]", "$[?@.x]", "$[1:2]", "$['a','b']", "$..a", "$[ 'a' ]", "$[0 ]"]
    {
        let query = parse(query).unwrap();
        assert!(!query.is_singular(), "{query:?}");
        assert!(query.select_one(document.root()).is_none(), "{query:?}");
    }
    for (query, value) in [
        ("$", Some(document.text())),
        ("$ .a [-1]", Some("1")),
        ("$['0']", Some("2")),
        ("$[0]", None),
        ("$.a['0']", None),
        ("$.a[-2]", None),
        ("$.a[1].b", None),
    ] {
        let query = parse(query).unwrap();
        assert!(query.is_singular());
        let node = query.select_one(document.root());
        assert_eq!(node.map(Node::raw), value, "{query:?}");
        let nodes = query.select(document.root(), &limits).unwrap();
        assert_eq!(nodes.first().map(|node| node.raw()), value);
    }
}

#[test]
fn q08_integers() {
    for index in [
        "9007199254740992",
        "-9007199254740992",
        "-9223372036854775808",
        "99999999999999999999",
        "01",
        "-0",
        "-01",
        "-",
        "+1",
        "1.0",
        "1e0",
        "1-1",
    ] {
        assert!(is_syntax_error(&format!("$[{index}]")), "{index}");
        assert!(is_syntax_error(&format!("$[0:{index}]")), "{index}");
        assert!(is_syntax_error(&format!("$[::{index}]")), "{index}");
    }
    for index in ["9007199254740991", "-9007199254740991", "0", "-1"] {
        assert!(parse(&format!("$[{index}]")).unwrap().is_singular());
    }
}

#[test]
fn q09_slices_at_the_edge() {
    let document = r#"["a", "b", "c"]"#;
    for (query, result) in [
        ("$[0:3:0]", &[][..]),
        ("$[::-9007199254740991]", &[r#""c""#]),
        ("$[::9007199254740991]", &[r#""a""#]),
        ("$[-9007199254740991:9007199254740991:1]", &[r#""a""#, r#""b""#, r#""c""#]),
        ("$[9007199254740991:-9007199254740991:-2]", &[r#""c""#, r#""a""#]),
        ("$[ 1 : 3 : 1 ]", &[r#""b""#, r#""c""#]),
        ("$[:-1]", &[r#""a""#, r#""b""#]),
        ("$[3:]", &[]),
    ] {
        assert_eq!(select(query, document).unwrap(), result, "{query}");
        assert!(select(query, "[]").unwrap().is_empty());
        assert!(select(query, r#"{"0": 1}"#).unwrap().is_empty());
    }
}

#[test]
fn q10_to_q12_what_is_not_a_query() {
    for query in [
        // Q10
        "status",
        ".status",
        "$.",
        "$..",
        " $",
        "$ ",
        "$.a b",
        r#"$.["a"]"#,
        "",
        "@.a",
        "$$",
        "$. a",
        "$.. a",
        "$...a",
        "$[]",
        "$[0",
        "$[0,]",
        "$[,0]",
        "$['a''b']",
        "$.1",
        "$.a-b",
        "$\u{b}.a",
        "$[?]",
        "$[? ]",
        // Q11
        r#"$["\ud800"]"#,
        r#"$["\ud800\ud800"]"#,
        r#"$["\udc00"]"#,
        r#"$["\ud800x"]"#,
        r#"$["\u12g4"]"#,
        r#"$["\u+123"]"#,
        "$['\u{1}']",
        "$['a",
        "$['\\",
        r#"$["\'"]"#,
        r#"$['\"']"#,
        r"$['\x41']",
        r"$['\U0041']",
        // Q12
        "$[?count(@..*)]",
        "$[?length(@.a)]",
        "$[?length(@.*)<3]",
        "$[?value(@.a)]",
        "$[?count(1)==1]",
        "$[?count(@.a,@.b)==1]",
        "$[?length()==1]",
        "$[?match(@.a)]",
        "$[?match(@.a,'b')==true]",
        "$[?match(@.*,'b')]",
        "$[?length(@.a=='b')==1]",
        "$[?length(match(@,'a'))==1]",
        "$[?length (@)==1]",
        "$[?nope(@)==1]",
        "$[?Length(@)==1]",
        // The rest of section 2.3.5
        "$[?1]",
        "$[?'a']",
        "$[?true]",
        "$[?@.*==1]",
        "$[?@..a==1]",
        "$[?@[ 'a' ]==1]",
        "$[?length(@[ 0 ])==1]",
        "$[?@.a=1]",
        "$[?@.a==]",
        "$[?@.a===1]",
        "$[?@.a==1==1]",
        "$[?!@.a==1]",
        "$[?!!@.a]",
        "$[?(@.a)==1]",
        "$[?@.a&@.b]",
        "$[?@.a and @.b]",
        "$[?@==01]",
        "$[?@==1.]",
        "$[?@==.1]",
        "$[?@==+1]",
        "$[?@==1e]",
        "$[?@==True]",
        "$[?@=={}]",
        "$[?(@.a]",
        "$[?@.a)]",
        "$[?a]",
    ] {
        assert!(is_syntax_error(query), "{query}");
    }
    assert_eq!(select(r"$['\u0000']", r#"{"\u0000": 1}"#).unwrap(), ["1"]);
}

#[test]
fn q13_many_selectors_and_nested_filters() {
    let document = r#"[{"a": "b", "d": "e"}, {"a": "c", "d": "f"}]"#;
    let found = select("$..['a','d']", document).unwrap();
    assert_eq!(found, [r#""b""#, r#""e""#, r#""c""#, r#""f""#]);
    let found = select("$[?@[?@>1]]", "[[0], [0, 1], [0, 1, 2], [42]]").unwrap();
    assert_eq!(found, ["[0, 1, 2]", "[42]"]);
}

#[test]
fn q16_values_compare_exactly() {
    for (query, document, found) in [
        ("$[?@==1]", "[1.0]", true),
        ("$[?@==1.0e1]", "[10]", true),
        ("$[?@==-0]", "[0]", true),
        ("$[?@=='\u{e9}']", "[\"e\u{301}\"]", false),
        ("$[?@=='\u{e9}']", r#"["\u00e9"]"#, true),
        ("$[?@==9007199254740992]", "[9007199254740993]", false),
        ("$[?@<9007199254740993]", "[9007199254740992]", true),
        ("$[?@>1e400]", "[2e400]", true),
        // By characters, not by the UTF-16 units of which U+FF5E has the larger.
        ("$[?@>'\u{ff5e}']", "[\"\u{1f600}\"]", true),
        ("$[?@==$[0]]", r#"[{"a": [1, 2.0], "b": {}}]"#, true),
        ("$[1:][?@==$[0].x]", r#"[{"x": {"a": 1, "b": 2}}, [{"b": 2, "a": 1.0}]]"#, true),
        ("$[?length(@)==2]", "[\"\u{1f600}\u{301}\"]", true),
    ] {
        assert_eq!(select(query, document).unwrap().len(), usize::from(found));
    }
}

#[test]
fn errors_say_where_and_show_no_input() {
    let error = parse("$.a[?@.b = '\u{1b}[2J']").unwrap_err();
    let expected = QueryError::Syntax { offset: 9, expected: "',' or ']'" };
    assert_eq!(error, expected);
    let message = error.to_string();
    assert_eq!(message, "not a JSONPath query: expected ',' or ']' at byte 9");
}
