//! Finds manifest candidates: named files, and JSON files below named folders.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use manifest_core::printable;

/// The maximum number of files in a catalogue.
const MAX_FILES: usize = 10_000;
/// The maximum number of folder entries that are read to find them.
const MAX_ENTRIES: usize = 200_000;
/// The maximum nesting of folders.
const MAX_DEPTH: usize = 16;

/// The maximum number of entries of a folder of tools that are read.
const MAX_FOLDERS: usize = 10_000;

/// Folders that contain many files, but no manifests of their own.
const SKIPPED_FOLDERS: &[&str] = &["node_modules", "target", "__pycache__"];

/// A file that may be a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The path of the file.
    pub path: PathBuf,
    /// True if the file itself was named, and not only a folder that contains it.
    pub named: bool,
    stamp: Stamp,
}

/// A file or folder that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its path.
    pub path: PathBuf,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = printable(&self.path.display().to_string(), 512);
        write!(f, "{path} is left out: {}", self.reason)
    }
}

/// File metadata that changes if the file does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// Reads the stamp from the metadata of a file.
    pub fn of(about: &Metadata) -> Self {
        Self {
            device: about.dev(),
            inode: about.ino(),
            length: about.len(),
            modified: (about.mtime(), about.mtime_nsec()),
            changed: (about.ctime(), about.ctime_nsec()),
        }
    }
}

/// The candidates in some places, sorted by path, and the files and folders that cannot be
/// read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManifestSearch {
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// Files and folders that cannot be read.
    pub unreadable: Vec<Unreadable>,
    entries: usize,
}

impl ManifestSearch {
    /// Searches for files. A named file is a candidate whatever its name is; below a
    /// folder, files that end in `.json` are. Links below a folder are not followed, and
    /// names that begin with a dot are skipped.
    pub fn search(places: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for place in places {
            match fs::metadata(place) {
                Err(error) => found.add_unreadable(place, error.to_string()),
                Ok(about) if about.is_dir() => found.search_folder(place),
                Ok(about) => found.add_candidate(place.clone(), true, &about),
            }
        }
        // A file may be found by two paths. A named one is preferred.
        found.candidates.sort_by_key(|one| (!one.named, one.path.clone()));
        let mut seen = BTreeSet::new();
        found.candidates.retain(|one| seen.insert((one.stamp.device, one.stamp.inode)));
        found.candidates.sort_by(|one, other| one.path.cmp(&other.path));
        found
    }

    fn add_candidate(&mut self, path: PathBuf, named: bool, about: &Metadata) {
        self.candidates.push(Candidate { path, named, stamp: Stamp::of(about) });
    }

    fn add_unreadable(&mut self, path: &Path, why: String) {
        self.unreadable.push(Unreadable { path: path.to_owned(), reason: why });
    }

    fn search_folder(&mut self, top: &Path) {
        let mut open = vec![(top.to_owned(), 0)];
        while let Some((folder, depth)) = open.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.add_unreadable(&folder, error.to_string());
                    continue;
                }
            };
            // The `files` folder beside the manifest of a Jumith tool contains no
            // manifests.
            let is_version = folder.join("manifest.json").is_file();
            for entry in entries.flatten() {
                self.entries += 1;
                if self.entries > MAX_ENTRIES || self.candidates.len() >= MAX_FILES {
                    let why = format!("there are more than {MAX_FILES} manifests to look at");
                    self.add_unreadable(&folder, why);
                    return;
                }
                // Skip a file that was removed in the meantime.
                let Ok(about) = entry.metadata() else { continue };
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if name.starts_with('.') {
                    continue;
                }
                if about.is_dir() {
                    let is_foreign =
                        SKIPPED_FOLDERS.contains(&name.as_ref()) || (is_version && name == "files");
                    if !is_foreign && depth < MAX_DEPTH {
                        open.push((entry.path(), depth + 1));
                    }
                } else if about.is_file() && is_manifest(&name) {
                    self.add_candidate(entry.path(), false, &about);
                }
            }
        }
    }
}

/// Returns the files below a folder that may be manifests, sorted by path, and the files
/// and folders that cannot be read. Links are not followed, and names that begin with a dot
/// are skipped.
pub fn manifests_below(folder: &Path) -> (Vec<PathBuf>, Vec<Unreadable>) {
    let ManifestSearch { candidates, unreadable, .. } =
        ManifestSearch::search(&[folder.to_owned()]);
    (candidates.into_iter().map(|candidate| candidate.path).collect(), unreadable)
}

/// Returns true if a file may be a manifest, by its name. A residue contains the whole
/// source, and the record of an installed package contains its id, so neither counts.
fn is_manifest(name: &str) -> bool {
    let is_json = Path::new(name).extension().is_some_and(|extension| extension == "json");
    is_json && !name.ends_with("residue.json") && name != "package-info.json"
}

/// Returns the folder of a file. A path that is only a name is in the working directory.
pub fn parent_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Returns the names of the folders in a folder, sorted. Links do not count, and a missing
/// folder is empty.
pub fn folders_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries.take(MAX_FOLDERS) {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(PathBuf::from(entry.file_name()));
        }
    }
    names.sort();
    Ok(names)
}

/// Reads a regular file. Fails if it has more than `limit` bytes.
pub fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut bytes = Vec::new();
    let room = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    file.take(room).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        return Err(io::Error::other(format!("it has more than {limit} bytes")));
    }
    Ok(bytes)
}
