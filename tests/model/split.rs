//! Streams: what comes out, whatever goes in.

use convert::stream::{Shape, SplitOptions, Splitter, StreamError, rules};
use diagnostic::{SourceText, render_from};
use json_text::Document;
use manifest_core::Limits;
use proptest::prelude::*;
use testkit::{Rng, relayout, stream, value};

/// An entry: its pointer, line, column and text; or what is wrong.
fn all(text: &str, split: SplitOptions) -> Vec<Result<String, String>> {
    let mut splitter = Splitter::new(split);
    splitter.push(text.as_bytes());
    splitter.finish();
    let mut found = Vec::new();
    while let Some(next) = splitter.next() {
        found.push(match next {
            Ok(item) => {
                let text = String::from_utf8_lossy(item.bytes);
                let (line, column) = (item.place.line, item.place.column);
                Ok(format!("{}@{line}:{column} {text}", item.pointer()))
            }
            Err(StreamError { place, diagnostic, index, .. }) => {
                let (line, column) = (place.line, place.column);
                let entry = index.map(|index| format!("{index} ")).unwrap_or_default();
                Err(format!("{entry}{} {line}:{column}", diagnostic.rule.code))
            }
        });
    }
    found
}

fn split(shape: Option<Shape>) -> SplitOptions {
    stream::split_settings(shape, &Limits::default())
}

fn check(text: &str, shape: Option<Shape>, expected: &[Result<&str, &str>]) {
    let found = all(text, split(shape));
    let found: Vec<_> = found
        .iter()
        .map(|found| found.as_ref().map(String::as_str).map_err(String::as_str))
        .collect();
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn lines() {
    let lines = Some(Shape::Lines);
    check("{\"a\":1}\n{\"b\":2}\n", lines, &[Ok("@1:1 {\"a\":1}"), Ok("@2:1 {\"b\":2}")]);
    check("1\r\n\r\n \t\n2", lines, &[Ok("@1:1 1"), Ok("@4:1 2")]);
    check("", lines, &[]);
    check("\n\n", lines, &[]);
    // Whatever is in a line, the next one is another.
    check(
        "{\"a\": [\n\"b\n]\n3",
        lines,
        &[Ok("@1:1 {\"a\": ["), Ok("@2:1 \"b"), Ok("@3:1 ]"), Ok("@4:1 3")],
    );
    check("\u{feff}1\n2", lines, &[Ok("@1:1 \u{feff}1"), Ok("@2:1 2")]);
}

#[test]
fn arrays() {
    let array = Some(Shape::Array);
    check(" [ ] ", array, &[]);
    check(
        "[1,\n  {\"a\": [\"]\", \"\\\"\"]} ,true]\n",
        array,
        &[Ok("/0@1:2 1"), Ok("/1@2:3 {\"a\": [\"]\", \"\\\"\"]}"), Ok("/2@2:23 true")],
    );
    // An entry is what stands between commas, JSON or not.
    check(
        "[{\"a\":1} {\"b\":2}, oops, {\"c\":1]}, 'x', 3]",
        array,
        &[
            Ok("/0@1:2 {\"a\":1} {\"b\":2}"),
            Ok("/1@1:19 oops"),
            Ok("/2@1:25 {\"c\":1]}"),
            Ok("/3@1:35 'x'"),
            Ok("/4@1:40 3"),
        ],
    );
    // An unclosed string costs its line.
    check("[\n\"a,\n2,\n3]", array, &[Ok("/0@2:1 \"a,\n2"), Ok("/1@4:1 3")]);
    check(
        "[1,,2,]",
        array,
        &[Ok("/0@1:2 1"), Err("1 json/syntax 1:4"), Ok("/2@1:5 2"), Err("3 json/syntax 1:7")],
    );
    check("[,]", array, &[Err("0 json/syntax 1:2"), Err("1 json/syntax 1:3")]);
    check("[1, {\"a\": [2}, 3]", array, &[Ok("/0@1:2 1"), Err("1 json/syntax 1:5")]);
    check("[1, ", array, &[Ok("/0@1:2 1"), Err("json/syntax 1:5")]);
    check("[1] 2 3", array, &[Ok("/0@1:2 1"), Err("json/trailing 1:5")]);
    check("{}", array, &[Err("json/syntax 1:1")]);
    check("", array, &[Err("json/syntax 1:1")]);
    check("\u{feff}[1]", array, &[Err("json/encoding 1:1"), Ok("/0@1:3 1")]);
}

#[test]
fn members() {
    let member = Some(Shape::Member);
    check(
        "{\"x\": {\"tools\": [0]}, \"\\u0074ools\" : [1, 2], \"y\": []}",
        member,
        &[Ok("/tools/0@1:39 1"), Ok("/tools/1@1:42 2")],
    );
    check("{\"tools\": {}, \"capabilities\": [3]}", member, &[Ok("/capabilities/0@1:32 3")]);
    // A list that is there twice is no list.
    check(
        "{\"tools\": [1],\n \"tools\": [2]}",
        member,
        &[Ok("/tools/0@1:12 1"), Err("json/duplicate-key 2:2")],
    );
    check("{\"tools\": [1],\n}", member, &[Ok("/tools/0@1:12 1"), Err("json/syntax 2:1")]);
    check("{\"tools\" [1]}", member, &[Err("json/syntax 1:10")]);
    check("{\"x\": \"tools\", \"y\": [1]}", member, &[Err("stream/no-list 1:1")]);
    check("{\"tools\": [1]", member, &[Ok("/tools/0@1:12 1"), Err("json/syntax 1:14")]);
    check("{\"tools\": [1", member, &[Err("0 json/syntax 1:12")]);
    check("[1]", member, &[Err("json/syntax 1:1")]);
    check("{\"tools\": [1]} x", member, &[Ok("/tools/0@1:12 1"), Err("json/trailing 1:16")]);
}

#[test]
fn the_first_bytes_tell_the_shape() {
    let shape = |text: &str| {
        let mut splitter = Splitter::new(split(None));
        splitter.push(text.as_bytes());
        splitter.finish();
        while splitter.next().is_some() {}
        splitter.shape().unwrap()
    };
    for text in [" \n[1]", "\u{feff}[1]", "[1]\n[2]"] {
        assert_eq!(shape(text), Shape::Array, "{text:?}");
    }
    for text in ["{\"tools\": []}", "{\n  \"tools\": []}", "{\"tools\": [1", "{\"tools\":\n["] {
        assert_eq!(shape(text), Shape::Member, "{text:?}");
    }
    for text in [
        "",
        "  \n",
        "{}",
        "{}\n",
        "{}\n{}",
        "{\"tools\": []}\n{\"tools\": []}\n",
        "{\"tools\": []} {}",
        "{\"x\": {\"tools\": []}}",
        "{\"x\": 1,\n\"y\": 2}",
        "{\"capabilities\": [\"a\"]}",
        "{\n\"capabilities\": [ \n\"a\"]}",
        "1\n2",
        "oops",
    ] {
        assert_eq!(shape(text), Shape::Lines, "{text:?}");
    }
    let nameless = |text: &str| all(text, SplitOptions { members: Vec::new(), ..split(None) });
    assert_eq!(nameless("{}\n{\"tools\": [1]}").len(), 2);
    assert_eq!(nameless("{\n\"tools\": [1]}"), [Ok("@1:1 {\n\"tools\": [1]}".to_owned())]);
    check("\n{\"x\":\n[1]}", None, &[Ok("@2:1 {\"x\":\n[1]}")]);
    check("{\"x\":\n1,}", None, &[Err("json/syntax 2:3")]);
    check("{\"x\":\n1}2", None, &[Ok("@1:1 {\"x\":\n1}"), Err("json/trailing 2:3")]);
    // A list of words is none, and the next one counts.
    check("{\"capabilities\":\n[\"a\"], \"tools\": [2]}", None, &[Ok("/tools/0@2:18 2")]);
    check("{\"tools\":\n[\"a\"]}", Some(Shape::Member), &[Ok("/tools/0@2:2 \"a\"")]);
    // A first line that is too long for a document is the beginning of a list.
    let long = format!("{{\"tools\": [\"{}\"]}}\n1", "x".repeat(2 << 20));
    assert_eq!(shape(&long), Shape::Member);
}

#[test]
fn what_is_too_long_is_passed_over() {
    let limits = Limits { document_bytes: 8, ..Limits::default() };
    let long = "x".repeat(100);
    let small = |shape| stream::split_settings(Some(shape), &limits);
    let found = all(&format!("[1, \"{long}\", 2, 12345678 , 3]"), small(Shape::Array));
    let expected = [
        Ok("/0@1:2 1"),
        Err("1 json/size 1:5"),
        Ok("/2@1:109 2"),
        Err("3 json/size 1:112"),
        Ok("/4@1:123 3"),
    ];
    assert_eq!(found, expected.map(|e| e.map(str::to_owned).map_err(str::to_owned)));
    let found = all(&format!("1\n{long}\n{}\n2\n", " ".repeat(100)), small(Shape::Lines));
    let expected = [Ok("@1:1 1"), Err("1 json/size 2:1"), Ok("@4:1 2")];
    assert_eq!(found, expected.map(|e| e.map(str::to_owned).map_err(str::to_owned)));
    let found = all("{\"tools\": [1], \"x\": 1}", small(Shape::Member));
    let expected = [Ok("/tools/0@1:12 1"), Err("json/size 1:1")];
    assert_eq!(found, expected.map(|e| e.map(str::to_owned).map_err(str::to_owned)));
}

#[test]
fn there_are_only_so_many_entries() {
    for (text, shape) in [("1\n2\n3\n", Shape::Lines), ("[1, 2, 3]", Shape::Array)] {
        let found = all(text, SplitOptions { entries: 2, ..split(Some(shape)) });
        assert_eq!(found.iter().filter(|found| found.is_ok()).count(), 2);
        assert!(found[2].as_ref().unwrap_err().starts_with("stream/entries "), "{found:?}");
        let found = all(text, SplitOptions { entries: 3, ..split(Some(shape)) });
        assert!(found.iter().all(Result::is_ok), "{found:?}");
    }
    let found = all("[1,,,]", SplitOptions { entries: 1, ..split(None) });
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn every_rule_of_streams_can_be_broken() {
    let texts = [("[1, 2]", 1, None), ("{\n}", 0, None), ("{\n}", 9, Some(Shape::Member))];
    let codes: Vec<_> = texts
        .into_iter()
        .flat_map(|(text, entries, shape)| all(text, SplitOptions { entries, ..split(shape) }))
        .filter_map(Result::err)
        .collect();
    for rule in rules::RULES {
        assert!(codes.iter().any(|code| code.starts_with(rule.code)), "{}", rule.code);
    }
}

#[test]
fn the_envelope_is_the_rest() {
    let text = "{\"a\": 1, \"tools\": [ 1, oops ,2 ], \"b\": [\"]\"]}\n";
    let mut splitter = Splitter::new(split(None));
    splitter.push(text.as_bytes());
    splitter.finish();
    assert_eq!(splitter.envelope(), None);
    while splitter.next().is_some() {}
    assert_eq!(splitter.envelope(), Some("{\"a\": 1, \"tools\": [], \"b\": [\"]\"]}"));
    assert_eq!((splitter.count(), splitter.member()), (3, Some("tools")));
}

#[test]
fn a_diagnostic_is_shown_where_it_is_in_the_stream() {
    let text = "[1,\n   {\"a\": 1,\n    \"a\": 2}]";
    let mut splitter = Splitter::new(split(None));
    splitter.push(text.as_bytes());
    assert!(splitter.next().unwrap().is_ok());
    let item = splitter.next().unwrap().unwrap();
    let refused = Document::parse(item.bytes, &Limits::default()).unwrap_err();
    let source = SourceText { name: "s.json", bytes: item.bytes };
    let shown = render_from(&refused, Some(&source), item.place.position(), false);
    assert!(shown.contains(" --> s.json:3:5, at /a\n"), "{shown}");
    assert!(shown.contains("3 |     \"a\": 2}\n"), "{shown}");
    assert!(shown.contains(" --> s.json:2:5\n"), "{shown}");
    assert_eq!(item.position(refused.span.unwrap().start).column, 5);
    assert_eq!(item.position(1).column, 5);
}

/// Every way to cut a text that has everything in it in two.
///
/// Row L07 of the catalogue of attacks.
#[test]
fn every_cut_of_a_text() {
    let texts = [
        "\u{feff}[\"\\\"\u{1f680}é\", 1e5, {\"a\\\\\": [\"]\"]},\r\n oops, ]",
        "{\"x\": \"\\\\\", \"too\\u006cs\": [\"\u{1f680}\", [], {}],\r\n\"y\": [1]}\r\n",
        "{\"a\": \"\\\"\"}\r\n\r\n{\"b\": \"\u{1f680}\r\n\u{feff}{}\r\n3\r",
    ];
    for text in texts {
        for shape in [None, Some(Shape::Lines), Some(Shape::Array), Some(Shape::Member)] {
            let whole = all(text, split(shape));
            for cut in 0..=text.len() {
                let (head, tail) = text.as_bytes().split_at(cut);
                let mut splitter = Splitter::new(split(shape));
                let mut count = 0;
                for part in [head, tail] {
                    splitter.push(part);
                    while splitter.next().is_some() {
                        count += 1;
                    }
                }
                splitter.finish();
                while splitter.next().is_some() {
                    count += 1;
                }
                assert_eq!(count, whole.len(), "{text:?} cut at {cut}");
            }
        }
        stream::check_laws(text.as_bytes(), 1).unwrap();
    }
}

#[test]
fn the_laws_hold_for_streams_of_values() {
    for seed in 0..128 * toolglot_tests::times() {
        let rng = &mut Rng::new(seed);
        let count = rng.below(5);
        let values: Vec<_> = (0..count).map(|_| value::schema(rng, 3).render()).collect();
        let array = relayout(&format!("[{}]", values.join(",")), rng);
        let object = format!("{{\"x\":[{{}}],\"tools\":{array},\"y\":\"]\"}}");
        for text in [array.clone(), relayout(&object, rng), values.join("\r\n")] {
            stream::check_laws(text.as_bytes(), seed).unwrap();
        }
    }
}

#[test]
fn white_space_before_an_entry_is_looked_at_as_far_as_there_is_room() {
    for document_bytes in 0..8 {
        let limits = Limits { document_bytes, ..Limits::default() };
        for text in ["{\"tools\":[\n\"a\"", "{\n\"tools\":[   \"a\"]}", "{\n\"tools\":[   {}]}"] {
            let split = stream::split_settings(None, &limits);
            stream::cuts_do_not_matter(text.as_bytes(), &split, &mut Rng::new(1)).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(toolglot_tests::random(512))]

    /// Texts that look like streams, and mostly are none.
    #[test]
    fn the_laws_hold_for_anything(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("["), Just("]"), Just("{"), Just("}"), Just(","), Just(":"), Just("\""),
                Just("\\"), Just("\n"), Just("\r\n"), Just(" "), Just("\"tools\""), Just("1"),
                Just("\"tools\":["), Just("{\"tools\":["), Just("]}"), Just("é"), Just("\u{feff}"),
                Just("{\"a\":1}"), Just("\"\\\"\""),
            ],
            0..24,
        ),
        seed: u64,
    ) {
        let text = parts.concat();
        prop_assert_eq!(stream::check_laws(text.as_bytes(), seed), Ok(()));
        // Also where a character is cut in two.
        let bytes: Vec<u8> = text.bytes().filter(|byte| *byte != 0xBB).collect();
        prop_assert_eq!(stream::check_laws(&bytes, seed), Ok(()));
    }
}
