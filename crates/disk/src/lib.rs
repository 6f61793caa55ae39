//! What toolglot keeps on disk, and how it is written.
//!
//! - [`Folder`] is the one writer of everything on disk.
//! - [`files`] finds the files that may be manifests.
//! - [`sources`] keeps what bridges call, by its digest.
//! - [`store`] has the tools that are installed, with a record for each.
//! - [`user`] says where the folders of the user are.

#[cfg(not(unix))]
compile_error!("this crate opens folders as Unix does");

pub mod files;
mod folder;
mod random;
pub mod sources;
pub mod store;
pub mod user;

pub use folder::{Access, Folder, Lock, TEMPORARY};
pub use random::{bytes as random_bytes, name as random_name};
