//! The versions that were fetched from registries, stored on disk to notice if one changes.

use std::io;
use std::path::Path;

use disk::{Access, Folder, Lock};
use serde::{Deserialize, Serialize};
use toolglot::Diagnostic;
use toolglot::jumith::cache::{CacheKey, SeenVersions};
use toolglot::jumith::install::Plan;

const FILE: &str = "versions.jsonl";
/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The versions that were fetched from one registry, locked against other processes.
#[derive(Debug)]
pub(super) struct FetchedVersions {
    folder: Folder,
    registry: String,
    seen: SeenVersions,
    _lock: Lock,
}

#[derive(Deserialize, Serialize)]
struct VersionLine {
    registry: String,
    id: String,
    version: String,
    /// The digest of its files and its manifest.
    content: String,
}

impl FetchedVersions {
    /// Reads the versions of a registry from a folder that only its owner can access.
    pub(super) fn open(registry: &str, folder: &Path) -> io::Result<Self> {
        let folder = Folder::create(folder, Access::Private)?;
        let lock = folder.lock()?;
        let text = folder.read(FILE, MOST_BYTES)?.unwrap_or_default();
        let mut seen = Vec::new();
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, format!("{FILE} is broken"));
            let line: VersionLine = serde_json::from_slice(line).map_err(wrong)?;
            if line.registry == registry {
                seen.push((CacheKey::new(&line.id, &line.version), line.content));
            }
        }
        let (registry, seen) = (registry.to_owned(), seen.into_iter().collect());
        Ok(Self { folder, registry, seen, _lock: lock })
    }

    /// Returns true if a version is new. Fails if it was fetched before with other content.
    pub(super) fn check(&mut self, plan: &Plan<'_>) -> Result<bool, Diagnostic> {
        self.seen.record_plan(plan)
    }

    /// Stores a version permanently.
    pub(super) fn remember(&self, plan: &Plan<'_>) -> io::Result<()> {
        let line = VersionLine {
            registry: self.registry.clone(),
            id: plan.id.clone(),
            version: plan.version.clone(),
            content: plan.version_digest.clone(),
        };
        let mut line = serde_json::to_vec(&line)?;
        line.push(b'\n');
        self.folder.append(FILE, &line)
    }
}
