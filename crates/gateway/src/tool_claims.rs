//! Compares a manifest's description of an MCP tool with that of its server.

use serde_json::Value;
use toolglot::ToolDescriptor;
use toolglot::call::Step;
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
    pub(crate) fn of(tool: &Tool, descriptor: &ToolDescriptor<'_>, step: &Step) -> Option<Self> {
        let Step::CallTool(call) = step else { return None };
        let manifest = tool.manifest();
        let mut input = None;
        if let Some(schema) = &descriptor.input_schema {
            input = serde_json::from_str(schema.as_str()).ok();
        }
        Some(Self {
            key: format!("{} {}", manifest.digest(), tool.id()),
            label: format!("{} of {}", quoted(tool.id()), display_path(manifest.path())),
            name: call.tool.clone(),
            description: descriptor.description.as_ref().map(|text| text.to_string()),
            input,
        })
    }

    /// Describes how the server's list of tools differs from the manifest, or returns
    /// `None` if it agrees. A member that the manifest lacks cannot differ.
    pub(crate) fn difference(&self, listed: &str) -> Option<String> {
        let listed: Vec<Value> = serde_json::from_str(listed).ok()?;
        let Some(tool) = listed.iter().find(|tool| text(tool, "name") == Some(&self.name)) else {
            return Some(format!("{}: its server does not list it", self.label));
        };
        let mut differences = Vec::new();
        let description = self.description.as_deref();
        if description.is_some() && description != text(tool, "description") {
            differences.push("another description");
        }
        if self.input.is_some() && self.input.as_ref() != tool.get("inputSchema") {
            differences.push("another input schema");
        }
        if differences.is_empty() {
            return None;
        }
        let differences = differences.join(" and ");
        Some(format!("{}: its server has {differences} for it than the manifest", self.label))
    }
}

fn text<'t>(tool: &'t Value, member: &str) -> Option<&'t str> {
    tool.get(member)?.as_str()
}
