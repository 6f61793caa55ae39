//! Archives: what is refused, what is read, and what is written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod attacks;
mod builder;
mod damage;
mod writers;
