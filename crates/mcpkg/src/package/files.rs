//! The files that have a place in a package.

pub use archive::MANIFEST;

/// A description of the service behind the tool.
pub const OPENAPI: &str = "openapi.json";
/// Who publishes the package.
pub const PUBLISHER: &str = "meta/publisher.json";
/// Where the package comes from.
pub const PROVENANCE: &str = "meta/provenance.json";
/// The publisher's signature.
pub const SIGNATURE: &str = "meta/signature.sig";
/// What people read.
pub const README: &str = "README.md";
