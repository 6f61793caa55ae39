//! What a client remembers of bundles that it has seen.

use std::collections::BTreeMap;

use manifest_core::{Diagnostic, Pointer, quoted, version};

use crate::install::Plan;
use crate::rules;

/// What a bundle is cached under.
///
/// Versions that differ only in build metadata have one key: they are equal in
/// precedence, and nobody could tell which of the two is the latest.
///
/// ```
/// use jumith::cache::CacheKey;
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
    /// The key of a version of a tool.
    pub fn new(id: &str, version: &str) -> Self {
        let version = match version::parse_exact(version) {
            Ok(_) => version.split('+').next().unwrap_or(version),
            Err(_) => version,
        };
        Self { id: id.to_owned(), version: version.to_owned() }
    }

    /// The tool.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The version, without build metadata.
    pub fn version(&self) -> &str {
        &self.version
    }
}

/// The digests of the bundles that were seen, so that a version that changes is
/// noticed: in its files, or in its manifest. A host keeps it as it likes: it is made from
/// pairs, and gives them back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen(BTreeMap<CacheKey, String>);

impl Seen {
    /// Remembers a bundle, and says whether it is new. It is refused when the
    /// same version was seen with other files, or with another manifest.
    pub fn check(&mut self, plan: &Plan<'_>) -> Result<bool, Diagnostic> {
        self.note(CacheKey::new(&plan.id, &plan.version), &plan.content)
    }

    /// The same for a version with that digest.
    pub fn note(&mut self, key: CacheKey, digest: &str) -> Result<bool, Diagnostic> {
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

    /// The digest that a version was seen with.
    pub fn digest(&self, key: &CacheKey) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&CacheKey, &str)> {
        self.0.iter().map(|(key, digest)| (key, digest.as_str()))
    }
}

impl FromIterator<(CacheKey, String)> for Seen {
    fn from_iter<I: IntoIterator<Item = (CacheKey, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}
