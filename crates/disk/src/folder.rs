//! Reads and writes files below a folder.
//!
//! A [`Folder`] is opened once, and everything below it is reached from there without
//! following links. A file is written completely or not at all: to a temporary file, which
//! is synced and then renamed.
//!
//! These functions block. In async code, run them on a separate thread.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use serde::Serialize;

use crate::random;

/// The access of others to written files and folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only the owner: files are 0600, folders 0700. For state.
    Private,
    /// Everyone whom the umask allows. For files that a person asked for.
    Shared,
}

/// The prefix of the name of an incomplete file. A crash may leave such a file.
pub const TEMPORARY_PREFIX: &str = ".tmp-";

/// An open folder, to read and write below it.
///
/// ```
/// use toolglot_disk::{Access, Folder};
/// # let root = std::env::temp_dir().join(format!("toolglot-doc-{}", std::process::id()));
///
/// let folder = Folder::create(&root.join("state"), Access::Private)?;
/// folder.write("approvals/notes.json", b"{}")?;
/// assert_eq!(folder.read("approvals/notes.json", 100)?.as_deref(), Some(&b"{}"[..]));
/// assert!(folder.write("../outside", b"").is_err());
/// # std::fs::remove_dir_all(&root)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Folder {
    opened: OwnedFd,
    access: Access,
}

/// The lock of a folder for one writer. Dropping it unlocks the folder.
#[derive(Debug)]
pub struct Lock(OwnedFd);

impl Drop for Lock {
    /// Unlocks explicitly, because closing the file is not enough: a child process that
    /// another thread is starting still has it open until it executes its program.
    fn drop(&mut self) {
        // If the system refuses this, only closing the file is left.
        let _ = rustix::fs::flock(&self.0, FlockOperation::Unlock);
    }
}

impl Folder {
    /// Opens a folder, and creates it if it is missing. Fails if `access` is private and
    /// others can access the folder.
    pub fn create(path: &Path, access: Access) -> io::Result<Self> {
        use std::os::unix::fs::DirBuilderExt;
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true).mode(folder_mode(access).bits()).create(path)?;
        Self::open(path, access)
    }

    /// Opens an existing folder. Fails if `access` is private and others can access the
    /// folder.
    pub fn open(path: &Path, access: Access) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = rustix::fs::open(path, flags, Mode::empty())?;
        let about = rustix::fs::fstat(&opened)?;
        let ours = about.st_uid == rustix::process::geteuid().as_raw();
        if access == Access::Private && (about.st_mode & 0o077 != 0 || !ours) {
            let message = "others can reach the folder: make it yours alone with chmod 700";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        Ok(Self { opened, access })
    }

    /// Opens a folder like [`Folder::open`]. Returns `None` if it does not exist.
    pub fn open_existing(path: &Path, access: Access) -> io::Result<Option<Self>> {
        match Self::open(path, access) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => Ok(Some(opened?)),
        }
    }

    /// Returns the same folder, but makes everything private that is written below it.
    /// Others may access the folder itself.
    #[must_use]
    pub fn with_private_files(self) -> Self {
        Self { access: Access::Private, ..self }
    }

    /// Creates a folder with its contents, completely or not at all. Fails if the path
    /// exists, unless it is an empty folder.
    pub fn create_with(
        path: &Path,
        access: Access,
        fill: impl FnOnce(&Self) -> io::Result<()>,
    ) -> io::Result<()> {
        match std::fs::read_dir(path).map(|mut found| found.next().is_none()) {
            Ok(true) => std::fs::remove_dir(path)?,
            Ok(false) => return Err(io::Error::other("it is there, and not empty")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let mut beside = std::ffi::OsString::from(".");
        beside.push(name);
        beside.push(format!(".{}.tmp", std::process::id()));
        let beside = path.with_file_name(beside);
        if let Some(parent) = beside.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::create_dir(&beside)?;
        let filled = Self::create(&beside, access).and_then(|folder| fill(&folder));
        let made = filled.and_then(|()| std::fs::rename(&beside, path));
        if made.is_err() {
            // The first error is the one to report.
            let _ = std::fs::remove_dir_all(&beside);
        }
        made
    }

    /// Writes a file, and creates the folders that lead to it. Replaces an existing file.
    pub fn write(&self, name: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
        self.replace(name.as_ref(), bytes, Mode::from(0o666))
    }

    /// Writes a value as JSON, with a line break at the end.
    pub fn write_json(&self, name: impl AsRef<Path>, value: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(value)?;
        text.push(b'\n');
        self.write(name, &text)
    }

    /// Writes an executable file.
    pub fn write_program(&self, name: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
        self.replace(name.as_ref(), bytes, Mode::from(0o777))
    }

    /// Appends to a file, and creates it if it is missing. Appends of several processes do
    /// not mix, as far as the system guarantees that.
    pub fn append(&self, name: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
        let (folder, last) = self.open_parent(name.as_ref(), true)?;
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::NOFOLLOW;
        let flags = flags | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(&folder, last, flags, self.mode(Mode::from(0o666)))?;
        if !FileType::from_raw_mode(rustix::fs::fstat(&opened)?.st_mode).is_file() {
            return Err(io::Error::other("it is no file"));
        }
        File::from(opened).write_all(bytes)
    }

    /// Reads a file. Returns `None` if it does not exist. Fails if it is not a regular
    /// file, or larger than the limit.
    pub fn read(&self, name: impl AsRef<Path>, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let (folder, last) = match self.open_parent(name.as_ref(), false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found?,
        };
        // Opening a pipe would wait for its other end.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = match rustix::fs::openat(&folder, last, flags, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(None),
            opened => opened?,
        };
        let about = rustix::fs::fstat(&opened)?;
        if !FileType::from_raw_mode(about.st_mode).is_file() {
            return Err(io::Error::other("it is no file"));
        }
        let mut bytes = Vec::new();
        File::from(opened).take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            let message = format!("it has more than {limit} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(Some(bytes))
    }

    /// Moves a file or a folder below this one, and creates the folders that lead to its
    /// new place. A folder can only replace an empty folder.
    pub fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
        let (from_folder, from) = self.open_parent(from.as_ref(), false)?;
        let (to_folder, to) = self.open_parent(to.as_ref(), true)?;
        rustix::fs::renameat(&from_folder, from, &to_folder, to)?;
        Ok(rustix::fs::fsync(&to_folder)?)
    }

    /// Exchanges two folders or files below this one, atomically: at any time, also after a
    /// crash, each place contains one of them. Fails without moving anything if the file
    /// system does not support this.
    pub fn exchange(&self, one: impl AsRef<Path>, other: impl AsRef<Path>) -> io::Result<()> {
        let (one_folder, one) = self.open_parent(one.as_ref(), false)?;
        let (other_folder, other) = self.open_parent(other.as_ref(), false)?;
        exchanged((&one_folder, one), (&other_folder, other))?;
        rustix::fs::fsync(&one_folder)?;
        Ok(rustix::fs::fsync(&other_folder)?)
    }

    /// Writes a new file that only its owner can read, whoever can access the folder. Fails
    /// if the file exists.
    pub fn write_secret(&self, name: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
        let (folder, last) = self.open_parent(name.as_ref(), true)?;
        let temporary = Temporary::write(&folder, bytes, Mode::from(0o600))?;
        // Unlike a rename, a link replaces no file.
        rustix::fs::linkat(&folder, &temporary.name, &folder, last, AtFlags::empty())?;
        drop(temporary);
        Ok(rustix::fs::fsync(&folder)?)
    }

    /// Removes a file, if it exists.
    pub fn remove(&self, name: impl AsRef<Path>) -> io::Result<()> {
        let (folder, last) = match self.open_parent(name.as_ref(), false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found?,
        };
        match rustix::fs::unlinkat(&folder, last, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Locks the folder, and waits if another process holds the lock.
    pub fn lock(&self) -> io::Result<Lock> {
        let file = self.lock_file()?;
        loop {
            match rustix::fs::flock(&file, FlockOperation::LockExclusive) {
                Err(Errno::INTR) => {}
                locked => return Ok(locked.map(|()| Lock(file))?),
            }
        }
    }

    /// Locks the folder. Returns `None` if another process holds the lock.
    pub fn try_lock(&self) -> io::Result<Option<Lock>> {
        let file = self.lock_file()?;
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Lock(file))),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn lock_file(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&self.opened, ".lock", flags, Mode::from(0o600))?)
    }

    fn replace(&self, name: &Path, bytes: &[u8], mode: Mode) -> io::Result<()> {
        let (folder, last) = self.open_parent(name, true)?;
        let temporary = Temporary::write(&folder, bytes, self.mode(mode))?;
        rustix::fs::renameat(&folder, &temporary.name, &folder, last)?;
        // The new name is durable once the folder is synced.
        Ok(rustix::fs::fsync(&folder)?)
    }

    /// Returns the mode of a new file: without the bits of others if the folder is private.
    fn mode(&self, mode: Mode) -> Mode {
        match self.access {
            Access::Private => mode & Mode::RWXU,
            Access::Shared => mode,
        }
    }

    /// Returns the folder of a file below this one, and the name of the file there.
    fn open_parent<'n>(&self, name: &'n Path, create: bool) -> io::Result<(OwnedFd, &'n Path)> {
        let (parts, last) = split_below(name)?;
        let mut folder = self.opened.as_fd().try_clone_to_owned()?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for part in parts {
            if create {
                match rustix::fs::mkdirat(&folder, part, folder_mode(self.access)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            folder = rustix::fs::openat(&folder, part, flags, Mode::empty())?;
        }
        Ok((folder, last))
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchanged(one: (&OwnedFd, &Path), other: (&OwnedFd, &Path)) -> io::Result<()> {
    let flags = rustix::fs::RenameFlags::EXCHANGE;
    Ok(rustix::fs::renameat_with(one.0, one.1, other.0, other.1, flags)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchanged(_: (&OwnedFd, &Path), _: (&OwnedFd, &Path)) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Splits a name below a folder into its folders and its last part. Other names are
/// refused.
fn split_below(name: &Path) -> io::Result<(Vec<&Path>, &Path)> {
    let mut parts = Vec::new();
    let mut is_below = true;
    for part in name.components() {
        match part {
            Component::Normal(part) => parts.push(Path::new(part)),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => is_below = false,
        }
    }
    match parts.pop() {
        Some(last) if is_below => Ok((parts, last)),
        _ => {
            let message = "only names below the folder can be reached";
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
    }
}

const fn folder_mode(access: Access) -> Mode {
    match access {
        Access::Private => Mode::RWXU,
        Access::Shared => Mode::from_raw_mode(0o777),
    }
}

/// A file without its final name. Dropping it removes the file, if it still has this name.
struct Temporary<'f> {
    folder: &'f OwnedFd,
    name: String,
}

impl<'f> Temporary<'f> {
    /// Writes and syncs a new file.
    fn write(folder: &'f OwnedFd, bytes: &[u8], mode: Mode) -> io::Result<Self> {
        let name = format!("{TEMPORARY_PREFIX}{}", random::name()?);
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::openat(folder, &name, flags, mode)?);
        let temporary = Self { folder, name };
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(temporary)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // It fails if the file was renamed. The name is random, so no other file has it.
        let _ = rustix::fs::unlinkat(self.folder, &self.name, AtFlags::empty());
    }
}
