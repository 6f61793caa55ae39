//! The half with I/O: carries out what a call of a tool asks for.

#[cfg(not(unix))]
compile_error!("this crate ends process groups and opens folders as Unix does");

mod audit;
mod collect;
pub mod disk;
mod host;
mod http;
mod limits;
mod mcp;
mod module;
mod origin;
mod process;
mod program;
mod random;
mod value_file;
mod values;

pub use audit::{Audit, Ended, Record};
pub use collect::{Ask, Problem, Wrong, collect};
pub use host::{Error, Host, Options};
pub use limits::Limits;
pub use origin::Origin;
pub use value_file::FileError;
pub use values::Values;
