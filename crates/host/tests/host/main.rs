//! The half with I/O, against real processes, servers and files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod calls;
mod disk;
mod http;
mod mcp;
mod programs;
mod sources;
mod store;
mod support;
mod values;
