//! The tools of a registry.

use std::collections::BTreeMap;

use manifest_core::json::{Document, compact, to_json};
use manifest_core::{Limits, Report, ValidateOptions, ok_or_bug, quoted, some_or_bug, version};
use serde_json::{Value, json};

use super::query::QueryParams;
use crate::bundle::{self, Bundle, ExpectedBundle, bundle_limits};
use crate::cache::CacheKey;
use crate::manifest::Manifest;
use crate::results::SearchResult;
use crate::rules;
use crate::search::{Index, Query, SearchEntry, SearchPage};

/// One version of a tool: its manifest and its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// The manifest, as JSON.
    pub manifest: String,
    /// The files: their paths in the bundle and their content.
    pub files: Vec<(String, Vec<u8>)>,
    /// True if the version is yanked: searches do not find it and it is never the latest,
    /// but requests for this version are answered.
    pub yanked: bool,
}

impl Package {
    /// Returns the key of the version and the digest of everything that must not change in
    /// it. Returns `None` if the manifest cannot be parsed as JSON.
    pub fn version_digest(&self, limits: &Limits) -> Option<(CacheKey, String)> {
        let document = Document::parse(self.manifest.as_bytes(), limits).ok()?;
        let manifest = Manifest::read(&document);
        let files = self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        let content = bundle::version_digest(document.root(), &bundle::digest(files));
        Some((CacheKey::new(&manifest.id, &manifest.version), content))
    }
}

/// A package that a registry refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedPackage {
    /// The index of the package.
    pub index: usize,
    /// The errors of its bundle.
    pub report: Report,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    /// The tools, in the order of equally good search results.
    pub(super) tools: Vec<StoredTool>,
    /// The number of tools that can be found. Tools whose versions are all yanked come last
    /// and are not counted.
    pub(super) listed_count: usize,
    by_id: BTreeMap<String, usize>,
    index: Index,
    providers: BTreeMap<String, usize>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct StoredTool {
    pub(super) id: String,
    name: String,
    /// The versions, latest first, with the yanked ones after all others.
    pub(super) versions: Vec<Version>,
    /// The search result, as JSON.
    pub(super) result: String,
    /// The search result with the description, as JSON.
    pub(super) list_entry: String,
}

#[derive(Clone, Debug)]
pub(super) struct Version {
    /// The version number, such as `1.2.0`.
    pub(super) number: String,
    pub(super) summary: String,
    /// The answer of `describe`, as JSON.
    pub(super) manifest: String,
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) sha256: String,
    pub(super) yanked: bool,
}

impl StoredTool {
    /// Returns the latest version that is not yanked.
    pub(super) fn latest(&self) -> Option<&Version> {
        self.versions.first().filter(|version| !version.yanked)
    }
}

impl Version {
    /// Returns the bundle as JSON.
    pub(super) fn bundle(&self) -> String {
        let files = bundle::files_as_json(&self.files);
        let Self { manifest, sha256, .. } = self;
        format!("{{\"manifest\":{manifest},\"files\":{files},\"sha256\":\"{sha256}\"}}")
    }

    pub(super) fn list_entry(&self) -> Value {
        let Self { number, summary, sha256, .. } = self;
        if self.yanked {
            json!({"version": number, "summary": summary, "sha256": sha256, "yanked": true})
        } else {
            json!({"version": number, "summary": summary, "sha256": sha256})
        }
    }
}

impl Store {
    pub(super) fn load(
        packages: Vec<Package>,
        options: &ValidateOptions,
    ) -> Result<Self, Vec<RefusedPackage>> {
        let mut refused = Vec::new();
        let mut tools: BTreeMap<String, Vec<Version>> = BTreeMap::new();
        let mut keys: BTreeMap<CacheKey, String> = BTreeMap::new();
        for (index, package) in packages.into_iter().enumerate() {
            match check_package(package, options, &mut keys) {
                Ok((id, version)) => tools.entry(id).or_default().push(version),
                Err(report) => refused.push(RefusedPackage { index, report }),
            }
        }
        if !refused.is_empty() {
            return Err(refused);
        }
        let mut store = Self::default();
        for (id, mut versions) in tools {
            versions.sort_by_cached_key(|found| {
                (found.yanked, std::cmp::Reverse(precedence(&found.number)))
            });
            store.tools.push(StoredTool { id, versions, ..StoredTool::default() });
        }
        store.index();
        Ok(store)
    }

    /// Sorts the tools and builds their search results and the indexes.
    fn index(&mut self) {
        let limits = stored_manifest_limits();
        for tool in &mut self.tools {
            let Some(latest) = tool.versions.first().filter(|version| !version.yanked) else {
                continue;
            };
            if let Some(document) = ok_or_bug(Document::parse(latest.manifest.as_bytes(), &limits))
            {
                let manifest = Manifest::read(&document);
                if let Some(provider) = manifest.provider.as_deref() {
                    *self.providers.entry(provider.to_owned()).or_default() += 1;
                }
                let description = json!({"description": manifest.description});
                tool.name = manifest.name.to_string();
                tool.result = search_result(&manifest);
                tool.list_entry = join_objects(&tool.result, &description.to_string());
            }
        }
        self.tools.sort_by_cached_key(|tool| {
            (tool.latest().is_none(), tool.name.clone(), tool.id.clone())
        });
        self.listed_count = self.tools.iter().filter(|tool| tool.latest().is_some()).count();
        for (index, tool) in self.tools.iter().enumerate() {
            self.by_id.insert(tool.id.clone(), index);
        }
        let mut documents = Vec::new();
        for version in self.tools.iter().filter_map(StoredTool::latest) {
            documents.extend(ok_or_bug(Document::parse(version.manifest.as_bytes(), &limits)));
        }
        let manifests: Vec<Manifest<'_>> = documents.iter().map(Manifest::read).collect();
        let mut tags: Vec<Vec<&str>> = Vec::new();
        for manifest in &manifests {
            tags.push(manifest.tags.iter().map(AsRef::as_ref).collect());
        }
        let entries = manifests.iter().zip(&tags).map(|(manifest, tags)| SearchEntry {
            name: &manifest.name,
            summary: &manifest.summary,
            description: &manifest.description,
            tags,
        });
        self.index = Index::build(entries);
    }

    pub(super) fn tool(&self, id: &str) -> Option<&StoredTool> {
        self.tools.get(*self.by_id.get(id)?)
    }

    pub(super) fn search(&self, query: &QueryParams) -> SearchPage {
        let (offset, end) = query.page(false);
        let (tags, limit) = (query.tags(), end.saturating_sub(offset));
        self.index.search(&Query { q: query.q(), tags: &tags, offset, limit })
    }

    pub(super) fn all(&self, query: &QueryParams) -> SearchPage {
        let (offset, end) = query.page(false);
        let total = self.listed_count;
        SearchPage { entries: (offset.min(total)..end.min(total)).collect(), total }
    }

    pub(super) fn tags(&self) -> Value {
        counts_as_json("tags", self.index.tags())
    }

    pub(super) fn providers(&self) -> Value {
        let providers = self.providers.iter().map(|(name, count)| (name.as_str(), *count));
        counts_as_json("providers", providers)
    }
}

/// Returns the names as JSON, most frequent first.
fn counts_as_json<'n>(what: &str, names: impl Iterator<Item = (&'n str, usize)>) -> Value {
    let mut names: Vec<_> = names.collect();
    names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let mut list = Vec::new();
    for (name, count) in &names {
        list.push(json!({"name": name, "count": count}));
    }
    json!({what: list, "total": list.len()})
}

/// Returns limits for manifests that were already checked and then got a digest.
fn stored_manifest_limits() -> Limits {
    let limits = Limits::for_bundle();
    Limits { document_bytes: limits.document_bytes * 2, nodes: limits.nodes * 2, ..limits }
}

/// Returns the sort key of a version. Texts that are not `SemVer` sort first, and build
/// metadata only breaks ties.
fn precedence(text: &str) -> (Option<semver::Version>, String) {
    (version::parse_exact(text).ok(), text.to_owned())
}

/// Checks a package as a client checks its bundle.
fn check_package(
    package: Package,
    options: &ValidateOptions,
    keys: &mut BTreeMap<CacheKey, String>,
) -> Result<(String, Version), Report> {
    let limits = bundle_limits(&options.limits);
    let manifest = Document::parse(package.manifest.as_bytes(), &options.limits)?;
    let text = bundle::pack(manifest.root(), &package.files);
    let document = Document::parse(text.as_bytes(), &limits)?;
    let mut report = Bundle::check(&document, &ExpectedBundle::default(), options);
    let read = Bundle::read(&document);
    // `pack` writes the digest.
    let sha256 = some_or_bug(read.sha256).into_owned();
    let (id, version) = (read.manifest.id, read.manifest.version);
    if keys.insert(CacheKey::new(&id, &version), sha256.clone()).is_some() {
        let message = format!("{} {} is there already", quoted(&id), quoted(&version));
        report.push(rules::IMMUTABLE_VERSION.at(manifest.root(), message));
    }
    if !report.is_valid() {
        return Err(report);
    }
    let compact = compact(manifest.root());
    let served = match read.manifest.sha256 {
        Some(_) => compact,
        None => join_objects(&compact, &json!({"sha256": sha256}).to_string()),
    };
    let version = Version {
        number: version.into_owned(),
        summary: read.manifest.summary.into_owned(),
        manifest: served,
        files: package.files,
        sha256,
        yanked: package.yanked,
    };
    Ok((id.into_owned(), version))
}

/// Joins two JSON objects that are not empty.
fn join_objects(a: &str, b: &str) -> String {
    let head = a.strip_suffix('}').unwrap_or(a);
    let tail = b.strip_prefix('{').unwrap_or(b);
    format!("{head},{tail}")
}

/// Returns the search result of a manifest, as JSON.
fn search_result(manifest: &Manifest<'_>) -> String {
    let result = SearchResult {
        id: manifest.id.clone(),
        name: manifest.name.clone(),
        version: manifest.version.clone(),
        summary: manifest.summary.clone(),
        tags: manifest.tags.clone(),
        provider: manifest.provider.clone(),
        uses_payment: manifest.uses_payment,
        requires_approval: manifest.requires_approval,
        required_secrets: manifest.required_secrets.clone(),
        extras: manifest_core::read::Extras::default(),
    };
    to_json(&result)
}
