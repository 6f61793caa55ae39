//! The errors of installing and removing packages.

use std::fmt;
use std::io;

use toolglot::core::quoted;
use toolglot::mcpkg::package::Findings;
use toolglot::{Diagnostic, Report};

/// The reason why a package is not installed, read or removed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The package is not valid.
    Invalid(Findings),
    /// The stored package is not a valid archive.
    Archive(Report),
    /// A manifest cannot be read.
    Manifest(Diagnostic),
    /// The signature is invalid, for this reason.
    Signature(String),
    /// The package contains a file that the store writes itself.
    Reserved(String),
    /// A folder of the tool's name exists, but has no record.
    UnrecordedFolder(String),
    /// Another version was installed since the offer was made.
    OfferOutdated,
    /// Another process is changing the store.
    Busy,
    /// No tool with this id is installed.
    NotInstalled(String),
    /// The file system cannot exchange two folders in one step.
    Exchange(io::Error),
    /// The store cannot be read or changed.
    Store(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(found) => {
                let first = found.errors().next().map_or("", |(_, found)| &found.message);
                write!(f, "the package is not valid: {first}")
            }
            Self::Archive(report) => {
                let first = report.diagnostics.first().map_or("", |found| &found.message);
                write!(f, "what is kept of the package is no package: {first}")
            }
            Self::Manifest(found) => write!(f, "a manifest cannot be read: {}", found.message),
            Self::Signature(why) => write!(f, "the signature does not hold: {why}"),
            Self::Reserved(name) => {
                write!(f, "the package has a file {}, which the host writes itself", quoted(name))
            }
            Self::UnrecordedFolder(id) => write!(
                f,
                "there is a folder {} already, which was not installed: move it away",
                quoted(id)
            ),
            Self::OfferOutdated => {
                f.write_str("another version was installed meanwhile: look again")
            }
            Self::Busy => f.write_str("another process changes what is installed: try again later"),
            Self::NotInstalled(id) => write!(f, "{} is not installed", quoted(id)),
            Self::Exchange(error) => write!(
                f,
                "this file system cannot put a folder in the place of another at once ({error}): \
                 revoke the tool, then install it"
            ),
            Self::Store(error) => write!(f, "the store of tools: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Exchange(error) | Self::Store(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Store(error)
    }
}
