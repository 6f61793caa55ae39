//! Lists of manifests: the index of a publisher, at a well-known address, and the index of
//! a registry.
//!
//! ```
//! use toolglot_install_manifest::engine::index::{PublisherIndex, validate_publisher_index};
//! use manifest_core::{ValidateOptions, json::Document};
//!
//! let text = br#"{
//!   "version": "1",
//!   "publisher": {"kind": "github", "id": "acme/tools", "display_name": "Acme"},
//!   "generated_at": "2026-01-01T00:00:00Z",
//!   "manifests": [{"id": "notes", "manifest_url": "https://example.com/notes.json",
//!     "manifest_version": "0.4", "status": "active"}]
//! }"#;
//! let options = ValidateOptions::default();
//! let document = Document::parse(text, &options.limits)?;
//! assert!(validate_publisher_index(&document, &options).is_valid());
//!
//! let index = PublisherIndex::read(&document).ok_or("not an index")?;
//! assert_eq!(
//!     index.publisher.index_url().as_deref(),
//!     Some("https://raw.githubusercontent.com/acme/tools/main/.well-known/install-manifests.json"),
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{Manifest, Version};
use manifest_core::Text;
use manifest_core::json::{Document, Node};
use serde::Serialize;

mod check;
mod enums;

pub use check::{validate_publisher_index, validate_registry_index};
pub use enums::{PublisherKind, RegistryStatus, Status};

/// The path of an index on a publisher's server.
pub const WELL_KNOWN_PATH: &str = "/.well-known/install-manifests.json";

/// A publisher's index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PublisherIndex<'a> {
    /// The publisher.
    pub publisher: Publisher<'a>,
    /// The time at which the index was generated.
    pub generated_at: Text<'a>,
    /// The listed manifests.
    pub manifests: Vec<PublisherEntry<'a>>,
}

/// A publisher of manifests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Publisher<'a> {
    /// The kind of the publisher's identity.
    pub kind: PublisherKind,
    /// The identity: `owner/repo`, a host name, or a DID.
    pub id: Text<'a>,
    /// The name for people.
    pub display_name: Text<'a>,
    /// The home page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<Text<'a>>,
    /// The contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<Text<'a>>,
    /// The URI of the publisher's record in the AT protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atproto_record_uri: Option<Text<'a>>,
}

/// A manifest in a publisher's index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PublisherEntry<'a> {
    /// The id of the tool.
    pub id: Text<'a>,
    /// The URL of the manifest.
    pub manifest_url: Text<'a>,
    /// The version of the manifest's specification.
    pub manifest_version: Version,
    /// The status that the publisher declares.
    pub status: Status,
    /// A description of one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Text<'a>>,
    /// Search terms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
    /// The id of the tool to use instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated_in_favor_of: Option<Text<'a>>,
}

impl Publisher<'_> {
    /// Returns the URL of the publisher's index. Returns `None` if the id is invalid, or if
    /// the kind of identity defines no URL.
    pub fn index_url(&self) -> Option<String> {
        if !check::is_publisher_id(self.kind, &self.id) {
            return None;
        }
        match self.kind {
            PublisherKind::Github => {
                Some(format!("https://raw.githubusercontent.com/{}/main{WELL_KNOWN_PATH}", self.id))
            }
            PublisherKind::Https => Some(format!("https://{}{WELL_KNOWN_PATH}", self.id)),
            PublisherKind::Atproto => None,
        }
    }

    /// Returns true if a fetched index belongs to this publisher.
    pub fn owns(&self, index: &PublisherIndex<'_>) -> bool {
        self.kind == index.publisher.kind && self.id == index.publisher.id
    }
}

impl PublisherEntry<'_> {
    /// Returns true if a fetched manifest is the listed one.
    pub fn matches(&self, manifest: &Manifest<'_>) -> bool {
        self.id == manifest.tool.id && self.manifest_version == manifest.manifest_version
    }
}

impl<'a> PublisherIndex<'a> {
    /// Reads an index. Returns `None` if a required member is missing or invalid.
    /// [`validate_publisher_index`] reports all problems.
    pub fn read(document: &'a Document<'a>) -> Option<Self> {
        let root = document.root();
        let entries = root.get("manifests")?.elements().map(PublisherEntry::read);
        Some(Self {
            publisher: Publisher::read(root.get("publisher")?)?,
            generated_at: text(root, "generated_at")?,
            manifests: entries.collect::<Option<_>>()?,
        })
    }

    /// Returns the entry with this id.
    pub fn entry(&self, id: &str) -> Option<&PublisherEntry<'a>> {
        self.manifests.iter().find(|entry| entry.id == id)
    }
}

impl<'a> Publisher<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        Some(Self {
            kind: PublisherKind::from_word(&text(node, "kind")?)?,
            id: text(node, "id")?,
            display_name: text(node, "display_name")?,
            homepage: text(node, "homepage"),
            contact: text(node, "contact"),
            atproto_record_uri: text(node, "atproto_record_uri"),
        })
    }
}

impl<'a> PublisherEntry<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let tags = node.get("tags").into_iter().flat_map(Node::elements);
        Some(Self {
            id: text(node, "id")?,
            manifest_url: text(node, "manifest_url")?,
            manifest_version: Version::from_word(&text(node, "manifest_version")?)?,
            status: Status::from_word(&text(node, "status")?)?,
            summary: text(node, "summary"),
            tags: tags.map(Node::text).collect::<Option<_>>()?,
            deprecated_in_favor_of: text(node, "deprecated_in_favor_of"),
        })
    }
}

/// A registry's index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RegistryIndex<'a> {
    /// The version of the index.
    pub version: Text<'a>,
    /// The URL of its schema.
    pub schema_url: Text<'a>,
    /// The listed manifests.
    pub manifests: Vec<RegistryEntry<'a>>,
}

/// A manifest in a registry's index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RegistryEntry<'a> {
    /// The id of the tool.
    pub id: Text<'a>,
    /// The name for people.
    pub name: Text<'a>,
    /// The purpose of the tool.
    pub description: Text<'a>,
    /// The capabilities of the tool, as search terms.
    pub capabilities: Vec<Text<'a>>,
    /// The URL of the manifest.
    pub manifest_url: Text<'a>,
    /// The status that the registry declares.
    pub status: RegistryStatus,
    /// The version of the manifest's specification, if it is declared and known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_version: Option<Version>,
}

impl<'a> RegistryIndex<'a> {
    /// Reads an index. Returns `None` if a required member is missing or invalid.
    /// [`validate_registry_index`] reports all problems.
    pub fn read(document: &'a Document<'a>) -> Option<Self> {
        let root = document.root();
        let listings = root.get("manifests")?.elements().map(RegistryEntry::read);
        Some(Self {
            version: text(root, "version")?,
            schema_url: text(root, "schema_url")?,
            manifests: listings.collect::<Option<_>>()?,
        })
    }

    /// Returns the listing with this id.
    pub fn entry(&self, id: &str) -> Option<&RegistryEntry<'a>> {
        self.manifests.iter().find(|listing| listing.id == id)
    }
}

impl<'a> RegistryEntry<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let capabilities = node.get("capabilities")?.elements().map(Node::text);
        Some(Self {
            id: text(node, "id")?,
            name: text(node, "name")?,
            description: text(node, "description")?,
            capabilities: capabilities.collect::<Option<_>>()?,
            manifest_url: text(node, "manifest_url")?,
            status: RegistryStatus::from_word(&text(node, "status")?)?,
            manifest_version: match text(node, "manifest_version") {
                Some(word) => Version::from_word(&word),
                None => None,
            },
        })
    }
}

fn text<'a>(node: Node<'a>, name: &str) -> Option<Text<'a>> {
    node.get(name)?.text()
}
