//! The verbs that read and write documents: `detect`, `validate`, `lint`, `convert`, `restore`.
//!
//! Each verb is a file with its arguments and a `run` function. A verb that fails has shown
//! the error. Streams of any length are in `stream`.
//!
//! ```
//! use clap::Parser;
//! use console::terminal::{Colour, Terminal};
//!
//! #[derive(Parser)]
//! struct Program {
//!     #[command(flatten)]
//!     detect: documents::detect::Args,
//! }
//! # let file = std::env::temp_dir().join(format!("toolglot-doc-{}.json", std::process::id()));
//! # std::fs::write(&file, r#"{"tools": []}"#)?;
//!
//! let program = Program::parse_from(["program", file.to_str().expect("UTF-8")]);
//! let terminal = Terminal::new(Colour::Never);
//! let told = documents::detect::run(&program.detect, toolglot::FORMATS, &terminal);
//! assert!(told.is_ok());
//! # std::fs::remove_file(&file)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod bridge_files;
pub mod check_results;
pub mod convert;
pub mod convert_args;
pub mod detect;
mod fix;
pub mod lint;
pub mod outputs;
pub mod paths;
pub mod residues;
pub mod restore;
pub mod restore_args;
mod stream;
pub mod targets;
pub mod validate;
pub mod validate_args;
