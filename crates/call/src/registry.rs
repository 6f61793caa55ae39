//! A registry of servers: where a tool is that only its name is known of.

use diagnostic::{Pointer, quoted};
use json_text::{Document, Node, Text};
use manifest_core::{Limits, url};

use crate::judge::Failure;
use crate::outcome::Answer;
use crate::rules;
use crate::step::Request;
use crate::text::percent_encoded;

/// The request to the server that has the tool.
pub(crate) fn request(
    registry: &Answer,
    server: Option<&str>,
    tool: &str,
    arguments: &str,
    limits: &Limits,
) -> Result<Request, Failure> {
    let text = registry.text().unwrap_or_default();
    let document =
        Document::parse(text.as_bytes(), limits).map_err(|error| Failure::output(vec![error]))?;
    let root = document.root();
    let servers = root.get("servers").unwrap_or(root);
    let text = |node: Node<'_>, names: [&str; 2]| {
        let found = names.iter().find_map(|name| node.get(name).and_then(Node::text));
        found.map(Text::into_owned)
    };
    let has_tool = |node: &Node<'_>| {
        let tools = node.get("tools").into_iter().flat_map(Node::elements);
        tools.filter_map(|one| one.get("name").and_then(Node::text)).any(|name| name == tool)
    };
    let is_it = |node: &Node<'_>| match server {
        Some(server) => text(*node, ["id", "name"]).as_deref() == Some(server),
        None => has_tool(node),
    };
    let found = servers.elements().find(is_it).and_then(|node| text(node, ["base_url", "url"]));
    let refuse =
        |message: String| Failure::output(vec![rules::URL.at_pointer(Pointer::root(), message)]);
    let Some(base) = found else {
        return Err(refuse(format!("the registry knows no server for {}", quoted(tool))));
    };
    let url = format!("{}/tools/{}", base.trim_end_matches('/'), percent_encoded(tool));
    url::check_http(&url).map_err(|error| refuse(error.about(&url)))?;
    Ok(Request {
        method: "POST".to_owned(),
        url: url.into(),
        headers: vec![("Content-Type".to_owned(), "application/json".into())],
        body: Some(format!("{{\"arguments\":{arguments}}}")),
    })
}
