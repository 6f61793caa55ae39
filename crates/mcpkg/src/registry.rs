//! A registry of packages over HTTP: its requests and answers.
//!
//! Section 10.3 of the specification defines the filters of a registry, but not yet its
//! address. This is ours: a GET request for [`PATH`] below the base URL, with the criteria
//! as its query. The answer is a page of the packages that meet all of them.
//!
//! ```
//! use manifest_core::{Limits, json::Document};
//! use toolglot_mcpkg::registry::{PackageIndex, Page, Search};
//! use toolglot_mcpkg::select::Criteria;
//!
//! let limits = Limits::default();
//! let package = br#"{"toolId": "tools.pdf.read", "version": "1.0.0", "capabilities": ["pdf"],
//!   "implementations": [{"id": "js", "language": "javascript", "runtime": "node"}]}"#;
//! let mut offers = PackageIndex::default();
//! offers.add(&Document::parse(package, &limits)?, "sha256:00");
//!
//! let wanted = Criteria { language: Some("javascript".into()), ..Criteria::default() };
//! let search = Search { criteria: wanted, ..Search::default() };
//! let url = search.url("https://example.com")?;
//! assert_eq!(url, "https://example.com/mcpkg/v1/packages?language=javascript&limit=20");
//!
//! // The host sends the request there. The registry gets the query, and answers:
//! let body = offers.answer("language=javascript&limit=20")?;
//! let document = Document::parse(body.as_bytes(), &limits)?;
//! let page = Page::read(&document, &search)?;
//! assert_eq!(page.packages[0].manifest.tool_id, "tools.pdf.read");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use manifest_core::json::{Document, Node, to_json};
use manifest_core::url::check_http;
use manifest_core::{Text, percent, quoted};
use serde::Serialize;

use crate::manifest::{Implementation, Manifest};
use crate::select::{Criteria, Software};

/// The path of the list of packages.
pub const PATH: &str = "/mcpkg/v1/packages";

/// The maximum number of packages on one page.
pub const MAX_PAGE_SIZE: usize = 100;

/// The maximum number of parameters in a query.
const MAX_PARAMETERS: usize = 64;

/// The criteria of a search, and the page to return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The criteria that a tool must meet.
    pub criteria: Criteria,
    /// Words, all of which the id, name, description or capabilities must contain.
    pub words: Vec<String>,
    /// The number of packages on a page, up to [`MAX_PAGE_SIZE`].
    pub limit: usize,
    /// The number of packages to skip.
    pub offset: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self { criteria: Criteria::default(), words: Vec::new(), limit: 20, offset: 0 }
    }
}

impl Search {
    /// Returns the URL of this search in the registry at a base URL.
    pub fn url(&self, base: &str) -> Result<String, String> {
        check_http(base).map_err(|error| format!("the base URL: {error}"))?;
        if base.contains(['?', '#']) {
            return Err("the base URL must end with its path".to_owned());
        }
        let Criteria { capabilities, language, runtime, platform } = &self.criteria;
        let mut pairs: Vec<String> = Vec::new();
        for word in &self.words {
            pairs.push(parameter("q", word));
        }
        for capability in capabilities {
            pairs.push(parameter("capability", capability));
        }
        if let Some(language) = language {
            pairs.push(parameter("language", language));
        }
        if let Some(runtime) = runtime {
            pairs.push(parameter("runtime", &format_software(runtime)));
        }
        if let Some(platform) = platform {
            pairs.push(parameter("platform", platform));
        }
        pairs.push(parameter("limit", &self.limit.to_string()));
        if self.offset > 0 {
            pairs.push(parameter("offset", &self.offset.to_string()));
        }
        Ok(format!("{}{PATH}?{}", base.trim_end_matches('/'), pairs.join("&")))
    }

    /// Parses the query of a request. Unknown parameters are refused, because a search that
    /// ignores one would return packages that do not meet it.
    pub fn parse(query: &str) -> Result<Self, String> {
        let mut search = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for (index, (name, value)) in percent::query_pairs(query).enumerate() {
            if index >= MAX_PARAMETERS {
                return Err(format!("there are more than {MAX_PARAMETERS} words in the query"));
            }
            let many = matches!(name.as_str(), "q" | "capability");
            if !many && seen.contains(&name) {
                return Err(format!("{} is there twice", quoted(&name)));
            }
            search.set_parameter(&name, value)?;
            seen.push(name);
        }
        Ok(search)
    }

    fn set_parameter(&mut self, name: &str, value: String) -> Result<(), String> {
        let wanted = &mut self.criteria;
        match name {
            "q" => self.words.push(value),
            "capability" => wanted.capabilities.push(value),
            "language" => wanted.language = Some(value),
            "runtime" => wanted.runtime = Some(parse_software(&value)),
            "platform" => wanted.platform = Some(value),
            "offset" => self.offset = parse_number(&value)?,
            "limit" => {
                let limit = parse_number(&value)?;
                if !(1..=MAX_PAGE_SIZE).contains(&limit) {
                    return Err(format!(
                        "a page has 1 to {MAX_PAGE_SIZE} packages, and not {limit}"
                    ));
                }
                self.limit = limit;
            }
            other => return Err(format!("{} is not known", quoted(other))),
        }
        Ok(())
    }

    /// Returns true if a tool meets all criteria.
    pub fn matches(&self, manifest: &Manifest<'_>) -> bool {
        let Manifest { tool_id, name, description, capabilities, .. } = manifest;
        if !self.words.is_empty() {
            let texts = [tool_id, name, description].into_iter().chain(capabilities);
            let text = texts.map(|text| text.to_lowercase()).collect::<Vec<_>>().join("\n");
            if !self.words.iter().all(|word| text.contains(&word.to_lowercase())) {
                return false;
            }
        }
        self.criteria.matches(manifest)
    }
}

fn parameter(name: &str, value: &str) -> String {
    format!("{name}={}", percent::encode_form(value))
}

fn parse_number(value: &str) -> Result<usize, String> {
    value.parse().map_err(|_| format!("{} is not a number", quoted(value)))
}

/// Parses a runtime as people write it: `node`, `python@3.11`.
pub fn parse_software(text: &str) -> Software {
    match text.split_once('@') {
        Some((name, version)) => Software::new(name, version),
        None => Software { name: text.to_owned(), version: None },
    }
}

fn format_software(software: &Software) -> String {
    match &software.version {
        Some(version) => format!("{}@{version}", software.name),
        None => software.name.clone(),
    }
}

/// The packages of a registry, in its order.
#[derive(Clone, Debug, Default)]
pub struct PackageIndex(Vec<(Manifest<'static>, String)>);

/// A package in an answer: the members of its manifest that searches use, under their own
/// names, and the digest of the package.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PackageEntry<'m> {
    tool_id: &'m str,
    name: &'m str,
    version: &'m str,
    description: &'m str,
    capabilities: &'m [Text<'static>],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    implementations: &'m [Implementation<'static>],
    digest: &'m str,
}

impl PackageIndex {
    /// Adds a package by its manifest, which must be valid, and its digest.
    pub fn add(&mut self, manifest: &Document<'_>, digest: &str) {
        let manifest = searchable_members(Manifest::read(manifest));
        let entry = PackageEntry {
            tool_id: &manifest.tool_id,
            name: &manifest.name,
            version: &manifest.version,
            description: &manifest.description,
            capabilities: &manifest.capabilities,
            implementations: &manifest.implementations,
            digest,
        };
        let text = to_json(&entry);
        self.0.push((manifest, text));
    }

    /// Returns the number of packages.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no packages.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the answer to a query, as JSON. Fails if the query is invalid.
    pub fn answer(&self, query: &str) -> Result<String, String> {
        let search = Search::parse(query)?;
        let (mut page, mut total) = (Vec::new(), 0);
        for (manifest, text) in &self.0 {
            if search.matches(manifest) {
                if total >= search.offset && page.len() < search.limit {
                    page.push(text.as_str());
                }
                total += 1;
            }
        }
        Ok(format!("{{\"packages\":[{}],\"total\":{total}}}", page.join(",")))
    }
}

/// Copies the members that searches use.
fn searchable_members(manifest: Manifest<'_>) -> Manifest<'static> {
    let mut implementations = Vec::with_capacity(manifest.implementations.len());
    for implementation in manifest.implementations {
        implementations.push(Implementation {
            id: implementation.id.map(to_static),
            language: implementation.language.map(to_static),
            runtime: implementation.runtime.map(to_static),
            platforms: implementation.platforms.into_iter().map(to_static).collect(),
            ..Implementation::default()
        });
    }
    Manifest {
        tool_id: to_static(manifest.tool_id),
        name: to_static(manifest.name),
        version: to_static(manifest.version),
        description: to_static(manifest.description),
        capabilities: manifest.capabilities.into_iter().map(to_static).collect(),
        implementations,
        ..Manifest::default()
    }
}

fn to_static(text: Text<'_>) -> Text<'static> {
    Text::Owned(text.into_owned())
}

/// The answer of a registry.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page<'a> {
    /// The packages that meet the criteria.
    pub packages: Vec<FoundPackage<'a>>,
    /// The number of packages on all pages, as the registry reports it.
    pub total: u64,
    /// The number of packages that were left out, because they do not meet the criteria or
    /// exceed the page.
    pub rejected: usize,
}

/// A package in a registry.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundPackage<'a> {
    /// The members of its manifest that the registry returns.
    pub manifest: Manifest<'a>,
    /// The digest of its content, if the registry returns it.
    pub digest: Option<Text<'a>>,
}

impl<'a> Page<'a> {
    /// Reads an answer. Packages that do not meet the criteria are left out, because a
    /// registry is not trusted.
    pub fn read(document: &'a Document<'a>, search: &Search) -> Result<Self, String> {
        let root = document.root();
        let list = match root.get("packages") {
            Some(list) if list.is_array() => list,
            _ => return Err("the answer has no list of packages".to_owned()),
        };
        let total = root.get("total").and_then(|total| total.raw().parse().ok());
        let total = total.ok_or("the answer does not say how many packages there are")?;
        let mut page = Self { packages: Vec::new(), total, rejected: 0 };
        for node in list.elements() {
            let manifest = Manifest::read_node(node);
            let asked = !manifest.tool_id.is_empty() && search.matches(&manifest);
            if asked && page.packages.len() < search.limit {
                let digest = node.get("digest").and_then(Node::text);
                page.packages.push(FoundPackage { manifest, digest });
            } else {
                page.rejected += 1;
            }
        }
        Ok(page)
    }
}
