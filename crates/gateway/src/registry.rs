//! A folder of Jumith tools, as a registry.

mod folder;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use toolglot::core::secret;
use toolglot::json::Document;
use toolglot::jumith::server::{Package, Registry};
use toolglot::{Limits, Profile, Report, Validate};

use crate::left_out::LeftOut;

use self::folder::Stamps;

pub use self::folder::{package, packages};

/// How often files are looked at.
const SOON: Duration = Duration::from_secs(1);

/// The registry of a folder, and what it does not take.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The tools that are served.
    pub registry: Registry,
    /// Packages that are no bundles which a client would install.
    pub refused: Vec<Refused>,
    /// Packages that hold a secret.
    pub left_out: Vec<LeftOut>,
}

/// A package that a registry does not take.
#[derive(Debug)]
#[non_exhaustive]
pub struct Refused {
    /// Where it is.
    pub path: PathBuf,
    /// Its manifest.
    pub manifest: String,
    /// What is wrong with it.
    pub report: Report,
}

/// Reads the registry of a folder. With `reference`, it answers as the published hub does. It
/// blocks.
pub fn load(folder: &Path, reference: bool) -> io::Result<Loaded> {
    let profile = if reference { Profile::Reference } else { Profile::Spec };
    let options = Validate { profile, ..Validate::default() };
    let mut left_out = Vec::new();
    let mut found = packages(folder)?;
    found.retain(|(path, package)| {
        let is_open = !holds_secret(package);
        if !is_open {
            left_out.push(LeftOut::file(path, "it holds a secret, which everybody could read"));
        }
        is_open
    });
    let mut refused = Vec::new();
    loop {
        let packages = found.iter().map(|(_, package)| package.clone()).collect();
        let wrong = match Registry::new(packages, &options) {
            Ok(registry) => return Ok(Loaded { registry, refused, left_out }),
            Err(wrong) if wrong.is_empty() => return Err(io::Error::other("it cannot be read")),
            Err(wrong) => wrong,
        };
        // From the last to the first, so that the places of the others stay.
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

/// Whether a package has a secret that shows by its shape.
fn holds_secret(package: &Package) -> bool {
    let manifest = Document::parse(package.manifest.as_bytes(), &Limits::for_bundle());
    let in_manifest = manifest.is_ok_and(|found| !secret::scan(found.root(), 1).is_empty());
    let in_file = |(_, bytes): &(String, Vec<u8>)| {
        std::str::from_utf8(bytes).is_ok_and(|text| secret::find(text).is_some())
    };
    in_manifest || package.files.iter().any(in_file)
}

/// A registry that is read again when its files change.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    reference: bool,
    registry: watch::Sender<Arc<Registry>>,
}

impl Shelf {
    /// The registry of a folder.
    pub fn new(folder: &Path, reference: bool, registry: Registry) -> Self {
        let (registry, _) = watch::channel(Arc::new(registry));
        Self { folder: folder.to_owned(), reference, registry }
    }

    /// The registry as it is now.
    pub fn registry(&self) -> Arc<Registry> {
        Arc::clone(&self.registry.borrow())
    }

    /// Looks at the files every second. It never ends. `tell` hears of what is not taken.
    pub async fn keep_up(&self, tell: impl Fn(&Loaded)) {
        let folder = self.folder.clone();
        let mut before = in_a_thread(move || Stamps::of(&folder)).await;
        loop {
            tokio::time::sleep(SOON).await;
            let (folder, reference) = (self.folder.clone(), self.reference);
            let last = before.clone();
            let looked = in_a_thread(move || {
                let now = Stamps::of(&folder);
                let loaded =
                    if last.as_ref() == Some(&now) { None } else { load(&folder, reference).ok() };
                (now, loaded)
            });
            let Some((now, loaded)) = looked.await else { continue };
            before = Some(now);
            if let Some(loaded) = loaded {
                tell(&loaded);
                self.registry.send_replace(Arc::new(loaded.registry));
            }
        }
    }
}

async fn in_a_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
