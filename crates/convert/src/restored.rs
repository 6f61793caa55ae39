//! A source that was given back, and the edits that it does not say.

use diagnostic::Pointer;

/// A restored document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Restored {
    /// The source again, with the edits that were made to the target.
    pub text: String,
    /// The source as it was before those edits.
    pub before: String,
    /// Whether the target was edited since it was written.
    pub edited: bool,
    /// The tools that are gone, by their ids in the source.
    pub removed: Vec<String>,
    /// Edits that were not made, because the source cannot say them.
    pub left_out: Vec<LeftOut>,
}

impl Restored {
    /// Whether the source says every edit.
    pub fn is_whole(&self) -> bool {
        self.left_out.iter().all(|edit| edit.carried)
    }
}

/// An edit that was not made to the source, or that its conversion does not show.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// Which of the given targets.
    pub document: usize,
    /// Where in it.
    pub pointer: Pointer,
    /// Why it was not made.
    pub why: &'static str,
    /// Whether the source says it all the same, and is only converted to something else.
    pub carried: bool,
}

impl Restored {
    /// The source as it was.
    pub(crate) fn unedited(text: String) -> Self {
        let before = text.clone();
        Self { text, before, edited: false, removed: Vec::new(), left_out: Vec::new() }
    }
}
