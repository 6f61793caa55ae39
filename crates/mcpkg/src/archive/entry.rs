//! What is in an archive.

use std::borrow::Cow;

use manifest_core::{Diagnostic, Pointer, Rule, json::Span};

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
pub(super) fn at(rule: &'static Rule, span: Span, message: impl Into<String>) -> Diagnostic {
    rule.at_pointer(Pointer::root(), message).span(span)
}
