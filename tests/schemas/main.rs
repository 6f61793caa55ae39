//! JSON Schemas: the engine, patterns, relations between schemas, dialects of model providers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod engine;
mod pattern;
mod providers;
mod relation;
