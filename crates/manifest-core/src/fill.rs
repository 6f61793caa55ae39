//! The tools of a server, put into a document that may leave them for the server to tell.

use json_text::EditError;

/// Why tools are not put into a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotFilled {
    /// It lists its tools, and does not say that there are more.
    #[error("it lists its tools, and does not say that there are more")]
    Listed,
    /// The document is no manifest of its format.
    #[error(transparent)]
    Edit(#[from] EditError),
}
