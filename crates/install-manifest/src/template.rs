//! Templates of actions and smoke tests. They are the same in descriptors.

pub use manifest_core::template::*;
