//! Catalogs that are too large to hold in memory: bytes in, entries out.
//!
//! A [`Splitter`] accepts the bytes of a stream in pieces of any size, and returns one
//! entry at a time. It holds no more than one entry and the bytes pushed last. It supports
//! three shapes of streams, and recognises them by their first bytes:
//!
//! | shape | entries |
//! |---|---|
//! | [`Shape::Lines`] | every line that is not blank (JSON Lines) |
//! | [`Shape::Array`] | the elements of an array |
//! | [`Shape::Member`] | the elements of an array in a member of an object, such as `tools` |
//!
//! An error in one entry never stops the rest. A line ends at its line break, whatever it
//! contains. An entry of an array ends at the first comma or bracket after all its brackets
//! are closed, even if it is not JSON. [`Document::parse`](json_text::Document::parse) then
//! judges each entry.
//!
//! [`Item::validate`] and [`Item::convert`] do for an entry what
//! [`Format::validate`](manifest_core::Format) and [`convert`](crate::convert()) do for a
//! document. [`Names`] remembers the names of the entries to find duplicates. Arrays are a
//! shape of streams only: if a format has no catalogs, each element is a document.
//!
//! ```
//! use toolglot_convert::stream::{SplitOptions, Splitter};
//!
//! let mut splitter = Splitter::new(SplitOptions { members: vec!["tools"], ..SplitOptions::default() });
//! let mut found = Vec::new();
//! for block in ["{\"tools\": [\n  {\"na", "me\": \"a\"},\n  oops,\n  {\"name\": \"b\"}", "]}"] {
//!     splitter.push(block.as_bytes());
//!     while let Some(entry) = splitter.next() {
//!         let item = entry?;
//!         let text = String::from_utf8_lossy(item.bytes).into_owned();
//!         found.push((item.pointer().to_string(), item.place.line, text));
//!     }
//! }
//! splitter.finish();
//! assert!(splitter.next().is_none());
//! assert_eq!(splitter.envelope(), Some("{\"tools\": []}"));
//! assert_eq!(found, [
//!     ("/tools/0".to_owned(), 2, "{\"name\": \"a\"}".to_owned()),
//!     ("/tools/1".to_owned(), 3, "oops".to_owned()),
//!     ("/tools/2".to_owned(), 4, "{\"name\": \"b\"}".to_owned()),
//! ]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buffer;
mod detect;
mod entry;
mod envelope;
mod item;
pub mod rules;
mod scan;
mod split;
#[cfg(test)]
mod tests;

pub use entry::Names;
pub use item::{Item, Location, Shape, SplitOptions, StreamError};
pub use split::Splitter;
