//! The answers of the published loader: those that were recorded (`tools-json.load.jsonl`), and
//! those of the loader restated in `agentcli`, on random manifests.

use std::sync::LazyLock;

use manifest_core::descriptor::{Command, CommandInput, Invocation};
use manifest_core::json::Document;
use manifest_core::{Limits, Profile, Report, ToolDescriptor, ValidateOptions};
use proptest::prelude::*;
use providers::openai_function;
use regex::Regex;
use serde_json::{Value, json};
use toolglot_tests::{random, times};
use tools_json::FORMAT;

use super::agentcli::{self, Tool, is_shown, quote};

/// Texts that the reference reads although they have no single meaning: the last of equal names
/// wins. We refuse them in every profile, because another reader would see another tool.
const AMBIGUOUS: [&str; 2] = ["root/duplicate-tools-key-last-wins", "root/duplicate-name-key"];

fn options() -> ValidateOptions {
    ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() }
}

/// The report under the `reference` profile.
fn report(document: &Document<'_>) -> Report {
    let report = tools_json::validate(document, &options());
    assert_eq!(report.is_valid(), report.diagnostics.is_empty(), "only errors: {report:?}");
    report
}

/// The first message under the `reference` profile.
fn first_message(manifest: &Value) -> Option<String> {
    let text = manifest.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    report(&document).diagnostics.first().map(|first| first.message.clone())
}

/// Checks a lifted tool against the entry that the published loader makes of it.
fn assert_lifted(tool: &ToolDescriptor<'_>, entry: &Value, function: &Value, name: &str) {
    let Some(Invocation::Command(Command { argv, cwd: None, input: CommandInput::Stdin })) =
        tool.invocation.as_deref()
    else {
        panic!("{name}: not a program that reads standard input");
    };
    let mut argv: Vec<String> = argv.iter().map(|word| word.to_string()).collect();
    argv[0] = agentcli::program(&argv[0], "/DIR").unwrap();
    assert_eq!(json!(argv), entry["command"], "{name}");
    let env: Vec<&str> = tool.package.env.iter().map(|variable| variable.name.as_ref()).collect();
    let expected = entry.get("envPassthrough").cloned().unwrap_or(json!([]));
    assert_eq!(json!(env), expected, "{name}");
    let seconds = tool.timeout_ms.as_ref().map(|ms| ms.shift(-3).to_f64().unwrap());
    let expected = entry.get("timeoutSec").and_then(Value::as_f64);
    assert_eq!(seconds, expected.filter(|seconds| *seconds > 0.0), "{name}");
    let description = tool.description.as_ref().map(|text| text.as_ref());
    let schema = tool.input_schema.as_ref().map(|schema| schema.as_str());
    let sent = openai_function(&tool.id, description, schema);
    assert_eq!(serde_json::from_str::<Value>(sent.as_str()).unwrap(), *function, "{name}");
}

/// Every recorded answer: the verdict and the words of `validate`, the registry and functions of
/// the restated loader and, where we accept the manifest by its specification, those of the lens.
#[test]
fn every_answer_is_the_reference_s() {
    let cases = include_str!("../../fixtures/tools-json/tools-json.load.jsonl");
    let (mut count, mut lifted) = (0, 0);
    for case in cases.lines() {
        count += 1;
        let case: Value = serde_json::from_str(&case.replace("<DIR>", "/DIR")).unwrap();
        let name = case["name"].as_str().unwrap();
        let input = case["input"].as_str().unwrap();
        if let Some(registry) = case.get("registry") {
            let tools = agentcli::decode(&serde_json::from_str(input).unwrap());
            assert_eq!(agentcli::check(&tools), Ok(()), "{name}");
            assert_eq!(agentcli::registry(&tools, "/DIR"), *registry, "{name}");
            assert_eq!(agentcli::openai_tools(&tools), case["openai_tools"], "{name}");
        }
        let document = match Document::parse(input.as_bytes(), &Limits::default()) {
            Ok(document) => document,
            Err(refused) => {
                assert_eq!(refused.rule.code, "json/duplicate-key", "{name}");
                assert!(AMBIGUOUS.contains(&name), "{name}");
                continue;
            }
        };
        let report = report(&document);
        let message = report.diagnostics.first().map(|first| first.message.as_str());
        assert_eq!(message, case.get("error").and_then(Value::as_str), "{name}");
        if message.is_none()
            && let Ok(document) = FORMAT.lift(&document, &Limits::default())
        {
            for (index, tool) in document.tools.iter().enumerate() {
                let entry = &case["registry"][tool.id.as_ref()];
                assert_lifted(tool, entry, &case["openai_tools"][index], name);
                lifted += 1;
            }
        }
    }
    assert_eq!((count, lifted), (73, 17));
}

/// The order of members and the spelling of numbers, which values do not show.
#[test]
fn schemas_are_sent_as_they_are_written() {
    let text = br#"{"tools": [
        {"name": "b", "schema": {"b" : 1e2, "a":"\u0041<"}, "command": ["/x"]},
        {"name": "c", "command": ["/x"]}
    ]}"#;
    let document = Document::parse(text, &Limits::default()).unwrap();
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    let schemas = lifted.tools.iter().map(|tool| tool.input_schema.as_ref());
    let schemas: Vec<_> = schemas.map(|schema| schema.map(|schema| schema.as_str())).collect();
    assert_eq!(schemas, [Some(r#"{"b" : 1e2, "a":"\u0041<"}"#), None]);
    let mut sent = Vec::new();
    for (tool, schema) in lifted.tools.iter().zip(schemas) {
        sent.push(openai_function(&tool.id, Some("d"), schema).as_str().to_owned());
    }
    assert_eq!(
        sent,
        [
            r#"{"type":"function","function":{"name":"b","description":"d","parameters":{"b" : 1e2, "a":"\u0041<"}}}"#,
            r#"{"type":"function","function":{"name":"c","description":"d"}}"#,
        ]
    );
}

/// Wrong types, in the words of the reference, the first in the text first.
#[test]
fn wrong_types_have_the_decoder_s_words() {
    for (input, error) in [
        ("[]", "array into Go value of type tools.Manifest"),
        ("5", "number into Go value of type tools.Manifest"),
        (r#"{"tools":[5]}"#, "number into Go struct field Manifest.tools of type tools.ToolSpec"),
        (
            r#"{"TOOLS":[{"TimeoutSec":"5","name":1}]}"#,
            "string into Go struct field ToolSpec.tools.timeoutSec of type int",
        ),
        (
            r#"{"tools":[{"name":"x","command":["/a",{}]}]}"#,
            "object into Go struct field ToolSpec.tools.command of type string",
        ),
        (
            r#"{"tools":[{"timeoutSec":9223372036854775808}]}"#,
            "number 9223372036854775808 into Go struct field ToolSpec.tools.timeoutSec of type int",
        ),
    ] {
        let document = Document::parse(input.as_bytes(), &Limits::default()).unwrap();
        let expected = format!("parse manifest: json: cannot unmarshal {error}");
        assert_eq!(report(&document).diagnostics[0].message, expected, "{input}");
    }
}

/// Texts that are not JSON, in the words of Go's scanner.
#[test]
fn what_is_not_json_has_the_scanner_s_words() {
    for (input, error) in [
        ("", "unexpected end of JSON input"),
        (" \n", "unexpected end of JSON input"),
        ("{", "unexpected end of JSON input"),
        ("[1", "unexpected end of JSON input"),
        (r#"{"a"#, "unexpected end of JSON input"),
        (r#"{"a":"#, "unexpected end of JSON input"),
        ("\u{feff}{}", "invalid character 'ï' looking for beginning of value"),
        ("//c", "invalid character '/' looking for beginning of value"),
        ("'a'", r"invalid character '\'' looking for beginning of value"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        (r#"[1 "a"]"#, r#"invalid character '"' after array element"#),
        ("{a:1}", "invalid character 'a' looking for beginning of object key string"),
        (r#"{"a":1,}"#, "invalid character '}' looking for beginning of object key string"),
        (r#"{"a" 1}"#, "invalid character '1' after object key"),
        (r#"{"a":1 2}"#, "invalid character '2' after object key:value pair"),
        ("{} x", "invalid character 'x' after top-level value"),
        ("{}\0", r"invalid character '\x00' after top-level value"),
        ("01", "invalid character '1' after top-level value"),
        ("-", "invalid character ' ' in numeric literal"),
        ("-a", "invalid character 'a' in numeric literal"),
        ("1.", "invalid character ' ' after decimal point in numeric literal"),
        ("[1.]", "invalid character ']' after decimal point in numeric literal"),
        ("1e+", "invalid character ' ' in exponent of numeric literal"),
        ("tru", "invalid character ' ' in literal true (expecting 'e')"),
        ("nul]", "invalid character ']' in literal null (expecting 'l')"),
        ("False", "invalid character 'F' looking for beginning of value"),
        ("\"a\nb\"", r"invalid character '\n' in string literal"),
        (r#""\x""#, "invalid character 'x' in string escape code"),
        (r#""\u12g4""#, r"invalid character 'g' in \u hexadecimal character escape"),
    ] {
        let refused = tools_json::parse(input.as_bytes(), &options()).unwrap_err();
        assert_eq!(refused.message, format!("parse manifest: {error}"), "{input}");
    }
}

proptest! {
    /// Whatever is not JSON to us alone has other words than the scanner's.
    #[test]
    fn the_scanner_finds_fault_with_what_is_not_json(input in r#"[{}\[\],:"\\utrfalsn01.eE+ x-]{0,12}"#) {
        let is_json = serde_json::from_str::<Value>(&input).is_ok();
        match tools_json::parse(input.as_bytes(), &options()) {
            Ok(_) => prop_assert!(is_json),
            Err(refused) if is_json => prop_assert!(!refused.message.starts_with("parse manifest")),
            Err(refused) => {
                // The scanner takes lone surrogates and large exponents for JSON.
                let scanned = refused.message.starts_with("parse manifest");
                prop_assert!(scanned || input.contains("\\u") || input.contains(['e', 'E']));
            }
        }
    }
}

/// Whether the standard library, the `regex` crate and Go agree on a character,
/// whose tables are of different versions of Unicode. Go's is 15.0.
fn is_settled(c: char) -> bool {
    static OLD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\p{age=15.0}$").unwrap());
    OLD.is_match(c.encode_utf8(&mut [0; 4])) || !is_shown(c)
}

fn path() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        ".", "..", "", "tools", "bin", "x", "..x", "...", "Tools", "C:", "~", "a b", "é",
        "\u{200b}",
    ]);
    let joint = prop::sample::select(vec!["/", "/", "/", "\\", "//"]);
    let start = prop::sample::select(vec![
        "./tools/bin/",
        "./tools/bin",
        "tools/bin/",
        ".\\tools\\bin\\",
        "",
        "/",
    ]);
    (start, prop::collection::vec((part, joint), 0..6), any::<bool>()).prop_map(
        |(start, parts, open)| {
            let mut path = String::from(start);
            for (index, (part, joint)) in parts.iter().enumerate() {
                path += part;
                if open || index + 1 < parts.len() {
                    path += joint;
                }
            }
            path
        },
    )
}

fn awkward() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]?",
        "[ -~]{0,6}",
        r#"["\\\x00-\x1f\x7f-\xa0'é\u{200b}\u{301}\u{e000}\u{1F600}\u{e0001}]{0,4}"#,
        any::<String>().prop_map(|text| text.chars().filter(|c| is_settled(*c)).take(20).collect()),
    ]
}

fn tool() -> impl Strategy<Value = Tool> {
    let env = prop_oneof![
        4 => "[ \u{a0}\n]?[A-Z_a-z][A-Z0-9_a-z]{0,3}[ \t]?",
        1 => "[A-Za-z0-9_.=ſıßﬁéK -]{0,4}",
        1 => awkward(),
    ];
    let name = prop_oneof![3 => "[a-e]", 1 => awkward()];
    let program = prop_oneof![3 => Just("./tools/bin/x".to_owned()), 3 => path(), 1 => awkward()];
    let command = (program, prop::collection::vec(awkward(), 0..2), 0..12_u8).prop_map(
        |(program, rest, empty)| match empty {
            0 => Vec::new(),
            _ => [vec![program], rest].concat(),
        },
    );
    (name, command, prop::collection::vec(env, 0..3)).prop_map(|(name, command, env)| Tool {
        name,
        command,
        env,
        ..Tool::default()
    })
}

fn to_json(tools: &[Tool]) -> Value {
    let tool = |tool: &Tool| json!({"name": tool.name, "command": tool.command, "envPassthrough": tool.env});
    json!({"tools": tools.iter().map(tool).collect::<Vec<_>>()})
}

proptest! {
    #![proptest_config(random(4000))]

    #[test]
    fn whole_manifests(tools in prop::collection::vec(tool(), 0..4)) {
        prop_assert_eq!(first_message(&to_json(&tools)), agentcli::check(&tools).err());
    }

    #[test]
    fn programs(program in path()) {
        let tool = Tool { name: "t".to_owned(), command: vec![program], ..Tool::default() };
        prop_assert_eq!(first_message(&to_json(std::slice::from_ref(&tool))), agentcli::check(&[tool]).err());
    }
}

/// Every character, quoted; in a normal run, every character of the first planes and some of the others.
#[test]
fn quoting() {
    let all: Vec<char> = ('\0'..=char::MAX).filter(|c| is_settled(*c)).collect();
    let is_tried =
        |chars: &&[char]| times() > 1 || chars[0] < '\u{20000}' || u32::from(chars[0]) % 16 == 0;
    for chars in all.chunks(80).filter(is_tried) {
        let name: String = chars.iter().collect();
        let manifest = json!({"tools": [{"name": name, "command": []}]});
        let expected = format!("tool[0] {}: command must have at least program name", quote(&name));
        assert_eq!(first_message(&manifest), Some(expected));
    }
}
