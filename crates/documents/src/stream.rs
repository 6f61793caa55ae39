//! Streams: files that are larger than memory should be, entry by entry.

mod beside;
pub(crate) mod convert;
mod lines;
mod matching;
mod reader;
mod residues;
pub(crate) mod restore;
mod tally;
pub(crate) mod validate;
