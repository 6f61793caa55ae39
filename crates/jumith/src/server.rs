//! The registry: keeps tools in memory and answers requests. The host listens and sends.
//!
//! ```
//! use jumith::server::{Package, Registry};
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

mod hub;
mod query;
mod store;

use manifest_core::json::{Document, Raw};
use manifest_core::{Limits, Profile, ValidateOptions, ok_or_bug, percent, sha256_hex};
use serde_json::{Value, json};

use crate::error::{Code, ErrorBody, ErrorEnvelope};
use crate::manifest::Manifest;
use crate::table::RUNTIMES;
use query::QueryParams;
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
    /// Versions that are not served because of their runtime: id, version, runtime.
    unsupported: Vec<[String; 3]>,
    /// True under the `reference` profile: answers as the published hub does.
    is_hub: bool,
}

/// The time for which a client may cache an answer.
#[derive(Clone, Copy)]
enum CacheLifetime {
    /// Until something is published: the client must revalidate.
    Revalidate,
    /// Forever, because a version never changes.
    Immutable,
}

impl Registry {
    /// Creates a registry of these packages.
    ///
    /// Fails with all packages that a client would not install. Under the `reference`
    /// profile, the rules of the published hub apply: it serves every manifest that has an
    /// id, in the given order. It does not support yanked versions, so they are left out.
    pub fn new(
        packages: Vec<Package>,
        options: &ValidateOptions,
    ) -> Result<Self, Vec<RefusedPackage>> {
        let hub = options.profile == Profile::Reference;
        let store =
            if hub { hub::load(packages, options) } else { Store::load(packages, options)? };
        Ok(Self { store, unsupported: Vec::new(), is_hub: hub })
    }

    /// Adds a version that was refused because of its runtime. Requests for it are answered
    /// with `UNSUPPORTED_RUNTIME`. Has no effect if the runtime is supported.
    #[must_use]
    pub fn with_unsupported(mut self, manifest: &str) -> Self {
        if let Ok(document) = Document::parse(manifest.as_bytes(), &Limits::for_bundle()) {
            let Manifest { id, version, entry, .. } = Manifest::read(&document);
            let is_other = !entry.runtime.is_empty() && !RUNTIMES.contains(&entry.runtime.as_ref());
            let runtime = entry.runtime.to_string();
            self.unsupported
                .extend(is_other.then(|| [id.to_string(), version.to_string(), runtime]));
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
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query = query.split('#').next().unwrap_or_default();
        let head = method == "HEAD";
        let mut response =
            if method == "GET" || head { self.route(path, query) } else { self.other_method() };
        let tag = response.headers.iter().find(|(name, _)| *name == "ETag").map(|(_, tag)| tag);
        if response.status == 200 && tag.is_some_and(|tag| client_has(tag, headers)) {
            response.status = 304;
            response.body.clear();
        }
        if head {
            response.body.clear();
        }
        response
    }

    fn other_method(&self) -> Response {
        if self.is_hub {
            return unknown_endpoint();
        }
        let mut response = error(405, Code::InvalidRequest, "The registry is read-only", None);
        response.headers.push(("Allow", "GET, HEAD".to_owned()));
        response
    }

    fn route(&self, path: &str, query: &str) -> Response {
        let path = path.strip_suffix('/').unwrap_or(path);
        let segments: Option<Vec<String>> = path.split('/').skip(1).map(percent::decode).collect();
        let Some(segments) = segments else {
            return error(400, Code::InvalidRequest, "The path is not encoded as UTF-8", None);
        };
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let asked = QueryParams::new(query);
        match segments.as_slice() {
            ["v1", "tools"] => self.list(&asked),
            ["v1", "tools", "search"] => self.search(&asked),
            ["v1", "tools", id] => self.describe(id),
            ["v1", "tools", id, "versions", version, "bundle"] => self.bundle(id, version),
            ["v1", "tools", id, "versions"] if !self.is_hub => self.versions(id),
            ["v1", "tags"] if !self.is_hub => {
                ok(&json!(self.store.tags()), CacheLifetime::Revalidate)
            }
            ["v1", "providers"] if !self.is_hub => {
                ok(&json!(self.store.providers()), CacheLifetime::Revalidate)
            }
            _ => unknown_endpoint(),
        }
    }

    fn search(&self, asked: &QueryParams) -> Response {
        if asked.q().is_empty() && asked.tags().is_empty() {
            let message = "Missing query parameter: q or tags";
            return error(
                400,
                Code::InvalidRequest,
                message,
                Some(json!({"fields": ["q", "tags"]})),
            );
        }
        let found = if self.is_hub {
            hub::search(&self.store, asked, false)
        } else {
            self.store.search(asked)
        };
        let page = found.entries.iter().filter_map(|entry| self.store.tools.get(*entry));
        results(page.map(|tool| tool.result.as_str()), found.total)
    }

    /// Lists all tools with their descriptions. The published hub has this endpoint; the
    /// specification does not.
    fn list(&self, asked: &QueryParams) -> Response {
        let found = if self.is_hub {
            hub::search(&self.store, asked, true)
        } else if asked.q().is_empty() && asked.tags().is_empty() {
            self.store.all(asked)
        } else {
            self.store.search(asked)
        };
        let page = found.entries.iter().filter_map(|entry| self.store.tools.get(*entry));
        results(page.map(|tool| tool.list_entry.as_str()), found.total)
    }

    fn tool(&self, id: &str) -> Result<&StoredTool, Response> {
        self.store.tool(id).ok_or_else(|| self.no_tool(id))
    }

    fn no_tool(&self, id: &str) -> Response {
        self.unsupported(id, None).unwrap_or_else(|| no_tool(id))
    }

    /// Returns the error for a tool, or one version of it, whose runtime is not supported.
    fn unsupported(&self, id: &str, version: Option<&str>) -> Option<Response> {
        let is_it = |[own, number, _]: &&[String; 3]| {
            own == id && version.is_none_or(|version| number == version)
        };
        let [_, _, runtime] = self.unsupported.iter().find(is_it)?;
        let code = Code::UnsupportedRuntime;
        let message = format!("Tool {id} has a runtime that is not supported");
        Some(error(code.status(), code, &message, Some(json!({"runtime": runtime}))))
    }

    fn describe(&self, id: &str) -> Response {
        match self.tool(id).map(StoredTool::latest) {
            Ok(Some(latest)) => ok_text(latest.manifest.clone(), CacheLifetime::Revalidate, None),
            // All versions of the tool are yanked.
            Ok(None) => self.no_tool(id),
            Err(response) => response,
        }
    }

    fn version(&self, id: &str, version: &str) -> Result<&Version, Response> {
        let found = self.store.tool(id).map(|tool| &tool.versions);
        let found = found.and_then(|all| all.iter().find(|found| found.number == version));
        if let Some(found) = found {
            return Ok(found);
        }
        if let Some(unsupported) = self.unsupported(id, Some(version)) {
            return Err(unsupported);
        }
        self.tool(id).and_then(|_| {
            let message = format!("Version {version} for tool {id} not found");
            Err(error(404, Code::VersionNotFound, &message, None))
        })
    }

    fn bundle(&self, id: &str, version: &str) -> Response {
        match self.version(id, version) {
            Ok(version) => {
                let body = if self.is_hub { hub::bundle(version) } else { version.bundle() };
                // The tag comes from the known digest, because hashing the files again can
                // be slow.
                let tag = sha256_hex(format!("{}{}", version.sha256, version.manifest).as_bytes());
                ok_text(body, CacheLifetime::Immutable, Some(tag))
            }
            Err(response) => response,
        }
    }

    fn versions(&self, id: &str) -> Response {
        match self.tool(id) {
            Ok(tool) => {
                let versions: Vec<Value> = tool.versions.iter().map(Version::list_entry).collect();
                let total = versions.len();
                ok(
                    &json!({"id": tool.id, "versions": versions, "total": total}),
                    CacheLifetime::Revalidate,
                )
            }
            Err(response) => response,
        }
    }
}

/// Returns true if the client already has the answer.
fn client_has(tag: &str, headers: &[(&str, &str)]) -> bool {
    let mut asked = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("if-none-match"));
    asked.any(|(_, value)| {
        value
            .split(',')
            .map(str::trim)
            .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
    })
}

fn results<'t>(page: impl Iterator<Item = &'t str>, total: usize) -> Response {
    let page: Vec<&str> = page.collect();
    ok_text(
        format!("{{\"results\":[{}],\"total\":{total}}}", page.join(",")),
        CacheLifetime::Revalidate,
        None,
    )
}

fn ok(value: &Value, kept: CacheLifetime) -> Response {
    ok_text(value.to_string(), kept, None)
}

/// Returns an answer with its `ETag`, by default the digest of the body.
fn ok_text(body: String, kept: CacheLifetime, tag: Option<String>) -> Response {
    let mut response = json_response(200, body);
    let kept = match kept {
        CacheLifetime::Revalidate => "no-cache",
        CacheLifetime::Immutable => "public, max-age=31536000, immutable",
    };
    let tag = tag.unwrap_or_else(|| sha256_hex(&response.body));
    response.headers.push(("ETag", format!("\"{tag}\"")));
    response.headers.push(("Cache-Control", kept.to_owned()));
    response
}

fn json_response(status: u16, body: String) -> Response {
    let headers = vec![
        ("Content-Type", "application/json; charset=utf-8".to_owned()),
        ("X-Content-Type-Options", "nosniff".to_owned()),
    ];
    Response { status, headers, body: body.into_bytes() }
}

fn no_tool(id: &str) -> Response {
    error(404, Code::ToolNotFound, &format!("Tool {id} not found"), None)
}

fn unknown_endpoint() -> Response {
    error(404, Code::InvalidRequest, "Unknown endpoint", None)
}

fn error(status: u16, code: Code, message: &str, details: Option<Value>) -> Response {
    let details = details.map_or_else(|| "{}".to_owned(), |details| details.to_string());
    let error = ErrorBody {
        code: code.as_str().into(),
        message: message.into(),
        details: ok_or_bug(Raw::parse(&details)),
    };
    let body = ok_or_bug(serde_json::to_string(&ErrorEnvelope { error })).unwrap_or_default();
    let mut response = json_response(status, body);
    response.headers.push(("Cache-Control", "no-store".to_owned()));
    response
}
