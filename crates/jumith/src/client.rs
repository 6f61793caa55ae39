//! The client: what to request, and what to make of the answer. The host sends and
//! receives.
//!
//! ```
//! use jumith::client::{Client, Search};
//!
//! let client = Client::new("https://example.com/registry/")?;
//! let search = Search { q: "send mail".to_owned(), limit: Some(5), ..Search::default() };
//! let request = client.search(&search)?;
//! assert_eq!(request.url, "https://example.com/registry/v1/tools/search?q=send+mail&limit=5");
//!
//! // The host sends a GET request there, and gets this back:
//! let body = br#"{"results": [], "total": 0}"#;
//! let document = client.open(&request, 200, body)?;
//! assert!(client.results(&document)?.results.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod pages;

use std::fmt;

use manifest_core::json::Document;
use manifest_core::url::{UrlError, check_http};
use manifest_core::{Limits, Profile, Report, Validate, quoted};

use crate::bundle::{Bundle, Expected};
use crate::error::ApiError;
use crate::install::{self, Plan};
use crate::manifest::Manifest;
use crate::results::SearchResults;
use crate::{check, names, reference, rules, url};

pub use pages::Pages;

/// How long the published client waits for an answer, in milliseconds.
pub const TIMEOUT_MS: u64 = 15_000;

/// The most results that one page may have.
pub const LARGEST_PAGE: u32 = 100;

/// A registry, seen from outside.
#[derive(Clone, Debug)]
pub struct Client {
    base: String,
    options: Validate,
}

/// What to look for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct Search {
    /// The words.
    pub q: String,
    /// How many results a page has: up to [`LARGEST_PAGE`], 20 when nothing is
    /// said.
    pub limit: Option<u32>,
    /// How many results to leave out.
    pub offset: Option<u64>,
    /// Tags, of which a tool must have one.
    pub tags: Vec<String>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Endpoint {
    /// `GET /v1/tools/search`
    Search,
    /// `GET /v1/tools/{id}`
    Describe,
    /// `GET /v1/tools/{id}/versions/{version}/bundle`
    Bundle,
    /// `GET /v1/tools/{id}/versions`, which a registry may not have
    Versions,
    /// `GET /v1/tags`, which a registry may not have
    Tags,
    /// `GET /v1/providers`, which a registry may not have
    Providers,
}

/// A GET request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// What it asks.
    pub endpoint: Endpoint,
    /// Where it goes.
    pub url: String,
    /// The tool that it asks about.
    pub id: Option<String>,
    /// The version that it asks about.
    pub version: Option<String>,
}

impl Request {
    /// The headers to send.
    pub const HEADERS: [(&'static str, &'static str); 1] = [("Accept", "application/json")];
}

/// Why there is no request to make.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The base URL is none.
    #[error("the base URL: {0}")]
    Base(#[from] UrlError),
    /// The base URL has a query or a fragment.
    #[error("the base URL must end with its path")]
    BaseEnd,
    /// There is nothing to look for.
    #[error("a search needs words to look for")]
    NoWords,
    /// A page of no size, or too large.
    #[error("a page has 1 to 100 results")]
    Limit,
    /// A tag that cannot be sent.
    #[error("a tag must not be blank, nor hold a comma")]
    Tag,
    /// An id that cannot be sent.
    #[error("{} cannot be an id", quoted(.0))]
    Id(String),
    /// A version that cannot be sent.
    #[error("{} cannot be a version", quoted(.0))]
    Version(String),
}

/// Why an answer is of no use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The registry said no.
    Api(ApiError),
    /// The registry said something that is not what it should be.
    Invalid(Report),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Api(error) => error.fmt(f),
            Self::Invalid(report) => match report.errors().next() {
                Some(first) => first.fmt(f),
                None => f.write_str("the answer is invalid"),
            },
        }
    }
}

impl std::error::Error for Failure {}

impl Failure {
    /// The words of the published client, where the `reference` profile found
    /// the problem.
    pub fn published(&self, endpoint: Endpoint) -> String {
        let what = match endpoint {
            Endpoint::Describe => "describe",
            Endpoint::Bundle => "download",
            _ => "search",
        };
        let why = match self {
            Self::Api(error) => {
                format!("Registry request failed: HTTP {}: {}", error.status, error.body)
            }
            Self::Invalid(report) => {
                let first = report.errors().next();
                first.map_or_else(String::new, |first| first.message.clone())
            }
        };
        format!("Registry {what} failed: {why}")
    }
}

impl Client {
    /// A registry at a base URL. Its path is kept: all endpoints are below it.
    pub fn new(base: &str) -> Result<Self, RequestError> {
        Self::with_options(base, Validate::default())
    }

    /// A registry at a base URL, with other options. Under the `reference`
    /// profile the path of the base URL is dropped, as the published client does.
    pub fn with_options(base: &str, options: Validate) -> Result<Self, RequestError> {
        check_http(base)?;
        if base.contains(['?', '#']) {
            return Err(RequestError::BaseEnd);
        }
        let mut base = base.trim_end_matches('/');
        if options.profile == Profile::Reference {
            let after = base.find("://").map_or(0, |at| at + 3);
            let end = base.get(after..).and_then(|rest| rest.find('/'));
            base = end.and_then(|end| base.get(..after + end)).unwrap_or(base);
        }
        Ok(Self { base: base.to_owned(), options })
    }

    fn reference(&self) -> bool {
        self.options.profile == Profile::Reference
    }

    /// Looks for tools.
    pub fn search(&self, search: &Search) -> Result<Request, RequestError> {
        if !self.reference() {
            if names::is_blank(&search.q) {
                return Err(RequestError::NoWords);
            }
            if search.limit.is_some_and(|limit| !(1..=LARGEST_PAGE).contains(&limit)) {
                return Err(RequestError::Limit);
            }
            if search.tags.iter().any(|tag| names::is_blank(tag) || tag.contains(',')) {
                return Err(RequestError::Tag);
            }
        }
        let mut pairs = vec![("q", url::form(&search.q))];
        // The published client leaves zeros out, and they mean nothing here.
        pairs.extend(search.limit.filter(|n| *n > 0).map(|limit| ("limit", limit.to_string())));
        pairs.extend(search.offset.filter(|n| *n > 0).map(|offset| ("offset", offset.to_string())));
        if !search.tags.is_empty() {
            pairs.push(("tags", url::form(&search.tags.join(","))));
        }
        let pairs: Vec<String> =
            pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let url = format!("{}/v1/tools/search?{}", self.base, pairs.join("&"));
        Ok(Request { endpoint: Endpoint::Search, url, id: None, version: None })
    }

    /// Asks for the latest manifest of a tool.
    pub fn describe(&self, id: &str) -> Result<Request, RequestError> {
        self.about(Endpoint::Describe, id, None, "")
    }

    /// Asks for a bundle.
    pub fn bundle(&self, id: &str, version: &str) -> Result<Request, RequestError> {
        let fits = if self.reference() {
            !matches!(version, "" | "." | "..")
        } else {
            names::is_version(version)
        };
        if !fits {
            return Err(RequestError::Version(version.to_owned()));
        }
        let tail = format!("/versions/{}/bundle", self.encoded(version));
        self.about(Endpoint::Bundle, id, Some(version), &tail)
    }

    /// Asks for the versions of a tool. Not every registry knows.
    pub fn versions(&self, id: &str) -> Result<Request, RequestError> {
        self.about(Endpoint::Versions, id, None, "/versions")
    }

    /// Asks for all tags. Not every registry knows.
    pub fn tags(&self) -> Request {
        self.plain(Endpoint::Tags, "tags")
    }

    /// Asks for all providers. Not every registry knows.
    pub fn providers(&self) -> Request {
        self.plain(Endpoint::Providers, "providers")
    }

    fn plain(&self, endpoint: Endpoint, name: &str) -> Request {
        let url = format!("{}/v1/{name}", self.base);
        Request { endpoint, url, id: None, version: None }
    }

    fn about(
        &self,
        endpoint: Endpoint,
        id: &str,
        version: Option<&str>,
        tail: &str,
    ) -> Result<Request, RequestError> {
        // A dot or two would be resolved by whoever sends the request.
        let fits = if self.reference() { !matches!(id, "" | "." | "..") } else { names::is_id(id) };
        if !fits {
            return Err(RequestError::Id(id.to_owned()));
        }
        let url = format!("{}/v1/tools/{}{tail}", self.base, self.encoded(id));
        Ok(Request { endpoint, url, id: Some(id.to_owned()), version: version.map(str::to_owned) })
    }

    fn encoded(&self, text: &str) -> String {
        if self.reference() { url::component(text) } else { url::segment(text) }
    }

    /// Reads an answer as JSON, unless its status says that it is an error.
    pub fn open<'b>(
        &self,
        request: &Request,
        status: u16,
        body: &'b [u8],
    ) -> Result<Document<'b>, Failure> {
        let limits = self.limits(request.endpoint);
        if !(200..300).contains(&status) {
            return Err(Failure::Api(ApiError::read(status, body, &limits)));
        }
        Document::parse(body, &limits).map_err(|diagnostic| {
            let mut report = Report::new(self.options.profile, 1);
            report.push(diagnostic);
            Failure::Invalid(report)
        })
    }

    /// How large an answer may be. A host stops reading there.
    pub fn limits(&self, endpoint: Endpoint) -> Limits {
        let given = &self.options.limits;
        match endpoint {
            Endpoint::Bundle => {
                let room = Limits::for_bundle();
                Limits {
                    document_bytes: given.document_bytes.max(room.document_bytes),
                    string_bytes: given.string_bytes.max(room.string_bytes),
                    ..given.clone()
                }
            }
            _ => given.clone(),
        }
    }

    /// The page of results that an answer is.
    pub fn results<'a>(&self, document: &'a Document<'a>) -> Result<SearchResults<'a>, Failure> {
        accept(SearchResults::check(document, &self.options))?;
        Ok(match reference::search(document.root()) {
            Ok(page) if self.reference() => page,
            _ => SearchResults::read(document),
        })
    }

    /// The manifest that an answer is: of the tool that was asked about, and no
    /// other.
    pub fn manifest<'a>(
        &self,
        request: &Request,
        document: &'a Document<'a>,
    ) -> Result<Manifest<'a>, Failure> {
        let mut report = check::validate(document, &self.options);
        if self.reference() {
            accept(report)?;
            return Ok(reference::manifest(document.root()).unwrap_or_default());
        }
        let manifest = Manifest::read(document);
        if let Some(asked) = request.id.as_deref().filter(|asked| *asked != manifest.id) {
            let message = format!("asked for {}, got {}", quoted(asked), quoted(&manifest.id));
            let at = document.root().get("id").unwrap_or(document.root());
            report.push(rules::IDENTITY.at(at, message));
        }
        accept(report)?;
        Ok(manifest)
    }

    /// The bundle that an answer is, checked against what was asked and against
    /// what `describe` said, when that is known.
    pub fn checked_bundle<'a>(
        &self,
        request: &Request,
        document: &'a Document<'a>,
        describe: Option<&Document<'_>>,
    ) -> Result<Bundle<'a>, Failure> {
        let expected = expected(request, describe);
        accept(Bundle::check(document, &expected, &self.options))?;
        Ok(match reference::bundle(document.root()) {
            Ok(bundle) if self.reference() => bundle,
            _ => Bundle::read(document),
        })
    }

    /// What to write to install the bundle that an answer is.
    pub fn plan<'a>(
        &self,
        request: &Request,
        document: &'a Document<'a>,
        describe: Option<&Document<'_>>,
    ) -> Result<Plan<'a>, Failure> {
        let expected = expected(request, describe);
        install::plan(document, &expected, &self.options).map_err(Failure::Invalid)
    }

    /// All pages of a search, one request after the other.
    pub fn pages(&self, search: Search) -> Result<Pages<'_>, RequestError> {
        self.search(&search)?;
        Ok(Pages::new(self, search))
    }
}

fn accept(report: Report) -> Result<(), Failure> {
    if report.is_valid() { Ok(()) } else { Err(Failure::Invalid(report)) }
}

fn expected<'e>(request: &'e Request, describe: Option<&'e Document<'_>>) -> Expected<'e> {
    Expected {
        id: request.id.as_deref(),
        version: request.version.as_deref(),
        describe: describe.map(Document::root),
    }
}
