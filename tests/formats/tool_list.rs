//! Tests of `tool-list`.

mod listed;
