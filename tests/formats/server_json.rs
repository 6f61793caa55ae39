//! Tests of `server-json`.

mod lens;
mod notes;
