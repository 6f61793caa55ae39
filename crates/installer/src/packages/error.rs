//! The errors of installing and removing packages.

use std::io;

use toolglot::core::quoted;
use toolglot::mcpkg::package::Findings;
use toolglot::{Diagnostic, Report};

/// The reason why a package is not installed, read or removed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The package is not valid.
    #[error(
        "the package is not valid: {}",
        .0.errors().next().map_or("", |(_, found)| &found.message)
    )]
    Invalid(Findings),
    /// The stored package is not a valid archive.
    #[error(
        "what is kept of the package is no package: {}",
        .0.diagnostics.first().map_or("", |found| &found.message)
    )]
    Archive(Report),
    /// A manifest cannot be read.
    #[error("a manifest cannot be read: {}", .0.message)]
    Manifest(Diagnostic),
    /// The signature is invalid, for this reason.
    #[error("the signature does not hold: {0}")]
    Signature(String),
    /// The package contains a file that the store writes itself.
    #[error("the package has a file {}, which the host writes itself", quoted(.0))]
    Reserved(String),
    /// A folder of the tool's name exists, but has no record.
    #[error("there is a folder {} already, which was not installed: move it away", quoted(.0))]
    UnrecordedFolder(String),
    /// Another version was installed since the offer was made.
    #[error("another version was installed meanwhile: look again")]
    OfferOutdated,
    /// Another process is changing the store.
    #[error("another process changes what is installed: try again later")]
    Busy,
    /// No tool with this id is installed.
    #[error("{} is not installed", quoted(.0))]
    NotInstalled(String),
    /// The file system cannot exchange two folders in one step.
    #[error(
        "this file system cannot put a folder in the place of another at once ({0}): revoke the \
         tool, then install it"
    )]
    Exchange(#[source] io::Error),
    /// The store cannot be read or changed.
    #[error("the store of tools: {0}")]
    Store(#[from] io::Error),
}
