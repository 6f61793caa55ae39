//! Edits to descriptors.
