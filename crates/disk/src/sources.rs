//! Sources of converted manifests, stored and found by their digests.
//!
//! `HEX.json` is the source itself, and `HEX/` beside it contains the files that its calls
//! name. They are in `.toolglot/sources` below the folder of a converted manifest, or in
//! the user's [store](user_store).

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use diagnostic::printable;
use manifest_core::descriptor::SOURCES_FOLDER;
use manifest_core::sha256_hex;

use crate::{Access, Folder, user};

/// The maximum size of a copied file that a call names.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// A source that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The source, byte for byte.
    pub bytes: Vec<u8>,
    /// The file that contains it.
    pub file: PathBuf,
    /// The folder to which its calls are relative, if there is one.
    pub folder: Option<PathBuf>,
}

/// The reason why a source is not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindSourceError {
    /// The digest is not 64 hexadecimal digits.
    #[error("a source is named by sha256: and 64 hexadecimal digits")]
    Digest,
    /// A file has the name of the source, but other bytes.
    #[error("{} has other bytes than its name says", printable(&.0.display().to_string(), 512))]
    Other(PathBuf),
    /// No readable file has the name of the source.
    #[error(
        "the source of this tool is not here: convert it again with -o FOLDER or --store, or copy \
         it to {SOURCES_FOLDER} below the folder, named after its digest"
    )]
    Nowhere,
}

/// Returns the user's own store of sources: `sources` in the folder of their
/// [data](user::data).
pub fn user_store() -> Option<PathBuf> {
    Some(user::data()?.join("sources"))
}

/// Finds the source with this SHA-256 digest, which is written in hexadecimal.
///
/// Searches `folder`, and then the store. If `folder` is `None`, searches the store, and
/// then the working directory, which may belong to anyone.
pub fn find(digest: &str, folder: Option<&Path>, limit: usize) -> Result<Source, FindSourceError> {
    if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(FindSourceError::Digest);
    }
    let digest = digest.to_ascii_lowercase();
    let root = folder.unwrap_or(Path::new("."));
    let beside = Some((root.join(SOURCES_FOLDER), Some(root.to_owned())));
    let stored = user_store().map(|store| (store, None));
    let places = if folder.is_some() { [beside, stored] } else { [stored, beside] };
    let name = format!("{digest}.json");
    let mut why = FindSourceError::Nowhere;
    for (sources, root) in places.into_iter().flatten() {
        // A folder or a file that cannot be read does not have the source.
        let Ok(opened) = Folder::open(&sources, Access::Shared) else { continue };
        let Ok(Some(bytes)) = opened.read(&name, limit as u64) else { continue };
        let file = sources.join(&name);
        if sha256_hex(&bytes) == digest {
            let own = sources.join(&digest);
            let folder = if own.is_dir() { Some(own) } else { root };
            return Ok(Source { bytes, file, folder });
        }
        why = FindSourceError::Other(file);
    }
    Err(why)
}

/// A source to be stored, with the files that its calls name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSource<'s> {
    digest: String,
    text: &'s str,
    files: Vec<(String, Contents)>,
    /// The files that cannot be stored, with the reasons.
    pub skipped_files: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Contents {
    bytes: Vec<u8>,
    is_executable: bool,
}

impl<'s> StoredSource<'s> {
    /// Collects a source, and the files with these names in its folder.
    pub fn new(
        text: &'s str,
        names: impl IntoIterator<Item = String>,
        folder: Option<&Path>,
    ) -> Self {
        let digest = sha256_hex(text.as_bytes());
        let (mut files, mut skipped_files) = (Vec::new(), Vec::new());
        for name in names {
            match folder.map_or(Ok(None), |folder| read(folder, &name)) {
                Ok(Some(contents)) => files.push((name, contents)),
                Ok(None) => skipped_files.push((name, "is not beside the source".to_owned())),
                Err(error) => skipped_files.push((name, format!("cannot be copied ({error})"))),
            }
        }
        Self { digest, text, files, skipped_files }
    }

    /// Writes it beside a converted manifest. Returns the names of the written files.
    pub fn write_beside(&self, folder: &Folder) -> io::Result<Vec<String>> {
        self.write(folder, &format!("{SOURCES_FOLDER}/"))
    }

    /// Writes it to the user's store. Returns the path of the source.
    pub fn write_to_store(&self) -> io::Result<PathBuf> {
        let Some(store) = user_store() else {
            let message = "there is no store: neither XDG_DATA_HOME nor HOME is an absolute path";
            return Err(io::Error::other(message));
        };
        self.write(&Folder::create(&store, Access::Private)?, "")?;
        Ok(store.join(format!("{}.json", self.digest)))
    }

    fn write(&self, folder: &Folder, below: &str) -> io::Result<Vec<String>> {
        let mut written = Vec::new();
        for (name, Contents { bytes, is_executable }) in &self.files {
            let name = format!("{below}{}/{name}", self.digest);
            if *is_executable {
                folder.write_program(&name, bytes)?;
            } else {
                folder.write(&name, bytes)?;
            }
            written.push(name);
        }
        // The source is written last: if it exists, its files do too.
        let name = format!("{below}{}.json", self.digest);
        folder.write(&name, self.text.as_bytes())?;
        written.push(name);
        Ok(written)
    }
}

/// Reads a file below a folder. Returns `None` if it does not exist.
fn read(folder: &Path, name: &str) -> io::Result<Option<Contents>> {
    let opened = Folder::open(folder, Access::Shared)?;
    let Some(bytes) = opened.read(name, MAX_FILE_BYTES)? else { return Ok(None) };
    let mode = folder.join(name).metadata()?.permissions().mode();
    Ok(Some(Contents { bytes, is_executable: mode & 0o111 != 0 }))
}
