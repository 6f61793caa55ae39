//! What a reviewer need not remember: which crate may depend on which, and that no
//! library can do I/O.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The workspace's packages, with those of them that each depends on in earnest.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version=1", "--no-deps"]))
            .expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let names: BTreeSet<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let ours = dependencies
                .iter()
                .filter(|dependency| dependency["kind"].is_null())
                .filter_map(|dependency| dependency["name"].as_str())
                .filter(|name| names.contains(name));
            let name = package["name"].as_str().expect("a name").to_owned();
            (name, ours.map(str::to_owned).collect())
        })
        .collect()
}

#[test]
fn crates_depend_only_along_the_arrows() {
    const CORE: &str = "toolglot-manifest-core";
    let arrows = arrows();
    for (name, dependencies) in &arrows {
        let allowed: BTreeSet<String> = match name.as_str() {
            CORE => BTreeSet::new(),
            "toolglot-cli" => BTreeSet::from(["toolglot".to_owned()]),
            "toolglot" => arrows
                .keys()
                .filter(|name| !matches!(name.as_str(), "toolglot" | "toolglot-cli"))
                .cloned()
                .collect(),
            _ => BTreeSet::from([CORE.to_owned()]),
        };
        let forbidden: Vec<_> = dependencies.difference(&allowed).collect();
        assert!(forbidden.is_empty(), "{name} must not depend on {forbidden:?}");
    }
}

/// The crates that a build of the facade takes, ours included.
fn tree(features: &[&str]) -> BTreeSet<String> {
    let mut arguments = vec!["tree", "-p", "toolglot", "-e", "normal,build", "--prefix", "none"];
    arguments.extend(["--format", "{p}"]);
    arguments.extend(features);
    let lines = cargo(&arguments);
    lines.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn no_library_can_reach_the_network() {
    let suspects = [
        "async-std",
        "attohttpc",
        "curl",
        "hyper",
        "isahc",
        "mio",
        "native-tls",
        "openssl",
        "quinn",
        "reqwest",
        "rustls",
        "smol",
        "socket2",
        "surf",
        "tokio",
        "tungstenite",
        "ureq",
        "webpki",
    ];
    let tree = tree(&["--all-features"]);
    let found: Vec<_> = suspects.iter().filter(|name| tree.contains(**name)).collect();
    assert!(found.is_empty(), "{found:?} are in the tree of the library");
}

#[test]
fn the_tree_without_schemas_stays_small() {
    let tree = tree(&["--no-default-features", "--features", "capability,jumith,mcpkg,tools-json"]);
    let others: Vec<_> = tree.iter().filter(|name| !name.starts_with("toolglot")).collect();
    assert!(others.len() <= 30, "{} crates: {others:?}", others.len());
}

#[test]
fn no_library_source_does_io() {
    let words = [
        "std::fs",
        "std::process",
        "std::env",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "SystemTime",
        "Instant",
        "thread::spawn",
        "std::io",
        "println!",
        "print!(",
        "dbg!",
        "HashMap",
        "HashSet",
    ];
    let mut files = Vec::new();
    for folder in [
        "src",
        "crates/manifest-core/src",
        "crates/tools-json/src",
        "crates/mcpkg/src",
        "crates/jumith/src",
        "crates/capability/src",
        "crates/install-manifest/src",
    ] {
        collect(&root().join(folder), &mut files);
    }
    assert!(files.len() > 40, "the sources are there");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for (number, line) in code.enumerate() {
            let found = words.iter().find(|word| line.contains(**word));
            assert!(found.is_none(), "{}:{number}: {found:?}", file.display());
        }
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
