//! The tool descriptor: the neutral model of one callable tool.
//!
//! A descriptor belongs to no format. A field is absent if the source does not declare it:
//! lifting never guesses. [`RiskProfile`] alone defines how an absent value counts. Entries
//! that a descriptor cannot express stay in their document. They are not
//! [marked](LiftedDocument::marks).
//!
//! Tools of one installable unit share a [`Package`]. Every value knows the
//! [place](crate::Place) that it was read from.
//!
//! Build descriptors with full struct literals in a format, and destructure them without
//! `..`: a new field then breaks every format until someone decides its meaning there.

mod boundary;
mod call;
mod enums;
mod files;
mod owned;
mod parts;
pub(crate) mod pin;
mod risk_profile;
mod scopes;
mod shared_argv;
mod tool;

pub use boundary::Boundary;
pub use call::{
    Acquisition, Body, Command, CommandInput, Credential, Http, Implementation, Invocation,
    McpTool, Node, RegistryTool, Step,
};
pub use enums::{
    Channel, ErrorEnvelope, Filesystem, Kind, Network, OutputFormat, SideEffects, Trust,
};
pub use parts::{
    Auth, Cost, EnvVar, Example, Origin, Package, Permissions, Publisher, Sandbox, Scope, Support,
};
pub use pin::{Pin, SOURCES_FOLDER};
pub use risk_profile::{Claim, Hosts, RiskProfile};
pub use scopes::UNKNOWN_NAME;
pub use shared_argv::{SharedArgv, is_plain_argv, same_argv};
pub use tool::{LiftedDocument, ToolDescriptor};
