//! Every ordered pair of formats: a real tool, converted, and then called as the published host of
//! the target calls it. The answer is that of the source.
//!
//! The hosts are written down from what the published ones do, and use nothing of toolglot.
//! Pairs with Jumith need Node: they are in `node.rs`, a target of its own that `.ci/release` runs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(dead_code)] // what Node runs is used there

mod gateway;
mod hosts;
mod row;
mod server;
mod tools;

use row::{WITHOUT_NODE, arguments, folder, row, search_path};

#[test]
fn from_tools_json() {
    row(&[tools::program_of_tools_json()], WITHOUT_NODE);
}

#[test]
fn from_mcpkg() {
    let server = server::Server::start();
    row(&[tools::request_of_mcpkg(&server)], WITHOUT_NODE);
}

#[test]
fn from_install_manifests() {
    row(&[tools::program_with_arguments(), tools::mcp_server()], WITHOUT_NODE);
}

#[test]
fn from_capabilities() {
    let server = server::Server::start();
    row(&[tools::registry_tool(&server), tools::agent(&server)], WITHOUT_NODE);
}

#[test]
fn from_bundles() {
    row(&[tools::bundle()], WITHOUT_NODE);
}
