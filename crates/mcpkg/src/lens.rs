//! Lift and lower.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `toolId` | made to fit the grammar |
//! | `title` | `name` | |
//! | `version` | `version` | |
//! | `description` | `description` | |
//! | `tags` | `capabilities` | |
//! | `labels` | `meta.tags` | |
//! | `invocation` | `endpoint` | HTTP, or the command line of a local program |
//! | `invocation.command` | `implementations`, one that is named `command` | argv in shell quotes; what has no home here goes through the bridge program |
//! | `timeout_ms` | `endpoint.timeoutMs` | |
//! | `implementations` | `implementations` | |
//! | `chain` | `chain` | |
//! | `input_schema`, `output_schema` | `input_schema`, `output_schema` | as written |
//! | `auth` | `auth` | |
//! | `env` | `auth.configHints.env` | names only |
//! | `test_files`, `example_files` | `tests`, `examples` | |
//! | `publisher`, `license`, `homepage` | `meta` | |
//!
//! Everything else has no home here, and travels in the residue.

use std::collections::BTreeSet;

use manifest_core::convert::rules::COLLISION;
use manifest_core::descriptor::{self, CommandInput, EnvVar, Invocation};
use manifest_core::json::{Document, Node, Number, Raw};
use manifest_core::{
    Defaults, Detected, Diagnostic, Format, Keyed, Lifted, Pointer, Row, Text, ToolDescriptor,
    quoted,
};

use crate::manifest::{
    Auth, ConfigHints, Endpoint, Implementation, Manifest, Meta, Publisher, Step,
};
use crate::{check, command_line, id, rules};

const fn row(field: &'static str, member: &'static str, note: &'static str) -> Row {
    Row { field, member, note }
}

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "mcpkg",
    mapping: &[
        row("/id", "/toolId", "made to fit the grammar"),
        row("/title", "/name", ""),
        row("/version", "/version", ""),
        row("/description", "/description", ""),
        row("/tags", "/capabilities", ""),
        row("/labels", "/meta/tags", ""),
        row("/invocation", "/endpoint/type", "HTTP, or the command line of a local program"),
        row("/invocation/http/method", "/endpoint/method", ""),
        row("/invocation/http/url", "/endpoint/url", ""),
        row("/invocation/command_line/line", "/endpoint/command", ""),
        row("/timeout_ms", "/endpoint/timeoutMs", ""),
        row(
            "/invocation/command/argv",
            "/implementations/0/endpoint/command",
            "argv in shell quotes",
        ),
        row("/timeout_ms", "/implementations/0/endpoint/timeoutMs", "of a plain command"),
        row("/implementations", "/implementations", ""),
        row("/chain", "/chain", ""),
        row("/input_schema", "/input_schema", "as written"),
        row("/output_schema", "/output_schema", "as written"),
        row("/auth/scheme", "/auth/type", ""),
        row("/auth/scopes", "/auth/scopes", ""),
        row("/env", "/auth/configHints/env", "names only"),
        row("/auth/docs_url", "/auth/configHints/docsUrl", ""),
        row("/test_files", "/tests", ""),
        row("/example_files", "/examples", ""),
        row("/publisher/id", "/meta/publisher/id", ""),
        row("/publisher/name", "/meta/publisher/name", ""),
        row("/publisher/url", "/meta/publisher/website", ""),
        row("/license", "/meta/license", ""),
        row("/homepage", "/meta/homepage", ""),
    ],
    rules: rules::RULES,
    list: true,
    catalog: None,
    identity: &["toolId", "id", "step"],
    detect,
    validate: check::validate,
    read,
    write,
};

fn detect(root: Node<'_>) -> Option<Detected> {
    let manifests: Vec<_> = if root.is_array() { root.elements().collect() } else { vec![root] };
    let named = |node: &Node<'_>| node.get("toolId").is_some_and(|id| id.text().is_some());
    let newer =
        |node: &Node<'_>| node.get("implementations").or_else(|| node.get("chain")).is_some();
    (!manifests.is_empty() && manifests.iter().all(named)).then(|| {
        let newer = manifests.iter().any(newer);
        let mut evidence = vec!["`toolId` is a string"];
        if newer {
            evidence.push("`implementations` or `chain` is there, which 0.2 added");
        }
        Detected { version: Some(if newer { "0.2" } else { "0.1" }.to_owned()), evidence }
    })
}

/// One manifest, or a list of them: what several tools become.
fn read<'a>(document: &'a Document<'a>) -> Lifted<'a> {
    let root = document.root();
    if root.is_array() {
        let tools = root.elements().enumerate();
        let tools =
            tools.map(|(i, node)| lift(Pointer::root().push_index(i), Manifest::read_node(node)));
        return Lifted { tools: tools.collect(), list: true, ..Lifted::default() };
    }
    Lifted { tools: vec![lift(Pointer::root(), Manifest::read_node(root))], ..Lifted::default() }
}

fn lift(source: Pointer, manifest: Manifest<'_>) -> ToolDescriptor<'_> {
    let plain = plain_command(&manifest);
    let Manifest {
        tool_id,
        name,
        version,
        description,
        capabilities,
        endpoint,
        implementations,
        chain,
        input_schema,
        output_schema,
        auth,
        tests,
        examples,
        meta,
        extras: _,
    } = manifest;
    let (invocation, timeout_ms, implementations) = match (plain, endpoint) {
        (Some((command, timeout)), _) => (Some(command), timeout, Vec::new()),
        (None, Some(endpoint)) => {
            let timeout = endpoint.timeout_ms.clone();
            (lift_endpoint(endpoint), timeout, implementations)
        }
        (None, None) => (None, None, implementations),
    };
    let Auth { kind, scopes, config_hints, extras: _ } = auth.unwrap_or_default();
    let ConfigHints { env, docs_url, extras: _ } = config_hints.unwrap_or_default();
    let Meta { publisher, license, homepage, tags, extras: _ } = meta.unwrap_or_default();
    let with_auth = kind.is_some() || !scopes.is_empty() || docs_url.is_some();
    ToolDescriptor {
        source,
        id: tool_id,
        title: Some(name),
        version: Some(version),
        description: Some(description),
        tags: capabilities,
        labels: tags,
        publisher: publisher.map(|Publisher { id, name, website, extras: _ }| {
            descriptor::Publisher { id, name, url: website, email: None }
        }),
        homepage,
        license,
        input_schema,
        output_schema,
        example_files: examples,
        test_files: tests,
        invocation,
        implementations: implementations.into_iter().map(lift_implementation).collect(),
        chain: chain.into_iter().map(lift_step).collect(),
        timeout_ms,
        env: env.into_iter().map(|name| (name, EnvVar::default())).collect(),
        auth: with_auth.then_some(descriptor::Auth { scheme: kind, scopes, docs_url }),
        ..ToolDescriptor::default()
    }
}

/// The name of the implementation that a plain command is written as.
const PLAIN: &str = "command";

/// A manifest whose only implementation is a plain command: what other formats
/// call a program and its arguments.
fn plain_command<'a>(manifest: &Manifest<'a>) -> Option<(Invocation<'a>, Option<Number<'a>>)> {
    let [
        Implementation {
            id,
            language: None,
            runtime: None,
            platforms,
            endpoint,
            requirements: None,
            ..
        },
    ] = manifest.implementations.as_slice()
    else {
        return None;
    };
    let alone = manifest.endpoint.is_none() && manifest.chain.is_empty() && platforms.is_empty();
    let endpoint = endpoint.as_ref().filter(|endpoint| endpoint.kind == "local")?;
    if !alone || id.as_deref() != Some(PLAIN) || endpoint.method.is_some() || endpoint.url.is_some()
    {
        return None;
    }
    let argv = command_line::split(endpoint.command.as_deref()?)?;
    let argv = argv.into_iter().map(Text::Owned).collect();
    let command = Invocation::Command { argv, cwd: None, input: CommandInput::Argument };
    Some((command, endpoint.timeout_ms.clone()))
}

fn lift_endpoint(endpoint: Endpoint<'_>) -> Option<Invocation<'_>> {
    let Endpoint { kind, method, url, command, timeout_ms: _, extras: _ } = endpoint;
    match kind.as_ref() {
        "http" => {
            let (method, url) = (method.unwrap_or_default(), url.unwrap_or_default());
            Some(Invocation::Http { method, url, path: None, headers: Keyed::default() })
        }
        "local" => Some(Invocation::CommandLine { line: command? }),
        _ => None,
    }
}

fn lift_implementation(implementation: Implementation<'_>) -> descriptor::Implementation<'_> {
    let Implementation { id, language, runtime, platforms, endpoint, requirements, extras: _ } =
        implementation;
    let timeout_ms = endpoint.as_ref().and_then(|endpoint| endpoint.timeout_ms.clone());
    let invocation = endpoint.and_then(lift_endpoint);
    descriptor::Implementation {
        id,
        language,
        runtime,
        platforms,
        requirements,
        invocation,
        timeout_ms,
    }
}

fn lift_step(step: Step<'_>) -> descriptor::Step<'_> {
    let Step { step, tool, input_mapping, output_key, extras: _ } = step;
    descriptor::Step { step, tool, input_mapping, output_key }
}

fn write(lifted: &Lifted<'_>, defaults: &Defaults) -> Result<String, Diagnostic> {
    let manifests: Result<Vec<_>, _> =
        lifted.tools.iter().map(|tool| lower(tool, defaults)).collect();
    let manifests = manifests?;
    let mut ids = BTreeSet::new();
    for (tool, manifest) in lifted.tools.iter().zip(&manifests) {
        // A list may hold two versions of one tool, but not two tools as one.
        if !ids.insert(&manifest.tool_id) && manifest.tool_id != tool.id {
            let message = format!("two tools would have the id {}", quoted(&manifest.tool_id));
            return Err(COLLISION.at_pointer(tool.source.clone(), message));
        }
    }
    // Strings, numbers and JSON values: serialising them cannot fail.
    Ok(match manifests.as_slice() {
        [one] if !lifted.list => serde_json::to_string(one),
        several => serde_json::to_string(several),
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
        version,
        summary,
        description,
        tags,
        labels,
        publisher,
        homepage,
        license,
        input_schema,
        output_schema,
        example_files,
        test_files,
        invocation,
        implementations,
        chain,
        timeout_ms,
        env,
        auth,
        // No home here.
        package: _,
        kind: _,
        support: _,
        output_format: _,
        error_envelope: _,
        examples: _,
        acquisition: _,
        permissions: _,
        scopes: _,
        sandbox: _,
        side_effects: _,
        idempotent: _,
        requires_approval: _,
        origin: _,
        trust: _,
        enabled: _,
        channel: _,
        smoke: _,
        verify: _,
        revocation: _,
        cost: _,
        data_boundary: _,
        extras: _,
    } = tool;
    if let Some(version) = version.as_deref().filter(|version| !rules::is_version(version)) {
        let message =
            format!("{} is not a SemVer version, and MCPKG takes no other", quoted(version));
        return Err(rules::VERSION.at_pointer(source.clone(), message));
    }
    let tool_id = id::fit(id, &defaults.publisher);
    let said = |text: Option<&'a str>| text.filter(|text| !text.trim().is_empty());
    // A name has no control characters here.
    let named = |text| said(text).filter(|text| !text.chars().any(char::is_control));
    let called = named(title.as_deref()).or(named(name.as_deref()));
    let called = called.or(named(Some(id)));
    let called = called.map_or_else(|| tool_id.clone(), Text::Borrowed);
    let described = said(description.as_deref()).or(said(summary.as_deref()));
    let described = described.map_or_else(|| called.clone(), Text::Borrowed);
    let mut manifest = Manifest {
        tool_id,
        name: called,
        version: borrow(version).unwrap_or(Text::Borrowed(&defaults.version)),
        description: described,
        capabilities: if tags.is_empty() {
            vec![Text::Borrowed(&defaults.tag)]
        } else {
            borrow_all(tags)
        },
        input_schema: Some(schema(input_schema.as_ref())),
        output_schema: Some(schema(output_schema.as_ref())),
        implementations: implementations.iter().map(lower_implementation).collect(),
        chain: chain.iter().map(lower_step).collect(),
        tests: borrow_all(test_files),
        examples: borrow_all(example_files),
        auth: lower_auth(auth.as_ref(), env),
        meta: lower_meta(publisher.as_ref(), license, homepage, labels),
        endpoint: None,
        extras: manifest_core::read::Extras::default(),
    };
    match invocation.as_ref() {
        Some(invocation @ Invocation::Http { .. }) if fits(invocation) => {
            manifest.endpoint = lower_endpoint(invocation, timeout_ms.as_ref());
        }
        Some(invocation @ Invocation::CommandLine { .. }) => {
            manifest.endpoint = lower_endpoint(invocation, timeout_ms.as_ref());
        }
        // Beside implementations or a chain, a command is nearly an endpoint.
        invocation if manifest.is_0_2() => {
            let line = program(invocation);
            manifest.endpoint = line.map(|line| local(line, timeout_ms.clone()));
        }
        invocation => {
            let line = program(invocation).unwrap_or_else(|| {
                let bridge = Text::Borrowed(defaults.bridge.as_str());
                command_line::join(&[bridge, manifest.tool_id.clone()])
            });
            manifest.implementations = vec![Implementation {
                id: Some(Text::Borrowed(PLAIN)),
                endpoint: Some(local(line, timeout_ms.clone())),
                ..Implementation::default()
            }];
        }
    }
    Ok(manifest)
}

/// Whether this format can say a request: it has no headers and no templates.
fn fits(invocation: &Invocation<'_>) -> bool {
    match invocation {
        Invocation::Http { method: _, url, path, headers } => {
            let plain = headers.is_empty() && path.is_none();
            plain && manifest_core::url::check_http(url).is_ok()
        }
        _ => true,
    }
}

/// The command line of a program, when this format takes it.
fn program(invocation: Option<&Invocation<'_>>) -> Option<String> {
    match invocation? {
        Invocation::Command { argv, .. } => {
            Some(command_line::join(argv)).filter(|line| command_line::check(line).is_ok())
        }
        _ => None,
    }
}

/// A schema that this format takes, as written, or the widest that it takes.
fn schema<'a>(schema: Option<&Raw<'a>>) -> Raw<'a> {
    let written = schema.filter(|schema| schema.as_str().starts_with(['{', 't', 'f']));
    written.cloned().unwrap_or_else(|| Raw::constant(r#"{"type":"object"}"#))
}

fn local(line: String, timeout_ms: Option<Number<'_>>) -> Endpoint<'_> {
    Endpoint {
        kind: Text::Borrowed("local"),
        command: Some(Text::Owned(line)),
        timeout_ms,
        ..Endpoint::default()
    }
}

fn lower_endpoint<'a>(
    invocation: &'a Invocation<'_>,
    timeout_ms: Option<&'a Number<'_>>,
) -> Option<Endpoint<'a>> {
    let timeout_ms = timeout_ms.cloned();
    match invocation {
        Invocation::Http { method, url, path, headers: _ } => Some(Endpoint {
            kind: Text::Borrowed("http"),
            method: Some(Text::Borrowed(method)),
            url: Some(match path {
                None => Text::Borrowed(url),
                Some(path) => Text::Owned(format!("{url}{path}")),
            }),
            timeout_ms,
            ..Endpoint::default()
        }),
        Invocation::CommandLine { line } => Some(Endpoint {
            kind: Text::Borrowed("local"),
            command: Some(Text::Borrowed(line)),
            timeout_ms,
            ..Endpoint::default()
        }),
        Invocation::Command { argv, .. } => Some(local(command_line::join(argv), timeout_ms)),
        Invocation::McpTool { .. }
        | Invocation::Python { .. }
        | Invocation::Node { .. }
        | Invocation::A2a { .. } => None,
    }
}

fn lower_implementation<'a>(
    implementation: &'a descriptor::Implementation<'_>,
) -> Implementation<'a> {
    let descriptor::Implementation {
        id,
        language,
        runtime,
        platforms,
        requirements,
        invocation,
        timeout_ms,
    } = implementation;
    Implementation {
        id: borrow(id),
        language: borrow(language),
        runtime: borrow(runtime),
        platforms: borrow_all(platforms),
        endpoint: invocation.as_ref().and_then(|i| lower_endpoint(i, timeout_ms.as_ref())),
        requirements: requirements.clone(),
        extras: manifest_core::read::Extras::default(),
    }
}

fn lower_step<'a>(step: &'a descriptor::Step<'_>) -> Step<'a> {
    let descriptor::Step { step, tool, input_mapping, output_key } = step;
    let mapping = input_mapping.iter();
    Step {
        step: borrow(step),
        tool: Text::Borrowed(tool),
        input_mapping: mapping
            .map(|(k, v)| (Text::Borrowed(k), Text::Borrowed(v.as_ref())))
            .collect(),
        output_key: borrow(output_key),
        extras: manifest_core::read::Extras::default(),
    }
}

fn lower_auth<'a>(
    auth: Option<&'a descriptor::Auth<'_>>,
    env: &'a Keyed<'_, EnvVar<'_>>,
) -> Option<Auth<'a>> {
    let (scheme, scopes, docs_url) = match auth {
        Some(descriptor::Auth { scheme, scopes, docs_url }) => {
            (borrow(scheme), borrow_all(scopes), borrow(docs_url))
        }
        None => (None, Vec::new(), None),
    };
    if auth.is_none() && env.is_empty() {
        return None;
    }
    let hints = ConfigHints {
        env: env.iter().map(|(name, _)| Text::Borrowed(name)).collect(),
        docs_url,
        ..ConfigHints::default()
    };
    Some(Auth {
        kind: Some(
            scheme
                .filter(|s| rules::AUTH_TYPES.contains(&s.as_ref()))
                .unwrap_or(Text::Borrowed("none")),
        ),
        scopes,
        config_hints: (hints != ConfigHints::default()).then_some(hints),
        extras: manifest_core::read::Extras::default(),
    })
}

#[allow(clippy::ref_option)] // the descriptor's fields, as they are
fn lower_meta<'a>(
    publisher: Option<&'a descriptor::Publisher<'_>>,
    license: &'a Option<Text<'_>>,
    homepage: &'a Option<Text<'_>>,
    labels: &'a [Text<'_>],
) -> Option<Meta<'a>> {
    // An address alone has no home here.
    let publisher = publisher.filter(|publisher| {
        let descriptor::Publisher { id, name, url, email } = publisher;
        id.is_some() || name.is_some() || url.is_some() || email.is_none()
    });
    let meta = Meta {
        publisher: publisher.map(|descriptor::Publisher { id, name, url, email: _ }| Publisher {
            id: borrow(id),
            name: borrow(name),
            website: borrow(url),
            extras: manifest_core::read::Extras::default(),
        }),
        license: borrow(license),
        homepage: borrow(homepage),
        tags: borrow_all(labels),
        extras: manifest_core::read::Extras::default(),
    };
    (meta != Meta::default()).then_some(meta)
}

#[allow(clippy::ref_option)] // the descriptor's fields, as they are
fn borrow<'a>(text: &'a Option<Text<'_>>) -> Option<Text<'a>> {
    text.as_deref().map(Text::Borrowed)
}

fn borrow_all<'a>(texts: &'a [Text<'_>]) -> Vec<Text<'a>> {
    texts.iter().map(|text| Text::Borrowed(text.as_ref())).collect()
}
