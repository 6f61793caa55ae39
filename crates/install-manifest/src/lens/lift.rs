//! Lifts manifests to descriptors.

use std::sync::Arc;

use manifest_core::descriptor::{
    Cost, EnvVar, ErrorEnvelope, Example, Kind, OutputFormat, Package, Publisher, Scope,
    SideEffects, Support,
};
use manifest_core::format::Reader;
use manifest_core::json::{Node, Raw};
use manifest_core::table;
use manifest_core::{LiftedDocument, Sourced, Text, ToolDescriptor};

use super::lift_call::{lift_call, lift_install};
use super::optional::{OptionalNode, elements, of};
use crate::table::{
    ACTION, AUTHOR, COST, ENTRYPOINT, ENV_VAR, EXAMPLE, MANIFEST, OUTPUT, RUNTIME, SCOPE, SUPPORT,
    TOOL,
};

/// The title, summary and description of a tool or a package.
type Texts<'a> = [Option<Sourced<Text<'a>>>; 3];

pub(super) fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let root = reader.root();
    // Descriptors have no field for the version of the document.
    let [_, tool, runtime, env, scopes, actions, verify, boundary, smoke, switch, cost, support] =
        table::member_values(root, &MANIFEST);
    let [namespace, id, version, name, summary, description, homepage, author, license, tags] =
        of(tool, &TOOL);
    let [kind, install, entrypoint, url] = of(runtime, &RUNTIME);
    let [command, cwd] = of(entrypoint, &ENTRYPOINT);
    let about = [name, summary, description].map(|node| reader.text(node));
    let (own, [title, summary, description]) = match elements(actions).next() {
        Some(_) => (None, about),
        None => (Some(about), [None, None, None]),
    };
    let package = Arc::new(Package {
        at: Some(reader.place(root)),
        id: reader.text(id),
        namespace: reader.text(namespace),
        title,
        summary,
        description,
        version: reader.text(version),
        tags: reader.texts(tags),
        labels: Vec::new(),
        publisher: lift_author(reader, author),
        homepage: reader.text(homepage),
        license: reader.text(license),
        support: lift_support(reader, support),
        acquisition: lift_install(reader, install),
        command: reader.texts(command).into(),
        cwd: reader.text(cwd),
        url: reader.text(url),
        env: elements(env).map(|variable| lift_variable(reader, variable)).collect(),
        scopes: elements(scopes).map(|scope| lift_scope(reader, scope)).collect(),
        smoke: reader.raw(smoke),
        verify: reader.raw(verify),
        revocation: reader.raw(switch),
        cost: lift_cost(reader, cost),
        data_boundary: reader.raw(boundary),
    });
    let tools = match own {
        Some(about) => vec![lift_without_actions(reader, about, kind, &package)],
        None => elements(actions).map(|node| lift_action(reader, node, &package)).collect(),
    };
    LiftedDocument { tools, ..LiftedDocument::default() }
}

fn lift_author<'a>(reader: &mut Reader<'a>, node: OptionalNode<'a>) -> Publisher<'a> {
    let [name, email, url] = of(node, &AUTHOR);
    Publisher {
        id: None,
        name: reader.text(name),
        url: reader.text(url),
        email: reader.text(email),
    }
}

fn lift_support<'a>(reader: &mut Reader<'a>, node: OptionalNode<'a>) -> Support<'a> {
    let [issues, security, docs] = of(node, &SUPPORT);
    Support {
        issues_url: reader.text(issues),
        security_email: reader.text(security),
        docs_url: reader.text(docs),
    }
}

fn lift_cost<'a>(reader: &mut Reader<'a>, node: OptionalNode<'a>) -> Cost<'a> {
    let [install, monthly, usage, estimate] = of(node, &COST);
    Cost {
        install_fee_cents: reader.number(install),
        monthly_fee_cents: reader.number(monthly),
        usage_model: reader.text(usage),
        estimate_url: reader.text(estimate),
        payment: None,
    }
}

fn lift_variable<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> EnvVar<'a> {
    // `prompt` has two rows in the table, because its maximum length depends on the
    // version.
    let [name, prompt, _, secret, required, pattern, default, obtain] =
        table::member_values(node, &ENV_VAR);
    EnvVar {
        name: reader.required_text(name),
        prompt: reader.text(prompt),
        secret: reader.boolean(secret),
        required: reader.boolean(required),
        pattern: reader.text(pattern),
        default: reader.text(default),
        obtain_url: reader.text(obtain),
        reference: None,
    }
}

fn lift_scope<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Scope<'a> {
    let [resource, actions, rationale, provider] = table::member_values(node, &SCOPE);
    Scope {
        resource: reader.required_text(resource),
        actions: reader.texts(actions),
        rationale: reader.text(rationale),
        provider_scope: reader.text(provider),
    }
}

/// Lifts a manifest without actions, in which the tool is the package.
fn lift_without_actions<'a>(
    reader: &mut Reader<'a>,
    [title, summary, description]: Texts<'a>,
    kind: OptionalNode<'a>,
    package: &Arc<Package<'a>>,
) -> ToolDescriptor<'a> {
    ToolDescriptor {
        at: package.at,
        // A document is also read before it is checked: the id is then empty.
        id: package.id.clone().unwrap_or_default(),
        title,
        // Descriptors do not distinguish the two kinds of MCP server.
        kind: match kind {
            Some(node) if node.text().is_some_and(|kind| kind.starts_with("mcp-")) => {
                Some(reader.derived(node, Kind::McpServer))
            }
            _ => None,
        },
        summary,
        description,
        // The start command of a server is not a call of a tool. The package contains it.
        invocation: None,
        name: None,
        input_schema: None,
        output_schema: None,
        output_format: None,
        error_envelope: None,
        examples: Vec::new(),
        example_files: Vec::new(),
        test_files: Vec::new(),
        implementations: Vec::new(),
        chain: Vec::new(),
        timeout_ms: None,
        auth: <_>::default(),
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
        package: Arc::clone(package),
    }
}

/// The schema of an action without `input`, which takes no arguments.
pub(super) const NO_INPUT: &str = r#"{"type":"object","additionalProperties":false}"#;

fn lift_action<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    package: &Arc<Package<'a>>,
) -> ToolDescriptor<'a> {
    // Descriptors have no field for `docs` and `runtime_telemetry`.
    let [
        name,
        summary,
        description,
        _,
        invocation,
        input,
        output,
        effects,
        idempotent,
        scopes,
        envelope,
        examples,
        _,
    ] = table::member_values(node, &ACTION);
    let [format, schema] = of(output, &OUTPUT);
    let id = reader.id_in_package(package.id.as_ref(), name);
    ToolDescriptor {
        at: Some(reader.place(node)),
        id,
        name: reader.text(name),
        title: None,
        kind: None,
        summary: reader.text(summary),
        description: reader.text(description),
        input_schema: reader.raw(input).or_else(|| Some(Raw::from_static(NO_INPUT).into())),
        output_schema: reader.raw(schema),
        output_format: reader.word(format, OutputFormat::from_word),
        error_envelope: reader.word(envelope, ErrorEnvelope::from_word),
        examples: elements(examples).map(|example| lift_example(reader, example)).collect(),
        example_files: Vec::new(),
        test_files: Vec::new(),
        invocation: lift_call(reader, invocation, package),
        implementations: Vec::new(),
        chain: Vec::new(),
        timeout_ms: None,
        auth: <_>::default(),
        permissions: <_>::default(),
        scopes_used: reader.texts(scopes),
        sandbox: <_>::default(),
        side_effects: reader.word(effects, SideEffects::from_word),
        idempotent: reader.boolean(idempotent),
        requires_approval: None,
        origin: <_>::default(),
        trust: None,
        enabled: None,
        channel: None,
        package: Arc::clone(package),
    }
}

fn lift_example<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Example<'a> {
    let [description, input, output] = table::member_values(node, &EXAMPLE);
    Example {
        description: reader.text(description),
        input: reader.raw(input),
        output: reader.raw(output),
    }
}
