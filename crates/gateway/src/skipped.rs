//! Files and tools that are not served.

use std::fmt;
use std::path::Path;

use toolglot::core::{printable, quoted};

/// A file or a tool that is not served.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedItem {
    /// The file, safe to print.
    pub file: String,
    /// The id of the tool, if the rest of the file is served.
    pub tool: Option<String>,
    /// The reason.
    pub why: String,
}

impl SkippedItem {
    pub(crate) fn file(path: &Path, why: impl Into<String>) -> Self {
        Self { file: display_path(path), tool: None, why: why.into() }
    }

    pub(crate) fn tool(path: &Path, id: &str, why: impl Into<String>) -> Self {
        Self { file: display_path(path), tool: Some(id.to_owned()), why: why.into() }
    }
}

impl fmt::Display for SkippedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.tool {
            Some(tool) => write!(f, "{} of {} is left out: {}", quoted(tool), self.file, self.why),
            None => write!(f, "{} is left out: {}", self.file, self.why),
        }
    }
}

/// Formats a path, safe to print.
pub(crate) fn display_path(path: &Path) -> String {
    printable(&path.display().to_string(), 512)
}
