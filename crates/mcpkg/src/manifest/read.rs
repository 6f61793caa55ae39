//! Reads a manifest into the typed document. The checks report errors.

use manifest_core::json::{Document, Node, Raw};
use manifest_core::read::{self, Extras, UnknownMembers, string_elements};
use manifest_core::{Profile, Report, Text, table};

use super::{Auth, ConfigHints, Endpoint, Implementation, Manifest, Meta, Publisher, Step};
use crate::table::{AUTH, CONFIG_HINTS, IMPLEMENTATION, MANIFEST, META, PUBLISHER, STEP};

impl<'a> Manifest<'a> {
    /// Reads a document. Invalid values are absent from the result;
    /// [`validate`](crate::validate) reports them.
    pub fn read(document: &'a Document<'a>) -> Self {
        manifest(document.root())
    }

    /// Reads a manifest inside of another document.
    #[cfg(feature = "select")]
    pub(crate) fn of_node(node: Node<'a>) -> Self {
        manifest(node)
    }
}

fn manifest(node: Node<'_>) -> Manifest<'_> {
    let [
        tool_id,
        name,
        version,
        description,
        capabilities,
        endpoint_node,
        // The same member in 0.2.
        _,
        implementations,
        chain,
        input,
        output,
        auth_node,
        tests,
        examples,
        meta_node,
    ] = table::member_values(node, &MANIFEST);
    Manifest {
        tool_id: text(tool_id),
        name: text(name),
        version: text(version),
        description: text(description),
        capabilities: texts(capabilities),
        endpoint: object(endpoint_node).map(endpoint),
        implementations: list(implementations, implementation),
        chain: list(chain, Step::read),
        input_schema: input.map(Raw::from_node),
        output_schema: output.map(Raw::from_node),
        auth: object(auth_node).map(auth),
        tests: texts(tests),
        examples: texts(examples),
        meta: object(meta_node).map(meta),
        extras: table::unknown_members(node, &MANIFEST),
    }
}

/// Returns the node if it is an object.
fn object(node: Option<Node<'_>>) -> Option<Node<'_>> {
    node.filter(|node| node.is_object())
}

fn text(node: Option<Node<'_>>) -> Text<'_> {
    node.and_then(Node::text).unwrap_or_default()
}

fn texts(node: Option<Node<'_>>) -> Vec<Text<'_>> {
    string_elements(node).filter_map(Node::text).collect()
}

/// Reads the objects of a list. Returns an empty list if one element is not an object, so
/// that positions match those in the document.
fn list<'a, T>(node: Option<Node<'a>>, read: impl Fn(Node<'a>) -> T) -> Vec<T> {
    let elements = node.into_iter().flat_map(Node::elements);
    let all = elements.map(|element| object(Some(element)).map(&read));
    all.collect::<Option<_>>().unwrap_or_default()
}

/// Reads the members of all kinds of endpoint. The table has those of each kind.
fn endpoint(node: Node<'_>) -> Endpoint<'_> {
    let names = ["type", "method", "url", "command", "timeoutMs"];
    let mut unread = Report::new(Profile::Spec, 0);
    let ([kind, method, url, command, timeout], extras) =
        read::split_members(node, names, UnknownMembers::Allow, &mut unread).unwrap_or_default();
    Endpoint {
        kind: text(kind),
        method: method.and_then(Node::text),
        url: url.and_then(Node::text),
        command: command.and_then(Node::text),
        timeout_ms: timeout.and_then(Node::number),
        extras,
    }
}

fn implementation(node: Node<'_>) -> Implementation<'_> {
    let [id, language, runtime, platforms, endpoint_node, requirements] =
        table::member_values(node, &IMPLEMENTATION);
    Implementation {
        id: id.and_then(Node::text),
        language: language.and_then(Node::text),
        runtime: runtime.and_then(Node::text),
        platforms: texts(platforms),
        endpoint: object(endpoint_node).map(endpoint),
        requirements: requirements.map(Raw::from_node),
        extras: table::unknown_members(node, &IMPLEMENTATION),
    }
}

impl<'a> Step<'a> {
    pub(crate) fn read(node: Node<'a>) -> Self {
        let [step, tool, mapping, output_key] = table::member_values(node, &STEP);
        let mapping = mapping.into_iter().flat_map(Node::members);
        let texts = mapping.filter_map(|member| Some((member.name(), member.value.text()?)));
        Self {
            step: step.and_then(Node::text),
            tool: text(tool),
            input_mapping: texts.collect(),
            output_key: output_key.and_then(Node::text),
            extras: table::unknown_members(node, &STEP),
        }
    }
}

fn auth(node: Node<'_>) -> Auth<'_> {
    let [kind, scopes, hints] = table::member_values(node, &AUTH);
    Auth {
        kind: kind.and_then(Node::text),
        scopes: texts(scopes),
        config_hints: object(hints).map(config_hints),
        extras: table::unknown_members(node, &AUTH),
    }
}

/// Hints are free in form, so a hint of an unexpected type becomes one of the `extras`.
fn config_hints(node: Node<'_>) -> ConfigHints<'_> {
    let [env, docs_url] = table::member_values(node, &CONFIG_HINTS);
    let is_list = |node: &Node<'_>| node.is_array() && node.elements().all(|e| e.text().is_some());
    let Extras(mut extras) = table::unknown_members(node, &CONFIG_HINTS);
    for (name, odd) in [
        ("env", env.filter(|node| !is_list(node))),
        ("docsUrl", docs_url.filter(|node| node.text().is_none())),
    ] {
        extras.extend(odd.map(|node| (Text::Borrowed(name), Raw::from_node(node))));
    }
    ConfigHints { env: texts(env), docs_url: docs_url.and_then(Node::text), extras: Extras(extras) }
}

fn meta(node: Node<'_>) -> Meta<'_> {
    let [publisher_node, license, homepage, tags] = table::member_values(node, &META);
    Meta {
        publisher: object(publisher_node).map(publisher),
        license: license.and_then(Node::text),
        homepage: homepage.and_then(Node::text),
        tags: texts(tags),
        extras: table::unknown_members(node, &META),
    }
}

fn publisher(node: Node<'_>) -> Publisher<'_> {
    let [id, name, website] = table::member_values(node, &PUBLISHER);
    Publisher {
        id: id.and_then(Node::text),
        name: name.and_then(Node::text),
        website: website.and_then(Node::text),
        extras: table::unknown_members(node, &PUBLISHER),
    }
}
