//! The inputs and results of a restore.

use std::borrow::Cow;

use diagnostic::Pointer;
use json_text::Document;
use manifest_core::Limits;

/// A target document, as it is now.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// The name of its file, without folders, if it is known.
    pub name: Option<&'t str>,
    /// The document.
    pub document: &'t Document<'t>,
}

/// The options of a restore.
#[derive(Clone, Debug, Default)]
pub struct RestoreOptions {
    /// Removes the tools of documents that are not given.
    pub delete_missing: bool,
    /// The limits of the restore.
    pub limits: Limits,
}

/// A restored source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RestoredSource {
    /// The source with the edits that were made to the target.
    pub text: String,
    /// The source as it was before those edits.
    pub original: String,
    /// True if the target was edited since it was written.
    pub edited: bool,
    /// The removed tools, by their ids in the source.
    pub removed_tools: Vec<String>,
    /// The lost edits.
    pub lost_edits: Vec<LostEdit>,
}

impl RestoredSource {
    /// Returns the result for targets without edits.
    pub(crate) fn unedited(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            original: text.to_owned(),
            edited: false,
            removed_tools: Vec::new(),
            lost_edits: Vec::new(),
        }
    }

    /// Returns the unchanged source, with a lost edit for each target.
    pub(crate) fn all_edits_lost(text: &str, targets: usize, why: &'static str) -> Self {
        let lost_edits = (0..targets).map(|target| LostEdit::of_document(target, why)).collect();
        Self { edited: true, lost_edits, ..Self::unedited(text) }
    }

    /// Returns true if the source contains every edit.
    pub fn is_complete(&self) -> bool {
        self.lost_edits.iter().all(|edit| edit.kept)
    }
}

/// An edit that the source cannot express, or that does not show when it is converted
/// again.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LostEdit {
    /// The index of the edited target.
    pub document: usize,
    /// The edited place.
    pub pointer: Pointer,
    /// The reason.
    pub why: Cow<'static, str>,
    /// True if the source contains the edit, but converts to something else.
    pub kept: bool,
}

impl LostEdit {
    /// Creates a lost edit of a whole target.
    pub(crate) fn of_document(document: usize, why: &'static str) -> Self {
        Self { document, pointer: Pointer::root(), why: why.into(), kept: false }
    }
}
