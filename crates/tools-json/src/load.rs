//! Parses texts and loads valid manifests.

use manifest_core::json::Document;
use manifest_core::{Diagnostic, Profile, Report, ValidateOptions};

use crate::check::validate;
use crate::manifest::Manifest;
use crate::{syntax, unmarshal};

/// Parses JSON text, as [`Document::parse`] does. Under the `reference` profile, the error
/// for invalid JSON has the reference's message.
///
/// ```
/// use manifest_core::{Profile, ValidateOptions};
///
/// let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
/// let refused = tools_json::parse(br#"{"tools": [],}"#, &options).unwrap_err();
/// assert_eq!(
///     refused.message,
///     "parse manifest: invalid character '}' looking for beginning of object key string",
/// );
/// ```
pub fn parse<'a>(bytes: &'a [u8], options: &ValidateOptions) -> Result<Document<'a>, Diagnostic> {
    let mut parsed = Document::parse(bytes, &options.limits);
    if let (Err(refused), Profile::Reference) = (&mut parsed, options.profile) {
        // Errors that the reference does not have, for example a duplicate key, keep our
        // message.
        if let Some(problem) = syntax::find_problem(bytes) {
            refused.set_message(format!("parse manifest: {problem}"));
        }
    }
    parsed
}

/// Checks a document and reads it. Fails with a report if it is not valid.
///
/// Under the `reference` profile, the first error has the reference's message, and the case
/// of member names is ignored. For advice about a valid document, use
/// [`validate`](crate::validate).
///
/// ```
/// use manifest_core::{Limits, Profile, ValidateOptions, json::Document};
///
/// let text = br#"{"tools": [{"name": "x", "command": ["./tools/bin/../hack"]}]}"#;
/// let document = Document::parse(text, &Limits::default())?;
/// let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
/// let report = tools_json::load(&document, &options).unwrap_err();
/// assert_eq!(
///     report.diagnostics[0].message,
///     r#"tool[0] "x": command[0] escapes ./tools/bin after normalization (got "./tools/bin/../hack" -> "./tools/hack")"#,
/// );
/// # Ok::<(), manifest_core::Diagnostic>(())
/// ```
pub fn load<'a>(
    document: &'a Document<'a>,
    options: &ValidateOptions,
) -> Result<Manifest<'a>, Report> {
    let report = validate(document, options);
    if !report.is_valid() {
        return Err(report);
    }
    Ok(match options.profile {
        Profile::Reference => {
            unmarshal::read_manifest(document.root(), &mut options.new_report()).0
        }
        Profile::Spec | Profile::Strict => Manifest::read(document),
    })
}
