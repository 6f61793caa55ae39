//! MCP over streamable HTTP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::Response;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::tools::Tools;
use crate::gateway::Gateway;

/// The most sessions of clients of revisions before 2026. A session ends after five idle
/// minutes.
const MAX_SESSIONS: usize = 256;
/// The longest message of a client, in bytes.
const MAX_MESSAGE_BYTES: usize = 4 << 20;

/// An MCP server for all clients that connect over HTTP.
pub(crate) struct HttpService {
    service: StreamableHttpService<Tools, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
}

impl HttpService {
    pub(crate) fn new(gateway: Arc<Gateway>) -> Self {
        let sessions = Arc::default();
        let tools = Tools { gateway, questions: Arc::default() };
        // `Access` has already checked the `Host` header.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(MAX_MESSAGE_BYTES);
        let service =
            StreamableHttpService::new(move || Ok(tools.clone()), Arc::clone(&sessions), config);
        Self { service, sessions }
    }

    /// Answers a request. Returns `None` if it would begin one session too many.
    pub(crate) async fn handle(&self, request: Request) -> Option<Response<Body>> {
        let is_new = !request.headers().contains_key("mcp-session-id");
        if is_new && self.sessions.sessions.read().await.len() >= MAX_SESSIONS {
            return None;
        }
        Some(self.service.handle(request).await.map(Body::new))
    }
}
