//! What is installed, and from where.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod packages;
mod registries;
