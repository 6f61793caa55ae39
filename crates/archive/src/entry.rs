//! The contents of an archive.

use std::borrow::Cow;

use diagnostic::{Diagnostic, Pointer, Profile, Report, Rule, Span, quoted};
use manifest_core::path::collision_key;

use crate::rules;

/// The files of an archive. The names of files imply their directories. Listed directories
/// are checked and dropped.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Archive<'a> {
    /// The files, in the order of the archive.
    pub entries: Vec<Entry<'a>>,
    /// Diagnostics that do not make the archive invalid.
    pub warnings: Vec<Diagnostic>,
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The path inside the archive, with slashes.
    pub name: Cow<'a, str>,
    /// The bytes.
    pub data: Cow<'a, [u8]>,
    /// True if the file may be run as a program.
    pub executable: bool,
}

impl<'a> Entry<'a> {
    /// Creates a file that is not executable.
    pub fn new(name: impl Into<Cow<'a, str>>, data: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { name: name.into(), data: data.into(), executable: false }
    }
}

/// The name of the manifest of every package.
pub const MANIFEST: &str = "manifest.json";

/// Returns the manifest among these files. Fails if it is missing; the error names a file
/// that was probably meant to be the manifest.
pub fn manifest<'e, 'a>(entries: &'e [Entry<'a>]) -> Result<&'e Entry<'a>, Report> {
    if let Some(entry) = entries.iter().find(|entry| entry.name == MANIFEST) {
        return Ok(entry);
    }
    let mut report = Report::new(Profile::Spec, 1);
    let message = format!("there is no {MANIFEST}");
    let diagnostic = rules::NO_MANIFEST.at_pointer(Pointer::root(), message);
    report.push(match near_miss(entries) {
        Some(name) => diagnostic.help(format!("there is {}, in its place", quoted(name))),
        None => diagnostic,
    });
    Err(report)
}

/// Returns a file that was probably meant to be the manifest.
fn near_miss<'e>(entries: &'e [Entry<'_>]) -> Option<&'e str> {
    let last = |name: &'e str| name.rsplit('/').next().unwrap_or(name);
    let names = || entries.iter().map(|entry| entry.name.as_ref());
    names()
        .filter(|name| collision_key(last(name)) == MANIFEST)
        .min_by_key(|name| (name.matches('/').count(), name.len()))
}

/// Creates a diagnostic about bytes of an archive.
pub(crate) fn diagnostic_at(
    rule: &'static Rule,
    span: Span,
    message: impl Into<String>,
) -> Diagnostic {
    rule.at_pointer(Pointer::root(), message).span(span)
}
