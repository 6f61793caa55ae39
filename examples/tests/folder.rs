//! A folder of manifests of all formats, and what the example host says of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::tools::Tool;
use crate::{example, server, tools};

/// A new folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{name}-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("host-example").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path.canonicalize().unwrap()
}

/// Puts manifests of all formats into one folder, with the program and the module that are beside
/// theirs.
fn together(tools: &[Tool]) -> PathBuf {
    let all = folder("all");
    for tool in tools {
        fs::copy(&tool.manifest, all.join(format!("{}.json", tool.name))).unwrap();
        let program = "tools/bin/greet";
        if tool.manifest.with_file_name(program).exists() {
            fs::create_dir_all(all.join("tools/bin")).unwrap();
            fs::copy(tool.manifest.with_file_name(program), all.join(program)).unwrap();
        }
        let module = tool.manifest.with_file_name("index.mjs");
        if module.exists() {
            fs::copy(module, all.join("index.mjs")).unwrap();
        }
    }
    all
}

pub(crate) fn said(asked: &[&str]) -> (Vec<Value>, Vec<String>) {
    let server = server::Server::start();
    let all = together(&[
        tools::program_of_tools_json(),
        tools::request_of_mcpkg(&server),
        tools::program_with_arguments(),
        tools::mcp_server(),
        tools::registry_tool(&server),
        tools::agent(&server),
        tools::node_module(),
    ]);
    let arguments = json!({"name": "Ada", "count": 2}).to_string();
    let asked: Vec<String> =
        asked.iter().flat_map(|name| [(*name).to_owned(), arguments.clone()]).collect();
    let mut out = Vec::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(example::serve(&all, &asked, &mut out)).unwrap();
    let text = String::from_utf8(out).unwrap();
    let (listed, answered) = text.split_once('\n').unwrap();
    (serde_json::from_str(listed).unwrap(), answered.lines().map(str::to_owned).collect())
}

pub(crate) fn assert_answers(answered: &[String], count: usize) {
    assert_eq!(answered.len(), count, "{answered:?}");
    for line in answered {
        let answer: Value = serde_json::from_str(line.split_once(" answers ").unwrap().1).unwrap();
        assert_eq!(answer, json!({"greeting": "hello Ada", "count": 2}));
    }
}
