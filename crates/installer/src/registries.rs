//! Registries of capabilities: what an index over HTTPS offers, and the manifests that it names.
//!
//! `capability::adapter` says what to fetch and what that means; policy is asked before anything is
//! fetched. What a registry offers is not trusted, unless policy says that the registry is
//! verified. Who fetches is given: [`fetched`] does it over HTTP.

use std::fmt;

use host::Host;
use toolglot::capability::adapter::{self, Candidate, Fetch};
use toolglot::capability::{Denial, Policy};
use toolglot::json::Document;
use toolglot::{Limits, Report, Validate};

use crate::index;

/// Why there is nothing from a registry.
#[derive(Debug)]
#[non_exhaustive]
pub enum Trouble {
    /// Policy does not allow to fetch it.
    Denied(Denial),
    /// It cannot be fetched.
    Unreachable(String),
    /// What was fetched is no index, or not the manifest that the index pins.
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

/// What the index at an address offers, and what is wrong with what is left out.
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

/// A candidate with its whole manifest, which may have to be fetched.
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

/// Fetches what was planned, over HTTP. A redirect leads to no other host.
pub async fn fetched(host: &Host, fetch: Fetch) -> Result<Vec<u8>, String> {
    index::fetched(host, &fetch.request.url.to_string(), fetch.limit).await
}

#[cfg(test)]
mod tests;
