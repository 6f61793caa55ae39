//! Files and folders, and the state that toolglot stores in them.
//!
//! - [`Folder`] reads and writes files. It follows no links, and replaces files atomically.
//! - [`files`] finds the manifests below a folder.
//! - [`sources`] stores the sources of converted manifests by digest, for their bridges.
//! - [`store`] contains the installed tools, each with a record.
//! - [`user`] returns the user's folders for state, data and cache.

#[cfg(not(unix))]
compile_error!("this crate opens folders as Unix does");

pub mod files;
mod folder;
mod random;
pub mod sources;
pub mod store;
pub mod user;

pub use folder::{Access, Folder, Lock, TEMPORARY_PREFIX};
pub use random::{bytes as random_bytes, name as random_name};
