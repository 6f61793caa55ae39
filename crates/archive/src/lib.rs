//! ZIP archives: one way to read them, or no way.
//!
//! An archive that two readers take for two different things is a weapon. So this
//! reader asks for more than others do: entries that fill the file without gaps, in
//! the order of the directory; headers that agree with each other; sizes, checksums
//! and compressed streams that are exactly what they say; names that mean the same
//! file on every system. What ordinary programs write is like that.
//!
//! [`read`] gives the files of an archive, [`write`](write()) makes an archive of files, and
//! [`manifest`] finds the one that a package must have. It is for every format whose
//! packages are ZIP archives with a `manifest.json`, and knows none of them. Each refusal
//! has a rule of its own in [`rules`]; the bounds are in [`Limits`](manifest_core::Limits).
//!
//! ```
//! use archive::Entry;
//! use manifest_core::Limits;
//!
//! let entries = [Entry::new("manifest.json", b"{}".as_slice())];
//! let bytes = archive::write(&entries, &Limits::default()).unwrap();
//! let archive = archive::read(&bytes, &Limits::default()).unwrap();
//! assert_eq!(archive.entries, entries);
//!
//! let refused = archive::read(&bytes[1..], &Limits::default()).unwrap_err();
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
pub use read::{begins, read};
pub use write::write;
