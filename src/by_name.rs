//! What a format does, for a [`Format`] or for its name.

use manifest_core::convert::{self, Conversion, Options, Residue, Restored};
use manifest_core::json::Document;
use manifest_core::{Format, Report, Validate};

/// Checks a document.
///
/// ```
/// use toolglot::{FormatName, Limits, Validate, json::Document, validate};
///
/// let source = Document::parse(br#"{"tools": [{"name": "x"}]}"#, &Limits::default())?;
/// let report = validate(&source, FormatName::ToolsJson, &Validate::default());
/// assert_eq!(report.diagnostics[0].rule.code, "tools-json/command-empty");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(
    document: &Document<'_>,
    format: impl Into<&'static Format>,
    options: &Validate,
) -> Report {
    (format.into().validate)(document, options)
}

/// Converts a document. See [`manifest_core::convert::convert`].
pub fn convert(
    source: &Document<'_>,
    from: impl Into<&'static Format>,
    to: impl Into<&'static Format>,
    options: &Options,
) -> Result<Conversion, Report> {
    convert::convert(source, from.into(), to.into(), options)
}

/// Gives back the source of a conversion, with the edits made to its target. See
/// [`manifest_core::convert::restore`].
pub fn restore(
    target: &Document<'_>,
    residue: Option<&Residue>,
    from: impl Into<&'static Format>,
    to: impl Into<&'static Format>,
    options: &Options,
) -> Result<Restored, Report> {
    convert::restore(target, residue, from.into(), to.into(), options)
}

/// Like [`restore`], with the source of the conversion at hand instead of its
/// residue. See [`manifest_core::convert::merge_back`].
pub fn merge_back(
    target: &Document<'_>,
    original: &Document<'_>,
    from: impl Into<&'static Format>,
    to: impl Into<&'static Format>,
    options: &Options,
) -> Result<Restored, Report> {
    convert::merge_back(target, original, from.into(), to.into(), options)
}

/// Like [`restore`], when the source was edited too since the conversion. See
/// [`manifest_core::convert::reconcile`].
pub fn reconcile(
    target: &Document<'_>,
    residue: &Residue,
    source: &Document<'_>,
    from: impl Into<&'static Format>,
    to: impl Into<&'static Format>,
    options: &Options,
) -> Result<Restored, Report> {
    convert::reconcile(target, residue, source, from.into(), to.into(), options)
}
