//! Plans the smoke test of an installation, and judges its outcome.
//!
//! ```
//! use call::{End, Outcome, Step};
//! use toolglot_install_manifest::engine::smoke;
//! use toolglot_install_manifest::{FORMAT, Manifest};
//! use manifest_core::json::Document;
//!
//! # let text = br#"{
//! #   "manifest_version": "0.2",
//! #   "tool": {"id": "tiny", "version": "1.0.0", "name": "Tiny", "summary": "Tiny.",
//! #     "homepage": "https://example.com"},
//! #   "runtime": {"kind": "mcp-stdio", "install": {"method": "pip", "package": "tiny"}},
//! #   "smoke": {"kind": "shell", "command": ["tiny", "--version"],
//! #     "success": {"stdout_regex": "^1\\.[0-9]+$"}},
//! #   "kill_switch": {"kind": "manual", "instructions_url": "https://example.com"}
//! # }"#;
//! let options = smoke::Options::default();
//! let document = Document::parse(text, &options.limits)?;
//! let manifest = Manifest::read(&document).ok_or("not a manifest")?;
//! let tools = FORMAT.lift_valid(&document, 0).tools;
//! let plan = smoke::plan(&manifest, &tools, &|_| false, &options)
//!     .map_err(manifest_core::Report::from)?;
//! let Step::Run(program) = &plan.step else { return Err("a program".into()) };
//! assert_eq!(program.argv, ["tiny".into(), "--version".into()]);
//!
//! let stdout = b"2.0\n".to_vec();
//! let outcome = Outcome::Exited { end: End::Exit(0), stdout, stderr: vec![] };
//! let verdict = smoke::judge(&manifest, &outcome, &|_| None, &options);
//! assert!(!verdict.passed());
//! assert_eq!(verdict.failures[0].pointer.as_str(), "/smoke/success/stdout_regex");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;

use crate::http::is_header_name;
use crate::{FORMAT, Manifest, Method, RuntimeKind, SmokeKind, Success, rules};
use call::{Grant, HostFacts, PlaceholderPosition, Plan, Policy, Request, Step, Template};
use manifest_core::descriptor::{Invocation, McpTool, SideEffects};
use manifest_core::format::Contract;
use manifest_core::http::FRAMING;
use manifest_core::json::Raw;
use manifest_core::{Diagnostic, KeyedList, Pointer, Text, ToolDescriptor, quoted, url};

use crate::engine::plan_step;

mod judge;
mod template;

pub use judge::{Options, SmokeVerdict, judge};
use template::Variables;

/// Plans the smoke test of a manifest. `tools` are the tools of the same document, and
/// `has` returns true if a variable has a value.
///
/// Pass the outcome to [`judge`]. If the feature `schema` is on, the arguments of an action
/// are checked against its schema.
pub fn plan(
    manifest: &Manifest<'_>,
    tools: &[ToolDescriptor<'_>],
    has: &dyn Fn(&str) -> bool,
    options: &Options,
) -> Result<Plan, Vec<Diagnostic>> {
    let plan = match &manifest.smoke.kind {
        SmokeKind::Shell { command } => {
            let step = plan_step::command_step(manifest, command, smoke_pointer("command"))
                .map_err(|error| vec![error])?;
            plan_step::plan(manifest, tools, step, has)
        }
        SmokeKind::Http { method, url, headers, body } => {
            let variables = Variables { env: &manifest.env, limits: &options.limits };
            let method = method.unwrap_or(Method::Get);
            let request = build_request(method, url, headers, body.as_deref(), &variables)?;
            plan_step::plan(manifest, tools, Step::Send(request), has)
        }
        SmokeKind::McpToolCall { tool_name, arguments } => {
            let tool = server_tool(manifest, tools, tool_name).map_err(|error| vec![error])?;
            plan_call(&tool, "passed on", arguments.as_ref(), has, options)?
        }
        SmokeKind::ActionCall { action, arguments } => {
            let at = smoke_pointer("action");
            let Some(tool) = tools.iter().find(|tool| tool.name.as_deref() == Some(action)) else {
                let message = format!("{} is not an action of the manifest", quoted(action));
                return Err(vec![rules::SMOKE_ACTION.at_pointer(at, message)]);
            };
            if tool.side_effects.as_deref() > Some(&SideEffects::Read) {
                let message = format!("{} changes something", quoted(action));
                return Err(vec![rules::SMOKE_EFFECTS.at_pointer(at, message)]);
            }
            plan_call(tool, Contract::REFUSED, arguments.as_ref(), has, options)?
        }
    };
    let timeout_ms = Some(u64::from(manifest.smoke.timeout_seconds()) * 1000);
    Ok(Plan { tool: manifest.tool.id.to_string(), timeout_ms, ..plan })
}

/// Returns the conditions of a planned smoke test. A program whose manifest declares no
/// exit code must exit with code 0.
pub fn conditions<'a>(manifest: &Manifest<'a>, plan: &Plan) -> Success<'a> {
    let mut success = manifest.smoke.success.clone();
    if matches!(plan.step, Step::Run(_)) {
        success.exit_code.get_or_insert_with(|| 0.into());
    }
    success
}

/// Returns the pointer of a member of the smoke test.
fn smoke_pointer(name: &str) -> Pointer {
    Pointer::root().push("smoke").push(name)
}

/// Returns the descriptor of a tool of the server that the manifest starts or names.
fn server_tool<'a>(
    manifest: &Manifest<'_>,
    tools: &[ToolDescriptor<'a>],
    name: &Text<'a>,
) -> Result<ToolDescriptor<'a>, Diagnostic> {
    if !matches!(manifest.runtime.kind, RuntimeKind::McpStdio | RuntimeKind::McpHttp) {
        let message = "only an MCP runtime has tools to call";
        let at = Pointer::root().push("runtime").push("kind");
        return Err(rules::ACTION_RUNTIME.at_pointer(at, message));
    }
    // A document has at least one tool, but a caller may pass none: the package is then empty.
    let package = tools.first().map(|tool| tool.package.clone()).unwrap_or_default();
    let server = McpTool {
        tool: name.clone().into(),
        argv: package.command.clone(),
        cwd: package.cwd.clone(),
        url: package.url.clone(),
    };
    Ok(ToolDescriptor {
        invocation: Some(Invocation::McpTool(server).into()),
        package,
        ..ToolDescriptor::default()
    })
}

/// Plans a call. The consent to the installation covers it, so that it needs no other
/// approval.
fn plan_call(
    tool: &ToolDescriptor<'_>,
    extra_arguments: &'static str,
    arguments: Option<&Raw<'_>>,
    has: &dyn Fn(&str) -> bool,
    options: &Options,
) -> Result<Plan, Vec<Diagnostic>> {
    let grants = [Grant::Approved, Grant::Unknown, Grant::Disabled, Grant::Untrusted];
    let policy = Policy { grants: grants.into(), ..Policy::default() };
    let facts = HostFacts { has_value: has, ..HostFacts::new(&policy) };
    let contract = Contract { extra_arguments, ..(FORMAT.contract)(tool) };
    let arguments = arguments.map_or("{}", Raw::as_str);
    match call::plan(tool, &contract, arguments, &facts, &options.limits).ready() {
        Ok(plan) => Ok(plan),
        Err(refused) => Err(match refused.report() {
            Some(report) => report.diagnostics.clone(),
            // Everything is granted that a manifest can ask for.
            None => {
                vec![rules::SMOKE_EFFECTS.at_pointer(smoke_pointer("kind"), refused.to_string())]
            }
        }),
    }
}

/// Returns the request of a smoke test, or all problems with it.
fn build_request(
    method: Method,
    url: &str,
    headers: &KeyedList<'_, Text<'_>>,
    body: Option<&str>,
    variables: &Variables<'_>,
) -> Result<Request, Vec<Diagnostic>> {
    let url = url_template(url, variables);
    let headers = header_templates(headers, variables);
    let body = match body {
        Some(body) => variables
            .parse_template(&smoke_pointer("body"), body, PlaceholderPosition::Plain)
            .map(Some),
        None => Ok(None),
    };
    match (url, headers, body) {
        (Ok(url), Ok(headers), Ok(body)) => {
            Ok(Request { method: method.word().to_owned(), url, headers, body })
        }
        (url, headers, body) => {
            let mut errors = match headers {
                Ok(_) => Vec::new(),
                Err(errors) => errors,
            };
            errors.extend(url.err());
            errors.extend(body.err());
            errors.truncate(variables.limits.diagnostics.max(1));
            Err(errors)
        }
    }
}

fn url_template(url: &str, variables: &Variables<'_>) -> Result<Template, Diagnostic> {
    let at = smoke_pointer("url");
    let url = variables.parse_template(&at, url, PlaceholderPosition::Url)?;
    // A URL with variables is checked when it is filled.
    if let Some(text) = url.fixed_text()
        && let Err(error) = url::check_http(&text)
    {
        return Err(rules::URL.at_pointer(at, error.message_for(&text)));
    }
    Ok(url)
}

/// Returns the headers with holes for variables, or all problems with them.
fn header_templates(
    headers: &KeyedList<'_, Text<'_>>,
    variables: &Variables<'_>,
) -> Result<Vec<(String, Template)>, Vec<Diagnostic>> {
    let (mut errors, mut filled, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (name, template) in headers.iter() {
        let at = smoke_pointer("headers").push(name);
        let lower = name.to_ascii_lowercase();
        let wrong = if !is_header_name(name) {
            Some((&rules::HEADER, "is not the name of a header"))
        } else if FRAMING.contains(&lower.as_str()) {
            Some((&rules::HEADER_RESERVED, "is for the client to set"))
        } else if !seen.insert(lower) {
            Some((&rules::HEADER, "is there in another case too"))
        } else {
            None
        };
        if let Some((rule, what)) = wrong {
            errors.push(rule.at_pointer(at, format!("{} {what}", quoted(name))));
            continue;
        }
        match variables.parse_template(&at, template, PlaceholderPosition::Header) {
            Ok(value) => filled.push((name.to_owned(), value)),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(filled) } else { Err(errors) }
}
