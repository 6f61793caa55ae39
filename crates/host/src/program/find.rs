//! Finds the file of a program.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use call::ProgramSearch;

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
    let path = Path::new(name);
    if path.is_absolute() {
        return Ok(path.to_owned());
    }
    if name.contains('/') {
        let folder = match base {
            ProgramSearch::Folder => origin.root(),
            ProgramSearch::SearchPath | ProgramSearch::System => cwd.unwrap_or(Path::new(".")),
        };
        return resolve_below(folder, path);
    }
    let folders: Vec<PathBuf> = match base {
        _ if matches!(name, "" | "." | "..") => Vec::new(),
        ProgramSearch::System => ["/bin", "/usr/bin"].map(PathBuf::from).into(),
        ProgramSearch::SearchPath | ProgramSearch::Folder => origin.search_path().collect(),
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
