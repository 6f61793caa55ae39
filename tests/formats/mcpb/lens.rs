//! What a manifest lifts to, and what the manifests of others become.

use std::sync::Arc;

use manifest_core::descriptor::{Invocation, Kind, McpTool, Package};
use manifest_core::json::Document;
use manifest_core::{Limits, Sourced, Text, ValidateOptions};
use mcp::mcpb::{FORMAT, validate};
use serde_json::{Value, json};

fn manifest(server: &Value, tools: &Value) -> String {
    let manifest = json!({
        "manifest_version": "0.4", "name": "notes", "version": "1.0.0",
        "description": "Keeps notes.", "author": {"name": "A. Person"},
        "server": {"type": "node", "entry_point": "index.js", "mcp_config": server},
        "tools": tools,
        "user_config": {
            "token": {"type": "string", "title": "Token", "description": "A token."}
        },
    });
    manifest.to_string()
}

/// The line that starts the server of the first tool, and where it runs; nothing where the tool
/// has no call.
fn line(server: &Value) -> Option<(Vec<String>, Option<String>)> {
    let text = manifest(server, &json!([{"name": "find"}]));
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    assert!(validate(&document, &ValidateOptions::default()).is_valid());
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    let Invocation::McpTool(McpTool { tool, argv, cwd, url }) =
        &lifted.tools[0].invocation.as_ref()?.value
    else {
        return None;
    };
    assert_eq!((tool.value.as_ref(), url), ("find", &None));
    let words = argv.iter().map(|word| word.value.to_string()).collect();
    Some((words, cwd.as_ref().map(|cwd| cwd.value.to_string())))
}

#[test]
fn a_call_is_lifted_where_all_that_starts_the_server_is_told() {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let here = Some(".".to_owned());
    assert_eq!(
        line(&json!({"command": "npx", "args": ["-y", "notes"]})),
        Some((words(&["npx", "-y", "notes"]), None))
    );
    assert_eq!(
        line(&json!({"command": "${__dirname}${/}run", "args": ["--at=${__dirname}"]})),
        Some((words(&["./run", "--at=."]), here))
    );
    assert_eq!(
        line(&json!({"command": "notes", "env": {"TOKEN": "${user_config.token}"}})),
        Some((words(&["notes"]), None))
    );
}

#[test]
fn a_server_that_is_started_otherwise_has_no_call() {
    for server in [
        json!({"command": "notes", "args": ["${user_config.token}"]}),
        json!({"command": "${HOME}/notes"}),
        json!({"command": "notes", "env": {"MODE": "fast"}}),
        json!({"command": "notes", "env": {"AUTH": "Bearer ${user_config.token}"}}),
        json!({"command": "notes", "platform_overrides": {"win32": {"command": "notes.exe"}}}),
    ] {
        assert_eq!(line(&server), None, "{server}");
    }
}

#[test]
fn a_bundle_that_lists_no_tools_is_a_server() {
    for tools in [json!([]), Value::Null] {
        let text = manifest(&json!({"command": "notes"}), &tools).replace(r#""tools":null,"#, "");
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
        let [server] = lifted.tools.as_slice() else { panic!("one server") };
        assert_eq!(server.kind.as_deref(), Some(&Kind::McpServer));
        assert_eq!((server.id.value.as_ref(), &server.invocation), ("notes", &None));
        assert_eq!(server.package.command.len(), 1);
    }
}

/// What is asked for a variable: the prompt, whether it is secret, whether it is required, and the
/// default.
type Asked = (Option<String>, Option<bool>, Option<bool>, Option<String>);

/// The variables of a server with one setting, by name.
fn variables(env: &Value, setting: &Value) -> Vec<(String, Asked)> {
    let text = manifest(&json!({"command": "notes", "env": env}), &json!([{"name": "find"}]));
    let mut manifest: Value = serde_json::from_str(&text).unwrap();
    manifest["user_config"]["token"] = setting.clone();
    let text = manifest.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    assert!(validate(&document, &ValidateOptions::default()).is_valid());
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    let env = lifted.tools[0].package.env.iter();
    env.map(|one| {
        let text = |text: &Option<Sourced<Text<'_>>>| text.as_ref().map(|text| text.to_string());
        let flag = |flag: &Option<Sourced<bool>>| flag.as_ref().map(|flag| flag.value);
        let asked = (text(&one.prompt), flag(&one.secret), flag(&one.required), text(&one.default));
        (one.name.to_string(), asked)
    })
    .collect()
}

#[test]
fn a_variable_that_is_a_setting_is_asked_for_as_the_setting_is() {
    let env = json!({"TOKEN": "${user_config.token}"});
    let setting = json!({"type": "string", "title": "Token", "description": "A token.",
        "required": true, "sensitive": false, "default": "none"});
    let asked = (Some("A token.".into()), Some(false), Some(true), Some("none".into()));
    assert_eq!(variables(&env, &setting), [("TOKEN".to_owned(), asked)]);
    // What is not said of the setting is not said of the variable.
    let setting = json!({"type": "string", "title": "Token", "description": "A token."});
    let asked = (Some("A token.".to_owned()), None, None, None);
    assert_eq!(variables(&env, &setting), [("TOKEN".to_owned(), asked)]);
    // A value that is put together is none of the settings.
    let env = json!({"AUTH": "Bearer ${user_config.token}", "HERE": "${HOME}/notes"});
    let unknown = (None, None, None, None);
    let named = ["AUTH", "HERE"].map(|name| (name.to_owned(), unknown.clone()));
    assert_eq!(variables(&env, &setting), named);
    // A constant is nobody's to give.
    assert_eq!(variables(&json!({"MODE": "fast", "EMPTY": ""}), &setting), []);
}

/// A default is what everyone would be given.
#[test]
fn a_default_is_a_text_that_no_host_fills_in() {
    for (default, read) in [
        (json!("fast"), Some("fast")),
        (json!(""), Some("")),
        (json!(100), Some("100")),
        (json!(-1), Some("-1")),
        (json!(true), Some("true")),
        (json!(0.5), None),
        (json!(["a"]), None),
        (json!("${HOME}/notes"), None),
    ] {
        let setting = json!({"type": "string", "title": "T", "description": "D",
            "default": default});
        let found = variables(&json!({"TOKEN": "${user_config.token}"}), &setting);
        assert_eq!(found[0].1.3.as_deref(), read, "{default}");
    }
}

/// A manifest written again, after its package was changed.
fn rewritten(text: &str, change: impl Fn(&mut Package<'_>)) -> Value {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let mut lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    change(Arc::make_mut(&mut lifted.tools[0].package));
    let written = FORMAT.lower_to_source(&lifted, &document).unwrap();
    serde_json::from_str(&written[0]).unwrap()
}

/// Two variables that are one setting are asked for alike, or the setting is let be.
#[test]
fn a_setting_of_two_variables_takes_what_both_say() {
    let env = json!({"TOKEN": "${user_config.token}", "KEY": "${user_config.token}"});
    let text = manifest(&json!({"command": "notes", "env": env}), &json!([{"name": "find"}]));
    for (edited, expected) in [(0, "A token."), (1, "A token."), (2, "Another.")] {
        let written = rewritten(&text, |package| {
            for variable in package.env.iter_mut().take(edited) {
                variable.prompt = Some("Another.".into());
            }
        });
        assert_eq!(written["user_config"]["token"]["description"], expected, "{edited} edited");
    }
}

/// Nothing takes the place of what an edit took away.
#[test]
fn what_was_taken_away_is_not_made_up() {
    let text = manifest(&json!({"command": "notes"}), &json!([{"name": "find"}]));
    assert_eq!(rewritten(&text, |_| ())["version"], "1.0.0");
    assert_eq!(rewritten(&text, |package| package.version = None).get("version"), None);
}
