//! Reads the answers of a registry.

use std::fmt;

use manifest_core::json::Document;
use manifest_core::{Diagnostic, Limits, Report, prose, quoted};
#[cfg(feature = "reference")]
use manifest_core::{ok_or_bug, some_or_bug};

use super::request::{Client, Endpoint, Request};
use crate::bundle::{Bundle, ExpectedBundle, bundle_limits};
use crate::error::ApiError;
use crate::install::{self, Plan};
use crate::manifest::Manifest;
#[cfg(feature = "reference")]
use crate::published;
use crate::results::SearchResults;
use crate::table::Key;
use crate::{check, rules};

/// The reason why an answer cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The registry returned an error.
    Api(ApiError),
    /// The answer is not JSON, or exceeds the limits.
    Unreadable(Diagnostic),
    /// The answer is JSON, but not the expected document.
    Invalid(Report),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Api(error) => error.fmt(f),
            Self::Unreadable(diagnostic) => write!(f, "the answer cannot be read: {diagnostic}"),
            Self::Invalid(report) => match report.errors().next() {
                Some(first) => first.fmt(f),
                None => f.write_str("the answer is invalid"),
            },
        }
    }
}

impl std::error::Error for Failure {}

impl Failure {
    /// Returns the failure as the published client words it. The wording is exact only if
    /// the `reference` profile found the problem. For an answer that is not JSON, our
    /// message replaces that of the JavaScript engine.
    #[cfg(feature = "reference")]
    pub fn reference_message(&self, endpoint: Endpoint) -> String {
        let what = match endpoint {
            Endpoint::Describe => "describe",
            Endpoint::Bundle => "download",
            _ => "search",
        };
        let why = match self {
            Self::Api(error) => {
                format!("Registry request failed: HTTP {}: {}", error.status, error.body)
            }
            Self::Unreadable(diagnostic) => {
                format!("Registry request failed: {}", diagnostic.message)
            }
            Self::Invalid(report) => match report.errors().next() {
                Some(first) => first.message.clone(),
                None => String::new(),
            },
        };
        format!("Registry {what} failed: {why}")
    }
}

impl Client {
    /// Parses an answer as JSON. Fails if its status is not 2xx.
    pub fn parse_answer<'b>(
        &self,
        request: &Request,
        status: u16,
        body: &'b [u8],
    ) -> Result<Document<'b>, Failure> {
        let limits = self.limits(request.endpoint);
        if !(200..300).contains(&status) {
            return Err(Failure::Api(ApiError::read(status, body, &limits)));
        }
        Document::parse(body, &limits).map_err(Failure::Unreadable)
    }

    /// Returns the limits for an answer. A host stops reading at `document_bytes`.
    pub fn limits(&self, endpoint: Endpoint) -> Limits {
        match endpoint {
            Endpoint::Bundle => bundle_limits(&self.options.limits),
            _ => self.options.limits.clone(),
        }
    }

    /// Reads an answer as a page of search results.
    pub fn results<'a>(&self, document: &'a Document<'a>) -> Result<SearchResults<'a>, Failure> {
        require_valid(SearchResults::check(document, &self.options))?;
        #[cfg(feature = "reference")]
        if self.is_reference()
            && let Ok(page) = published::search(document.root())
        {
            return Ok(page);
        }
        Ok(SearchResults::read(document))
    }

    /// Reads an answer as the manifest of the requested tool.
    pub fn manifest<'a>(
        &self,
        request: &Request,
        document: &'a Document<'a>,
    ) -> Result<Manifest<'a>, Failure> {
        let root = document.root();
        let (mut report, nodes) = check::read(document, &self.options);
        prose::check(root, &mut report);
        #[cfg(feature = "reference")]
        if self.is_reference() {
            require_valid(report)?;
            // The check has read it in the same way.
            return Ok(some_or_bug(ok_or_bug(published::manifest(root))));
        }
        let manifest = Manifest::from_nodes(root, &nodes);
        if let Some(asked) = request.id.as_deref()
            && asked != manifest.id
        {
            let message = format!("asked for {}, got {}", quoted(asked), quoted(&manifest.id));
            let at = nodes.get(Key::Id).unwrap_or(root);
            report.push(rules::IDENTITY.at(at, message));
        }
        require_valid(report)?;
        Ok(manifest)
    }

    /// Reads an answer as the requested bundle. If `describe` is given, the manifests must
    /// match.
    pub fn checked_bundle<'a>(
        &self,
        request: &Request,
        document: &'a Document<'a>,
        describe: Option<&Document<'_>>,
    ) -> Result<Bundle<'a>, Failure> {
        let expected = expected(request, describe);
        require_valid(Bundle::check(document, &expected, &self.options))?;
        #[cfg(feature = "reference")]
        if self.is_reference()
            && let Ok(bundle) = published::bundle(document.root())
        {
            return Ok(bundle);
        }
        Ok(Bundle::read(document))
    }

    /// Plans the installation of the bundle in an answer.
    pub fn plan<'a>(
        &self,
        request: &Request,
        document: &'a Document<'a>,
        describe: Option<&Document<'_>>,
    ) -> Result<Plan<'a>, Failure> {
        let expected = expected(request, describe);
        install::plan(document, &expected, &self.options).map_err(Failure::Invalid)
    }
}

fn require_valid(report: Report) -> Result<(), Failure> {
    if report.is_valid() { Ok(()) } else { Err(Failure::Invalid(report)) }
}

fn expected<'e>(request: &'e Request, describe: Option<&'e Document<'_>>) -> ExpectedBundle<'e> {
    ExpectedBundle {
        id: request.id.as_deref(),
        version: request.version.as_deref(),
        describe: describe.map(Document::root),
    }
}
