//! The files of a folder, with their digests.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use diagnostic::printable;
use manifest_core::sha256_hex;
use serde::{Deserialize, Serialize};

/// The maximum number of files in an installation.
const MAX_FILES: usize = 500_000;

/// The contents of a folder: by path, the SHA-256 of a file, or the target of a link. A
/// path that is not Unicode is written with replacement characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigests(BTreeMap<String, String>);

/// A difference from the installed files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FileChange {
    /// The list of files itself is changed or missing, so the files cannot be compared.
    List,
    /// A file with changed contents.
    Other(String),
    /// A missing file.
    Gone(String),
    /// An added file.
    New(String),
}

impl fmt::Display for FileChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, what) = match self {
            Self::List => return f.write_str("the list of files is not that of the record"),
            Self::Other(name) => (name, "is not the file that was installed"),
            Self::Gone(name) => (name, "is gone"),
            Self::New(name) => (name, "was not installed"),
        };
        write!(f, "{} {what}", printable(name, 512))
    }
}

impl<N: Into<String>, B: AsRef<[u8]>> FromIterator<(N, B)> for FileDigests {
    /// Collects files from their names and bytes.
    fn from_iter<I: IntoIterator<Item = (N, B)>>(files: I) -> Self {
        let files = files.into_iter();
        Self(files.map(|(name, bytes)| (name.into(), sha256_hex(bytes.as_ref()))).collect())
    }
}

impl FileDigests {
    /// Reads the contents of a folder.
    pub fn below(folder: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        let mut open = vec![folder.to_owned()];
        while let Some(next) = open.pop() {
            for entry in fs::read_dir(&next)? {
                let path = entry?.path();
                let about = path.symlink_metadata()?;
                if about.is_dir() {
                    open.push(path);
                    continue;
                }
                let is = if about.is_symlink() {
                    format!("link to {}", fs::read_link(&path)?.display())
                } else if about.is_file() {
                    sha256_hex(&fs::read(&path)?)
                } else {
                    "neither a file nor a link".to_owned()
                };
                let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
                files.insert(name, is);
                if files.len() > MAX_FILES {
                    return Err(io::Error::other(format!("there are more than {MAX_FILES} files")));
                }
            }
        }
        Ok(Self(files))
    }

    /// Returns the changes from `self` to `now`.
    pub fn diff(&self, now: &Self) -> Vec<FileChange> {
        let mut changes = Vec::new();
        for (name, digest) in &self.0 {
            match now.0.get(name) {
                None => changes.push(FileChange::Gone(name.clone())),
                Some(found) if found != digest => changes.push(FileChange::Other(name.clone())),
                Some(_) => {}
            }
        }
        for name in now.0.keys() {
            // Python caches compiled files there when it first runs a program.
            let is_cache = name.split('/').any(|part| part == "__pycache__");
            if !is_cache && !self.0.contains_key(name) {
                changes.push(FileChange::New(name.clone()));
            }
        }
        changes
    }
}
