//! A format of our own to convert from: it says what descriptors say, in few words.

use std::sync::Arc;

use manifest_core::descriptor::{
    Auth, Body, Command, CommandInput, EnvVar, Http, Invocation, Package, Publisher, Scope,
};
use manifest_core::format::{CallSupport, Cardinality, Contract, Reader, SafetyFeatures};
use manifest_core::json::Node;
use manifest_core::{Format, LiftedDocument, Sourced, Text, ToolDescriptor, ValidateOptions};

pub(crate) static SOURCE: Format = Format {
    name: "source",
    versions: &[],
    tables: &[],
    rules: &[],
    cardinality: Cardinality::Tool,
    catalog: None,
    keys: &["name"],
    safety_features: SafetyFeatures {
        disabled: true,
        approval: true,
        reach: true,
        payment: true,
        enforces_reach: false,
    },
    detect: |_| None,
    look_alike: |_| None,
    check: |_, _| ValidateOptions::default().new_report(),
    read,
    call_support: |_| CallSupport::Exact,
    undeclared_secrets: |_| Vec::new(),
    bridge_needs: "",
    host_needs: "",
    contract: |_| Contract {
        extra_arguments: "",
        examples: "",
        fills_defaults: true,
        keeps_timeout: false,
        environment: "",
        directory: "",
        timeout: "",
        result: "",
        failure: "a status other than 2xx",
        host_rules: manifest_core::format::HostRules::PLAIN,
    },
    file_name: |_| "source".to_owned(),
    write_document: |_, _| Ok(()),
    write_tool: |_, _| Ok(()),
};

fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let root = reader.root();
    let get = |name: &str| root.get(name);
    let package = get("package");
    let of_package = |name: &str| package.and_then(|package| package.get(name));
    let publisher = |name: &str| of_package("publisher").and_then(|found| found.get(name));
    let package = Package {
        id: reader.text(of_package("id")),
        namespace: reader.text(of_package("namespace")),
        title: reader.text(of_package("title")),
        summary: reader.text(of_package("summary")),
        version: reader.text(get("version")),
        tags: reader.texts(get("tags")),
        publisher: Publisher {
            id: reader.text(publisher("id")),
            name: reader.text(publisher("name")),
            url: reader.text(publisher("url")),
            email: reader.text(publisher("email")),
        },
        homepage: reader.text(of_package("homepage")),
        env: elements(get("env")).map(|node| variable(reader, node)).collect(),
        scopes: elements(get("scopes")).map(|node| scope(reader, node)).collect(),
        ..Package::default()
    };
    let tool = ToolDescriptor {
        at: Some(reader.place(root)),
        id: id(reader, get("id"), package.id.as_deref()),
        name: reader.text(get("name")),
        title: reader.text(get("title")),
        summary: reader.text(get("summary")),
        description: reader.text(get("description")),
        input_schema: reader.raw(get("input")),
        output_schema: reader.raw(get("output")),
        invocation: get("call").and_then(|node| call(reader, node)),
        timeout_ms: reader.number(get("timeoutMs")),
        auth: Auth { scheme: reader.text(get("scheme")), ..Auth::default() },
        package: Arc::new(package),
        ..ToolDescriptor::default()
    };
    LiftedDocument { tools: vec![tool], ..LiftedDocument::default() }
}

/// The id of a tool: that of its package is part of it.
fn id<'a>(
    reader: &mut Reader<'a>,
    node: Option<Node<'a>>,
    package: Option<&Text<'a>>,
) -> Sourced<Text<'a>> {
    let own = reader.text(node).unwrap_or_default();
    match (node, package) {
        (Some(node), Some(package)) => {
            reader.derived(node, Text::Owned(format!("{package}.{}", own.value)))
        }
        _ => own,
    }
}

fn elements(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    list.into_iter().flat_map(Node::elements)
}

fn variable<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> EnvVar<'a> {
    EnvVar {
        name: reader.text(node.get("name")).unwrap_or_default(),
        secret: reader.boolean(node.get("secret")),
        default: reader.text(node.get("default")),
        ..EnvVar::default()
    }
}

fn scope<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Scope<'a> {
    Scope { provider_scope: reader.text(Some(node)), ..Scope::default() }
}

fn call<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Sourced<Invocation<'a>>> {
    let kind = reader.text(node.get("kind"))?;
    let call = if kind.value == "http" {
        let headers = node.get("headers").into_iter().flat_map(Node::members);
        let headers = headers
            .filter_map(|member| Some((member.name(), reader.text(Some(member.value))?)))
            .collect();
        Invocation::Http(Http {
            method: reader.text(node.get("method")).unwrap_or_default(),
            url: reader.text(node.get("url")).unwrap_or_default(),
            path: reader.text(node.get("path")),
            headers,
            body: Body::Rest,
        })
    } else {
        Invocation::Command(Command {
            argv: reader.texts(node.get("argv")).into(),
            cwd: reader.text(node.get("cwd")),
            input: match kind.value.as_ref() {
                "argument" => CommandInput::Argument,
                _ => CommandInput::Stdin,
            },
        })
    };
    Some(kind.map(|_| call))
}
