//! The parts that the verbs of the `toolglot` program share: streams that mask secrets,
//! files that are read within limits and written whole, formats as arguments, reports for
//! people and for programs.
//!
//! ```
//! use console::terminal::{Colour, Terminal};
//!
//! let terminal = Terminal::new(Colour::Never);
//! terminal.status("token ghp_0123456789012345678901234567890123AB\n"); // the token is not shown
//! ```

pub mod changes;
pub mod choices;
pub mod files;
pub mod formats;
pub mod input;
pub mod jsonl;
pub mod limits;
pub mod output;
pub mod parallel;
mod pending;
pub mod person;
pub mod places;
pub mod problem;
pub mod report;
pub mod sarif;
pub mod summary;
pub mod table;
pub mod terminal;
