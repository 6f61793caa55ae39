//! A folder of manifests of all formats, given to the frameworks that have types for its tools.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use integrations::{Folder, Tool};
use serde_json::{Value, json};
use toolglot::providers::Options;

mod mcp;
mod openai;
mod rig;
#[path = "../../../crates/cli/tests/matrix/server.rs"]
#[allow(dead_code)] // the hosts of the matrix need more of it
mod server;
#[path = "../../../crates/cli/tests/matrix/tools.rs"]
#[allow(dead_code)]
mod tools;

const FORMATS: [&str; 5] = ["capability", "install-manifest", "jumith", "mcpkg", "tools-json"];

/// A new folder.
fn folder(name: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{name}-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path.canonicalize().unwrap()
}

/// All valid fixtures of all formats, and tools that can be called.
fn mixed() -> Folder {
    let all = folder("mixed");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    for format in FORMATS {
        for entry in fs::read_dir(fixtures.join(format).join("valid")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let name = path.file_name().unwrap().to_str().unwrap();
                fs::copy(&path, all.join(format!("{format}-{name}"))).unwrap();
            }
        }
    }
    let http = server::Server::start();
    for tool in [
        tools::program_of_tools_json(),
        tools::program_with_arguments(),
        tools::request_of_mcpkg(&http),
        tools::registry_tool(&http),
        tools::node_module(),
    ] {
        fs::copy(&tool.manifest, all.join(format!("{}.json", tool.name))).unwrap();
        let program = "tools/bin/greet";
        if tool.manifest.with_file_name(program).exists() {
            fs::create_dir_all(all.join("tools/bin")).unwrap();
            fs::copy(tool.manifest.with_file_name(program), all.join(program)).unwrap();
        }
    }
    // Two of the greeters have one id.
    Folder::open(&all).unwrap().with_prefix("registry.json", "unison")
}

/// The tools for a target. Fixtures of two formats have tools of one id, one is switched off, and
/// one has a number in its schema that cannot be checked.
fn given(folder: &Folder, options: &Options) -> Vec<Tool> {
    let (tools, left_out) = folder.tools(options).unwrap();
    let why: Vec<_> = left_out.iter().map(|(id, why)| (id.as_str(), why.rule.code)).collect();
    let clash = "providers/name-clash";
    let expected = [
        ("demo.echo", clash),
        ("office.scan_document", "providers/switched-off"),
        ("demo.echo", clash),
        ("get_time", clash),
        ("get_time", clash),
        ("img_create", "schema/number"),
    ];
    assert_eq!(why, expected, "{options:?}");
    assert!(tools.len() > 30, "{}", tools.len());
    tools
}

/// The tools that greet, each from the file that is named after what it calls.
fn greeters(tools: &[Tool]) -> [&Tool; 4] {
    ["program.json", "arguments.json", "request.json", "registry.json"]
        .map(|file| tools.iter().find(|tool| tool.file == file).unwrap())
}

fn arguments() -> Value {
    json!({"name": "Ada", "count": 2})
}

fn greeting() -> Value {
    json!({"greeting": "hello Ada", "count": 2})
}

/// What a model is told after arguments that are wrong in one place.
fn is_told_what_to_correct(text: &str) {
    assert!(text.contains("- at /count: "), "{text}");
    assert!(text.ends_with("Correct this and call the tool again."), "{text}");
}
