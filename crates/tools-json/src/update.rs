//! Edits existing manifests.

use manifest_core::json::{Document, MergeOptions, merge};
use manifest_core::rules::CONFLICT;
use manifest_core::{Diagnostic, LiftedDocument, Limits, Report};

use crate::FORMAT;

/// Changes the tools of a manifest. The text changes only where its meaning does.
///
/// Tools are matched by name. Values that a descriptor cannot express, for example unknown
/// members, stay as they are. To write a new manifest, start from one without tools.
///
/// To change a field, replace it, as in the example. A field that was read is written as it
/// was spelled, so a change of its value in place has no effect.
///
/// ```
/// use manifest_core::{Limits, json::Document};
///
/// let limits = Limits::default();
/// let text = br#"{ "tools":[ {"name":"add", "command":[ "./tools/bin/add" ]} ] }"#;
/// let base = Document::parse(text, &limits)?;
/// let text = tools_json::update(&base, &limits, |lifted| {
///     lifted.tools[0].description = Some(manifest_core::Text::from("Adds.").into());
/// });
/// assert_eq!(
///     text.expect("a valid manifest"),
///     r#"{ "tools":[ {"name":"add", "description":"Adds.", "command":[ "./tools/bin/add" ]} ] }"#,
/// );
/// # Ok::<(), manifest_core::Diagnostic>(())
/// ```
pub fn update(
    base: &Document<'_>,
    limits: &Limits,
    change: impl FnOnce(&mut LiftedDocument<'_>),
) -> Result<String, Report> {
    let mut lifted = FORMAT.lift(base, limits)?;
    let was = lower_to_text(&lifted, base).map_err(Report::from)?;
    change(&mut lifted);
    let is = lower_to_text(&lifted, base).map_err(Report::from)?;
    let was = Document::parse(was.as_bytes(), limits).map_err(Report::from)?;
    let is = Document::parse(is.as_bytes(), limits).map_err(Report::from)?;
    // Both written texts lack the unknown members of `base`, which is not an edit.
    let options = MergeOptions { keys: FORMAT.keys, partial: true };
    let merged = merge(base, was.root(), is.root(), &options);
    match merged.conflicts.first() {
        Some(conflict) => {
            let message = "the change contradicts what stands here";
            Err(Report::from(CONFLICT.at(conflict.at.node, message)))
        }
        None => Ok(merged.text),
    }
}

fn lower_to_text(lifted: &LiftedDocument<'_>, base: &Document<'_>) -> Result<String, Diagnostic> {
    // A manifest contains any number of tools, so there is one document.
    FORMAT.lower_to_source(lifted, base).map(|documents| documents.concat())
}
