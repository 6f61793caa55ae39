//! Registries: they map the name of a tool to its server.

use diagnostic::{Pointer, Rule, quoted};
use json_text::{Document, Node, Text};
use manifest_core::{Limits, url};

use crate::judge::Failure;
use crate::outcome::Answer;
use crate::step::Request;
use crate::{allow_list, rules};
use manifest_core::percent::encode_segment;

/// Returns the request of a call, on the given server or, if it is `None`, on the first
/// server that lists the tool. Fails if the manifest does not allow its URL.
pub(crate) fn call_request(
    registry: &Answer,
    (server, tool): (Option<&str>, &str),
    arguments: &str,
    reach: Option<&[String]>,
    limits: &Limits,
) -> Result<Request, Failure> {
    // An answer that is not text is no registry.
    let text = registry.text().unwrap_or_default();
    let document = Document::parse(text.as_bytes(), limits)?;
    let Some(base) = find_server(document.root(), server, tool) else {
        let message = format!("the registry knows no server for {}", quoted(tool));
        return Err(refuse(&rules::URL, message));
    };
    let url = format!("{}/tools/{}", base.trim_end_matches('/'), encode_segment(tool));
    if let Err(error) = url::check_http(&url) {
        return Err(refuse(&rules::URL, error.message_for(&url)));
    }
    allow_list::check_destination(reach, &url).map_err(|why| refuse(&rules::NETWORK, why))?;
    Ok(Request {
        method: "POST".to_owned(),
        url: url.into(),
        headers: vec![("Content-Type".to_owned(), "application/json".into())],
        body: Some(format!("{{\"arguments\":{arguments}}}").into()),
    })
}

/// Returns the URL of the first server that is meant, if that server has one.
fn find_server<'n>(root: Node<'n>, server: Option<&str>, tool: &str) -> Option<Text<'n>> {
    let servers = root.get("servers").unwrap_or(root);
    for node in servers.elements() {
        let found = match server {
            Some(server) => first_text(node, ["id", "name"]).as_deref() == Some(server),
            None => has_tool(node, tool),
        };
        if found {
            return first_text(node, ["base_url", "url"]);
        }
    }
    None
}

fn has_tool(server: Node<'_>, name: &str) -> bool {
    let Some(tools) = server.get("tools") else { return false };
    tools.elements().any(|tool| tool.get("name").and_then(Node::text).as_deref() == Some(name))
}

/// Returns the first of these members that is a text.
fn first_text<'n>(node: Node<'n>, names: [&str; 2]) -> Option<Text<'n>> {
    names.iter().find_map(|name| node.get(name)?.text())
}

fn refuse(rule: &'static Rule, message: String) -> Failure {
    rule.at_pointer(Pointer::root(), message).into()
}
