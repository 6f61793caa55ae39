//! The model between the formats: tables, paths, calls, comparison, streams.

#![recursion_limit = "256"] // of `json!`, in tables of changes
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod calls;
mod compare;
mod decisions;
mod descriptor;
mod detect;
mod diff;
mod error;
mod ingest;
mod names;
mod owned;
mod path;
mod schemas;
mod split;
mod stream;
mod table;
mod template;
mod toolbox;
mod version;
