//! Writing what an installation plan says, below one folder and nowhere else.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use toolglot::jumith::install::Plan;

/// Writes the files of a plan below a folder.
///
/// A version that is there already is not touched, and no link is followed out of
/// the folder: every folder on the way is made here, or is a real one.
pub(crate) fn install(plan: &Plan<'_>, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let taken = |what: &Path| {
        let message = format!("{} is there already", what.display());
        io::Error::new(io::ErrorKind::AlreadyExists, message)
    };
    let version = folder.join(&plan.folder);
    if fs::symlink_metadata(&version).is_ok() {
        return Err(taken(&version));
    }
    for file in &plan.files {
        let mut path = folder.to_path_buf();
        let mut segments = file.path.split('/').peekable();
        while let Some(segment) = segments.next() {
            path.push(segment);
            if segments.peek().is_some() {
                real_folder(&path)?;
            }
        }
        write(&path, &file.bytes)?;
    }
    Ok(())
}

/// Makes a folder, unless it is there and no link.
fn real_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => {
            let message = format!("{} is not a folder", path.display());
            Err(io::Error::new(io::ErrorKind::NotADirectory, message))
        }
        Err(_) => fs::create_dir(path),
    }
}

/// Writes a file beside the place that it goes to, and moves it there. Only the
/// note on which version is active may replace another.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    let mut file = File::create_new(&beside)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let moved = written.and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&beside);
    }
    moved
}
