//! One callable tool, normalised: the model between the formats.
//!
//! A descriptor says what a tool is in words that belong to no format. What a source
//! does not say is absent: nothing is guessed here, and [`Caution`] is the one place
//! that says what absence means. What the descriptor has no word for stays in the
//! document that it was read from: its entries are not [marked](Lifted::marks).
//!
//! Tools of one installable unit share a [`Package`]. Every value knows the
//! [place](crate::Place) in the text that it was read from.
//!
//! Descriptors are built with full struct literals, and formats take them apart
//! without `..`: a new field does not compile until every format has decided what it
//! means there.

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
