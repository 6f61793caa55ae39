//! Registries of capabilities: an index over HTTPS, and the manifests that it names.
//!
//! `capability::adapter` plans the requests and reads the responses. The policy is checked
//! before each request. Offers of a registry are untrusted, unless the policy marks the
//! registry as verified. The caller provides the function that fetches, for example
//! [`fetch`] for HTTP.

use host::Host;
use toolglot::capability::registries::{self, Candidate, FetchRequest};
use toolglot::capability::{Denial, Policy};
use toolglot::json::Document;
use toolglot::{Limits, Report, ValidateOptions};

use crate::index;

/// The reason why a registry, or a manifest that it names, could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The policy does not allow the request.
    #[error("{0}")]
    Denied(Denial),
    /// The request failed.
    #[error("{0}")]
    Unreachable(String),
    /// The response is not an index, or not the manifest that the index pins.
    #[error(
        "what was fetched is not taken: {}",
        .0.errors().next().map_or("", |found| &found.message)
    )]
    Invalid(Report),
}

/// Returns the offers of the index at this URL, and a report about its entries. Invalid
/// entries are skipped.
pub async fn fetch_offers(
    url: &str,
    policy: &Policy,
    get: impl AsyncFnOnce(FetchRequest) -> Result<Vec<u8>, String>,
) -> Result<(Vec<Candidate>, Report), RegistryError> {
    let fetch = registries::fetch_index(url, policy).map_err(RegistryError::Denied)?;
    let bytes = get(fetch).await.map_err(RegistryError::Unreachable)?;
    let validate = ValidateOptions { limits: Limits::for_catalog(), ..ValidateOptions::default() };
    let document = Document::parse(&bytes, &validate.limits)
        .map_err(|found| RegistryError::Invalid(Report::from(found)))?;
    registries::read_index(&document, url, policy, &validate).map_err(RegistryError::Invalid)
}

/// Returns a candidate with its complete manifest, which is fetched if it is not in the
/// index.
pub async fn fetch_complete(
    candidate: Candidate,
    policy: &Policy,
    get: impl AsyncFnOnce(FetchRequest) -> Result<Vec<u8>, String>,
) -> Result<Candidate, RegistryError> {
    let Some(fetch) =
        registries::fetch_manifest(&candidate, policy).map_err(RegistryError::Denied)?
    else {
        return Ok(candidate);
    };
    let bytes = get(fetch).await.map_err(RegistryError::Unreachable)?;
    registries::check_fetched(&candidate, &bytes, &ValidateOptions::default())
        .map_err(RegistryError::Invalid)
}

/// Carries out a planned request over HTTP. Redirects to other hosts are not followed.
pub async fn fetch(host: &Host, fetch: FetchRequest) -> Result<Vec<u8>, String> {
    index::fetch(host, &fetch.request.url.to_string(), fetch.limit).await
}
