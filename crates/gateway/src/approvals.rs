//! Approvals that a person gave before a call.

use std::io;
use std::path::{Path, PathBuf};

use disk::store::Record;
use disk::{Access, Folder};
use serde::{Deserialize, Serialize};

const FILE: &str = "approvals.json";
/// The largest file of approvals that is read.
const MAX_BYTES: u64 = 4 << 20;

/// The approvals of a user, in a folder that only its owner can access.
///
/// An approval covers one tool in one text of a manifest. If the text changes, it no longer
/// applies.
///
/// ```
/// use toolglot_gateway::{Approval, Approvals};
/// # let root = std::env::temp_dir().join(format!("toolglot-approvals-{}", std::process::id()));
///
/// let approvals = Approvals::in_folder(&root);
/// approvals.add(&[Approval::new("9f86d081", "notes.find", "notes.json", "runs notes find")])?;
/// assert!(approvals.has("9f86d081", "notes.find"));
/// assert!(!approvals.has("60303ae2", "notes.find")); // another text
/// # std::fs::remove_dir_all(&root)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Approvals {
    folder: PathBuf,
}

/// A tool that a person approved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Approval {
    /// The SHA-256 of the manifest's text.
    pub digest: String,
    /// The id of the tool.
    pub tool: String,
    /// The path of the manifest.
    pub file: String,
    /// The description of the call that the person was shown.
    pub target: String,
    /// The time of the approval, in milliseconds since 1970.
    pub approved_ms: u64,
}

impl Approval {
    /// Creates an approval with the current time.
    pub fn new(digest: &str, tool: &str, file: &str, target: &str) -> Self {
        let [digest, tool, file, target] = [digest, tool, file, target].map(str::to_owned);
        Self { digest, tool, file, target, approved_ms: Record::now_ms() }
    }

    fn matches(&self, digest: &str, tool: &str) -> bool {
        self.digest == digest && self.tool == tool
    }
}

impl Approvals {
    /// Uses the approvals in this folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Uses the user's approvals, below `$XDG_STATE_HOME` or `~/.local/state`. Returns
    /// `None` if neither is an absolute path.
    pub fn of_user() -> Option<Self> {
        Some(Self { folder: disk::user::state()? })
    }

    /// Returns all approvals. Fails if others can access the folder.
    pub fn all(&self) -> io::Result<Vec<Approval>> {
        match Folder::open_existing(&self.folder, Access::Private)? {
            Some(folder) => read(&folder),
            None => Ok(Vec::new()),
        }
    }

    /// Returns true if a tool is approved. If the approvals cannot be read, no tool is.
    pub fn has(&self, digest: &str, tool: &str) -> bool {
        self.all().is_ok_and(|all| all.iter().any(|one| one.matches(digest, tool)))
    }

    /// Adds approvals. They replace earlier approvals of the same tool and text.
    pub fn add(&self, more: &[Approval]) -> io::Result<()> {
        self.change(|all| {
            all.retain(|one| !more.iter().any(|new| one.matches(&new.digest, &new.tool)));
            all.extend_from_slice(more);
        })
    }

    /// Removes the chosen approvals, and returns them.
    pub fn revoke(&self, is_chosen: impl Fn(&Approval) -> bool) -> io::Result<Vec<Approval>> {
        let mut revoked = Vec::new();
        self.change(|all| {
            (revoked, *all) = std::mem::take(all).into_iter().partition(&is_chosen);
        })?;
        Ok(revoked)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Approval>)) -> io::Result<()> {
        let folder = Folder::create(&self.folder, Access::Private)?;
        let _lock = folder.lock()?;
        let mut all = read(&folder)?;
        change(&mut all);
        folder.write(FILE, &serde_json::to_vec_pretty(&all)?)
    }
}

fn read(folder: &Folder) -> io::Result<Vec<Approval>> {
    match folder.read(FILE, MAX_BYTES)? {
        Some(bytes) => Ok(serde_json::from_slice(&bytes)?),
        None => Ok(Vec::new()),
    }
}
