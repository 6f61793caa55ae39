//! Finds the file of a program.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use call::{ProgramLocation, ProgramSearch, SYSTEM_FOLDERS};

use crate::origin::{Origin, resolve_below};

/// Returns the file of a program.
///
/// A bare name is looked for among the installed programs and on the search path, or in the
/// folders of the system. Another relative name is a file below the manifest's folder, or
/// below the working directory.
pub(crate) fn find(
    name: &str,
    base: ProgramSearch,
    origin: &Origin,
    cwd: Option<&Path>,
) -> io::Result<PathBuf> {
    let folders: Vec<PathBuf> = match ProgramLocation::new(name, base) {
        Some(ProgramLocation::Absolute(path)) => return Ok(path.to_owned()),
        Some(ProgramLocation::Folder(path)) => return resolve_below(origin.root(), path),
        Some(ProgramLocation::WorkingDirectory(path)) => {
            return resolve_below(cwd.unwrap_or(Path::new(".")), path);
        }
        Some(ProgramLocation::SearchPath(_)) => origin.search_path().collect(),
        Some(ProgramLocation::System(_)) => SYSTEM_FOLDERS.iter().map(PathBuf::from).collect(),
        None => Vec::new(),
    };
    for folder in folders {
        let path = folder.join(name);
        // A relative entry depends on the working directory. An empty entry is the working
        // directory.
        if folder.is_absolute() && is_program(&path) {
            return Ok(path);
        }
    }
    Err(io::Error::new(io::ErrorKind::NotFound, "there is no program of this name"))
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}
