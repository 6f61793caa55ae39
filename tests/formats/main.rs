//! Each format: its table, its lens, and its engines.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod capability;
mod install_engine;
mod install_manifest;
mod jumith;
mod mcpb;
mod mcpkg;
mod server_json;
mod tool_list;
mod tools_json;
