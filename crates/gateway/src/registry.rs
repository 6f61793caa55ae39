//! Registries of Jumith tools and MCPKG packages: a folder, or a remote one.
//!
//! - [`load`] and [`read_offers`] read a folder, and a [`LiveRegistry`] reads it again if it changes.
//! - [`publish`] and [`yank`] change a folder.
//! - [`RemoteRegistry`] sends requests to a registry over HTTP, and [`RemoteRegistry::pull`] fetches a tool
//!   from it.
//! - [`install`] writes a bundle below a folder.

mod answer_cache;
mod folder;
mod install;
mod offers;
mod publish;
mod remote;
mod versions;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use toolglot::jumith::cache::SeenVersions;
use toolglot::jumith::server::{Package, Registry};
use toolglot::mcpkg::registry::PackageIndex;
use toolglot::{Limits, Report, ValidateOptions};

use crate::skipped::SkippedItem;

use self::folder::{FolderState, holds_secret};

pub use self::folder::{FolderPackages, read_package, read_packages};
pub use self::install::{InstallStatus, install};
pub use self::offers::{FolderOffers, read_offers};
pub use self::publish::{PublishError, PublishedVersion, publish, yank};
pub use self::remote::{PulledTool, RemoteError, RemoteRegistry};

/// The interval between checks for changed files.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The registry of a folder, and the packages that it rejects.
#[derive(Debug)]
#[non_exhaustive]
pub struct LoadedRegistry {
    /// The tools that are served.
    pub registry: Registry,
    /// Packages that are not bundles which a client would install.
    pub rejected: Vec<RejectedPackage>,
    /// Packages that cannot be read, contain a secret, or have changed since they were
    /// served.
    pub skipped: Vec<SkippedItem>,
    /// The state of the files before they were read.
    stamps: FolderState,
    /// The digests of the versions that were served so far.
    seen: SeenVersions,
}

/// A package that a registry rejects.
#[derive(Debug)]
#[non_exhaustive]
pub struct RejectedPackage {
    /// The path of the package.
    pub path: PathBuf,
    /// Its manifest.
    pub manifest: String,
    /// The errors of the package.
    pub report: Report,
}

/// Reads the registry of a folder. Blocks.
pub fn load(folder: &Path) -> io::Result<LoadedRegistry> {
    reload(folder, SeenVersions::default())
}

/// Reads the registry of a folder again. Versions in `seen` are not served with other
/// content.
fn reload(folder: &Path, mut seen: SeenVersions) -> io::Result<LoadedRegistry> {
    let options = ValidateOptions::default();
    let stamps = FolderState::of(folder);
    let FolderPackages { packages: mut found, skipped: mut left_out, unsupported } =
        read_packages(folder)?;
    found.retain(|(path, package)| {
        let why = rejection_reason(package, &seen);
        left_out.extend(why.map(|why| SkippedItem::file(path, why)));
        why.is_none()
    });
    let mut refused = Vec::new();
    loop {
        let packages = found.iter().map(|(_, package)| package.clone()).collect();
        let wrong = match Registry::new(packages, &options) {
            Ok(registry) => {
                let refusals = refused.iter().map(|one: &RejectedPackage| &one.manifest);
                let registry = unsupported
                    .iter()
                    .chain(refusals)
                    .fold(registry, |all, manifest| all.with_unsupported(manifest));
                let served =
                    found.iter().filter_map(|(_, one)| one.version_digest(&options.limits));
                for (key, content) in served {
                    // Versions with other content were rejected above.
                    let _ = seen.record(key, &content);
                }
                return Ok(LoadedRegistry {
                    registry,
                    rejected: refused,
                    skipped: left_out,
                    stamps,
                    seen,
                });
            }
            Err(wrong) if wrong.is_empty() => return Err(io::Error::other("it cannot be read")),
            Err(wrong) => wrong,
        };
        // Go from the last to the first, so that the other indices stay valid.
        let mut wrong: Vec<_> = wrong.into_iter().map(|one| (one.index, one.report)).collect();
        wrong.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        wrong.dedup_by_key(|(at, _)| *at);
        for (at, report) in wrong {
            if at < found.len() {
                let (path, Package { manifest, .. }) = found.remove(at);
                refused.push(RejectedPackage { path, manifest, report });
            }
        }
    }
}

/// Returns the reason why a package is not served although it may be valid.
fn rejection_reason(package: &Package, seen: &SeenVersions) -> Option<&'static str> {
    if holds_secret(package) {
        return Some("it holds a secret, which everybody could read");
    }
    let (key, content) = package.version_digest(&Limits::for_bundle())?;
    let changed = seen.digest(&key).is_some_and(|known| known != content);
    changed.then_some("this version was served with other content: publish another version")
}

/// A registry that is read again if its files change.
#[derive(Debug)]
pub struct LiveRegistry {
    folder: PathBuf,
    registry: watch::Sender<Arc<Registry>>,
    offers: watch::Sender<Arc<PackageIndex>>,
    /// The state of the files when they were loaded.
    stamps: FolderState,
    seen: SeenVersions,
}

impl LiveRegistry {
    /// Creates a shelf for a folder from its registry and its packages.
    pub fn new(folder: &Path, loaded: LoadedRegistry, offered: FolderOffers) -> Self {
        let LoadedRegistry { registry, stamps, seen, .. } = loaded;
        let (registry, _) = watch::channel(Arc::new(registry));
        let (offers, _) = watch::channel(Arc::new(offered.offers));
        Self { folder: folder.to_owned(), registry, offers, stamps, seen }
    }

    /// Returns the current registry.
    pub fn registry(&self) -> Arc<Registry> {
        Arc::clone(&self.registry.borrow())
    }

    /// Returns the current MCPKG packages.
    pub fn offers(&self) -> Arc<PackageIndex> {
        Arc::clone(&self.offers.borrow())
    }

    /// Checks the files every second, and reads them again if one has changed. Never
    /// returns. Calls `tell` each time they were read.
    pub async fn watch_files(&self, tell: impl Fn(&LoadedRegistry)) {
        let (mut stamps, mut seen) = (self.stamps.clone(), self.seen.clone());
        loop {
            tokio::time::sleep(POLL_INTERVAL).await;
            let folder = self.folder.clone();
            let (last, known) = (stamps.clone(), seen.clone());
            let looked = run_blocking(move || {
                let changed = FolderState::of(&folder) != last;
                let both = || {
                    let loaded = reload(&folder, known).ok()?;
                    Some((loaded, read_offers(&folder).ok()?))
                };
                changed.then(both).flatten()
            });
            if let Some(Some((mut loaded, offered))) = looked.await {
                loaded.skipped.extend(offered.skipped);
                tell(&loaded);
                self.offers.send_replace(Arc::new(offered.offers));
                self.registry.send_replace(Arc::new(loaded.registry));
                (stamps, seen) = (loaded.stamps, loaded.seen);
            }
        }
    }
}

async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
