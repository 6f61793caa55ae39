//! Manifest candidates: files that are named, and JSON files below folders that are named.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use manifest_core::printable;

/// Files that a catalogue has.
const MOST_FILES: usize = 10_000;
/// Entries of folders that are looked at for them.
const MOST_ENTRIES: usize = 200_000;
/// Folders within folders.
const DEEPEST: usize = 16;

/// Folders that hold no manifests of their own, however many files.
const OTHERS: &[&str] = &["node_modules", "target", "__pycache__"];

/// A file that may be a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it was named itself, and not only a folder that it is in.
    pub named: bool,
    stamp: Stamp,
}

/// A file or folder that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its path.
    pub path: PathBuf,
    /// The reason.
    pub why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is left out: {}", printable(&self.path.display().to_string(), 512), self.why)
    }
}

/// What changes when a file does.
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

/// The candidates in some places, in the order of their names, and what could not be looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundFiles {
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// Files and folders that cannot be read.
    pub unreadable: Vec<Unreadable>,
    entries: usize,
}

impl FoundFiles {
    /// Looks for files. A file that is named is a candidate whatever it is called; below a
    /// folder, those that end in `.json` are. Links below a folder are not followed, and what
    /// begins with a dot is passed over.
    pub fn below(places: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for place in places {
            match fs::metadata(place) {
                Err(error) => found.unreadable(place, error.to_string()),
                Ok(about) if about.is_dir() => found.folder(place),
                Ok(about) => found.add(place.clone(), true, &about),
            }
        }
        // A file may be found in two places, by two paths. One that was named comes first.
        found.candidates.sort_by_key(|one| (!one.named, one.path.clone()));
        let mut seen = BTreeSet::new();
        found.candidates.retain(|one| seen.insert((one.stamp.device, one.stamp.inode)));
        found.candidates.sort_by(|one, other| one.path.cmp(&other.path));
        found
    }

    fn add(&mut self, path: PathBuf, named: bool, about: &Metadata) {
        self.candidates.push(Candidate { path, named, stamp: Stamp::of(about) });
    }

    fn unreadable(&mut self, path: &Path, why: String) {
        self.unreadable.push(Unreadable { path: path.to_owned(), why });
    }

    fn folder(&mut self, top: &Path) {
        let mut open = vec![(top.to_owned(), 0)];
        while let Some((folder, depth)) = open.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.unreadable(&folder, error.to_string());
                    continue;
                }
            };
            // The files of a Jumith tool are beside its manifest, and are none themselves.
            let is_version = folder.join("manifest.json").is_file();
            for entry in entries.flatten() {
                self.entries += 1;
                if self.entries > MOST_ENTRIES || self.candidates.len() >= MOST_FILES {
                    let why = format!("there are more than {MOST_FILES} manifests to look at");
                    self.unreadable(&folder, why);
                    return;
                }
                // One that is gone by now is none.
                let Ok(about) = entry.metadata() else { continue };
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if name.starts_with('.') {
                    continue;
                }
                if about.is_dir() {
                    let is_foreign =
                        OTHERS.contains(&name.as_ref()) || (is_version && name == "files");
                    if !is_foreign && depth < DEEPEST {
                        open.push((entry.path(), depth + 1));
                    }
                } else if about.is_file() && is_manifest(&name) {
                    self.add(entry.path(), false, &about);
                }
            }
        }
    }
}

/// The files below a folder that may be manifests, in the order of their names, and what could not
/// be looked at. Links are not followed, and what begins with a dot is passed over.
pub fn manifests_below(folder: &Path) -> (Vec<PathBuf>, Vec<Unreadable>) {
    let FoundFiles { candidates, unreadable, .. } = FoundFiles::below(&[folder.to_owned()]);
    (candidates.into_iter().map(|candidate| candidate.path).collect(), unreadable)
}

/// Whether a file may be a manifest, by its name. A residue has the whole source in it, and the
/// record of a package that is installed has its id.
fn is_manifest(name: &str) -> bool {
    let is_json = Path::new(name).extension().is_some_and(|extension| extension == "json");
    is_json && !name.ends_with("residue.json") && name != "package-info.json"
}

/// Reads a file that is no longer than that.
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
