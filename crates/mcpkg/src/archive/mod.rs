//! ZIP archives: one way to read them, or no way.
//!
//! An archive that two readers take for two different things is a weapon. So this
//! reader asks for more than others do: entries that fill the file without gaps, in
//! the order of the directory; headers that agree with each other; sizes, checksums
//! and compressed streams that are exactly what they say; names that mean the same
//! file on every system. What ordinary programs write is like that.
//!
//! ```
//! use manifest_core::Limits;
//! use mcpkg::archive::{self, Entry};
//!
//! let entries = [Entry::new("manifest.json", b"{}".as_slice())];
//! let bytes = archive::write(&entries, &Limits::default()).unwrap();
//! let archive = archive::read(&bytes, &Limits::default()).unwrap();
//! assert_eq!(archive.entries, entries);
//!
//! let refused = archive::read(&bytes[1..], &Limits::default()).unwrap_err();
//! assert_eq!(refused.diagnostics[0].rule.code, "zip/end");
//! ```

use std::borrow::Cow;

use manifest_core::{Diagnostic, Pointer, Rule, json::Span};

mod content;
mod directory;
mod extra;
mod layout;
mod names;
mod read;
mod record;
pub mod rules;
mod write;

pub use read::read;
pub use write::write;

/// The files of an archive. Directories are implied by the names of files; those
/// that an archive lists are checked, and dropped.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Archive<'a> {
    /// The files, in the order of the archive.
    pub entries: Vec<Entry<'a>>,
    /// What is not wrong, and worth a word.
    pub warnings: Vec<Diagnostic>,
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // writers build it
pub struct Entry<'a> {
    /// The path inside the archive, with slashes.
    pub name: Cow<'a, str>,
    /// The bytes.
    pub data: Cow<'a, [u8]>,
    /// Whether the file may be run as a program.
    pub executable: bool,
}

impl<'a> Entry<'a> {
    /// A file that is no program.
    pub fn new(name: impl Into<Cow<'a, str>>, data: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { name: name.into(), data: data.into(), executable: false }
    }
}

/// A diagnostic about bytes of an archive.
fn at(rule: &'static Rule, span: Span, message: impl Into<String>) -> Diagnostic {
    rule.at_pointer(Pointer::root(), message).span(span)
}

/// The CRC-32 of ZIP.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    let step = |crc: u32, byte: &u8| {
        let [low, ..] = crc.to_le_bytes();
        let entry = TABLE.get(usize::from(low ^ byte)).copied().unwrap_or_default();
        entry ^ (crc >> 8)
    };
    !bytes.iter().fold(!0, step)
}

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // runs in the compiler
const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut crc = index as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[index] = crc;
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_is_that_of_the_catalogue() {
        assert_eq!(super::crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(super::crc32(b""), 0);
    }
}
