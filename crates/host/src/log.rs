//! Records of calls in a file of the user.

use std::io;
use std::path::{Path, PathBuf};

use crate::audit::{Audit, Record};
use disk::user;
use disk::{Access, Folder};

const FILE: &str = "calls.jsonl";
const PREVIOUS_FILE: &str = "calls.1.jsonl";

/// A file that is larger is put aside. Two files are kept.
const MAX_FILE_BYTES: u64 = 8 << 20;

/// Writes a line of JSON for each call to `calls.jsonl`, in a folder that only its owner
/// can access.
///
/// ```
/// use host::{Audit, Log};
/// # let root = std::env::temp_dir().join(format!("toolglot-log-{}", std::process::id()));
///
/// let log = Log::in_folder(&root)?;
/// # let _: &dyn Audit = &log;
/// # std::fs::remove_dir_all(&root)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Log {
    folder: Folder,
    path: PathBuf,
}

impl Log {
    /// Opens the log of the user, in the folder of their [state](user::state).
    pub fn of_user() -> io::Result<Self> {
        let none = || io::Error::other("neither XDG_STATE_HOME nor HOME is an absolute path");
        Self::in_folder(&user::state().ok_or_else(none)?)
    }

    /// Opens the log in this folder, and creates the folder if it is missing.
    pub fn in_folder(folder: &Path) -> io::Result<Self> {
        let opened = Folder::create(folder, Access::Private)?;
        Ok(Self { folder: opened, path: folder.join(FILE) })
    }

    /// Adds a line. If the file is too large, it first replaces the older file.
    fn add(&self, record: &Record) -> io::Result<()> {
        let large = self.path.metadata().is_ok_and(|about| about.len() > MAX_FILE_BYTES);
        if large && let Ok(Some(_lock)) = self.folder.try_lock() {
            std::fs::rename(&self.path, self.path.with_file_name(PREVIOUS_FILE))?;
        }
        self.folder.append(FILE, format!("{record}\n").as_bytes())
    }
}

impl Audit for Log {
    fn record(&self, record: &Record) {
        // The call is over, so a failure to record it changes nothing.
        let _ = self.add(record);
    }
}
