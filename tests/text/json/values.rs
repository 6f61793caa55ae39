//! Strings, raw values and keyed lists, beside what `serde_json` makes of them.

use std::borrow::Cow;

use json_text::read::Extras;
use json_text::{Document, KeyedList, Number, Raw, canonical, compact, quote, unquote};
use proptest::prelude::*;

use super::parse;

proptest! {
    #![proptest_config(toolglot_tests::random(500))]

    /// Another library reads what is quoted, and what it quotes is read.
    #[test]
    fn strings_are_what_others_read(text in "[\\x00-\\x30\"\\\\a\u{7f}-\u{a1}\u{2028}\u{1f600}]{0,12}") {
        prop_assert_eq!(&serde_json::from_str::<String>(&quote(&text)).unwrap(), &text);
        for quoted in [quote(&text), serde_json::to_string(&text).unwrap()] {
            prop_assert_eq!(unquote(&quoted), text.as_str());
        }
        // No escape that is not needed.
        let needed = |c: char| c < ' ' || c == '"' || c == '\\';
        prop_assert_eq!(quote(&text).contains('\\'), text.contains(needed));
    }

    /// Without the space between them, tokens are what they were.
    #[test]
    fn compact_documents_are_what_others_make(
        strings in prop::collection::vec("[\"\\\\ a,:{}\\[\\]\u{e9}]{0,6}", 0..4),
        numbers in prop::collection::vec(any::<i32>(), 0..4),
    ) {
        let value = serde_json::json!({"s": strings, "n": numbers, "o": [{}, [], null, true]});
        let spaced = serde_json::to_string_pretty(&value).unwrap();
        let document = parse(&spaced);
        prop_assert_eq!(compact(document.root()), value.to_string());
    }
}

#[test]
fn what_is_written_as_it_reads_is_borrowed() {
    assert!(matches!(unquote("\"plain\""), Cow::Borrowed("plain")));
    assert!(matches!(unquote(r#""a\u0062""#), Cow::Owned(text) if text == "ab"));
    let document = parse(r#"["plain", "es\u0063aped", 1]"#);
    let [plain, escaped, number]: [_; 3] =
        document.root().elements().collect::<Vec<_>>().try_into().unwrap();
    assert!(!plain.is_escaped() && escaped.is_escaped() && !number.is_escaped());
    assert_eq!(plain.plain_bytes(), Some(&b"plain"[..]));
    assert_eq!((escaped.plain_bytes(), number.plain_bytes()), (None, None));
    assert!(matches!(plain.text(), Some(Cow::Borrowed("plain"))));
    assert_eq!(escaped.text().as_deref(), Some("escaped"));
}

/// One text for one value, as RFC 8785 has it for what is in both: members sorted, no white space.
#[test]
fn a_value_has_one_canonical_text() {
    for (text, expected) in [
        (
            r#" { "b" : [ 1.0, {}, [ ] , "\u0041" ], "a": {"d": null, "c": true} } "#,
            r#"{"a":{"c":true,"d":null},"b":[1,{},[],"A"]}"#,
        ),
        ("[]", "[]"),
        ("[10e-1, 100]", "[1,100]"),
        (r#"{"x": "x"}"#, r#"{"x":"x"}"#),
    ] {
        assert_eq!(canonical(parse(text).root()), expected);
    }
}

/// What was read once is opened again without reading.
#[test]
fn a_document_is_opened_by_what_was_read_of_it() {
    let text = "{\n  \"a\": [1, null]\n}";
    let read = parse(text);
    let again = Document::from_tape(text, &read.tape());
    let entries = |document: &Document<'_>| -> Vec<(u32, String)> {
        let all = document.root().descendants();
        all.map(|node| (node.index(), node.raw().to_owned())).collect()
    };
    assert_eq!(entries(&again), entries(&read));
    let last = again.at("/a/1").unwrap();
    assert!(last.is_null() && !again.root().is_null());
    let place = again.position(last.span().start);
    assert_eq!((place.line, place.column), (2, 12));
}

#[test]
fn bytes_that_are_read_are_counted() {
    let before = json_text::parsed_bytes();
    parse("[1, 2]");
    parse("{}");
    assert_eq!(json_text::parsed_bytes() - before, 8);
}

/// Raw values are equal where they are the same value, and only there.
#[test]
fn raw_values_are_compared_by_what_they_are() {
    let raw = |text: &'static str| Raw::parse(text).unwrap();
    for (a, b) in [
        ("1", "1.0"),
        ("100", "1e2"),
        (r#"{"a": 1, "b": 2}"#, r#"{"b":2,"a":1}"#),
        (r#""a""#, r#""\u0061""#),
        (" [1, 2] ", "[1,2]"),
    ] {
        assert_eq!(raw(a), raw(b));
    }
    for (a, b) in [
        ("1", "2"),
        ("1", "\"1\""),
        ("[1,2]", "[2,1]"),
        (r#"{"a": 1}"#, r#"{"a": 1, "b": 2}"#),
        ("null", "false"),
        ("[]", "{}"),
    ] {
        assert_ne!(raw(a), raw(b));
    }
    assert_eq!(raw(" [1.50 ] ").as_str(), "[1.50 ]");
    assert_eq!(Raw::from_static("[1 ]").into_owned().as_str(), "[1 ]");
    assert_eq!(Raw::from_trusted("{ }".to_owned()).as_str(), "{ }");
    assert!(Extras::default().is_empty());
    assert!(!Extras(vec![("a".into(), raw("1"))]).is_empty());
    let number = Number::from(-7);
    assert_eq!(
        (number.to_string(), serde_json::to_string(&number).unwrap()),
        ("-7".to_owned(), "-7".to_owned())
    );
    assert!(Raw::parse("[1").is_err() && Raw::parse("1 2").is_err());
    assert_eq!(serde_json::from_str::<Raw<'_>>(" [1.50 ]").unwrap().as_str(), "[1.50 ]");
    assert!(serde_json::from_str::<Raw<'_>>(r#"{"a":1,"a":2}"#).is_err());
    assert_eq!(serde_json::to_string(&raw("[1.50 ]")).unwrap(), "[1.50 ]");
    assert_eq!(serde_json::from_str::<Number<'_>>("1.50").unwrap().as_str(), "1.50");
    assert!(serde_json::from_str::<Number<'_>>("\"1\"").is_err());
}

#[test]
fn entries_have_one_name_each() {
    let mut list = KeyedList::default();
    assert!(list.is_empty());
    assert!(list.insert("b".into(), 1) && list.insert("a".into(), 2));
    assert!(!list.insert("b".into(), 3), "the first stays");
    assert!(!list.is_empty());
    assert_eq!(list.iter().collect::<Vec<_>>(), [("b", &1), ("a", &2)]);
    assert_eq!((list.get("a"), list.get("c")), (Some(&2), None));
    list.values_mut().for_each(|value| *value *= 10);
    assert_eq!(serde_json::to_string(&list).unwrap(), r#"{"b":10,"a":20}"#);
    let read: KeyedList<'_, i32> = serde_json::from_str(r#"{"b": 10, "a": 20}"#).unwrap();
    assert_eq!(read, list);
    assert!(serde_json::from_str::<KeyedList<'_, i32>>("[]").is_err());
    let collected: KeyedList<'_, i32> =
        [("x".into(), 1), ("x".into(), 2), ("y".into(), 3)].into_iter().collect();
    assert_eq!(collected.into_iter().collect::<Vec<_>>(), [("x".into(), 1), ("y".into(), 3)]);
}
