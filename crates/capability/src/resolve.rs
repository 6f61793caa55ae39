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
    let mut words: Vec<&str> = intent.split_whitespace().take(MAX_WORDS + 1).collect();
    if words.len() > MAX_WORDS {
        words = vec![&intent];
    }
    let mut matches = Vec::new();
    for shown in layers.view() {
        let source = MatchSource::Catalog(shown.layer);
        let trust = shown.entry.manifest().trust_level;
        matches.extend(match_entry(&words, shown.entry, trust, source));
    }
    for candidate in candidates {
        let source = MatchSource::Registry(candidate.registry);
        matches.extend(match_entry(&words, &candidate.entry, candidate.trust, source));
    }
    matches.sort_by_key(|found| std::cmp::Reverse(found.score));
    matches
}

/// Returns the match of an entry, or `None` if it does not match.
fn match_entry<'r>(
    words: &[&str],
    entry: &'r CatalogEntry,
    trust: Trust,
    source: MatchSource,
) -> Option<Match<'r>> {
    let manifest = entry.manifest();
    let score = score(words, manifest, trust);
    if score <= 0 {
        return None;
    }
    let (source_name, bonus) = match source {
        MatchSource::Catalog(_) => ("catalog", 10),
        MatchSource::Registry(RegistryKind::Static) => ("static", 0),
        MatchSource::Registry(RegistryKind::Http) => ("http", -2),
        MatchSource::Registry(RegistryKind::HttpRemote) => ("http", -3),
    };
    let digest: String = entry.digest().chars().take(16).collect();
    let candidate_id = format!("{}@{}:{source_name}:{digest}", manifest.id, manifest.version);
    Some(Match { candidate_id, score: Score(score + 4 * bonus), source, trust, entry })
}

/// Returns the score of a manifest in quarters of a point, without regard to its origin.
fn score(words: &[&str], manifest: &Manifest, trust: Trust) -> i32 {
    let id = manifest.id.to_lowercase();
    let description = manifest.description.to_lowercase();
    let (mut in_id, mut in_description, mut in_both) = (true, true, true);
    for word in words {
        in_id &= id.contains(word);
        in_description &= description.contains(word);
        in_both &= id.contains(word) || description.contains(word);
    }
    let mut points = 0;
    if !words.is_empty() {
        if in_id {
            points += 5;
        }
        if in_description || (in_both && !in_id) {
            points += 2;
        }
    }
    let rank = match trust {
        Trust::Verified => 0,
        Trust::Local => 1,
        Trust::Community => 2,
        Trust::Untrusted => 3,
    };
    4 * points - rank
}
