//! The registry: keeps tools in memory and answers requests. The host listens and sends.
//!
//! ```
//! use toolglot_jumith::server::{Package, Registry};
//! use manifest_core::ValidateOptions;
//!
//! let package = Package {
//!     manifest: r#"{
//!       "id": "tool:add", "name": "add", "version": "1.0.0",
//!       "summary": "Add numbers", "description": "Adds two numbers.",
//!       "entry": {"runtime": "node", "main": "index.js"}
//!     }"#.to_owned(),
//!     files: vec![("index.js".to_owned(), b"export const tool = {}".to_vec())],
//!     yanked: false,
//! };
//! let registry = Registry::new(vec![package], &ValidateOptions::default()).unwrap();
//! let response = registry.handle("GET", "/v1/tools/search?q=numbers", &[]);
//! assert_eq!(response.status, 200);
//! assert!(String::from_utf8(response.body)?.contains("\"total\":1"));
//! # Ok::<(), std::string::FromUtf8Error>(())
//! ```

mod query;
mod store;

use manifest_core::json::{Document, Raw, to_json};
use manifest_core::{Limits, ValidateOptions, ok_or_bug, percent, sha256_hex};
use serde_json::{Value, json};

use crate::error::{Code, ErrorBody, ErrorEnvelope};
use crate::manifest::Manifest;
use crate::search::SearchPage;
use crate::table::RUNTIMES;
pub(crate) use query::QueryParams;
pub use store::{Package, RefusedPackage};
use store::{Store, StoredTool, Version};

/// The response to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The headers, except those about the transfer of the body.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// A registry of tools. It is immutable: to publish a tool, build another registry.
#[derive(Clone, Debug)]
pub struct Registry {
    store: Store,
    unsupported: Vec<UnsupportedVersion>,
}

/// A version that is not served because of its runtime.
#[derive(Clone, Debug)]
struct UnsupportedVersion {
    id: String,
    version: String,
    runtime: String,
}

/// The time for which a client may cache an answer.
#[derive(Clone, Copy)]
pub(crate) enum CacheLifetime {
    /// Until something is published: the client must revalidate.
    Revalidate,
    /// Forever, because a version never changes.
    Immutable,
}

impl Registry {
    /// Creates a registry of these packages. Fails with all packages that a client would not
    /// install.
    pub fn new(
        packages: Vec<Package>,
        options: &ValidateOptions,
    ) -> Result<Self, Vec<RefusedPackage>> {
        Ok(Self { store: Store::load(packages, options)?, unsupported: Vec::new() })
    }

    /// Adds a version that was refused because of its runtime. Requests for it are answered
    /// with `UNSUPPORTED_RUNTIME`. Has no effect if the runtime is supported.
    #[must_use]
    pub fn with_unsupported(mut self, manifest: &str) -> Self {
        if let Ok(document) = Document::parse(manifest.as_bytes(), &Limits::for_bundle()) {
            let Manifest { id, version, entry, .. } = Manifest::read(&document);
            if !entry.runtime.is_empty() && !RUNTIMES.contains(&entry.runtime.as_ref()) {
                self.unsupported.push(UnsupportedVersion {
                    id: id.into_owned(),
                    version: version.into_owned(),
                    runtime: entry.runtime.into_owned(),
                });
            }
        }
        self
    }

    /// Returns the number of tools that can be found.
    pub fn len(&self) -> usize {
        self.store.listed_count
    }

    /// Returns true if no tool can be found.
    pub fn is_empty(&self) -> bool {
        self.store.listed_count == 0
    }

    /// Answers a request with this method, path with query, and headers.
    pub fn handle(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Response {
        respond(method, target, headers, other_method, |path, query| match path {
            ["v1", "tools"] => self.list(query),
            ["v1", "tools", "search"] => self.search(query),
            ["v1", "tools", id] => self.describe(id),
            ["v1", "tools", id, "versions", version, "bundle"] => self.bundle(id, version),
            ["v1", "tools", id, "versions"] => self.versions(id),
            ["v1", "tags"] => ok(&self.store.tags()),
            ["v1", "providers"] => ok(&self.store.providers()),
            _ => unknown_endpoint(),
        })
    }

    fn search(&self, query: &QueryParams) -> Response {
        if query.q().is_empty() && query.tags().is_empty() {
            return missing_query();
        }
        self.page(&self.store.search(query), |tool| &tool.result)
    }

    /// Lists all tools with their descriptions. The published hub has this endpoint; the
    /// specification does not.
    fn list(&self, query: &QueryParams) -> Response {
        let found = if query.q().is_empty() && query.tags().is_empty() {
            self.store.all(query)
        } else {
            self.store.search(query)
        };
        self.page(&found, |tool| &tool.list_entry)
    }

    fn page(&self, found: &SearchPage, text: fn(&StoredTool) -> &str) -> Response {
        let mut page = Vec::new();
        for entry in &found.entries {
            if let Some(tool) = self.store.tools.get(*entry) {
                page.push(text(tool));
            }
        }
        results(&page, found.total)
    }

    fn describe(&self, id: &str) -> Response {
        match self.store.tool(id).and_then(StoredTool::latest) {
            Some(latest) => ok_text(latest.manifest.clone(), CacheLifetime::Revalidate, None),
            // There is no such tool, or all its versions are yanked.
            None => self.unavailable(id),
        }
    }

    fn bundle(&self, id: &str, number: &str) -> Response {
        let tool = self.store.tool(id);
        if let Some(tool) = tool
            && let Some(version) = tool.versions.iter().find(|version| version.number == number)
        {
            // The tag comes from the known digest, because hashing the files again can be
            // slow.
            let tag = sha256_hex(format!("{}{}", version.sha256, version.manifest).as_bytes());
            return ok_text(version.bundle(), CacheLifetime::Immutable, Some(tag));
        }
        for refused in &self.unsupported {
            if refused.id == id && refused.version == number {
                return unsupported_runtime(refused);
            }
        }
        if tool.is_none() { self.unavailable(id) } else { no_version(id, number) }
    }

    fn versions(&self, id: &str) -> Response {
        let Some(tool) = self.store.tool(id) else { return self.unavailable(id) };
        let versions: Vec<Value> = tool.versions.iter().map(Version::list_entry).collect();
        let total = versions.len();
        ok(&json!({"id": tool.id, "versions": versions, "total": total}))
    }

    /// Returns the error for a tool that has no version to serve.
    fn unavailable(&self, id: &str) -> Response {
        match self.unsupported.iter().find(|refused| refused.id == id) {
            Some(refused) => unsupported_runtime(refused),
            None => no_tool(id),
        }
    }
}

/// Answers a request. `answer` gets the segments of the path and the query of a GET or HEAD
/// request. `other_method` answers the other requests.
pub(crate) fn respond(
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    other_method: fn() -> Response,
    answer: impl FnOnce(&[&str], &QueryParams) -> Response,
) -> Response {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (query, _fragment) = query.split_once('#').unwrap_or((query, ""));
    let is_head = method == "HEAD";
    let mut response = if is_head || method == "GET" {
        match decode_path(path) {
            Some(path) => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                answer(&path, &QueryParams::new(query))
            }
            None => error(400, Code::InvalidRequest, "The path is not encoded as UTF-8", None),
        }
    } else {
        other_method()
    };
    let tag = response.headers.iter().find(|(name, _)| *name == "ETag");
    if response.status == 200
        && let Some((_, tag)) = tag
        && client_has(tag, headers)
    {
        response.status = 304;
        response.body.clear();
    }
    if is_head {
        response.body.clear();
    }
    response
}

/// Returns the segments of a path, or `None` if they are not valid.
fn decode_path(path: &str) -> Option<Vec<String>> {
    let path = path.strip_suffix('/').unwrap_or(path);
    path.split('/').skip(1).map(percent::decode).collect()
}

/// Returns true if the client already has the answer.
fn client_has(tag: &str, headers: &[(&str, &str)]) -> bool {
    for (name, value) in headers {
        if !name.eq_ignore_ascii_case("if-none-match") {
            continue;
        }
        for known in value.split(',') {
            let known = known.trim();
            if known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag {
                return true;
            }
        }
    }
    false
}

pub(crate) fn results(page: &[&str], total: usize) -> Response {
    let body = format!("{{\"results\":[{}],\"total\":{total}}}", page.join(","));
    ok_text(body, CacheLifetime::Revalidate, None)
}

fn ok(value: &Value) -> Response {
    ok_text(value.to_string(), CacheLifetime::Revalidate, None)
}

/// Returns an answer with its `ETag`, by default the digest of the body.
pub(crate) fn ok_text(body: String, lifetime: CacheLifetime, tag: Option<String>) -> Response {
    let mut response = json_response(200, body);
    let lifetime = match lifetime {
        CacheLifetime::Revalidate => "no-cache",
        CacheLifetime::Immutable => "public, max-age=31536000, immutable",
    };
    let tag = tag.unwrap_or_else(|| sha256_hex(&response.body));
    response.headers.push(("ETag", format!("\"{tag}\"")));
    response.headers.push(("Cache-Control", lifetime.to_owned()));
    response
}

fn json_response(status: u16, body: String) -> Response {
    let headers = vec![
        ("Content-Type", "application/json; charset=utf-8".to_owned()),
        ("X-Content-Type-Options", "nosniff".to_owned()),
    ];
    Response { status, headers, body: body.into_bytes() }
}

fn other_method() -> Response {
    let mut response = error(405, Code::InvalidRequest, "The registry is read-only", None);
    response.headers.push(("Allow", "GET, HEAD".to_owned()));
    response
}

pub(crate) fn missing_query() -> Response {
    let details = json!({"fields": ["q", "tags"]});
    error(400, Code::InvalidRequest, "Missing query parameter: q or tags", Some(&details))
}

pub(crate) fn no_tool(id: &str) -> Response {
    error(404, Code::ToolNotFound, &format!("Tool {id} not found"), None)
}

pub(crate) fn no_version(id: &str, version: &str) -> Response {
    let message = format!("Version {version} for tool {id} not found");
    error(404, Code::VersionNotFound, &message, None)
}

fn unsupported_runtime(refused: &UnsupportedVersion) -> Response {
    let UnsupportedVersion { id, version: _, runtime } = refused;
    let code = Code::UnsupportedRuntime;
    let message = format!("Tool {id} has a runtime that is not supported");
    error(code.status(), code, &message, Some(&json!({"runtime": runtime})))
}

pub(crate) fn unknown_endpoint() -> Response {
    error(404, Code::InvalidRequest, "Unknown endpoint", None)
}

fn error(status: u16, code: Code, message: &str, details: Option<&Value>) -> Response {
    let details = details.map_or_else(|| "{}".to_owned(), Value::to_string);
    let error = ErrorBody {
        code: code.as_str().into(),
        message: message.into(),
        details: ok_or_bug(Raw::parse(&details)),
    };
    let mut response = json_response(status, to_json(&ErrorEnvelope { error }));
    response.headers.push(("Cache-Control", "no-store".to_owned()));
    response
}
