//! Bundles: what is in the archive, and what its manifest names.

use archive::Entry;
use manifest_core::{Limits, ValidateOptions};
use mcp::mcpb::Bundle;

const MANIFEST: &str = r#"{
  "manifest_version": "0.4", "name": "notes", "version": "1.0.0",
  "description": "Keeps notes.", "author": {"name": "A. Person"},
  "icon": "icon.png", "screenshots": ["https://example.com/one.png"],
  "icons": [{"src": "${__dirname}/icons/16.png", "size": "16x16"}],
  "server": {"type": "node", "entry_point": "./server/index.js",
             "mcp_config": {"command": "node", "args": ["${__dirname}/server/index.js"]}}
}"#;

/// The codes and places of what is wrong with a bundle of these files.
fn wrong(files: &[(&str, &str)]) -> Vec<String> {
    let entries: Vec<Entry<'_>> =
        files.iter().map(|(name, text)| Entry::new(*name, text.as_bytes())).collect();
    let bytes = archive::write(&entries, &Limits::default()).unwrap();
    let report = match Bundle::read(&bytes, &Limits::default()) {
        Ok(bundle) => bundle.check(&ValidateOptions::default()),
        Err(report) => report,
    };
    let found = report.diagnostics.iter();
    found.map(|one| format!("{} {}", one.rule.code, one.pointer.as_str())).collect()
}

#[test]
fn a_bundle_has_what_its_manifest_names() {
    let files = ["server/index.js", "icon.png", "icons/16.png"].map(|name| (name, ""));
    let whole: Vec<_> = [("manifest.json", MANIFEST)].into_iter().chain(files).collect();
    assert_eq!(wrong(&whole), [""; 0]);
    assert_eq!(
        wrong(&[("manifest.json", MANIFEST), ("Icon.png", "")]),
        [
            "mcpb/file-missing /server/entry_point",
            "mcpb/file-missing /icon",
            "mcpb/file-missing /icons/0/src",
        ]
    );
}

#[test]
fn a_program_of_the_search_path_is_no_file_of_the_bundle() {
    let text = MANIFEST.replace(r#""./server/index.js""#, r#""toolglot""#);
    let text = text.replace(r#""command": "node""#, r#""command": "toolglot""#);
    let files = [("manifest.json", text.as_str()), ("icon.png", ""), ("icons/16.png", "")];
    assert_eq!(wrong(&files), [""; 0]);
}

#[test]
fn a_bundle_is_told_what_is_wrong_with_its_manifest() {
    assert_eq!(wrong(&[("manifest.json", "{")]), ["json/syntax "]);
    let text = MANIFEST.replace("\"1.0.0\"", "1");
    assert_eq!(wrong(&[("manifest.json", &text)]), ["json/type /version"]);
}

#[test]
fn an_archive_without_a_manifest_at_its_root_is_no_bundle() {
    assert_eq!(wrong(&[("notes/manifest.json", MANIFEST)]), ["zip/no-manifest "]);
    assert!(Bundle::read(b"no archive", &Limits::default()).is_err());
}
