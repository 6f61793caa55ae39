//! A folder of manifests of all formats, given to the frameworks that have types for its tools.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use integrations::Folder;
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
    Folder::open(&all).unwrap()
}

/// A tool as a framework is given it, and the file that it is from.
struct Tool {
    file: String,
    name: String,
    json: Value,
}

/// The tools for a target. One is switched off, one has a number in its schema that cannot be
/// checked, and one is a chain of calls.
fn given(folder: &mut Folder, options: &Options) -> Vec<Tool> {
    let mut tools = Vec::new();
    for offer in folder.tools.offers(options.clone()) {
        let (file, name) = (offer.manifest().name().to_owned(), offer.name().to_owned());
        tools.push(Tool { file, name, json: serde_json::to_value(offer).unwrap() });
    }
    let mut left_out: Vec<&str> =
        folder.tools.problems().map(|problem| problem.tool.as_deref().unwrap()).collect();
    left_out.sort_unstable();
    assert_eq!(left_out, ["img_create", "office.scan_document"], "{options:?}");
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
