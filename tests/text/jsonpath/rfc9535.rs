//! The examples of RFC 9535.

use manifest_core::Limits;
use manifest_core::json::{Document, compact};

use super::{is_syntax_error, parse, select};

/// Checks what each query selects, written without blanks.
fn check(document: &str, table: &[(&str, &[&str])]) {
    let limits = Limits::default();
    let document = Document::parse(document.as_bytes(), &limits).unwrap();
    for (query, expected) in table {
        let nodes = parse(query).unwrap().select(document.root(), &limits);
        let found: Vec<_> = nodes.unwrap().into_iter().map(compact).collect();
        assert_eq!(found, *expected, "{query}");
    }
}

/// Checks the addresses of what each query selects.
fn check_pointers(document: &str, table: &[(&str, &[&str])]) {
    let limits = Limits::default();
    let document = Document::parse(document.as_bytes(), &limits).unwrap();
    for (query, expected) in table {
        let nodes = parse(query).unwrap().select(document.root(), &limits);
        let nodes = nodes.unwrap();
        let found: Vec<_> = nodes.iter().map(|node| node.pointer().to_string()).collect();
        assert_eq!(found, *expected, "{query}");
    }
}

/// Row Q14 of the catalogue of attacks.
#[test]
fn section_1_5_overview() {
    let document = r#"{"store": {
        "book": [
            {"category": "reference", "author": "Nigel Rees",
             "title": "Sayings of the Century", "price": 8.95},
            {"category": "fiction", "author": "Evelyn Waugh",
             "title": "Sword of Honour", "price": 12.99},
            {"category": "fiction", "author": "Herman Melville",
             "title": "Moby Dick", "isbn": "0-553-21311-3", "price": 8.99},
            {"category": "fiction", "author": "J. R. R. Tolkien",
             "title": "The Lord of the Rings", "isbn": "0-395-19395-8", "price": 22.99}
        ],
        "bicycle": {"color": "red", "price": 399}
    }}"#;
    let authors: &[&str] = &[
        "/store/book/0/author",
        "/store/book/1/author",
        "/store/book/2/author",
        "/store/book/3/author",
    ];
    check_pointers(
        document,
        &[
            ("$.store.book[*].author", authors),
            ("$..author", authors),
            ("$.store.*", &["/store/book", "/store/bicycle"]),
            (
                "$.store..price",
                &[
                    "/store/book/0/price",
                    "/store/book/1/price",
                    "/store/book/2/price",
                    "/store/book/3/price",
                    "/store/bicycle/price",
                ],
            ),
            ("$..book[2]", &["/store/book/2"]),
            ("$..book[2].author", &["/store/book/2/author"]),
            ("$..book[2].publisher", &[]),
            ("$..book[-1]", &["/store/book/3"]),
            ("$..book[0,1]", &["/store/book/0", "/store/book/1"]),
            ("$..book[:2]", &["/store/book/0", "/store/book/1"]),
            ("$..book[?@.isbn]", &["/store/book/2", "/store/book/3"]),
            ("$..book[?@.price<10]", &["/store/book/0", "/store/book/2"]),
        ],
    );
    assert_eq!(select("$..*", document).unwrap().len(), 27);
}

#[test]
fn section_2_2_root() {
    check(r#"{"k": "v"}"#, &[("$", &[r#"{"k":"v"}"#])]);
}

#[test]
fn section_2_3_1_names() {
    check(
        r#"{"o": {"j j": {"k.k": 3}}, "'": {"@": 2}}"#,
        &[
            ("$.o['j j']", &[r#"{"k.k":3}"#]),
            ("$.o['j j']['k.k']", &["3"]),
            (r#"$.o["j j"]["k.k"]"#, &["3"]),
            (r#"$["'"]["@"]"#, &["2"]),
        ],
    );
}

#[test]
fn section_2_3_1_escapes() {
    // Each escape of table 4, in both kinds of quotes.
    for (escape, json) in [
        (r"\b", r"\b"),
        (r"\t", r"\t"),
        (r"\n", r"\n"),
        (r"\f", r"\f"),
        (r"\r", r"\r"),
        (r"\/", "/"),
        (r"\\", r"\\"),
        (r"\u263A", "\u{263a}"),
        (r"\u263a", "\u{263a}"),
        (r"\uD834\uDD1E", "\u{1d11e}"),
        (r"\ud834\udd1e", "\u{1d11e}"),
    ] {
        let document = format!(r#"{{"{json}": 1}}"#);
        for quote in ["'", "\""] {
            let query = format!("$[{quote}{escape}{quote}]");
            assert_eq!(select(&query, &document).unwrap(), ["1"], "{query}");
        }
    }
    check(
        r#"{"'": 1, "\"": 2}"#,
        &[
            (r"$['\'']", &["1"]),
            (r#"$["'"]"#, &["1"]),
            (r#"$["\""]"#, &["2"]),
            (r#"$['"']"#, &["2"]),
        ],
    );
}

#[test]
fn section_2_3_2_wildcard() {
    check(
        r#"{"o": {"j": 1, "k": 2}, "a": [5, 3]}"#,
        &[
            ("$[*]", &[r#"{"j":1,"k":2}"#, "[5,3]"]),
            ("$.o[*]", &["1", "2"]),
            ("$.o[*, *]", &["1", "2", "1", "2"]),
            ("$.a[*]", &["5", "3"]),
        ],
    );
}

#[test]
fn sections_2_3_3_and_2_3_4_indices_and_slices() {
    check(r#"["a", "b"]"#, &[("$[1]", &[r#""b""#]), ("$[-2]", &[r#""a""#])]);
    check(
        "[0, 1, 2, 3, 4, 5, 6]",
        &[
            ("$[1:3]", &["1", "2"]),
            ("$[5:]", &["5", "6"]),
            ("$[1:5:2]", &["1", "3"]),
            ("$[5:1:-2]", &["5", "3"]),
            ("$[::-1]", &["6", "5", "4", "3", "2", "1", "0"]),
        ],
    );
}

#[test]
fn section_2_3_5_comparisons() {
    for (comparison, expected) in [
        ("$.absent1 == $.absent2", true),
        ("$.absent1 <= $.absent2", true),
        ("$.absent == 'g'", false),
        ("$.absent1 != $.absent2", false),
        ("$.absent != 'g'", true),
        ("1 <= 2", true),
        ("1 > 2", false),
        ("13 == '13'", false),
        ("'a' <= 'b'", true),
        ("'a' > 'b'", false),
        ("$.obj == $.arr", false),
        ("$.obj != $.arr", true),
        ("$.obj == $.obj", true),
        ("$.obj != $.obj", false),
        ("$.arr == $.arr", true),
        ("$.arr != $.arr", false),
        ("$.obj == 17", false),
        ("$.obj != 17", true),
        ("$.obj <= $.arr", false),
        ("$.obj < $.arr", false),
        ("$.obj <= $.obj", true),
        ("$.arr <= $.arr", true),
        ("1 <= $.arr", false),
        ("1 >= $.arr", false),
        ("1 > $.arr", false),
        ("1 < $.arr", false),
        ("true <= true", true),
        ("true > true", false),
    ] {
        let document = r#"{"obj": {"x": "y"}, "arr": [2, 3]}"#;
        let found = select(&format!("$[?{comparison}]"), document).unwrap();
        assert_eq!(found.len(), if expected { 2 } else { 0 }, "{comparison}");
    }
}

#[test]
fn section_2_3_5_filters() {
    let numbers: &[&str] = &["3", "5", "1", "2", "4", "6"];
    let objects: &[&str] = &[r#"{"b":"j"}"#, r#"{"b":"k"}"#, r#"{"b":{}}"#, r#"{"b":"kilo"}"#];
    let kilo: &[&str] = &[r#"{"b":"kilo"}"#];
    check(
        r#"{"a": [3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}],
            "o": {"p": 1, "q": 2, "r": 3, "s": 5, "t": {"u": 6}}, "e": "f"}"#,
        &[
            ("$.a[?@.b == 'kilo']", kilo),
            ("$.a[?(@.b == 'kilo')]", kilo),
            ("$.a[?@>3.5]", &["5", "4", "6"]),
            ("$.a[?@.b]", objects),
            ("$.a[?@<2 || @.b == \"k\"]", &["1", r#"{"b":"k"}"#]),
            ("$.a[?match(@.b, \"[jk]\")]", &objects[..2]),
            ("$.a[?search(@.b, \"[jk]\")]", &[objects[0], objects[1], objects[3]]),
            ("$.o[?@<3, ?@<3]", &["1", "2", "1", "2"]),
            ("$.o[?@>1 && @<4]", &["2", "3"]),
            ("$.o[?@.u || @.x]", &[r#"{"u":6}"#]),
            ("$.a[?@.b == $.x]", numbers),
            ("$.a[?@ == @]", &[numbers, objects].concat()),
        ],
    );
    check_pointers(
        r#"{"a": [{"b": 1}], "o": {"p": 1}, "e": "f"}"#,
        &[("$[?@.*]", &["/a", "/o"]), ("$[?@[?@.b]]", &["/a"])],
    );
}

#[test]
fn section_2_4_9_function_types() {
    for query in [
        "$[?length(@) < 3]",
        "$[?count(@.*) == 1]",
        "$[?match(@.timezone, 'Europe/.*')]",
        "$[?value(@..color) == \"red\"]",
        "$[?length(value($..a)) == count($..b)]",
    ] {
        assert!(parse(query).is_ok(), "{query}");
    }
    for query in [
        "$[?length(@.*) < 3]",
        "$[?count(1) == 1]",
        "$[?count(foo(@.*)) == 1]",
        "$[?match(@.timezone, 'Europe/.*') == true]",
        "$[?value(@..color)]",
        "$[?bar(@.a)]",
        "$[?bnl(@.*)]",
    ] {
        assert!(is_syntax_error(query), "{query}");
    }
}

#[test]
fn section_2_5_segments() {
    check(
        "[0, 1, 2, 3, 4, 5, 6]",
        &[("$[0, 3]", &["0", "3"]), ("$[0:2, 5]", &["0", "1", "5"]), ("$[0, 0]", &["0", "0"])],
    );
    let all: &[&str] = &[
        r#"{"j":1,"k":2}"#,
        r#"[5,3,[{"j":4},{"k":6}]]"#,
        "1",
        "2",
        "5",
        "3",
        r#"[{"j":4},{"k":6}]"#,
        r#"{"j":4}"#,
        r#"{"k":6}"#,
        "4",
        "6",
    ];
    check(
        r#"{"o": {"j": 1, "k": 2}, "a": [5, 3, [{"j": 4}, {"k": 6}]]}"#,
        &[
            ("$..j", &["1", "4"]),
            ("$..[0]", &["5", r#"{"j":4}"#]),
            ("$..[*]", all),
            ("$..*", all),
            ("$..o", &[r#"{"j":1,"k":2}"#]),
            ("$.o..[*, *]", &["1", "2", "1", "2"]),
            ("$.a..[0, 1]", &["5", "3", r#"{"j":4}"#, r#"{"k":6}"#]),
        ],
    );
}

#[test]
fn section_2_6_null() {
    check(
        r#"{"a": null, "b": [null], "c": [{}], "null": 1}"#,
        &[
            ("$.a", &["null"]),
            ("$.a[0]", &[]),
            ("$.a.d", &[]),
            ("$.b[0]", &["null"]),
            ("$.b[*]", &["null"]),
            ("$.b[?@]", &["null"]),
            ("$.b[?@==null]", &["null"]),
            ("$.c[?@.d==null]", &[]),
            ("$.null", &["1"]),
        ],
    );
}
