//! Paths as text, with the same answer on every host.
//!
//! `std::path` follows the rules of the machine that it runs on. A manifest is written on
//! one machine and used on another, so these functions do not depend on the machine.

mod finding;
mod forms;
mod portable;

pub use finding::{PathFinding, findings};
pub use forms::{PathStyle, clean, collision_key, is_absolute, to_slash};
pub use portable::{PathError, PathLimits, check_portable};
