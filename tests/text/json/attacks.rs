//! The rows of the attack catalogue that concern JSON as such.
//!
//! Not here: J15, J28 and J32 are for the formats to judge and are in their
//! tests; J33 to J35 are in `suite.rs`; J37 cannot happen, because nothing takes
//! a tree that a host built.

use json_text::Limits;
use json_text::{Document, apply, compact, quote};
use toolglot_tests::on_a_small_stack;

use super::{parse, verdict, verdict_under};

/// Row, verdict, texts.
const ROWS: &[(&str, &str, &[&[u8]])] = &[
    // Accepted as text; the members that need a finite number refuse it.
    ("J05", "ok", &[b"1e400", b"-1e400", b"[1e400]"]),
    ("J06", "ok", &[b"1e-400"]),
    ("J07", "ok", &[b"18446744073709551616", b"9007199254740993", b"-9223372036854775809"]),
    ("J08", "ok", &[b"-0", b"1.0", b"1.00", b"1E2", b"100e-2"]),
    (
        "J12",
        "json/syntax",
        &[
            b"+1",
            b".5",
            b"1.",
            b"-",
            b"-a",
            b"1e",
            b"1e+",
            b"1.e1",
            b"Infinity",
            b"-Infinity",
            b"NaN",
            b"-NaN",
            b"[01]",
            b"[-01]",
            b"[0x10]",
            b"[1_000]",
            b"[1 000]",
        ],
    ),
    // A number that ends early, with something after the document.
    ("J12", "json/trailing", &[b"01", b"-01", b"0x10", b"1_000"]),
    (
        "J13",
        "json/duplicate-key",
        &[
            br#"{"name":"a","name":"b"}"#,
            br#"[{"a":{"name":"a","b":1,"name":"b"}}]"#,
            br#"{"schema":{"properties":{"a":{},"b":{},"a":{}}}}"#,
            br#"{"":1,"":2}"#,
        ],
    ),
    (
        "J14",
        "json/duplicate-key",
        &[
            br#"{"a":1,"\u0061":2}"#,
            br#"{"\u0061":1,"a":2}"#,
            br#"{"/":1,"\/":2}"#,
            br#"{"\u00e9":1,"\u00E9":2}"#,
            "{\"\\ud83d\\ude00\":1,\"\u{1F600}\":2}".as_bytes(),
        ],
    ),
    ("J16", "ok", &["{\"\u{e9}\":1,\"e\u{301}\":2}".as_bytes()]),
    ("J17", "ok", &[br#"{"__proto__":{"x":1},"constructor":1,"toString":1,"hasOwnProperty":1}"#]),
    (
        "J18",
        "json/surrogate",
        &[
            br#""\ud800""#,
            br#""\udc00""#,
            br#""\ud800\u0041""#,
            br#""\ud800\ud800""#,
            br#""\udc00\ud800""#,
            br#""\ud800x""#,
            br#"{"\ud800":1}"#,
        ],
    ),
    ("J19", "ok", &[br#""\ud83d\ude00""#, br#""\uD83D\uDE00""#]),
    ("J20", "json/encoding", &[b"\xEF\xBB\xBF{}", b"\xEF\xBB\xBF"]),
    (
        "J22",
        "json/encoding",
        &[
            b"\"\xFF\"",
            b"\"\xC0\xAF\"",
            b"\"\xED\xA0\x80\"",
            b"\"\xF5\x80\x80\x80\"",
            b"\"\xE2\x82\"",
            b"\"\xE2\x82",
            b"{}\xFF",
        ],
    ),
    (
        "J23",
        "json/syntax",
        &[
            b"[1,]",
            br#"{"a":1,}"#,
            b"[,1]",
            b"{a:1}",
            b"{'a':1}",
            b"//c",
            b"/*c*/",
            b"[1//c\n]",
            b"{,}",
            b"[1,,2]",
            br#"{"a"}"#,
            br#"{"a":}"#,
            br#"{"a" 1}"#,
            br#"{"a":1 "b":2}"#,
            b"[1 2]",
            b"[1}",
            b"{]",
        ],
    ),
    ("J24", "json/trailing", &[b"{} x", b"{}{}", b"{}\0", b"{}\x1A", b"{}]", b"{},", b"1 2"]),
    ("J26", "json/syntax", &[b"", b" ", b"\n\t\r ", b"[", b"{"]),
    ("J28", "ok", &[br#""\u0000""#]),
    ("J38", "json/trailing", &[b"{}\n{}\n", b"1\n2"]),
];

/// Rows whose texts are too long to write down.
fn long_rows() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let nested = |depth: usize| ["[".repeat(depth), "]".repeat(depth)].concat();
    let utf16 = |unit: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    };
    let utf32 = |unit: fn(u32) -> [u8; 4], text: &str| -> Vec<u8> {
        text.chars().map(u32::from).flat_map(unit).collect()
    };
    let full = format!("[{}0]", "{\"\":0},".repeat((1 << 20) / 8 - 1));
    let control = (0..0x20_u8).map(|byte| ("J27", "json/syntax", vec![b'"', byte, b'"']));
    let mut rows = vec![
        ("J01", "ok", nested(127).into()),
        ("J02", "json/depth", nested(128).into()),
        ("J03", "json/depth", "[".repeat(1_000_000).into()),
        ("J04", "json/depth", "{\"a\":".repeat(100_000).into()),
        ("J09", "json/size", "1".repeat(10_000_000).into()),
        ("J09", "json/number-size", "1".repeat(1_000_000).into()),
        ("J10", "json/number-size", format!("0.{}", "1".repeat(1_000_000)).into()),
        ("J11", "json/number-size", format!("1e{}", "9".repeat(1_000_000)).into()),
        ("J25", "ok", format!("{{}}{}", " ".repeat(900 << 10)).into()),
        ("J29", "json/size", vec![b'"'; 100_000_000]),
        ("J29", "json/string-size", format!("\"{}\"", "a".repeat((1 << 20) - 2)).into()),
        ("J30", "json/nodes", full.into()),
    ];
    for text in ["{}", "[\"\u{e9}\"]"] {
        for bom in ["", "\u{feff}"] {
            let text = format!("{bom}{text}");
            rows.extend([
                ("J21", "json/encoding", utf16(u16::to_le_bytes, &text)),
                ("J21", "json/encoding", utf16(u16::to_be_bytes, &text)),
                ("J21", "json/encoding", utf32(u32::to_le_bytes, &text)),
                ("J21", "json/encoding", utf32(u32::to_be_bytes, &text)),
            ]);
        }
    }
    rows.extend(control);
    rows
}

fn check(row: &str, expected: &str, bytes: &[u8]) {
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]);
    let limits = Limits::default();
    let refused = match Document::parse(bytes, limits) {
        Ok(document) => {
            assert_eq!("ok", expected, "{row} {shown}");
            keeps_every_token(&document);
            return;
        }
        Err(refused) => refused,
    };
    assert_eq!(refused.rule.code, expected, "{row} {shown}");
    let span = refused.span.expect("a place");
    assert!(span.start <= span.end && span.end <= bytes.len(), "{row} {shown}");
    assert!(refused.message.len() < 256, "{row} {shown}");
    assert!(!refused.message.contains(char::is_control), "{row} {shown}");
}

fn keeps_every_token(document: &Document<'_>) {
    let text = document.text();
    assert_eq!(document.root().raw(), text.trim_matches([' ', '\n']));
    assert_eq!(apply(document, &[]).as_deref(), Ok(text));
    let compacted = compact(document.root());
    assert!(document.root().same_value(parse(&compacted).root()));
}

#[test]
fn every_row() {
    on_a_small_stack(|| {
        for (row, expected, texts) in ROWS {
            for text in *texts {
                check(row, expected, text);
            }
        }
        for (row, expected, text) in long_rows() {
            check(row, expected, &text);
        }
    });
}

/// J03, J04: nothing past the limit is read.
#[test]
fn depth_is_refused_where_it_begins() {
    let refusal = |text: &str| Document::parse(text.as_bytes(), Limits::default()).unwrap_err();
    let arrays = refusal(&"[".repeat(1_000_000));
    assert_eq!(arrays.span.unwrap().start, 127);
    assert_eq!(arrays.pointer.tokens().count(), 127);
    let objects = refusal(&"{\"a\":".repeat(100_000));
    assert_eq!(objects.span.unwrap().start, 127 * 5);
    assert_eq!(objects.pointer.as_str(), "/a".repeat(127));
}

/// J09, J10 at their full length, for a host that takes documents of that size.
#[test]
fn number_size_is_independent_of_document_size() {
    let roomy = Limits { document_bytes: 64 << 20, ..Limits::default() };
    for text in ["1".repeat(10_000_000), format!("0.{}", "1".repeat(10_000_000))] {
        assert_eq!(verdict_under(text.as_bytes(), &roomy), "json/number-size");
    }
}

/// J06 to J08: the text of a number is what was written.
#[test]
fn number_text_is_kept() {
    for text in
        ["1e-400", "18446744073709551616", "-9223372036854775809", "-0", "1.00", "1E2", "100e-2"]
    {
        let wrapped = format!("{{\"a\":[{text}]}}");
        let document = parse(&wrapped);
        assert_eq!(document.at("/a/0").unwrap().raw(), text);
        assert_eq!(compact(document.root()), wrapped);
        let raw = json_text::Raw::from_node(document.root());
        assert_eq!(serde_json::to_string(&raw).unwrap(), wrapped);
    }
    assert!(parse("1.0").root().number().unwrap().is_integer());
}

/// J16: names that look alike are different names.
#[test]
fn names_are_not_normalised() {
    let text = "{\"\u{e9}\":1,\"e\u{301}\":2}";
    let document = parse(text);
    assert_eq!(document.root().get("\u{e9}").unwrap().raw(), "1");
    assert_eq!(document.root().get("e\u{301}").unwrap().raw(), "2");
}

/// J19
#[test]
fn a_surrogate_pair_is_one_character() {
    let document = parse(r#""\ud83d\ude00""#);
    assert_eq!(document.root().text().as_deref(), Some("\u{1F600}"));
}

/// J31: were the search for duplicates quadratic, this test would not end.
#[test]
fn a_crowd_of_members() {
    let keys: [fn(usize) -> String; 3] = [
        |i| format!("{i:020}"),
        |i| format!("same beginning {i:06} same end"),
        |i| format!("\\u0061{i}"),
    ];
    for key in keys {
        let members: Vec<String> = (0..150_000).map(|i| format!("\"{}\":0", key(i))).collect();
        let crowd = format!("{{{}}}", members.join(","));
        let again = format!("{{{},{}}}", members.join(","), members[75_000]);
        let limits = Limits { document_bytes: 8 << 20, nodes: 1_600_000, ..Limits::default() };
        assert_eq!(verdict_under(crowd.as_bytes(), &limits), "ok");
        assert_eq!(verdict_under(again.as_bytes(), &limits), "json/duplicate-key");
    }
}

/// J36: strings that have broken other software.
#[test]
fn awkward_strings_come_back() {
    let strings = [
        "",
        "\0",
        "null",
        "__proto__",
        "\\",
        "\"",
        "\\u0000",
        "\u{7f}\u{80}\u{9f}",
        "\u{2028}\u{2029}",
        "\u{202e}drawkcab",
        "\u{feff}",
        "\u{fffe}\u{ffff}",
        "\u{10ffff}",
        "\u{e0001}\u{e0020}",
        "Z\u{35c}a\u{358}l\u{322}g\u{34c}o",
        "\u{1F468}\u{200d}\u{1F469}",
        "' OR 1=1 --",
        "$(touch x) `id` ${HOME}",
        "%s%n %d",
        "../../etc/passwd",
        "<script>alert(1)</script>",
        "\r\nSet-Cookie: x",
        "1e400",
        "//",
    ];
    for string in strings {
        let quoted = quote(string);
        assert_eq!(verdict(quoted.as_bytes()), "ok");
        assert_eq!(parse(&quoted).root().text().as_deref(), Some(string));
        let named = format!("{{{quoted}:1}}");
        let document = parse(&named);
        let value = document.root().get(string).unwrap();
        assert_eq!(document.at(value.pointer().as_str()).unwrap().raw(), "1");
    }
}
