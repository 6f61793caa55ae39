//! Adds the tools of a server to its document.

use manifest_core::json::{Document, Edit, apply, quote};
use manifest_core::{AddToolsError, Pointer, ToolDescriptor};

use crate::server_json::table::{PUBLISHER, TOOLS};

/// Returns the text of a document with these tools added, in the member for converted
/// tools. Fails if tools are already listed there. Everything else stays unchanged. The
/// tools are called by the names that the server gave them.
///
/// ```
/// use manifest_core::json::Document;
/// use manifest_core::{Limits, Text, ToolDescriptor};
///
/// let document = Document::parse(br#"{"name": "com.example/notes"}"#, &Limits::default())?;
/// let tools = [ToolDescriptor { id: Text::Borrowed("find").into(), ..ToolDescriptor::default() }];
/// let text = toolglot_mcp::server_json::with_tools(&document, &tools)?;
/// assert!(text.ends_with(r#""invalid.toolglot/tools": [{"name": "find", "calls": "find"}]}}}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_tools(
    document: &Document<'_>,
    tools: &[ToolDescriptor<'_>],
) -> Result<String, AddToolsError> {
    let entries: Vec<String> = tools.iter().map(tool_json).collect();
    let mut value = format!("[{}]", entries.join(", "));
    let mut place = Pointer::root();
    let mut node = Some(document.root());
    for (index, name) in PATH.iter().enumerate() {
        place = place.push(name);
        node = node.and_then(|node| node.get(name));
        if node.is_none() {
            for inner in PATH.iter().skip(index + 1).rev() {
                value = format!("{{{}: {value}}}", quote(inner));
            }
            return Ok(apply(document, &[Edit::Insert(place, value)])?);
        }
    }
    if node.is_some_and(|list| list.elements().next().is_some()) {
        return Err(AddToolsError::AlreadyListed);
    }
    Ok(apply(document, &[Edit::Set(place, value)])?)
}

/// The path of the list.
const PATH: [&str; 3] = ["_meta", PUBLISHER, TOOLS];

fn tool_json(tool: &ToolDescriptor<'_>) -> String {
    let name = quote(tool.name.as_ref().unwrap_or(&tool.id));
    let description = tool.description.as_ref();
    let about =
        description.map_or(String::new(), |text| format!(", \"description\": {}", quote(text)));
    format!("{{\"name\": {name}{about}, \"calls\": {name}}}")
}
