//! Capabilities that are installed: what a local catalog declares, and what is in place for it.
//!
//! `capability::install` says what to store, to move and to declare, and in which order. This does
//! it, below a folder that only its owner can reach:
//!
//! ```text
//! staging/PLACE/         what is being installed
//! installed/PLACE/       manifest.json; content/ with the file that origin.path names, and its
//!                        digest in content.sha256
//! manifest.local.json    what is declared, where no other local catalog is named
//! ```
//!
//! A step is one write or one move, each whole or not at all. The catalog is written last, and is
//! the first to go. Whatever fails or crashes in between leaves what ran before as it was; what is
//! left over is removed by the next who changes the store.
//!
//! These functions block. In async code, give them a thread of their own.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use disk::user;
use disk::{Access, Folder, Lock, TEMPORARY};
use toolglot::capability::install::{
    self, Committing, Installed, Promoting, Rollback, Staging, StorePath, Validating,
    installed_place,
};
use toolglot::capability::{Catalog, CatalogEntry, Denial, Layers, Policy, ReadCatalog, Source};
use toolglot::core::{printable, sha256_hex};
use toolglot::json::Document;
use toolglot::{Limits, Report, Validate};

use crate::verify::Check;

/// The local catalog of a store, where no other is named.
const LOCAL: &str = "manifest.local.json";
const MANIFEST: &str = "manifest.json";
const CONTENT: &str = "content";
/// The SHA-256 of the content, in hexadecimal. Where there is none, there was no content.
const DIGEST: &str = "content.sha256";
/// The folders that places are in.
const FOLDERS: [&str; 2] = ["staging", "installed"];
/// No content is larger.
const MOST_BYTES: u64 = 256 << 20;
/// Places that are looked at.
const MOST_PLACES: usize = 100_000;

/// Where capabilities are installed, and the local catalog that declares them. A store is for one
/// catalog: what that does not declare is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    root: PathBuf,
    local: PathBuf,
}

/// The store, while nobody else changes it.
#[derive(Debug)]
pub struct Changing<'c> {
    of: &'c Capabilities,
    folder: Folder,
    _lock: Lock,
}

/// What a capability consists of beside its manifest: the file that `origin.path` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    path: PathBuf,
    bytes: Vec<u8>,
    is_program: bool,
}

/// Why a capability is not installed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Another process changes the store.
    Busy,
    /// Policy does not allow it.
    Denied(Denial),
    /// What was stored is not valid, or not what the manifest names.
    Invalid(Report),
    /// The store cannot be read or changed.
    Store(io::Error),
}

impl Content {
    /// The content of a capability whose manifest is in a folder. Nothing, where there is no such
    /// file below the folder: a digest of anything else is not for this to check.
    pub fn of(entry: &CatalogEntry, folder: &Path) -> io::Result<Option<Self>> {
        let origin = &entry.manifest().origin;
        let path = origin.path.as_deref().filter(|_| origin.source == Source::Local);
        let Some(path) = path.map(Path::new) else { return Ok(None) };
        let about = match fs::symlink_metadata(folder.join(path)) {
            Ok(about) if about.is_file() && path.is_relative() => about,
            _ => return Ok(None),
        };
        let bytes = Folder::open(folder, Access::Shared)?.read(path, MOST_BYTES)?;
        let is_program = about.permissions().mode() & 0o111 != 0;
        Ok(bytes.map(|bytes| Self { path: path.to_owned(), bytes, is_program }))
    }

    /// Whether the content in the folder of a manifest is what the manifest pins.
    pub fn verify(entry: &CatalogEntry, folder: &Path) -> Check {
        let content = match Self::of(entry, folder) {
            Ok(content) => content,
            Err(error) => return Check::unknown("content", error.to_string()),
        };
        match (install::pinned(entry), content) {
            (None, _) => {
                Check::unknown("content", "the manifest pins none: its digest is all zeros")
            }
            (_, None) => {
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

impl Capabilities {
    /// The store in a folder, with its own local catalog, or with another.
    pub fn at(root: impl Into<PathBuf>, local: Option<PathBuf>) -> Self {
        let root = root.into();
        let local = local.unwrap_or_else(|| root.join(LOCAL));
        // A catalog that is a link stays one.
        Self { local: fs::canonicalize(&local).unwrap_or(local), root }
    }

    /// The user's own: `capabilities` in the folder of their [data](user::data).
    pub fn of_user() -> Option<Self> {
        Some(Self::at(user::data()?.join("capabilities"), None))
    }

    /// The local catalog.
    pub fn local(&self) -> &Path {
        &self.local
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Begins to change the store, unless another process does. Read the catalogs after this.
    pub fn change(&self) -> Result<Changing<'_>, Error> {
        let folder = Folder::create(&self.root, Access::Private)?;
        let lock = folder.try_lock()?.ok_or(Error::Busy)?;
        Ok(Changing { of: self, folder, _lock: lock })
    }

    /// Whether a capability may be called as far as its installation goes: a catalog declares it,
    /// and what was installed for it is in place, unchanged.
    pub fn is_runnable(&self, layers: &Layers, id: &str) -> io::Result<bool> {
        let Some(shown) = layers.get(id) else { return Ok(false) };
        let in_place = self.is_in_place(shown.entry)?;
        Ok(install::is_runnable(layers, id, |_| in_place))
    }

    /// Where the content of a capability is, which its programs run in. Nothing, where none was
    /// installed.
    pub fn content(&self, entry: &CatalogEntry) -> Option<PathBuf> {
        let folder = self.path(&installed_place(entry)).join(CONTENT);
        folder.is_dir().then_some(folder)
    }

    /// What the local catalog declares. One that is not there declares nothing.
    pub fn declared(&self) -> Result<Catalog, Error> {
        let bytes = match fs::read(&self.local) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Catalog::default()),
            bytes => bytes?,
        };
        let limits = Limits::for_catalog();
        let document = Document::parse(&bytes, &limits)
            .map_err(|found| Error::Invalid(Report::from(found)))?;
        let options = ReadCatalog { validate: as_in_catalogs(), ..ReadCatalog::default() };
        Ok(Catalog::read(&document, &options).map_err(Error::Invalid)?.0)
    }

    /// Whether a capability that the local catalog declares is what was installed, and whether
    /// this manifest is still that of it. Nothing, where no such id is declared.
    pub fn verify(
        &self,
        id: &str,
        manifest: Option<&CatalogEntry>,
    ) -> Result<Option<Vec<Check>>, Error> {
        let declared = self.declared()?;
        let Some(entry) = declared.get(id) else { return Ok(None) };
        let agreed = manifest.map(|manifest| {
            if installed_place(manifest) == installed_place(entry) {
                return Check::new("manifest", true, "it is that of the local catalog");
            }
            let version = printable(&entry.manifest().version, 64);
            let found = format!("the local catalog declares another, of version {version}");
            Check::new("manifest", false, found)
        });
        let files = if self.is_in_place(entry)? {
            Check::new("files", true, "all are as they were installed")
        } else {
            Check::new("files", false, "they are not there as they were installed")
        };
        Ok(Some(agreed.into_iter().chain([files]).collect()))
    }

    fn is_in_place(&self, entry: &CatalogEntry) -> io::Result<bool> {
        match Folder::open(&self.root, Access::Private) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            opened => is_whole(&opened?, entry),
        }
    }

    fn path(&self, place: &StorePath) -> PathBuf {
        self.root.join(place.as_str())
    }
}

/// Whether the manifest of an entry is in its place, and its content is what was installed.
fn is_whole(folder: &Folder, entry: &CatalogEntry) -> io::Result<bool> {
    let place = installed_place(entry);
    let stored = folder.read(Path::new(place.as_str()).join(MANIFEST), MOST_BYTES)?;
    let stored = stored.and_then(|bytes| String::from_utf8(bytes).ok());
    let stored = stored.and_then(|text| CatalogEntry::parse(&text, &as_in_catalogs()).ok());
    if stored.is_none_or(|stored| installed_place(&stored) != place) {
        return Ok(false);
    }
    let place = Path::new(place.as_str());
    let digest = folder.read(place.join(DIGEST), MOST_BYTES)?;
    let (Some(digest), Some(path)) = (digest, &entry.manifest().origin.path) else {
        return Ok(true);
    };
    let content = folder.read(place.join(CONTENT).join(&**path), MOST_BYTES)?;
    Ok(content.is_some_and(|bytes| sha256_hex(&bytes).into_bytes() == digest))
}

/// The checks of an entry that may be as long as a catalog.
fn as_in_catalogs() -> Validate {
    Validate { limits: Limits::for_catalog(), ..Validate::default() }
}

impl Changing<'_> {
    /// Removes what a crash left.
    pub fn recover(&self, layers: &Layers) -> io::Result<()> {
        let mut places = Vec::new();
        for folder in FOLDERS {
            let names = names(&self.of.root.join(folder))?;
            places.extend(names.into_iter().map(|name| format!("{folder}/{name}")));
        }
        for name in names(&self.of.root)?.iter().filter(|name| name.starts_with(TEMPORARY)) {
            self.folder.remove(name)?;
        }
        self.discard(&install::recover(layers, places))
    }

    /// Installs a capability: stage, validate, promote, declare. Gives the catalogs as they are
    /// from now on. Whatever fails leaves nothing that could run, and what ran before as it was.
    pub fn install(
        &self,
        entry: CatalogEntry,
        content: Option<&Content>,
        layers: &Layers,
        policy: &Policy,
    ) -> Result<Layers, Error> {
        let staging = Staging::begin(entry, policy).map_err(Error::Denied)?;
        let validating = self.stage(staging, content, layers)?;
        let promoting = self.validate(validating, content, layers)?;
        let committing = self.promote(promoting, layers)?;
        let Installed { layers, obsolete, .. } = self.declare(committing, layers)?;
        // It is installed. What cannot be removed now is removed by the next who changes the store.
        let _ = obsolete.map_or(Ok(()), |place| self.remove(&place));
        Ok(layers)
    }

    /// Forgets all that was installed: the local catalog first, so that nothing of it is declared,
    /// then the rest. What was shipped stays.
    pub fn reset(&self) -> Result<(), Error> {
        match fs::remove_file(&self.of.local) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        Ok(self.recover(&Layers::default())?)
    }

    /// Stores the manifest and the content where nothing runs.
    fn stage(
        &self,
        staging: Staging,
        content: Option<&Content>,
        layers: &Layers,
    ) -> Result<(Validating, StorePath), Error> {
        let place = staging.place();
        let folder = Path::new(place.as_str());
        let stored = content
            .map_or(Ok(()), |content| {
                let name = folder.join(CONTENT).join(&content.path);
                if content.is_program {
                    self.folder.write_program(name, &content.bytes)?;
                } else {
                    self.folder.write(name, &content.bytes)?;
                }
                self.folder.write(folder.join(DIGEST), sha256_hex(&content.bytes).as_bytes())
            })
            .and_then(|()| self.folder.write(folder.join(MANIFEST), staging.manifest().as_bytes()));
        match stored {
            Ok(()) => Ok((staging.staged(), place)),
            Err(error) => Err(self.undone(&staging.failed(layers), error.into())),
        }
    }

    /// Reads what was stored, and holds it against what it should be.
    fn validate(
        &self,
        (validating, place): (Validating, StorePath),
        content: Option<&Content>,
        layers: &Layers,
    ) -> Result<Promoting, Error> {
        let folder = Path::new(place.as_str());
        let read = |name: PathBuf| {
            let missing = || io::Error::from(io::ErrorKind::NotFound);
            self.folder.read(name, MOST_BYTES)?.ok_or_else(missing)
        };
        let digest = |content: &Content| {
            read(folder.join(CONTENT).join(&content.path)).map(|bytes| sha256_hex(&bytes))
        };
        let stored = content
            .map(digest)
            .transpose()
            .and_then(|digest| Ok((read(folder.join(MANIFEST))?, digest)));
        let (manifest, digest) = match stored {
            Ok(stored) => stored,
            Err(error) => return Err(self.undone(&validating.failed(layers), error.into())),
        };
        validating
            .validate(&manifest, digest.as_deref(), layers, &as_in_catalogs())
            .map_err(|(rollback, report)| self.undone(&rollback, Error::Invalid(report)))
    }

    /// Moves what was stored to where it is called from.
    fn promote(&self, promoting: Promoting, layers: &Layers) -> Result<Committing, Error> {
        let (from, to) = (promoting.from(), promoting.to());
        let digest = |place: &StorePath| {
            self.folder.read(Path::new(place.as_str()).join(DIGEST), MOST_BYTES)
        };
        let moved = is_whole(&self.folder, promoting.entry()).and_then(|there| {
            let new = digest(&from)?;
            // The same thing is in place already.
            if there && (new.is_none() || new == digest(&to)?) {
                return self.remove(&from);
            }
            // Its content is new, or another: one of both is in place at any time, if the file system
            // can do that.
            if there && self.folder.exchange(from.as_str(), to.as_str()).is_ok() {
                return self.remove(&from);
            }
            // What is there and not whole cannot be called.
            self.remove(&to)?;
            self.folder.rename(from.as_str(), to.as_str())
        });
        match moved {
            Ok(()) => Ok(promoting.promoted(layers)),
            Err(error) => Err(self.undone(&promoting.failed(layers), error.into())),
        }
    }

    /// Writes the local catalog. From then on the capability is installed.
    fn declare(&self, committing: Committing, layers: &Layers) -> Result<Installed, Error> {
        match self.write_local(committing.local()) {
            Ok(()) => Ok(committing.committed(layers)),
            Err(error) => Err(self.undone(&committing.failed(layers), error.into())),
        }
    }

    /// Writes the local catalog, and changes no more of the file than it must.
    fn write_local(&self, local: &Catalog) -> io::Result<()> {
        let path = &self.of.local;
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        let folder = Folder::open(parent.unwrap_or(Path::new(".")), Access::Shared)?;
        let folder = folder.with_private_files();
        let before = folder.read(name, MOST_BYTES)?.unwrap_or_default();
        let text = match Document::parse(&before, &Limits::for_catalog()) {
            Ok(document) => local.render_over(&document),
            Err(_) => local.render(),
        };
        folder.write(name, text.as_bytes())
    }

    /// Throws away what must not stay, and gives why.
    fn undone(&self, rollback: &Rollback, why: Error) -> Error {
        // Where this fails, the next who changes the store does it.
        let _ = self.discard(rollback);
        why
    }

    fn discard(&self, rollback: &Rollback) -> io::Result<()> {
        rollback.discard.iter().try_for_each(|place| self.remove(place))
    }

    /// Removes a place, if it is there.
    fn remove(&self, place: &StorePath) -> io::Result<()> {
        match fs::remove_dir_all(self.of.path(place)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            // A file is nothing that was put there.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                self.folder.remove(place.as_str())
            }
            removed => removed,
        }
    }
}

/// The names in a folder. One that is not there has none.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let named = entries.take(MOST_PLACES).map(|entry| Ok(entry?.file_name()));
    let names: Vec<_> = named.collect::<io::Result<_>>()?;
    Ok(names.iter().filter_map(|name| name.to_str()).map(str::to_owned).collect())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy => f.write_str("another process changes what is installed: try again later"),
            Self::Denied(denial) => denial.fmt(f),
            Self::Invalid(report) => {
                let first = report.errors().next().map_or("", |found| &found.message);
                write!(f, "what was stored is not installed: {first}")
            }
            Self::Store(error) => write!(f, "the store of capabilities: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Denied(denial) => Some(denial),
            Self::Store(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Store(error)
    }
}

#[cfg(test)]
mod tests;
