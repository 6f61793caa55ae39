//! The laws of conversion on every pair of formats, and what becomes of every fixture.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod golden;
mod laws;
mod mapping;
mod residues;
mod testkit;
