//! An MCP server over a folder of manifests, with rmcp.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, from_str, from_value};
use toolglot::providers::{Options, Revision, Target};

use crate::{Failed, Folder, Tool};

/// Serves the tools of a folder.
pub struct Server {
    folder: Folder,
    tools: Vec<Tool>,
    listed: Vec<rmcp::model::Tool>,
}

impl Server {
    /// A server for a folder.
    pub fn new(folder: Folder) -> Result<Self, Failed> {
        let (tools, left_out) = folder.tools(&Options::new(Target::Mcp(Revision::R20251125)))?;
        for (id, why) in left_out {
            eprintln!("{id} is not served: {why}");
        }
        let listed = tools.iter().map(|tool| from_value(tool.json.clone()));
        Ok(Self { listed: listed.collect::<Result<_, _>>()?, folder, tools })
    }
}

/// A structured result where the tool was listed with a schema for it, else a text.
fn answered(tool: &Tool, answer: String) -> CallToolResult {
    match tool.json.get("outputSchema").and_then(|_| from_str::<Value>(&answer).ok()) {
        Some(answer) => CallToolResult::structured(answer),
        None => CallToolResult::success(vec![ContentBlock::text(answer)]),
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
        let tool = self.tools.iter().find(|tool| tool.name == request.name);
        let tool = tool.ok_or_else(|| ErrorData::invalid_params("there is no such tool", None))?;
        let arguments: JsonObject = request.arguments.unwrap_or_default();
        let answer = self.folder.call(tool, &Value::Object(arguments).to_string()).await;
        // What is wrong is told to the model, which can do better.
        Ok(match answer {
            Ok(answer) => answered(tool, answer),
            Err(failure) => CallToolResult::error(vec![ContentBlock::text(failure.to_string())]),
        }
        .into())
    }
}
