//! The example host calls a module of Node. `.ci/release` runs this, where Node is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../host.rs"]
#[allow(dead_code)] // `main` is for the program
mod example;
#[path = "../../crates/cli/tests/matrix/server.rs"]
#[allow(dead_code)] // the hosts of the matrix need more of it
mod server;
#[path = "../../crates/cli/tests/matrix/tools.rs"]
#[allow(dead_code)]
mod tools;

mod folder;

use folder::{assert_answers, folder, said};

#[test]
fn a_node_module_is_called() {
    let (listed, _) = said(&[]);
    let names: Vec<&str> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let module = names.iter().find(|name| name.starts_with("tool_demo")).unwrap();
    assert_answers(&said(&[module]).1, 1);
}
