//! Checking instances: verdicts, places, messages, costs and defaults.

#![allow(clippy::too_many_lines)] // tables of patterns

use super::{compiled, is_printable, nested, refused};
use diagnostic::Diagnostic;
use json_schema::Limits;
use json_schema::pattern::{Pattern, PatternLimits};
use json_schema::{Schema, Validation};
use json_text::Document;
use toolglot_tests::on_a_small_stack;

fn run(schema: &Schema, instance: &str) -> Result<Validation, Diagnostic> {
    let document = Document::parse(instance.as_bytes(), json_text::Limits::default()).unwrap();
    let outcome = schema.validate(document.root())?;
    for violation in &outcome.violations {
        is_printable(&violation.message);
        assert!(document.root().at(&violation.pointer).is_some());
    }
    Ok(outcome)
}

fn is_valid(schema: &Schema, instance: &str) -> bool {
    run(schema, instance).unwrap().is_valid()
}

fn refusal(schema: &str, instance: &str) -> &'static str {
    run(&compiled(schema), instance).unwrap_err().rule.code
}

/// Schema, instance, and of each violation the place, the keyword and the text.
type Row = (&'static str, &'static str, &'static [(&'static str, &'static str, &'static str)]);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    (r#"{"type":"string"}"#, "1", &[("", "/type", "expected string")]),
    (r#"{"type":["string","null"]}"#, "1", &[("", "/type", "expected null or string")]),
    (r#"{"properties":{"a/b":{"minimum":5}}}"#, r#"{"a/b":1}"#, &[("/a~1b", "/properties/a~1b/minimum", "expected at least 5")]),
    (r#"{"required":["a","b"]}"#, "{}", &[("", "/required", "\"a\" is missing"), ("", "/required", "\"b\" is missing")]),
    (r#"{"enum":[1,2,3,4,5,6,7]}"#, "0", &[("", "/enum", "expected one of 1, 2, 3, 4, 5 and 2 more")]),
    (r#"{"const":{"a":1}}"#, "0", &[("", "/const", "expected an object")]),
    (r#"{"additionalProperties":false}"#, r#"{"a":1}"#, &[("", "/additionalProperties", "no members are allowed here")]),
    (r#"{"properties":{"c":true},"additionalProperties":false}"#, r#"{"a":1,"b\n":2}"#, &[("", "/additionalProperties", "unexpected \"a\", \"b\\u{a}\"")]),
    (r#"{"items":{"$ref":"\u0023/$defs/x"},"$defs":{"x":{"maxLength":1}}}"#, r#"["a","bc"]"#, &[("/1", "/$defs/x/maxLength", "expected at most 1 characters")]),
    (r#"{"patternProperties":{"^\\d":{"type":"string"},"^[0-9]":{"minimum":3},"x":false}}"#, r#"{"1":2,"x":1}"#, &[
        ("/1", "/patternProperties/^\\d/type", "expected string"),
        ("/1", "/patternProperties/^[0-9]/minimum", "expected at least 3"),
        ("/x", "/patternProperties/x", "no value is allowed here"),
    ]),
    (r#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#, "1", &[("", "/oneOf", "expected to match exactly one of several schemas, matched none")]),
    (r#"{"not":{}}"#, "1", &[("", "/not", "matched a schema that it must not match")]),
    (r#"{"pattern":"^a$"}"#, "\"b\"", &[("", "/pattern", "the text does not match the pattern")]),
    (r#"{"uniqueItems":true}"#, "[1,1.0]", &[("", "/uniqueItems", "two elements are equal")]),
    (r#"{"multipleOf":0.1}"#, "0.25", &[("", "/multipleOf", "expected a multiple of 0.1")]),
    // The formats are annotations.
    (r#"{"format":"email"}"#, "\"x\"", &[]),
    // Recursion into the instance.
    (r#"{"type":"object","properties":{"next":{"$ref":"\u0023"}}}"#, r#"{"next":{"next":1}}"#, &[("/next/next", "/type", "expected object")]),
    // draft-04 and draft-07 mean what they meant.
    (r#"{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}"#, "1", &[("", "/exclusiveMinimum", "expected more than 1")]),
    (r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"null"}],"additionalItems":false}"#, "[1,2]", &[
        ("/0", "/items/0/type", "expected null"), ("", "/additionalItems", "more than the 1 elements allowed")]),
    (r#"{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"\u0023/definitions/a","type":"null"}},"definitions":{"a":{"type":"string"}}}"#, r#"{"a":"x"}"#, &[]),
];

#[test]
fn every_row() {
    on_a_small_stack(|| {
        for (schema, instance, expected) in ROWS {
            let outcome = run(&compiled(schema), instance).unwrap();
            let mut found: Vec<_> = outcome
                .violations
                .iter()
                .map(|v| (v.pointer.as_str(), v.schema_pointer.as_str(), v.message.as_str()))
                .collect();
            found.sort_unstable();
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            assert_eq!(found, expected, "{schema}");
            assert!(!outcome.truncated);
        }
    });
}

#[test]
fn places_are_those_of_the_documents() {
    let limits = Limits::default();
    let text = r#"{"tool":{"input":{"items":{"type":"string"}}},"example":[1]}"#;
    let document = Document::parse(text.as_bytes(), json_text::Limits::default()).unwrap();
    let schema = Schema::compile(document.at("/tool/input").unwrap(), limits).unwrap();
    let outcome = schema.validate(document.at("/example").unwrap()).unwrap();
    let found = &outcome.violations[0];
    assert_eq!(found.pointer.as_str(), "/example/0");
    assert_eq!(found.schema_pointer.as_str(), "/tool/input/items/type");
    assert_eq!(found.keyword, "type");
}

/// Row S22 of the catalogue of attacks.
#[test]
fn formats_are_asserted_on_demand() {
    let limits = Limits::default();
    let document = Document::parse(br#"{"format":"email"}"#, json_text::Limits::default()).unwrap();
    let schema = Schema::compile_with_formats(document.root(), limits).unwrap();
    assert!(is_valid(&schema, "\"a@b.c\"") && !is_valid(&schema, "\"x\""));
}

/// No more than 64 bytes of a value, and nothing that a terminal would obey.
///
/// Row S10 of the catalogue of attacks.
#[test]
fn messages_show_little_of_a_value() {
    let closed = compiled(r#"{"properties":{"x":{}},"additionalProperties":false}"#);
    let names = |names: &[String]| {
        let members: Vec<_> = names.iter().map(|n| format!("{n:?}:1")).collect();
        let outcome = run(&closed, &format!("{{{}}}", members.join(","))).unwrap();
        outcome.violations[0].message.clone()
    };
    let letters = |count: usize| vec!["k".repeat(count), "l".repeat(count), "m".repeat(count)];
    assert_eq!(names(&letters(1)), r#"unexpected "k", "l", "m""#);
    let ten: Vec<_> = (0..10).map(|n| n.to_string()).collect();
    assert_eq!(names(&ten), r#"unexpected "0", "1", "2", "3", "4" and 5 more"#);
    let long = names(&letters(900));
    assert_eq!(long, format!(r#"unexpected "{}…" and 2 more"#, "k".repeat(64)));
    let long = format!("{:?}", "secret".repeat(100));
    for schema in [r#"{"maxLength":1}"#, r#"{"const":1}"#, r#"{"pattern":"^$"}"#, r#"{"not":{}}"#] {
        let outcome = run(&compiled(schema), &long).unwrap();
        assert!(!outcome.violations[0].message.contains("secret"));
    }
}

#[test]
fn reports_are_capped_and_say_so() {
    on_a_small_stack(|| {
        let schema = compiled(r#"{"items":{"type":"string"}}"#);
        let outcome = run(&schema, &format!("[{}1]", "1,".repeat(150))).unwrap();
        assert_eq!((outcome.violations.len(), outcome.truncated), (100, true));
        let outcome = run(&schema, &format!("[{}1]", "1,".repeat(99))).unwrap();
        assert_eq!((outcome.violations.len(), outcome.truncated), (100, false));
        // Too many errors to make: only the verdict.
        let outcome = run(&schema, &format!("[{}1]", "1,".repeat(150_000))).unwrap();
        assert_eq!((outcome.violations.len(), outcome.truncated), (1, true));
    });
}

/// Rows S07, S08, S12 and S20: refused by count, before the engine runs.
#[test]
fn fuel_runs_out_before_time_does() {
    on_a_small_stack(|| {
        let deep = |levels| nested(levels, r#"{"a":"#, "1", "}");
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let schema = format!(
                r##"{{"properties":{{"a":{{"{keyword}":[{{"$ref":"#"}},{{"$ref":"#"}}]}}}}}}"##
            );
            assert_eq!(refusal(&schema, &deep(100)), "schema/fuel", "{keyword}");
        }
        let unseen = r##"{"prefixItems":[{}],"unevaluatedItems":{"$ref":"#"}}"##;
        assert_eq!(refusal(unseen, &nested(40, "[1,", "1", "]")), "schema/fuel");
        let unseen = r##"{"properties":{"b":{}},"unevaluatedProperties":{"$ref":"#"}}"##;
        assert_eq!(refusal(unseen, &deep(40)), "schema/fuel");

        let list = |count: usize, item: fn(usize) -> String| {
            (0..count).map(item).collect::<Vec<_>>().join(",")
        };
        let patterns = list(1_000, |n| format!(r#""^k{n}":{{}}"#));
        let keys = list(1_000, |n| format!(r#""key{n}":1"#));
        let schema = format!(r#"{{"patternProperties":{{{patterns}}}}}"#);
        assert_eq!(refusal(&schema, &format!("{{{keys}}}")), "schema/fuel");

        let options = list(5_000, |n| format!(r#"{{"a":{n}}}"#));
        let schema = format!(r#"{{"items":{{"enum":[{options}]}}}}"#);
        let items = list(5_000, |_| r#"{"a":-1}"#.into());
        assert_eq!(refusal(&schema, &format!("[{items}]")), "schema/fuel");

        let unique = compiled(r#"{"uniqueItems":true}"#);
        let objects = |count| format!("[{}]", list(count, |n| format!(r#"{{"a":{n}}}"#)));
        assert!(is_valid(&unique, &objects(50_000)));
        let text = objects(200_000);
        let document = Document::parse(text.as_bytes(), json_text::Limits::none()).unwrap();
        let diagnostic = unique.validate(document.root()).unwrap_err();
        assert_eq!(diagnostic.rule.code, "schema/fuel");

        // A text that is long for its pattern.
        let schema = r#"{"pattern":"(?:[a-z]{50}x?){40}!"}"#;
        let text = format!("\"{}\"", "ab".repeat(50_000));
        assert_eq!(refusal(schema, &text), "schema/fuel");
    });
}

#[test]
fn deep_instances_are_checked() {
    on_a_small_stack(|| {
        let list = compiled(r##"{"type":["object","null"],"properties":{"a":{"$ref":"#"}}}"##);
        assert!(is_valid(&list, &nested(126, r#"{"a":"#, "null", "}")));
        assert!(!is_valid(&list, &nested(126, r#"{"a":"#, "1", "}")));
        let tree = compiled(
            r##"{"oneOf":[{"type":"null"},{"type":"array","items":{"$ref":"#"}},{"const":1}]}"##,
        );
        assert!(is_valid(&tree, &nested(100, "[", "1", "]")));
        // Deep in the schema rather than in the value.
        let shapes = [
            (62, r#"{"oneOf":[{"type":"null"},"#, "]}", false),
            (62, r#"{"anyOf":["#, "]}", false),
            (64, r#"{"if":{"type":"null"},"else":"#, "}", false),
            (64, r#"{"not":"#, "}", false),
            (63, r#"{"not":"#, "}", true),
        ];
        for (depth, open, close, expected) in shapes {
            let schema = compiled(&nested(depth, open, r#"{"type":"string"}"#, close));
            assert_eq!(is_valid(&schema, "1"), expected, "{open}");
        }
    });
}

/// Row S15, and numbers that would be rounded.
#[test]
fn numbers_are_exact_or_refused() {
    assert!(is_valid(&compiled(r#"{"multipleOf":5e-324}"#), "1.7e308"));
    assert!(is_valid(&compiled(r#"{"multipleOf":1e-300}"#), "1e300"));
    let limits = Limits::default();
    let refused = |schema| refused(schema, &limits).rule.code;
    assert_eq!(refused(r#"{"maximum":1e400}"#), "schema/number");
    assert_eq!(refused(r#"{"const":18446744073709551616.5}"#), "schema/number");
    assert_eq!(refusal(r#"{"type":"number"}"#, "1e400"), "schema/number");
    assert_eq!(refusal("{}", "0.10000000000000000001"), "schema/number");
    assert!(is_valid(&compiled(r#"{"const":18446744073709551615}"#), "18446744073709551615"));
    assert!(!is_valid(&compiled(r#"{"const":9007199254740993}"#), "9007199254740992"));
    assert!(is_valid(&compiled(r#"{"const":100,"type":"integer"}"#), "1e2"));
    // Data that decides nothing may be any number.
    compiled(r#"{"default":1e400,"examples":[1e400],"x":1e400}"#);
}

#[test]
fn the_engine_matches_patterns_as_we_do() {
    on_a_small_stack(|| {
        let patterns = [
            "",
            "a",
            "^a$",
            "^[^a]$",
            r"\d",
            r"^\D$",
            r"^\w+$",
            r"\W",
            r"^\s$",
            r"^\S$",
            ".",
            "^.$",
            r"\bx\b",
            r"\Bx",
            "[^]",
            "[]",
            r"^[\d\-x]+$",
            r"[\s\S]",
            "a|b",
            "^(?:a|ab)*c$",
            r"\u0041",
            r"\u{1F600}",
            r"^\p{L}+$",
            r"^\P{Lu}$",
            "[&&]",
            "[a-z--]",
            "[~~]",
            r"[\[\]]",
            "a{2,3}?",
            "(?<n>a)b",
            "^$",
            r"\.",
            r"[.]",
            "x*",
            r"^[^\d]$",
            r"^[^\W]$",
            r"\cJ",
            r"\x41",
            r"\0",
        ];
        let texts = [
            "", "a", "b", "ab", "aac", "ababc", "x", "axb", " x ", "é", "É", "٣", "3", "-", "_",
            "\n", "\u{2028}", "\u{feff}", "\u{a0}", "A", "😀", "&", "~", "[", "]", ".", "aa", "\0",
            "\u{e000}",
        ];
        for source in patterns {
            let ours = Pattern::new(source, &PatternLimits::default()).unwrap();
            let quoted = json_text::quote(source);
            let value = compiled(&format!(r#"{{"pattern":{quoted}}}"#));
            let name = format!(
                r#"{{"patternProperties":{{{quoted}:{{}}}},"additionalProperties":false}}"#
            );
            let name = compiled(&name);
            for text in texts {
                let expected = ours.matches(text).unwrap();
                let quoted = json_text::quote(text);
                assert_eq!(is_valid(&value, &quoted), expected, "{source:?} on {text:?}");
                let object = format!("{{{quoted}:1}}");
                assert_eq!(is_valid(&name, &object), expected, "{source:?} on {text:?}");
            }
        }
    });
}
