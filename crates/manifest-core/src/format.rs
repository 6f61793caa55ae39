//! The definition of a format, and the reader and writer of its lens.
//!
//! A [`Format`] is a value: a name, a few facts, and the functions that differ between
//! formats. Its lens reads a document through a [`Reader`], which marks the entries that
//! became fields. It writes descriptors through a [`Writer`], which records where each
//! value came from and how. [`fit`] makes names that a target accepts. [`Context::bridge_argv`]
//! is the bridge's command line, for calls that a target cannot express.

mod accept;
mod bridge;
mod contract;
mod definition;
mod fit;
mod lower;
mod reader;
mod writer;

pub use accept::AcceptedLoss;
pub use bridge::BridgeArg;
pub use contract::{Contract, HostRules, OutcomeRules, ProgramSearch};
pub(crate) use definition::find_version;
pub use definition::{
    CallSupport, Cardinality, Catalog, Context, Defaults, Detection, Format, SafetyFeatures,
    ToolContext, ToolGroup, ValidateOptions,
};
pub use fit::{
    IdGrammar, file_name, first_sentence, fit, fit_with_digest, fit_without_digest, variable_name,
};
pub use lower::{LoweredDocument, lower};
pub use reader::Reader;
pub use writer::{Derivation, Record, Records, Slot, Value, Writer};
