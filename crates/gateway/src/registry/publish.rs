//! Changes to the folder of a registry.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use disk::{Access, Folder};
use toolglot::json::Document;
use toolglot::jumith::Manifest;
use toolglot::jumith::bundle::digest;
use toolglot::jumith::cache::SeenVersions;
use toolglot::jumith::install::{tool_folder, version_folder};
use toolglot::jumith::server::{Package, Registry};
use toolglot::{Diagnostic, Limits, Report, ValidateOptions};

use super::folder::{holds_secret, read_bundle, read_package, read_packages, yanked_file};
use crate::skipped::display_path;

/// A version that was published in a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublishedVersion {
    /// The id of the tool.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The path of the version.
    pub path: PathBuf,
    /// True if the version was not there before.
    pub is_new: bool,
}

/// The reason why a version is not published.
#[derive(Debug)]
#[non_exhaustive]
pub enum PublishError {
    /// A file cannot be read or written.
    Disk(io::Error),
    /// A client would not install this bundle. Contains the text of its manifest, if it can
    /// be read, and the errors.
    Invalid(String, Report),
    /// The package contains a secret.
    Secret,
    /// The version is already there, with other content.
    Changed(Diagnostic),
}

impl fmt::Display for PublishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disk(error) => error.fmt(f),
            Self::Invalid(_, report) => report.fmt(f),
            Self::Secret => f.write_str("it holds a secret, which everybody could read"),
            Self::Changed(diagnostic) => diagnostic.fmt(f),
        }
    }
}

impl std::error::Error for PublishError {}

impl From<io::Error> for PublishError {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// Puts a version of a tool into the folder of a registry: a bundle, or a folder with
/// `manifest.json` and `files/`. Blocks.
///
/// The digest of the files is written into the manifest, so that a registry notices if they
/// change. The version appears in the folder completely or not at all.
pub fn publish(folder: &Path, what: &Path) -> Result<PublishedVersion, PublishError> {
    let read = if what.is_dir() { Some(Ok(read_package(what)?)) } else { read_bundle(what)? };
    let no_bundle = || io::Error::other(format!("{} is no bundle", display_path(what)));
    let read = read.ok_or_else(no_bundle)?;
    let package = add_digest(read.map_err(|report| PublishError::Invalid(String::new(), report))?);
    if holds_secret(&package) {
        return Err(PublishError::Secret);
    }
    if let Err(refused) = Registry::new(vec![package.clone()], &ValidateOptions::default()) {
        let report = refused.into_iter().next().map(|refused| refused.report);
        return Err(PublishError::Invalid(package.manifest, report.unwrap_or_default()));
    }
    let (id, version) = id_and_version(&package).ok_or_else(no_bundle)?;
    let opened = Folder::create(folder, Access::Shared)?;
    let _lock = opened.lock()?;
    if let Some(path) = find_version(folder, &package)? {
        return Ok(PublishedVersion { id, version, path, is_new: false });
    }
    let place = Path::new(&tool_folder(&id)).join(version_folder(&version));
    let staged = format!(".publish-{}", disk::random_name()?);
    let written = write_staged(&opened, Path::new(&staged), &package)
        .and_then(|()| opened.rename(&staged, &place));
    if written.is_err() {
        let _ = std::fs::remove_dir_all(folder.join(&staged));
    }
    written?;
    Ok(PublishedVersion { id, version, path: folder.join(place), is_new: true })
}

/// Hides a version from searches and from requests for the latest, or shows it again.
/// Requests for exactly this version still get it. Returns its path, or `None` if it is
/// missing. Blocks.
pub fn yank(folder: &Path, id: &str, version: &str, yanked: bool) -> io::Result<Option<PathBuf>> {
    let opened = Folder::open(folder, Access::Shared)?;
    let _lock = opened.lock()?;
    let is_it =
        |package: &Package| id_and_version(package).is_some_and(|(i, v)| i == id && v == version);
    let found = read_packages(folder)?.packages.into_iter().find(|(_, package)| is_it(package));
    let Some((path, _)) = found else { return Ok(None) };
    let mark = yanked_file(&path);
    let name = mark.strip_prefix(folder).map_err(io::Error::other)?;
    if yanked {
        opened.write(name, b"")?;
    } else {
        opened.remove(name)?;
    }
    Ok(Some(path))
}

/// Adds the digest of the files to the manifest, unless it has one.
fn add_digest(package: Package) -> Package {
    let Ok(document) = Document::parse(package.manifest.as_bytes(), &Limits::for_bundle()) else {
        return package;
    };
    let has = document.root().get("sha256").is_some();
    let text = package.manifest.trim_end();
    let Some(start) = text.strip_suffix('}').filter(|_| !has) else { return package };
    let files = package.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    let start = start.trim_end();
    let comma = if start.ends_with('{') { "" } else { "," };
    let manifest = format!("{start}{comma}\n  \"sha256\": \"{}\"\n}}\n", digest(files));
    Package { manifest, ..package }
}

/// Returns the id and the version of a package.
fn id_and_version(package: &Package) -> Option<(String, String)> {
    let document = Document::parse(package.manifest.as_bytes(), &Limits::for_bundle()).ok()?;
    let manifest = Manifest::read(&document);
    Some((manifest.id.into_owned(), manifest.version.into_owned()))
}

/// Returns the path of a version that is already there. Fails if its content differs.
fn find_version(folder: &Path, package: &Package) -> Result<Option<PathBuf>, PublishError> {
    let limits = Limits::for_bundle();
    let Some((key, content)) = package.version_digest(&limits) else { return Ok(None) };
    for (path, other) in read_packages(folder)?.packages {
        let Some((other, found)) = add_digest(other).version_digest(&limits) else { continue };
        if other == key {
            let mut seen: SeenVersions = [(other, found)].into_iter().collect();
            return seen.record(key, &content).map(|_| Some(path)).map_err(PublishError::Changed);
        }
    }
    Ok(None)
}

fn write_staged(folder: &Folder, staged: &Path, package: &Package) -> io::Result<()> {
    for (name, bytes) in &package.files {
        folder.write(staged.join("files").join(name), bytes)?;
    }
    folder.write(staged.join("manifest.json"), package.manifest.as_bytes())
}
