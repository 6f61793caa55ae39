//! What a reviewer need not remember: which crate may depend on which, and that no
//! library can do I/O but the one that is there for it. What its own code may not call, clippy knows; here is seen
//! that it is asked, and that no dependency could do it either.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use toolglot_tests::root;

use serde_json::Value;

mod circles;
mod picture;

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The workspace's packages by name, as Cargo describes them, without those that are never
/// published: the tests and the examples.
fn packages() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--format-version=1", "--no-deps"]);
    let mut metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let mut packages: Vec<Value> =
        serde_json::from_value(metadata["packages"].take()).expect("packages");
    packages.retain(|package| package["publish"].is_null());
    packages.sort_by_key(|package| package["name"].to_string());
    packages
}

/// The workspace's packages, with those of them that each depends on in earnest.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let packages = packages();
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

/// The floors of the house, the ground last. A crate depends on those of lower floors only.
const FLOORS: &[&[&str]] = &[
    &["toolglot-cli"],
    &["toolglot-gateway", "toolglot-installer"],
    &["toolglot", "toolglot-host"],
    &["toolglot-disk"],
    &[
        "toolglot-capability",
        "toolglot-install-manifest",
        "toolglot-jumith",
        "toolglot-mcp",
        "toolglot-mcpkg",
        "toolglot-tools-json",
    ],
    &["toolglot-testkit"],
    &["toolglot-archive", "toolglot-compare", "toolglot-providers"],
    &["toolglot-call", "toolglot-convert"],
    &["toolglot-manifest-core"],
    &["toolglot-json-schema"],
    &["toolglot-json-text"],
    &["toolglot-diagnostic"],
];

#[test]
fn crates_depend_only_on_lower_floors() {
    let floor = |name: &str| FLOORS.iter().position(|floor| floor.contains(&name));
    for (name, dependencies) in &arrows() {
        let own = floor(name).unwrap_or_else(|| panic!("{name} stands on no floor"));
        for dependency in dependencies {
            assert!(floor(dependency) > Some(own), "{name} must not depend on {dependency}");
        }
    }
    for (name, dependencies) in &arrows() {
        for library in DOES_IO {
            let may = DOES_IO.contains(&name.as_str());
            assert!(may || !dependencies.contains(*library), "{name} must not do I/O");
        }
    }
    // The program sees the facade, what has I/O, and nothing behind them.
    let seen = DOES_IO.iter().filter(|name| **name != "toolglot-cli").chain(&["toolglot"]);
    assert_eq!(arrows()["toolglot-cli"], seen.map(|name| (*name).to_owned()).collect());
    for name in ["toolglot-gateway", "toolglot-installer"] {
        let seen = ["toolglot", "toolglot-disk", "toolglot-host"].map(str::to_owned);
        assert_eq!(arrows()[name], BTreeSet::from(seen));
    }
}

/// By package: its files, each with those that it leans on. Parsing them all takes seconds.
static FILES: LazyLock<BTreeMap<String, circles::Arrows>> = LazyLock::new(|| {
    std::thread::scope(|scope| {
        let read = |package: Value| {
            let folder = PathBuf::from(package["manifest_path"].as_str().expect("a path"));
            let name = package["name"].as_str().expect("a name").to_owned();
            scope.spawn(move || (name, circles::arrows(&folder.with_file_name("src"))))
        };
        let threads: Vec<_> = packages().into_iter().map(read).collect();
        threads.into_iter().map(|thread| thread.join().expect("Rust")).collect()
    })
});

#[test]
fn no_circle_between_files() {
    let mut found = Vec::new();
    for (package, files) in &*FILES {
        found.extend(circles::circles(files).iter().map(|circle| format!("{package}: {circle:?}")));
    }
    assert!(found.is_empty(), "{} circles:\n{}", found.len(), found.join("\n"));
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
fn no_library_depends_on_io() {
    let suspects = [
        "async-executor",
        "async-std",
        "attohttpc",
        "curl",
        "futures-executor",
        "h2",
        "hyper",
        "isahc",
        "memmap2",
        "mio",
        "native-tls",
        "openssl",
        "notify",
        "quinn",
        "rand",
        "reqwest",
        "rustls",
        "smol",
        "socket2",
        "surf",
        "tempfile",
        "tokio",
        "tungstenite",
        "ureq",
        "walkdir",
        "webpki",
    ];
    let tree = tree(&["--all-features"]);
    let found: Vec<_> = suspects.iter().filter(|name| tree.contains(**name)).collect();
    assert!(found.is_empty(), "{found:?} are in the tree of the library");
}

#[test]
fn the_tree_without_schemas_stays_small() {
    let formats = "capability,install-manifest,jumith,mcpb,mcpkg,server-json,tool-list,tools-json";
    let tree = tree(&["--no-default-features", "--features", formats, "-e", "no-proc-macro"]);
    let others: Vec<_> = tree.iter().filter(|name| !name.starts_with("toolglot")).collect();
    assert!(others.len() <= 24, "{} crates: {others:?}", others.len());
}

/// The lints with which a library refuses files, sockets, clocks and the like; what
/// they are is listed in `clippy.toml`. What is forbidden cannot be allowed again
/// further down.
const NO_IO: &str = "\
#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]
";

/// The libraries that are there to do it. The program is one, too, for whoever has another format:
/// its files are its own.
const DOES_IO: &[&str] =
    &["toolglot-cli", "toolglot-disk", "toolglot-gateway", "toolglot-host", "toolglot-installer"];

#[test]
fn every_library_forbids_io() {
    let mut libraries = 0;
    let may =
        |package: &&Value| package["name"].as_str().is_some_and(|name| DOES_IO.contains(&name));
    for package in packages().iter().filter(|package| !may(package)) {
        for target in package["targets"].as_array().expect("targets") {
            if target["kind"] == serde_json::json!(["lib"]) {
                let path = target["src_path"].as_str().expect("a path");
                let text = std::fs::read_to_string(path).expect("a source file");
                assert!(text.contains(NO_IO), "{path} does not forbid I/O");
                libraries += 1;
            }
        }
    }
    assert!(libraries > 6, "{libraries} libraries");
}

#[test]
fn what_libraries_forbid_is_listed() {
    let list = std::fs::read_to_string(root().join("clippy.toml")).expect("clippy.toml");
    for name in [
        "std::fs::read",
        "std::fs::File",
        "std::path::Path::exists",
        "std::net::TcpStream",
        "std::process::Command",
        "std::env::var",
        "std::time::Instant",
        "std::time::SystemTime",
        "std::thread::spawn",
        "std::io::stdout",
        "std::hash::RandomState",
        "std::collections::HashMap",
    ] {
        assert!(list.contains(&format!("\"{name}\"")), "{name} is not in clippy.toml");
    }
}
