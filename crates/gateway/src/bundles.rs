//! Jumith bundles: a manifest and the files of its module, in one JSON document.

use std::io;
use std::path::PathBuf;

use disk::user;
use disk::{Access, Folder};
use toolglot::core::sha256_hex;
use toolglot::json::Document;
use toolglot::jumith::{Bundle, ExpectedBundle, bundle};
use toolglot::{Limits, ValidateOptions};

/// A bundle that was unpacked to disk, so that its module can be called.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnpackedBundle {
    /// The text of its manifest, as the bundle contains it.
    pub manifest: String,
    /// The folder with its files.
    pub folder: PathBuf,
}

/// Unpacks a bundle into the user's cache, to a folder named after the SHA-256 of the
/// bundle. Returns `None` if `bytes` are not a bundle. Fails if the bundle is invalid, or
/// its files cannot be written.
pub fn unpack_bundle(bytes: &[u8]) -> Result<Option<UnpackedBundle>, String> {
    let limits = Limits::for_bundle();
    let Ok(document) = Document::parse(bytes, &limits) else { return Ok(None) };
    let root = document.root();
    let (Some(manifest), Some(_)) = (root.get("manifest"), root.get("files")) else {
        return Ok(None);
    };
    let options = ValidateOptions { limits, ..ValidateOptions::default() };
    let report = Bundle::check(&document, &ExpectedBundle::default(), &options);
    if !report.is_valid() {
        return Err(format!("the bundle is not valid: {report}"));
    }
    let files = bundle::files(&document, &options);
    let folder = write_files(&sha256_hex(bytes), &files)
        .map_err(|error| format!("the files of the bundle cannot be written: {error}"))?;
    Ok(Some(UnpackedBundle { manifest: manifest.raw().to_owned(), folder }))
}

fn write_files(digest: &str, files: &[(String, Vec<u8>)]) -> io::Result<PathBuf> {
    let Some(cache) = user::cache() else {
        let message = "there is no cache: neither XDG_CACHE_HOME nor HOME is an absolute path";
        return Err(io::Error::other(message));
    };
    let path = cache.join("bundles").join(digest);
    let folder = Folder::create(&path, Access::Private)?;
    for (name, bytes) in files {
        folder.write(name, bytes)?;
    }
    Ok(path)
}
