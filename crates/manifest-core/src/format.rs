//! The definition of a format, and the reader and writer of its lens.
//!
//! A [`Format`] is a value: a name, a few facts, and the functions that differ between
//! formats. Its lens reads a document through a [`Reader`], which marks the entries that
//! became fields. It writes descriptors through a [`Writer`], which records where each
//! value came from and how. [`fit`] makes names that a target accepts. [`Context::bridge`]
//! is the bridge's command line, for calls that a target cannot express.

mod accept;
mod bridge;
mod definition;
mod fit;
mod lower;
mod reader;
mod writer;

pub use accept::Accept;
pub use bridge::BridgeWord;
pub use definition::{
    Base, Calling, Catalog, Context, Contract, Defaults, Detected, Format, Holds, Reading, Says,
    Tool, Unit, Validate, Words,
};
pub use fit::{IdGrammar, file_name, fit, sentence, variable_name};
pub use lower::{Written, lower};
pub use reader::Reader;
pub use writer::{AsValue, How, Record, Records, Slot, Value, Writer};
