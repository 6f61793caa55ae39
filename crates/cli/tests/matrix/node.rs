//! The pairs of the matrix with Jumith, whose tools are modules of Node.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod flow;
mod gateway;
mod hosts;
mod row;
mod server;
mod tools;

use row::{WITHOUT_NODE, arguments, folder, row, search_path};

#[test]
fn from_jumith() {
    row(&[tools::node_module()], WITHOUT_NODE);
}

#[test]
fn to_jumith() {
    let server = server::Server::start();
    let tools = [
        tools::program_of_tools_json(),
        tools::request_of_mcpkg(&server),
        tools::program_with_arguments(),
        tools::mcp_server(),
        tools::bundle(),
        tools::registry_tool(&server),
        tools::agent(&server),
    ];
    row(&tools, &["jumith"]);
}

/// A bundle has its module with it.
#[test]
fn a_bundle_is_called() {
    let tool = tools::node_module();
    let folder = folder("bundle");
    let version = folder.join("version");
    std::fs::create_dir_all(version.join("files")).unwrap();
    std::fs::copy(&tool.manifest, version.join("manifest.json")).unwrap();
    let module = tool.manifest.with_file_name("index.mjs");
    std::fs::copy(module, version.join("files/index.mjs")).unwrap();
    let toolglot = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_toolglot"));
        command.args(arguments).current_dir(&folder).env("XDG_CACHE_HOME", folder.join("cache"));
        let ran = command.env("XDG_STATE_HOME", folder.join("state")).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    };
    toolglot(&["bundle", "pack", "version", "-o", "greet.json"]);
    std::fs::remove_dir_all(&version).unwrap();
    let arguments = arguments().to_string();
    let called = toolglot(&["call", "greet.json", "--args", &arguments, "--yes"]);
    let called: serde_json::Value = serde_json::from_str(&called).unwrap();
    assert_eq!(called, row::answer());
}
