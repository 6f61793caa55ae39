//! Reads the manifests that a publisher or a registry lists.

use std::time::Duration;

use host::{Host, Origin, Values};
use serde::Serialize;
use toolglot::call::{Outcome, Request, Step};
use toolglot::core::{did_you_mean, quoted, url};
use toolglot::install_engine::index::{
    PublisherIndex, RegistryIndex, RegistryStatus, Status, validate_publisher_index,
    validate_registry_index,
};
use toolglot::install_manifest::{Manifest, Version};
use toolglot::json::Document;
use toolglot::{Report, ValidateOptions};

/// The maximum size of an index, in bytes.
pub const MAX_INDEX_BYTES: usize = 2 << 20;
/// The maximum time to fetch a document.
const FETCH_TIMEOUT: Duration = Duration::from_secs(60);

/// The index of a publisher or of a registry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Index {
    /// The publisher, if the index declares one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// The URL of the publisher's own index, if it is known. An index from another URL may
    /// be forged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// The listed manifests.
    pub entries: Vec<Entry>,
}

/// A manifest in an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Entry {
    /// The id of the tool.
    pub id: String,
    /// The URL of the manifest.
    pub manifest_url: String,
    /// The version of the manifest's specification, if the index declares it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_version: Option<&'static str>,
    /// The status that the index declares.
    pub status: &'static str,
    /// The description of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The id of the tool to use instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
}

/// Reads an index, or returns all problems with it. An index with a member `publisher` is a
/// publisher's index, any other is a registry's.
///
/// ```
/// # let text = br#"{"version": "1", "generated_at": "2026-01-01T00:00:00Z",
/// #   "publisher": {"kind": "https", "id": "example.com", "display_name": "Acme"},
/// #   "manifests": [{"id": "notes", "manifest_url": "https://example.com/notes.json",
/// #     "manifest_version": "0.4", "status": "broken"}]}"#;
/// let document = toolglot::json::Document::parse(text, &toolglot::Limits::default())?;
/// let index = toolglot_installer::index::read(&document)?;
/// let entry = index.entry("notes")?;
/// assert!(entry.check_usable().is_err(), "the publisher says that it is broken");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(document: &Document<'_>) -> Result<Index, Report> {
    let options = ValidateOptions::default();
    if document.root().get("publisher").is_some() {
        let report = validate_publisher_index(document, &options);
        return match PublisherIndex::read(document) {
            Some(index) if report.is_valid() => Ok(from_publisher_index(&index)),
            _ => Err(report),
        };
    }
    let report = validate_registry_index(document, &options);
    match RegistryIndex::read(document) {
        Some(index) if report.is_valid() => Ok(from_registry_index(&index)),
        _ => Err(report),
    }
}

fn from_publisher_index(index: &PublisherIndex<'_>) -> Index {
    let entries = index.manifests.iter().map(|entry| Entry {
        id: entry.id.to_string(),
        manifest_url: entry.manifest_url.to_string(),
        manifest_version: Some(entry.manifest_version.word()),
        status: entry.status.word(),
        summary: entry.summary.as_ref().map(ToString::to_string),
        instead: entry.deprecated_in_favor_of.as_ref().map(ToString::to_string),
    });
    Index {
        publisher: Some(format!("{} {}", index.publisher.kind.word(), index.publisher.id)),
        home: index.publisher.index_url(),
        entries: entries.collect(),
    }
}

fn from_registry_index(index: &RegistryIndex<'_>) -> Index {
    let entries = index.manifests.iter().map(|listing| Entry {
        id: listing.id.to_string(),
        manifest_url: listing.manifest_url.to_string(),
        manifest_version: listing.manifest_version.map(Version::word),
        status: listing.status.word(),
        summary: Some(listing.description.to_string()),
        instead: None,
    });
    Index { publisher: None, home: None, entries: entries.collect() }
}

impl Index {
    /// Returns the entry with this id.
    pub fn entry(&self, id: &str) -> Result<&Entry, String> {
        if let Some(entry) = self.entries.iter().find(|entry| entry.id == id) {
            return Ok(entry);
        }
        let why = format!("the index does not list {}", quoted(id));
        match did_you_mean(id, self.entries.iter().map(|entry| entry.id.as_str())) {
            Some(guess) => Err(format!("{why}: did you mean {guess}?")),
            None => Err(why),
        }
    }
}

impl Entry {
    /// Fails if the index declares the tool broken or quarantined.
    pub fn check_usable(&self) -> Result<(), String> {
        let bad = [Status::Broken.word(), Status::Quarantined.word()];
        if bad.contains(&self.status) {
            return Err(format!("the index says that {} is {}", quoted(&self.id), self.status));
        }
        Ok(())
    }

    /// Returns a warning to show before the installation if the tool is deprecated.
    pub fn warning(&self) -> Option<String> {
        let old = [Status::Deprecated.word(), RegistryStatus::Deprecated.word()];
        if !old.contains(&self.status) {
            return None;
        }
        let id = quoted(&self.id);
        Some(match &self.instead {
            Some(instead) => format!("{id} is deprecated: use {}", quoted(instead)),
            None => format!("{id} is deprecated"),
        })
    }

    /// Returns true if a fetched manifest is the listed one.
    pub fn matches(&self, manifest: &Manifest<'_>) -> bool {
        let version = manifest.manifest_version.word();
        manifest.tool.id == self.id && self.manifest_version.is_none_or(|listed| listed == version)
    }
}

/// Fetches a document over HTTP. `most` is the maximum size in bytes.
pub async fn fetch(host: &Host, address: &str, most: usize) -> Result<Vec<u8>, String> {
    let shown = quoted(address);
    url::check_http(address).map_err(|error| format!("{shown}: {error}"))?;
    let (method, url) = ("GET".to_owned(), address.to_owned().into());
    let step = Step::Send(Request { method, url, headers: Vec::new(), body: None });
    match host.run_unchecked(&step, &Origin::default(), &Values::new(), FETCH_TIMEOUT).await {
        Outcome::Responded { status: 200, body } if body.len() <= most => Ok(body),
        Outcome::Responded { status: 200, .. } | Outcome::TooMuch { .. } => {
            Err(format!("{shown} has more than {most} bytes"))
        }
        Outcome::Responded { status, .. } => Err(format!("{shown} answers with status {status}")),
        Outcome::TimedOut => Err(format!("{shown} does not answer in time")),
        Outcome::NotDone(why) | Outcome::Lost(why) => Err(format!("{shown}: {why}")),
        other => Err(format!("{shown}: {other:?}")),
    }
}
