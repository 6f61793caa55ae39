//! The errors of installing and revoking.

use std::fmt;
use std::io;

use toolglot::Diagnostic;
use toolglot::install_engine::env::EnvError;

/// The reason why a tool is not installed, tested or revoked.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The person did not agree.
    Declined,
    /// Another process is changing the store.
    Busy,
    /// The installation would run code of the tool, and the person did not allow that.
    BuildNotAllowed,
    /// The same id and version is installed from a manifest of another format, which is
    /// named.
    InstalledFromOtherFormat(String),
    /// The manifest requires something that is invalid or unsupported.
    Invalid(Vec<Diagnostic>),
    /// A value is missing or invalid.
    Values(EnvError),
    /// A step failed: its description and the reason.
    Step(String, String),
    /// The smoke test failed.
    Smoke(Vec<Diagnostic>),
    /// The store cannot be changed.
    Store(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declined => f.write_str("it was not agreed to"),
            Self::Busy => f.write_str("another process changes what is installed: try again later"),
            Self::BuildNotAllowed => f.write_str(
                "the tool is a package that has to be built, which runs its code: allow that \
                 (sdist), or do without",
            ),
            Self::InstalledFromOtherFormat(format) => write!(
                f,
                "this version is installed from a manifest of another format ({format}): revoke \
                 it first"
            ),
            Self::Invalid(found) => {
                let first = found.first().map_or("", |found| &found.message);
                write!(f, "the manifest asks for what cannot be done: {first}")
            }
            Self::Values(error) => error.fmt(f),
            Self::Step(what, why) => write!(f, "a step failed, which {what}: {why}"),
            Self::Smoke(_) => f.write_str("the smoke test failed, and the tool is not installed"),
            Self::Store(error) => write!(f, "the store of tools: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Values(error) => Some(error),
            Self::Store(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Store(error)
    }
}

impl From<EnvError> for Error {
    fn from(error: EnvError) -> Self {
        Self::Values(error)
    }
}
