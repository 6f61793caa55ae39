//! The built program, as people and scripts run it.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

mod calls;
mod catalog;
mod compare;
mod convert;
mod detect;
mod explain;
mod exports;
mod files;
mod installs;
mod jsonl;
mod package;
mod program;
mod registry;
mod restore;
mod secrets;
mod streams;
mod usage;
mod validate;
