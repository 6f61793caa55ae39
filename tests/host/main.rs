//! The example host: a folder of all formats, listed for a model, and a call of each kind.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../examples/host.rs"]
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
fn a_folder_of_all_formats_is_listed_and_called() {
    // Two install manifests and two capabilities have a tool of one name.
    let (listed, answered) = said(&["greet", "demo.greet.request", "demo.greet"]);
    assert_eq!(listed.len(), 7, "{listed:?}");
    assert!(listed.iter().all(|tool| tool["inputSchema"]["type"] == "object"));
    assert_answers(&answered, 6);
}

#[test]
fn it_is_short() {
    let lines = include_str!("../../examples/host.rs").lines().count();
    assert!(lines < 60, "{lines}");
}
