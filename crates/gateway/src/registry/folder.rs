//! Tools on disk, as the published hub keeps them:
//! `<folder>/<tool>/<version>/{manifest.json, files/…}`. Bundles, as JSON files
//! directly in the folder, are taken too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use toolglot::Limits;
use toolglot::json::Document;
use toolglot::jumith::server::Package;
use toolglot::jumith::{Bundle, Expected};

use crate::files;
use crate::left_out::shown;

/// What changes when a file of the folder does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamps(Vec<(PathBuf, u64, Option<SystemTime>)>);

impl Stamps {
    /// Those of the files that packages are made of.
    pub(super) fn of(folder: &Path) -> Self {
        /// Files that are looked at.
        const MOST: usize = 100_000;
        /// A tool, a version, `files`, and what is in them.
        const DEEPEST: usize = 16;
        let (mut stamps, mut open) = (Vec::new(), vec![(folder.to_owned(), 0)]);
        while let Some((folder, depth)) = open.pop() {
            for path in children(&folder).unwrap_or_default() {
                let Ok(about) = fs::symlink_metadata(&path) else { continue };
                if about.is_dir() && depth < DEEPEST {
                    open.push((path, depth + 1));
                } else if stamps.len() < MOST {
                    stamps.push((path, about.len(), about.modified().ok()));
                }
            }
        }
        Self(stamps)
    }
}

/// Every version of every tool in a folder, with where it was found, in the order
/// of the names. Other files are passed over.
pub fn packages(folder: &Path) -> io::Result<Vec<(PathBuf, Package)>> {
    let mut found = Vec::new();
    for path in children(folder)? {
        if path.is_dir() {
            for version in children(&path)? {
                if version.join("manifest.json").is_file() {
                    let package = package(&version)?;
                    found.push((version, package));
                }
            }
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let package = from_bundle(&path)?;
            found.extend(package.map(|package| (path, package)));
        }
    }
    Ok(found)
}

/// One version of a tool: its manifest, and the files beside it.
pub fn package(version: &Path) -> io::Result<Package> {
    let limits = Limits::for_bundle();
    let manifest = read(&version.join("manifest.json"), limits.document_bytes)?;
    let manifest = String::from_utf8(manifest)
        .map_err(|_| wrong(&version.join("manifest.json"), "is not UTF-8"))?;
    let mut files = Vec::new();
    let root = version.join("files");
    if root.is_dir() {
        let mut left = limits.bundle_bytes;
        collect(&root, "", &mut files, &mut left, &limits)?;
    }
    Ok(Package { manifest, files })
}

/// Opens a bundle again, so that it can be served. A file that does not look like one is none.
fn from_bundle(path: &Path) -> io::Result<Option<Package>> {
    let limits = Limits::for_bundle();
    let bytes = read(path, limits.document_bytes)?;
    let Ok(document) = Document::parse(&bytes, &limits) else { return Ok(None) };
    if ["manifest", "files"].iter().any(|name| document.root().get(name).is_none()) {
        return Ok(None);
    }
    let options = toolglot::Validate { limits, ..toolglot::Validate::default() };
    let report = Bundle::check(&document, &Expected::default(), &options);
    if let Some(error) = report.errors().next() {
        return Err(wrong(path, &error.to_string()));
    }
    let manifest = document.root().get("manifest").map(|manifest| manifest.raw().to_owned());
    let files = toolglot::jumith::bundle::files(&document, &options);
    Ok(Some(Package { manifest: manifest.unwrap_or_default(), files }))
}

/// The files below a folder, with `/` between the segments of their paths. Links
/// are refused: they could lead out of it.
fn collect(
    folder: &Path,
    prefix: &str,
    files: &mut Vec<(String, Vec<u8>)>,
    left: &mut usize,
    limits: &Limits,
) -> io::Result<()> {
    // As deep as a path may be.
    if prefix.matches('/').count() > limits.path_segments {
        return Err(wrong(folder, "is too deep"));
    }
    for path in children(folder)? {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| wrong(&path, "has a name that is not UTF-8"))?;
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), files, left, limits)?;
        } else if kind.is_file() {
            if files.len() >= limits.bundle_files {
                return Err(wrong(folder, "has too many files"));
            }
            let bytes = read(&path, *left)?;
            *left -= bytes.len();
            files.push((format!("{prefix}{name}"), bytes));
        } else {
            return Err(wrong(&path, "is neither a file nor a folder"));
        }
    }
    Ok(())
}

fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| wrong(folder, &error.to_string()))?;
    let paths: io::Result<Vec<_>> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths?;
    paths.sort();
    Ok(paths)
}

fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    files::read(path, limit).map_err(|error| wrong(path, &error.to_string()))
}

fn wrong(path: &Path, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", shown(path)))
}
