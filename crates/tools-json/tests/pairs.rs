//! Conversions from this format and to it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../../tests/shared/pairs.rs"]
mod pairs;

const OWN: toolglot::FormatName = toolglot::FormatName::ToolsJson;
