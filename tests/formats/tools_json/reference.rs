//! The published loader, restated from its description: the same verdict and the
//! same words on random manifests.

use std::sync::LazyLock;
use toolglot_tests::{random, times};

use manifest_core::json::Document;
use manifest_core::{Limits, Profile, ValidateOptions};
use proptest::prelude::*;
use regex::Regex;
use serde_json::{Value, json};

/// The first message under the `reference` profile.
fn first_message(manifest: &Value) -> Option<String> {
    let text = manifest.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
    let report = tools_json::validate(&document, &options);
    report.diagnostics.first().map(|first| first.message.clone())
}

/// `path.Clean`: its four rules, each applied until nothing changes.
fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    parts.retain(|part| *part != ".");
    while let Some(at) = parts.windows(2).position(|pair| matches!(pair, [a, ".."] if *a != "..")) {
        parts.drain(at..at + 2);
    }
    while rooted && parts.first() == Some(&"..") {
        parts.remove(0);
    }
    match (rooted, parts.join("/")) {
        (true, joined) => format!("/{joined}"),
        (false, joined) if joined.is_empty() => ".".to_owned(),
        (false, joined) => joined,
    }
}

/// `%q`. The standard library and Go escape the same characters inside a text,
/// each in its own way.
fn quote(text: &str) -> String {
    let quoted: String = text.chars().map(quote_one).collect();
    format!("\"{quoted}\"")
}

fn quote_one(c: char) -> String {
    let code = u32::from(c);
    match c {
        '"' | '\\' => format!("\\{c}"),
        '\'' => c.to_string(),
        '\u{7}' => "\\a".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\u{b}' => "\\v".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        c if is_shown(c) => c.to_string(),
        _ if code < 0x80 => format!("\\x{code:02x}"),
        _ if code < 0x10000 => format!("\\u{code:04x}"),
        _ => format!("\\U{code:08x}"),
    }
}

fn is_shown(c: char) -> bool {
    // Behind a letter, so that a combining mark is not escaped for being first.
    format!("x{c}").escape_debug().skip(1).eq([c])
}

/// Whether the standard library, the `regex` crate and Go agree on a character,
/// whose tables are of different versions of Unicode. Go's is 15.0.
fn is_settled(c: char) -> bool {
    static OLD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\p{age=15.0}$").unwrap());
    OLD.is_match(c.encode_utf8(&mut [0; 4])) || !is_shown(c)
}

fn check_program(program: &str) -> Result<(), String> {
    if program.starts_with('/') {
        return Ok(());
    }
    let raw = program.replace('\\', "/");
    let mut norm = clean(&raw);
    if norm == "tools" || norm.starts_with("tools/") {
        norm = format!("./{norm}");
    }
    if norm == ".." || norm.starts_with("../") {
        let got = quote(program);
        return Err(format!("command[0] must not start with '..' or escape tools/bin (got {got})"));
    }
    let inside = norm.starts_with("./tools/bin/");
    if raw == "./tools/bin" || raw.starts_with("./tools/bin/") {
        let (got, norm) = (quote(program), quote(&norm));
        let message =
            format!("command[0] escapes ./tools/bin after normalization (got {got} -> {norm})");
        return inside.then_some(()).ok_or(message);
    }
    let message = "relative command[0] must start with ./tools/bin/";
    inside.then_some(()).ok_or_else(|| message.to_owned())
}

fn check_env(names: &[String]) -> Result<(), String> {
    for (j, name) in names.iter().enumerate() {
        let trimmed = name.trim_matches(char::is_whitespace);
        if trimmed.is_empty() {
            return Err(format!("envPassthrough[{j}]: empty name"));
        }
        // Simple case mapping: a character that becomes two stays as it is.
        let upper: String = trimmed
            .chars()
            .map(|c| match c.to_uppercase().collect::<Vec<_>>()[..] {
                [upper] => upper,
                _ => c,
            })
            .collect();
        let valid = upper.chars().enumerate().all(|(at, c)| match c {
            'A'..='Z' | '_' => true,
            '0'..='9' => at > 0,
            _ => false,
        });
        if !valid {
            let name = quote(name);
            return Err(format!(
                "envPassthrough[{j}]: invalid name {name} (must match [A-Z_][A-Z0-9_]*)"
            ));
        }
    }
    Ok(())
}

#[derive(Clone, Debug)]
struct Tool {
    name: String,
    command: Vec<String>,
    env: Vec<String>,
}

/// The first problem stops the loader.
fn load(tools: &[Tool]) -> Result<(), String> {
    for (i, tool) in tools.iter().enumerate() {
        if tool.name.is_empty() {
            return Err(format!("tool[{i}]: name is required"));
        }
        let say = |message: String| format!("tool[{i}] {}: {message}", quote(&tool.name));
        if tools.iter().take(i).any(|earlier| earlier.name == tool.name) {
            return Err(say("duplicate name".to_owned()));
        }
        let Some(program) = tool.command.first() else {
            return Err(say("command must have at least program name".to_owned()));
        };
        check_env(&tool.env).map_err(say)?;
        check_program(program).map_err(say)?;
    }
    Ok(())
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
        prop_assert_eq!(first_message(&to_json(&tools)), load(&tools).err());
    }

    #[test]
    fn programs(program in path()) {
        let tool = Tool { name: "t".to_owned(), command: vec![program], env: Vec::new() };
        prop_assert_eq!(first_message(&to_json(std::slice::from_ref(&tool))), load(&[tool]).err());
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
