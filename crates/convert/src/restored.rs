//! A restored source, and its lost edits.

use std::borrow::Cow;

use diagnostic::Pointer;

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
    /// Returns true if the source contains every edit.
    pub fn is_complete(&self) -> bool {
        self.lost_edits.iter().all(|edit| edit.carried)
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
    pub carried: bool,
}

impl RestoredSource {
    /// Returns the result for targets without edits.
    pub(crate) fn unedited(text: String) -> Self {
        let before = text.clone();
        Self {
            text,
            original: before,
            edited: false,
            removed_tools: Vec::new(),
            lost_edits: Vec::new(),
        }
    }
}
