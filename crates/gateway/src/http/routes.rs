//! The routes, and the access that each of them requires.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Response, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::routing::{any, get, post};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use toolglot::core::format::file_name;
use toolglot::mcpkg;
use toolglot::providers::Revision;

use super::access::Access;
use super::page::page;
use super::response::{call_response, error_response, json_response, json_text, refusal_response};
use crate::gateway::Gateway;
use crate::mcp::HttpService;
use crate::registry::LiveRegistry;
use crate::skipped::display_path;
use crate::tool::Tool;

/// The limits on the length of a body and on the time until it has arrived.
const MAX_BODY_BYTES: usize = 4 << 20;
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// State that all requests share.
pub(super) struct AppState {
    pub(super) gateway: Arc<Gateway>,
    pub(super) shelf: LiveRegistry,
    pub(super) access: Access,
    pub(super) mcp: HttpService,
}

type Shared = State<Arc<AppState>>;
type HttpResponse = Response<Body>;

/// Builds all routes. The page and the registries are open. All other routes require the
/// token in a header. Hosts that send no headers may put it into the first segment of the
/// path, which opens the routes of Unison and A2A only.
pub(super) fn routes(site: Arc<AppState>) -> Router {
    let keyed = Router::new()
        .route("/mcp", any(mcp))
        .route("/api/tools", get(list))
        .route("/tools/{id}", post(call))
        .route("/sources/{digest}/tools/{id}", post(call_source_tool))
        .route("/unison", get(servers))
        .route("/unison/tools/{id}", post(unison))
        .route("/unison/{digest}/tools/{id}", post(unison))
        .route("/a2a", post(a2a))
        .layer(from_fn_with_state(Arc::clone(&site), require_token));
    let pathed = Router::new()
        .route("/{token}/unison", get(servers))
        .route("/{token}/unison/tools/{id}", post(unison))
        .route("/{token}/unison/{digest}/tools/{id}", post(unison))
        .route("/{token}/a2a", post(a2a))
        .layer(from_fn_with_state(Arc::clone(&site), require_path_token));
    Router::new()
        .route("/", get(async || page()))
        .route("/v1/{*rest}", any(registry))
        .route(mcpkg::registry::PATH, get(packages))
        .merge(keyed)
        .merge(pathed)
        .fallback(async || not_found())
        .layer(from_fn_with_state(Arc::clone(&site), check_access))
        .with_state(site)
}

fn not_found() -> HttpResponse {
    error_response(StatusCode::NOT_FOUND, "not-found", "there is nothing here")
}

async fn check_access(State(site): Shared, request: Request, next: Next) -> HttpResponse {
    match site.access.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err((status, message)) => error_response(status, "not-admitted", message),
    }
}

async fn require_token(State(site): Shared, request: Request, next: Next) -> HttpResponse {
    if site.access.has_token(request.headers()) {
        return next.run(request).await;
    }
    let message = "the token is missing or wrong: send it as `Authorization: Bearer …`";
    let mut refused = error_response(StatusCode::UNAUTHORIZED, "token", message);
    let scheme = axum::http::HeaderValue::from_static("Bearer");
    refused.headers_mut().insert(axum::http::header::WWW_AUTHENTICATE, scheme);
    refused
}

/// Responds to a wrong token as to an unknown path.
async fn require_path_token(State(site): Shared, request: Request, next: Next) -> HttpResponse {
    let segment = request.uri().path().split('/').nth(1).unwrap_or_default();
    if site.access.is_token(segment) { next.run(request).await } else { not_found() }
}

async fn mcp(State(site): Shared, request: Request) -> HttpResponse {
    let (head, body) = request.into_parts();
    let body = match read_body(body).await {
        Ok(text) => Body::from(text),
        Err(answer) => return answer,
    };
    match site.mcp.handle(Request::from_parts(head, body)).await {
        Some(answer) => answer,
        None => {
            error_response(StatusCode::SERVICE_UNAVAILABLE, "busy", "there are too many sessions")
        }
    }
}

/// Answers a request to the Jumith registry. Runs no tool.
async fn registry(State(site): Shared, request: Request) -> HttpResponse {
    let headers: Vec<(&str, &str)> = request
        .headers()
        .iter()
        .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
        .collect();
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
    let found = site.shelf.registry().handle(request.method().as_str(), target, &headers);
    let mut answer = Response::builder().status(found.status);
    for (name, value) in &found.headers {
        answer = answer.header(*name, value.as_str());
    }
    answer.body(Body::from(found.body)).unwrap_or_else(|_| not_found())
}

/// Lists the MCPKG packages that match a query. Runs no tool.
async fn packages(State(site): Shared, request: Request) -> HttpResponse {
    match site.shelf.offers().answer(request.uri().query().unwrap_or_default()) {
        Ok(body) => json_text(body),
        Err(why) => error_response(StatusCode::BAD_REQUEST, "query", &why),
    }
}

/// Lists all tools, for the page.
async fn list(State(site): Shared) -> HttpResponse {
    let catalogue = site.gateway.catalogue();
    let one = |tool: &Arc<Tool>| {
        let mut one: Map<String, Value> = tool.mcp_view(Revision::R20260728)?.json.clone();
        let asks: Vec<&str> = tool.concerns().iter().map(|concern| concern.message()).collect();
        let manifest = tool.manifest();
        let more = [
            ("id", json!(tool.id())),
            ("version", json!(tool.version())),
            ("target", json!(tool.call_description())),
            ("asks", json!(asks)),
            ("format", json!(manifest.format().name)),
            ("file", json!(display_path(manifest.path()))),
            ("digest", json!(format!("sha256:{}", manifest.digest()))),
        ];
        one.extend(more.map(|(name, value)| (name.to_owned(), value)));
        Some(Value::Object(one))
    };
    let tools: Vec<Value> = catalogue.tools().filter_map(one).collect();
    json_response(&json!({"tools": tools}))
}

/// Calls a tool. The body is its arguments.
async fn call(State(site): Shared, Path(id): Path<String>, body: Body) -> HttpResponse {
    match read_body(body).await {
        Ok(text) => {
            call_tool(&site, site.gateway.catalogue().tool_by_id_or_name(&id), &id, &text).await
        }
        Err(answer) => answer,
    }
}

/// Calls a tool of the source that a converted manifest names by its digest.
async fn call_source_tool(
    State(site): Shared,
    Path((digest, id)): Path<(String, String)>,
    body: Body,
) -> HttpResponse {
    match read_body(body).await {
        Ok(text) => {
            call_tool(&site, site.gateway.catalogue().pinned_tool(&digest, &id), &id, &text).await
        }
        Err(answer) => answer,
    }
}

/// Lists the servers for Unison: one with all tools, and one for each source that a
/// converted manifest may name by its digest.
async fn servers(State(site): Shared, headers: HeaderMap, request: Request) -> HttpResponse {
    let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default();
    let url = format!("http://{host}{}", request.uri().path().trim_end_matches('/'));
    let catalogue = site.gateway.catalogue();
    let name = |tool: &Arc<Tool>| json!({"name": tool.id()});
    let all: Vec<Value> = catalogue.tools().map(name).collect();
    let mut servers =
        vec![json!({"id": "toolglot", "name": "toolglot", "base_url": url, "tools": all})];
    let mut sources: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for tool in catalogue.tools() {
        let tools = sources.entry(tool.manifest().digest()).or_default();
        tools.push(json!({"name": file_name(tool.id())}));
    }
    servers.extend(sources.into_iter().map(|(digest, tools)| {
        let id = format!("sha256:{digest}");
        json!({"id": id, "name": id, "base_url": format!("{url}/{digest}"), "tools": tools})
    }));
    json_response(&json!({"servers": servers}))
}

/// Handles a call that Unison sends to a server: `{"arguments": …}`.
async fn unison(
    State(site): Shared,
    Path(parts): Path<BTreeMap<String, String>>,
    body: Body,
) -> HttpResponse {
    let id = parts.get("id").map(String::as_str).unwrap_or_default();
    let catalogue = site.gateway.catalogue();
    let tool = match parts.get("digest") {
        Some(digest) => catalogue.pinned_tool(digest, id),
        None => catalogue.tool_by_id_or_name(id),
    };
    match read_member(body, "arguments").await {
        Ok((_, arguments)) => call_tool(&site, tool, id, &arguments).await,
        Err(answer) => answer,
    }
}

/// Handles a call that Unison sends to an agent: `{"type": "a2a.request", "capability_id",
/// "args"}`.
async fn a2a(State(site): Shared, body: Body) -> HttpResponse {
    match read_member(body, "args").await {
        Ok((whole, arguments)) if whole.kind.as_deref() == Some("a2a.request") => {
            let id = whole.capability_id.unwrap_or_default();
            call_tool(&site, site.gateway.catalogue().tool_by_id_or_name(&id), &id, &arguments)
                .await
        }
        Ok(_) => {
            error_response(StatusCode::BAD_REQUEST, "body", "expected \"type\": \"a2a.request\"")
        }
        Err(answer) => answer,
    }
}

/// Reads the body. Fails if it is late, too long or not UTF-8.
async fn read_body(body: Body) -> Result<String, HttpResponse> {
    let late = error_response(StatusCode::REQUEST_TIMEOUT, "body", "the body does not come");
    let bytes = tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES)).await;
    let bytes = bytes.map_err(|_| late)?.map_err(|_| {
        let message = format!("the body is cut off, or has more than {MAX_BODY_BYTES} bytes");
        error_response(StatusCode::PAYLOAD_TOO_LARGE, "body", &message)
    })?;
    String::from_utf8(bytes.to_vec())
        .map_err(|_| error_response(StatusCode::BAD_REQUEST, "body", "the body is not UTF-8"))
}

/// The body of a request of Unison.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(rename = "type")]
    kind: Option<String>,
    capability_id: Option<String>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    args: Option<&'a RawValue>,
}

/// The body without the arguments.
struct EnvelopeHead {
    kind: Option<String>,
    capability_id: Option<String>,
}

/// Reads the body as an object. Returns it with the text of one member, or `{}` if the
/// member is missing.
async fn read_member(body: Body, name: &str) -> Result<(EnvelopeHead, String), HttpResponse> {
    let text = read_body(body).await?;
    let wrong = |error: serde_json::Error| {
        let message = format!("the body is no such JSON object: {error}");
        error_response(StatusCode::BAD_REQUEST, "body", &message)
    };
    let envelope: Envelope<'_> = serde_json::from_str(&text).map_err(wrong)?;
    let Envelope { kind, capability_id, arguments, args } = envelope;
    let member = if name == "args" { args } else { arguments };
    let member = member.map_or("{}", RawValue::get).to_owned();
    Ok((EnvelopeHead { kind, capability_id }, member))
}

/// Makes a call. No person can be asked here, so an approval must have been given before.
async fn call_tool(
    site: &AppState,
    tool: Option<&Arc<Tool>>,
    id: &str,
    arguments: &str,
) -> HttpResponse {
    let Some((tool, face)) =
        tool.and_then(|tool| Some((tool, tool.mcp_view(Revision::R20260728)?)))
    else {
        let message = format!("there is no tool {}", toolglot::core::quoted(id));
        return error_response(StatusCode::NOT_FOUND, "tool", &message);
    };
    let prepared = match site.gateway.prepare(tool, face, arguments) {
        Ok(prepared) => prepared,
        Err(refusal) => return refusal_response(&refusal),
    };
    match site.gateway.call(&prepared, &|_| ()).await {
        Ok(done) => call_response(done),
        Err(refusal) => refusal_response(&refusal),
    }
}
