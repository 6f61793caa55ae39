//! The line of a converted bundle: tools of one source, found by its digest.

use std::path::{Path, PathBuf};

use toolglot::FORMATS;
use toolglot::core::sha256_hex;
use toolglot_gateway::{BridgeSpec, Catalogue};

use crate::support::{folder, install, write};

/// A folder that keeps a source, and the digest of that.
fn kept(name: &str, source: &str) -> (PathBuf, String) {
    let folder = folder(name);
    let digest = sha256_hex(source.as_bytes());
    write(&folder.join(format!(".toolglot/sources/{digest}.json")), source);
    (folder, format!("sha256:{digest}"))
}

/// The names of the tools that a line serves, or why it serves none.
fn served(folder: &Path, source: &str, words: &[&str]) -> Result<Vec<String>, String> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let line = BridgeSpec::new("mcpb", source, &words, Some(folder.to_owned()), FORMATS)?;
    let catalogue = Catalogue::for_bridge(&line, FORMATS)?;
    assert!(catalogue.skipped().is_empty() && catalogue.reload().is_none());
    Ok(catalogue.tools().map(|tool| tool.name().to_owned()).collect())
}

/// A manifest with one action that only reads, and one that destroys.
fn two() -> String {
    let mut manifest: serde_json::Value = serde_json::from_str(&install("find", "read")).unwrap();
    let mut other = manifest["actions"][0].clone();
    other["name"] = "drop".into();
    other["side_effects"] = "destructive".into();
    manifest["actions"].as_array_mut().unwrap().push(other);
    manifest.to_string()
}

#[test]
fn a_line_serves_the_tools_that_it_names_and_no_others() {
    let (folder, source) = kept("line-exactly", &two());
    assert_eq!(served(&folder, &source, &["notes.find"]).unwrap(), ["find"]);
    let both = ["notes.find", "--tool", "notes.drop", "--accept", "approval"];
    assert_eq!(served(&folder, &source, &both).unwrap(), ["drop", "find"]);
    let refused = served(&folder, &source, &["notes.find", "--tool", "notes.x"]).unwrap_err();
    assert_eq!(refused, "the source has no tool \"notes.x\"");
}

#[test]
fn what_a_source_asks_for_is_accepted_tool_by_tool() {
    let (folder, source) = kept("line-accept", &two());
    for words in [
        ["notes.drop", "--tool", "notes.find"].as_slice(),
        // For another tool than the one that needs it.
        &["notes.find", "--accept", "approval", "--tool", "notes.drop"],
        &["notes.drop", "--accept", "disabled"],
    ] {
        let refused = served(&folder, &source, words).unwrap_err();
        assert!(refused.contains("asks for approval"), "{refused}");
    }
}

#[test]
fn a_line_has_nothing_else_in_it() {
    let (folder, source) = kept("line-words", &two());
    for words in [
        ["notes.find", "--values"].as_slice(),
        &["notes.find", "--accept", "everything"],
        &["notes.find", "tools.json", "x"],
        &[],
    ] {
        assert!(served(&folder, &source, words).is_err(), "{words:?}");
    }
    assert!(served(&folder, "tools.json", &["notes.find"]).is_err());
}

#[test]
fn other_bytes_than_the_digest_says_are_refused() {
    let (folder, source) = kept("line-bytes", &two());
    let file = folder.join(".toolglot/sources").join(format!("{}.json", &source[7..]));
    write(&file, &install("find", "read"));
    let refused = served(&folder, &source, &["notes.find"]).unwrap_err();
    assert!(refused.ends_with("has other bytes than its name says"), "{refused}");
}

#[test]
fn a_source_that_is_a_bridge_itself_is_refused() {
    let line = "toolglot bridge --for mcpkg --source sha256:12ab --tool x";
    let bridge = format!(
        r#"{{"toolId": "acme.find", "name": "Find", "version": "1.0.0", "description": "Finds.",
            "capabilities": ["find"], "endpoint": {{"type": "local", "command": "{line}"}},
            "input_schema": {{"type": "object"}}, "output_schema": {{"type": "object"}}}}"#
    );
    let (folder, source) = kept("line-bridge", &bridge);
    let refused = served(&folder, &source, &["acme.find"]).unwrap_err();
    assert!(refused.ends_with("the source calls a bridge itself"), "{refused}");
}
