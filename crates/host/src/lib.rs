//! The half with I/O: carries out what a call of a tool asks for.

#[cfg(not(unix))]
compile_error!("this crate ends process groups and opens folders as Unix does");

mod values;

pub use values::{Ask, FileError, Problem, Values, Wrong, collect};
