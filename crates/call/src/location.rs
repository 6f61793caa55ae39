//! Where the files of a step are, as far as that is decided without looking.

use std::path::{Component, Path, PathBuf};

use manifest_core::format::ProgramSearch;

/// The place where a host looks for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramLocation<'n> {
    /// The file at this absolute path.
    Absolute(&'n Path),
    /// A file below the manifest's folder: see [`join_below`].
    Folder(&'n Path),
    /// A file below the directory that the program runs in: see [`join_below`].
    WorkingDirectory(&'n Path),
    /// The first program of this name in the folders of the search path. Entries that are
    /// not absolute are skipped, because they depend on the working directory.
    SearchPath(&'n str),
    /// The first program of this name in [`SYSTEM_FOLDERS`].
    System(&'n str),
}

/// The folders that contain the programs of the system.
pub const SYSTEM_FOLDERS: &[&str] = &["/bin", "/usr/bin"];

impl<'n> ProgramLocation<'n> {
    /// Returns where the program of a step is, or `None` if the name is none: it is the first
    /// word of [`Program::fill_argv`](crate::Program::fill_argv).
    ///
    /// ```
    /// use std::path::Path;
    /// use toolglot_call::{ProgramLocation, ProgramSearch};
    ///
    /// let file = ProgramLocation::new("bin/find", ProgramSearch::Folder);
    /// assert_eq!(file, Some(ProgramLocation::Folder(Path::new("bin/find"))));
    /// let name = ProgramLocation::new("find", ProgramSearch::Folder);
    /// assert_eq!(name, Some(ProgramLocation::SearchPath("find")));
    /// ```
    pub fn new(name: &'n str, base: ProgramSearch) -> Option<Self> {
        let path = Path::new(name);
        if path.is_absolute() {
            return Some(Self::Absolute(path));
        }
        if name.contains('/') {
            return Some(match base {
                ProgramSearch::Folder => Self::Folder(path),
                ProgramSearch::SearchPath | ProgramSearch::System => Self::WorkingDirectory(path),
            });
        }
        if matches!(name, "" | "." | "..") {
            return None;
        }
        Some(match base {
            ProgramSearch::System => Self::System(name),
            ProgramSearch::SearchPath | ProgramSearch::Folder => Self::SearchPath(name),
        })
    }
}

/// Returns the path of a file below a folder, or `None` if the name is absolute or contains
/// `..`. The host must still check that no link leads out of the folder.
///
/// ```
/// use std::path::Path;
/// use toolglot_call::join_below;
///
/// let folder = Path::new("/srv/tool");
/// let file = Path::new("/srv/tool/bin/find");
/// assert_eq!(join_below(folder, Path::new("./bin/find")).as_deref(), Some(file));
/// assert_eq!(join_below(folder, Path::new("bin/../../other")), None);
/// ```
pub fn join_below(folder: &Path, name: &Path) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in name.components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}
