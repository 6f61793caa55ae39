//! The tool descriptor: the neutral model of one callable tool.
//!
//! A descriptor belongs to no format. A field is absent if the source does not declare it:
//! lifting never guesses. [`Caution`] alone defines how an absent value counts. Entries
//! that a descriptor cannot express stay in their document. They are not
//! [marked](Lifted::marks).
//!
//! Tools of one installable unit share a [`Package`]. Every value knows the
//! [place](crate::Place) that it was read from.
//!
//! Build descriptors with full struct literals in a format, and destructure them without
//! `..`: a new field then breaks every format until someone decides its meaning there.

mod boundary;
mod call;
mod caution;
mod files;
mod parts;
pub(crate) mod pin;
mod risk;
mod scopes;
mod tool;
mod words;

pub use boundary::Boundary;
pub use call::{
    Acquisition, Body, Command, CommandInput, Credential, Http, Implementation, Invocation,
    McpTool, Node, RegistryTool, Step,
};
pub use caution::{Caution, Claim, Hosts};
pub use parts::{
    Auth, Cost, EnvVar, Example, Origin, Package, Permissions, Publisher, Sandbox, Scope, Support,
};
pub use pin::Pin;
pub use risk::{
    Channel, ErrorEnvelope, Filesystem, Kind, Network, OutputFormat, SideEffects, Trust,
};
pub use scopes::UNKNOWN;
pub use tool::{Lifted, ToolDescriptor};
pub use words::{Words, are_plain, same_words};
