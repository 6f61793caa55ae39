//! Registries of capabilities: an index over HTTPS, and the manifests that it names.
//!
//! `capability::adapter` plans the requests and reads the responses. The policy is checked
//! before each request. Offers of a registry are untrusted, unless the policy marks the
//! registry as verified. The caller provides the function that fetches, for example
//! [`fetched`] for HTTP.

use std::fmt;

use host::Host;
use toolglot::capability::adapter::{self, Candidate, Fetch};
use toolglot::capability::{Denial, Policy};
use toolglot::json::Document;
use toolglot::{Limits, Report, Validate};

use crate::index;

/// The reason why a registry, or a manifest that it names, could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Trouble {
    /// The policy does not allow the request.
    Denied(Denial),
    /// The request failed.
    Unreachable(String),
    /// The response is not an index, or not the manifest that the index pins.
    Invalid(Report),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(denial) => denial.fmt(f),
            Self::Unreachable(why) => f.write_str(why),
            Self::Invalid(report) => {
                let first = report.errors().next().map_or("", |found| &found.message);
                write!(f, "what was fetched is not taken: {first}")
            }
        }
    }
}

impl std::error::Error for Trouble {}

/// Returns the offers of the index at this URL, and a report about its entries. Invalid
/// entries are skipped.
pub async fn offered(
    url: &str,
    policy: &Policy,
    get: impl AsyncFnOnce(Fetch) -> Result<Vec<u8>, String>,
) -> Result<(Vec<Candidate>, Report), Trouble> {
    let fetch = adapter::fetch_index(url, policy).map_err(Trouble::Denied)?;
    let bytes = get(fetch).await.map_err(Trouble::Unreachable)?;
    let validate = Validate { limits: Limits::for_catalog(), ..Validate::default() };
    let document = Document::parse(&bytes, &validate.limits)
        .map_err(|found| Trouble::Invalid(Report::from(found)))?;
    adapter::read_index(&document, url, policy, &validate).map_err(Trouble::Invalid)
}

/// Returns a candidate with its complete manifest, which is fetched if it is not in the
/// index.
pub async fn whole(
    candidate: Candidate,
    policy: &Policy,
    get: impl AsyncFnOnce(Fetch) -> Result<Vec<u8>, String>,
) -> Result<Candidate, Trouble> {
    let Some(fetch) = adapter::fetch_manifest(&candidate, policy).map_err(Trouble::Denied)? else {
        return Ok(candidate);
    };
    let bytes = get(fetch).await.map_err(Trouble::Unreachable)?;
    adapter::accept(&candidate, &bytes, &Validate::default()).map_err(Trouble::Invalid)
}

/// Carries out a planned request over HTTP. Redirects to other hosts are not followed.
pub async fn fetched(host: &Host, fetch: Fetch) -> Result<Vec<u8>, String> {
    index::fetched(host, &fetch.request.url.to_string(), fetch.limit).await
}

#[cfg(test)]
mod tests;
