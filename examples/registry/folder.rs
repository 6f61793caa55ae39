//! Tools on disk, as the published hub keeps them:
//! `<folder>/<tool>/<version>/{manifest.json, files/…}`. Bundles, as JSON files
//! directly in the folder, are taken too.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use toolglot::Limits;
use toolglot::json::Document;
use toolglot::jumith::server::Package;
use toolglot::jumith::{Bundle, Expected};

/// Every version of every tool in a folder, with where it was found, in the order
/// of the names.
pub(crate) fn packages(folder: &Path) -> io::Result<Vec<(PathBuf, Package)>> {
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
            found.push((path, package));
        }
    }
    Ok(found)
}

/// One version of a tool: its manifest, and the files beside it.
pub(crate) fn package(version: &Path) -> io::Result<Package> {
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

/// Opens a bundle again, so that it can be served.
fn from_bundle(path: &Path) -> io::Result<Package> {
    let limits = Limits::for_bundle();
    let bytes = read(path, limits.document_bytes)?;
    let document =
        Document::parse(&bytes, &limits).map_err(|error| wrong(path, &error.to_string()))?;
    let options = toolglot::Validate { limits, ..toolglot::Validate::default() };
    let report = Bundle::check(&document, &Expected::default(), &options);
    if let Some(error) = report.errors().next() {
        return Err(wrong(path, &error.to_string()));
    }
    let manifest = document.root().get("manifest").map(|manifest| manifest.raw().to_owned());
    let files = toolglot::jumith::bundle::files(&document, &options);
    Ok(Package { manifest: manifest.unwrap_or_default(), files })
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
    let mut bytes = Vec::new();
    let room = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let file = File::open(path).map_err(|error| wrong(path, &error.to_string()))?;
    file.take(room).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        return Err(wrong(path, "is too large"));
    }
    Ok(bytes)
}

fn wrong(path: &Path, what: &str) -> io::Error {
    let shown = toolglot::core::printable(&path.display().to_string(), 512);
    io::Error::new(io::ErrorKind::InvalidData, format!("{shown}: {what}"))
}
