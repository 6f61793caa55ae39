//! The built program, as people and scripts run it.

// A test that cannot go on fails.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod bridge_files;
mod calls;
mod capabilities;
mod catalog;
mod chains;
mod compare;
mod convert;
mod detect;
mod explain;
mod exports;
mod files;
mod folders;
// Elsewhere the system decides alone which certificates it trusts.
#[cfg(target_os = "linux")]
mod https;
mod installs;
mod jsonl;
mod life;
mod mcp;
mod package;
mod packages;
mod program;
mod registry;
mod restore;
mod sarif;
mod secrets;
mod serve;
mod sources;
mod streams;
mod usage;
mod validate;
