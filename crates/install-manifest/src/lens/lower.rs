//! From descriptors to manifests.

use std::collections::BTreeSet;

use manifest_core::convert::rules::COLLISION;
use manifest_core::descriptor::{self, Kind, Package, SideEffects};
use manifest_core::json::{Document, Node, Raw};
use manifest_core::{Defaults, Diagnostic, Lifted, Limits, Text, ToolDescriptor, quoted};
use serde::Serialize;

use super::call::{Call, Called, entrypoint};
use super::parts::{
    borrow, lower_author, lower_env, lower_examples, lower_install, lower_output, lower_schema,
    lower_scopes, object,
};
use super::{fit, versions};
use crate::grammar;
use crate::manifest::{Action, Entrypoint, EnvVar, Install, Invocation, Scope, Support, Tool};
use crate::meaning::is_callable;
use crate::template::{Part, parse_smoke};
use crate::words::{RuntimeKind, Version};

/// A manifest as it is written: what descriptors hold as text stays text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Written<'a> {
    pub(super) manifest_version: Version,
    pub(super) tool: Tool<'a>,
    pub(super) runtime: WrittenRuntime<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) env: Vec<EnvVar<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) scopes: Vec<Scope<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) actions: Vec<Action<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verify: Option<Raw<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data_boundary: Option<Raw<'a>>,
    pub(super) smoke: Option<Raw<'a>>,
    pub(super) kill_switch: Option<Raw<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost: Option<Raw<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) support: Option<Support<'a>>,
    /// Whether other actions may join.
    #[serde(skip)]
    packaged: bool,
    /// Whether the tool is an MCP server.
    #[serde(skip)]
    server: bool,
    /// The kind of runtime that a tool in one language wants, however it is called.
    #[serde(skip)]
    language: Option<RuntimeKind>,
    /// Whether nothing is known of the working directory: descriptors have no
    /// word for that of an MCP server.
    #[serde(skip)]
    anywhere: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct WrittenRuntime<'a> {
    pub(super) kind: RuntimeKind,
    pub(super) install: WrittenInstall<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) entrypoint: Option<Entrypoint<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) endpoint_url: Option<Text<'a>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum WrittenInstall<'a> {
    Typed(Install<'a>),
    Preinstalled { method: &'static str, locator: Raw<'a> },
}

/// Writes one manifest for each package, in the version that is wanted or the
/// lowest that will do.
pub(super) fn write(
    lifted: &Lifted<'_>,
    defaults: &Defaults,
    wanted: Option<Version>,
) -> Result<String, Diagnostic> {
    let mut manifests: Vec<Written<'_>> = Vec::new();
    let mut names = BTreeSet::new();
    let taken = taken(&lifted.tools);
    for tool in &lifted.tools {
        let one = lower(tool, defaults, wanted, &taken);
        let action = one.actions.first().map(|action| action.name.to_string());
        let name = (one.tool.id.to_string(), action);
        if !names.insert(name) {
            let message = format!("two tools would be one action of {}", quoted(&one.tool.id));
            return Err(COLLISION.at_pointer(tool.source.clone(), message));
        }
        match manifests.last_mut() {
            Some(last) if joins(last, &one) => join(last, one),
            _ => manifests.push(one),
        }
    }
    for manifest in &mut manifests {
        finish(manifest, defaults, wanted);
    }
    // Strings, numbers and JSON values: serialising them cannot fail.
    Ok(match manifests.as_slice() {
        [one] if !lifted.list => serde_json::to_string(one),
        several => serde_json::to_string(several),
    }
    .unwrap_or_default())
}

/// What could be the tool's part of an id, when the rest could be the action's.
fn prefix(id: &str) -> Option<&str> {
    let (tool, action) = id.rsplit_once('.')?;
    (grammar::TOOL_ID.matches(tool) && grammar::ACTION_NAME.matches(action)).then_some(tool)
}

/// The ids of packages.
fn taken<'t>(tools: &'t [ToolDescriptor<'_>]) -> BTreeSet<&'t str> {
    tools.iter().filter_map(|tool| Some(tool.package.as_ref()?.id.as_ref())).collect()
}

/// Whether an action belongs to a manifest: they agree on all that is said once.
fn joins(last: &Written<'_>, one: &Written<'_>) -> bool {
    let (old, new) = (&last.runtime, &one.runtime);
    let taken = |action: &Action<'_>| last.actions.iter().any(|known| known.name == action.name);
    last.packaged
        && one.packaged
        && last.actions.len() < 64
        && !one.actions.iter().any(taken)
        && last.tool == one.tool
        && old.install == new.install
        && agree(old.entrypoint.as_ref(), new.entrypoint.as_ref(), &|old, new| {
            let anywhere = last.anywhere || one.anywhere;
            old.command == new.command && (anywhere || old.cwd == new.cwd)
        })
        && agree(old.endpoint_url.as_ref(), new.endpoint_url.as_ref(), &|old, new| old == new)
        && last.env == one.env
        && last.scopes == one.scopes
        && last.verify == one.verify
        && last.data_boundary == one.data_boundary
        && last.smoke == one.smoke
        && last.kill_switch == one.kill_switch
        && last.cost == one.cost
        && last.support == one.support
}

/// Whether two that may be absent are the same where both are there.
fn agree<T>(old: Option<&T>, new: Option<&T>, same: &dyn Fn(&T, &T) -> bool) -> bool {
    old.zip(new).is_none_or(|(old, new)| same(old, new))
}

fn join<'a>(last: &mut Written<'a>, one: Written<'a>) {
    let runtime = &mut last.runtime;
    runtime.entrypoint = if last.anywhere {
        one.runtime.entrypoint.or(runtime.entrypoint.take())
    } else {
        runtime.entrypoint.take().or(one.runtime.entrypoint)
    };
    last.anywhere &= one.anywhere;
    last.language = last.language.filter(|language| one.language == Some(*language));
    runtime.endpoint_url = runtime.endpoint_url.take().or(one.runtime.endpoint_url);
    last.actions.extend(one.actions);
}

/// Fills in what depends on all actions of a manifest.
fn finish(manifest: &mut Written<'_>, defaults: &Defaults, wanted: Option<Version>) {
    manifest.runtime.kind = kind(manifest);
    let smoke =
        manifest.smoke.take().filter(|smoke| is_possible(smoke, &manifest.actions, &manifest.env));
    manifest.smoke = Some(smoke.unwrap_or_else(|| {
        let entrypoint = manifest.runtime.entrypoint.as_ref();
        let mut command: Vec<&str> = match entrypoint {
            Some(entrypoint) => entrypoint.command.iter().map(AsRef::as_ref).collect(),
            None => vec![&defaults.bridge],
        };
        command.push("--version");
        let command = serde_json::to_string(&command).unwrap_or_default();
        let success = r#""success":{"exit_code":0}"#;
        built(&format!(r#"{{"kind":"shell","command":{command},{success}}}"#))
    }));
    // Without a kill switch there must be nothing to revoke.
    let none = |switch: &Raw<'_>| member(switch, "kind").as_deref() == Some("none");
    let switch = manifest.kill_switch.take();
    let switch = switch.filter(|switch| manifest.env.is_empty() || !none(switch));
    let switch = switch.filter(|switch| versions::has_switch(switch, wanted));
    manifest.kill_switch = Some(switch.unwrap_or_else(|| {
        let page = serde_json::to_string(&manifest.tool.homepage).unwrap_or_default();
        built(&format!(r#"{{"kind":"manual","instructions_url":{page}}}"#))
    }));
    match wanted {
        Some(wanted) => versions::bring_to(manifest, wanted),
        None => manifest.manifest_version = versions::lowest(manifest),
    }
}

fn kind(manifest: &Written<'_>) -> RuntimeKind {
    let runtime = &manifest.runtime;
    let mcp = || match runtime.entrypoint {
        None if runtime.endpoint_url.is_some() => RuntimeKind::McpHttp,
        _ => RuntimeKind::McpStdio,
    };
    let calls = |is: fn(&Invocation<'_>) -> bool| {
        manifest.actions.iter().any(|action| is(&action.invocation))
    };
    if manifest.server || calls(|call| matches!(call, Invocation::McpTool { .. })) {
        return mcp();
    }
    if calls(|call| matches!(call, Invocation::Http { .. })) {
        return RuntimeKind::McpHttp;
    }
    if let Some(language) = manifest.language {
        return language;
    }
    match &runtime.install {
        WrittenInstall::Typed(Install::Pip { .. }) => RuntimeKind::PythonModule,
        WrittenInstall::Typed(Install::Npm { .. }) => RuntimeKind::NodeModule,
        WrittenInstall::Typed(Install::Container { .. }) => RuntimeKind::Container,
        _ => RuntimeKind::ShellBinary,
    }
}

/// Whether a smoke test can run: it calls an action that is there and changes
/// nothing, and refers to variables that are there.
fn is_possible(smoke: &Raw<'_>, actions: &[Action<'_>], env: &[EnvVar<'_>]) -> bool {
    let Ok(document) = Document::parse(smoke.as_str().as_bytes(), &Limits::default()) else {
        return false;
    };
    let root = document.root();
    let templates = ["url", "headers", "body"].iter().filter_map(|name| root.get(name));
    let equals = root.get("success").and_then(|success| success.get("json_pointer_equals"));
    let mut texts = templates.chain(equals).flat_map(Node::descendants).filter_map(Node::text);
    let declared = |part: &Part<'_>| match part {
        Part::Env(name) => env.iter().any(|variable| variable.name == *name),
        Part::Text(_) | Part::Input(_) => true,
    };
    let filled = |text: Text<'_>| {
        !text.contains("${") || parse_smoke(&text).is_ok_and(|parts| parts.iter().all(declared))
    };
    if !texts.all(filled) {
        return false;
    }
    if root.get("kind").and_then(Node::text).as_deref() != Some("action-call") {
        return true;
    }
    let name = root.get("action").and_then(Node::text).unwrap_or_default();
    let found = actions.iter().find(|action| action.name == name);
    found.is_some_and(|action| action.side_effects <= SideEffects::Read)
}

/// The text of a member of an object.
pub(super) fn member(object: &Raw<'_>, name: &str) -> Option<String> {
    let document = Document::parse(object.as_str().as_bytes(), &Limits::default()).ok()?;
    document.root().get(name)?.text().map(Text::into_owned)
}

/// JSON that is put together here.
pub(super) fn built(text: &str) -> Raw<'static> {
    Raw::parse(text).map_or(Raw::constant("{}"), Raw::into_owned)
}

fn lower<'a>(
    tool: &'a ToolDescriptor<'_>,
    defaults: &'a Defaults,
    wanted: Option<Version>,
    taken: &BTreeSet<&str>,
) -> Written<'a> {
    let ToolDescriptor {
        id,
        name,
        title,
        package,
        kind,
        version,
        summary,
        description,
        tags,
        publisher,
        homepage,
        license,
        support,
        input_schema,
        output_schema,
        output_format,
        error_envelope,
        examples,
        invocation,
        acquisition,
        env,
        scopes,
        side_effects,
        idempotent,
        smoke,
        verify,
        revocation,
        cost,
        data_boundary,
        // Which of several implementations fits is not known here.
        implementations: _,
        chain: _,
        // Effects and scopes stand in for approval and permissions: what they
        // cannot say is not granted.
        requires_approval: _,
        permissions: _,
        // No home here.
        source: _,
        labels: _,
        example_files: _,
        test_files: _,
        timeout_ms: _,
        auth: _,
        sandbox: _,
        origin: _,
        trust: _,
        enabled: _,
        channel: _,
        extras: _,
    } = tool;
    // A package without an action of its own. From 0.2 on, only MCP servers over
    // standard input and output are.
    let actionless = package.is_some() && name.is_none();
    let server = actionless && *kind == Some(Kind::McpServer);
    let remote = package.as_ref().is_some_and(|package| package.url.is_some());
    let remote = remote && package.as_ref().is_some_and(|package| package.argv.is_empty());
    let whole = match wanted {
        Some(Version::V0_1) => true,
        Some(_) => server && !remote,
        None => actionless,
    };
    let Package {
        id: package_id,
        namespace,
        title: package_title,
        summary: package_summary,
        description: package_description,
        argv: package_argv,
        url: package_url,
        cwd: package_cwd,
    } = package.as_ref().unwrap_or(&NAMELESS);
    // In 0.1, actions are tools of their own.
    let packaged = package.is_some() && (actionless || !whole);
    let parts = prefix(id).filter(|prefix| !whole && !taken.contains(prefix));
    let tool_id = match parts {
        _ if packaged => fit::tool_id(package_id),
        Some(tool) => Text::Borrowed(tool),
        None => fit::tool_id(id),
    };
    // The id is what other formats rename.
    let tail = id.strip_prefix(package_id.as_ref()).and_then(|tail| tail.strip_prefix('.'));
    let tail = tail.filter(|_| package.is_some());
    let own = name.as_deref().unwrap_or_else(|| id.rsplit('.').next().unwrap_or(id));
    let action_name = fit::action_name(tail.unwrap_or(own));
    let server_tool = matches!(invocation, Some(descriptor::Invocation::McpTool { .. }));
    let anywhere = server_tool && package_cwd.is_none();

    let said = |text: Option<&'a str>, max| text.and_then(|text| fit::text(text, max));
    let action_summary = said(summary.as_deref(), 280)
        .or_else(|| said(description.as_deref().map(fit::sentence), 280))
        .unwrap_or_else(|| action_name.clone());
    let tool_name = said(package_title.as_deref(), 80)
        .or_else(|| said(title.as_deref(), 80))
        .or_else(|| said(Some(own), 80))
        .unwrap_or_else(|| tool_id.clone());
    let tool_summary =
        said(package_summary.as_deref(), 280).unwrap_or_else(|| action_summary.clone());
    let tool_description = if whole { description } else { package_description };
    let homepage = match homepage {
        Some(homepage) => Text::Borrowed(homepage.as_ref()),
        None => Text::Owned(format!("{}{tool_id}", defaults.homepage)),
    };

    let env = lower_env(env);
    let input = lower_schema(input_schema.as_ref());
    let call = Call { argv: package_argv, url: package_url.as_deref(), whole, actionless };
    let bridge = || Called {
        invocation: Invocation::StdinJson { argv_template: Vec::new() },
        entrypoint: Some(Entrypoint {
            command: vec![Text::Borrowed(&defaults.bridge), Text::Borrowed(id)],
            cwd: None,
        }),
        endpoint_url: None,
    };
    let called = invocation.as_ref().and_then(|invocation| call.lower(invocation));
    let callable = |called: &Called<'_>| is_callable(&called.invocation, input.as_ref(), &env);
    let called = called.filter(|called| whole || callable(called));
    let called = called.map(|mut called| {
        if let (true, Some(entrypoint)) = (server_tool, &mut called.entrypoint) {
            entrypoint.cwd = borrow(package_cwd);
        }
        called
    });
    let called = if whole {
        called.unwrap_or(Called {
            endpoint_url: package_url.as_deref().map(Text::Borrowed),
            entrypoint: entrypoint(package_argv, None),
            ..bridge()
        })
    } else {
        called.unwrap_or_else(bridge)
    };

    let anywhere = anywhere || called.entrypoint.is_none();
    let mut action = Action {
        name: action_name,
        summary: action_summary,
        description: said(description.as_deref(), 4000),
        docs: None,
        invocation: called.invocation,
        input,
        output: lower_output(output_schema.as_ref(), *output_format),
        side_effects: side_effects.unwrap_or(SideEffects::Destructive),
        idempotent: *idempotent,
        scopes_used: scopes
            .iter()
            .filter(|(_, scope)| scope.used == Some(true))
            .map(|(resource, _)| Text::Borrowed(resource))
            .collect(),
        error_envelope: *error_envelope,
        examples: lower_examples(examples),
        runtime_telemetry: None,
    };
    versions::add_extras(&mut action, tool, wanted);
    Written {
        manifest_version: Version::V0_2,
        tool: Tool {
            namespace: borrow(namespace).filter(|text| grammar::NAMESPACE.matches(text)),
            version: version
                .as_deref()
                .and_then(fit::version)
                .or_else(|| fit::version(&defaults.version))
                .unwrap_or(Text::Borrowed("0.0.0")),
            name: tool_name,
            summary: tool_summary,
            description: said(tool_description.as_deref(), 4000),
            homepage,
            author: publisher.as_ref().and_then(lower_author),
            license: borrow(license),
            tags: tags
                .iter()
                .filter(|tag| grammar::TAG.matches(tag))
                .take(16)
                .map(|tag| Text::Borrowed(tag.as_ref()))
                .collect(),
            id: tool_id,
        },
        runtime: WrittenRuntime {
            kind: RuntimeKind::ShellBinary,
            install: lower_install(acquisition.as_ref(), nowhere(tool, defaults), wanted),
            entrypoint: called.entrypoint,
            endpoint_url: called.endpoint_url,
        },
        env,
        scopes: lower_scopes(scopes),
        actions: if whole { Vec::new() } else { vec![action] },
        verify: object(verify.as_ref()),
        data_boundary: object(data_boundary.as_ref()),
        smoke: object(smoke.as_ref()),
        kill_switch: object(revocation.as_ref()),
        cost: object(cost.as_ref()),
        support: support.as_ref().map(
            |descriptor::Support { issues_url, security_email, docs_url }| Support {
                issues_url: borrow(issues_url),
                security_email: borrow(security_email),
                docs_url: borrow(docs_url),
            },
        ),
        packaged: packaged && !whole,
        server,
        language: match invocation {
            Some(descriptor::Invocation::Node { .. }) => Some(RuntimeKind::NodeModule),
            Some(descriptor::Invocation::Python { .. }) => Some(RuntimeKind::PythonModule),
            _ => None,
        },
        anywhere,
    }
}

/// The package of a tool that is in none.
static NAMELESS: Package<'_> = Package {
    id: Text::Borrowed(""),
    namespace: None,
    title: None,
    summary: None,
    description: None,
    argv: Vec::new(),
    url: None,
    cwd: None,
};

/// Where nothing can be fetched from.
fn nowhere(tool: &ToolDescriptor<'_>, defaults: &Defaults) -> String {
    format!("{}{}", defaults.homepage, fit::tool_id(&tool.id))
}
