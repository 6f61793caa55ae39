//! Compares a manifest's description of an MCP tool with that of its server.

use serde_json::Value;
use toolglot::ToolDescriptor;
use toolglot::call::{Plan, Step};
use toolglot::core::quoted;

use crate::skipped::display_path;
use crate::tool::Tool;

/// A manifest's description of an MCP server's tool.
#[derive(Debug)]
pub(crate) struct ToolClaims {
    /// Identifies the tool: the digest of the manifest, and the id.
    pub(crate) key: String,
    /// The tool and its file, for messages.
    label: String,
    /// The tool's name at the server.
    name: String,
    description: Option<String>,
    input: Option<Value>,
}

impl ToolClaims {
    /// Returns `None` for a tool that is not called through an MCP server.
    pub(crate) fn of(tool: &Tool, descriptor: &ToolDescriptor<'_>, plan: &Plan) -> Option<Self> {
        let Step::CallTool(call) = &plan.step else { return None };
        let schema = descriptor.input_schema.as_deref();
        Some(Self {
            key: format!("{} {}", tool.manifest().digest(), tool.id()),
            label: format!("{} of {}", quoted(tool.id()), display_path(tool.manifest().path())),
            name: call.tool.clone(),
            description: descriptor.description.as_ref().map(|text| text.to_string()),
            input: schema.and_then(|schema| serde_json::from_str(schema.as_str()).ok()),
        })
    }

    /// Describes how the server's list of tools differs from the manifest, or returns
    /// `None` if it agrees. A member that the manifest lacks cannot differ.
    pub(crate) fn difference(&self, listed: &str) -> Option<String> {
        let listed: Vec<Value> = serde_json::from_str(listed).ok()?;
        let is_it = |tool: &&Value| tool.get("name").and_then(Value::as_str) == Some(&self.name);
        let Some(tool) = listed.iter().find(is_it) else {
            return Some(format!("{}: its server does not list it", self.label));
        };
        let description = tool.get("description").and_then(Value::as_str);
        let other_text = self.description.is_some() && self.description.as_deref() != description;
        let other_input = self.input.is_some() && self.input.as_ref() != tool.get("inputSchema");
        let differs = match (other_text, other_input) {
            (false, false) => return None,
            (true, false) => "another description",
            (false, true) => "another input schema",
            (true, true) => "another description and another input schema",
        };
        Some(format!("{}: its server has {differs} for it than the manifest", self.label))
    }
}
