//! Work
