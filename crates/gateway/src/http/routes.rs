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
use super::answer::{called, json_of, json_text, problem, refused};
use super::page::page;
use crate::gateway::Gateway;
use crate::left_out::shown;
use crate::mcp::OverHttp;
use crate::registry::Shelf;
use crate::tool::Tool;

/// The limits on the length of a body and on the time until it has arrived.
const LONGEST_BODY: usize = 4 << 20;
const PATIENCE: Duration = Duration::from_secs(30);

/// State that all requests share.
pub(super) struct Site {
    pub(super) gateway: Arc<Gateway>,
    pub(super) shelf: Shelf,
    pub(super) access: Access,
    pub(super) mcp: OverHttp,
}

type Shared = State<Arc<Site>>;
type Answer = Response<Body>;

/// Builds all routes. The page and the registries are open. All other routes require the
/// token in a header. Hosts that send no headers may put it into the first segment of the
/// path, which opens the routes of Unison and A2A only.
pub(super) fn routes(site: Arc<Site>) -> Router {
    let keyed = Router::new()
        .route("/mcp", any(mcp))
        .route("/api/tools", get(list))
        .route("/tools/{id}", post(call))
        .route("/sources/{digest}/tools/{id}", post(call_of_source))
        .route("/unison", get(servers))
        .route("/unison/tools/{id}", post(unison))
        .route("/unison/{digest}/tools/{id}", post(unison))
        .route("/a2a", post(a2a))
        .layer(from_fn_with_state(Arc::clone(&site), with_token));
    let pathed = Router::new()
        .route("/{token}/unison", get(servers))
        .route("/{token}/unison/tools/{id}", post(unison))
        .route("/{token}/unison/{digest}/tools/{id}", post(unison))
        .route("/{token}/a2a", post(a2a))
        .layer(from_fn_with_state(Arc::clone(&site), with_path_token));
    Router::new()
        .route("/", get(async || page()))
        .route("/v1/{*rest}", any(registry))
        .route(mcpkg::registry::PATH, get(packages))
        .merge(keyed)
        .merge(pathed)
        .fallback(async || unknown())
        .layer(from_fn_with_state(Arc::clone(&site), admitted))
        .with_state(site)
}

fn unknown() -> Answer {
    problem(StatusCode::NOT_FOUND, "not-found", "there is nothing here")
}

async fn admitted(State(site): Shared, request: Request, next: Next) -> Answer {
    match site.access.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err((status, message)) => problem(status, "not-admitted", message),
    }
}

async fn with_token(State(site): Shared, request: Request, next: Next) -> Answer {
    if site.access.has_token(request.headers()) {
        return next.run(request).await;
    }
    let message = "the token is missing or wrong: send it as `Authorization: Bearer …`";
    let mut refused = problem(StatusCode::UNAUTHORIZED, "token", message);
    let scheme = axum::http::HeaderValue::from_static("Bearer");
    refused.headers_mut().insert(axum::http::header::WWW_AUTHENTICATE, scheme);
    refused
}

/// Responds to a wrong token as to an unknown path.
async fn with_path_token(State(site): Shared, request: Request, next: Next) -> Answer {
    let segment = request.uri().path().split('/').nth(1).unwrap_or_default();
    if site.access.is_token(segment) { next.run(request).await } else { unknown() }
}

async fn mcp(State(site): Shared, request: Request) -> Answer {
    let (head, body) = request.into_parts();
    let body = match read(body).await {
        Ok(text) => Body::from(text),
        Err(answer) => return answer,
    };
    match site.mcp.answer(Request::from_parts(head, body)).await {
        Some(answer) => answer,
        None => problem(StatusCode::SERVICE_UNAVAILABLE, "busy", "there are too many sessions"),
    }
}

/// Answers a request to the Jumith registry. Runs no tool.
async fn registry(State(site): Shared, request: Request) -> Answer {
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
    answer.body(Body::from(found.body)).unwrap_or_else(|_| unknown())
}

/// Lists the MCPKG packages that match a query. Runs no tool.
async fn packages(State(site): Shared, request: Request) -> Answer {
    match site.shelf.offers().answer(request.uri().query().unwrap_or_default()) {
        Ok(body) => json_text(body),
        Err(why) => problem(StatusCode::BAD_REQUEST, "query", &why),
    }
}

/// Lists all tools, for the page.
async fn list(State(site): Shared) -> Answer {
    let catalogue = site.gateway.catalogue();
    let one = |tool: &Arc<Tool>| {
        let mut one: Map<String, Value> = tool.face(Revision::R20260728)?.json.clone();
        let asks: Vec<&str> = tool.concerns().iter().map(|concern| concern.message()).collect();
        let manifest = tool.manifest();
        let more = [
            ("id", json!(tool.id())),
            ("version", json!(tool.version())),
            ("target", json!(tool.target())),
            ("asks", json!(asks)),
            ("format", json!(manifest.format().name)),
            ("file", json!(shown(manifest.path()))),
            ("digest", json!(format!("sha256:{}", manifest.digest()))),
        ];
        one.extend(more.map(|(name, value)| (name.to_owned(), value)));
        Some(Value::Object(one))
    };
    let tools: Vec<Value> = catalogue.tools().filter_map(one).collect();
    json_of(&json!({"tools": tools}))
}

/// Calls a tool. The body is its arguments.
async fn call(State(site): Shared, Path(id): Path<String>, body: Body) -> Answer {
    match read(body).await {
        Ok(text) => made(&site, site.gateway.catalogue().tool_of_id(&id), &id, &text).await,
        Err(answer) => answer,
    }
}

/// Calls a tool of the source that a converted manifest names by its digest.
async fn call_of_source(
    State(site): Shared,
    Path((digest, id)): Path<(String, String)>,
    body: Body,
) -> Answer {
    match read(body).await {
        Ok(text) => made(&site, site.gateway.catalogue().pinned(&digest, &id), &id, &text).await,
        Err(answer) => answer,
    }
}

/// Lists the servers for Unison: one with all tools, and one for each source that a
/// converted manifest may name by its digest.
async fn servers(State(site): Shared, headers: HeaderMap, request: Request) -> Answer {
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
    json_of(&json!({"servers": servers}))
}

/// Handles a call that Unison sends to a server: `{"arguments": …}`.
async fn unison(
    State(site): Shared,
    Path(parts): Path<BTreeMap<String, String>>,
    body: Body,
) -> Answer {
    let id = parts.get("id").map(String::as_str).unwrap_or_default();
    let catalogue = site.gateway.catalogue();
    let tool = match parts.get("digest") {
        Some(digest) => catalogue.pinned(digest, id),
        None => catalogue.tool_of_id(id),
    };
    match member(body, "arguments").await {
        Ok((_, arguments)) => made(&site, tool, id, &arguments).await,
        Err(answer) => answer,
    }
}

/// Handles a call that Unison sends to an agent: `{"type": "a2a.request", "capability_id",
/// "args"}`.
async fn a2a(State(site): Shared, body: Body) -> Answer {
    match member(body, "args").await {
        Ok((whole, arguments)) if whole.kind.as_deref() == Some("a2a.request") => {
            let id = whole.capability_id.unwrap_or_default();
            made(&site, site.gateway.catalogue().tool_of_id(&id), &id, &arguments).await
        }
        Ok(_) => problem(StatusCode::BAD_REQUEST, "body", "expected \"type\": \"a2a.request\""),
        Err(answer) => answer,
    }
}

/// Reads the body. Fails if it is late, too long or not UTF-8.
async fn read(body: Body) -> Result<String, Answer> {
    let late = problem(StatusCode::REQUEST_TIMEOUT, "body", "the body does not come");
    let bytes = tokio::time::timeout(PATIENCE, to_bytes(body, LONGEST_BODY)).await;
    let bytes = bytes.map_err(|_| late)?.map_err(|_| {
        let message = format!("the body is cut off, or has more than {LONGEST_BODY} bytes");
        problem(StatusCode::PAYLOAD_TOO_LARGE, "body", &message)
    })?;
    String::from_utf8(bytes.to_vec())
        .map_err(|_| problem(StatusCode::BAD_REQUEST, "body", "the body is not UTF-8"))
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
struct Whole {
    kind: Option<String>,
    capability_id: Option<String>,
}

/// Reads the body as an object. Returns it with the text of one member, or `{}` if the
/// member is missing.
async fn member(body: Body, name: &str) -> Result<(Whole, String), Answer> {
    let text = read(body).await?;
    let wrong = |error: serde_json::Error| {
        let message = format!("the body is no such JSON object: {error}");
        problem(StatusCode::BAD_REQUEST, "body", &message)
    };
    let envelope: Envelope<'_> = serde_json::from_str(&text).map_err(wrong)?;
    let Envelope { kind, capability_id, arguments, args } = envelope;
    let member = if name == "args" { args } else { arguments };
    let member = member.map_or("{}", RawValue::get).to_owned();
    Ok((Whole { kind, capability_id }, member))
}

/// Makes a call. No person can be asked here, so an approval must have been given before.
async fn made(site: &Site, tool: Option<&Arc<Tool>>, id: &str, arguments: &str) -> Answer {
    let Some((tool, face)) = tool.and_then(|tool| Some((tool, tool.face(Revision::R20260728)?)))
    else {
        let message = format!("there is no tool {}", toolglot::core::quoted(id));
        return problem(StatusCode::NOT_FOUND, "tool", &message);
    };
    let prepared = match site.gateway.prepare(tool, face, arguments) {
        Ok(prepared) => prepared,
        Err(refusal) => return refused(&refusal),
    };
    match site.gateway.call(&prepared, &|_| ()).await {
        Ok(done) => called(done),
        Err(refusal) => refused(&refusal),
    }
}
