//! The operations of a format, for a [`Format`] or for its name.

use convert::{Conversion, Options, Residue, RestoreOptions, RestoredSource, Target};
use manifest_core::json::Document;
use manifest_core::{Format, Report, ValidateOptions};

use crate::formats::FORMATS;

/// Checks a document.
///
/// ```
/// use toolglot::{FormatName, Limits, ValidateOptions, json::Document, validate};
///
/// let source = Document::parse(br#"{"tools": [{"name": "x"}]}"#, &Limits::default())?;
/// let report = validate(&source, FormatName::ToolsJson, &ValidateOptions::default());
/// assert_eq!(report.diagnostics[0].rule.code, "tools-json/command-empty");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(
    document: &Document<'_>,
    format: impl Into<&'static Format>,
    options: &ValidateOptions,
) -> Report {
    format.into().validate(document, options)
}

/// Converts a document. See [`convert::convert`].
pub fn convert(
    source: &Document<'_>,
    from: impl Into<&'static Format>,
    to: impl Into<&'static Format>,
    options: &Options,
) -> Result<Conversion, Report> {
    ::convert::convert(source, from.into(), to.into(), options)
}

/// Restores the source of a conversion, with the edits that were made to its target. The
/// residue names the formats, which are found among [`FORMATS`]. See [`convert::restore`].
pub fn restore(
    targets: &[Target<'_>],
    residue: &Residue,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    ::convert::restore(targets, residue, FORMATS, options)
}

/// Restores the source of a conversion, and applies the changes to the source as it is `now`.
/// See [`convert::restore_and_merge`].
pub fn restore_and_merge(
    targets: &[Target<'_>],
    residue: &Residue,
    now: &Document<'_>,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    ::convert::restore_and_merge(targets, residue, now, FORMATS, options)
}

/// Restores a source that is at hand, with the edits that were made to its target. See
/// [`convert::restore_without_residue`].
pub fn restore_without_residue(
    targets: &[Target<'_>],
    source: &Document<'_>,
    from: impl Into<&'static Format>,
    to: impl Into<&'static Format>,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    ::convert::restore_without_residue(targets, source, from.into(), to.into(), options)
}

/// Converts a target to a third format, as if from its source. The residue names the formats
/// of source and target, which are found among [`FORMATS`]. See [`convert::convert_via`].
pub fn convert_via(
    targets: &[Target<'_>],
    residue: &Residue,
    to: impl Into<&'static Format>,
    options: &Options,
) -> Result<Conversion, Report> {
    ::convert::convert_via(targets, residue, to.into(), FORMATS, options)
}
