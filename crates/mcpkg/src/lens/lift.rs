//! Lifts a manifest to a descriptor.

use std::sync::Arc;

use manifest_core::descriptor::{
    Auth, Body, EnvVar, Http, Implementation, Invocation, Package, Publisher, Step,
};
use manifest_core::format::Reader;
use manifest_core::json::{Node, Number};
use manifest_core::table::{member_values, member_values_if_any};
use manifest_core::{KeyedList, LiftedDocument, Sourced, ToolDescriptor};

use crate::table::{
    AUTH, CONFIG_HINTS, ENDPOINT_HTTP, ENDPOINT_LOCAL, IMPLEMENTATION, MANIFEST, META, PUBLISHER,
    STEP,
};

pub(super) fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let root = reader.root();
    LiftedDocument { tools: vec![lift(reader, root)], ..LiftedDocument::default() }
}

fn lift<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let [
        tool_id,
        name,
        version,
        description,
        capabilities,
        endpoint,
        // The same member in 0.2.
        _,
        implementations,
        chain,
        input,
        output,
        auth,
        tests,
        examples,
        meta,
    ] = member_values(node, &MANIFEST);
    let at = Some(reader.place(node));
    let Endpoint { call, timeout_ms } = lift_endpoint(reader, endpoint);
    let (auth, env) = lift_auth(reader, auth);
    let package = Package {
        version: reader.text(version),
        tags: reader.texts(capabilities),
        env,
        ..lift_meta(reader, meta)
    };
    ToolDescriptor {
        at,
        id: reader.required_text(tool_id),
        name: None,
        title: reader.text(name),
        kind: None,
        summary: None,
        description: reader.text(description),
        input_schema: reader.raw(input),
        output_schema: reader.raw(output),
        output_format: None,
        error_envelope: None,
        examples: Vec::new(),
        example_files: reader.texts(examples),
        test_files: reader.texts(tests),
        invocation: call,
        implementations: elements(implementations)
            .map(|node| lift_implementation(reader, node))
            .collect(),
        chain: elements(chain).map(|node| lift_step(reader, node)).collect(),
        timeout_ms,
        auth,
        permissions: <_>::default(),
        scopes_used: Vec::new(),
        sandbox: <_>::default(),
        side_effects: None,
        idempotent: None,
        requires_approval: None,
        origin: <_>::default(),
        trust: None,
        enabled: None,
        channel: None,
        package: Arc::new(Package { at, ..package }),
    }
}

fn elements(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    list.into_iter().flat_map(Node::elements)
}

/// The members of an endpoint, lifted.
#[derive(Default)]
struct Endpoint<'a> {
    /// The place is that of `type`.
    call: Option<Sourced<Invocation<'a>>>,
    timeout_ms: Option<Sourced<Number<'a>>>,
}

/// Lifts an endpoint, and ignores members that belong to the other type.
fn lift_endpoint<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Endpoint<'a> {
    let Some(node) = node else { return Endpoint::default() };
    let kind = node.get("type");
    let (invocation, timeout) = match kind.and_then(Node::text).as_deref() {
        Some("http") => {
            let [method, url, timeout] = member_values(node, &ENDPOINT_HTTP);
            let http = Http {
                method: reader.required_text(method),
                url: reader.required_text(url),
                path: None,
                headers: KeyedList::default(),
                body: Body::Whole,
            };
            (Invocation::Http(http), timeout)
        }
        Some("local") => {
            let [command, timeout] = member_values(node, &ENDPOINT_LOCAL);
            (Invocation::CommandLine(reader.required_text(command)), timeout)
        }
        _ => return Endpoint::default(),
    };
    Endpoint {
        call: reader.text(kind).map(|kind| kind.map(|_| invocation)),
        timeout_ms: reader.number(timeout),
    }
}

fn lift_implementation<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Implementation<'a> {
    let [id, language, runtime, platforms, endpoint, requirements] =
        member_values(node, &IMPLEMENTATION);
    let Endpoint { call, timeout_ms } = lift_endpoint(reader, endpoint);
    Implementation {
        id: reader.text(id),
        language: reader.text(language),
        runtime: reader.text(runtime),
        platforms: reader.texts(platforms),
        requirements: reader.raw(requirements),
        invocation: call,
        timeout_ms,
    }
}

fn lift_step<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Step<'a> {
    let [step, tool, mapping, output_key] = member_values(node, &STEP);
    let mut input_mapping = Vec::new();
    for member in mapping.into_iter().flat_map(Node::members) {
        if let Some(path) = reader.text(Some(member.value)) {
            input_mapping.push((member.name(), path));
        }
    }
    Step {
        step: reader.text(step),
        tool: reader.required_text(tool),
        input_mapping: input_mapping.into_iter().collect(),
        output_key: reader.text(output_key),
    }
}

/// Lifts the authentication and its variables. It is unknown if they are secret, because
/// the specification has no member for that.
fn lift_auth<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> (Auth<'a>, Vec<EnvVar<'a>>) {
    let Some(node) = node else { return <_>::default() };
    let [kind, scopes, hints] = member_values(node, &AUTH);
    let [env, docs_url] = member_values_if_any(hints, &CONFIG_HINTS);
    let auth = Auth {
        scheme: reader.text(kind),
        scopes: reader.texts(scopes),
        docs_url: reader.text(docs_url),
    };
    (auth, lift_env(reader, env))
}

/// Lifts the variables in `env`. Hints are free in form, so anything but a list of strings
/// is ignored. A repeated name is one variable, and its places are a joint influence.
fn lift_env<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Vec<EnvVar<'a>> {
    let mut names = Vec::new();
    for element in elements(node) {
        let Some(name) = element.text() else { return Vec::new() };
        names.push((element, name));
    }
    let mut variables = Vec::new();
    for (element, _, by) in reader.deduplicate(names) {
        if let Some(name) = reader.text(Some(element)) {
            variables.push(EnvVar { name: name.with_influence(by), ..EnvVar::default() });
        }
    }
    variables
}

fn lift_meta<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Package<'a> {
    let Some(node) = node else { return Package::default() };
    let [publisher, license, homepage, tags] = member_values(node, &META);
    let [id, name, website] = member_values_if_any(publisher, &PUBLISHER);
    Package {
        labels: reader.texts(tags),
        publisher: Publisher {
            id: reader.text(id),
            name: reader.text(name),
            url: reader.text(website),
            email: None,
        },
        homepage: reader.text(homepage),
        license: reader.text(license),
        ..Package::default()
    }
}
