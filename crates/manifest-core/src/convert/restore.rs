//! The way back.
