//! What a small source can become: a target that is too large is refused before it is there.

use serde_json::{Value, json};
use toolglot::FormatName::{Capability, InstallManifest, Mcpb, ServerJson, ToolList, ToolsJson};
use toolglot::descriptor::{Invocation, SharedArgv};
use toolglot::json::Document;
use toolglot::{FormatName, Limits, Options, convert};

use crate::said::with;

/// Tools of one package that share secrets, which each of them gets in other formats.
fn package(tools: usize, secrets: usize) -> String {
    let action = |number: usize| {
        format!(
            r#"{{"name": "a{number}", "summary": "One of many.", "docs": {{"goal": "Be many."}},
                "invocation": {{"kind": "subcommand", "argv_template": ["a{number}"]}},
                "output": {{"format": "text"}}, "side_effects": "read", "idempotent": true}}"#
        )
    };
    let secret = |number: usize| {
        format!(r#"{{"name": "S{number}", "prompt": "A", "secret": true, "required": true}}"#)
    };
    let list =
        |count, item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(",");
    format!(
        r#"{{"manifest_version": "0.4",
            "tool": {{"id": "many", "version": "1.0.0", "name": "Many", "summary": "Many tools.",
                "homepage": "https://example.com/many"}},
            "runtime": {{"kind": "shell-binary", "entrypoint": {{"command": ["many"]}},
                "install": {{"method": "url", "url": "https://example.com/many",
                    "sha256": "{}"}}}},
            "env": [{}],
            "actions": [{}],
            "verify": {{"sla": {{"p95_latency_ms": 900}}}},
            "smoke": {{"kind": "shell", "command": ["many"], "success": {{"exit_code": 0}}}},
            "kill_switch": {{"kind": "shell", "command": ["rm", "-f", "many"]}}}}"#,
        "0".repeat(64),
        list(secrets, &secret),
        list(tools, &action),
    )
}

/// The rule that refuses a conversion, and where.
fn refused(text: &str, to: FormatName, work: usize) -> Option<(String, String)> {
    let limits = Limits { work, ..Limits::default() };
    let document = Document::parse(text.as_bytes(), &limits).expect("JSON");
    let options = Options { limits, ..Options::default() };
    let report = convert(&document, InstallManifest, to, &options).err()?;
    let first = report.diagnostics.first().expect("a reason");
    Some((first.rule.code.to_owned(), first.pointer.as_str().to_owned()))
}

#[test]
fn what_would_be_too_much_is_refused_at_the_tool() {
    let text = package(10, 10);
    for to in [Capability, ToolsJson] {
        assert_eq!(refused(&text, to, 1 << 20), None, "{to}");
        let (code, at) = refused(&text, to, 4_000).expect("too much");
        assert_eq!(code, "convert/work", "{to}");
        assert!(at.starts_with("/actions/"), "{to}: {at}");
    }
}

/// What is to be known of a target may be much more than the target: here, each tool is given each
/// secret, and a list of tools names none.
#[test]
fn what_would_be_too_much_to_tell_is_refused_at_the_tool() {
    let text = package(60, 30);
    let document = Document::parse(text.as_bytes(), &Limits::default()).expect("JSON");
    let done = convert(&document, InstallManifest, ToolList, &Options::default()).expect("a list");
    let written = done.documents.iter().map(|document| document.text.len()).sum();
    let (code, at) = refused(&text, ToolList, written).expect("too much to tell");
    assert_eq!(code, "convert/work");
    assert!(at.starts_with("/actions/"), "{at}");
}

/// Two thousand small tools are a document of our own limits in every format that holds many.
#[test]
fn many_small_tools_fit() {
    let tool = |number: usize| {
        format!(
            r#"{{"name": "t{number}", "description": "One of many.", "schema": {{"type": "object"}},
                "command": ["./tools/bin/t{number}"]}}"#
        )
    };
    let tools = (0..2000).map(tool).collect::<Vec<_>>().join(",");
    let text = format!(r#"{{"tools": [{tools}]}}"#);
    let document = Document::parse(text.as_bytes(), &Limits::default()).expect("JSON");
    let mut options = Options::default();
    options.accept.insert(toolglot::AcceptedLoss::Bridge);
    for to in FormatName::ALL.iter().filter(|to| **to != ToolsJson) {
        let done = convert(&document, ToolsJson, *to, &options);
        let done = done.unwrap_or_else(|report| panic!("{to}: {report}"));
        assert_eq!(done.tools.len(), 2000, "{to}");
    }
}

/// A long line that starts a server, and many tools of it: each has the line, and it is there once.
/// A small document was gigabytes otherwise.
#[test]
fn tools_share_the_line_of_their_server() {
    let words = vec!["word"; 500];
    let tools = |more: Value| -> Vec<Value> {
        let tool = |number| with(json!({"name": format!("t{number}")}), more.clone());
        (0..500).map(tool).collect()
    };
    let bundle = json!({
        "manifest_version": "0.3", "name": "many", "version": "1.0.0", "description": "Many.",
        "author": {"name": "A"}, "tools": tools(json!({})),
        "server": {"type": "node", "entry_point": "server.js",
            "mcp_config": {"command": "node", "args": words}},
    });
    let argument = json!({"type": "positional", "value": "word"});
    let meta = json!({"invalid.toolglot/tools": tools(json!({"calls": "find"}))});
    let server = json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "com.example/many", "version": "1.0.0", "description": "Many.",
        "packages": [{"registryType": "npm", "identifier": "many", "version": "1.0.0",
            "transport": {"type": "stdio"}, "packageArguments": vec![argument; 500]}],
        "_meta": {"io.modelcontextprotocol.registry/publisher-provided": meta},
    });
    let list = json!({"server": {"command": words}, "tools": tools(json!({"inputSchema": {}}))});
    for (format, value) in [(Mcpb, bundle), (ServerJson, server), (ToolList, list)] {
        let text = value.to_string();
        let document = Document::parse(text.as_bytes(), &Limits::default()).expect("JSON");
        let tools = format.format().unwrap().lift_valid(&document, 0).tools;
        let lines: Vec<&SharedArgv<'_>> = tools
            .iter()
            .filter_map(|tool| match tool.invocation.as_deref() {
                Some(Invocation::McpTool(server)) => Some(&server.argv),
                _ => None,
            })
            .collect();
        assert_eq!(lines.len(), 500, "{format}");
        assert!(lines[0].len() >= 500, "{format}");
        assert!(
            lines.iter().all(|line| line.memory_address() == lines[0].memory_address()),
            "{format}"
        );
    }
}

/// A schema past the default limits is read like any other, if the limits of the conversion allow it.
#[test]
fn a_long_schema_permits_the_same_arguments() {
    let long = "x".repeat(Limits::default().string_bytes + 1);
    let text = json!({"tools": [{"functionDeclarations": [{
        "name": "find", "description": "Finds notes.",
        "parameters": {"type": "OBJECT", "description": long}
    }]}]})
    .to_string();
    let limits = Limits { string_bytes: 1 << 20, ..Limits::default() };
    let source = Document::parse(text.as_bytes(), &limits).unwrap();
    let options = Options { limits, ..Options::default() };
    let made = convert(&source, ToolList, InstallManifest, &options).unwrap();
    let made: Value = serde_json::from_str(&made.documents[0].text).unwrap();
    assert_eq!(made["actions"][0]["input"]["additionalProperties"], true);
}
