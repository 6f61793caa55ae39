//! The files of a package that have fixed names.

pub use archive::MANIFEST;

/// A description of the service behind the tool.
pub const OPENAPI: &str = "openapi.json";
/// The publisher of the package.
pub const PUBLISHER: &str = "meta/publisher.json";
/// The provenance of the package.
pub const PROVENANCE: &str = "meta/provenance.json";
/// The publisher's signature.
pub const SIGNATURE: &str = "meta/signature.sig";
/// A text for people.
pub const README: &str = "README.md";
