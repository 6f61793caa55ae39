//! Where manifests are listed: a publisher's own index, which stands at a
//! well-known address, and the index of a registry.
//!
//! ```
//! use install_engine::index::{WellKnown, validate_well_known};
//! use manifest_core::{Validate, json::Document};
//!
//! let text = br#"{
//!   "version": "1",
//!   "publisher": {"kind": "github", "id": "acme/tools", "display_name": "Acme"},
//!   "generated_at": "2026-01-01T00:00:00Z",
//!   "manifests": [{"id": "notes", "manifest_url": "https://example.com/notes.json",
//!     "manifest_version": "0.4", "status": "active"}]
//! }"#;
//! let options = Validate::default();
//! let document = Document::parse(text, &options.limits)?;
//! assert!(validate_well_known(&document, &options).is_valid());
//!
//! let index = WellKnown::read(&document).ok_or("not an index")?;
//! assert_eq!(
//!     index.publisher.index_url().as_deref(),
//!     Some("https://raw.githubusercontent.com/acme/tools/main/.well-known/install-manifests.json"),
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use install_manifest::{Manifest, Version};
use manifest_core::Text;
use manifest_core::json::{Document, Node};
use serde::Serialize;

mod check;
mod words;

pub use check::{validate_registry, validate_well_known};
pub use words::{PublisherKind, RegistryStatus, Status};

/// Where an index stands on a publisher's server.
pub const WELL_KNOWN_PATH: &str = "/.well-known/install-manifests.json";

/// A publisher's index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct WellKnown<'a> {
    /// Whose it is.
    pub publisher: Publisher<'a>,
    /// When it was made.
    pub generated_at: Text<'a>,
    /// What is in it.
    pub manifests: Vec<IndexEntry<'a>>,
}

/// Who publishes manifests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Publisher<'a> {
    /// How they are known.
    pub kind: PublisherKind,
    /// What they are known as: `owner/repo`, a host name, or a DID.
    pub id: Text<'a>,
    /// What people call them.
    pub display_name: Text<'a>,
    /// Their page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<Text<'a>>,
    /// How to reach them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<Text<'a>>,
    /// Their record in the AT protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atproto_record_uri: Option<Text<'a>>,
}

/// A manifest in a publisher's index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct IndexEntry<'a> {
    /// The id of the tool.
    pub id: Text<'a>,
    /// Where the manifest is.
    pub manifest_url: Text<'a>,
    /// The version of its specification.
    pub manifest_version: Version,
    /// What the publisher says about it.
    pub status: Status,
    /// One sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Text<'a>>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
    /// What to use instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated_in_favor_of: Option<Text<'a>>,
}

impl Publisher<'_> {
    /// Where the publisher's index is, if the kind of publisher says so.
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

    /// Whether an index that was fetched is that of this publisher.
    pub fn owns(&self, index: &WellKnown<'_>) -> bool {
        self.kind == index.publisher.kind && self.id == index.publisher.id
    }
}

impl IndexEntry<'_> {
    /// Whether a manifest that was fetched is the one that the entry lists.
    pub fn lists(&self, manifest: &Manifest<'_>) -> bool {
        self.id == manifest.tool.id && self.manifest_version == manifest.manifest_version
    }
}

impl<'a> WellKnown<'a> {
    /// Reads an index. Use [`validate_well_known`] to hear what is wrong with it.
    pub fn read(document: &'a Document<'a>) -> Option<Self> {
        let root = document.root();
        let entries = root.get("manifests")?.elements().map(IndexEntry::read);
        Some(Self {
            publisher: Publisher::read(root.get("publisher")?)?,
            generated_at: text(root, "generated_at")?,
            manifests: entries.collect::<Option<_>>()?,
        })
    }

    /// The entry of that id.
    pub fn entry(&self, id: &str) -> Option<&IndexEntry<'a>> {
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

impl<'a> IndexEntry<'a> {
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
pub struct Registry<'a> {
    /// The version of the index.
    pub version: Text<'a>,
    /// Where its schema is.
    pub schema_url: Text<'a>,
    /// What is in it.
    pub manifests: Vec<Listing<'a>>,
}

/// A manifest in a registry's index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Listing<'a> {
    /// The id of the tool.
    pub id: Text<'a>,
    /// What people call it.
    pub name: Text<'a>,
    /// What it is for.
    pub description: Text<'a>,
    /// What it can do, in words to search for.
    pub capabilities: Vec<Text<'a>>,
    /// Where the manifest is.
    pub manifest_url: Text<'a>,
    /// What the registry says about it.
    pub status: RegistryStatus,
    /// The version of its specification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_version: Option<Version>,
}

impl<'a> Registry<'a> {
    /// Reads an index. Use [`validate_registry`] to hear what is wrong with it.
    pub fn read(document: &'a Document<'a>) -> Option<Self> {
        let root = document.root();
        let listings = root.get("manifests")?.elements().map(Listing::read);
        Some(Self {
            version: text(root, "version")?,
            schema_url: text(root, "schema_url")?,
            manifests: listings.collect::<Option<_>>()?,
        })
    }

    /// The listing of that id.
    pub fn listing(&self, id: &str) -> Option<&Listing<'a>> {
        self.manifests.iter().find(|listing| listing.id == id)
    }
}

impl<'a> Listing<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let capabilities = node.get("capabilities")?.elements().map(Node::text);
        Some(Self {
            id: text(node, "id")?,
            name: text(node, "name")?,
            description: text(node, "description")?,
            capabilities: capabilities.collect::<Option<_>>()?,
            manifest_url: text(node, "manifest_url")?,
            status: RegistryStatus::from_word(&text(node, "status")?)?,
            manifest_version: text(node, "manifest_version")
                .and_then(|word| Version::from_word(&word)),
        })
    }
}

fn text<'a>(node: Node<'a>, name: &str) -> Option<Text<'a>> {
    node.get(name)?.text()
}
