//! A tool of one format, converted to others and called there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::hosts;
use crate::tools::Tool;

/// What every tool is given, and answers.
pub(crate) fn arguments() -> Value {
    json!({"name": "Ada; $(id) Lovelace", "count": 2})
}

pub(crate) fn answer() -> Value {
    json!({"greeting": "hello Ada; $(id) Lovelace", "count": 2})
}

/// A new folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{name}-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path.canonicalize().unwrap()
}

/// The folder of the built program, before the rest of the search path.
pub(crate) fn search_path() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_toolglot")).parent().unwrap().to_owned();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([program].into_iter().chain(std::env::split_paths(&rest))).unwrap()
}

/// Converts a tool into a folder, and gives the document that came of it. The report must say
/// that it runs.
pub(crate) fn converted(tool: &Tool, to: &str, out: &Path, more: &[&str]) -> PathBuf {
    let converted = Command::new(env!("CARGO_BIN_EXE_toolglot"))
        .args(["convert", "--to", to, "--allow", "private", "-o"])
        .arg(out.join(""))
        .arg(&tool.manifest)
        .args(more)
        .output()
        .unwrap();
    let said = String::from_utf8(converted.stderr).unwrap();
    assert!(converted.status.success(), "{said}");
    assert!(said.contains("does not run: none"), "{said}");
    let is_document =
        |path: &PathBuf| path.is_file() && !path.to_str().unwrap().ends_with("residue.json");
    let mut files = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
    files.find(is_document).unwrap()
}

/// Converts each tool of a format to each other format, and calls it there.
pub(crate) fn row(tools: &[Tool], targets: &[&str]) {
    for tool in tools {
        for to in targets.iter().filter(|to| **to != tool.format) {
            let out = folder(&format!("{}-{to}", tool.name));
            let called = match *to {
                "tools-json" => {
                    let document = converted(tool, to, &out.join("out"), &[]);
                    hosts::agentcli(&document, &folder("agent"))
                }
                "install-manifest" => {
                    let document = converted(tool, to, &out.join("out"), &[]);
                    hosts::install_manifest(&document, &out.join("out"))
                }
                "mcpkg" => {
                    // The published runner, by a gateway; and a host of local commands.
                    let gateway = Gateway::start(tool.manifest.parent().unwrap(), &out);
                    let url = ["--gateway", &gateway.address];
                    let by_request = converted(tool, to, &out.join("request"), &url);
                    let called = hosts::mcpkg_runner(&by_request, &gateway.token);
                    assert_eq!(called, answer(), "{} → {to}", tool.name);
                    let document = converted(tool, to, &out.join("out"), &[]);
                    hosts::mcpkg_local(&document, &out.join("out"))
                }
                "capability" => {
                    let gateway = Gateway::start(tool.manifest.parent().unwrap(), &out);
                    let url = format!("{}/{}", gateway.address, gateway.token);
                    let url = ["--gateway", &url];
                    hosts::unison(&converted(tool, to, &out.join("out"), &url))
                }
                "mcpb" => {
                    let document = converted(tool, to, &out.join("out"), &[]);
                    hosts::mcpb(&document, &folder("host"))
                }
                "jumith" => hosts::jumith(&converted(tool, to, &out.join("out"), &[])),
                other => panic!("{other}"),
            };
            assert_eq!(called, answer(), "{} → {to}", tool.name);
            println!("{} → {to}: the same answer", tool.name);
        }
    }
}

pub(crate) const WITHOUT_NODE: &[&str] =
    &["tools-json", "mcpkg", "install-manifest", "capability", "mcpb"];
