//! Records of calls in a file of the user's own.

use std::io;
use std::path::{Path, PathBuf};

use crate::audit::{Audit, Record};
use disk::user;
use disk::{Access, Folder};

const FILE: &str = "calls.jsonl";
const BEFORE: &str = "calls.1.jsonl";

/// A file is put aside when it is larger. Two are kept.
const LARGEST: u64 = 8 << 20;

/// A line of JSON for each call, in `calls.jsonl` of a folder that only its owner can reach.
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
    /// The log of the user, in the folder of their [state](user::state).
    pub fn of_user() -> io::Result<Self> {
        let none = || io::Error::other("neither XDG_STATE_HOME nor HOME is an absolute path");
        Self::in_folder(&user::state().ok_or_else(none)?)
    }

    /// The log in this folder, which is made if it is not there.
    pub fn in_folder(folder: &Path) -> io::Result<Self> {
        let opened = Folder::create(folder, Access::Private)?;
        Ok(Self { folder: opened, path: folder.join(FILE) })
    }

    /// Adds a line. The file that has become too large takes the place of the one before.
    fn add(&self, record: &Record) -> io::Result<()> {
        let large = self.path.metadata().is_ok_and(|about| about.len() > LARGEST);
        if large && let Ok(Some(_lock)) = self.folder.try_lock() {
            std::fs::rename(&self.path, self.path.with_file_name(BEFORE))?;
        }
        self.folder.append(FILE, format!("{record}\n").as_bytes())
    }
}

impl Audit for Log {
    fn record(&self, record: &Record) {
        // The call is over: whether its record can be kept changes nothing about it.
        let _ = self.add(record);
    }
}
