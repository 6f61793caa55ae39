//! What strangers try: the catalogue of attacks, fuzzing, secrets, and a fixture for each rule.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod elsewhere;
mod fixtures;
mod fuzz;
mod rows;
mod secrets;
mod texts;
