//! The built program, as people and scripts run it.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

mod convert;
mod detect;
mod explain;
mod files;
mod installs;
mod program;
mod restore;
mod streams;
mod usage;
mod validate;
