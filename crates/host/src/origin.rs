//! The origin of a tool.

use std::io;
use std::path::{Path, PathBuf};

use call::join_below;
use disk::store::Prefix;

/// The location and the text of a tool's manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The folder of the manifest, which contains the programs and modules of the tool. If
    /// it is `None`, the working directory is used.
    pub folder: Option<PathBuf>,
    /// The manifest as JSON, for functions that need it.
    pub manifest: Option<String>,
    /// The locations of programs that were installed for the tool.
    pub prefix: Prefix,
}

impl Origin {
    /// Creates the origin of a manifest in this folder.
    pub fn folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..Self::default() }
    }

    /// Returns the folders in which programs are looked for, in order.
    pub(crate) fn search_path(&self) -> impl Iterator<Item = PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let usual: Vec<PathBuf> = std::env::split_paths(&path).collect();
        self.prefix.programs.iter().cloned().chain(usual)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new("."))
    }
}

/// Returns the path of a file below a folder. Fails if the name is absolute or contains
/// `..`, or if a link leads out of the folder.
///
/// This is no boundary against anyone who can change the folder meanwhile. They could
/// change the file as well.
pub(crate) fn resolve_below(folder: &Path, name: &Path) -> io::Result<PathBuf> {
    let folder = folder.canonicalize()?;
    // Links are not resolved, because programs look at the name that they are called by.
    if let Some(path) = join_below(&folder, name)
        && path.canonicalize()?.starts_with(&folder)
    {
        return Ok(path);
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "it leads out of its folder"))
}
