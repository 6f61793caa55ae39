//! Bundles: a manifest and the files of its tool.

mod document;
mod open;

pub use document::{Bundle, Encoding, Expected, File, digest, pack};
pub use open::files;

pub(crate) use document::content;
pub(crate) use open::{MANIFEST, Opened, open};
