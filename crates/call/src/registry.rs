//! Registries: they map the name of a tool to its server.

use diagnostic::{Pointer, Rule, quoted};
use json_text::{Document, Node, Text};
use manifest_core::{Limits, url};

use crate::judge::Failure;
use crate::outcome::Answer;
use crate::step::Request;
use crate::template::percent_encode;
use crate::{allow_list, rules};

/// Returns the URL for a call, on `server` or, if it is `None`, on the first server that
/// lists the tool.
pub(crate) fn find_tool_url(
    registry: &Answer,
    server: Option<&str>,
    tool: &str,
    limits: &Limits,
) -> Result<String, Failure> {
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
    let Some(base) = found else {
        return Err(refuse(
            &rules::URL,
            format!("the registry knows no server for {}", quoted(tool)),
        ));
    };
    let url = format!("{}/tools/{}", base.trim_end_matches('/'), percent_encode(tool));
    match url::check_http(&url) {
        Ok(_) => Ok(url),
        Err(error) => Err(refuse(&rules::URL, error.message_for(&url))),
    }
}

/// Returns the request of the call. Fails if the manifest does not allow its URL.
pub(crate) fn call_request(
    url: String,
    arguments: &str,
    reach: Option<&[String]>,
) -> Result<Request, Failure> {
    allow_list::check_destination(reach, &url).map_err(|why| refuse(&rules::NETWORK, why))?;
    Ok(Request {
        method: "POST".to_owned(),
        url: url.into(),
        headers: vec![("Content-Type".to_owned(), "application/json".into())],
        body: Some(format!("{{\"arguments\":{arguments}}}").into()),
    })
}

fn refuse(rule: &'static Rule, message: String) -> Failure {
    Failure::output(vec![rule.at_pointer(Pointer::root(), message)])
}
