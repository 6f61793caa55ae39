//! Lifts documents to descriptors.

use std::sync::Arc;

use manifest_core::descriptor::{
    Auth, Channel, Command, CommandInput, EnvVar, Filesystem, Invocation, Kind, Network, Origin,
    Package, Permissions, RegistryTool, Sandbox, Trust,
};
use manifest_core::format::Reader;
use manifest_core::json::{Node, Number};
use manifest_core::{LiftedDocument, Sourced, Text, ToolDescriptor, table};

use crate::table::{
    A2A, CATALOG, COMMAND, EXECUTION, IMPLEMENTATION, INTERFACES, MANIFEST, MCP, ORIGIN,
    PERMISSIONS, PYTHON, RESOURCES, RUNTIME, SECRET,
};
use crate::{check, grammar};

pub(super) fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let root = reader.root();
    if !check::is_catalog(root) {
        return LiftedDocument { tools: vec![lift(reader, root)], ..LiftedDocument::default() };
    }
    let [_version, capabilities] = table::member_values(root, &CATALOG);
    let entries = capabilities.into_iter().flat_map(Node::elements);
    let tools = entries.map(|entry| lift(reader, entry)).collect();
    LiftedDocument { tools, is_list: true, ..LiftedDocument::default() }
}

fn lift<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let [
        id,
        kind,
        version,
        description,
        origin,
        interfaces,
        permissions,
        runtime,
        trust_level,
        enabled,
        requires_oauth,
        execution,
        secrets,
        implementation,
    ] = table::member_values(node, &MANIFEST);
    let [inputs, outputs] = table::member_values_if_any(interfaces, &INTERFACES);
    let [sandbox, resources, timeout] = table::member_values_if_any(runtime, &RUNTIME);
    let [channel] = table::member_values_if_any(execution, &EXECUTION);
    let at = Some(reader.place(node));
    ToolDescriptor {
        at,
        id: reader.required_text(id),
        name: None,
        title: None,
        kind: reader.word(kind, lift_kind),
        summary: None,
        description: reader.text(description),
        input_schema: reader.raw(inputs),
        output_schema: reader.raw(outputs),
        output_format: None,
        error_envelope: None,
        examples: Vec::new(),
        example_files: Vec::new(),
        test_files: Vec::new(),
        invocation: lift_implementation(reader, implementation),
        implementations: Vec::new(),
        chain: Vec::new(),
        timeout_ms: lift_timeout(reader, timeout),
        auth: lift_oauth(reader, requires_oauth),
        permissions: lift_permissions(reader, permissions),
        scopes_used: Vec::new(),
        sandbox: lift_sandbox(reader, sandbox, resources),
        side_effects: None,
        idempotent: None,
        requires_approval: None,
        origin: lift_origin(reader, origin),
        trust: reader.word(trust_level, Trust::from_word),
        enabled: reader.boolean(enabled),
        channel: reader.word(channel, Channel::from_word),
        package: Arc::new(Package {
            at,
            version: reader.text(version),
            env: lift_secrets(reader, secrets),
            ..Package::default()
        }),
    }
}

fn lift_kind(word: &str) -> Option<Kind> {
    match word {
        "tool" => Some(Kind::Tool),
        "mcp_server" => Some(Kind::McpServer),
        "skill_pack" => Some(Kind::SkillPack),
        "a2a_peer" => Some(Kind::A2aPeer),
        "agent_workflow" => Some(Kind::Workflow),
        _ => None,
    }
}

fn lift_origin<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Origin<'a> {
    let [source, digest, signature, url, path] = table::member_values_if_any(node, &ORIGIN);
    Origin {
        source: reader.text(source),
        url: reader.text(url),
        path: reader.text(path),
        digest: lift_digest(reader, digest),
        signature: reader.text(signature),
    }
}

/// Lifts a digest in its normal form.
fn lift_digest<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Option<Sourced<Text<'a>>> {
    let node = node?;
    let text = node.text()?;
    let normal = grammar::normalize_digest(&text)?;
    if normal == text {
        return reader.text(Some(node));
    }
    Some(reader.derived(node, Text::Owned(normal.into_owned())))
}

fn lift_permissions<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Permissions<'a> {
    let [network, filesystem, devices, hosts] = table::member_values_if_any(node, &PERMISSIONS);
    Permissions {
        network: reader.word(network, Network::from_word),
        hosts: reader.texts(hosts),
        filesystem: reader.word(filesystem, Filesystem::from_word),
        devices: reader.texts(devices),
    }
}

fn lift_sandbox<'a>(
    reader: &mut Reader<'a>,
    kind: Option<Node<'a>>,
    resources: Option<Node<'a>>,
) -> Sandbox<'a> {
    let [cpu, memory] = table::member_values_if_any(resources, &RESOURCES);
    Sandbox { kind: reader.text(kind), cpu: reader.text(cpu), memory: reader.text(memory) }
}

/// Returns `None` for zero, which means the host's default.
fn lift_timeout<'a>(
    reader: &mut Reader<'a>,
    node: Option<Node<'a>>,
) -> Option<Sourced<Number<'a>>> {
    let node = node?;
    let seconds = node.number()?;
    let milliseconds = seconds.shift(3);
    // A number that cannot be shifted exactly stays as it is.
    if !seconds.is_positive() || milliseconds == seconds {
        return None;
    }
    Some(reader.derived(node, milliseconds))
}

/// Does not lift `false`. It means no more than absence, because calls may still need a
/// key.
fn lift_oauth<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Auth<'a> {
    let mut auth = Auth::default();
    if let Some(node) = node
        && node.bool() == Some(true)
    {
        auth.scheme = Some(reader.derived(node, Text::Borrowed(grammar::OAUTH)));
    }
    auth
}

fn lift_secrets<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Vec<EnvVar<'a>> {
    let mut secrets = Vec::new();
    for entry in node.into_iter().flat_map(Node::elements) {
        let [name, reference] = table::member_values(entry, &SECRET);
        secrets.push(EnvVar {
            name: reader.required_text(name),
            prompt: None,
            // The runtime must resolve every entry, so each is secret and required.
            secret: Some(true.into()),
            required: Some(true.into()),
            pattern: None,
            default: None,
            obtain_url: None,
            reference: reader.text(reference),
        });
    }
    secrets
}

/// Lifts the block for the kind. Other blocks are never used, and a kind without its block
/// declares no call.
fn lift_implementation<'a>(
    reader: &mut Reader<'a>,
    node: Option<Node<'a>>,
) -> Option<Sourced<Invocation<'a>>> {
    let [kind, command, python, mcp, a2a] = table::member_values(node?, &IMPLEMENTATION);
    let call = match kind?.text()?.as_ref() {
        "command" => {
            let [argv] = table::member_values(command?, &COMMAND);
            let argv = reader.texts(argv);
            if argv.is_empty() {
                return None;
            }
            Invocation::Command(Command {
                argv: argv.into(),
                cwd: None,
                input: CommandInput::Extra,
            })
        }
        "python" => {
            let [callable] = table::member_values(python?, &PYTHON);
            Invocation::Python(reader.text(callable)?)
        }
        "mcp_tool" => {
            let [registry, tool, server] = table::member_values(mcp?, &MCP);
            // Without a tool name there is no call, so nothing of the block is lifted.
            tool?.text()?;
            Invocation::RegistryTool(RegistryTool {
                registry: reader.text(registry)?,
                tool: reader.text(tool)?,
                server: reader.text(server),
            })
        }
        "a2a_rpc" => {
            let [endpoint] = table::member_values(a2a?, &A2A);
            Invocation::A2a(reader.text(endpoint)?)
        }
        _ => return None,
    };
    Some(reader.derived(kind?, call))
}
