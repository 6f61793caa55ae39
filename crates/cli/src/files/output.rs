//! Writing files, whole or not at all.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files::input::{display_path, is_standard};
use crate::files::pending;
use crate::terminal::console::{Failure, Terminal};

/// Fails if two outputs lead to the same file, however their paths are spelled.
pub(crate) fn check_distinct<'p>(
    paths: impl IntoIterator<Item = &'p PathBuf>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let mut places = BTreeSet::new();
    for path in paths {
        if !places.insert(real_path(path)) {
            return Err(
                terminal.usage_error(&format!("two outputs would go to {}", display_path(path)))
            );
        }
    }
    Ok(())
}

/// Returns the real path of a file, however it is spelled. Resolves the longest part of the
/// path that exists.
fn real_path(path: &Path) -> PathBuf {
    if is_standard(path) {
        return path.to_owned();
    }
    let real = |above: &Path| {
        let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        fs::canonicalize(above).ok()
    };
    let found = path.ancestors().find_map(|above| {
        let rest = path.strip_prefix(above).ok()?;
        // Joining an empty rest would add a separator, as if the file were a folder.
        let is_all = rest.as_os_str().is_empty();
        real(above).map(|real| if is_all { real } else { real.join(rest) })
    });
    found.unwrap_or_else(|| path.to_owned())
}

/// Fails if an output is one of the inputs, unless `force` is set.
pub(crate) fn check_overwrite<'p>(
    inputs: impl IntoIterator<Item = &'p PathBuf>,
    outputs: impl IntoIterator<Item = &'p PathBuf>,
    force: bool,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if force {
        return Ok(());
    }
    let inputs: Vec<_> = inputs.into_iter().collect();
    for path in outputs {
        if is_regular_or_new(path) && inputs.iter().any(|input| is_same_file(input, path)) {
            return Err(terminal.usage_error(&format!(
                "{} is what is read: write to another file, or overwrite it with --force",
                display_path(path)
            )));
        }
    }
    Ok(())
}

/// Returns true if a path is a regular file or does not exist. Standard output and devices
/// are not.
pub(crate) fn is_regular_or_new(path: &Path) -> bool {
    !is_standard(path) && fs::metadata(path).map_or(true, |found| found.is_file())
}

/// Writes a JSON document to a file, or to standard output if the path is `-`.
pub(crate) fn write(path: &Path, text: &str, terminal: &Terminal) -> Result<(), Failure> {
    if is_standard(path) {
        return terminal.print_document(text);
    }
    write_bytes(path, text.as_bytes(), terminal)
}

/// Writes bytes to a file, or to standard output if the path is `-`.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8], terminal: &Terminal) -> Result<(), Failure> {
    if is_standard(path) {
        return terminal.print_bytes(bytes);
    }
    write_with(path, bytes, false).map_err(|error| terminal.usage_error(&write_error(path, &error)))
}

/// Writes a JSON document to a file that only its owner may read, from the first byte on.
pub(crate) fn write_private(path: &Path, text: &str, terminal: &Terminal) -> Result<(), Failure> {
    write_with(path, text.as_bytes(), true)
        .map_err(|error| terminal.usage_error(&write_error(path, &error)))
}

fn write_with(path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
    let mut target = OutputFile::open(path, private)?;
    target.file.write_all(bytes)?;
    target.close()
}

/// Returns the error message for a file that cannot be written.
pub(crate) fn write_error(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {
            let (path, folder) = (display_path(path), display_path(folder));
            format!("cannot write {path}: make the folder {folder} first, which is not there")
        }
        _ => format!("cannot write {}: {error}", display_path(path)),
    }
}

/// Returns true if two paths lead to the same file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// A file that is being written.
struct OutputFile {
    file: File,
    /// The temporary file, and the file that it is renamed to. `None` for a device or a
    /// pipe.
    rename: Option<(PathBuf, PathBuf)>,
}

impl OutputFile {
    fn open(path: &Path, private: bool) -> io::Result<Self> {
        match fs::metadata(path) {
            // A device or a pipe cannot be replaced by a file, and keeps its owner and
            // permissions.
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(path)?;
                Ok(Self { file, rename: None })
            }
            // A link stays a link: the file that it leads to is replaced. The new file gets
            // the permissions of the old one, unless it is private.
            Ok(_) => Self::create_temporary(&fs::canonicalize(path)?, private),
            Err(_) => Self::create_temporary(path, private),
        }
    }

    /// Creates a temporary file beside the old one. A private file is created with its
    /// permissions. Setting them later would be too late, because a process that has
    /// already opened the file can read everything written to it.
    fn create_temporary(path: &Path, private: bool) -> io::Result<Self> {
        let beside = temporary_path(path)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        pending::register(&beside);
        let file = options.open(&beside).inspect_err(|_| pending::unregister(&beside))?;
        let target = Self { file, rename: Some((beside, path.to_owned())) };
        if let Some(found) = fs::metadata(path).ok().filter(|_| !private) {
            target.file.set_permissions(found.permissions())?;
        }
        Ok(target)
    }

    /// Gives a private file the permissions of the file that it replaces, or else those of
    /// a new file.
    fn make_public(&self) -> io::Result<()> {
        let Some((_, path)) = &self.rename else { return Ok(()) };
        let usual = if let Ok(found) = fs::metadata(path) {
            found.permissions()
        } else {
            // A probe shows the permissions that a new file gets here.
            let probe = Self::create_temporary(&path.with_extension("probe"), false)?;
            probe.file.metadata()?.permissions()
        };
        self.file.set_permissions(usual)
    }

    fn close(mut self) -> io::Result<()> {
        if let Some((beside, path)) = &self.rename {
            self.file.sync_all()?;
            fs::rename(beside, path)?;
            pending::unregister(beside);
            self.rename = None;
        }
        Ok(())
    }
}

/// Returns the path of the temporary file.
fn temporary_path(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(beside))
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some((beside, _)) = &self.rename {
            // An earlier error is reported already.
            let _ = fs::remove_file(beside);
            pending::unregister(beside);
        }
    }
}

/// The number of buffered bytes at which lines are written.
const BUFFER_BYTES: usize = 64 << 10;

/// A writer of lines, to a file or to standard output.
pub(crate) struct LineWriter<'t> {
    path: PathBuf,
    /// `None` for standard output.
    target: Option<OutputFile>,
    buffer: String,
    /// True if the reader of standard output has gone away.
    pub(crate) reader_gone: bool,
    terminal: &'t Terminal,
}

impl<'t> LineWriter<'t> {
    /// Opens a path for writing, or standard output for `-`.
    pub(crate) fn open(path: &Path, terminal: &'t Terminal) -> Result<Self, Failure> {
        Self::open_with(path, false, terminal)
    }

    /// Opens a path for lines that only its owner may read. Standard output is not
    /// restricted.
    pub(crate) fn open_private(path: &Path, terminal: &'t Terminal) -> Result<Self, Failure> {
        Self::open_with(path, true, terminal)
    }

    fn open_with(path: &Path, private: bool, terminal: &'t Terminal) -> Result<Self, Failure> {
        let target = if is_standard(path) {
            None
        } else {
            let opened = OutputFile::open(path, private);
            Some(opened.map_err(|error| terminal.usage_error(&write_error(path, &error)))?)
        };
        Ok(Self {
            path: path.to_owned(),
            target,
            buffer: String::new(),
            reader_gone: false,
            terminal,
        })
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.buffer.push_str(line);
        self.buffer.push('\n');
        if self.buffer.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
    }

    /// Gives a private file the permissions of other files.
    pub(crate) fn make_public(&self) -> Result<(), Failure> {
        let widened = self.target.as_ref().map_or(Ok(()), OutputFile::make_public);
        widened.map_err(|error| self.failure(&error))
    }

    /// Writes the buffered lines.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.buffer);
        let written = match &mut self.target {
            _ if text.is_empty() => Ok(()),
            None => {
                self.reader_gone |= !self.terminal.print_documents(&text)?;
                return Ok(());
            }
            Some(target) => target.file.write_all(text.as_bytes()),
        };
        written.map_err(|error| self.failure(&error))
    }

    /// Writes the buffered lines, and renames the temporary file to its final name.
    pub(crate) fn close(mut self) -> Result<(), Failure> {
        self.flush()?;
        let closed = self.target.take().map_or(Ok(()), OutputFile::close);
        closed.map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &io::Error) -> Failure {
        self.terminal.usage_error(&write_error(&self.path, error))
    }
}
