//! A merge makes the difference between two values to a third, and to no other byte
//! of it.

use diagnostic::Pointer;
use json_text::Limits;
use json_text::{ChangeKind, Document, Edit, Kind, MergeOptions, apply, compact, merge, pretty};
use proptest::prelude::*;
use toolglot_tests::on_a_small_stack;

use super::generate::{Choices, document};
use super::parse;

const PLAIN: MergeOptions<'static> = MergeOptions { keys: &["id"], partial: false };
const PARTIAL: MergeOptions<'static> = MergeOptions { keys: &["id"], partial: true };

/// `[was, ours, theirs]` to the text, or the places of conflicts.
fn merged_with(three: [&str; 3], options: &MergeOptions<'_>) -> Result<String, Vec<String>> {
    let [was, ours, theirs] = three.map(parse);
    let merged = merge(&ours, was.root(), theirs.root(), options);
    parse(&merged.text);
    if merged.conflicts.is_empty() {
        return Ok(merged.text);
    }
    Err(merged.conflicts.iter().map(|conflict| conflict.at.pointer().to_string()).collect())
}

fn merged(three: [&str; 3]) -> Result<String, Vec<String>> {
    merged_with(three, &PLAIN)
}

proptest! {
    #![proptest_config(toolglot_tests::random(1000))]

    #[test]
    fn no_difference_changes_nothing(
        ours in prop::collection::vec(any::<u8>(), 0..160),
        was in prop::collection::vec(any::<u8>(), 0..160),
    ) {
        let [ours, was] = [ours, was].map(|bytes| document(&mut Choices::new(&bytes)));
        let (ours, was) = (parse(&ours), parse(&was));
        for other in [compact(was.root()), pretty(was.root())] {
            let other = parse(&other);
            let merged = merge(&ours, was.root(), other.root(), &PARTIAL);
            prop_assert_eq!(&merged.text, ours.text());
            prop_assert!(merged.conflicts.is_empty() && merged.changes.is_empty());
        }
    }

    #[test]
    fn anything_goes_with_anything(
        texts in prop::array::uniform3(prop::collection::vec(any::<u8>(), 0..120)),
    ) {
        let texts = texts.map(|bytes| document(&mut Choices::new(&bytes)));
        let [was, ours, theirs] = [&texts[0], &texts[1], &texts[2]].map(|text| parse(text));
        for options in [PLAIN, PARTIAL, MergeOptions::default()] {
            let merged = merge(&ours, was.root(), theirs.root(), &options);
            parse(&merged.text);
            let places = merged.conflicts.iter().map(|c| c.at).chain(merged.changes.iter().map(|c| c.at));
            for place in places {
                let (pointer, span) = (place.pointer(), place.span());
                prop_assert!(span.end <= ours.text().len());
                prop_assert_eq!(ours.root().at(&pointer).is_some(), place.key.is_none());
            }
        }
    }

    /// Two scalars, one changed here and one there: exactly their bytes change.
    #[test]
    fn disjoint_edits_meet(
        bytes in prop::collection::vec(any::<u8>(), 0..240),
        how in prop::collection::vec(any::<u8>(), 4..5),
    ) {
        let mut choices = Choices::new(&bytes);
        let (one, two) = (document(&mut choices), document(&mut choices));
        let text = format!("{{\"one\": [{one}, 0],\n \"list\": [1,1, {two},1]}}");
        let was = parse(&text);
        let scalar = |kind| !matches!(kind, Kind::Array | Kind::Object);
        let leaves = was.root().leaves();
        let is_key = |at: &Pointer| at.as_str().ends_with("/id");
        let leaves: Vec<_> =
            leaves.filter(|(at, leaf)| scalar(leaf.kind()) && !is_key(at)).collect();
        let mut choices = Choices::new(&how);
        let p = choices.below(leaves.len());
        let q = (p + 1 + choices.below(leaves.len() - 1)) % leaves.len();
        let here = Edit::Set(leaves[p].0.clone(), "\"edited here\"".to_owned());
        let there = Edit::Set(leaves[q].0.clone(), "\"edited there\"".to_owned());
        let ours = apply(&was, std::slice::from_ref(&here)).unwrap();
        let theirs = apply(&was, std::slice::from_ref(&there)).unwrap();
        let theirs = compact(parse(&theirs).root());
        let (ours, theirs) = (parse(&ours), parse(&theirs));
        let merged = merge(&ours, was.root(), theirs.root(), &PLAIN);
        prop_assert_eq!(&merged.text, &apply(&was, &[here, there]).unwrap());
        prop_assert!(merged.conflicts.is_empty());
        prop_assert_eq!(merged.changes.len(), 1);
        prop_assert_eq!(merged.changes[0].kind, ChangeKind::Replaced);
        prop_assert_eq!(merged.changes[0].at.pointer(), leaves[q].0.clone());
    }
}

#[test]
fn edits_to_different_places_meet() {
    let was = r#"{"a":1,"b":{"c":[1],"d":2}}"#;
    let (ours, theirs) = (r#"{"a":9,"b":{"c":[1]}}"#, r#"{"b":{"c":[1,2],"d":2},"a":1,"e":0}"#);
    assert_eq!(merged([was, ours, theirs]).unwrap(), r#"{"a":9,"e":0,"b":{"c":[1,2]}}"#);
    assert_eq!(merged([was, ours, ours]).unwrap(), ours);
}

/// Another order of members and another spelling are no edit.
#[test]
fn equal_is_what_says_the_same() {
    let ours = r#"[{"y":[2.0,{}],"x":"\u0061"},3]"#;
    assert_eq!(merged([r#"[{"x":"a","y":[2,{}]},3]"#, ours, "[3]"]).unwrap(), "[3]");
    assert_eq!(merged([r#"[{"x":"a","y":[2,{}]},3]"#, ours, "{}"]).unwrap(), "{}");
    let theirs = r#"[0,{"x":"a","y":[20e-1,{}]},3]"#;
    let expected = r#"[0,{"y":[2.0,{}],"x":"\u0061"},3]"#;
    assert_eq!(merged([r#"[{"x":"a","y":[2,{}]},3]"#, ours, theirs]).unwrap(), expected);
    assert_eq!(merged(["[[1,2],3]", "[[2,1],3]", "[3]"]).unwrap_err(), ["/0"]);
}

#[test]
fn elements_meet_by_key() {
    let was = r#"[{"id":"a","x":1},{"id":"b"},{"id":"c"}]"#;
    let ours = r#"[{"id":"c"},{"id":"a","x":1},{"id":"b","y":1},{"id":"m"}]"#;
    let theirs = r#"[{"id":"a","x":2},{"id":"b"},{"id":"t"}]"#;
    let both = r#"[{"id":"a","x":2},{"id":"b","y":1},{"id":"m"},{"id":"t"}]"#;
    assert_eq!(merged([was, ours, theirs]).unwrap(), both);
}

#[test]
fn what_is_renamed_on_one_side_is_edited_on_the_other() {
    let was = r#"[{"id":"a","x":1},{"id":"b"}]"#;
    let (ours, theirs) = (r#"[{"id":"c","x":1},{"id":"b"}]"#, r#"[{"id":"a","x":2},{"id":"b"}]"#);
    // Nothing else in common: one is gone, and one is new.
    let other = r#"[{"id":"c","x":3},{"id":"b"}]"#;
    assert_eq!(merged([was, theirs, other]).unwrap_err(), ["/0"]);
    let was = was.replace("\"x\"", "\"k\":0,\"x\"");
    let [ours, theirs] = [ours, theirs].map(|text| text.replace("\"x\"", "\"k\":0,\"x\""));
    let both = r#"[{"id":"c","k":0,"x":2},{"id":"b"}]"#;
    assert_eq!(merged([&was, &ours, &theirs]).unwrap(), both);
    assert_eq!(merged([&was, &theirs, &ours]).unwrap(), both);
}

/// An ancestor that says no more than the key was not read further: what ours has besides stays.
#[test]
fn what_was_read_by_its_key_alone_is_renamed() {
    let (was, theirs) = (r#"[{"id":"a"},{"id":"b"}]"#, r#"[{"id":"c"},{"id":"b"}]"#);
    let ours = r#"[{"id":"a","x":1},{"id":"b"}]"#;
    let both = r#"[{"id":"c","x":1},{"id":"b"}]"#;
    assert_eq!(merged_with([was, ours, theirs], &PARTIAL).unwrap(), both);
    // Said whole, one is gone that was edited here.
    assert_eq!(merged([was, ours, theirs]).unwrap_err(), ["/0"]);
}

#[test]
fn renaming_contradicts_renaming_and_removing() {
    let was = r#"[{"id":"a","x":1},{"id":"b"}]"#;
    let [here, there] = [r#"[{"id":"c","x":1},{"id":"b"}]"#, r#"[{"id":"d","x":1},{"id":"b"}]"#];
    let gone = r#"[{"id":"b"}]"#;
    assert_eq!(merged([was, here, there]).unwrap_err(), ["/0/id"]);
    assert_eq!(merged([was, here, here]).unwrap(), here);
    assert_eq!(merged([was, here, gone]).unwrap_err(), ["/0"]);
    assert_eq!(merged([was, gone, here]).unwrap_err(), [""]);
}

#[test]
fn two_orders_contradict_each_other() {
    let [was, ours, theirs] = ["abc", "bac", "acb"].map(|names| {
        let list: Vec<_> = names.chars().map(|name| format!(r#"{{"id":"{name}"}}"#)).collect();
        format!("[{}]", list.join(","))
    });
    assert_eq!(merged([&was, &ours, &theirs]).unwrap_err(), [""]);
    assert_eq!(merged([&was, &ours, &ours]).unwrap(), ours);
    assert_eq!(merged([&was, &ours, &was]).unwrap(), ours);
    assert_eq!(merged([&was, &was, &ours]).unwrap(), ours);
}

#[test]
fn all_conflicts_are_told_where_they_are() {
    let was = r#"{"a":1,"b":[{"id":"x","n":1}],"c":1}"#;
    let ours = r#"{"a":2,"b":[{"id":"x","n":2}],"d":1}"#;
    let theirs = r#"{"a":3,"b":[],"c":2,"d":2}"#;
    assert_eq!(merged([was, ours, theirs]).unwrap_err(), ["/a", "/b/0", "/d", "/c"]);
}

#[test]
fn what_could_not_be_written_stays() {
    let (was, ours) = (r#"["a","c"]"#, r#"["a","É","c","ß"]"#);
    for (theirs, expected) in [
        (r#"["ax","c"]"#, r#"["ax","É","c","ß"]"#),
        (r#"["c"]"#, r#"["É","c","ß"]"#),
        (r#"["c","a"]"#, r#"["c","ß","a","É"]"#),
        (r#"["new","a","c"]"#, r#"["new","a","É","c","ß"]"#),
        (r#"["a","new","c"]"#, r#"["a","É","new","c","ß"]"#),
        ("[]", r#"["É","ß"]"#),
    ] {
        assert_eq!(merged([was, ours, theirs]).unwrap(), expected);
    }
    for (three, expected) in [
        ([r#"["e","a"]"#, r#"["É","a"]"#, r#"["e","b"]"#], r#"["É","b"]"#),
        ([r#"["tool"]"#, "[]", r#"["tool","x"]"#], r#"["x"]"#),
        (["[1,1]", "[1,1,2]", "[1]"], "[1,2]"),
        // Added on both sides is added once.
        (["[1]", "[1,2]", "[1,2,3]"], "[1,2,3]"),
        // Of equal elements, those are the same that have the same neighbours.
        (["[5,6,5,7]", "[5,6,5,7,8]", "[6,5,9]"], "[6,5,9,8]"),
    ] {
        assert_eq!(merged(three).unwrap(), expected);
    }
}

/// `[was, ours, theirs]` where `was` says only a part of what ours says.
#[test]
fn what_the_ancestor_lacks_is_no_edit() {
    for (three, expected) in [
        // What is removed goes with what nobody knew of it.
        ([r#"{"a":{"b":1},"c":2}"#, r#"{"a":{"b":1,"u":0},"c":2}"#, r#"{"c":2}"#], r#"{"c":2}"#),
        (
            [
                r#"[{"id":"p","x":[1]},{"id":"q"}]"#,
                r#"[{"id":"p","x":[1,"ß"]},{"id":"q","u":0}]"#,
                r#"[{"id":"q"}]"#,
            ],
            r#"[{"id":"q","u":0}]"#,
        ),
        // Elements without a key are told by what they say.
        (
            [
                r#"[{"x":1},{"x":2}]"#,
                r#"[{"x":1,"u":0},{"u":9},{"x":2,"u":0}]"#,
                r#"[{"x":1},{"x":3}]"#,
            ],
            r#"[{"x":1,"u":0},{"u":9},{"x":3,"u":0}]"#,
        ),
        ([r#"{"a":{}}"#, r#"{"a":{"u":0}}"#, r#"{"a":"text"}"#], r#"{"a":"text"}"#),
    ] {
        assert_eq!(merged_with(three, &PARTIAL).unwrap(), expected);
    }
    let [was, ours, theirs] = [r#"{"a":{"b":1}}"#, r#"{"a":{"b":1,"u":0}}"#, "{}"];
    assert_eq!(merged([was, ours, theirs]).unwrap_err(), ["/a"]);
    assert_eq!(merged_with([was, r#"{"a":{"b":2,"u":0}}"#, theirs], &PARTIAL).unwrap_err(), ["/a"]);
    assert_eq!(merged_with([was, ours, r#"{"a":{"b":1,"u":1}}"#], &PARTIAL).unwrap_err(), ["/a/u"]);
}

/// `[was, ours, theirs]`, and what comes out: the layout is that of ours.
#[test]
fn layout_is_that_of_the_neighbours() {
    for (three, expected) in [
        // A new name leaves the value as it is written, and is the only change.
        (
            [r#"{"a":[1],"b":2}"#, "{ \"a\" : [ 1.0 ],\n\"b\":2 }", r#"{"z":[1],"b":2}"#],
            "{ \"z\" : [ 1.0 ],\n\"b\":2 }",
        ),
        // With another value, it takes the place.
        (
            [r#"{"a":1,"b":2}"#, "{ \"u\": 0, \"a\": 1, \"b\": 2 }", r#"{"b":2,"z":9}"#],
            "{ \"u\": 0, \"z\": 9, \"b\": 2 }",
        ),
        // Lines, their ends and their indentation are copied.
        (
            [r#"{"a":1}"#, "{\r\n\t\"a\": 1,\r\n\t\"u\": 0\r\n}", r#"{"a":1,"b":{"c":[1]}}"#],
            "{\r\n\t\"a\": 1,\r\n\t\"b\": {\r\n\t\t\"c\": [\r\n\t\t\t1\r\n\t\t]\r\n\t},\r\n\t\"u\": 0\r\n}",
        ),
        (
            [
                r#"{"a":{},"b":[]}"#,
                "{\n    \"a\": {},\n    \"b\": []\n}",
                r#"{"a":{"x":1},"b":[1]}"#,
            ],
            "{\n    \"a\": {\n        \"x\": 1\n    },\n    \"b\": [\n        1\n    ]\n}",
        ),
        // One line stays one line.
        (
            [
                r#"{"a":{},"b":0}"#,
                "{\n \"w\": { \"v\": 0 },\n \"a\": {}, \"b\": 0 }",
                r#"{"a":{},"b":{"x":[1]}}"#,
            ],
            "{\n \"w\": { \"v\": 0 },\n \"a\": {}, \"b\": {\n  \"x\": [\n   1\n  ]\n } }",
        ),
        (["[0]", "[ 0 ]", r#"[{"a":[1]}]"#], r#"[ {"a":[1]} ]"#),
        (["[[1,2]]", "[[1,2]]", "[[]]"], "[[]]"),
        (["[1,2]", "[1,\n2]", "[2,1,3]"], "[2,\n1,\n3]"),
    ] {
        assert_eq!(merged(three).unwrap(), expected);
    }
}

/// Reordered at every level, where every level also has an edit.
#[test]
fn deep_orders() {
    on_a_small_stack(|| {
        let depth = 5000;
        let limits = Limits { document_bytes: 64 << 20, depth: depth + 1, ..Limits::default() };
        let deep = |open: &str, leaf: &str, close: &str| {
            format!("{}{leaf}{}", open.repeat(depth), close.repeat(depth))
        };
        let ours = deep("[{\"id\":\"a\"},{\"id\":\"b\",\"x\":", "1", "}]").replace("[{", "[ {");
        let theirs = deep("[{\"id\":\"b\",\"x\":", "2", "},{\"id\":\"a\",\"y\":0}]");
        let limits = Limits { depth: 2 * depth + 1, nodes: usize::MAX, ..limits };
        let ours = Document::parse(ours.as_bytes(), limits).unwrap();
        let theirs = Document::parse(theirs.as_bytes(), limits).unwrap();
        let merged = merge(&ours, ours.root(), theirs.root(), &PLAIN);
        let expected = theirs.text().replace("[{", "[ {");
        assert_eq!(merged.text.replace(": 0", ":0"), expected);
    });
}
