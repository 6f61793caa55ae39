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
