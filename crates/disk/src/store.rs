//! Installed tools, with one record for each, whatever its format.
//!
//! `ID/VERSION/` in the store contains the record `install.json`, and a folder that the
//! record names. The folder contains the approved manifest (`manifest.json`), the digests
//! of the installed files (`files.json`), and the installed files (`tool/`). The record is
//! written last, completely, and removed first. A folder that no record names is not
//! installed, and the next process that changes the store removes it. A folder is never
//! moved, because programs in it may contain its path.
//!
//! These functions block. In async code, run them on a separate thread.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use diagnostic::printable;
use manifest_core::format::file_name;
use manifest_core::sha256_hex;

use crate::files::folders_in;
use crate::{Access, Folder, Lock, random, user};

mod files;
mod record;

pub use files::{FileChange, FileDigests};
pub use record::{Record, Software, TestResult, VariableSource};

const RECORD: &str = "install.json";
const MANIFEST: &str = "manifest.json";
const FILES: &str = "files.json";
const TOOL: &str = "tool";
/// The maximum size of a record.
const MAX_RECORD_BYTES: u64 = 4 << 20;
/// The maximum size of a list of files, and of a manifest.
const MAX_MANIFEST_BYTES: u64 = 64 << 20;

/// The folders of an installed tool's programs, and their working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prefix {
    /// Folders that are put before the search path.
    pub programs: Vec<PathBuf>,
    /// The working directory of programs that do not declare one.
    pub directory: Option<PathBuf>,
}

/// The store of installed tools.
///
/// ```
/// use toolglot_disk::store::{Record, Store};
/// # let root = std::env::temp_dir().join(format!("toolglot-tools-{}", std::process::id()));
///
/// let store = Store::at(&root);
/// let change = store.begin_transaction()?.ok_or("another process changes the store")?;
/// let site = change.create_folder("notes", "1.0.0")?;
/// std::fs::write(site.tool().join("notes"), "#!/bin/sh\n")?;
/// assert!(store.all()?.is_empty(), "not before its record is written");
/// let record = Record { format: "install-manifest".into(), ..Record::default() };
/// change.commit(site, record, b"{}")?;
/// assert_eq!(store.all()?[0].record.id, "notes");
/// # std::fs::remove_dir_all(&root)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    root: PathBuf,
}

/// An installed tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InstalledTool {
    /// The record of its installation.
    pub record: Record,
    /// The folder that its record names.
    folder: PathBuf,
}

/// The right to change the store, exclusive while it exists.
#[derive(Debug)]
pub struct StoreTransaction<'s> {
    store: &'s Store,
    folder: Folder,
    _lock: Lock,
}

/// A folder for a tool that is being installed. Dropping it before [`StoreTransaction::commit`] removes
/// the folder.
#[derive(Debug)]
pub struct InstallFolder {
    id: String,
    version: String,
    folder: PathBuf,
    committed: bool,
}

impl Store {
    /// Returns the store in this folder.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        // Programs contain the path where they were installed.
        Self { root: std::path::absolute(&root).unwrap_or(root) }
    }

    /// Returns the user's own store: `tools` in the folder of their [data](user::data).
    pub fn of_user() -> Option<Self> {
        Some(Self::at(user::data()?.join("tools")))
    }

    /// Returns all installed tools, sorted by id and version. Fails if others can access
    /// the store.
    pub fn all(&self) -> io::Result<Vec<InstalledTool>> {
        let Some(folder) = Folder::open_existing(&self.root, Access::Private)? else {
            return Ok(Vec::new());
        };
        let mut all = Vec::new();
        for place in self.tool_folders()? {
            let Some(bytes) = folder.read(place.join(RECORD), MAX_RECORD_BYTES)? else { continue };
            let record: Record = serde_json::from_slice(&bytes).map_err(|error| {
                let file = self.root.join(&place).join(RECORD);
                let file = printable(&file.display().to_string(), 512);
                io::Error::other(format!("{file} is no record: {error}"))
            })?;
            // A record can name only a folder beside it.
            let name = file_name(&record.folder).into_owned();
            all.push(InstalledTool { folder: self.root.join(&place).join(name), record });
        }
        Ok(all)
    }

    /// Returns the prefix of the tool that was installed from the manifest with this
    /// SHA-256 digest. Returns `None` if there is no such tool, or if the store cannot be
    /// read.
    pub fn prefix(&self, digest: &str) -> Option<Prefix> {
        let all = self.all().ok()?;
        Some(all.iter().find(|one| one.record.manifest == digest)?.prefix())
    }

    /// Locks the store to change it, and removes folders that no record names. Returns
    /// `None` if another process is changing it.
    pub fn begin_transaction(&self) -> io::Result<Option<StoreTransaction<'_>>> {
        let folder = Folder::create(&self.root, Access::Private)?;
        let Some(lock) = folder.try_lock()? else { return Ok(None) };
        let change = StoreTransaction { store: self, folder, _lock: lock };
        change.remove_unrecorded()?;
        Ok(Some(change))
    }

    /// Returns all folders `ID/VERSION`, sorted.
    fn tool_folders(&self) -> io::Result<Vec<PathBuf>> {
        let mut places = Vec::new();
        for id in folders_in(&self.root)? {
            for version in folders_in(&self.root.join(&id))? {
                places.push(id.join(version));
            }
        }
        Ok(places)
    }
}

impl InstalledTool {
    /// Returns the folder of the installed files.
    pub fn tool(&self) -> PathBuf {
        self.folder.join(TOOL)
    }

    /// Returns the folders of its programs, and their working directory.
    pub fn prefix(&self) -> Prefix {
        let (tool, record) = (self.tool(), &self.record);
        Prefix {
            programs: record.programs.iter().map(|name| tool.join(name)).collect(),
            directory: record.directory.as_ref().map(|name| tool.join(name)),
        }
    }

    /// Returns the approved manifest, byte for byte, or `None` if it is missing or changed.
    pub fn manifest(&self) -> io::Result<Option<Vec<u8>>> {
        let bytes =
            Folder::open(&self.folder, Access::Private)?.read(MANIFEST, MAX_MANIFEST_BYTES)?;
        Ok(bytes.filter(|bytes| sha256_hex(bytes) == self.record.manifest))
    }

    /// Returns the changes since the installation. Files that Python adds for itself are
    /// ignored.
    pub fn changes(&self) -> io::Result<Vec<FileChange>> {
        let listed =
            Folder::open(&self.folder, Access::Private)?.read(FILES, MAX_MANIFEST_BYTES)?;
        match listed {
            Some(listed) if sha256_hex(&listed) == self.record.files => {
                let before: FileDigests = serde_json::from_slice(&listed)?;
                Ok(before.diff(&FileDigests::below(&self.tool())?))
            }
            _ => Ok(vec![FileChange::List]),
        }
    }
}

impl StoreTransaction<'_> {
    /// Creates a folder for a new tool.
    pub fn create_folder(&self, id: &str, version: &str) -> io::Result<InstallFolder> {
        let name = random::name()?;
        let place = tool_path(id, version).join(name.get(..8).unwrap_or(&name));
        let folder = self.store.root.join(place);
        Folder::create(&folder.join(TOOL), Access::Private)?;
        let (id, version) = (id.to_owned(), version.to_owned());
        Ok(InstallFolder { id, version, folder, committed: false })
    }

    /// Completes the installation of a tool, in place of an earlier one with the same id
    /// and version. Returns the written record.
    pub fn commit(
        &self,
        mut site: InstallFolder,
        record: Record,
        manifest: &[u8],
    ) -> io::Result<Record> {
        let files = serde_json::to_vec(&FileDigests::below(&site.tool())?)?;
        let name = site.folder.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let name = name.to_string_lossy().into_owned();
        let own = Folder::open(&site.folder, Access::Private)?;
        own.write(MANIFEST, manifest)?;
        own.write(FILES, &files)?;
        let record = Record {
            id: site.id.clone(),
            version: site.version.clone(),
            manifest: sha256_hex(manifest),
            files: sha256_hex(&files),
            folder: name,
            ..record
        };
        self.write_record(&record)?;
        site.committed = true;
        self.remove_unrecorded()?;
        Ok(record)
    }

    /// Writes the record of a tool, or replaces it.
    pub fn write_record(&self, record: &Record) -> io::Result<()> {
        self.folder.write_json(tool_path(&record.id, &record.version).join(RECORD), record)
    }

    /// Removes a tool: first its record, then its files.
    pub fn remove(&self, record: &Record) -> io::Result<()> {
        self.folder.remove(tool_path(&record.id, &record.version).join(RECORD))?;
        self.remove_unrecorded()
    }

    /// Removes the folders that no record names.
    fn remove_unrecorded(&self) -> io::Result<()> {
        let root = &self.store.root;
        let named: Vec<PathBuf> = self.store.all()?.into_iter().map(|one| one.folder).collect();
        for place in self.store.tool_folders()? {
            for name in folders_in(&root.join(&place))? {
                let folder = root.join(&place).join(name);
                if !named.contains(&folder) {
                    fs::remove_dir_all(folder)?;
                }
            }
            // A folder that is not empty stays.
            let _ = fs::remove_dir(root.join(&place));
            if let Some(id) = place.parent() {
                let _ = fs::remove_dir(root.join(id));
            }
        }
        Ok(())
    }
}

impl InstallFolder {
    /// Returns the empty folder to install to.
    pub fn tool(&self) -> PathBuf {
        self.folder.join(TOOL)
    }
}

impl Drop for InstallFolder {
    fn drop(&mut self) {
        if !self.committed {
            // If this fails, the next change of the store removes it.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Returns the path of a tool relative to the store.
fn tool_path(id: &str, version: &str) -> PathBuf {
    Path::new(file_name(id).as_ref()).join(file_name(version).as_ref())
}
