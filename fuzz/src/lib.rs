//! The fuzz targets do what `tests/fuzz/bodies` says.

#[path = "../../tests/fuzz/bodies/mod.rs"]
mod bodies;

pub use bodies::*;
