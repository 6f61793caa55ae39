//! MCPKG packages that are installed in a project.
//!
//! `<toolId>/` of the folder `.mcp/tools` has the files of the package, as section 8 of the
//! specification says, and beside them `package-info.json`, which the published tool writes, too,
//! and `metadata.json`, what came of its tests. What begins with a dot is no tool: `.packages` keeps
//! the packages that were agreed to, by their digest, and `.staging` what is on its way.
//!
//! A tool is installed, upgraded and removed by one step of the file system: its folder takes the
//! place of the one before. Whatever happens, the old or the new one is there, whole. What is left
//! over otherwise, the next who changes the store removes.
//!
//! These functions block. In async code, give them a thread of their own.

mod error;
mod held;
mod info;
mod offer;
mod places;
mod store;

pub use error::Error;
pub use held::{Held, Kept};
pub use info::{Info, Metrics};
pub use offer::{Before, Offer};
pub use places::FOLDER;
pub use store::Packages;
