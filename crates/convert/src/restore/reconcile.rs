//! Merges edits of the source with edits of its target.

use diagnostic::{Diagnostic, Profile, Report, printable};
use json_text::{Conflict, Document, MergeOptions, Node, compact, merge};
use manifest_core::format::Format;
use manifest_core::{Limits, rules};

use crate::restored::RestoredSource;

/// Applies the changes of a restore to the source as it is now. `before` is the source that
/// was converted. Fails if both sides changed the same value.
pub(crate) fn reconcile(
    now: &Document<'_>,
    before: &Document<'_>,
    restored: RestoredSource,
    from: &'static Format,
    limits: &Limits,
) -> Result<RestoredSource, Report> {
    let theirs = Document::parse(restored.text.as_bytes(), limits).map_err(Report::from)?;
    let options = MergeOptions { keys: from.keys, partial: false };
    let merged = merge(now, before.root(), theirs.root(), &options);
    if !merged.conflicts.is_empty() {
        let mut report = Report::new(Profile::Spec, limits.diagnostics);
        for conflict in &merged.conflicts {
            report.push(conflict_diagnostic(conflict));
        }
        return Err(report);
    }
    let text = merged.text;
    // Two edits that are valid separately may be invalid together.
    from.lift(&Document::parse(text.as_bytes(), limits).map_err(Report::from)?, limits)?;
    Ok(RestoredSource { text, ..restored })
}

fn conflict_diagnostic(conflict: &Conflict<'_>) -> Diagnostic {
    let message = format!(
        "both sides changed this: it was {}, and is {} here and {} in the target",
        shown(conflict.ancestor),
        shown(conflict.ours),
        shown(conflict.theirs)
    );
    let help = "decide which of the two it is to be, and say so on one side";
    let found = rules::CONFLICT.at_pointer(conflict.at.pointer(), message);
    found.span(conflict.at.span()).help(help)
}

fn shown(value: Option<Node<'_>>) -> String {
    match value {
        None => "nothing".to_owned(),
        Some(value) => printable(&compact(value), 64),
    }
}
