//! Installs capabilities: stores their files, and declares them in a local catalog.
//!
//! `capability::install` decides which files to store and move, which catalog to write, and
//! in which order. This module carries that out, below a folder that only its owner can
//! access:
//!
//! ```text
//! staging/PLACE/         what is being installed
//! installed/PLACE/       manifest.json; content/ with the file that origin.path names, and its
//!                        digest in content.sha256
//! manifest.local.json    what is declared, where no other local catalog is named
//! ```
//!
//! A step is one atomic write or move. The local catalog is written last, and deleted
//! first. A failure or a crash leaves earlier versions as they were. [`StoreTransaction::recover`]
//! removes the leftovers of a crash.
//!
//! These functions block. In async code, run them on a separate thread.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use disk::files::parent_of;
use disk::user;
use disk::{Access, Folder, Lock, TEMPORARY_PREFIX};
use toolglot::capability::install::{
    self, CommitState, Installation, PromotionState, Rollback, StagingState, StorePath,
    ValidationState, installed_path,
};
use toolglot::capability::{Catalog, CatalogEntry, Denial, Layers, Policy, ReadCatalog, Source};
use toolglot::core::{printable, sha256_hex};
use toolglot::json::Document;
use toolglot::{Limits, Report, ValidateOptions};

use crate::verify::Check;

/// The local catalog of a store, unless the caller names another.
const LOCAL_CATALOG: &str = "manifest.local.json";
const MANIFEST: &str = "manifest.json";
const CONTENT: &str = "content";
/// The SHA-256 of the content, in hexadecimal. It is missing if there was no content.
const DIGEST_FILE: &str = "content.sha256";
const PLACE_FOLDERS: [&str; 2] = ["staging", "installed"];
/// The maximum size of content, and of any other file of a store.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// The maximum number of places that are read in a folder.
const MAX_PLACES: usize = 100_000;

/// A store of capabilities, and the local catalog that declares them. A store belongs to
/// one catalog: recovery removes capabilities that this catalog does not declare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapabilityStore {
    root: PathBuf,
    local: PathBuf,
}

/// The right to change the store, exclusive while it exists.
#[derive(Debug)]
pub struct StoreTransaction<'c> {
    store: &'c CapabilityStore,
    folder: Folder,
    _lock: Lock,
}

/// The content of a capability besides its manifest: the file that `origin.path` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    path: PathBuf,
    bytes: Vec<u8>,
    is_program: bool,
}

/// The reason why a capability is not installed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process is changing the store.
    #[error("another process changes what is installed: try again later")]
    Busy,
    /// The policy does not allow it.
    #[error("{0}")]
    Denied(#[source] Denial),
    /// The stored files are invalid, or differ from the manifest.
    #[error(
        "what was stored is not installed: {}",
        .0.errors().next().map_or("", |found| &found.message)
    )]
    Invalid(Report),
    /// The store cannot be read or changed.
    #[error("the store of capabilities: {0}")]
    Store(#[from] io::Error),
}

impl Content {
    /// Reads the content of a capability whose manifest is in this folder. Returns `None`
    /// if the origin is not local, or if its path does not name a regular file below the
    /// folder. Such content is neither copied nor checked.
    pub fn read(entry: &CatalogEntry, folder: &Path) -> io::Result<Option<Self>> {
        let origin = &entry.manifest().origin;
        let Some(path) = origin.path.as_deref().map(Path::new) else { return Ok(None) };
        if origin.source != Source::Local || !path.is_relative() {
            return Ok(None);
        }
        let about = match fs::symlink_metadata(folder.join(path)) {
            Ok(about) if about.is_file() => about,
            _ => return Ok(None),
        };
        let folder = Folder::open(folder, Access::Shared)?;
        let Some(bytes) = folder.read(path, MAX_FILE_BYTES)? else { return Ok(None) };
        let is_program = about.permissions().mode() & 0o111 != 0;
        Ok(Some(Self { path: path.to_owned(), bytes, is_program }))
    }

    /// Checks if the content in the folder of a manifest has the digest that the manifest
    /// pins.
    pub fn verify(entry: &CatalogEntry, folder: &Path) -> Check {
        let content = match Self::read(entry, folder) {
            Ok(content) => content,
            Err(error) => return Check::unknown("content", error.to_string()),
        };
        match (install::pinned_digest(entry), content) {
            (None, _) => {
                Check::unknown("content", "the manifest pins none: its digest is all zeros")
            }
            (Some(_), None) => {
                Check::unknown("content", "there is no file beside the manifest that it names")
            }
            (Some(pinned), Some(content)) => {
                let now = sha256_hex(&content.bytes);
                let found = format!("pinned is sha256:{pinned}, the file is sha256:{now}");
                Check::new("content", pinned == now, found)
            }
        }
    }
}

impl CapabilityStore {
    /// Returns the store in a folder, with its own local catalog unless another is given.
    pub fn at(root: impl Into<PathBuf>, local: Option<PathBuf>) -> Self {
        let root = root.into();
        let local = local.unwrap_or_else(|| root.join(LOCAL_CATALOG));
        // If the catalog is a link, its target is written, and the link stays.
        Self { local: fs::canonicalize(&local).unwrap_or(local), root }
    }

    /// Returns the user's own store: `capabilities` in the folder of their
    /// [data](user::data).
    pub fn of_user() -> Option<Self> {
        Some(Self::at(user::data()?.join("capabilities"), None))
    }

    /// Returns the path of the local catalog.
    pub fn local_path(&self) -> &Path {
        &self.local
    }

    /// Returns the folder of the store.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Locks the store to change it. Fails if another process is changing it. Read the
    /// catalogs after this call.
    pub fn begin_transaction(&self) -> Result<StoreTransaction<'_>, Error> {
        let folder = Folder::create(&self.root, Access::Private)?;
        let lock = folder.try_lock()?.ok_or(Error::Busy)?;
        Ok(StoreTransaction { store: self, folder, _lock: lock })
    }

    /// Returns true if the installation allows a capability to be called: a catalog
    /// declares it, and its installed files are in place and unchanged. A capability of the
    /// base catalog needs no installed files.
    pub fn is_runnable(&self, layers: &Layers, id: &str) -> io::Result<bool> {
        let Some(shown) = layers.get(id) else { return Ok(false) };
        let in_place = self.is_intact(shown.entry)?;
        Ok(install::is_runnable(layers, id, |_| in_place))
    }

    /// Returns the folder of a capability's content, which is the working directory of its
    /// programs. Returns `None` if no content was installed.
    pub fn content_folder(&self, entry: &CatalogEntry) -> Option<PathBuf> {
        let folder = self.path(&installed_path(entry)).join(CONTENT);
        folder.is_dir().then_some(folder)
    }

    /// Reads the local catalog. A missing one is empty.
    fn local_catalog(&self) -> Result<Catalog, Error> {
        let bytes = match fs::read(&self.local) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Catalog::default()),
            bytes => bytes?,
        };
        let limits = Limits::for_catalog();
        let document = Document::parse(&bytes, &limits)
            .map_err(|found| Error::Invalid(Report::from(found)))?;
        let options = ReadCatalog { validate: catalog_options(), ..ReadCatalog::default() };
        Ok(Catalog::read(&document, &options).map_err(Error::Invalid)?.0)
    }

    /// Checks if the files of a declared capability are unchanged since the installation,
    /// and if `manifest` is the declared one. Returns `None` if the local catalog does not
    /// declare the id.
    pub fn verify(
        &self,
        id: &str,
        manifest: Option<&CatalogEntry>,
    ) -> Result<Option<Vec<Check>>, Error> {
        let declared = self.local_catalog()?;
        let Some(entry) = declared.get(id) else { return Ok(None) };
        let mut checks = Vec::new();
        if let Some(manifest) = manifest {
            checks.push(if installed_path(manifest) == installed_path(entry) {
                Check::new("manifest", true, "it is that of the local catalog")
            } else {
                let version = printable(&entry.manifest().version, 64);
                let found = format!("the local catalog declares another, of version {version}");
                Check::new("manifest", false, found)
            });
        }
        checks.push(if self.is_intact(entry)? {
            Check::new("files", true, "all are as they were installed")
        } else {
            Check::new("files", false, "they are not there as they were installed")
        });
        Ok(Some(checks))
    }

    fn is_intact(&self, entry: &CatalogEntry) -> io::Result<bool> {
        match Folder::open_existing(&self.root, Access::Private)? {
            Some(folder) => is_intact(&folder, entry),
            None => Ok(false),
        }
    }

    fn path(&self, place: &StorePath) -> PathBuf {
        self.root.join(place.as_str())
    }
}

/// Returns true if the manifest of an entry is in its place, and its content, if it has
/// any, is unchanged since the installation.
fn is_intact(folder: &Folder, entry: &CatalogEntry) -> io::Result<bool> {
    let installed = installed_path(entry);
    let place = Path::new(installed.as_str());
    let Some(bytes) = folder.read(place.join(MANIFEST), MAX_FILE_BYTES)? else { return Ok(false) };
    // A manifest that was damaged is not intact either.
    let Ok(text) = String::from_utf8(bytes) else { return Ok(false) };
    match CatalogEntry::parse(&text, &catalog_options()) {
        Ok(stored) if installed_path(&stored) == installed => {}
        _ => return Ok(false),
    }
    let digest = folder.read(place.join(DIGEST_FILE), MAX_FILE_BYTES)?;
    let (Some(digest), Some(path)) = (digest, &entry.manifest().origin.path) else {
        return Ok(true);
    };
    let content = folder.read(place.join(CONTENT).join(&**path), MAX_FILE_BYTES)?;
    Ok(content.is_some_and(|bytes| sha256_hex(&bytes).into_bytes() == digest))
}

/// Returns options with the limits for a catalog, because an entry can be as long as one.
fn catalog_options() -> ValidateOptions {
    ValidateOptions { limits: Limits::for_catalog(), ..ValidateOptions::default() }
}

impl StoreTransaction<'_> {
    /// Removes the leftovers of a crash, and everything that the local catalog of `layers`
    /// does not declare.
    pub fn recover(&self, layers: &Layers) -> io::Result<()> {
        let mut places = Vec::new();
        for folder in PLACE_FOLDERS {
            for name in entry_names(&self.store.root.join(folder))? {
                places.push(format!("{folder}/{name}"));
            }
        }
        for name in entry_names(&self.store.root)? {
            if name.starts_with(TEMPORARY_PREFIX) {
                self.folder.remove(name)?;
            }
        }
        self.discard(&install::leftover_paths(layers, places))
    }

    /// Installs a capability: stage, validate, promote, declare. Returns the new catalogs.
    /// A failure leaves no runnable part of the new version, and the old version as it was.
    pub fn install(
        &self,
        entry: CatalogEntry,
        content: Option<&Content>,
        layers: &Layers,
        policy: &Policy,
    ) -> Result<Layers, Error> {
        let staging = StagingState::begin(entry, policy).map_err(Error::Denied)?;
        let validating = self.stage(staging, content, layers)?;
        let promoting = self.validate(validating, content, layers)?;
        let committing = self.promote(promoting, layers)?;
        let Installation { layers, obsolete, .. } = self.declare(committing, layers)?;
        if let Some(place) = obsolete {
            // The capability is installed. If this fails, `recover` removes the old version
            // later.
            let _ = self.remove(&place);
        }
        Ok(layers)
    }

    /// Removes all installed capabilities: first the local catalog, which declares them,
    /// then their files. The base catalog stays.
    pub fn reset(&self) -> Result<(), Error> {
        match fs::remove_file(&self.store.local) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        Ok(self.recover(&Layers::default())?)
    }

    /// Stores the manifest and the content in a folder from which no program runs.
    fn stage(
        &self,
        staging: StagingState,
        content: Option<&Content>,
        layers: &Layers,
    ) -> Result<(ValidationState, StorePath), Error> {
        let place = staging.path();
        match self.write_staged(&place, staging.manifest(), content) {
            Ok(()) => Ok((staging.finish(), place)),
            Err(error) => Err(self.roll_back(&staging.roll_back(layers), error.into())),
        }
    }

    fn write_staged(
        &self,
        place: &StorePath,
        manifest: &str,
        content: Option<&Content>,
    ) -> io::Result<()> {
        let folder = Path::new(place.as_str());
        if let Some(content) = content {
            let name = folder.join(CONTENT).join(&content.path);
            if content.is_program {
                self.folder.write_program(name, &content.bytes)?;
            } else {
                self.folder.write(name, &content.bytes)?;
            }
            let digest = sha256_hex(&content.bytes);
            self.folder.write(folder.join(DIGEST_FILE), digest.as_bytes())?;
        }
        self.folder.write(folder.join(MANIFEST), manifest.as_bytes())
    }

    /// Reads the stored files, and compares them with the manifest and its digest.
    fn validate(
        &self,
        (validating, place): (ValidationState, StorePath),
        content: Option<&Content>,
        layers: &Layers,
    ) -> Result<PromotionState, Error> {
        let (manifest, digest) = match self.read_staged(&place, content) {
            Ok(staged) => staged,
            Err(error) => return Err(self.roll_back(&validating.roll_back(layers), error.into())),
        };
        validating
            .validate(&manifest, digest.as_deref(), layers, &catalog_options())
            .map_err(|(rollback, report)| self.roll_back(&rollback, Error::Invalid(report)))
    }

    /// Returns the stored manifest, and the digest of the stored content.
    fn read_staged(
        &self,
        place: &StorePath,
        content: Option<&Content>,
    ) -> io::Result<(Vec<u8>, Option<String>)> {
        let folder = Path::new(place.as_str());
        let mut digest = None;
        if let Some(content) = content {
            let stored = self.read(folder.join(CONTENT).join(&content.path))?;
            digest = Some(sha256_hex(&stored));
        }
        Ok((self.read(folder.join(MANIFEST))?, digest))
    }

    /// Reads a file that must exist.
    fn read(&self, name: PathBuf) -> io::Result<Vec<u8>> {
        let bytes = self.folder.read(name, MAX_FILE_BYTES)?;
        bytes.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Moves the stored files to the place that programs run from.
    fn promote(&self, promoting: PromotionState, layers: &Layers) -> Result<CommitState, Error> {
        match self.move_in_place(&promoting) {
            Ok(()) => Ok(promoting.finish(layers)),
            Err(error) => Err(self.roll_back(&promoting.roll_back(layers), error.into())),
        }
    }

    fn move_in_place(&self, promoting: &PromotionState) -> io::Result<()> {
        let (from, to) = (promoting.source_path(), promoting.target_path());
        if is_intact(&self.folder, promoting.entry())? {
            let new = self.stored_digest(&from)?;
            // The same files are already in place.
            if new.is_none() || new == self.stored_digest(&to)? {
                return self.remove(&from);
            }
            // The content differs. An exchange keeps one of the two versions in place at
            // any time, if the file system supports it.
            if self.folder.exchange(from.as_str(), to.as_str()).is_ok() {
                return self.remove(&from);
            }
        }
        // Without an exchange, the place is empty for a moment. An incomplete version could
        // not be called anyway.
        self.remove(&to)?;
        self.folder.rename(from.as_str(), to.as_str())
    }

    /// Returns the digest of the content in a place, or `None` if it has no content.
    fn stored_digest(&self, place: &StorePath) -> io::Result<Option<Vec<u8>>> {
        self.folder.read(Path::new(place.as_str()).join(DIGEST_FILE), MAX_FILE_BYTES)
    }

    /// Writes the local catalog. This completes the installation.
    fn declare(&self, committing: CommitState, layers: &Layers) -> Result<Installation, Error> {
        match self.write_local(committing.local()) {
            Ok(()) => Ok(committing.finish(layers)),
            Err(error) => Err(self.roll_back(&committing.roll_back(layers), error.into())),
        }
    }

    /// Writes the local catalog, with as few changes to its text as possible.
    fn write_local(&self, local: &Catalog) -> io::Result<()> {
        let path = &self.store.local;
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let folder = Folder::open(parent_of(path), Access::Shared)?.with_private_files();
        let text = match folder.read(name, MAX_FILE_BYTES)? {
            Some(before) => match Document::parse(&before, &Limits::for_catalog()) {
                Ok(document) => local.render_into(&document),
                Err(_) => local.render(),
            },
            None => local.render(),
        };
        folder.write(name, text.as_bytes())
    }

    /// Removes the places of a failed installation, and returns the error.
    fn roll_back(&self, rollback: &Rollback, why: Error) -> Error {
        // If this fails, `recover` does it later.
        let _ = self.discard(rollback);
        why
    }

    fn discard(&self, rollback: &Rollback) -> io::Result<()> {
        rollback.discard.iter().try_for_each(|place| self.remove(place))
    }

    /// Removes a place if it exists.
    fn remove(&self, place: &StorePath) -> io::Result<()> {
        match fs::remove_dir_all(self.store.path(place)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            // A file in the folder of places was not written by the store.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                self.folder.remove(place.as_str())
            }
            removed => removed,
        }
    }
}

/// Returns the names in a folder. A missing folder is empty.
fn entry_names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries.take(MAX_PLACES) {
        if let Ok(name) = entry?.file_name().into_string() {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests;
