//! The project itself: its architecture, its pages, its published schemas.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod architecture;
mod rules;
mod schema_files;
mod specifications;
