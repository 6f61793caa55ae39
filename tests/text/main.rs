//! Text and bytes: JSON, pointers, rendering, prose, archives, JSONPath.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod archive;
mod json;
mod jsonpath;
mod pointer;
mod prose;
mod render;
