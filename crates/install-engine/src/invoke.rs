//! Calling an action: from its input to what to run or send, and from what came
//! back to an answer.
//!
//! ```
//! # #[cfg(feature = "schema")] {
//! use install_engine::env::Values;
//! use install_engine::invoke::{self, Answer, Schemas};
//! use install_engine::plan::{Outcome, Step};
//! use install_manifest::Manifest;
//! use manifest_core::{Limits, json::Document};
//!
//! # let text = br#"{
//! #   "manifest_version": "0.2",
//! #   "tool": {"id": "notes", "version": "1.0.0", "name": "Notes", "summary": "Notes.",
//! #     "homepage": "https://example.com"},
//! #   "runtime": {"kind": "shell-binary", "install": {"method": "pip", "package": "notes"},
//! #     "entrypoint": {"command": ["notes"]}},
//! #   "actions": [{"name": "find", "summary": "Find notes.", "side_effects": "read",
//! #     "invocation": {"kind": "subcommand",
//! #       "argv_template": ["find", "--limit", "${input.limit}", "--", "${input.query}"]},
//! #     "input": {"type": "object", "required": ["query"], "properties": {
//! #       "query": {"type": "string"}, "limit": {"type": "integer", "default": 25}}},
//! #     "output": {"format": "json"}}],
//! #   "smoke": {"kind": "shell", "command": ["notes"], "success": {}},
//! #   "kill_switch": {"kind": "manual", "instructions_url": "https://example.com"}
//! # }"#;
//! let limits = Limits::default();
//! let document = Document::parse(text, &limits)?;
//! let manifest = Manifest::read(&document).ok_or("not a manifest")?;
//! let action = manifest.action("find").ok_or("no such action")?;
//!
//! let schemas = Schemas::compile(action, &limits).map_err(|problems| format!("{problems:?}"))?;
//! let input = schemas.input(r#"{"query": "; rm -rf /"}"#).map_err(|p| format!("{p:?}"))?;
//! let plan = invoke::plan(&manifest, action, &input, &Values::default(), &limits)
//!     .map_err(|problems| format!("{problems:?}"))?;
//! let Step::Run(program) = &plan.step else { return Err("a program".into()) };
//! assert_eq!(program.argv, ["notes", "find", "--limit", "25", "--", "; rm -rf /"]);
//!
//! let outcome = Outcome::Exited { code: Some(0), stdout: b"[1, 2]\n", stderr: b"" };
//! assert_eq!(schemas.judge(action, &outcome), Ok(Answer::Json("[1, 2]".into())));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;

use install_manifest::template::{self, Part};
use install_manifest::{Action, Invocation, Manifest, Method};
use manifest_core::descriptor::SideEffects;
use manifest_core::json::{Document, Edit, apply};
use manifest_core::{Diagnostic, Keyed, Limits, Pointer, Text, quoted};
use serde::Serialize;

use crate::fill::{Filler, Place};
use crate::http;
use crate::plan::{Request, Sensitive, Step, ToolCall, entrypoint, rules, server};
use crate::values::Values;

mod answer;
mod input;

pub(crate) use answer::returned;
pub use answer::{Answer, Failure, Reason, Retry, judge};
pub use input::Input;
#[cfg(feature = "schema")]
pub use input::Schemas;

/// What to do for one call of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// The name of the action.
    pub action: String,
    /// What to run or send.
    pub step: Step,
    /// Whether a person must agree first, because the action cannot be undone. A
    /// host may have been given leave beforehand.
    pub needs_confirmation: bool,
    /// Whether the same call may be made again when it is not known how the
    /// first one ended.
    pub idempotent: bool,
    /// What a careful host looks at before it goes on.
    pub warnings: Vec<Diagnostic>,
}

/// Plans a call of an action of the manifest, with checked input and the values
/// that were collected. Gives every reason why that cannot be done.
pub fn plan(
    manifest: &Manifest<'_>,
    action: &Action<'_>,
    input: &Input,
    values: &Values,
    limits: &Limits,
) -> Result<Plan, Vec<Diagnostic>> {
    let index = manifest.actions.iter().position(|known| known.name == action.name);
    let at = Pointer::root().push("actions").push_index(index.unwrap_or_default());
    let document = Document::parse(input.as_str().as_bytes(), limits).map_err(|e| vec![e])?;
    let filler = Filler { env: &manifest.env, values, input: Some(document.root()), limits };
    let mut making = Making { at: at.push("invocation"), errors: Vec::new(), warnings: Vec::new() };
    let step = match &action.invocation {
        Invocation::Subcommand { argv_template } => {
            making.program(manifest, argv_template, &filler, None)
        }
        Invocation::StdinJson { argv_template } => {
            making.program(manifest, argv_template, &filler, Some(input.as_str()))
        }
        Invocation::Http { method, path, headers } => {
            making.request(manifest, *method, path, headers, &filler, &document)
        }
        Invocation::McpTool { tool_name } => match server(manifest, values) {
            Ok(server) => Some(Step::CallTool(ToolCall {
                server,
                tool_name: tool_name.clone().into_owned(),
                arguments: input.as_str().to_owned(),
            })),
            Err(error) => making.refuse(error),
        },
    };
    match step {
        Some(step) if making.errors.is_empty() => Ok(Plan {
            action: action.name.clone().into_owned(),
            step,
            needs_confirmation: action.side_effects == SideEffects::Destructive,
            idempotent: action.idempotent.unwrap_or(false),
            warnings: making.warnings.into_iter().take(limits.diagnostics).collect(),
        }),
        _ => {
            making.errors.truncate(limits.diagnostics.max(1));
            Err(making.errors)
        }
    }
}

/// Finds an action by its name.
pub fn find<'m, 'a>(manifest: &'m Manifest<'a>, name: &str) -> Result<&'m Action<'a>, Diagnostic> {
    manifest.action(name).ok_or_else(|| {
        let message = format!("there is no action {}", quoted(name));
        let names = manifest.actions.iter().map(|action| action.name.as_ref());
        let diagnostic = rules::UNKNOWN_ACTION.at_pointer(Pointer::root().push("actions"), message);
        match manifest_core::did_you_mean(name, names) {
            Some(guess) => diagnostic.help(format!("did you mean {}?", quoted(guess))),
            None => diagnostic,
        }
    })
}

/// A plan in the making: all that is wrong, not only the first.
struct Making {
    /// The invocation.
    at: Pointer,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Making {
    fn refuse<T>(&mut self, error: Diagnostic) -> Option<T> {
        self.errors.push(error);
        None
    }

    fn kept<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    fn program(
        &mut self,
        manifest: &Manifest<'_>,
        templates: &[Text<'_>],
        filler: &Filler<'_>,
        stdin: Option<&str>,
    ) -> Option<Step> {
        let program = self.kept(entrypoint(manifest, filler.values));
        let at = self.at.clone().push("argv_template");
        if templates.len() > filler.limits.arguments {
            let message = format!("there are more than {} arguments", filler.limits.arguments);
            return self.refuse(rules::TEMPLATE_SIZE.at_pointer(at, message));
        }
        let mut argv = Vec::with_capacity(templates.len());
        let mut options_end = false;
        let mut total = 0;
        for (index, template) in templates.iter().enumerate() {
            let at = at.clone().push_index(index);
            let Some(filled) = self.kept(filler.action(&at, template, Place::Argument)) else {
                continue;
            };
            let text = filled.text.expose();
            if filled.leads && text.starts_with('-') && !options_end && !is_number(text) {
                let message = "the value begins with a hyphen, and may be taken for an option";
                self.warnings.push(rules::OPTION_VALUE.at_pointer(at.clone(), message));
            }
            options_end |= template == "--";
            total += text.len();
            if total > filler.limits.document_bytes {
                let message = "the command line is too long";
                return self.refuse(rules::TEMPLATE_SIZE.at_pointer(at, message));
            }
            argv.push(text.to_owned());
        }
        let mut program = program?;
        program.argv.append(&mut argv);
        program.stdin = stdin.map(str::to_owned);
        Some(Step::Run(program))
    }

    fn request(
        &mut self,
        manifest: &Manifest<'_>,
        method: Method,
        path: &str,
        templates: &Keyed<'_, Text<'_>>,
        filler: &Filler<'_>,
        input: &Document<'_>,
    ) -> Option<Step> {
        let endpoint = self.endpoint(manifest);
        let at = self.at.clone().push("path");
        let path = self.kept(filler.action(&at, path, Place::Path));
        let headers =
            filled_headers(&self.at.clone().push("headers"), templates, |at, template| {
                filler.action(at, template, Place::Header).map(|filled| filled.text)
            });
        let headers = headers.map_err(|mut errors| self.errors.append(&mut errors)).ok();
        let (endpoint, path, mut headers) = (endpoint?, path?, headers?);
        let rest = self.kept(without(input, &path.inputs))?;
        let body = match method {
            Method::Post | Method::Put | Method::Patch => {
                if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
                    let json = Sensitive::public("application/json");
                    headers.push(("Content-Type".to_owned(), json));
                }
                Some(Sensitive::public(rest))
            }
            Method::Get | Method::Delete => {
                self.unsent(&rest, filler.limits, templates);
                None
            }
        };
        let url = format!("{endpoint}{}", path.text.expose());
        match http::check(&url) {
            Err(error) => return self.refuse(install_manifest::rules::URL.at_pointer(at, error)),
            Ok(found) if !found.secure && headers.iter().any(|(_, value)| value.is_secret()) => {
                let message = "a secret is sent without encryption";
                let at = Pointer::root().push("runtime").push("endpoint_url");
                self.warnings.push(install_manifest::rules::INSECURE_URL.at_pointer(at, message));
            }
            Ok(_) => {}
        }
        Some(Step::Send(Request { method, url, headers, body }))
    }

    /// The server that paths are appended to.
    fn endpoint(&mut self, manifest: &Manifest<'_>) -> Option<String> {
        let at = Pointer::root().push("runtime").push("endpoint_url");
        let Some(endpoint) = &manifest.runtime.endpoint_url else {
            let message = "there is no \"endpoint_url\" to send a request to";
            return self.refuse(install_manifest::rules::ACTION_RUNTIME.at_pointer(at, message));
        };
        if let Err(error) = http::check(endpoint) {
            return self.refuse(install_manifest::rules::URL.at_pointer(at, error));
        }
        if endpoint.contains(['?', '#']) {
            let message = "the endpoint has a query or a fragment";
            return self.refuse(rules::ENDPOINT.at_pointer(at, message));
        }
        Some(endpoint.strip_suffix('/').unwrap_or(endpoint).to_owned())
    }

    /// Says what of the input is not part of a request without a body.
    fn unsent(&mut self, rest: &str, limits: &Limits, headers: &Keyed<'_, Text<'_>>) {
        let Ok(rest) = Document::parse(rest.as_bytes(), limits) else { return };
        let parts =
            headers.iter().flat_map(|(_, value)| template::parse(value).unwrap_or_default());
        let in_headers: Vec<&str> = parts
            .filter_map(|part| match part {
                Part::Input(path) => path.split('.').next(),
                Part::Text(_) | Part::Env(_) => None,
            })
            .collect();
        for member in rest.root().members() {
            let name = member.name();
            if !in_headers.contains(&name.as_ref()) {
                let message = format!("{} is not sent", quoted(&name));
                let at = Pointer::root().push(&name);
                self.warnings.push(rules::UNSENT_INPUT.at_pointer(at, message));
            }
        }
    }
}

/// Headers with their values, or all that is wrong with them.
pub(crate) fn filled_headers(
    at: &Pointer,
    headers: &Keyed<'_, Text<'_>>,
    fill: impl Fn(&Pointer, &str) -> Result<Sensitive, Diagnostic>,
) -> Result<Vec<(String, Sensitive)>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut filled = Vec::new();
    let mut seen = BTreeSet::new();
    for (name, template) in headers.iter() {
        let at = at.clone().push(name);
        let lower = name.to_ascii_lowercase();
        let wrong = if !http::is_header_name(name) {
            Some((&install_manifest::rules::HEADER, "is not the name of a header"))
        } else if http::FRAMING.contains(&lower.as_str()) {
            Some((&install_manifest::rules::HEADER_RESERVED, "is for the client to set"))
        } else if seen.contains(&lower) {
            Some((&install_manifest::rules::HEADER, "is there in another case too"))
        } else {
            None
        };
        if let Some((rule, what)) = wrong {
            errors.push(rule.at_pointer(at, format!("{} {what}", quoted(name))));
            continue;
        }
        seen.insert(lower);
        match fill(&at, template) {
            Ok(value) => filled.push((name.to_owned(), value)),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(filled) } else { Err(errors) }
}

/// The input without what is in the path, and every other byte as it was.
fn without(input: &Document<'_>, paths: &[&str]) -> Result<String, Diagnostic> {
    let pointer = |path: &str| path.split('.').fold(Pointer::root(), Pointer::push);
    let mut pointers: Vec<Pointer> = paths.iter().map(|path| pointer(path)).collect();
    pointers.sort();
    pointers.dedup();
    // What is inside something that goes, goes with it.
    let inside = |inner: &Pointer| {
        pointers.iter().any(|outer| outer != inner && inner.strip_prefix(outer).is_some())
    };
    let edits: Vec<Edit> =
        pointers.iter().filter(|p| !inside(p)).cloned().map(Edit::Remove).collect();
    apply(input, &edits)
        .map_err(|error| rules::INPUT.at_pointer(Pointer::root(), error.to_string()))
}

/// A number is no option, though it may begin with a hyphen.
fn is_number(text: &str) -> bool {
    manifest_core::json::Number::parse(text).is_some()
}
