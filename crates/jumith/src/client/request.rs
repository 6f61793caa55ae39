//! Builds the requests to a registry.

use manifest_core::url::{UrlError, check_http};
use manifest_core::{ValidateOptions, percent, quoted};

use crate::names;
use crate::structure::is_reference;

/// The time-out of the published client, in milliseconds.
pub const TIMEOUT_MS: u64 = 15_000;

/// The maximum number of results on one page.
pub const MAX_PAGE_SIZE: u32 = 100;

/// A client of one registry.
#[derive(Clone, Debug)]
pub struct Client {
    base: String,
    pub(super) options: ValidateOptions,
}

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The words to search for.
    pub q: String,
    /// The number of results on a page, up to [`MAX_PAGE_SIZE`]. The default is 20.
    pub limit: Option<u32>,
    /// The number of results to skip.
    pub offset: Option<u64>,
    /// Tags. A tool must have one of them.
    pub tags: Vec<String>,
}

/// The endpoint of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Endpoint {
    /// `GET /v1/tools/search`
    Search,
    /// `GET /v1/tools/{id}`
    Describe,
    /// `GET /v1/tools/{id}/versions/{version}/bundle`
    Bundle,
    /// `GET /v1/tools/{id}/versions`, optional in a registry
    Versions,
    /// `GET /v1/tags`, optional in a registry
    Tags,
    /// `GET /v1/providers`, optional in a registry
    Providers,
}

/// A GET request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The URL.
    pub url: String,
    /// The id of the requested tool.
    pub id: Option<String>,
    /// The requested version.
    pub version: Option<String>,
}

impl Request {
    /// The headers to send.
    pub const HEADERS: [(&'static str, &'static str); 1] = [("Accept", "application/json")];
}

/// The reason why a request cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The base URL is not an HTTP URL.
    #[error("the base URL of the registry, such as https://registry.example: {0}")]
    Base(#[from] UrlError),
    /// The base URL has a query or a fragment.
    #[error("the base URL must end with its path")]
    BaseSuffix,
    /// The search has no words.
    #[error("a search needs words to look for")]
    EmptyQuery,
    /// The size of the page is out of range.
    #[error("a page has 1 to 100 results")]
    Limit,
    /// The tag is blank or contains a comma.
    #[error("a tag must not be blank, nor hold a comma")]
    Tag,
    /// The id is invalid.
    #[error("{} cannot be an id", quoted(.0))]
    Id(String),
    /// The version is invalid.
    #[error("{} cannot be a version", quoted(.0))]
    Version(String),
}

impl Client {
    /// Creates a client of the registry at a base URL. All endpoints are below its path.
    pub fn new(base: &str) -> Result<Self, RequestError> {
        Self::with_options(base, ValidateOptions::default())
    }

    /// Creates a client with other options. Under the `reference` profile, the path of the
    /// base URL is dropped, as the published client does.
    pub fn with_options(base: &str, options: ValidateOptions) -> Result<Self, RequestError> {
        check_http(base)?;
        if base.contains(['?', '#']) {
            return Err(RequestError::BaseSuffix);
        }
        let mut base = base.trim_end_matches('/');
        if is_reference(options.profile) {
            let start = base.find("://").map_or(0, |at| at + 3);
            if let Some(length) = base.get(start..).and_then(|rest| rest.find('/')) {
                base = base.get(..start + length).unwrap_or(base);
            }
        }
        Ok(Self { base: base.to_owned(), options })
    }

    pub(super) fn is_reference(&self) -> bool {
        is_reference(self.options.profile)
    }

    /// Builds the request for a search.
    pub fn search(&self, search: &Search) -> Result<Request, RequestError> {
        if !self.is_reference() {
            if names::is_blank(&search.q) {
                return Err(RequestError::EmptyQuery);
            }
            if search.limit.is_some_and(|limit| !(1..=MAX_PAGE_SIZE).contains(&limit)) {
                return Err(RequestError::Limit);
            }
            if search.tags.iter().any(|tag| names::is_blank(tag) || tag.contains(',')) {
                return Err(RequestError::Tag);
            }
        }
        let mut pairs = vec![format!("q={}", percent::encode_form(&search.q))];
        // The published client omits zeros. Omitted, both mean the default.
        if let Some(limit) = search.limit
            && limit > 0
        {
            pairs.push(format!("limit={limit}"));
        }
        if let Some(offset) = search.offset
            && offset > 0
        {
            pairs.push(format!("offset={offset}"));
        }
        if !search.tags.is_empty() {
            pairs.push(format!("tags={}", percent::encode_form(&search.tags.join(","))));
        }
        let url = format!("{}/v1/tools/search?{}", self.base, pairs.join("&"));
        Ok(Request { endpoint: Endpoint::Search, url, id: None, version: None })
    }

    /// Builds the request for the latest manifest of a tool.
    pub fn describe(&self, id: &str) -> Result<Request, RequestError> {
        self.tool_request(Endpoint::Describe, id, None, "")
    }

    /// Builds the request for a bundle.
    pub fn bundle(&self, id: &str, version: &str) -> Result<Request, RequestError> {
        if !self.accepts(version, names::is_version) {
            return Err(RequestError::Version(version.to_owned()));
        }
        let tail = format!("/versions/{}/bundle", self.encode(version));
        self.tool_request(Endpoint::Bundle, id, Some(version), &tail)
    }

    /// Builds the request for the versions of a tool. Optional in a registry.
    pub fn versions(&self, id: &str) -> Result<Request, RequestError> {
        self.tool_request(Endpoint::Versions, id, None, "/versions")
    }

    /// Builds the request for all tags. Optional in a registry.
    pub fn tags(&self) -> Request {
        self.list_request(Endpoint::Tags, "tags")
    }

    /// Builds the request for all providers. Optional in a registry.
    pub fn providers(&self) -> Request {
        self.list_request(Endpoint::Providers, "providers")
    }

    fn list_request(&self, endpoint: Endpoint, name: &str) -> Request {
        let url = format!("{}/v1/{name}", self.base);
        Request { endpoint, url, id: None, version: None }
    }

    fn tool_request(
        &self,
        endpoint: Endpoint,
        id: &str,
        version: Option<&str>,
        tail: &str,
    ) -> Result<Request, RequestError> {
        if !self.accepts(id, names::is_id) {
            return Err(RequestError::Id(id.to_owned()));
        }
        let url = format!("{}/v1/tools/{}{tail}", self.base, self.encode(id));
        Ok(Request { endpoint, url, id: Some(id.to_owned()), version: version.map(str::to_owned) })
    }

    /// Returns true if a text can be a segment of the URL.
    fn accepts(&self, segment: &str, is_valid: fn(&str) -> bool) -> bool {
        if self.is_reference() {
            // HTTP clients resolve the path segments `.` and `..`.
            return !matches!(segment, "" | "." | "..");
        }
        is_valid(segment)
    }

    fn encode(&self, text: &str) -> String {
        if self.is_reference() {
            percent::encode_component(text)
        } else {
            percent::encode_segment(text)
        }
    }
}
