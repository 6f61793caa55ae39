//! An MCP server over a folder of manifests, with rmcp.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, from_str, from_value, to_value};
use toolglot::providers::{Revision, Target};

use crate::{Failed, Folder};

/// Serves the tools of a folder.
pub struct Server {
    folder: Folder,
    listed: Vec<Tool>,
}

impl Server {
    /// A server for a folder.
    pub fn new(mut folder: Folder) -> Result<Self, Failed> {
        let offers = to_value(folder.tools.offers(Target::Mcp(Revision::R20251125)))?;
        for problem in folder.tools.problems() {
            eprintln!("not served: {problem}");
        }
        Ok(Self { folder, listed: from_value(offers)? })
    }
}

/// A structured result where the tool was listed with a schema for it, else a text.
fn answered(is_structured: bool, answer: String) -> CallToolResult {
    match from_str::<Value>(&answer) {
        Ok(answer) if is_structured => CallToolResult::structured(answer),
        _ => CallToolResult::success(vec![ContentBlock::text(answer)]),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.listed.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let offer = self.folder.tools.current_offers().by_name(&request.name);
        let offer =
            offer.ok_or_else(|| ErrorData::invalid_params("there is no such tool", None))?;
        let arguments = request.arguments.unwrap_or_default();
        // What is wrong is told to the model, which can do better.
        Ok(match self.folder.call(&request.name, arguments).await {
            Ok(answer) => answered(offer.has_result_schema(), answer),
            Err(failure) => CallToolResult::error(vec![ContentBlock::text(failure.to_string())]),
        }
        .into())
    }
}
