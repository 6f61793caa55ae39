//! Streams: files that are processed entry by entry, because they may be larger than
//! memory.

mod beside;
pub(crate) mod convert;
mod lines;
mod matching;
mod reader;
mod residues;
pub(crate) mod restore;
mod tally;
pub(crate) mod validate;
