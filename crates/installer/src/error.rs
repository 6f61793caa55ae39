//! The errors of installing and revoking.

use std::io;

use toolglot::Diagnostic;
use toolglot::install_engine::env::EnvError;

/// The reason why a tool is not installed, tested or revoked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The person did not agree.
    #[error("it was not agreed to")]
    Declined,
    /// Another process is changing the store.
    #[error("another process changes what is installed: try again later")]
    Busy,
    /// The installation would run code of the tool, and the person did not allow that.
    #[error(
        "the tool is a package that has to be built, which runs its code: allow that (sdist), or \
         do without"
    )]
    BuildNotAllowed,
    /// The same id and version is installed from a manifest of another format, which is
    /// named.
    #[error("this version is installed from a manifest of another format ({0}): revoke it first")]
    InstalledFromOtherFormat(String),
    /// The manifest requires something that is invalid or unsupported.
    #[error(
        "the manifest asks for what cannot be done: {}",
        .0.first().map_or("", |found| &found.message)
    )]
    Invalid(Vec<Diagnostic>),
    /// A value is missing or invalid.
    #[error("{0}")]
    Values(#[from] EnvError),
    /// A step failed: its description and the reason.
    #[error("a step failed, which {0}: {1}")]
    Step(String, String),
    /// The smoke test failed.
    #[error("the smoke test failed, and the tool is not installed")]
    Smoke(Vec<Diagnostic>),
    /// The store cannot be changed.
    #[error("the store of tools: {0}")]
    Store(#[from] io::Error),
}
