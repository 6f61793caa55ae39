//! Bundles: a manifest with the files of the tool.

mod document;
mod open;

pub use document::{Bundle, Encoding, Expected, File, digest, pack};
pub use open::files;

pub(crate) use document::content;
pub(crate) use open::{MANIFEST, Opened, open};
