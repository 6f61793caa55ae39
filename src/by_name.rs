//! The operations of a format, for a [`Format`] or for its name.

#[cfg(feature = "convert")]
use convert::{Conversion, Options, Original, Residue, RestoreOptions, RestoredSource, Target};
use manifest_core::json::Document;
use manifest_core::{Format, Report, ValidateOptions};

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

/// Restores the source of a conversion, with the edits that were made to its target. See
/// [`convert::restore`].
#[cfg(feature = "convert")]
pub fn restore(
    targets: &[Target<'_>],
    original: Original<'_>,
    from: impl TryInto<&'static Format, Error: Into<Report>>,
    to: impl TryInto<&'static Format, Error: Into<Report>>,
    options: &RestoreOptions,
) -> Result<RestoredSource, Report> {
    ::convert::restore(targets, original, find(from)?, find(to)?, options)
}

/// Converts a target to a third format, as if from its source. See
/// [`convert::convert_via`].
#[cfg(feature = "convert")]
pub fn convert_via(
    targets: &[Target<'_>],
    residue: &Residue,
    from: impl TryInto<&'static Format, Error: Into<Report>>,
    via: impl TryInto<&'static Format, Error: Into<Report>>,
    to: impl TryInto<&'static Format, Error: Into<Report>>,
    options: &Options,
) -> Result<Conversion, Report> {
    ::convert::convert_via(targets, residue, [find(from)?, find(via)?, find(to)?], options)
}

fn find(
    format: impl TryInto<&'static Format, Error: Into<Report>>,
) -> Result<&'static Format, Report> {
    format.try_into().map_err(Into::into)
}
