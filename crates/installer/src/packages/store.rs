//! The packages of a project: finds, installs and removes them.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use disk::files::folders_in;
use disk::{Access, Folder, Lock};
use toolglot::core::quoted;
use toolglot::mcpkg::meta::ed25519::TrustedKeys;
use toolglot::mcpkg::package::{CheckOptions, MANIFEST, Package};
use toolglot::mcpkg::testing::Summary;

use super::error::Error;
use super::installed::InstalledPackage;
use super::layout::{FOLDER, INFO, MAX_RECORD_BYTES, METRICS, PACKAGES, PackageInfo, STAGING};
use super::offer::Offer;

/// The packages below a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageStore {
    root: PathBuf,
}

impl PackageStore {
    /// Returns the packages in this folder.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Returns the packages of the project in the working directory.
    pub fn in_working_directory() -> Self {
        Self::at(FOLDER)
    }

    /// Returns the store and the tool id of an installed manifest: a file
    /// `ROOT/<toolId>/manifest.json` with a record beside it.
    pub fn of_manifest(file: &Path) -> Option<(Self, String)> {
        let folder = file.parent().filter(|_| file.ends_with(MANIFEST))?;
        let id = folder.file_name()?.to_str()?.to_owned();
        let root = folder.parent().filter(|_| folder.join(INFO).is_file())?;
        Some((Self::at(root), id))
    }

    /// Returns all installed packages, sorted by id.
    pub fn all(&self) -> Result<Vec<InstalledPackage>, Error> {
        let mut all = Vec::new();
        for name in folders_in(&self.root)? {
            if let Some(id) = name.to_str() {
                all.extend(self.find(id)?);
            }
        }
        Ok(all)
    }

    /// Returns the installed package with this id.
    pub fn find(&self, id: &str) -> Result<Option<InstalledPackage>, Error> {
        let Some(root) = Folder::open_existing(&self.root, Access::Shared)? else {
            return Ok(None);
        };
        // The id may come from the command line, and could be any path.
        let first = Path::new(id).components().next();
        if first != Some(Component::Normal(id.as_ref())) || id.starts_with('.') {
            return Ok(None);
        }
        let Some(bytes) = root.read(Path::new(id).join(INFO), MAX_RECORD_BYTES)? else {
            return Ok(None);
        };
        let info: PackageInfo = serde_json::from_slice(&bytes).map_err(|error| {
            io::Error::other(format!("{INFO} of {} is no record: {error}", quoted(id)))
        })?;
        // The folder decides the id, whatever the record contains.
        let info = PackageInfo { tool_id: id.to_owned(), ..info };
        Ok(Some(InstalledPackage::new(info, self.root.clone())))
    }

    /// Checks if a package could be installed, and collects the questions for the owner.
    pub fn offer<'p>(
        &self,
        package: &'p Package<'p>,
        keys: &TrustedKeys,
        options: &CheckOptions,
    ) -> Result<Offer<'p>, Error> {
        Offer::new(package, keys, options, |id| self.find(id))
    }

    /// Installs an offer, and returns its record. `now` is in seconds since 1970. `hears`
    /// gets a line before each step.
    ///
    /// Fails if the signature is invalid, or if another version was installed since the
    /// offer was made. The caller must have the owner's consent to the
    /// [questions](Offer::questions) of the offer; this function does not check that.
    pub fn install(
        &self,
        offer: &Offer<'_>,
        now: i64,
        hears: &mut dyn FnMut(&str),
    ) -> Result<PackageInfo, Error> {
        offer.check_signature()?;
        let change = self.begin_transaction()?;
        let before = self.find(&offer.tool_id)?;
        let installed = before.as_ref().map(|held| &held.info.digest);
        if installed != offer.previous.as_ref().map(|previous| &previous.digest) {
            return Err(Error::OfferOutdated);
        }
        let is_new = self.root.join(&offer.tool_id).symlink_metadata().is_err();
        if before.is_none() && !is_new {
            return Err(Error::UnrecordedFolder(offer.tool_id.clone()));
        }
        let info = offer.to_info(now, &self.root);
        hears("keeps the package");
        let kept = Path::new(PACKAGES).join(&info.tool_id).join(format!("{}.mcpkg", offer.digest));
        change.root.write(kept, &offer.bytes)?;
        hears("unpacks it beside the tools");
        let staged = Path::new(STAGING).join(disk::random_name()?);
        unpack(&change.root, &staged, offer.package)?;
        change.root.write_json(staged.join(INFO), &info)?;
        hears("puts it in its place");
        if is_new {
            change.root.rename(&staged, &info.tool_id)?;
        } else {
            change.root.exchange(&staged, &info.tool_id).map_err(Error::Exchange)?;
        }
        hears("removes what is not needed any more");
        self.remove_leftovers()?;
        Ok(info)
    }

    /// Removes a tool and its stored packages.
    pub fn remove(&self, id: &str, hears: &mut dyn FnMut(&str)) -> Result<(), Error> {
        let change = self.begin_transaction()?;
        if self.find(id)?.is_none() {
            return Err(Error::NotInstalled(id.to_owned()));
        }
        hears("takes it out of its place");
        change.root.rename(id, Path::new(STAGING).join(disk::random_name()?))?;
        hears("removes what is not needed any more");
        self.remove_leftovers()
    }

    /// Adds a test run to the metrics of a tool.
    pub fn record_tests(&self, id: &str, run: Summary) -> Result<(), Error> {
        let change = self.begin_transaction()?;
        let held = self.find(id)?.ok_or_else(|| Error::NotInstalled(id.to_owned()))?;
        let metrics = held.metrics()?.add_run(run);
        Ok(change.root.write_json(Path::new(id).join(METRICS), &metrics)?)
    }

    /// Locks the folder to change it, and removes leftovers.
    fn begin_transaction(&self) -> Result<StoreTransaction, Error> {
        let root = Folder::create(&self.root, Access::Shared)?;
        let lock = root.try_lock()?.ok_or(Error::Busy)?;
        self.remove_leftovers()?;
        Ok(StoreTransaction { root, _lock: lock })
    }

    /// Removes unfinished installations, and the stored packages of tools that are not
    /// installed.
    fn remove_leftovers(&self) -> Result<(), Error> {
        match fs::remove_dir_all(self.root.join(STAGING)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let kept = self.root.join(PACKAGES);
        for name in folders_in(&kept)? {
            // A package's id never begins with a dot.
            let is_ours = !name.as_os_str().as_encoded_bytes().starts_with(b".");
            if is_ours && !self.root.join(&name).join(INFO).is_file() {
                fs::remove_dir_all(kept.join(name))?;
            }
        }
        Ok(())
    }
}

/// Writes the files of a package to a folder below `root`.
fn unpack(root: &Folder, folder: &Path, package: &Package<'_>) -> io::Result<()> {
    for entry in package.entries() {
        // The check of the package guarantees relative names without `..`, with the same
        // meaning on all systems.
        let name = folder.join(&*entry.name);
        if entry.executable {
            root.write_program(name, &entry.data)?;
        } else {
            root.write(name, &entry.data)?;
        }
    }
    Ok(())
}

/// The right to change the store, exclusive while it exists.
struct StoreTransaction {
    root: Folder,
    _lock: Lock,
}
