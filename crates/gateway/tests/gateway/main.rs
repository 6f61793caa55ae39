//! Tools that are served.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod catalogue;
mod line;
mod registry;
mod support;
