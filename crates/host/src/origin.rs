//! Where a tool comes from.

use std::io;
use std::path::{Component, Path, PathBuf};

use disk::store::Prefix;

/// Where the manifest of a tool is, and what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The folder of the manifest: programs and modules of the tool are below it. Without one,
    /// it is the working directory.
    pub folder: Option<PathBuf>,
    /// The manifest as JSON, for functions that ask for it.
    pub manifest: Option<String>,
    /// What was installed for the tool.
    pub prefix: Prefix,
}

impl Origin {
    /// A manifest in this folder.
    pub fn folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..Self::default() }
    }

    /// The folders that programs are looked for in, in order.
    pub(crate) fn search_path(&self) -> impl Iterator<Item = PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let usual: Vec<PathBuf> = std::env::split_paths(&path).collect();
        self.prefix.programs.iter().cloned().chain(usual)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new("."))
    }
}

/// A file below a folder, which neither `..` nor a link leads out of.
///
/// Whoever can change the folder while this looks can change the file as well: it is no
/// boundary against them.
pub(crate) fn beneath(folder: &Path, name: &Path) -> io::Result<PathBuf> {
    let outside = || io::Error::new(io::ErrorKind::PermissionDenied, "it leads out of its folder");
    let folder = folder.canonicalize()?;
    // Links are kept as they are: programs look at the name that they are called by.
    let mut path = folder.clone();
    for part in name.components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return Err(outside()),
        }
    }
    if path.canonicalize()?.starts_with(&folder) { Ok(path) } else { Err(outside()) }
}
