//! Lift and lower.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `id` | |
//! | `kind` | `type` | a chain is an `agent_workflow`; otherwise `tool` is assumed |
//! | `version` | `version` | |
//! | `description` | `description` | from the summary, the title or the id where there is none |
//! | `input_schema`, `output_schema` | `interfaces` | objects only, as written |
//! | `invocation` | `implementation` | a command, a Python function, an MCP tool, an A2A agent |
//! | `timeout_ms` | `runtime.timeout_seconds` | zero is no time-out |
//! | `sandbox` | `runtime.sandbox`, `runtime.resources` | |
//! | `permissions` | `permissions` | nothing, where the source does not say |
//! | `env` | `secrets` | those that are references into a secret store |
//! | `auth.scheme` | `requires_oauth` | `oauth2` only |
//! | `origin` | `origin` | the digest in lower case; zeros where there is none |
//! | `trust` | `trust_level` | untrusted, where the source does not say |
//! | `enabled` | `enabled` | |
//! | `channel` | `execution.channel` | |
//!
//! Several tools are a catalog; one tool is a manifest, unless it was in a list.

use std::collections::BTreeSet;

use manifest_core::convert::rules::COLLISION;
use manifest_core::descriptor::{
    self, Auth, CommandInput, EnvVar, Filesystem, Invocation, Kind, Network,
};
use manifest_core::json::{Document, Node, Number, Raw};
use manifest_core::{
    Defaults, Detected, Diagnostic, Format, Keyed, Lifted, Limits, Pointer, Row, Text,
    ToolDescriptor, quoted, secret, url, version,
};
use serde::Serialize;

use crate::manifest::{
    A2a, Channel, Command, Execution, Implementation, ImplementationKind, Interfaces, Manifest,
    Mcp, Origin, Permissions, Python, Resources, Runtime, Sandbox, Secret, Source, Type,
};
use crate::{check, grammar, rules};

const fn row(field: &'static str, member: &'static str, note: &'static str) -> Row {
    Row { field, member, note }
}

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "capability",
    mapping: &[
        row("/id", "/id", ""),
        row("/kind", "/type", "a chain is an `agent_workflow`; otherwise `tool` is assumed"),
        row("/version", "/version", ""),
        row(
            "/description",
            "/description",
            "from the summary, the title or the id where it is not",
        ),
        row("/input_schema", "/interfaces/inputs", "objects only, as written"),
        row("/output_schema", "/interfaces/outputs", "objects only, as written"),
        row("/invocation", "/implementation/kind", "the name of the block that follows"),
        row("/invocation/command/argv", "/implementation/command/argv", ""),
        row("/invocation/python/callable", "/implementation/python/callable", ""),
        row("/invocation/mcp_tool/url", "/implementation/mcp/registry_url", ""),
        row("/invocation/mcp_tool/tool", "/implementation/mcp/tool_name", ""),
        row("/invocation/mcp_tool/server", "/implementation/mcp/server_id", ""),
        row("/invocation/a2a/endpoint", "/implementation/a2a/endpoint", ""),
        row("/timeout_ms", "/runtime/timeout_seconds", "zero is no time-out"),
        row("/sandbox/kind", "/runtime/sandbox", ""),
        row("/sandbox/cpu", "/runtime/resources/cpu", ""),
        row("/sandbox/memory", "/runtime/resources/memory", ""),
        row("/permissions/network", "/permissions/network", ""),
        row("/permissions/hosts", "/permissions/network_allowlist", ""),
        row("/permissions/filesystem", "/permissions/filesystem", ""),
        row("/permissions/devices", "/permissions/devices", ""),
        row("/scopes", "/permissions/filesystem", "of files only: no scope says which hosts"),
        row("/env", "/secrets", "those that are references into a secret store"),
        row("/auth/scheme", "/requires_oauth", "`oauth2` only"),
        row("/origin/source", "/origin/source", ""),
        row("/origin/digest", "/origin/digest", "in lower case; zeros where there is none"),
        row("/origin/signature", "/origin/signature", ""),
        row("/origin/url", "/origin/url", ""),
        row("/origin/path", "/origin/path", ""),
        row("/trust", "/trust_level", "untrusted, where the source does not say"),
        row("/enabled", "/enabled", ""),
        row("/channel", "/execution/channel", ""),
    ],
    rules: rules::RULES,
    list: false,
    catalog: Some(manifest_core::Catalog {
        member: "capabilities",
        frame: ["{\"catalog_version\":\"catalog.v1\",\"capabilities\":[", "]}"],
        alone: true,
    }),
    identity: &["id", "name"],
    detect,
    validate: check::validate,
    read,
    write,
};

fn detect(root: Node<'_>) -> Option<Detected> {
    let found = |evidence| Some(Detected { version: Some("0.1".to_owned()), evidence });
    let is_manifest = |node: Node<'_>| {
        let members = ["trust_level", "origin", "interfaces"];
        members.iter().filter(|name| node.get(name).is_some()).count() >= 2
    };
    if is_manifest(root) {
        return found(vec!["`trust_level`, `origin` and `interfaces` are there"]);
    }
    let entries = root.get("capabilities").filter(|list| list.is_array());
    let versioned = root.get("catalog_version").and_then(Node::text);
    if versioned.is_some_and(|version| version.starts_with("catalog.")) {
        return found(vec!["`catalog_version` is that of a catalog"]);
    }
    let mut entries = entries?.elements().peekable();
    (entries.peek().is_some() && entries.all(is_manifest)).then_some(())?;
    found(vec!["each element of `capabilities` is a manifest"])
}

fn read<'a>(document: &'a Document<'a>) -> Lifted<'a> {
    let root = document.root();
    if check::is_catalog(root) {
        let place = |index| Pointer::root().push("capabilities").push_index(index);
        let entries = root.get("capabilities").into_iter().flat_map(Node::elements).enumerate();
        let tools = entries.map(|(index, node)| lift(place(index), Manifest::read_node(node)));
        return Lifted { tools: tools.collect(), list: true, ..Lifted::default() };
    }
    Lifted { tools: vec![lift(Pointer::root(), Manifest::read_node(root))], ..Lifted::default() }
}

fn lift(source: Pointer, manifest: Manifest<'_>) -> ToolDescriptor<'_> {
    let Manifest {
        id,
        kind,
        version,
        description,
        origin,
        interfaces: Interfaces { inputs, outputs },
        permissions,
        runtime: Runtime { sandbox, resources: Resources { cpu, memory }, timeout_seconds },
        trust_level,
        enabled,
        requires_oauth,
        execution,
        secrets,
        implementation,
    } = manifest;
    let Permissions { network, filesystem, devices, network_allowlist } = permissions;
    let timeout_ms = timeout_seconds
        .filter(Number::is_positive)
        .map(|seconds| seconds.shift(3))
        .filter(|ms| ms.to_f64().is_some());
    ToolDescriptor {
        source,
        id,
        kind: Some(lift_kind(kind)),
        version: Some(version),
        description: Some(description),
        input_schema: Some(inputs),
        output_schema: Some(outputs),
        invocation: implementation.and_then(lift_implementation),
        timeout_ms,
        env: secrets.into_iter().map(lift_secret).collect(),
        auth: (requires_oauth == Some(true))
            .then(|| Auth { scheme: Some(Text::Borrowed(OAUTH)), ..Auth::default() }),
        permissions: Some(descriptor::Permissions {
            network: Some(network),
            hosts: network_allowlist,
            filesystem: Some(filesystem),
            devices,
        }),
        sandbox: Some(descriptor::Sandbox {
            kind: Some(Text::Borrowed(sandbox_word(sandbox))),
            cpu: Some(cpu),
            memory: Some(memory),
        }),
        origin: Some(lift_origin(origin)),
        trust: Some(trust_level),
        enabled,
        channel: execution.and_then(|execution| execution.channel).map(|channel| match channel {
            Channel::Programmatic => descriptor::Channel::Programmatic,
            Channel::VdiVpn => descriptor::Channel::VdiVpn,
        }),
        ..ToolDescriptor::default()
    }
}

/// The scheme that `requires_oauth` stands for.
const OAUTH: &str = "oauth2";

const fn lift_kind(kind: Type) -> Kind {
    match kind {
        Type::Tool => Kind::Tool,
        Type::McpServer => Kind::McpServer,
        Type::SkillPack => Kind::SkillPack,
        Type::A2aPeer => Kind::A2aPeer,
        Type::AgentWorkflow => Kind::Workflow,
    }
}

const fn sandbox_word(sandbox: Sandbox) -> &'static str {
    match sandbox {
        Sandbox::Process => "process",
        Sandbox::Container => "container",
    }
}

fn lift_secret(secret: Secret<'_>) -> (Text<'_>, EnvVar<'_>) {
    let Secret { name, reference } = secret;
    (name, EnvVar { secret: Some(true), reference: Some(reference), ..EnvVar::default() })
}

fn lift_origin(origin: Origin<'_>) -> descriptor::Origin<'_> {
    let Origin { source, digest, signature, url, path } = origin;
    let source = match source {
        Source::Url => "url",
        Source::Local => "local",
    };
    descriptor::Origin {
        source: Some(Text::Borrowed(source)),
        url,
        path,
        digest: grammar::digest(&digest),
        signature,
    }
}

/// What the block of the kind says. Other blocks are never used.
fn lift_implementation(implementation: Implementation<'_>) -> Option<Invocation<'_>> {
    let Implementation { kind, command, python, mcp, a2a } = implementation;
    Some(match kind {
        ImplementationKind::Command => {
            let Command { argv } = command?;
            // The specification does not say how arguments reach the program.
            Invocation::Command { argv, cwd: None, input: CommandInput::Unstated }
        }
        ImplementationKind::Python => Invocation::Python { callable: python?.callable },
        ImplementationKind::McpTool => {
            let Mcp { registry_url, tool_name, server_id } = mcp?;
            Invocation::McpTool {
                tool: tool_name,
                argv: Vec::new(),
                url: Some(registry_url),
                server: server_id,
            }
        }
        ImplementationKind::A2aRpc => Invocation::A2a { endpoint: a2a?.endpoint },
    })
}

#[derive(Serialize)]
struct Catalog<'a> {
    catalog_version: &'static str,
    capabilities: Vec<Manifest<'a>>,
}

fn write(lifted: &Lifted<'_>, defaults: &Defaults) -> Result<String, Diagnostic> {
    let manifests: Result<Vec<_>, _> =
        lifted.tools.iter().map(|tool| lower(tool, defaults)).collect();
    let mut manifests = manifests?;
    let mut ids = BTreeSet::new();
    for (tool, manifest) in lifted.tools.iter().zip(&manifests) {
        if !ids.insert(manifest.id.clone()) {
            let message = format!("two tools would have the id {}", quoted(&manifest.id));
            return Err(COLLISION.at_pointer(tool.source.clone(), message));
        }
    }
    let single = if manifests.len() == 1 && !lifted.list { manifests.pop() } else { None };
    // Strings, numbers and JSON values: serialising them cannot fail.
    Ok(match single {
        Some(one) => serde_json::to_string(&one),
        None => serde_json::to_string(&Catalog {
            catalog_version: "catalog.v1",
            capabilities: manifests,
        }),
    }
    .unwrap_or_default())
}

fn lower<'a>(
    tool: &'a ToolDescriptor<'_>,
    defaults: &'a Defaults,
) -> Result<Manifest<'a>, Diagnostic> {
    let ToolDescriptor {
        source,
        id,
        name,
        title,
        kind,
        version,
        summary,
        description,
        input_schema,
        output_schema,
        invocation,
        chain,
        timeout_ms,
        env,
        auth,
        permissions,
        scopes,
        sandbox,
        origin,
        trust,
        enabled,
        channel,
        // Which of several implementations fits is not known here.
        implementations: _,
        // No home here.
        package: _,
        tags: _,
        labels: _,
        publisher: _,
        homepage: _,
        license: _,
        support: _,
        output_format: _,
        error_envelope: _,
        examples: _,
        example_files: _,
        test_files: _,
        acquisition: _,
        side_effects: _,
        idempotent: _,
        requires_approval: _,
        smoke: _,
        verify: _,
        revocation: _,
        cost: _,
        data_boundary: _,
        extras: _,
    } = tool;
    let version = version.as_deref().unwrap_or(&defaults.version);
    if version::parse_exact(version).is_err() {
        let message =
            format!("{} is not a SemVer version, and a capability takes no other", quoted(version));
        return Err(rules::VERSION.at_pointer(source.clone(), message));
    }
    let texts = [description, summary, title, name];
    let said = texts.iter().find_map(|text| text.as_deref().filter(|text| !text.is_empty()));
    let oauth = auth.as_ref().and_then(|auth| auth.scheme.as_deref()) == Some(OAUTH);
    Ok(Manifest {
        id: Text::Borrowed(id),
        kind: lower_kind(*kind, !chain.is_empty()),
        version: Text::Borrowed(version),
        description: Text::Borrowed(said.unwrap_or(id)),
        origin: lower_origin(origin.as_ref()),
        interfaces: Interfaces {
            inputs: schema(input_schema.as_ref()),
            outputs: schema(output_schema.as_ref()),
        },
        permissions: match permissions {
            Some(permissions) => lower_permissions(permissions),
            None => Permissions { filesystem: files(scopes), ..Permissions::default() },
        },
        runtime: lower_runtime(sandbox.as_ref(), timeout_ms.as_ref()),
        trust_level: trust.unwrap_or_default(),
        enabled: *enabled,
        requires_oauth: oauth.then_some(true),
        execution: channel.map(|channel| Execution {
            channel: Some(match channel {
                descriptor::Channel::Programmatic => Channel::Programmatic,
                descriptor::Channel::VdiVpn => Channel::VdiVpn,
            }),
        }),
        secrets: lower_secrets(env),
        implementation: invocation.as_ref().and_then(lower_invocation),
    })
}

const fn lower_kind(kind: Option<Kind>, chain: bool) -> Type {
    match kind {
        Some(Kind::McpServer) => Type::McpServer,
        Some(Kind::SkillPack) => Type::SkillPack,
        Some(Kind::A2aPeer) => Type::A2aPeer,
        Some(Kind::Workflow) => Type::AgentWorkflow,
        // What calls others is a workflow, whatever its format calls it.
        None if chain => Type::AgentWorkflow,
        Some(Kind::Tool) | None => Type::Tool,
    }
}

/// A schema that this format takes, as written, or the widest for a call.
fn schema<'a>(schema: Option<&Raw<'a>>) -> Raw<'a> {
    let written = schema.filter(|schema| schema.as_str().starts_with('{'));
    written.cloned().unwrap_or_else(|| Raw::constant(r#"{"type":"object"}"#))
}

fn lower_origin<'a>(origin: Option<&'a descriptor::Origin<'_>>) -> Origin<'a> {
    let unpinned = Text::Borrowed(grammar::UNPINNED);
    let Some(descriptor::Origin { source, url, path, digest, signature }) = origin else {
        return Origin { digest: unpinned, ..Origin::default() };
    };
    let plain = |text: &&str| !text.chars().any(char::is_control);
    let fits = |text: &&str| url::check_http(text).is_ok();
    Origin {
        source: if source.as_deref() == Some("url") { Source::Url } else { Source::Local },
        digest: digest
            .as_ref()
            .and_then(|digest| grammar::digest(&borrow(digest)))
            .unwrap_or(unpinned),
        signature: signature.as_ref().map(|text| borrow(text)),
        url: url.as_deref().filter(fits).map(Text::Borrowed),
        path: path.as_deref().filter(plain).map(Text::Borrowed),
    }
}

/// What scopes say of files. They do not say which hosts they mean, and a list of none
/// allows nothing.
fn files(scopes: &Keyed<'_, descriptor::Scope<'_>>) -> Filesystem {
    let files = scopes.iter().filter(|(resource, _)| resource.starts_with("fs."));
    let verbs = files.flat_map(|(_, scope)| &scope.actions);
    let wanted =
        verbs.map(|verb| if verb == "read" { Filesystem::Read } else { Filesystem::Write });
    wanted.max().unwrap_or(Filesystem::None)
}

fn lower_permissions<'a>(permissions: &'a descriptor::Permissions<'_>) -> Permissions<'a> {
    let descriptor::Permissions { network, hosts, filesystem, devices } = permissions;
    let plain = |texts: &'a [Text<'_>]| -> Vec<Text<'a>> {
        let texts = texts.iter().filter(|text| !text.chars().any(char::is_control));
        texts.map(|text| borrow(text)).collect()
    };
    let hosts = plain(hosts);
    Permissions {
        // A list of none allows nothing.
        network: network.filter(|_| !hosts.is_empty()).unwrap_or(Network::Deny),
        filesystem: filesystem.unwrap_or(Filesystem::None),
        devices: plain(devices),
        network_allowlist: hosts,
    }
}

fn lower_runtime<'a>(
    sandbox: Option<&'a descriptor::Sandbox<'_>>,
    timeout_ms: Option<&'a Number<'_>>,
) -> Runtime<'a> {
    let seconds = timeout_ms.filter(|ms| ms.is_positive()).map(|ms| ms.shift(-3));
    let (kind, cpu, memory) = match sandbox {
        Some(descriptor::Sandbox { kind, cpu, memory }) => {
            (kind.as_deref(), cpu.as_deref(), memory.as_deref())
        }
        None => (None, None, None),
    };
    let limit = |text: Option<&'a str>| {
        Text::Borrowed(text.filter(|text| grammar::is_resource(text)).unwrap_or("default"))
    };
    Runtime {
        sandbox: if kind == Some("container") { Sandbox::Container } else { Sandbox::Process },
        resources: Resources { cpu: limit(cpu), memory: limit(memory) },
        timeout_seconds: seconds.filter(|seconds| seconds.to_f64().is_some()),
    }
}

/// Variables that say where their value is kept. Others are not secrets here, or
/// would need a reference that nobody gave.
fn lower_secrets<'a>(env: &'a Keyed<'_, EnvVar<'_>>) -> Vec<Secret<'a>> {
    let plain = |name: &str| !name.is_empty() && !name.chars().any(char::is_control);
    env.iter()
        .filter_map(|(name, variable)| Some((name, variable.reference.as_deref()?)))
        .filter(|(name, reference)| plain(name) && grammar::is_secret_reference(reference))
        .filter(|(name, reference)| secret::find_named(name, reference).is_none())
        .map(|(name, reference)| Secret { name: borrow(name), reference: borrow(reference) })
        .collect()
}

/// The implementation, when this format can express the call.
fn lower_invocation<'a>(invocation: &'a Invocation<'_>) -> Option<Implementation<'a>> {
    let plain = |text: &str| !text.is_empty() && !text.chars().any(char::is_control);
    match invocation {
        Invocation::Command { argv, cwd: _, input: _ } => {
            let program = argv.first().filter(|program| !program.chars().any(char::is_control));
            let short = argv.len() <= Limits::default().arguments;
            let fits = program.is_some() && short && !argv.iter().any(|text| text.contains('\0'));
            fits.then(|| Implementation {
                kind: ImplementationKind::Command,
                command: Some(Command { argv: argv.iter().map(|text| borrow(text)).collect() }),
                ..Implementation::default()
            })
        }
        Invocation::Python { callable } => grammar::is_callable(callable).then(|| Implementation {
            kind: ImplementationKind::Python,
            python: Some(Python { callable: borrow(callable) }),
            ..Implementation::default()
        }),
        // A server that is started by a command has no registry.
        Invocation::McpTool { tool, argv, url, server } => {
            let url = url.as_deref().filter(|url| url::check_http(url).is_ok())?;
            let server = server.as_deref();
            let named = server.is_none_or(|server| !server.chars().any(char::is_control));
            (argv.is_empty() && plain(tool) && named).then(|| Implementation {
                kind: ImplementationKind::McpTool,
                mcp: Some(Mcp {
                    registry_url: borrow(url),
                    tool_name: borrow(tool),
                    server_id: server.map(Text::Borrowed),
                }),
                ..Implementation::default()
            })
        }
        Invocation::A2a { endpoint } => url::check_http(endpoint).is_ok().then(|| Implementation {
            kind: ImplementationKind::A2aRpc,
            a2a: Some(A2a { endpoint: borrow(endpoint) }),
            ..Implementation::default()
        }),
        Invocation::CommandLine { .. } | Invocation::Http { .. } | Invocation::Node { .. } => None,
    }
}

fn borrow(text: &str) -> Text<'_> {
    Text::Borrowed(text)
}
