//! Bundles: a manifest and the files of its tool.

mod document;
mod open;

pub use document::{Bundle, Encoding, ExpectedBundle, File, digest, pack};
pub use open::files;

pub(crate) use document::{bundle_limits, files_as_json, version_digest};
pub(crate) use open::{MANIFEST, OpenedBundle, open};
