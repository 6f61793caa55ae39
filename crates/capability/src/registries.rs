//! Registries: requests to them, and checks of their answers.
//!
//! A static registry is a shipped catalog, so its trust levels count. An HTTP registry is a
//! stranger. It is fetched over https only, if policy allows the URL, and is untrusted
//! unless policy marks it as verified.

use call::Request;
use manifest_core::descriptor::Trust;
use manifest_core::json::{Document, Node, quote};
use manifest_core::{Diagnostic, Limits, Pointer, Report, ValidateOptions, quoted};

use crate::canonical;
use crate::catalog::{Catalog, CatalogEntry, CatalogShape, ReadCatalog};
use crate::check::validate_entry;
use crate::grammar;
use crate::policy::{Denial, Policy};
use crate::rules;
use crate::table::Key;

/// A request for a host to make. The host must not follow redirects to URLs that policy
/// does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FetchRequest {
    /// The request. Policy allows its URL.
    pub request: Request,
    /// The maximum number of bytes to read from the answer.
    pub limit: usize,
}

impl FetchRequest {
    fn new(url: &str, limit: usize, policy: &Policy) -> Result<Self, Denial> {
        policy.may_fetch(url)?;
        let (method, url) = ("GET".to_owned(), url.into());
        Ok(Self { request: Request { method, url, headers: Vec::new(), body: None }, limit })
    }
}

/// The kind of registry that a candidate comes from, which affects its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RegistryKind {
    /// A shipped catalog.
    Static,
    /// An HTTP registry whose index contains the manifest.
    Http,
    /// An HTTP registry whose index contains the URL of the manifest.
    HttpRemote,
}

/// A capability that a registry offers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The manifest.
    pub entry: CatalogEntry,
    /// The effective level of trust, at most the one that the manifest claims.
    pub trust: Trust,
    /// The kind of registry.
    pub registry: RegistryKind,
    /// The URL of the manifest, if it must be fetched first.
    pub manifest_url: Option<String>,
}

impl Candidate {
    /// Returns the entry to install, with the effective level of trust instead of the
    /// claimed one. Returns `None` if the manifest must be fetched first.
    pub fn to_entry(&self) -> Option<CatalogEntry> {
        if self.manifest_url.is_some() {
            return None;
        }
        if self.entry.manifest().trust_level == self.trust {
            return Some(self.entry.clone());
        }
        Some(self.entry.with_member("trust_level", &quote(self.trust.word())))
    }
}

/// Plans to fetch the index of an HTTP registry.
pub fn fetch_index(url: &str, policy: &Policy) -> Result<FetchRequest, Denial> {
    FetchRequest::new(url, Limits::for_catalog().document_bytes, policy)
}

/// Returns the candidates of a static registry. Invalid entries are reported and left out.
pub fn read_static(
    document: &Document<'_>,
    validate: &ValidateOptions,
) -> Result<(Vec<Candidate>, Report), Report> {
    let options = ReadCatalog {
        shape: CatalogShape::Static,
        validate: validate.clone(),
        ..ReadCatalog::default()
    };
    let (catalog, report) = Catalog::read(document, &options)?;
    let mut candidates = Vec::new();
    for entry in catalog.entries() {
        let trust = entry.manifest().trust_level;
        let registry = RegistryKind::Static;
        candidates.push(Candidate { entry: entry.clone(), trust, registry, manifest_url: None });
    }
    Ok((candidates, report))
}

/// Returns the candidates of an HTTP registry. Invalid entries are reported and left out.
pub fn read_index(
    document: &Document<'_>,
    url: &str,
    policy: &Policy,
    validate: &ValidateOptions,
) -> Result<(Vec<Candidate>, Report), Report> {
    let mut report = validate.new_report();
    let root = document.root();
    let lists = ["items", "capabilities", "entries"];
    let list = lists.iter().find_map(|name| root.get(name)).unwrap_or(root);
    if !list.is_array() {
        report.push(rules::INDEX_ENTRY.at(list, "the index is not a list of entries"));
        return Err(report);
    }
    let mut candidates = Vec::new();
    for node in list.elements() {
        let Some((manifest, manifest_url)) = entry_parts(node) else {
            report.push(rules::INDEX_ENTRY.at(node, "there is no manifest, nor a pinned place"));
            continue;
        };
        let (found, nodes) = validate_entry(manifest, validate);
        let is_valid = found.is_valid();
        for diagnostic in found.diagnostics {
            report.push(diagnostic);
        }
        if !is_valid {
            continue;
        }
        let entry = CatalogEntry::from_nodes(manifest, &nodes);
        let claimed = entry.manifest().trust_level;
        let trust = policy.effective_trust(url, claimed);
        if claimed > trust {
            let message = format!("{} says that it is trusted", quoted(entry.id()));
            let place = nodes.get(Key::Trust).unwrap_or(manifest);
            report.push(rules::TRUST_CLAIM.at(place, message));
        }
        let registry =
            if manifest_url.is_some() { RegistryKind::HttpRemote } else { RegistryKind::Http };
        candidates.push(Candidate { entry, trust, registry, manifest_url });
    }
    Ok((candidates, report))
}

/// Returns the manifest in an entry. If it is only a candidate, also returns the URL of the
/// full manifest.
fn entry_parts(node: Node<'_>) -> Option<(Node<'_>, Option<String>)> {
    if let Some(manifest) = node.get("manifest") {
        return Some((manifest, None));
    }
    let url = node.get("manifest_url")?.text()?.into_owned();
    Some((node.get("candidate_manifest")?, Some(url)))
}

/// Plans to fetch the manifest of a candidate. Returns `None` if the index contains it.
pub fn fetch_manifest(
    candidate: &Candidate,
    policy: &Policy,
) -> Result<Option<FetchRequest>, Denial> {
    let Some(url) = &candidate.manifest_url else {
        return Ok(None);
    };
    FetchRequest::new(url, Limits::default().document_bytes, policy).map(Some)
}

/// Checks the manifest that was fetched for a candidate. The SHA-256 of its canonical form
/// must be the digest in the origin of the candidate, which the index declares. Its id and
/// version must be those of the candidate.
pub fn check_fetched(
    candidate: &Candidate,
    bytes: &[u8],
    validate: &ValidateOptions,
) -> Result<Candidate, Report> {
    let document = match Document::parse(bytes, &validate.limits) {
        Ok(document) => document,
        Err(diagnostic) => return Err(refuse(diagnostic, validate)),
    };
    let root = document.root();
    let known = candidate.entry.manifest();
    let pinned = grammar::normalize_digest(&known.origin.digest);
    if pinned.as_deref() != Some(canonical::digest(root).as_str()) {
        let message = "the manifest does not have the digest that the index names";
        let found = rules::DIGEST_MISMATCH.at_pointer(Pointer::root(), message);
        return Err(refuse(found, validate));
    }
    let (found, nodes) = validate_entry(root, validate);
    if !found.is_valid() {
        return Err(found);
    }
    let entry = CatalogEntry::from_nodes(root, &nodes);
    if entry.manifest().id != known.id || entry.manifest().version != known.version {
        let message = "the manifest is of another capability than the index says";
        let found = rules::DIGEST_MISMATCH.at_pointer(Pointer::root(), message);
        return Err(refuse(found, validate));
    }
    // The trust is at most that of the index, and at most the claim of the manifest.
    let trust = candidate.trust.min(entry.manifest().trust_level);
    Ok(Candidate { entry, trust, registry: candidate.registry, manifest_url: None })
}

fn refuse(diagnostic: Diagnostic, validate: &ValidateOptions) -> Report {
    let mut report = validate.new_report();
    report.push(diagnostic);
    report
}
