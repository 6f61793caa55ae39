//! The error of adding a server's tools to a document that may leave them out.

use json_text::EditError;

/// The reason why tools cannot be added to a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddToolsError {
    /// The document lists its tools, and does not declare that there are more.
    #[error("it lists its tools, and does not say that there are more")]
    AlreadyListed,
    /// The document cannot be edited, because it is not a manifest of its format.
    #[error(transparent)]
    Edit(#[from] EditError),
}
