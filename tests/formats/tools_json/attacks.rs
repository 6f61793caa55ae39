//! The rows of the attack catalogue that concern this format, under the `spec`
//! profile.

use manifest_core::json::Document;
use manifest_core::{Limits, Profile, Report, ValidateOptions};
use serde_json::{Value, json};

fn report(text: &str, profile: Profile) -> Report {
    match Document::parse(text.as_bytes(), &Limits::default()) {
        Ok(document) => {
            let options = ValidateOptions { profile, ..ValidateOptions::default() };
            tools_json::validate(&document, &options)
        }
        Err(refusal) => {
            let mut report = Report::new(profile, 1);
            report.push(refusal);
            report
        }
    }
}

/// The codes of a report, without `tools-json/` in front, warnings in brackets.
fn codes(report: &Report) -> Vec<String> {
    let code = |d: &manifest_core::Diagnostic| d.rule.code.trim_start_matches("tools-json/");
    let shown = report
        .diagnostics
        .iter()
        .map(|d| if d.is_error() { code(d).to_owned() } else { format!("({})", code(d)) });
    shown.collect()
}

fn tool(members: &Value) -> String {
    let mut tool = json!({"name": "t", "command": ["./tools/bin/t"]});
    for (name, value) in members.as_object().unwrap() {
        tool[name] = value.clone();
    }
    json!({"tools": [tool]}).to_string()
}

fn check(row: &str, members: &Value, expected: &[&str]) {
    let found = codes(&report(&tool(members), Profile::Spec));
    assert_eq!(found, expected, "{row} {members}");
}

/// Row, codes, programs.
const PROGRAMS: &[(&str, &[&str], &[&str])] = &[
    ("P20", &[], &["./tools/bin/get_time", "./tools/bin/get_time.exe"]),
    ("P21", &["command-escape"], &["./tools/bin/../hack"]),
    ("P22", &["command-escape"], &[".\\tools\\bin\\..\\hack"]),
    ("P23", &["(unusual-path)"], &[".\\tools\\bin\\fs_read_file"]),
    ("P24", &["(unusual-path)"], &["./tools/bin//x", "./tools/bin/./x"]),
    // The row accepts this one; the notes want the prefix as written. The notes
    // are safer.
    ("P24", &["command-prefix"], &["./tools//bin/x"]),
    ("P25", &["command-escape"], &["./tools/bin", "./tools/bin/"]),
    ("P25", &["command-escape", "command-trailing"], &["./tools/bin/.", "./tools/bin/x/.."]),
    ("P26", &["command-prefix"], &["tools/bin/x"]),
    (
        "P27",
        &["command-prefix"],
        &["echo", "./bin/x", "./tools/binx/y", "./tools/bin2/x", "./TOOLS/bin/x"],
    ),
    ("P28", &["command-escape"], &["../tools/bin/get_time", "./../tools/bin/x"]),
    ("P28", &["command-escape", "command-trailing"], &[".."]),
    ("P29", &["(absolute-command)"], &["/usr/bin/env", "/bin/sh"]),
    ("P30", &["command-prefix"], &["C:\\Windows\\cmd.exe", "\\\\host\\x", "C:tools\\bin\\x"]),
    (
        "P31",
        &["control-character"],
        &["./tools/bin/x\0y", "./tools/bin/\u{202e}x", "./tools/bin/\n"],
    ),
    ("P31", &["command-trailing"], &["./tools/bin/ ", "./tools/bin/x."]),
    ("P32", &["command-prefix"], &[""]),
];

#[test]
fn programs() {
    for (row, expected, programs) in PROGRAMS {
        for program in *programs {
            check(row, &json!({"command": [program]}), expected);
        }
    }
}

#[test]
fn p21_in_the_words_of_the_reference() {
    let text = tool(&json!({"command": ["./tools/bin/../hack"]}));
    let expected = "tool[0] \"t\": command[0] escapes ./tools/bin after normalization \
                    (got \"./tools/bin/../hack\" -> \"./tools/hack\")";
    for profile in [Profile::Spec, Profile::Reference, Profile::Strict] {
        let report = report(&text, profile);
        assert_eq!(report.diagnostics.first().unwrap().message, expected);
    }
}

#[test]
fn p24_p26_are_accepted_under_reference() {
    for program in ["./tools//bin/x", "tools/bin/x", ".\\tools\\bin\\x"] {
        let report = report(&tool(&json!({"command": [program]})), Profile::Reference);
        assert_eq!(codes(&report), [""; 0], "{program}");
    }
}

#[test]
fn p32_commands() {
    let arguments = |count: usize| {
        let mut command = vec!["a"; count];
        command[0] = "./tools/bin/t";
        json!({ "command": command })
    };
    check("P32", &json!({"command": []}), &["command-empty"]);
    check("P32", &json!({"command": [1]}), &["json/type"]);
    check("P32", &json!({"command": "x"}), &["json/type"]);
    check("P32", &json!({"command": null}), &["json/type"]);
    check("P32", &arguments(1024), &[]);
    check("P32", &arguments(1025), &["command-length"]);
    let long = "a".repeat(256 << 10);
    check("P32", &json!({"command": ["./tools/bin/t", long]}), &[]);
    let longer = "a".repeat((256 << 10) + 1);
    check("P32", &json!({"command": ["./tools/bin/t", longer]}), &["json/string-size"]);
    let longest = "a".repeat(1 << 20);
    check("P32", &json!({"command": ["./tools/bin/t", longest]}), &["json/size"]);
    check("P32", &json!({"command": ["./tools/bin/t", "a\0b"]}), &["control-character"]);
    check("P32", &json!({"command": ["./tools/bin/t", "a\nb\u{202e}"]}), &[]);
}

#[test]
fn p33_environment() {
    // Only ASCII letters have an upper case here: `ſ` and `ı` are no S and I.
    for name in ["OAI-API-KEY", "1BAD", "", " ", "A=B", "É", "ß", "ſ", "ı", "A B", "A\0"] {
        check("P33", &json!({"envPassthrough": [name]}), &["env-name"]);
    }
    for name in ["TZ", "tz", "_", "A1", " TZ ", "\u{a0}TZ\n"] {
        check("P33", &json!({"envPassthrough": [name]}), &[]);
    }
}

#[test]
fn p34_names_are_normalised() {
    let text = tool(&json!({"envPassthrough": ["tz", "TZ", " TZ ", "A"]}));
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    assert!(tools_json::validate(&document, &ValidateOptions::default()).is_valid());
    let lifted = tools_json::FORMAT.lift(&document, &Limits::default()).unwrap();
    let env = lifted.tools.iter().flat_map(|tool| &tool.package.env);
    let env: Vec<&str> = env.map(|variable| variable.name.as_ref()).collect();
    assert_eq!(env, ["TZ", "A"]);
}

#[test]
fn p35_variables_that_load_code() {
    for name in [
        "LD_PRELOAD",
        "DYLD_INSERT_LIBRARIES",
        "NODE_OPTIONS",
        "PYTHONPATH",
        "BASH_ENV",
        "PATH",
        "ld_preload",
        " Path ",
    ] {
        check("P35", &json!({"envPassthrough": [name]}), &["(dangerous-env)"]);
    }
}

#[test]
fn t42_time_outs() {
    for (timeout, expected) in [
        ("5", &[][..]),
        ("0", &[]),
        // The notes read zero and less as absent.
        ("-1", &["(negative-timeout)"]),
        ("9223372036854775807", &[]),
        ("9223372036854775808", &["json/number-range"]),
        ("1e400", &["json/number-range"]),
        ("5.0", &["json/number-range"]),
        ("1.5", &["json/number-range"]),
        ("1e1", &["json/number-range"]),
        ("\"5\"", &["json/type"]),
        ("null", &["json/type"]),
    ] {
        let text = tool(&json!({"timeoutSec": 77777})).replace("77777", timeout);
        assert_eq!(codes(&report(&text, Profile::Spec)), expected, "{timeout}");
    }
}

#[test]
fn n06_names() {
    check("N06", &json!({"name": ""}), &["name-required"]);
    check("N06", &json!({"name": " x"}), &["(function-name)"]);
    check("N06", &json!({"name": "a".repeat(64)}), &[]);
    check("N06", &json!({"name": "a".repeat(65)}), &["(function-name)"]);
    check("N06", &json!({"name": "a\u{1b}[2J"}), &["control-character", "(function-name)"]);
    let twice = r#"{"tools":[{"name":"x","command":["/a"]},{"name":"x","command":["/a"]}]}"#;
    let report = report(twice, Profile::Reference);
    let first = report.diagnostics.first().unwrap();
    assert_eq!(first.message, "tool[1] \"x\": duplicate name");
    assert_eq!(first.pointer.as_str(), "/tools/1/name");
}

/// J15: Go would read the second.
#[test]
fn j15_two_spellings_of_one_member() {
    let [a, b] = [r#""command":["./tools/bin/a"]"#, r#""COMMAND":["/bin/sh"]"#];
    for members in [[a, b], [b, a]] {
        let text = format!("{{\"tools\":[{{\"name\":\"t\",{}}}]}}", members.join(","));
        for profile in [Profile::Spec, Profile::Reference] {
            assert_eq!(codes(&report(&text, profile)), ["json/key-case"], "{text}");
        }
    }
}

#[test]
fn j17_names_without_a_special_meaning() {
    let members = json!({"__proto__": {"x": 1}, "constructor": 1, "toString": 1});
    let report = report(&tool(&members), Profile::Spec);
    assert!(report.is_valid());
    assert_eq!(codes(&report), ["(json/unknown-member)"; 3]);
}

/// J28: a NUL is text in a description, and refused where a system would stop
/// at it.
#[test]
fn j28_a_nul() {
    check("J28", &json!({"description": "a\0b"}), &[]);
    check("J28", &json!({"name": "a\0b"}), &["control-character", "(function-name)"]);
}

/// J32: neither the document nor a tool.
#[test]
fn j32_not_an_object() {
    for text in ["[]", "\"x\"", "5", "true", "null"] {
        let report = report(text, Profile::Spec);
        assert_eq!(codes(&report), ["json/type"], "{text}");
        assert!(report.diagnostics.first().unwrap().pointer.is_root());
        let tool = self::report(&format!("{{\"tools\":[{text}]}}"), Profile::Spec);
        assert_eq!(codes(&tool), ["json/type"], "{text}");
    }
}

/// Takes minutes when finding the place of a problem means looking for it from
/// the start.
#[test]
fn problems_are_placed_without_looking_for_them() {
    let tools = 50_000;
    let limits = Limits { document_bytes: 64 << 20, nodes: 1 << 20, ..Limits::default() };
    for item in [
        "{}",
        "1",
        "null",
        r#"{"name": "N", "command": ["/bin/x"], "x": 1}"#,
        r#"{"name": "N", "command": ["./tools/bin/x"], "envPassthrough": ["1", "TZ"]}"#,
    ] {
        let items: Vec<String> = (0..tools).map(|i| item.replace('N', &i.to_string())).collect();
        let text = format!(r#"{{"tools": [{}]}}"#, items.join(","));
        let document = Document::parse(text.as_bytes(), &limits).unwrap();
        for profile in [Profile::Spec, Profile::Reference] {
            let options =
                ValidateOptions { profile, limits: limits.clone(), ..ValidateOptions::default() };
            let report = tools_json::validate(&document, &options);
            let found = report.diagnostics.len() + report.left_out;
            assert!(found == 0 || found >= tools, "{item} {profile:?} {found}");
        }
    }

    let list = |item: &str| vec![item; tools].join(",");
    let text = format!(
        r#"{{"tools": [{{"name": "x", "command": ["./tools/bin/x", {}], "envPassthrough": [{}]}}]}}"#,
        list(r#""\u0000""#),
        list(r#""PATH", "1""#),
    );
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let options = ValidateOptions { limits, ..ValidateOptions::default() };
    let report = tools_json::validate(&document, &options);
    assert!(report.left_out >= 3 * tools - 100);
}
