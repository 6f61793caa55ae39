//! Tests of `mcpkg`.

mod calls;
mod chain;
mod convert;
mod package;
mod registry;
mod select;
mod spec;
mod table;
mod testing;
mod writers;
