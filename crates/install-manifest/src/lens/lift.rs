//! From manifests to descriptors.

use manifest_core::descriptor::{self, Acquisition, CommandInput, Kind, Package, Publisher};
use manifest_core::json::{Document, Node, Raw};
use manifest_core::{Keyed, Lifted, Pointer, Text, ToolDescriptor};

use crate::manifest::{
    Action, Author, EnvVar, Install, Invocation, Manifest, Scope, Support, Tool,
};
use crate::words::{Layout, RuntimeKind};

/// One manifest, or a list of them.
pub(super) fn read<'a>(document: &'a Document<'a>) -> Lifted<'a> {
    let root = document.root();
    if root.is_array() {
        let manifests = root.elements().enumerate();
        let tools = manifests.flat_map(|(i, node)| manifest(Pointer::root().push_index(i), node));
        return Lifted { tools: tools.collect(), list: true, ..Lifted::default() };
    }
    Lifted { tools: manifest(Pointer::root(), root), ..Lifted::default() }
}

fn manifest(base: Pointer, node: Node<'_>) -> Vec<ToolDescriptor<'_>> {
    let Some(manifest) = Manifest::read_node(node) else { return Vec::new() };
    let shared = shared(&manifest, node);
    if manifest.actions.is_empty() {
        return vec![whole(base, &manifest, shared)];
    }
    let list = base.push("actions");
    let actions = manifest.actions.iter().enumerate();
    actions
        .map(|(index, one)| action(list.clone().push_index(index), one, &manifest, shared.clone()))
        .collect()
}

/// What a manifest says of all its actions.
fn shared<'a>(manifest: &Manifest<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let Tool {
        namespace,
        id,
        version,
        name,
        summary,
        description,
        homepage,
        author,
        license,
        tags,
    } = manifest.tool.clone();
    let raw = |name: &str| node.get(name).map(Raw::from_node);
    let runtime = &manifest.runtime;
    let locator = || node.get("runtime")?.get("install")?.get("locator").map(Raw::from_node);
    ToolDescriptor {
        package: Some(Package {
            id,
            namespace,
            title: Some(name),
            summary: Some(summary),
            description,
            argv: runtime.entrypoint.as_ref().map(|e| e.command.clone()).unwrap_or_default(),
            url: runtime.endpoint_url.clone(),
            cwd: None,
        }),
        version: Some(version),
        tags,
        publisher: author.filter(|author| *author != Author::default()).map(|author| Publisher {
            id: None,
            name: author.name,
            url: author.url,
            email: author.email,
        }),
        homepage: Some(homepage),
        license,
        support: manifest.support.clone().map(
            |Support { issues_url, security_email, docs_url }| descriptor::Support {
                issues_url,
                security_email,
                docs_url,
            },
        ),
        acquisition: acquisition(&runtime.install, locator),
        env: manifest.env.iter().cloned().map(variable).collect(),
        scopes: manifest.scopes.iter().cloned().map(scope).collect(),
        smoke: raw("smoke"),
        verify: raw("verify"),
        revocation: raw("kill_switch"),
        cost: raw("cost"),
        data_boundary: raw("data_boundary"),
        ..ToolDescriptor::default()
    }
}

fn acquisition<'a>(
    install: &Install<'a>,
    locator: impl FnOnce() -> Option<Raw<'a>>,
) -> Option<Acquisition<'a>> {
    Some(match install.clone() {
        Install::Pip { package, version_spec } => Acquisition::Pip { package, version_spec },
        Install::Npm { package, version_spec } => Acquisition::Npm { package, version_spec },
        Install::Git { url, reference, subpath, layout } => {
            let layout = layout.map(Layout::word).map(Text::Borrowed);
            Acquisition::Git { url, reference, subpath, layout }
        }
        Install::Container { image } => Acquisition::Container { image },
        Install::Url { url, sha256 } => Acquisition::Download { url, sha256 },
        Install::Preinstalled { locator: _ } => Acquisition::Preinstalled { locator: locator()? },
    })
}

fn variable(variable: EnvVar<'_>) -> (Text<'_>, descriptor::EnvVar<'_>) {
    let EnvVar { name, prompt, secret, required, validation_regex, default, obtain_url } = variable;
    let variable = descriptor::EnvVar {
        prompt: Some(prompt),
        secret: Some(secret),
        required,
        pattern: validation_regex,
        default,
        obtain_url,
        reference: None,
    };
    (name, variable)
}

fn scope(scope: Scope<'_>) -> (Text<'_>, descriptor::Scope<'_>) {
    let Scope { resource, actions, rationale, provider_scope } = scope;
    let scope = descriptor::Scope {
        actions: actions.into_iter().map(|verb| Text::Borrowed(verb.word())).collect(),
        rationale: Some(rationale),
        provider_scope,
        used: None,
    };
    (resource, scope)
}

/// A manifest without actions: the tool is the package.
fn whole<'a>(
    source: Pointer,
    manifest: &Manifest<'a>,
    shared: ToolDescriptor<'a>,
) -> ToolDescriptor<'a> {
    let mcp = matches!(manifest.runtime.kind, RuntimeKind::McpStdio | RuntimeKind::McpHttp);
    let Package { id, namespace, title, summary, description, argv, url, cwd: _ } =
        shared.package.unwrap_or_default();
    let cwd = manifest.runtime.entrypoint.as_ref().and_then(|entrypoint| entrypoint.cwd.clone());
    let invocation = (!argv.is_empty()).then(|| descriptor::Invocation::Command {
        argv: argv.clone(),
        cwd,
        input: CommandInput::Unstated,
    });
    ToolDescriptor {
        source,
        id: id.clone(),
        title,
        summary,
        description,
        package: Some(Package { id, namespace, argv, url, ..Package::default() }),
        kind: mcp.then_some(Kind::McpServer),
        invocation,
        ..shared
    }
}

fn action<'a>(
    source: Pointer,
    action: &Action<'a>,
    manifest: &Manifest<'a>,
    shared: ToolDescriptor<'a>,
) -> ToolDescriptor<'a> {
    let Action {
        name,
        summary,
        description,
        // No word for these: they stay in the extras.
        docs: _,
        runtime_telemetry: _,
        invocation,
        input,
        output,
        side_effects,
        idempotent,
        scopes_used,
        error_envelope,
        examples,
    } = action.clone();
    let scopes = manifest.scopes.iter().cloned().map(|one| {
        let (resource, scope) = scope(one);
        let used = scopes_used.contains(&resource).then_some(true);
        (resource, descriptor::Scope { used, ..scope })
    });
    let (output_format, output_schema) = match output {
        Some(output) => (Some(output.format), output.schema),
        None => (None, None),
    };
    // The command of a server is not the tool's own, and has no word for its place.
    let server = matches!(invocation, Invocation::McpTool { .. });
    let entrypoint = manifest.runtime.entrypoint.as_ref().filter(|_| server);
    let cwd = entrypoint.and_then(|entrypoint| entrypoint.cwd.clone());
    ToolDescriptor {
        source,
        package: shared.package.map(|package| Package { cwd, ..package }),
        id: Text::Owned(format!("{}.{name}", manifest.tool.id)),
        name: Some(name),
        summary: Some(summary),
        description,
        input_schema: input,
        output_schema,
        output_format,
        error_envelope,
        examples: examples
            .into_iter()
            .map(|example| descriptor::Example {
                description: Some(example.description),
                input: example.input,
                output: example.output,
            })
            .collect(),
        invocation: Some(self::invocation(invocation, manifest)),
        scopes: scopes.collect::<Keyed<'a, _>>(),
        side_effects: Some(side_effects),
        idempotent,
        ..shared
    }
}

fn invocation<'a>(
    invocation: Invocation<'a>,
    manifest: &Manifest<'a>,
) -> descriptor::Invocation<'a> {
    let runtime = &manifest.runtime;
    let (argv, cwd) = match runtime.entrypoint.clone() {
        Some(entrypoint) => (entrypoint.command, entrypoint.cwd),
        None => (Vec::new(), None),
    };
    let url = runtime.endpoint_url.clone();
    let templates = |argv, input| descriptor::Invocation::Command { argv, cwd, input };
    match invocation {
        Invocation::Subcommand { argv_template } => {
            templates(argv, CommandInput::Templates(argv_template))
        }
        Invocation::StdinJson { argv_template } => {
            // Arguments that are no templates are a part of the command. With
            // others, the call is one that only this format can say.
            if argv_template.iter().any(|argument| argument.contains("${")) {
                templates(argv, CommandInput::Templates(argv_template))
            } else {
                templates([argv, argv_template].concat(), CommandInput::Stdin)
            }
        }
        Invocation::Http { method, path, headers } => {
            let base = url.unwrap_or_default();
            let method = Text::Borrowed(method.word());
            if path.contains("${") {
                descriptor::Invocation::Http { method, url: base, path: Some(path), headers }
            } else {
                let url = Text::Owned(format!("{base}{path}"));
                descriptor::Invocation::Http { method, url, path: None, headers }
            }
        }
        Invocation::McpTool { tool_name } => {
            descriptor::Invocation::McpTool { tool: tool_name, argv, url, server: None }
        }
    }
}
