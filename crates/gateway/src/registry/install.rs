//! Carries out an installation plan below one folder.

use std::io;
use std::path::Path;

use disk::{Access, Folder};
use toolglot::jumith::install::{Plan, PlannedFile};

use crate::skipped::display_path;

/// The result of an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InstallStatus {
    /// The version was written.
    New,
    /// The version was already there, unchanged.
    Unchanged,
}

/// Writes the files of a plan below a folder. Blocks.
///
/// Fails if the version is there with other content. Follows no links below the folder.
/// Completes an installation that was interrupted.
pub fn install(plan: &Plan<'_>, folder: &Path) -> io::Result<InstallStatus> {
    let version = folder.join(&plan.folder);
    let told = |error: io::Error| match error.kind() {
        io::ErrorKind::NotADirectory => {
            let message =
                format!("something on the way to {} is not a folder", display_path(&version));
            io::Error::new(error.kind(), message)
        }
        kind => io::Error::new(kind, format!("{}: {error}", display_path(&version))),
    };
    let opened = Folder::create(folder, Access::Shared)?;
    let _lock = opened.lock()?;
    // The last file names the active version. It may replace another one.
    let Some((active, own)) = plan.files.split_last() else { return Ok(InstallStatus::Unchanged) };
    let mut missing = Vec::new();
    for file in own {
        match has_planned_content(&opened, file).map_err(told)? {
            Some(true) => {}
            Some(false) => {
                let message =
                    format!("{} is there already, with other content", display_path(&version));
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
            }
            None => missing.push(file),
        }
    }
    if missing.is_empty() && has_planned_content(&opened, active).map_err(told)? == Some(true) {
        return Ok(InstallStatus::Unchanged);
    }
    for file in missing.into_iter().chain([active]) {
        opened.write(&file.path, &file.bytes).map_err(told)?;
    }
    Ok(InstallStatus::New)
}

/// Returns true if a file has the planned content, or `None` if it is missing.
fn has_planned_content(folder: &Folder, file: &PlannedFile<'_>) -> io::Result<Option<bool>> {
    // A longer file has other content.
    match folder.read(&file.path, file.bytes.len() as u64) {
        Ok(found) => Ok(found.map(|bytes| bytes == *file.bytes)),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(Some(false)),
        Err(error) => Err(error),
    }
}
