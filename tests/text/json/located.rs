//! Where a diagnostic says that the problem is: pointer, bytes, line and column.

use diagnostic::Diagnostic;
use diagnostic::{Position, Span, position};
use json_text::Document;
use json_text::Limits;

/// Text with the place of the problem between `«` and `»`, then code, pointer,
/// line and column. A second place is between `‹` and `›`.
const PLACES: &[(&str, &str, &str, usize, usize)] = &[
    // Syntax, in every state of the parser.
    ("«»", "json/syntax", "", 1, 1),
    ("«x»", "json/syntax", "", 1, 1),
    ("«t»ru", "json/syntax", "", 1, 1),
    ("{«a»:1}", "json/syntax", "", 1, 2),
    ("{\"a\" «1»}", "json/syntax", "/a", 1, 6),
    ("{\"a\":«}»", "json/syntax", "/a", 1, 6),
    ("{\"a\":1,«}»", "json/syntax", "", 1, 8),
    ("{\"a\":1 «\"»b\":2}", "json/syntax", "", 1, 8),
    ("{\"a\":{\"b\":1 «]»", "json/syntax", "/a", 1, 13),
    ("{\"a\":{\"b\":[true,«}»", "json/syntax", "/a/b/1", 1, 17),
    ("[1,«]»", "json/syntax", "/1", 1, 4),
    ("[[],{},\n [0, «,»]]", "json/syntax", "/2/1", 2, 6),
    ("[1,\n2,\n  -«x»]", "json/syntax", "/2", 3, 4),
    ("[1.«]»", "json/syntax", "/0", 1, 4),
    ("{\"a\":[«»", "json/syntax", "/a/0", 1, 7),
    ("{\"a\": «\"x»", "json/syntax", "/a", 1, 7),
    ("{\"a\": \"«\\q»\"}", "json/syntax", "/a", 1, 8),
    ("{\"a\": \"«\\u»12g4\"}", "json/syntax", "/a", 1, 8),
    ("{\"a\": \"x«\n»\"}", "json/syntax", "/a", 1, 9),
    ("{\"a\":1,\"x«\t»\":2}", "json/syntax", "", 1, 10),
    // Characters count, not bytes; a line ends with a line feed.
    ("{\"é😀\": [\r\n\t«'»x']}", "json/syntax", "/é😀/0", 2, 2),
    ("[\"é😀\", «é»]", "json/syntax", "/1", 1, 8),
    // Names are escaped as pointers are, and decoded first.
    ("{\"a/b\":{\"~\":[«x»]}}", "json/syntax", "/a~1b/~0/0", 1, 14),
    ("{\"\\u0061\":{\"\":«x»}}", "json/syntax", "/a/", 1, 15),
    // Surrogates.
    ("[0,\"«\\ud800»\"]", "json/surrogate", "/1", 1, 5),
    ("{\"a\":{\"«\\udc00»\":1}}", "json/surrogate", "/a", 1, 8),
    ("[\"\\ud83d\\ude00«\\ud83d»\\u0041\"]", "json/surrogate", "/0", 1, 15),
    // Trailing data.
    ("{} «x y»", "json/trailing", "", 1, 4),
    ("{}\n«{}\n»", "json/trailing", "", 2, 1),
    // Duplicates: the second is the problem, the first is named too.
    ("{‹\"a\"›:1,«\"a\"»:2}", "json/duplicate-key", "/a", 1, 8),
    ("{‹\"a\"›:1,\n \"b\":2,\n «\"a\"»:3, \"b\":4, \"a\":5}", "json/duplicate-key", "/a", 3, 2),
    ("{‹\"a\"›:1,«\"\\u0061\"»:2}", "json/duplicate-key", "/a", 1, 8),
    ("{‹\"\\u0061\"›:1,«\"a\"»:2}", "json/duplicate-key", "/a", 1, 13),
    (
        "[{\"schema\":{\"enum\":[{‹\"x/y\"›:1,«\"x\\/y\"»:1}]}}]",
        "json/duplicate-key",
        "/0/schema/enum/0/x~1y",
        1,
        30,
    ),
    ("{‹\"\"›:{\"deep\":[1,2]},\"z\":[],«\"\"»:0,\"z\":0}", "json/duplicate-key", "/", 1, 27),
    // The inner object ends first.
    ("{\"a\":1,\"a\":{‹\"b\"›:1,«\"b\"»:2}}", "json/duplicate-key", "/a/b", 1, 19),
];

/// The text, and the places that are marked in it.
fn unmark(marked: &str) -> (String, [Option<Span>; 2]) {
    let mut text = String::new();
    let mut places = [None::<Span>; 2];
    for c in marked.chars() {
        let at = text.len();
        match c {
            '«' => places[0] = Some(Span { start: at, end: at }),
            '‹' => places[1] = Some(Span { start: at, end: at }),
            '»' => places[0].as_mut().unwrap().end = at,
            '›' => places[1].as_mut().unwrap().end = at,
            c => text.push(c),
        }
    }
    (text, places)
}

fn refusal(bytes: &[u8], limits: &Limits) -> Diagnostic {
    Document::parse(bytes, limits).unwrap_err()
}

#[test]
fn every_problem_is_located() {
    for (marked, code, pointer, line, column) in PLACES {
        let (text, [place, first]) = unmark(marked);
        let found = refusal(text.as_bytes(), &Limits::default());
        assert_eq!(found.rule.code, *code, "{marked}");
        assert_eq!(found.pointer.as_str(), *pointer, "{marked}");
        assert_eq!(found.span, place, "{marked}");
        let expected = Position { line: *line, column: *column };
        assert_eq!(position(&text, place.unwrap().start), expected, "{marked}");
        let related: Vec<Span> = found.related.iter().map(|related| related.span).collect();
        assert_eq!(related, first.into_iter().collect::<Vec<_>>(), "{marked}");
    }
}

/// Problems of encoding, by byte.
#[test]
fn bad_bytes_are_located() {
    for (bytes, start, end) in [
        (&b"\xEF\xBB\xBF{}"[..], 0, 3),
        (b"\xFF\xFE{\0}\0", 0, 1),
        (b"{\0}\0", 0, 2),
        (b"\0{\0}", 0, 2),
        (b"[\"ab\xFFc\"]", 4, 5),
        (b"[\"ab\xE2\x82\"]", 4, 6),
        (b"[\"ab\xE2\x82", 4, 6),
        (b"{}\n\xC0\xAF", 3, 4),
    ] {
        let found = refusal(bytes, &Limits::default());
        assert_eq!(found.rule.code, "json/encoding");
        assert_eq!(found.span, Some(Span { start, end }), "{bytes:?}");
        assert!(found.pointer.is_root());
    }
}

/// What passes a limit is marked where it stands.
#[test]
fn limits_are_located() {
    let limits = Limits {
        document_bytes: 40,
        depth: 2,
        nodes: 5,
        string_bytes: 3,
        key_bytes: 4,
        number_bytes: 3,
    };
    for (marked, code, pointer) in [
        ("{\"a\":[0,«[»]]}", "json/depth", "/a/1"),
        ("{\"a\":{\"b\":«{»}}}", "json/depth", "/a/b"),
        ("[0,1,2,{\"a\":«»4}]", "json/nodes", "/3/a"),
        ("[0,{\"a\":«\"four\"»}]", "json/string-size", "/1/a"),
        ("{\"a\":{\"b\":1,«\"fives\"»:0}}", "json/key-size", "/a"),
        ("{\"a\":[«1000»]}", "json/number-size", "/a/0"),
        ("«»                                        0", "json/size", ""),
    ] {
        let (text, [place, _]) = unmark(marked);
        let found = refusal(text.as_bytes(), &limits);
        assert_eq!(found.rule.code, code, "{marked}");
        assert_eq!(found.pointer.as_str(), pointer, "{marked}");
        assert_eq!(found.span, place, "{marked}");
    }
}

/// A message echoes little of its input, and nothing that a terminal acts on.
#[test]
fn messages_are_safe_to_print() {
    let key = "\\u001b[2J\\u202e".repeat(60);
    let text = format!("{{\"{key}\":1,\"{key}\":2}}");
    let found = refusal(text.as_bytes(), &Limits::default());
    assert_eq!(found.rule.code, "json/duplicate-key");
    assert!(found.message.len() < 160, "{}", found.message);
    for shown in [found.message.clone(), found.to_string()] {
        assert!(!shown.contains(|c: char| c.is_control() || c == '\u{202e}'));
    }
}

#[test]
fn lines_and_columns() {
    let text = "a\r\nß😀b\n\nc";
    let at = |offset| {
        let Position { line, column } = position(text, offset);
        (line, column)
    };
    assert_eq!(at(0), (1, 1));
    assert_eq!(at(2), (1, 3));
    assert_eq!(at(3), (2, 1));
    assert_eq!(at(5), (2, 2));
    assert_eq!(at(9), (2, 3));
    assert_eq!(at(11), (3, 1));
    assert_eq!(at(12), (4, 1));
    assert_eq!(at(text.len()), (4, 2));
    assert_eq!(at(1000), (4, 2));
    assert_eq!(position("", 0), Position { line: 1, column: 1 });
}
