//! Catalogs that are larger than memory should be: bytes in, entries out.
//!
//! A [`Splitter`] takes the bytes of a stream as they come, cut anywhere, and hands
//! out one entry at a time. It holds no more than one entry and what was pushed
//! last. Three shapes of streams are known, and told apart by their first bytes:
//!
//! | shape | entries |
//! |---|---|
//! | [`Shape::Lines`] | every line that is not blank (JSON Lines) |
//! | [`Shape::Array`] | the elements of an array |
//! | [`Shape::Member`] | the elements of an array in a member of an object, such as `tools` |
//!
//! An error in one entry never stops the rest. A line ends with its line, whatever
//! is in it. An entry of an array ends at the comma or bracket that follows when as
//! many brackets were closed as opened, whether or not it is JSON; what it is then
//! is judged by [`Document::parse`](json_text::Document::parse), entry by entry.
//!
//! [`Item::validate`] and [`Item::convert`] do for an entry what
//! [`Format::validate`](manifest_core::Format) and [`convert`](convert::convert()) do
//! for a document. [`Names`] remembers what the entries of a catalog are called, so that
//! two of the same name are found. Arrays are a shape of streams only: in a format
//! without catalogs, each of their elements is a document.
//!
//! ```
//! use stream::{Split, Splitter};
//!
//! let mut splitter = Splitter::new(Split { members: vec!["tools"], ..Split::default() });
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

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

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

pub use entry::{Names, Source};
pub use item::{Broken, Item, Place, Shape, Split};
pub use split::Splitter;
