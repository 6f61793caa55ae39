//! Handlers for the requests of an MCP client.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProgressToken,
    ProtocolVersion, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{Peer, RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use toolglot::providers::Revision;

use super::approval::{ApprovalOutcome, Questions, arguments_text};
use super::raw_result::RawResult;
use crate::gateway::Gateway;
use crate::prepared_call::{PreparedCall, Refusal};
use crate::result::{error_result, result};

/// The most progress reports that wait to be sent.
const MAX_QUEUED_REPORTS: usize = 16;
/// The interval between checks that a client is still connected.
const CONNECTION_CHECK_INTERVAL: Duration = Duration::from_secs(10);

/// Answers the requests of one client.
#[derive(Clone)]
pub(super) struct Tools {
    pub(super) gateway: Arc<Gateway>,
    pub(super) questions: Arc<Questions>,
}

impl Tools {
    /// Returns the revision of a client, from the request or the handshake.
    fn revision(context: &RequestContext<RoleServer>) -> Revision {
        let version = context.protocol_version();
        let is_new = version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        if is_new { Revision::R20260728 } else { Revision::R20251125 }
    }

    /// Makes the call, forwards its progress, and cancels it if the client does.
    async fn call_with_progress(
        &self,
        prepared: &PreparedCall,
        context: &RequestContext<RoleServer>,
    ) -> Result<Result<host::CallResult, Refusal>, ErrorData> {
        let (reports, mut heard) = mpsc::channel(MAX_QUEUED_REPORTS);
        let token = context.meta.get_progress_token();
        let watch = |progress| {
            // A report may be lost, because the next one replaces it.
            let _ = reports.try_send(progress);
        };
        let mut call = pin!(self.gateway.call(prepared, &watch));
        let called = loop {
            tokio::select! {
                Some(progress) = heard.recv() => send_progress(&context.peer, token.as_ref(), progress).await,
                called = &mut call => break called,
                () = context.ct.cancelled() => {
                    return Err(ErrorData::internal_error("the call was cancelled", None));
                }
            }
        };
        while let Ok(progress) = heard.try_recv() {
            send_progress(&context.peer, token.as_ref(), progress).await;
        }
        Ok(called)
    }
}

async fn send_progress(
    peer: &Peer<RoleServer>,
    token: Option<&ProgressToken>,
    heard: host::Progress,
) {
    let Some(token) = token else { return };
    let mut report = ProgressNotificationParam::new(token.clone(), heard.progress);
    (report.total, report.message) = (heard.total, heard.message);
    // This fails if the client has disconnected.
    let _ = peer.notify_progress(report).await;
}

fn refused(
    refusal: &Refusal,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    store_result(error_result(&refusal.to_string()), context)
}

fn store_result(
    members: Map<String, Value>,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let result: CallToolResult = RawResult::store(context, members)?;
    Ok(result.into())
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let name = Implementation::new("toolglot", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(can).with_server_info(name)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let revision = Self::revision(&context);
        let catalogue = self.gateway.catalogue();
        let views = catalogue.tools().filter_map(|tool| tool.mcp_view(revision));
        let tools: Vec<Value> = views.map(|view| Value::Object(view.json.clone())).collect();
        RawResult::store(&context, Map::from_iter([("tools".to_owned(), tools.into())]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let revision = Self::revision(&context);
        let catalogue = self.gateway.catalogue();
        let tool = catalogue.tool(&request.name);
        let view = tool.and_then(|tool| tool.mcp_view(revision));
        let (Some(tool), Some(view)) = (tool, view) else {
            let name = toolglot::core::quoted(&request.name);
            return Err(ErrorData::invalid_params(format!("there is no tool {name}"), None));
        };
        let sent = arguments_text(&request);
        let mut prepared = match self.gateway.prepare(tool, view, &sent) {
            Ok(prepared) => prepared,
            Err(refusal) => return refused(&refusal, &context),
        };
        match self.questions.ask(&prepared, tool, &request, &context).await {
            ApprovalOutcome::Approved => prepared.approve(),
            ApprovalOutcome::NotNeeded => {}
            ApprovalOutcome::Deferred(response) => return Ok(response),
            ApprovalOutcome::Refused(refusal) => return refused(&refusal, &context),
        }
        match self.call_with_progress(&prepared, &context).await? {
            Ok(called) => {
                store_result(result(called, view, revision >= Revision::R20260728), &context)
            }
            Err(refusal) => refused(&refusal, &context),
        }
    }

    /// Notifies clients of revisions before 2026, which cannot subscribe.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = self.gateway.changes();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    changed = changes.changed() => {
                        let told = context.peer.notify_tool_list_changed();
                        if changed.is_err() || told.await.is_err() {
                            return;
                        }
                    }
                    () = tokio::time::sleep(CONNECTION_CHECK_INTERVAL) => {
                        if context.peer.is_transport_closed() {
                            return;
                        }
                    }
                }
            }
        });
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.gateway.changes();
        loop {
            tokio::select! {
                changed = changes.changed() => {
                    let told = context.sink().notify_tool_list_changed();
                    if changed.is_err() || told.await.is_err() {
                        return Ok(());
                    }
                }
                () = context.cancelled() => return Ok(()),
            }
        }
    }
}
