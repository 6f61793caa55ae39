//! What to make of an answer.

use std::fmt;

use manifest_core::json::Document;
use manifest_core::{Diagnostic, Limits, Report, prose, quoted};

use super::request::{Client, Endpoint, Request};
use crate::bundle::{Bundle, Expected};
use crate::error::ApiError;
use crate::install::{self, Plan};
use crate::manifest::Manifest;
use crate::results::SearchResults;
use crate::{check, reference, rules};

/// Why an answer is of no use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The registry said no.
    Api(ApiError),
    /// The registry said something that is not read: no JSON, or more than there is room for.
    Unreadable(Diagnostic),
    /// The registry said something that is not what it should be.
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
    /// The words of the published client, where the `reference` profile found
    /// the problem. What it says of an answer that is no JSON is its engine's: in place of
    /// those words stand ours.
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
            Self::Unreadable(diagnostic) => {
                format!("Registry request failed: {}", diagnostic.message)
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
        Document::parse(body, &limits).map_err(Failure::Unreadable)
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
        prose::check(document.root(), &mut report);
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
