//! The verbs that read and write documents: `detect`, `validate`, `lint`, `convert`, `restore`.
//!
//! Each is a file with its arguments and a `run` function. A verb that fails has said why by then.
//! Streams of any length are in `stream`.

pub mod checked;
pub mod convert;
pub mod convert_args;
pub mod detect;
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
