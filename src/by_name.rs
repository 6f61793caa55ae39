//! The operations of a format, for a [`Format`] or for its name.

#[cfg(feature = "convert")]
use convert::{Conversion, Options, Residue, RestoreOptions, RestoredSource, Target};
use manifest_core::json::Document;
use manifest_core::{Format, Report, ValidateOptions};

#[cfg(feature = "convert")]
use crate::formats::FORMATS;

/// Checks a document. The report of a name whose format is not compiled in is that error.
///
#[cfg_attr(feature = "tools-json", doc = "```")]
#[cfg_attr(not(feature = "tools-json"), doc = "```ignore")]
/// use toolglot::{FormatName, Limits, ValidateOptions, json::Document, validate};
///
/// let source = Document::parse(br#"{"tools": [{"name": "x"}]}"#, &Limits::default())?;
/// let report = validate(&source, FormatName::ToolsJson, &ValidateOptions::default());
/// assert_eq!(report.diagnostics[0].rule.code, "tools-json/command-empty");
/// # Ok::<(), toolglot::Error>(())
/// ```
pub fn validate(
    document: &Document<'_>,
    format: impl TryInto<&'static Format, Error: Into<Report>>,
    options: &ValidateOptions,
) -> Report {
    match find(format) {
        Ok(format) => format.validate(document, options),
        Err(report) => report,
    }
}

/// Converts a document. See [`convert::convert`].
#[cfg(feature = "convert")]
pub fn convert(
    source: &Document<'_>,
    from: impl TryInto<&'static Format, Error: Into<Report>>,
    to: impl TryInto<&'static Format, Error: Into<Report>>,
    options: &Options,
) -> Result<Conversion, Report> {
    ::convert::convert(source, find(from)?, find(to)?, options)
}

/// Restores the source of a conversion, with the edits that were made to its target. The
/// residue names the formats, which are found among [`FORMATS`]. See [`convert::restore`].
#[cfg(feature = "convert")]
pub fn restore(
    targets: &[Target<'_>],
    residue: &Residue,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    ::convert::restore(targets, residue, FORMATS, options)
}

/// Restores the source of a conversion, and applies the changes to the source as it is `now`.
/// See [`convert::restore_and_merge`].
#[cfg(feature = "convert")]
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
#[cfg(feature = "convert")]
pub fn restore_without_residue(
    targets: &[Target<'_>],
    source: &Document<'_>,
    from: impl TryInto<&'static Format, Error: Into<Report>>,
    to: impl TryInto<&'static Format, Error: Into<Report>>,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    ::convert::restore_without_residue(targets, source, find(from)?, find(to)?, options)
}

/// Converts a target to a third format, as if from its source. The residue names the formats
/// of source and target, which are found among [`FORMATS`]. See [`convert::convert_via`].
#[cfg(feature = "convert")]
pub fn convert_via(
    targets: &[Target<'_>],
    residue: &Residue,
    to: impl TryInto<&'static Format, Error: Into<Report>>,
    options: &Options,
) -> Result<Conversion, Report> {
    ::convert::convert_via(targets, residue, find(to)?, FORMATS, options)
}

fn find(
    format: impl TryInto<&'static Format, Error: Into<Report>>,
) -> Result<&'static Format, Report> {
    format.try_into().map_err(Into::into)
}
