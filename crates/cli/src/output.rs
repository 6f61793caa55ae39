//! Writing files: whole, or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::input::{is_standard, shown};
use crate::terminal::{Failure, Terminal};

/// Refuses to write two things to one place.
pub(crate) fn distinct(paths: &[Option<&PathBuf>], terminal: &Terminal) -> Result<(), Failure> {
    let mut paths: Vec<_> = paths.iter().flatten().collect();
    paths.sort();
    match paths.windows(2).find(|pair| pair.first() == pair.last()) {
        Some([path, ..]) => {
            Err(terminal.trouble(&format!("two outputs would go to {}", shown(path))))
        }
        _ => Ok(()),
    }
}

/// Writes a JSON document to a file, or to standard output when the path is `-`.
pub(crate) fn write(path: &Path, text: &str, terminal: &Terminal) -> Result<(), Failure> {
    if is_standard(path) {
        return terminal.print_document(text);
    }
    write_bytes(path, text.as_bytes(), terminal)
}

/// Writes bytes to a file, or to standard output when the path is `-`.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8], terminal: &Terminal) -> Result<(), Failure> {
    if is_standard(path) {
        return terminal.print_bytes(bytes);
    }
    write_file(path, bytes)
        .map_err(|error| terminal.trouble(&format!("cannot write {}: {error}", shown(path))))
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        // A device or a pipe cannot be replaced by a file.
        Ok(found) if !found.is_file() => {
            OpenOptions::new().write(true).open(path)?.write_all(bytes)
        }
        // A link stays a link, and the file it leads to keeps its permissions.
        Ok(found) => replace(&fs::canonicalize(path)?, bytes, Some(found.permissions())),
        Err(_) => replace(path, bytes, None),
    }
}

/// Writes a new file beside the old one, and renames it.
fn replace(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = write_new(&beside, bytes, permissions).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_new(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}
