//! Adds the tools of a server to the manifest of its bundle.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Edit, Node, apply, quote};
use manifest_core::{AddToolsError, Pointer, ToolDescriptor};

/// Returns the text of a manifest with these tools added. Fails if it lists tools without
/// `tools_generated`, which declares that there are more. The tools that it lists and
/// everything else stay unchanged. Only the name and description of a tool are written.
///
/// ```
/// use manifest_core::json::Document;
/// use manifest_core::{Limits, Text, ToolDescriptor};
///
/// let text = br#"{"name": "notes", "tools_generated": true}"#;
/// let document = Document::parse(text, &Limits::default())?;
/// let tools = [ToolDescriptor { id: Text::Borrowed("find").into(), ..ToolDescriptor::default() }];
/// assert_eq!(
///     toolglot_mcp::mcpb::with_tools(&document, &tools)?,
///     r#"{"name": "notes", "tools_generated": true, "tools": [{"name": "find"}]}"#,
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_tools(
    document: &Document<'_>,
    tools: &[ToolDescriptor<'_>],
) -> Result<String, AddToolsError> {
    let root = document.root();
    let listed = root.get("tools").filter(|tools| tools.is_array());
    let known: Vec<Node<'_>> = listed.into_iter().flat_map(Node::elements).collect();
    let more = root.get("tools_generated").and_then(Node::bool) == Some(true);
    if !known.is_empty() && !more {
        return Err(AddToolsError::AlreadyListed);
    }
    let names: BTreeSet<_> = known.iter().filter_map(|tool| tool.get("name")?.text()).collect();
    let new = tools.iter().filter(|tool| !names.contains(server_name_of(tool)));
    let entries: Vec<String> =
        known.iter().map(|tool| tool.raw().to_owned()).chain(new.map(tool_json)).collect();
    let (at, list) = (Pointer::root().push("tools"), format!("[{}]", entries.join(", ")));
    let edit = match root.get("tools") {
        Some(_) => Edit::Set(at, list),
        None => Edit::Insert(at, list),
    };
    Ok(apply(document, &[edit])?)
}

/// Returns the server's name for a tool. Dots do not separate parts there.
fn server_name_of<'t>(tool: &'t ToolDescriptor<'_>) -> &'t str {
    tool.name.as_ref().unwrap_or(&tool.id)
}

fn tool_json(tool: &ToolDescriptor<'_>) -> String {
    let name = quote(server_name_of(tool));
    match &tool.description {
        Some(text) => format!("{{\"name\": {name}, \"description\": {}}}", quote(text)),
        None => format!("{{\"name\": {name}}}"),
    }
}
