//! Tools on disk, in the layout of the published hub:
//! `<folder>/<tool>/<version>/{manifest.json, files/…}`. Bundles, as JSON files directly in
//! the folder, are read too. Names that begin with a dot are skipped.
//!
//! An empty file marks a version as yanked: `yanked` beside its `manifest.json`, or the
//! name of the bundle with `.yanked` appended.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use disk::files::{self, Stamp};
use toolglot::core::secret;
use toolglot::json::Document;
use toolglot::jumith::server::Package;
use toolglot::jumith::{Bundle, ExpectedBundle};
use toolglot::{Limits, Report};

use crate::skipped::{SkippedItem, display_path};

/// The state of the files in a folder. It differs if a file has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FolderState(Vec<(PathBuf, Stamp)>);

impl FolderState {
    /// Reads the state of all files below a folder.
    pub(super) fn of(folder: &Path) -> Self {
        /// The most files that are looked at.
        const MOST: usize = 100_000;
        /// The deepest level: a tool, a version, `files`, and folders below that.
        const DEEPEST: usize = 16;
        let (mut stamps, mut open) = (Vec::new(), vec![(folder.to_owned(), 0)]);
        while let Some((folder, depth)) = open.pop() {
            for path in children(&folder).unwrap_or_default() {
                let Ok(about) = fs::symlink_metadata(&path) else { continue };
                if about.is_dir() && depth < DEEPEST {
                    open.push((path, depth + 1));
                } else if stamps.len() < MOST {
                    stamps.push((path, Stamp::of(&about)));
                }
            }
        }
        Self(stamps)
    }
}

/// The packages of a folder.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct FolderPackages {
    /// Every version of every tool, with its path, in the order of the names.
    pub packages: Vec<(PathBuf, Package)>,
    /// Packages that cannot be read.
    pub skipped: Vec<SkippedItem>,
    /// The manifests of bundles that are skipped. The registry uses them to report runtimes
    /// that it does not support: see
    /// [`Registry::with_unsupported`](toolglot::jumith::server::Registry::with_unsupported).
    pub unsupported: Vec<String>,
}

impl FolderPackages {
    fn add(&mut self, path: PathBuf, read: io::Result<Option<Package>>) {
        match read {
            Ok(Some(package)) => self.packages.push((path, package)),
            Ok(None) => {}
            Err(error) => {
                let (why, own) = (error.to_string(), format!("{}: ", display_path(&path)));
                self.skipped.push(SkippedItem::file(&path, why.strip_prefix(&own).unwrap_or(&why)));
            }
        }
    }
}

/// Reads every version of every tool in a folder. Other files are skipped, and a broken
/// package does not affect the others.
pub fn read_packages(folder: &Path) -> io::Result<FolderPackages> {
    let mut found = FolderPackages::default();
    for path in visible_entries(folder)? {
        if path.is_dir() {
            let versions = visible_entries(&path).unwrap_or_else(|error| {
                found.skipped.push(SkippedItem::file(&path, error.to_string()));
                Vec::new()
            });
            for version in versions {
                if version.join("manifest.json").is_file() {
                    let read = read_package(&version).map(Some);
                    found.add(version, read);
                }
            }
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let read = read_valid_bundle(&path);
            if read.is_err() {
                found.unsupported.extend(bundle_manifest(&path));
            }
            found.add(path, read);
        }
    }
    Ok(found)
}

/// Returns the path of the file that marks a package as yanked.
pub(super) fn yanked_file(package: &Path) -> PathBuf {
    if package.is_dir() {
        return package.join("yanked");
    }
    let mut name = package.as_os_str().to_owned();
    name.push(".yanked");
    PathBuf::from(name)
}

/// Reads one version of a tool: its manifest, and the files beside it.
pub fn read_package(version: &Path) -> io::Result<Package> {
    let limits = Limits::for_bundle();
    let manifest = read(&version.join("manifest.json"), limits.document_bytes)?;
    let manifest = String::from_utf8(manifest)
        .map_err(|_| file_error(&version.join("manifest.json"), "is not UTF-8"))?;
    let mut files = Vec::new();
    let root = version.join("files");
    if root.is_dir() {
        let mut left = limits.bundle_bytes;
        collect_files(&root, "", &mut files, &mut left, &limits)?;
    }
    Ok(Package { manifest, files, yanked: yanked_file(version).exists() })
}

fn read_valid_bundle(path: &Path) -> io::Result<Option<Package>> {
    read_bundle(path)?.transpose().map_err(|report| {
        let first = report.errors().next().map(ToString::to_string);
        file_error(path, &first.unwrap_or_default())
    })
}

/// Returns the manifest of a bundle, even if the rest is invalid.
fn bundle_manifest(path: &Path) -> Option<String> {
    let limits = Limits::for_bundle();
    let bytes = read(path, limits.document_bytes).ok()?;
    let document = Document::parse(&bytes, &limits).ok()?;
    document.root().get("manifest").map(|manifest| manifest.raw().to_owned())
}

/// Reads a bundle as a package, or returns a report if it is invalid. Returns `None` for a
/// file that does not look like a bundle.
pub(super) fn read_bundle(path: &Path) -> io::Result<Option<Result<Package, Report>>> {
    let limits = Limits::for_bundle();
    let bytes = read(path, limits.document_bytes)?;
    let Ok(document) = Document::parse(&bytes, &limits) else { return Ok(None) };
    if ["manifest", "files"].iter().any(|name| document.root().get(name).is_none()) {
        return Ok(None);
    }
    let options = toolglot::ValidateOptions { limits, ..toolglot::ValidateOptions::default() };
    let report = Bundle::check(&document, &ExpectedBundle::default(), &options);
    if !report.is_valid() {
        return Ok(Some(Err(report)));
    }
    let manifest = document.root().get("manifest").map(|manifest| manifest.raw().to_owned());
    let files = toolglot::jumith::bundle::files(&document, &options);
    let yanked = yanked_file(path).exists();
    Ok(Some(Ok(Package { manifest: manifest.unwrap_or_default(), files, yanked })))
}

/// Returns true if a package contains text in the shape of a secret.
pub(super) fn holds_secret(package: &Package) -> bool {
    let manifest = Document::parse(package.manifest.as_bytes(), &Limits::for_bundle());
    let in_manifest = manifest.is_ok_and(|found| !secret::scan(found.root(), 1).is_empty());
    let in_file = |(_, bytes): &(String, Vec<u8>)| {
        std::str::from_utf8(bytes).is_ok_and(|text| secret::find(text).is_some())
    };
    in_manifest || package.files.iter().any(in_file)
}

/// Collects the files below a folder, with `/` between the segments of their paths. Fails
/// on links, because they could lead out of it.
fn collect_files(
    folder: &Path,
    prefix: &str,
    files: &mut Vec<(String, Vec<u8>)>,
    left: &mut usize,
    limits: &Limits,
) -> io::Result<()> {
    // The limit for paths also limits the depth of folders.
    if prefix.matches('/').count() > limits.path_segments {
        return Err(file_error(folder, "is too deep"));
    }
    for path in children(folder)? {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| file_error(&path, "has a name that is not UTF-8"))?;
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_dir() {
            collect_files(&path, &format!("{prefix}{name}/"), files, left, limits)?;
        } else if kind.is_file() {
            if files.len() >= limits.bundle_files {
                return Err(file_error(folder, "has too many files"));
            }
            let bytes = read(&path, *left)?;
            *left -= bytes.len();
            files.push((format!("{prefix}{name}"), bytes));
        } else {
            return Err(file_error(&path, "is neither a file nor a folder"));
        }
    }
    Ok(())
}

pub(super) fn visible_entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_hidden = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    };
    let mut paths = children(folder)?;
    paths.retain(|path| !is_hidden(path));
    Ok(paths)
}

fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| file_error(folder, &error.to_string()))?;
    let paths: io::Result<Vec<_>> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths?;
    paths.sort();
    Ok(paths)
}

pub(super) fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    files::read(path, limit).map_err(|error| file_error(path, &error.to_string()))
}

fn file_error(path: &Path, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", display_path(path)))
}
