//! Installs MCPKG packages in a project.
//!
//! The folder `.mcp/tools` contains a folder `<toolId>/` for each tool, with the files of
//! its package, as section 8 of the specification requires. The store adds two files to it:
//! `package-info.json`, which the published tool also writes, and `metadata.json` with the
//! results of tests. Names that begin with a dot are not tools: `.packages` stores the
//! approved packages by digest, and `.staging` contains unfinished installations.
//!
//! A tool is installed, upgraded or removed in one step of the file system, which replaces
//! its folder. A failure or a crash leaves the old or the new folder, complete. The next
//! process that changes the store removes other leftovers.
//!
//! These functions block. In async code, run them on a separate thread.

mod error;
mod installed;
mod layout;
mod offer;
mod store;

pub use error::Error;
pub use installed::{InstalledPackage, StoredPackage};
pub use layout::{FOLDER, PackageInfo, TestMetrics};
pub use offer::{Offer, PreviousVersion};
pub use store::PackageStore;
