//! Paths below the folder of the packages.

use std::fs;
use std::io;
use std::path::Path;

/// The folder of the packages, relative to the folder of a project.
pub const FOLDER: &str = ".mcp/tools";
/// The record of a tool.
pub(super) const INFO: &str = "package-info.json";
/// The results of its tests.
pub(super) const METRICS: &str = "metadata.json";
pub(super) const PACKAGES: &str = ".packages";
pub(super) const STAGING: &str = ".staging";
/// The maximum size of a record.
pub(super) const MAX_RECORD_BYTES: u64 = 4 << 20;
/// The maximum number of entries of a folder that are read.
pub(super) const MAX_TOOLS: usize = 10_000;

/// Returns the sorted names of the folders in a folder, without links and names that begin
/// with a dot.
pub(super) fn folder_names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries.take(MAX_TOOLS) {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
