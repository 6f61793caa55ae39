//! A restored source, and its lost edits.

use std::borrow::Cow;

use diagnostic::Pointer;

/// A restored source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Restored {
    /// The source with the edits that were made to the target.
    pub text: String,
    /// The source as it was before those edits.
    pub before: String,
    /// True if the target was edited since it was written.
    pub edited: bool,
    /// The removed tools, by their ids in the source.
    pub removed: Vec<String>,
    /// The lost edits.
    pub left_out: Vec<LeftOut>,
}

impl Restored {
    /// Returns true if the source contains every edit.
    pub fn is_whole(&self) -> bool {
        self.left_out.iter().all(|edit| edit.carried)
    }
}

/// An edit that the source cannot express, or that does not show when it is converted
/// again.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LeftOut {
    /// The index of the edited target.
    pub document: usize,
    /// The edited place.
    pub pointer: Pointer,
    /// The reason.
    pub why: Cow<'static, str>,
    /// True if the source contains the edit, but converts to something else.
    pub carried: bool,
}

impl Restored {
    /// Returns the result for targets without edits.
    pub(crate) fn unedited(text: String) -> Self {
        let before = text.clone();
        Self { text, before, edited: false, removed: Vec::new(), left_out: Vec::new() }
    }
}
