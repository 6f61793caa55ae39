//! MCP over streamable HTTP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::Response;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::asking::Questions;
use super::tools::Tools;
use crate::gateway::Gateway;

/// Sessions of clients before 2026. One that is idle for five minutes ends.
const MOST_SESSIONS: usize = 256;
/// No message of a client is longer.
const LONGEST_MESSAGE: usize = 4 << 20;

/// An MCP server for all clients that come over HTTP.
pub(crate) struct OverHttp {
    service: StreamableHttpService<Tools, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
}

impl OverHttp {
    pub(crate) fn new(gateway: Arc<Gateway>) -> Self {
        let (questions, sessions) = (Arc::<Questions>::default(), Arc::default());
        let tools = move || {
            let (gateway, questions) = (Arc::clone(&gateway), Arc::clone(&questions));
            Ok(Tools { gateway, questions })
        };
        // Who is asked for was checked before.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(LONGEST_MESSAGE);
        let service = StreamableHttpService::new(tools, Arc::clone(&sessions), config);
        Self { service, sessions }
    }

    /// Answers a request, unless it would begin one session too many.
    pub(crate) async fn answer(&self, request: Request) -> Option<Response<Body>> {
        let is_new = !request.headers().contains_key("mcp-session-id");
        if is_new && self.sessions.sessions.read().await.len() >= MOST_SESSIONS {
            return None;
        }
        Some(self.service.handle(request).await.map(Body::new))
    }
}
