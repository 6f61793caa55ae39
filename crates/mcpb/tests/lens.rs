//! What a manifest lifts to, and what the manifests of others become.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use manifest_core::descriptor::{Invocation, Kind, McpTool};
use manifest_core::json::Document;
use manifest_core::{Limits, Validate};
use mcpb::{FORMAT, validate};
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
    assert!(validate(&document, &Validate::default()).is_valid());
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
