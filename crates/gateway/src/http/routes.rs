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
use serde_json::{Value, json};
use toolglot::core::format::file_name;
use toolglot::core::quoted;
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
    let mut headers = Vec::new();
    for (name, value) in request.headers() {
        if let Ok(value) = value.to_str() {
            headers.push((name.as_str(), value));
        }
    }
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
    let mut tools = Vec::new();
    for tool in catalogue.tools() {
        let Some(view) = tool.mcp_view(Revision::R20260728) else { continue };
        let concerns = tool.concerns().iter().map(|concern| concern.message());
        let manifest = tool.manifest();
        let mut entry = view.json.clone();
        for (name, value) in [
            ("id", json!(tool.id())),
            ("version", json!(tool.version())),
            ("target", json!(tool.call_description())),
            ("asks", concerns.collect()),
            ("format", json!(manifest.format().name)),
            ("file", json!(display_path(manifest.path()))),
            ("digest", json!(format!("sha256:{}", manifest.digest()))),
        ] {
            entry.insert(name.to_owned(), value);
        }
        tools.push(Value::Object(entry));
    }
    json_response(&json!({"tools": tools}))
}

/// Calls a tool. The body is its arguments.
async fn call(State(site): Shared, Path(id): Path<String>, body: Body) -> HttpResponse {
    let arguments = read_body(body).await;
    let tool = site.gateway.catalogue().tool_by_id_or_name(&id).cloned();
    call_tool(&site, tool, &id, arguments).await
}

/// Calls a tool of the source that a converted manifest names by its digest.
async fn call_source_tool(
    State(site): Shared,
    Path((digest, id)): Path<(String, String)>,
    body: Body,
) -> HttpResponse {
    let arguments = read_body(body).await;
    let tool = site.gateway.catalogue().pinned_tool(&digest, &id).cloned();
    call_tool(&site, tool, &id, arguments).await
}

/// Lists the servers for Unison: one with all tools, and one for each source that a
/// converted manifest may name by its digest.
async fn servers(State(site): Shared, headers: HeaderMap, request: Request) -> HttpResponse {
    // `check_access` has already checked the header.
    let host = headers.get("host").map_or("", |host| host.to_str().unwrap_or(""));
    let url = format!("http://{host}{}", request.uri().path().trim_end_matches('/'));
    let catalogue = site.gateway.catalogue();
    let mut all = Vec::new();
    let mut sources: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for tool in catalogue.tools() {
        all.push(json!({"name": tool.id()}));
        let tools = sources.entry(tool.manifest().digest()).or_default();
        tools.push(json!({"name": file_name(tool.id())}));
    }
    let mut servers =
        vec![json!({"id": "toolglot", "name": "toolglot", "base_url": url, "tools": all})];
    for (digest, tools) in sources {
        let id = format!("sha256:{digest}");
        let base_url = format!("{url}/{digest}");
        servers.push(json!({"id": id, "name": id, "base_url": base_url, "tools": tools}));
    }
    json_response(&json!({"servers": servers}))
}

/// Handles a call that Unison sends to a server: `{"arguments": …}`.
async fn unison(
    State(site): Shared,
    Path(parts): Path<BTreeMap<String, String>>,
    body: Body,
) -> HttpResponse {
    let id = parts.get("id").map_or("", String::as_str);
    let catalogue = site.gateway.catalogue();
    let tool = match parts.get("digest") {
        Some(digest) => catalogue.pinned_tool(digest, id),
        None => catalogue.tool_by_id_or_name(id),
    };
    let arguments = read_envelope(body).await.map(|envelope| text_or_empty(envelope.arguments));
    call_tool(&site, tool.cloned(), id, arguments).await
}

/// Handles a call that Unison sends to an agent: `{"type": "a2a.request", "capability_id",
/// "args"}`.
async fn a2a(State(site): Shared, body: Body) -> HttpResponse {
    let envelope = match read_envelope(body).await {
        Ok(envelope) => envelope,
        Err(refused) => return refused,
    };
    if envelope.kind.as_deref() != Some("a2a.request") {
        let message = "expected \"type\": \"a2a.request\"";
        return error_response(StatusCode::BAD_REQUEST, "body", message);
    }
    let id = envelope.capability_id.unwrap_or_default();
    let tool = site.gateway.catalogue().tool_by_id_or_name(&id).cloned();
    call_tool(&site, tool, &id, Ok(text_or_empty(envelope.args))).await
}

/// Reads the body. Fails if it is late, too long or not UTF-8.
async fn read_body(body: Body) -> Result<String, HttpResponse> {
    let refuse = |status, message: &str| Err(error_response(status, "body", message));
    match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES)).await {
        Ok(Ok(bytes)) => match String::from_utf8(bytes.into()) {
            Ok(text) => Ok(text),
            Err(_) => refuse(StatusCode::BAD_REQUEST, "the body is not UTF-8"),
        },
        Ok(Err(_)) => {
            let message = format!("the body is cut off, or has more than {MAX_BODY_BYTES} bytes");
            refuse(StatusCode::PAYLOAD_TOO_LARGE, &message)
        }
        Err(_) => refuse(StatusCode::REQUEST_TIMEOUT, "the body does not come"),
    }
}

/// The body of a request of Unison.
#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "type")]
    kind: Option<String>,
    capability_id: Option<String>,
    arguments: Option<Box<RawValue>>,
    args: Option<Box<RawValue>>,
}

async fn read_envelope(body: Body) -> Result<Envelope, HttpResponse> {
    serde_json::from_str(&read_body(body).await?).map_err(|error| {
        let message = format!("the body is no such JSON object: {error}");
        error_response(StatusCode::BAD_REQUEST, "body", &message)
    })
}

/// Returns the text of the arguments in an envelope, or `{}` if they are missing.
fn text_or_empty(arguments: Option<Box<RawValue>>) -> String {
    arguments.map_or("{}".into(), |arguments| arguments.get().to_owned())
}

/// Makes a call. No person can be asked here, so an approval must have been given before.
async fn call_tool(
    site: &AppState,
    tool: Option<Arc<Tool>>,
    id: &str,
    arguments: Result<String, HttpResponse>,
) -> HttpResponse {
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(refused) => return refused,
    };
    let view = tool.as_ref().and_then(|tool| tool.mcp_view(Revision::R20260728));
    let (Some(tool), Some(view)) = (&tool, view) else {
        let message = format!("there is no tool {}", quoted(id));
        return error_response(StatusCode::NOT_FOUND, "tool", &message);
    };
    let prepared = match site.gateway.prepare(tool, view, &arguments) {
        Ok(prepared) => prepared,
        Err(refusal) => return refusal_response(&refusal),
    };
    match site.gateway.call(&prepared, &|_| ()).await {
        Ok(called) => call_response(called),
        Err(refusal) => refusal_response(&refusal),
    }
}
