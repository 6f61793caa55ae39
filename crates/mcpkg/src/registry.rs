//! A registry of packages over HTTP: its requests and answers.
//!
//! Section 10.3 of the specification defines the filters of a registry, but not yet its
//! address. This is ours: a GET request for [`PATH`] below the base URL, with the criteria
//! as its query. The answer is a page of the packages that meet all of them.
//!
//! ```
//! use manifest_core::{Limits, json::Document};
//! use mcpkg::registry::{Offers, Page, Search};
//! use mcpkg::select::Wanted;
//!
//! let limits = Limits::default();
//! let package = br#"{"toolId": "tools.pdf.read", "version": "1.0.0", "capabilities": ["pdf"],
//!   "implementations": [{"id": "js", "language": "javascript", "runtime": "node"}]}"#;
//! let mut offers = Offers::default();
//! offers.add(&Document::parse(package, &limits)?, "sha256:00");
//!
//! let wanted = Wanted { language: Some("javascript".into()), ..Wanted::default() };
//! let search = Search { wanted, ..Search::default() };
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

use manifest_core::json::{Document, Node};
use manifest_core::url::check_http;
use manifest_core::{Text, certain, percent, quoted};
use serde::Serialize;

use crate::manifest::{Implementation, Manifest};
use crate::select::{Software, Wanted};

/// The path of the list of packages.
pub const PATH: &str = "/mcpkg/v1/packages";

/// The maximum number of packages on one page.
pub const LARGEST_PAGE: usize = 100;

/// The maximum number of parameters in a query.
const MOST_PAIRS: usize = 64;

/// The criteria of a search, and the page to return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // callers write it out in full
pub struct Search {
    /// The criteria that a tool must meet.
    pub wanted: Wanted,
    /// Words, all of which the id, name, description or capabilities must contain.
    pub words: Vec<String>,
    /// The number of packages on a page, up to [`LARGEST_PAGE`].
    pub limit: usize,
    /// The number of packages to skip.
    pub offset: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self { wanted: Wanted::default(), words: Vec::new(), limit: 20, offset: 0 }
    }
}

impl Search {
    /// Returns the URL of this search in the registry at a base URL.
    pub fn url(&self, base: &str) -> Result<String, String> {
        check_http(base).map_err(|error| format!("the base URL: {error}"))?;
        if base.contains(['?', '#']) {
            return Err("the base URL must end with its path".to_owned());
        }
        let Wanted { capabilities, language, runtime, platform } = &self.wanted;
        let mut pairs: Vec<(&str, String)> = Vec::new();
        pairs.extend(self.words.iter().map(|word| ("q", word.clone())));
        pairs.extend(capabilities.iter().map(|word| ("capability", word.clone())));
        pairs.extend(language.clone().map(|language| ("language", language)));
        pairs.extend(runtime.as_ref().map(|runtime| ("runtime", written(runtime))));
        pairs.extend(platform.clone().map(|platform| ("platform", platform)));
        pairs.push(("limit", self.limit.to_string()));
        pairs.extend((self.offset > 0).then(|| ("offset", self.offset.to_string())));
        let pair = |(name, value): &(&str, String)| format!("{name}={}", percent::form(value));
        let pairs: Vec<String> = pairs.iter().map(pair).collect();
        Ok(format!("{}{PATH}?{}", base.trim_end_matches('/'), pairs.join("&")))
    }

    /// Parses the query of a request. Unknown parameters are refused, because a search that
    /// ignores one would return packages that do not meet it.
    pub fn parse(query: &str) -> Result<Self, String> {
        let mut search = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for (index, (name, value)) in percent::pairs(query).enumerate() {
            if index >= MOST_PAIRS {
                return Err(format!("there are more than {MOST_PAIRS} words in the query"));
            }
            let many = matches!(name.as_str(), "q" | "capability");
            if !many && seen.contains(&name) {
                return Err(format!("{} is there twice", quoted(&name)));
            }
            search.take(&name, value)?;
            seen.push(name);
        }
        Ok(search)
    }

    fn take(&mut self, name: &str, value: String) -> Result<(), String> {
        let number = |value: &str| {
            let number = value.parse::<usize>();
            number.map_err(|_| format!("{} is not a number", quoted(value)))
        };
        let wanted = &mut self.wanted;
        match name {
            "q" => self.words.push(value),
            "capability" => wanted.capabilities.push(value),
            "language" => wanted.language = Some(value),
            "runtime" => wanted.runtime = Some(software(&value)),
            "platform" => wanted.platform = Some(value),
            "offset" => self.offset = number(&value)?,
            "limit" => {
                let limit = number(&value)?;
                let fits = (1..=LARGEST_PAGE).contains(&limit);
                self.limit = Some(limit).filter(|_| fits).ok_or_else(|| {
                    format!("a page has 1 to {LARGEST_PAGE} packages, and not {limit}")
                })?;
            }
            other => return Err(format!("{} is not known", quoted(other))),
        }
        Ok(())
    }

    /// Returns true if a tool meets all criteria.
    pub fn finds(&self, manifest: &Manifest<'_>) -> bool {
        let Manifest { tool_id, name, description, capabilities, .. } = manifest;
        let has_words = self.words.is_empty() || {
            let texts = [tool_id, name, description].into_iter().chain(capabilities);
            let text = texts.map(|text| text.to_lowercase()).collect::<Vec<_>>().join("\n");
            self.words.iter().all(|word| text.contains(&word.to_lowercase()))
        };
        has_words && self.wanted.finds(manifest)
    }
}

/// Parses a runtime as people write it: `node`, `python@3.11`.
pub fn software(text: &str) -> Software {
    match text.split_once('@') {
        Some((name, version)) => Software::new(name, version),
        None => Software { name: text.to_owned(), version: None },
    }
}

fn written(software: &Software) -> String {
    match &software.version {
        Some(version) => format!("{}@{version}", software.name),
        None => software.name.clone(),
    }
}

/// The packages of a registry, in its order.
#[derive(Clone, Debug, Default)]
pub struct Offers(Vec<(Manifest<'static>, String)>);

/// A package in an answer: the members of its manifest that searches use, under their own
/// names, and the digest of the package.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Offer<'m> {
    tool_id: &'m str,
    name: &'m str,
    version: &'m str,
    description: &'m str,
    capabilities: &'m [Text<'static>],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    implementations: &'m [Implementation<'static>],
    digest: &'m str,
}

impl Offers {
    /// Adds a package by its manifest, which must be valid, and its digest.
    pub fn add(&mut self, manifest: &Document<'_>, digest: &str) {
        let read = Manifest::read(manifest);
        let manifest = Manifest {
            tool_id: owned(&read.tool_id),
            name: owned(&read.name),
            version: owned(&read.version),
            description: owned(&read.description),
            capabilities: read.capabilities.iter().map(owned).collect(),
            implementations: read.implementations.iter().map(part).collect(),
            ..Manifest::default()
        };
        let offer = Offer {
            tool_id: &manifest.tool_id,
            name: &manifest.name,
            version: &manifest.version,
            description: &manifest.description,
            capabilities: &manifest.capabilities,
            implementations: &manifest.implementations,
            digest,
        };
        let text = certain(serde_json::to_string(&offer)).unwrap_or_default();
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
        let found = self.0.iter().filter(|(manifest, _)| search.finds(manifest));
        let found: Vec<&str> = found.map(|(_, text)| text.as_str()).collect();
        let total = found.len();
        let page = found.into_iter().skip(search.offset).take(search.limit);
        let page = page.collect::<Vec<_>>().join(",");
        Ok(format!("{{\"packages\":[{page}],\"total\":{total}}}"))
    }
}

fn owned(text: &Text<'_>) -> Text<'static> {
    Text::Owned(text.to_string())
}

/// Copies the members that searches use.
fn part(implementation: &Implementation<'_>) -> Implementation<'static> {
    Implementation {
        id: implementation.id.as_ref().map(owned),
        language: implementation.language.as_ref().map(owned),
        runtime: implementation.runtime.as_ref().map(owned),
        platforms: implementation.platforms.iter().map(owned).collect(),
        ..Implementation::default()
    }
}

/// The answer of a registry.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page<'a> {
    /// The packages that meet the criteria.
    pub packages: Vec<Found<'a>>,
    /// The number of packages on all pages, as the registry reports it.
    pub total: u64,
    /// The number of packages that were left out, because they do not meet the criteria or
    /// exceed the page.
    pub strange: usize,
}

/// A package in a registry.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found<'a> {
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
        let list = root.get("packages").filter(|list| list.is_array());
        let list = list.ok_or("the answer has no list of packages")?;
        let total = root.get("total").and_then(|total| total.raw().parse().ok());
        let total = total.ok_or("the answer does not say how many packages there are")?;
        let mut page = Self { packages: Vec::new(), total, strange: 0 };
        for node in list.elements() {
            let manifest = Manifest::of_node(node);
            let asked = !manifest.tool_id.is_empty() && search.finds(&manifest);
            if asked && page.packages.len() < search.limit {
                let digest = node.get("digest").and_then(Node::text);
                page.packages.push(Found { manifest, digest });
            } else {
                page.strange += 1;
            }
        }
        Ok(page)
    }
}
