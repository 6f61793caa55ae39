//! What to ask a registry.

use manifest_core::url::{UrlError, check_http};
use manifest_core::{Profile, Validate, quoted};

use crate::{names, url};

/// How long the published client waits for an answer, in milliseconds.
pub const TIMEOUT_MS: u64 = 15_000;

/// The most results that one page may have.
pub const LARGEST_PAGE: u32 = 100;

/// A registry, seen from outside.
#[derive(Clone, Debug)]
pub struct Client {
    base: String,
    pub(super) options: Validate,
}

/// What to look for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    #[error("the base URL of the registry, such as https://registry.example: {0}")]
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

    pub(super) fn reference(&self) -> bool {
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
}
