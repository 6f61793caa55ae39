//! A remote registry, over HTTP.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{FetchedDocument, Host, Limits, Options};
use toolglot::call;
use toolglot::json::{Document, Node};
use toolglot::jumith::client::{Client, Failure, Request, RequestError, TIMEOUT_MS};
use toolglot::jumith::install::Plan;
use toolglot::jumith::{Bundle, ExpectedBundle, Manifest};
use toolglot::{Diagnostic, Report, ValidateOptions};

use super::answer_cache::AnswerCache;
use super::install::{InstallStatus, install};
use super::versions::FetchedVersions;

/// A remote registry, with its cache and the versions that were fetched from it.
#[derive(Debug)]
pub struct RemoteRegistry {
    base: String,
    client: Client,
    host: Host,
    cache: Option<AnswerCache>,
    state: PathBuf,
}

/// The reason why a request to a registry failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum RemoteError {
    /// The request is invalid.
    Request(RequestError),
    /// There was no answer. Contains the URL and the reason.
    NoAnswer(String, String),
    /// The answer cannot be used.
    Answer(Failure),
    /// A version has changed since it was first fetched.
    Changed(Diagnostic),
    /// A file cannot be read or written.
    Io(io::Error),
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(error) => error.fmt(f),
            Self::NoAnswer(url, why) => write!(f, "cannot fetch {url}: {why}"),
            Self::Answer(failure) => failure.fmt(f),
            Self::Changed(diagnostic) => diagnostic.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RemoteError {}

impl From<RequestError> for RemoteError {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl From<Failure> for RemoteError {
    fn from(failure: Failure) -> Self {
        Self::Answer(failure)
    }
}

/// A tool that was fetched and installed.
#[derive(Debug)]
#[non_exhaustive]
pub struct PulledTool {
    /// The folder of its version, with its manifest as `tool.json`.
    pub folder: PathBuf,
    /// True if the version was not there before.
    pub is_new: bool,
    /// True if the registry has yanked this version.
    pub is_yanked: bool,
    /// Warnings and advice about the bundle.
    pub report: Report,
}

impl RemoteRegistry {
    /// Creates a client for the registry at a base URL. Answers are cached in `cache`, if
    /// it is given, and fetched versions are remembered in `state`. The registry may have a
    /// private address, because a person has named it.
    pub fn new(base: &str, cache: Option<&Path>, state: &Path) -> Result<Self, RemoteError> {
        let client = Client::new(base)?;
        let answer_bytes = toolglot::Limits::for_bundle().document_bytes;
        let limits = Limits { answer_bytes, ..Limits::default() };
        let options = Options { limits, private_addresses: true, ..Options::default() };
        let host = Host::new(options).map_err(RemoteError::Io)?;
        // A cache that cannot be opened is not used.
        let kept = cache.and_then(|cache| AnswerCache::in_folder(&cache.join("registry")).ok());
        let base = base.trim_end_matches('/').to_owned();
        Ok(Self { base, client, host, cache: kept, state: state.to_owned() })
    }

    /// Returns the client that builds the requests and reads the answers.
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Sends a request, and returns the status and the body.
    pub async fn send(&self, request: &Request) -> Result<(u16, Vec<u8>), RemoteError> {
        self.get(&request.url, self.client.limits(request.endpoint).document_bytes).await
    }

    /// Fetches a URL of the registry, and returns the status and the body. A body of at
    /// most `limit` bytes is cached. It is fetched again only if its `ETag` has changed.
    pub async fn get(&self, url: &str, limit: usize) -> Result<(u16, Vec<u8>), RemoteError> {
        let kept = self.cache.as_ref().and_then(|kept| kept.get(url, limit));
        let known = kept.as_ref().map(|answer| ("If-None-Match", answer.etag.as_str()));
        let headers = Request::HEADERS.into_iter().chain(known);
        let sent = call::Request {
            method: "GET".to_owned(),
            url: url.into(),
            headers: headers.map(|(name, value)| (name.to_owned(), value.into())).collect(),
            body: None,
        };
        let fetched = self.host.fetch(&sent, Duration::from_millis(TIMEOUT_MS)).await;
        let no_answer = |why| RemoteError::NoAnswer(url.to_owned(), why);
        let fetched: FetchedDocument = fetched.map_err(no_answer)?;
        if let (304, Some(answer)) = (fetched.status, kept) {
            return Ok((200, answer.body));
        }
        if let Some(kept) = self.cache.as_ref().filter(|_| fetched.body.len() <= limit) {
            kept.store(url, &fetched);
        }
        Ok((fetched.status, fetched.body))
    }

    /// Fetches a version of a tool, or the latest if `version` is `None`, and installs it
    /// below a folder.
    ///
    /// The bundle is checked, and compared with the registry's description of the tool.
    /// Fails if the version was fetched before with other content. Blocks while it reads
    /// and writes files.
    pub async fn pull(
        &self,
        id: &str,
        version: Option<&str>,
        folder: &Path,
    ) -> Result<PulledTool, RemoteError> {
        let client = &self.client;
        let request = client.describe(id)?;
        let (status, described) = self.send(&request).await?;
        let opened = client.parse_answer(&request, status, &described);
        let described = match (&opened, version) {
            // A named version may exist although none is the latest.
            (Err(_), Some(_)) => None,
            (Err(failure), None) => return Err(failure.clone().into()),
            (Ok(document), _) => Some((client.manifest(&request, document)?, document)),
        };
        let latest = described.as_ref().map(|(manifest, _)| manifest.version.to_string());
        let wanted = version.map_or_else(|| latest.unwrap_or_default(), str::to_owned);
        let is_it = |(manifest, _): &(Manifest<'_>, _)| *manifest.version == *wanted;
        let described = described.filter(is_it).map(|(_, document)| document);
        let request = client.bundle(id, &wanted)?;
        let (status, body) = self.send(&request).await?;
        let document = client.parse_answer(&request, status, &body)?;
        let plan = client.plan(&request, &document, described)?;
        let is_new = self.install_unchanged(&plan, folder)? == InstallStatus::New;
        let is_yanked = described.is_none() && self.is_yanked(id, &wanted).await;
        let options = ValidateOptions {
            limits: client.limits(request.endpoint),
            ..ValidateOptions::default()
        };
        let advice = Bundle::check(&document, &ExpectedBundle::default(), &options);
        Ok(PulledTool { folder: folder.join(&plan.folder), is_new, is_yanked, report: advice })
    }

    /// Installs a bundle. Fails if its version was fetched before with other content.
    fn install_unchanged(
        &self,
        plan: &Plan<'_>,
        folder: &Path,
    ) -> Result<InstallStatus, RemoteError> {
        let mut versions =
            FetchedVersions::open(&self.base, &self.state).map_err(RemoteError::Io)?;
        let is_new = versions.check(plan).map_err(RemoteError::Changed)?;
        let installed = install(plan, folder).map_err(RemoteError::Io)?;
        if is_new {
            versions.remember(plan).map_err(RemoteError::Io)?;
        }
        Ok(installed)
    }

    /// Returns true if a registry lists a version as yanked. Some registries have no such
    /// list.
    async fn is_yanked(&self, id: &str, version: &str) -> bool {
        let Ok(request) = self.client.versions(id) else { return false };
        let Ok((status, body)) = self.send(&request).await else { return false };
        let Ok(document) = self.client.parse_answer(&request, status, &body) else { return false };
        lists_as_yanked(&document, version)
    }

    /// Closes the host that sends the requests.
    pub async fn close(self) {
        self.host.close().await;
    }
}

/// Returns true if a list of versions marks this one as yanked.
fn lists_as_yanked(document: &Document<'_>, version: &str) -> bool {
    let listed = document.root().get("versions").into_iter().flat_map(Node::elements);
    let is_it = |one: &Node<'_>| {
        one.get("version").and_then(Node::text).is_some_and(|number| number == version)
    };
    let mut found = listed.filter(is_it);
    found.any(|one| one.get("yanked").is_some_and(|yanked| yanked.raw() == "true"))
}
