//! The fuzz targets do what `tests/attacks/fuzz/bodies` says.

#[path = "../../tests/attacks/fuzz/bodies/mod.rs"]
mod bodies;

pub use bodies::*;
