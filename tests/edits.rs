//! Edits to a target that change names, or say what the source cannot.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(all(
    feature = "capability",
    feature = "install-manifest",
    feature = "jumith",
    feature = "tools-json"
))]

use toolglot::FormatName::{self, Capability, InstallManifest, Jumith, ToolsJson};
use toolglot::json::Document;
use toolglot::{Limits, Options, Restored, convert, restore};

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The source of a conversion after an edit to its target.
fn edited(text: &str, from: FormatName, to: FormatName, edits: &[(&str, &str)]) -> Restored {
    let (limits, options) = (Limits::default(), Options::default());
    let source = Document::parse(text.as_bytes(), &limits).unwrap();
    let converted = convert(&source, from, to, &options).unwrap();
    let mut target = converted.text;
    for (old, new) in edits {
        assert!(target.contains(old), "{old} is not in\n{target}");
        target = target.replace(old, new);
    }
    let target = Document::parse(target.as_bytes(), &limits).unwrap();
    restore(&target, Some(&converted.residue), from, to, &options).unwrap()
}

/// A text after edits.
fn with(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

#[test]
fn several_tools_are_renamed() {
    let text = read("examples/manifests/notes.install.json");
    let restored = edited(
        &text,
        InstallManifest,
        ToolsJson,
        &[
            ("\"name\": \"notes.find\"", "\"name\": \"notes.search\""),
            ("\"name\": \"notes.delete\"", "\"name\": \"notes.remove\""),
        ],
    );
    let wanted = with(
        &text,
        &[
            ("\"name\": \"find\"", "\"name\": \"search\""),
            ("\"name\": \"delete\"", "\"name\": \"remove\""),
        ],
    );
    assert_eq!(restored.text, wanted);
    assert!(restored.removed.is_empty());
}

#[test]
fn a_tool_is_renamed_and_another_removed() {
    let text = read("examples/manifests/notes.install.json");
    let (limits, options) = (Limits::default(), Options::default());
    let source = Document::parse(text.as_bytes(), &limits).unwrap();
    let converted = convert(&source, InstallManifest, ToolsJson, &options).unwrap();
    let target = Document::parse(converted.text.as_bytes(), &limits).unwrap();
    let first = target.at("/tools/0").unwrap().raw().replace("notes.find", "notes.search");
    let target = format!("{{\"tools\": [{first}]}}");
    let target = Document::parse(target.as_bytes(), &limits).unwrap();
    let restored =
        restore(&target, Some(&converted.residue), InstallManifest, ToolsJson, &options).unwrap();
    assert_eq!(restored.removed, ["notes.delete"]);
    assert!(restored.text.contains("\"search\""), "{}", restored.text);
    for kept in ["MIT", "\"pip\"", "fs.local", "revoke"] {
        assert_eq!(restored.text.contains(kept), text.contains(kept), "{kept}");
    }
}

#[test]
fn a_variable_is_renamed() {
    let text = read("crates/capability/tests/fixtures/valid/github_issues.json");
    let edits = [("\"OAUTH_GITHUB\"", "\"OAUTH_GITHUB2\"")];
    for to in [Jumith, ToolsJson, FormatName::Mcpkg, InstallManifest] {
        let restored = edited(&text, Capability, to, &edits);
        assert_eq!(restored.text, with(&text, &edits), "{to}");
    }
}

/// A check of the installation goes on calling the action that it called.
#[test]
fn what_a_smoke_test_calls_is_renamed() {
    let text = read("crates/install-manifest/tests/fixtures/valid/0.3.json");
    let restored =
        edited(&text, InstallManifest, Jumith, &[("gmail-send.whoami", "gmail-send.who")]);
    let edits = [
        ("\"name\": \"whoami\"", "\"name\": \"who\""),
        ("\"action\": \"whoami\"", "\"action\": \"who\""),
    ];
    assert_eq!(restored.text, with(&text, &edits));
}

/// A call that the source cannot say does not take the place of the one it said, and is
/// listed.
#[test]
fn a_call_that_the_source_cannot_say() {
    let text = read("crates/jumith/tests/fixtures/valid/order_pizza.json");
    let edit = [("\"tool:order_pizza\"\n", "\"tool:order_pizza\",\n        \"--verbose\"\n")];
    let restored = edited(&text, Jumith, ToolsJson, &edit);
    assert_eq!(restored.text, text);
    let lost = format!("{:?}", restored.residue);
    assert!(lost.contains("--verbose"), "{lost}");
}

/// Names that are exchanged, and tools that take the place of others, keep what is theirs.
#[test]
fn names_are_exchanged() {
    let text = read("examples/manifests/notes.install.json");
    let swap = [
        ("\"name\": \"notes.find\"", "\"name\": \"notes.x\""),
        ("\"name\": \"notes.delete\"", "\"name\": \"notes.find\""),
        ("\"name\": \"notes.x\"", "\"name\": \"notes.delete\""),
    ];
    let restored = edited(&text, InstallManifest, ToolsJson, &swap);
    let swap = [
        ("\"name\": \"find\"", "\"name\": \"x\""),
        ("\"name\": \"delete\"", "\"name\": \"find\""),
        ("\"name\": \"x\"", "\"name\": \"delete\""),
    ];
    let effects = |text: &str, name: &str| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let mut actions = document.at("/actions").unwrap().elements();
        let is =
            |action: &toolglot::json::Node<'_>| action.get("name").unwrap().text().unwrap() == name;
        actions.find(is).unwrap().get("side_effects").unwrap().raw().to_owned()
    };
    for name in ["find", "delete"] {
        assert_eq!(effects(&restored.text, name), effects(&with(&text, &swap), name), "{name}");
    }
}

#[test]
fn a_new_tool_takes_nothing_from_one_that_is_gone() {
    let text = r#"{"id": "tool:read", "name": "read", "version": "1.0.0", "summary": "Reads.",
        "description": "Reads.", "tags": ["a"], "provider": "acme", "requiresApproval": false,
        "entry": {"runtime": "node", "main": "dist/read.js", "export": "read"}}"#;
    let (limits, options) = (Limits::default(), Options::default());
    let source = Document::parse(text.as_bytes(), &limits).unwrap();
    let converted = convert(&source, Jumith, ToolsJson, &options).unwrap();
    let new = r#"{"tools": [{"name": "wipe", "description": "Wipes.", "command": ["./tools/bin/wipe"]}]}"#;
    let target = Document::parse(new.as_bytes(), &limits).unwrap();
    let restored = restore(&target, Some(&converted.residue), Jumith, ToolsJson, &options).unwrap();
    assert!(!restored.text.contains("read.js"), "{}", restored.text);
    assert_eq!(restored.removed.len(), 1);
}

/// A variable that is another one is not known to be public.
#[test]
fn a_new_variable_is_secret() {
    let text = read("crates/install-manifest/tests/fixtures/valid/weather-0.1.json");
    let public = text.replace("\"secret\": true", "\"secret\": false");
    let document = Document::parse(public.as_bytes(), &Limits::default()).unwrap();
    let name = document.at("/env/0/name").unwrap().raw().to_owned();
    let restored = edited(&public, InstallManifest, ToolsJson, &[(&name, "\"QUITE_ANOTHER\"")]);
    let document = Document::parse(restored.text.as_bytes(), &Limits::default()).unwrap();
    let mut env = document.at("/env").unwrap().elements();
    let new = env.find(|v| v.get("name").unwrap().raw() == "\"QUITE_ANOTHER\"").unwrap();
    assert_eq!(new.get("secret").unwrap().raw(), "true");
}

/// The same, where texts are all that tells the tools from each other.
#[test]
fn names_of_tools_that_are_much_alike_are_exchanged() {
    let tool = |name: &str, text: &str| {
        format!(
            r#"{{"toolId": "acme.a.{name}", "name": "{name}", "version": "1.0.0", "description": "{text}", "capabilities": ["x"], "endpoint": {{"type": "http", "method": "POST", "url": "https://example.com/{name}"}}, "input_schema": {{"type": "object"}}, "output_schema": {{"type": "object"}}}}"#
        )
    };
    let text = format!("[{},\n{}]", tool("read", "Reads."), tool("write", "Writes."));
    let swap = [
        ("\"id\": \"acme.a.read\"", "\"id\": \"acme.a.x\""),
        ("\"id\": \"acme.a.write\"", "\"id\": \"acme.a.read\""),
        ("\"id\": \"acme.a.x\"", "\"id\": \"acme.a.write\""),
    ];
    let restored = edited(&text, FormatName::Mcpkg, Jumith, &swap);
    let document = Document::parse(restored.text.as_bytes(), &Limits::default()).unwrap();
    for tool in document.root().elements() {
        let reads = tool.get("description").unwrap().raw() == "\"Reads.\"";
        let url = tool.get("endpoint").unwrap().get("url").unwrap().raw();
        assert_eq!(url.contains("/read"), reads, "{}", restored.text);
    }
}
