//! Detects versions that changed since they were seen.

use std::collections::BTreeMap;

use manifest_core::{Diagnostic, Pointer, quoted, version};

use crate::install::Plan;
use crate::rules;

/// The key of a cached bundle.
///
/// Versions that differ only in build metadata have the same key: they have equal
/// precedence, so neither of them is the latest.
///
/// ```
/// use toolglot_jumith::cache::CacheKey;
///
/// assert_eq!(CacheKey::new("tool:a", "1.0.0+x"), CacheKey::new("tool:a", "1.0.0+y"));
/// assert_ne!(CacheKey::new("tool:a", "1.0.0"), CacheKey::new("tool:a", "1.0.0-rc.1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CacheKey {
    id: String,
    version: String,
}

impl CacheKey {
    /// Creates the key of a version of a tool.
    pub fn new(id: &str, version: &str) -> Self {
        let version = match version::parse_exact(version) {
            Ok(_) => version.split('+').next().unwrap_or(version),
            Err(_) => version,
        };
        Self { id: id.to_owned(), version: version.to_owned() }
    }

    /// The id of the tool.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The version, without build metadata.
    pub fn version(&self) -> &str {
        &self.version
    }
}

/// The digests of the bundles that were seen. A version whose files or manifest changed is
/// detected. To store it, a host converts it to and from pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenVersions(BTreeMap<CacheKey, String>);

impl SeenVersions {
    /// Records a bundle. Returns true if it is new. Fails if the same version was seen with
    /// other files or another manifest.
    pub fn record_plan(&mut self, plan: &Plan<'_>) -> Result<bool, Diagnostic> {
        self.record(CacheKey::new(&plan.id, &plan.version), &plan.version_digest)
    }

    /// Records a version with a digest, with the same result as [`record_plan`](Self::record_plan).
    pub fn record(&mut self, key: CacheKey, digest: &str) -> Result<bool, Diagnostic> {
        match self.0.get(&key) {
            Some(known) if known == digest => Ok(false),
            Some(_) => {
                let (id, version) = (quoted(&key.id), quoted(&key.version));
                let message = format!("{id} {version} was seen before, with other content");
                Err(rules::IMMUTABLE_VERSION.at_pointer(Pointer::root(), message))
            }
            None => {
                self.0.insert(key, digest.to_owned());
                Ok(true)
            }
        }
    }

    /// Returns the digest with which a version was seen.
    pub fn digest(&self, key: &CacheKey) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Iterates over all versions and digests, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&CacheKey, &str)> {
        self.0.iter().map(|(key, digest)| (key, digest.as_str()))
    }
}

impl FromIterator<(CacheKey, String)> for SeenVersions {
    fn from_iter<I: IntoIterator<Item = (CacheKey, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}
