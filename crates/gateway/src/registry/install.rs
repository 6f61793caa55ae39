//! Writing what an installation plan says, below one folder and nowhere else.

use std::io;
use std::path::Path;

use disk::{Access, Folder};
use toolglot::jumith::install::{Plan, PlannedFile};

use crate::left_out::shown;

/// Whether there was anything to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Installed {
    /// The version is there now.
    New,
    /// It was there already, as it should be.
    Already,
}

/// Writes the files of a plan below a folder. It blocks.
///
/// A version that is there with other content is not touched. No link below the folder is
/// followed. What an installation that broke off has left is completed.
pub fn install(plan: &Plan<'_>, folder: &Path) -> io::Result<Installed> {
    let version = folder.join(&plan.folder);
    let told = |error: io::Error| match error.kind() {
        io::ErrorKind::NotADirectory => {
            let message = format!("something on the way to {} is not a folder", shown(&version));
            io::Error::new(error.kind(), message)
        }
        kind => io::Error::new(kind, format!("{}: {error}", shown(&version))),
    };
    let opened = Folder::create(folder, Access::Shared)?;
    let _lock = opened.lock()?;
    // The last file says which version is active. It may replace another.
    let Some((active, own)) = plan.files.split_last() else { return Ok(Installed::Already) };
    let mut missing = Vec::new();
    for file in own {
        match is_there(&opened, file).map_err(told)? {
            Some(true) => {}
            Some(false) => {
                let message = format!("{} is there already, with other content", shown(&version));
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
            }
            None => missing.push(file),
        }
    }
    if missing.is_empty() && is_there(&opened, active).map_err(told)? == Some(true) {
        return Ok(Installed::Already);
    }
    for file in missing.into_iter().chain([active]) {
        opened.write(&file.path, &file.bytes).map_err(told)?;
    }
    Ok(Installed::New)
}

/// Whether a file is as it should be, if it is there.
fn is_there(folder: &Folder, file: &PlannedFile<'_>) -> io::Result<Option<bool>> {
    // One that is longer is another.
    match folder.read(&file.path, file.bytes.len() as u64) {
        Ok(found) => Ok(found.map(|bytes| bytes == *file.bytes)),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(Some(false)),
        Err(error) => Err(error),
    }
}
