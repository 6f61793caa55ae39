//! Tests of `tools-json`.

mod attacks;
mod engine;
mod lens;
mod reference;
mod table;
mod vectors;
