//! What people see of a diagnostic.

use diagnostic::Span;
use diagnostic::{Diagnostic, Pointer, SourceText, render};
use json_text::Limits;
use json_text::{Document, rules};
use proptest::prelude::*;

fn diagnostic(start: usize, end: usize) -> Diagnostic {
    rules::TYPE.at_pointer(Pointer::root(), "expected a string").span(Span { start, end })
}

fn rendered(text: &str, marked: &str) -> String {
    let start = text.find(marked).unwrap();
    in_bytes(text.as_bytes(), start, start + marked.len())
}

fn in_bytes(bytes: &[u8], start: usize, end: usize) -> String {
    let name = "t.json";
    let source = SourceText { name, bytes };
    without_help(&diagnostic(start, end), &source)
}

/// A page that ends with what must hold, without that.
fn without_help(diagnostic: &Diagnostic, source: &SourceText<'_>) -> String {
    let page = render(diagnostic, Some(source), false);
    let help = format!("help: {}\n", diagnostic.rule.summary);
    "\n".to_owned() + page.strip_suffix(&help).unwrap()
}

fn refused(bytes: &[u8]) -> String {
    let diagnostic = Document::parse(bytes, Limits::default()).unwrap_err();
    let name = "t.json";
    without_help(&diagnostic, &SourceText { name, bytes })
}

#[test]
fn a_place_and_its_help() {
    let bytes = b"{\n  \"tools\": [\n    { \"name\": 7 }\n  ]\n}\n";
    let name = "tools.json";
    let diagnostic = rules::TYPE
        .at_pointer(Pointer::parse("/tools/0/name").unwrap(), "expected a string, found a number")
        .span(Span { start: 29, end: 30 })
        .help("put it in quotes");
    let expected = r#"
error[json/type]: expected a string, found a number
 --> tools.json:3:15, at /tools/0/name
  |
3 |     { "name": 7 }
  |               ^
help: put it in quotes
"#;
    let source = SourceText { name, bytes };
    assert_eq!("\n".to_owned() + &render(&diagnostic, Some(&source), false), expected);
}

#[test]
fn without_a_source() {
    let at =
        |pointer: &str| rules::REQUIRED.at_pointer(Pointer::parse(pointer).unwrap(), "no").help("");
    assert_eq!(render(&at(""), None, false), "error[json/required]: no\nhelp: \n");
    assert_eq!(render(&at("/a"), None, false), "error[json/required]: no\n --> /a\nhelp: \n");
    let source = SourceText { name: "t.json", bytes: b"{}" };
    let expected = "error[json/required]: no\n --> t.json, at /a\nhelp: \n";
    assert_eq!(render(&at("/a"), Some(&source), false), expected);
    let related = at("").related(Span { start: 0, end: 1 }, "see here");
    let expected = "error[json/required]: no\nnote: see here\nhelp: \n";
    assert_eq!(render(&related, None, false), expected);
}

#[test]
fn several_lines() {
    let text = "{\n  \"a\": [\n    1\n  ]\n}\n";
    let expected = r#"
error[json/type]: expected a string
 --> t.json:2:8
  |
2 |   "a": [
  |        ^ to line 4
"#;
    assert_eq!(rendered(text, "[\n    1\n  ]"), expected);
}

#[test]
fn the_end_of_the_input() {
    let expected = r#"
error[json/syntax]: the text ends where a value should be
 --> t.json:2:7, at /a
  |
2 |   "a":
  |       ^
"#;
    assert_eq!(refused(b"{\n  \"a\":"), expected);
}

#[test]
fn an_empty_input() {
    let expected = "
error[json/syntax]: the text ends where a value should be
 --> t.json:1:1
  |
1 | 
  | ^
";
    assert_eq!(refused(b""), expected);
}

#[test]
fn a_span_outside_the_text() {
    let expected = "
error[json/type]: expected a string
 --> t.json:1:3
  |
1 | {}
  |   ^
";
    assert_eq!(in_bytes(b"{}", 70, 90), expected);
}

#[test]
fn bytes_that_are_not_text() {
    let expected = r#"
error[json/encoding]: these bytes are not UTF-8
 --> t.json:2:9
  |
2 |   "ä": "\xff\xfe"
  |         ^^^^
"#;
    assert_eq!(refused(b"{\n  \"\xc3\xa4\": \"\xff\xfe\"\n}"), expected);
}

#[test]
fn a_long_run_of_bytes_that_are_not_text() {
    let bytes = [b"\"".as_slice(), &[0x80; 10_000]].concat();
    let page = in_bytes(&bytes, 5_000, 10_000);
    assert_eq!(page.lines().map(|line| line.chars().count()).max(), Some(6 + 100));
}

#[test]
fn tabs_have_a_width() {
    let expected = r#"
error[json/type]: expected a string
 --> t.json:2:7
  |
2 |     "a":    1
  |             ^
"#;
    assert_eq!(rendered("{\n\t\"a\":\t1\n}", "1"), expected);
}

#[test]
fn windows_line_ends_do_not_show() {
    let expected = r#"
error[json/type]: expected a string
 --> t.json:2:3
  |
2 |   "a": 1
  |   ^^^
"#;
    assert_eq!(rendered("{\r\n  \"a\": 1\r\n}", "\"a\""), expected);
}

#[test]
fn wide_characters_have_two_columns() {
    let expected = r#"
error[json/type]: expected a string
 --> t.json:1:13
  |
1 | {"道具": "🚀", "b": 1}
  |                ^^^
"#;
    assert_eq!(rendered(r#"{"道具": "🚀", "b": 1}"#, "\"b\""), expected);
    let expected = r#"
error[json/type]: expected a string
 --> t.json:1:9
  |
1 | {"道具": "🚀", "b": 1}
  |           ^^
"#;
    assert_eq!(rendered(r#"{"道具": "🚀", "b": 1}"#, "🚀"), expected);
}

#[test]
fn combining_marks_have_no_column() {
    let expected = "
error[json/type]: expected a string
 --> t.json:1:8
  |
1 | {\"e\u{301}\": \"x\"}
  |       ^^^
";
    assert_eq!(rendered("{\"e\u{301}\": \"x\"}", "\"x\""), expected);
}

#[test]
fn what_would_mislead_is_escaped() {
    let expected = r#"
error[json/type]: expected a string
 --> t.json:1:20
  |
1 | {"a": "\u{1b}[2J\u{202e}x\u{200b}\u{9b}\u{7f}", "b": 1}
  |                                                 ^^^
"#;
    let text = "{\"a\": \"\u{1b}[2J\u{202e}x\u{200b}\u{9b}\u{7f}\", \"b\": 1}";
    assert_eq!(rendered(text, "\"b\""), expected);
}

#[test]
fn every_part_is_escaped() {
    let evil = "\u{1b}[2J\u{202e}\n";
    let diagnostic = rules::TYPE
        .at_pointer(Pointer::root().push(evil), evil)
        .span(Span { start: 0, end: 1 })
        .related(Span { start: 0, end: 1 }, evil)
        .help(evil);
    let source = SourceText { name: evil, bytes: evil.as_bytes() };
    let page = render(&diagnostic, Some(&source), false);
    assert!(!page.contains(['\u{1b}', '\u{202e}']), "{page}");
    assert_eq!(page.lines().count(), 11, "{page}");
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let long = "x".repeat(5_000);
    let text = format!("\"{long}!{long}\"");
    let page = rendered(&text, "!");
    let before = "x".repeat(40);
    let after = "x".repeat(59);
    let expected = format!(
        "
error[json/type]: expected a string
 --> t.json:1:5002
  |
1 | …{before}!{after}…
  |  {}^
",
        " ".repeat(40)
    );
    assert_eq!(page, expected);
}

#[test]
fn a_long_span_is_cut_too() {
    let text = format!("{{\"a\": \"{}\"}}", "x".repeat(5_000));
    let expected = format!(
        "
error[json/type]: expected a string
 --> t.json:1:7
  |
1 | {{\"a\": \"{}…
  |       {}
",
        "x".repeat(93),
        "^".repeat(94)
    );
    assert_eq!(in_bytes(text.as_bytes(), 6, 5_008), expected);
}

#[test]
fn a_line_that_ends_soon_shows_more_before() {
    let text = format!("\"{}\" !", "x".repeat(200));
    let page = rendered(&text, "!");
    assert!(page.contains(&format!("1 | …{}\" !\n", "x".repeat(97))), "{page}");
}

#[test]
fn two_places_and_wide_numbers() {
    let mut text = "\n".repeat(98);
    text += "{ \"a\": 1,\n  \"\\u0061\": 2 }";
    let expected = r#"
error[json/duplicate-key]: the member "a" is here twice
 --> t.json:100:3, at /a
    |
100 |   "\u0061": 2 }
    |   ^^^^^^^^
note: the first one is here
 --> t.json:99:3
   |
99 | { "a": 1,
   |   ---
"#;
    assert_eq!(refused(text.as_bytes()), expected);
}

#[test]
fn colour_only_when_asked() {
    let source = SourceText { name: "t.json", bytes: b"[1]" };
    let diagnostic = diagnostic(1, 2).help("quote it");
    let page = render(&diagnostic, Some(&source), true);
    let expected = "\u{1b}[1;31merror[json/type]\u{1b}[0m: expected a string
\u{1b}[1;34m --> \u{1b}[0mt.json:1:2
\u{1b}[1;34m  |\u{1b}[0m
\u{1b}[1;34m1 |\u{1b}[0m [1]
\u{1b}[1;34m  |\u{1b}[0m  \u{1b}[1;31m^\u{1b}[0m
\u{1b}[1;36mhelp\u{1b}[0m: quote it
";
    assert_eq!(page, expected);
}

proptest! {
    #[test]
    fn any_bytes_and_any_span(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        start in 0..700_usize,
        length in 0..700_usize,
    ) {
        let page = in_bytes(&bytes, start, start + length);
        prop_assert!(page.chars().all(|c| c == '\n' || diagnostic::is_plain(c)));
        prop_assert!(page.len() < 4096);
    }
}
