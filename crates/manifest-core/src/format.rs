//! What a format is, and what lenses read and write with.
//!
//! A [`Format`] is a value: a name, a few facts, and the functions that differ. Its lens reads
//! a document through a [`Reader`], which marks what became a field, and writes descriptors
//! through a [`Writer`], which records where each value came from and how. [`fit`] makes names
//! that a target takes; [`Context::bridge`] is the line for calls that it cannot say.

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
