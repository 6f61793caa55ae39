//! Writes a new manifest, which the author completes.

use crate::{
    Action, Docs, Entrypoint, ErrorEnvelope, Install, Invocation, KillSwitch, Manifest, Output,
    OutputFormat, Runtime, RuntimeKind, Scope, SideEffects, Smoke, SmokeKind, Success, Tool, Verb,
    Version,
};
use manifest_core::json::{Document, Raw, pretty};
use manifest_core::{KeyedList, Limits, ok_or_bug};

/// The properties of a tool that a new manifest needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewTool<'s> {
    /// The id: 3 to 64 lower-case letters, digits and hyphens.
    pub id: &'s str,
    /// The name for people.
    pub name: &'s str,
    /// The kind of runtime.
    pub kind: RuntimeKind,
}

/// Writes a valid manifest of version 0.4 for a tool with one action, for the author to
/// complete. Returns `None` if the id or the name is invalid.
///
/// ```
/// use toolglot_install_manifest::RuntimeKind;
/// use toolglot_install_manifest::engine::scaffold::{NewTool, scaffold};
///
/// let start = NewTool { id: "my-tool", name: "My tool", kind: RuntimeKind::PythonModule };
/// let text = scaffold(&start).ok_or("not an id")?;
/// assert!(text.starts_with("{\n  \"manifest_version\": \"0.4\""));
/// assert!(scaffold(&NewTool { id: "My Tool", ..start }).is_none());
/// # Ok::<(), &str>(())
/// ```
pub fn scaffold(start: &NewTool<'_>) -> Option<String> {
    let named = (1..=80).contains(&start.name.chars().count());
    if !crate::grammar::TOOL_ID.matches(start.id) || !named {
        return None;
    }
    let text = manifest(start).to_json();
    let document = ok_or_bug(Document::parse(text.as_bytes(), &Limits::default()))?;
    Some(pretty(document.root()) + "\n")
}

fn manifest<'s>(start: &NewTool<'s>) -> Manifest<'s> {
    let id = start.id;
    let url = |page: &str| format!("https://example.com/{id}{page}").into();
    let module = id.replace('-', "_");
    let http = start.kind == RuntimeKind::McpHttp;
    let command: Vec<String> = match start.kind {
        RuntimeKind::McpStdio | RuntimeKind::PythonModule => {
            vec!["python3".into(), "-m".into(), module]
        }
        RuntimeKind::NodeModule => vec!["npx".into(), "--no-install".into(), id.into()],
        RuntimeKind::Container => {
            vec!["docker".into(), "run".into(), "--rm".into(), "-i".into(), format!("example/{id}")]
        }
        RuntimeKind::ShellBinary | RuntimeKind::McpHttp => vec![id.into()],
    };
    Manifest {
        manifest_version: Version::V0_4,
        tool: Tool {
            id: id.into(),
            version: "0.1.0".into(),
            name: start.name.into(),
            summary: "One sentence about what it is for.".into(),
            homepage: url(""),
            license: Some("MIT".into()),
            ..Tool::default()
        },
        runtime: Runtime {
            kind: start.kind,
            install: install(start),
            entrypoint: (!http).then(|| Entrypoint {
                command: command.iter().map(|part| part.clone().into()).collect(),
                cwd: None,
            }),
            endpoint_url: http.then(|| url("/mcp")),
        },
        env: Vec::new(),
        scopes: vec![Scope {
            resource: "net.outbound".into(),
            actions: vec![Verb::Read],
            rationale: "Why it needs this.".into(),
            provider_scope: None,
        }],
        actions: vec![action(start.kind)],
        verify: None,
        data_boundary: None,
        smoke: smoke(start.kind),
        kill_switch: KillSwitch::Manual {
            instructions_url: Some(url("/revoke")),
            instructions: None,
        },
        cost: None,
        support: None,
    }
}

/// Returns a smoke test that calls the tool's `status`.
fn smoke<'s>(kind: RuntimeKind) -> Smoke<'s> {
    Smoke {
        kind: if matches!(kind, RuntimeKind::McpStdio | RuntimeKind::McpHttp) {
            SmokeKind::McpToolCall { tool_name: "status".into(), arguments: None }
        } else {
            SmokeKind::ActionCall { action: "status".into(), arguments: None }
        },
        timeout_seconds: None,
        success: Success {
            json_pointer_equals: KeyedList::from_iter([("/ok".into(), Raw::from_static("true"))]),
            no_error_field: Some(true),
            ..Success::default()
        },
    }
}

fn install<'s>(start: &NewTool<'s>) -> Install<'s> {
    let id = start.id;
    match start.kind {
        RuntimeKind::NodeModule => {
            Install::Npm { package: id.into(), version_spec: Some("0.1.0".into()) }
        }
        RuntimeKind::Container => {
            let digest = "0".repeat(64);
            Install::Container { image: format!("example/{id}@sha256:{digest}").into() }
        }
        RuntimeKind::McpStdio
        | RuntimeKind::McpHttp
        | RuntimeKind::PythonModule
        | RuntimeKind::ShellBinary => {
            Install::Pip { package: id.into(), version_spec: Some("==0.1.0".into()) }
        }
    }
}

fn action(kind: RuntimeKind) -> Action<'static> {
    Action {
        name: "status".into(),
        summary: "Says whether the tool works.".into(),
        description: None,
        docs: Some(Docs { goal: Some("Check that the tool works.".into()), ..Docs::default() }),
        invocation: match kind {
            RuntimeKind::McpStdio | RuntimeKind::McpHttp => {
                Invocation::McpTool { tool_name: "status".into() }
            }
            _ => Invocation::Subcommand { argv_template: vec!["status".into()] },
        },
        input: Some(Raw::from_static(
            r#"{"type": "object", "properties": {}, "additionalProperties": false}"#,
        )),
        output: Some(Output {
            format: OutputFormat::Json,
            schema: Some(Raw::from_static(
                r#"{"type": "object", "required": ["ok"], "properties": {"ok": {"type": "boolean"}}}"#,
            )),
        }),
        side_effects: SideEffects::None,
        idempotent: Some(true),
        scopes_used: vec!["net.outbound".into()],
        // The specification requires it of new tools.
        error_envelope: Some(ErrorEnvelope::Standard),
        examples: Vec::new(),
        runtime_telemetry: None,
    }
}
