//! Finding a capability for an intent, ranked as the reference ranks.
//!
//! An intent scores five when it is in the id and two when it is in the
//! description, without regard to case; what is less trusted scores a little less.
//! What a catalog declares comes before what a registry offers.

use manifest_core::descriptor::Trust;

use crate::adapter::{Candidate, Registry};
use crate::catalog::CatalogEntry;
use crate::layers::{Layer, Layers};
use crate::manifest::Manifest;

/// Points, in quarters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// The points.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 4.0
    }
}

/// Where something that was found is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum From {
    /// A catalog declares it.
    Catalog(Layer),
    /// A registry offers it. It has to be installed first.
    Registry(Registry),
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Match<'r> {
    /// `<id>@<version>:<source>:<digest>`
    pub candidate_id: String,
    /// How well it fits.
    pub score: Score,
    /// Where it is from.
    pub from: From,
    /// How far it is trusted.
    pub trust: Trust,
    /// What it is.
    pub entry: &'r CatalogEntry,
}

/// All that fits an intent, best first. Equal ones keep their order: catalogs
/// before registries.
pub fn resolve<'r>(
    intent: &str,
    layers: &'r Layers,
    candidates: impl IntoIterator<Item = &'r Candidate>,
) -> Vec<Match<'r>> {
    let intent = intent.trim().to_lowercase();
    let mut found: Vec<Match<'r>> = Vec::new();
    for shown in layers.view() {
        let manifest = shown.entry.manifest();
        let score = score(&intent, manifest, manifest.trust_level);
        if score > 0 {
            let from = From::Catalog(shown.layer);
            found.push(matched(shown.entry, manifest.trust_level, score + 4 * 10, from));
        }
    }
    for candidate in candidates {
        let manifest = candidate.entry.manifest();
        let score = score(&intent, manifest, candidate.trust);
        if score > 0 {
            let penalty = match candidate.registry {
                Registry::Static => 0,
                Registry::Http => 2,
                Registry::HttpRemote => 3,
            };
            let from = From::Registry(candidate.registry);
            found.push(matched(&candidate.entry, candidate.trust, score - 4 * penalty, from));
        }
    }
    found.sort_by_key(|found| std::cmp::Reverse(found.score));
    found
}

/// Quarters of points for what a manifest says, before where it is from counts.
fn score(intent: &str, manifest: &Manifest<'_>, trust: Trust) -> i32 {
    let holds = |text: &str| !intent.is_empty() && text.to_lowercase().contains(intent);
    let words = 20 * i32::from(holds(&manifest.id)) + 8 * i32::from(holds(&manifest.description));
    let rank = match trust {
        Trust::Verified => 0,
        Trust::Local => 1,
        Trust::Community => 2,
        Trust::Untrusted => 3,
    };
    words - rank
}

fn matched(entry: &CatalogEntry, trust: Trust, score: i32, from: From) -> Match<'_> {
    let source = match from {
        From::Catalog(Layer::Base | Layer::Local) => "catalog",
        From::Registry(Registry::Static) => "static",
        From::Registry(Registry::Http | Registry::HttpRemote) => "http",
    };
    let manifest = entry.manifest();
    let digest: String = entry.digest().chars().take(16).collect();
    let candidate_id = format!("{}@{}:{source}:{digest}", manifest.id, manifest.version);
    Match { candidate_id, score: Score(score), from, trust, entry }
}
