//! Where things are below the folder of the packages.

use std::fs;
use std::io;
use std::path::Path;

/// Where packages are installed, below the folder of a project.
pub const FOLDER: &str = ".mcp/tools";
/// The record of a tool.
pub(super) const INFO: &str = "package-info.json";
/// What came of its tests.
pub(super) const METRICS: &str = "metadata.json";
pub(super) const KEPT: &str = ".packages";
pub(super) const STAGING: &str = ".staging";
/// No record is larger.
pub(super) const MOST_BYTES: u64 = 4 << 20;
/// Tools that are looked at.
pub(super) const MOST_TOOLS: usize = 10_000;

/// The names of the folders in a folder, in order. Links are none, and what begins with a dot is
/// passed over.
pub(super) fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries.take(MOST_TOOLS) {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
