//! Registries of Jumith tools and MCPKG packages: a folder, or a remote one.
//!
//! - [`load`] and [`offered`] read a folder, and a [`Shelf`] reads it again if it changes.
//! - [`publish`] and [`yank`] change a folder.
//! - [`Remote`] sends requests to a registry over HTTP, and [`Remote::pull`] fetches a tool
//!   from it.
//! - [`install`] writes a bundle below a folder.

mod folder;
mod install;
mod kept;
mod offered;
mod publish;
mod remote;
mod versions;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use toolglot::jumith::cache::Seen;
use toolglot::jumith::server::{Package, Registry};
use toolglot::mcpkg::registry::Offers;
use toolglot::{Limits, Profile, Report, Validate};

use crate::left_out::LeftOut;

use self::folder::{Stamps, holds_secret};

pub use self::folder::{FolderPackages, package, packages};
pub use self::install::{Installed, install};
pub use self::offered::{Offered, offered};
pub use self::publish::{Published, Unpublished, publish, yank};
pub use self::remote::{Pulled, Remote, Trouble};

/// The interval between checks for changed files.
const SOON: Duration = Duration::from_secs(1);

/// The registry of a folder, and the packages that it rejects.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The tools that are served.
    pub registry: Registry,
    /// Packages that are not bundles which a client would install.
    pub refused: Vec<Refused>,
    /// Packages that cannot be read, contain a secret, or have changed since they were
    /// served.
    pub left_out: Vec<LeftOut>,
    /// The state of the files before they were read.
    stamps: Stamps,
    /// The digests of the versions that were served so far.
    seen: Seen,
}

/// A package that a registry rejects.
#[derive(Debug)]
#[non_exhaustive]
pub struct Refused {
    /// The path of the package.
    pub path: PathBuf,
    /// Its manifest.
    pub manifest: String,
    /// The errors of the package.
    pub report: Report,
}

/// Reads the registry of a folder. If `reference` is set, it answers as the published hub
/// does. Blocks.
pub fn load(folder: &Path, reference: bool) -> io::Result<Loaded> {
    reload(folder, reference, Seen::default())
}

/// Reads the registry of a folder again. Versions in `seen` are not served with other
/// content.
fn reload(folder: &Path, reference: bool, mut seen: Seen) -> io::Result<Loaded> {
    let profile = if reference { Profile::Reference } else { Profile::Spec };
    let options = Validate { profile, ..Validate::default() };
    let stamps = Stamps::of(folder);
    let FolderPackages { packages: mut found, mut left_out, unsupported } = packages(folder)?;
    found.retain(|(path, package)| {
        let why = unfit(package, &seen);
        left_out.extend(why.map(|why| LeftOut::file(path, why)));
        why.is_none()
    });
    let mut refused = Vec::new();
    loop {
        let packages = found.iter().map(|(_, package)| package.clone()).collect();
        let wrong = match Registry::new(packages, &options) {
            Ok(registry) => {
                let refusals = refused.iter().map(|one: &Refused| &one.manifest);
                let registry = unsupported
                    .iter()
                    .chain(refusals)
                    .fold(registry, |all, manifest| all.with_unsupported(manifest));
                let served = found.iter().filter_map(|(_, one)| one.content(&options.limits));
                for (key, content) in served {
                    // Versions with other content were rejected above.
                    let _ = seen.note(key, &content);
                }
                return Ok(Loaded { registry, refused, left_out, stamps, seen });
            }
            Err(wrong) if wrong.is_empty() => return Err(io::Error::other("it cannot be read")),
            Err(wrong) => wrong,
        };
        // Go from the last to the first, so that the other indices stay valid.
        let mut wrong: Vec<_> = wrong.into_iter().map(|one| (one.package, one.report)).collect();
        wrong.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        wrong.dedup_by_key(|(at, _)| *at);
        for (at, report) in wrong {
            if at < found.len() {
                let (path, Package { manifest, .. }) = found.remove(at);
                refused.push(Refused { path, manifest, report });
            }
        }
    }
}

/// Returns the reason why a package is not served although it may be valid.
fn unfit(package: &Package, seen: &Seen) -> Option<&'static str> {
    if holds_secret(package) {
        return Some("it holds a secret, which everybody could read");
    }
    let (key, content) = package.content(&Limits::for_bundle())?;
    let changed = seen.digest(&key).is_some_and(|known| known != content);
    changed.then_some("this version was served with other content: publish another version")
}

/// A registry that is read again if its files change.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    reference: bool,
    registry: watch::Sender<Arc<Registry>>,
    offers: watch::Sender<Arc<Offers>>,
    /// The state of the files when they were loaded.
    stamps: Stamps,
    seen: Seen,
}

impl Shelf {
    /// Creates a shelf for a folder from its registry and its packages.
    pub fn new(folder: &Path, reference: bool, loaded: Loaded, offered: Offered) -> Self {
        let Loaded { registry, stamps, seen, .. } = loaded;
        let (registry, _) = watch::channel(Arc::new(registry));
        let (offers, _) = watch::channel(Arc::new(offered.offers));
        Self { folder: folder.to_owned(), reference, registry, offers, stamps, seen }
    }

    /// Returns the current registry.
    pub fn registry(&self) -> Arc<Registry> {
        Arc::clone(&self.registry.borrow())
    }

    /// Returns the current MCPKG packages.
    pub fn offers(&self) -> Arc<Offers> {
        Arc::clone(&self.offers.borrow())
    }

    /// Checks the files every second, and reads them again if one has changed. Never
    /// returns. Calls `tell` each time they were read.
    pub async fn keep_up(&self, tell: impl Fn(&Loaded)) {
        let (mut stamps, mut seen) = (self.stamps.clone(), self.seen.clone());
        loop {
            tokio::time::sleep(SOON).await;
            let (folder, reference) = (self.folder.clone(), self.reference);
            let (last, known) = (stamps.clone(), seen.clone());
            let looked = in_a_thread(move || {
                let changed = Stamps::of(&folder) != last;
                let both = || {
                    let loaded = reload(&folder, reference, known).ok()?;
                    Some((loaded, offered(&folder).ok()?))
                };
                changed.then(both).flatten()
            });
            if let Some(Some((mut loaded, offered))) = looked.await {
                loaded.left_out.extend(offered.left_out);
                tell(&loaded);
                self.offers.send_replace(Arc::new(offered.offers));
                self.registry.send_replace(Arc::new(loaded.registry));
                (stamps, seen) = (loaded.stamps, loaded.seen);
            }
        }
    }
}

async fn in_a_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
