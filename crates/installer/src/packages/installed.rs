//! Installed packages.

use std::io;
use std::path::{Path, PathBuf};

use disk::store::{FileChange, FileDigests};
use disk::{Access, Folder};
use toolglot::Limits;
use toolglot::core::version::parse_exact;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::meta::ed25519::TrustedKeys;
use toolglot::mcpkg::package::{MANIFEST, Package};

use super::error::Error;
use super::layout::{INFO, MAX_RECORD_BYTES, METRICS, PACKAGES, PackageInfo, TestMetrics};
use crate::verify::{Check, files_check};

/// An installed package.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InstalledPackage {
    /// The record of the package.
    pub info: PackageInfo,
    root: PathBuf,
}

/// A stored package: the installed version of a tool, or an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredPackage {
    /// The version.
    pub version: String,
    /// The digest of its content.
    pub digest: String,
    /// The archive.
    pub bytes: Vec<u8>,
}

impl InstalledPackage {
    pub(super) const fn new(info: PackageInfo, root: PathBuf) -> Self {
        Self { info, root }
    }

    /// Returns the folder of the tool's files.
    pub fn folder(&self) -> PathBuf {
        self.root.join(&self.info.tool_id)
    }

    /// Reads the current manifest in the folder of the tool.
    pub fn manifest(&self) -> Result<Vec<u8>, Error> {
        let limit = u64::try_from(Limits::default().document_bytes).unwrap_or(u64::MAX);
        let text = self.open_root()?.read(Path::new(&self.info.tool_id).join(MANIFEST), limit)?;
        text.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound).into())
    }

    /// Returns the approved manifest, or the current one if the package is not stored.
    pub fn approved_manifest(&self) -> Result<Vec<u8>, Error> {
        let Some(bytes) = self.approved_package()? else { return self.manifest() };
        let package = Package::read(&bytes, &Limits::default()).map_err(Error::Archive)?;
        Ok(package.manifest().to_vec())
    }

    /// Reads the results of the tool's tests.
    pub fn metrics(&self) -> Result<TestMetrics, Error> {
        let name = Path::new(&self.info.tool_id).join(METRICS);
        let bytes = self.open_root()?.read(name, MAX_RECORD_BYTES)?;
        let Some(bytes) = bytes else { return Ok(TestMetrics::default()) };
        let unreadable = |error| io::Error::other(format!("{METRICS}: {error}"));
        Ok(serde_json::from_slice(&bytes).map_err(unreadable)?)
    }

    /// Returns the approved package. Returns `None` if it is not stored, or was changed.
    pub fn approved_package(&self) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.stored_package(&self.open_root()?, &self.info.digest)?.map(|kept| kept.bytes))
    }

    /// Returns the stored packages of the tool, sorted by version. Skips invalid packages,
    /// and those whose digest differs from their file name.
    pub fn stored_packages(&self) -> Result<Vec<StoredPackage>, Error> {
        let folder = self.root.join(PACKAGES).join(&self.info.tool_id);
        let entries = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let root = self.open_root()?;
        let mut all = Vec::new();
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let Some(digest) = name.strip_suffix(".mcpkg") else { continue };
            all.extend(self.stored_package(&root, digest)?);
        }
        all.sort_by_cached_key(|kept| (parse_exact(&kept.version).ok(), kept.digest.clone()));
        Ok(all)
    }

    /// Returns the stored package with this digest.
    fn stored_package(&self, root: &Folder, digest: &str) -> Result<Option<StoredPackage>, Error> {
        let limits = Limits::default();
        let most = u64::try_from(limits.archive_bytes).unwrap_or(u64::MAX);
        // The digest of a record can be any text.
        let is_digest = digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_digest {
            return Ok(None);
        }
        let name = Path::new(PACKAGES).join(&self.info.tool_id).join(format!("{digest}.mcpkg"));
        let Some(bytes) = root.read(name, most)? else { return Ok(None) };
        let Some(version) = package_version(&bytes, digest, &limits) else { return Ok(None) };
        Ok(Some(StoredPackage { version, digest: digest.to_owned(), bytes }))
    }

    /// Checks if the package, its files and its signature are still the approved ones.
    pub fn verify(&self, keys: &TrustedKeys) -> Result<Vec<Check>, Error> {
        let Some(bytes) = self.approved_package()? else {
            let found = "the package that was agreed to is not kept, or is another";
            return Ok(vec![Check::new("package", false, found)]);
        };
        let limits = Limits::default();
        let package = Package::read(&bytes, &limits).map_err(Error::Archive)?;
        let agreed = format!("sha256:{}", self.info.digest);
        Ok(vec![
            Check::new("package", true, agreed),
            files_check(&self.file_changes(&package)?),
            Check::from(&keys.signature_status(&package, &limits)),
        ])
    }

    /// Checks if a package with this digest is the approved one.
    pub fn check_digest(&self, digest: &str) -> Check {
        let agreed = &self.info.digest;
        if digest == agreed {
            return Check::new("package", true, format!("sha256:{digest}"));
        }
        let found = format!("agreed to was sha256:{agreed}, this is sha256:{digest}");
        Check::new("package", false, found)
    }

    /// Returns the files that differ from those of the package.
    fn file_changes(&self, package: &Package<'_>) -> Result<Vec<FileChange>, Error> {
        let entries = package.entries().iter();
        let then: FileDigests = entries.map(|entry| (&*entry.name, &entry.data)).collect();
        let mut changed = then.diff(&FileDigests::below(&self.folder())?);
        for own in [INFO, METRICS] {
            changed.retain(|one| *one != FileChange::New(own.to_owned()));
        }
        Ok(changed)
    }

    fn open_root(&self) -> io::Result<Folder> {
        Folder::open(&self.root, Access::Shared)
    }
}

/// Returns the version of a package, or `None` if it is invalid or has another digest.
fn package_version(bytes: &[u8], digest: &str, limits: &Limits) -> Option<String> {
    let package = Package::read(bytes, limits).ok()?;
    let document = package.document(limits).ok()?;
    let version = Manifest::read(&document).version.to_string();
    if package.digest() == digest { Some(version) } else { None }
}
