//! Templates of actions and smoke tests. Descriptors use the same templates.

pub use manifest_core::template::*;
