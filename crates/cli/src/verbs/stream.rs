//! Streams: files that are processed entry by entry, because they may be larger than
//! memory.

pub(crate) mod convert;
mod lines;
mod reader;
mod residues;
pub(crate) mod restore;
mod sidecars;
mod stream_summary;
pub(crate) mod validate;
