//! Checking an installation: what to do, and whether it went well.
//!
//! ```
//! use install_engine::env::Values;
//! use install_engine::plan::{Outcome, Step};
//! use install_engine::smoke;
//! use install_manifest::Manifest;
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
//! let plan = smoke::plan(&manifest, &Values::default(), &options).map_err(|p| format!("{p:?}"))?;
//! assert!(matches!(&plan.step, Step::Run(program) if program.argv == ["tiny", "--version"]));
//!
//! let outcome = Outcome::Exited { code: Some(0), stdout: b"2.0\n", stderr: b"" };
//! let verdict = smoke::judge(&manifest, &outcome, &Values::default(), &options);
//! assert!(!verdict.passed());
//! assert_eq!(verdict.failures[0].pointer.as_str(), "/smoke/success/stdout_regex");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use install_manifest::{Manifest, Method, SmokeKind, rules};
use manifest_core::descriptor::SideEffects;
use manifest_core::{Diagnostic, Keyed, Pointer, Text, quoted};
use serde::Serialize;

use crate::fill::{Filler, Place};
use crate::http;
#[cfg(not(feature = "schema"))]
use crate::invoke::Input;
use crate::invoke::{self, filled_headers};
use crate::plan::{Program, Request, Step, ToolCall, declared, server};
use crate::values::Values;

mod judge;
mod options;

pub use judge::{Verdict, judge};
pub use options::Options;

/// What to do to check an installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// What to run or send.
    pub step: Step,
    /// How long it may take, in seconds.
    pub timeout_seconds: u16,
}

/// Plans the smoke test of a manifest.
///
/// The arguments of an action are checked against its schema when the feature
/// `schema` is on.
pub fn plan(
    manifest: &Manifest<'_>,
    values: &Values,
    options: &Options,
) -> Result<Plan, Vec<Diagnostic>> {
    let limits = &options.limits;
    let step = match &manifest.smoke.kind {
        SmokeKind::Shell { command } => {
            if command.is_empty() || command.iter().any(|part| part.contains('\0')) {
                let message = "a command must name a program, and must not hold a NUL";
                return Err(vec![rules::CONTROL_CHARACTER.at_pointer(at("command"), message)]);
            }
            let argv = command.iter().map(|part| part.clone().into_owned()).collect();
            Step::Run(Program::new(argv, declared(&manifest.env, values)))
        }
        SmokeKind::Http { method, url, headers, body } => {
            let filler = Filler { env: &manifest.env, values, input: None, limits };
            let method = method.unwrap_or(Method::Get);
            Step::Send(request(method, url, headers, body.as_deref(), &filler)?)
        }
        SmokeKind::McpToolCall { tool_name, arguments } => Step::CallTool(ToolCall {
            server: server(manifest, values).map_err(|error| vec![error])?,
            tool_name: tool_name.clone().into_owned(),
            arguments: arguments.as_ref().map_or("{}", |raw| raw.as_str()).to_owned(),
        }),
        SmokeKind::ActionCall { action, arguments } => {
            let refuse = |rule: &'static manifest_core::Rule, what: &str| {
                vec![rule.at_pointer(at("action"), format!("{} {what}", quoted(action)))]
            };
            let Some(found) = manifest.action(action) else {
                return Err(refuse(&rules::SMOKE_ACTION, "is not an action of the manifest"));
            };
            if found.side_effects > SideEffects::Read {
                return Err(refuse(&rules::SMOKE_EFFECTS, "changes something"));
            }
            let arguments = arguments.as_ref().map_or("{}", |raw| raw.as_str());
            #[cfg(feature = "schema")]
            let input = invoke::Schemas::compile(found, limits)?.input(arguments)?;
            #[cfg(not(feature = "schema"))]
            let input = Input::unchecked(arguments, limits).map_err(|error| vec![error])?;
            invoke::plan(manifest, found, &input, values, limits)?.step
        }
    };
    Ok(Plan { step, timeout_seconds: manifest.smoke.timeout_seconds() })
}

/// Where a member of the smoke test stands.
fn at(name: &str) -> Pointer {
    Pointer::root().push("smoke").push(name)
}

/// The request of a smoke test, or all that is wrong with it.
fn request(
    method: Method,
    url: &str,
    headers: &Keyed<'_, Text<'_>>,
    body: Option<&str>,
    filler: &Filler<'_>,
) -> Result<Request, Vec<Diagnostic>> {
    let url = filler.smoke(&at("url"), url, Place::Url).and_then(|filled| {
        let url = filled.text.expose();
        match http::check(url) {
            Ok(_) => Ok(url.to_owned()),
            Err(error) => Err(rules::URL.at_pointer(at("url"), error)),
        }
    });
    let headers = filled_headers(&at("headers"), headers, |at, template| {
        filler.smoke(at, template, Place::Header).map(|filled| filled.text)
    });
    let body = body.map(|body| filler.smoke(&at("body"), body, Place::Text));
    let body = body.transpose().map(|body| body.map(|filled| filled.text));
    match (url, headers, body) {
        (Ok(url), Ok(headers), Ok(body)) => Ok(Request { method, url, headers, body }),
        (url, headers, body) => {
            let mut errors = headers.err().unwrap_or_default();
            errors.extend(url.err());
            errors.extend(body.err());
            errors.truncate(filler.limits.diagnostics.max(1));
            Err(errors)
        }
    }
}
