//! Tests of `mcpb`.

mod bundle;
mod differential;
mod lens;
