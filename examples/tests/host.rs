//! The example host: a folder of all formats, listed for a model, and a call of each kind.

use crate::folder::{assert_answers, said};

#[test]
fn a_folder_of_all_formats_is_listed_and_called() {
    // Two install manifests and two capabilities have a tool of one id: it gets the name of its file
    // in front.
    let (listed, answered) = said(&[
        "greet",
        "demo.greet.request",
        "arguments__demo.greet",
        "mcp__demo.greet",
        "registry__demo.greet",
        "agent__demo.greet",
    ]);
    assert_eq!(listed.len(), 7, "{listed:?}");
    assert!(listed.iter().all(|tool| tool["inputSchema"]["type"] == "object"));
    assert_answers(&answered, 6);
}

#[test]
fn it_is_short() {
    let lines = include_str!("../host.rs").lines().count();
    assert!(lines <= 40, "{lines}");
}
