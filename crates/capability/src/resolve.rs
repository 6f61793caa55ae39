//! Finds capabilities for an intent, ranked as in the reference.
//!
//! An intent scores five points if the id contains it, and two if the description does,
//! ignoring case. Trust other than `verified` costs up to three quarters of a point.
//! Declared capabilities rank before those that a registry offers.
//!
//! An intent of several words matches a text that contains each of them, in any order. The
//! reference looks for the whole intent as it is written. Its matches are found here too,
//! with at least the same points. If some words are in the id and the others in the
//! description, they score two.

use manifest_core::descriptor::Trust;

use crate::catalog::CatalogEntry;
use crate::layers::{Layer, Layers};
use crate::manifest::Manifest;
use crate::registries::{Candidate, RegistryKind};

/// The maximum number of words. A longer intent is one text, because each word costs a
/// search.
const MAX_WORDS: usize = 64;

/// A score in quarters of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// Returns the score in points.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 4.0
    }
}

/// The origin of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchSource {
    /// A catalog declares it.
    Catalog(Layer),
    /// A registry offers it. It must be installed first.
    Registry(RegistryKind),
}

/// A capability that matches an intent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Match<'r> {
    /// The id of the match: `<id>@<version>:<source>:<digest>`.
    pub candidate_id: String,
    /// The score of the match.
    pub score: Score,
    /// The origin of the match.
    pub source: MatchSource,
    /// The level of trust.
    pub trust: Trust,
    /// The manifest.
    pub entry: &'r CatalogEntry,
}

/// Returns all matches for an intent, best first. Matches of the same score keep their
/// order: catalogs before registries.
pub fn resolve<'r>(
    intent: &str,
    layers: &'r Layers,
    candidates: impl IntoIterator<Item = &'r Candidate>,
) -> Vec<Match<'r>> {
    let intent = intent.trim().to_lowercase();
    let intent: Vec<&str> = match intent.split_whitespace().nth(MAX_WORDS) {
        None => intent.split_whitespace().collect(),
        Some(_) => vec![&intent],
    };
    let mut found: Vec<Match<'r>> = Vec::new();
    for shown in layers.view() {
        let manifest = shown.entry.manifest();
        let score = score(&intent, manifest, manifest.trust_level);
        if score > 0 {
            let from = MatchSource::Catalog(shown.layer);
            found.push(new_match(shown.entry, manifest.trust_level, score + 4 * 10, from));
        }
    }
    for candidate in candidates {
        let manifest = candidate.entry.manifest();
        let score = score(&intent, manifest, candidate.trust);
        if score > 0 {
            let penalty = match candidate.registry {
                RegistryKind::Static => 0,
                RegistryKind::Http => 2,
                RegistryKind::HttpRemote => 3,
            };
            let from = MatchSource::Registry(candidate.registry);
            found.push(new_match(&candidate.entry, candidate.trust, score - 4 * penalty, from));
        }
    }
    found.sort_by_key(|found| std::cmp::Reverse(found.score));
    found
}

/// Returns the score of a manifest in quarters of a point, without regard to its origin.
fn score(intent: &[&str], manifest: &Manifest<'_>, trust: Trust) -> i32 {
    let [id, description] = [&manifest.id, &manifest.description].map(|text| text.to_lowercase());
    let all =
        |holds: &dyn Fn(&str) -> bool| !intent.is_empty() && intent.iter().all(|word| holds(word));
    let in_id = all(&|word| id.contains(word));
    let in_description = all(&|word| description.contains(word));
    let in_both = !in_id && all(&|word| id.contains(word) || description.contains(word));
    let words = 20 * i32::from(in_id) + 8 * i32::from(in_description || in_both);
    let rank = match trust {
        Trust::Verified => 0,
        Trust::Local => 1,
        Trust::Community => 2,
        Trust::Untrusted => 3,
    };
    words - rank
}

fn new_match(entry: &CatalogEntry, trust: Trust, score: i32, from: MatchSource) -> Match<'_> {
    let source = match from {
        MatchSource::Catalog(Layer::Base | Layer::Local) => "catalog",
        MatchSource::Registry(RegistryKind::Static) => "static",
        MatchSource::Registry(RegistryKind::Http | RegistryKind::HttpRemote) => "http",
    };
    let manifest = entry.manifest();
    let digest: String = entry.digest().chars().take(16).collect();
    let candidate_id = format!("{}@{}:{source}:{digest}", manifest.id, manifest.version);
    Match { candidate_id, score: Score(score), source: from, trust, entry }
}
