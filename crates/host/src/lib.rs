//! The half with I/O: carries out what a call of a tool asks for.

#[cfg(not(unix))]
compile_error!("this crate ends process groups and opens folders as Unix does");

mod collect;
mod value_file;
mod values;

pub use collect::{Ask, Problem, Wrong, collect};
pub use value_file::FileError;
pub use values::Values;
