//! ZIP archives that have exactly one reading.
//!
//! An archive that two readers understand differently is a weapon. So this reader is
//! stricter than others. Entries must fill the file without gaps, in the order of the
//! directory. Headers must agree with each other. Sizes, checksums and compressed streams
//! must match their declarations. A name must mean the same file on every system. Ordinary
//! programs write such archives.
//!
//! [`read`] returns the files of an archive, [`write`](write()) makes an archive of files,
//! and [`manifest`] finds the manifest that a package must contain. The crate serves every
//! format whose packages are ZIP archives with a `manifest.json`, and depends on none of
//! them. Each refusal has its own rule in [`rules`]; the limits are in
//! [`Limits`](manifest_core::Limits).
//!
//! ```
//! use toolglot_archive::Entry;
//! use manifest_core::Limits;
//!
//! let entries = [Entry::new("manifest.json", b"{}".as_slice())];
//! let bytes = toolglot_archive::write(&entries, &Limits::default()).unwrap();
//! let archive = toolglot_archive::read(&bytes, &Limits::default()).unwrap();
//! assert_eq!(archive.entries, entries);
//!
//! let refused = toolglot_archive::read(&bytes[1..], &Limits::default()).unwrap_err();
//! assert_eq!(refused.diagnostics[0].rule.code, "zip/end");
//! ```

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod content;
mod crc;
mod directory;
mod entry;
mod extra;
mod layout;
mod names;
mod read;
mod reader;
mod record;
pub mod rules;
mod write;

pub use entry::{Archive, Entry, MANIFEST, manifest};
pub use read::{has_signature, read};
pub use write::write;
