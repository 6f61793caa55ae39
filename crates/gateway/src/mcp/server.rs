//! An MCP server for one client.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, ProtocolVersion, ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, Service};
use rmcp::{RoleServer, ServerHandler};

use super::raw_result::RawResult;
use super::tools::Tools;
use crate::gateway::Gateway;

/// Answers the requests of one client with results as the handlers made them.
pub(crate) struct Server(Tools);

impl Server {
    pub(crate) fn new(gateway: Arc<Gateway>) -> Self {
        Self(Tools { gateway, questions: Arc::default() })
    }
}

impl Service<RoleServer> for Server {
    async fn handle_request(
        &self,
        request: ClientRequest,
        mut context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let raw = RawResult::default();
        context.extensions.insert(raw.clone());
        let result = Box::pin(Service::handle_request(&self.0, request, context)).await?;
        Ok(raw.merge_into(result))
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Service::handle_notification(&self.0, notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        ServerHandler::get_info(&self.0)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        ServerHandler::supported_protocol_versions(&self.0)
    }
}
