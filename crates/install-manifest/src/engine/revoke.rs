//! Plans the revocation of a tool, and judges its outcome.
//!
//! ```
//! use call::{Outcome, Step};
//! use toolglot_install_manifest::engine::revoke;
//! # use toolglot_install_manifest::{FORMAT, Manifest};
//! # use manifest_core::{Limits, json::Document};
//!
//! # let text = br#"{
//! #   "manifest_version": "0.2",
//! #   "tool": {"id": "tiny", "version": "1.0.0", "name": "Tiny", "summary": "Tiny.",
//! #     "homepage": "https://example.com"},
//! #   "runtime": {"kind": "mcp-stdio", "install": {"method": "pip", "package": "tiny"}},
//! #   "smoke": {"kind": "shell", "command": ["tiny"], "success": {}},
//! #   "kill_switch": {"kind": "url", "url": "https://example.com/installs/7"}
//! # }"#;
//! # let document = Document::parse(text, &Limits::default())?;
//! let manifest = Manifest::read(&document).ok_or("not a manifest")?;
//! let tools = FORMAT.lift_valid(&document, 0).tools;
//! let revocation = revoke::plan(&manifest, &tools, &|_| true)?;
//! let plan = revocation.plan.ok_or("something to do")?;
//! assert!(matches!(&plan.step, Step::Send(request) if request.method == "DELETE"));
//! // Gone is what it should be.
//! assert!(revoke::judge(&Outcome::Responded { status: 404, body: vec![] }).is_ok());
//! assert!(revoke::judge(&Outcome::Responded { status: 403, body: vec![] }).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::{KillSwitch, Manifest, rules};
use call::{End, Instructions, Outcome, PlaceholderPosition, Plan, Request, Step, Template};
use manifest_core::descriptor::Invocation;
use manifest_core::template::{self, TemplatePart};
use manifest_core::url::HttpUrl;
use manifest_core::{Diagnostic, Pointer, ToolDescriptor, printable};
use serde::Serialize;

use crate::engine::plan_step;
use crate::http;

/// The plan of a revocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Revocation {
    /// The step that the kill switch requires, or `None` for the kill switch `none`. A
    /// program can be run again after a failure.
    ///
    /// If the manifest declares secrets, a request contains them as headers, as the actions
    /// send them to the same service. If no action sends any, or if the actions differ, a
    /// person is asked to send the request.
    pub plan: Option<Plan>,
    /// The secrets that the host stores for the tool, to delete after the revocation.
    pub forget: Vec<String>,
}

/// Plans the revocation of a tool. `tools` are the tools of the same document, and `has`
/// returns true if a variable has a value.
pub fn plan(
    manifest: &Manifest<'_>,
    tools: &[ToolDescriptor<'_>],
    has: &dyn Fn(&str) -> bool,
) -> Result<Revocation, Diagnostic> {
    let at = Pointer::root().push("kill_switch");
    let step = match &manifest.kill_switch {
        KillSwitch::None {} => None,
        KillSwitch::Url { url } => {
            let to = http::parse_url(url)
                .map_err(|error| rules::URL.at_pointer(at.push("url"), error))?;
            Some(revocation_step(url, credentials(manifest, tools, &to)))
        }
        KillSwitch::Shell { command } => {
            Some(plan_step::command_step(manifest, command, at.push("command"))?)
        }
        KillSwitch::Manual { instructions_url, instructions } => Some(Step::Ask(Instructions {
            url: instructions_url.as_ref().map(ToString::to_string),
            text: instructions.as_ref().map(ToString::to_string),
        })),
    };
    Ok(Revocation {
        plan: step.map(|step| plan_step::plan(manifest, tools, step, has)),
        forget: secret_names(manifest).into_iter().map(str::to_owned).collect(),
    })
}

/// Returns the request that revokes the tool, or instructions for a person if the
/// credentials are unknown.
fn revocation_step(url: &str, headers: Option<Vec<(String, Template)>>) -> Step {
    let Some(headers) = headers else {
        let text = "send DELETE to this URL with the credentials of the installation: the manifest \
                    does not say how they are sent";
        return Step::Ask(Instructions { url: Some(url.to_owned()), text: Some(text.to_owned()) });
    };
    Step::Send(Request { method: "DELETE".to_owned(), url: url.into(), headers, body: None })
}

/// Returns the headers that authenticate a request, as the actions send them to the same
/// service. Returns `None` if no action sends any, or if the actions differ. Without
/// secrets, no headers are needed.
fn credentials(
    manifest: &Manifest<'_>,
    tools: &[ToolDescriptor<'_>],
    to: &HttpUrl<'_>,
) -> Option<Vec<(String, Template)>> {
    let secrets: BTreeSet<&str> = secret_names(manifest).into_iter().collect();
    if secrets.is_empty() {
        return Some(Vec::new());
    }
    let mut found: Option<BTreeMap<String, Template>> = None;
    for call in tools.iter().flat_map(ToolDescriptor::invocations) {
        let Invocation::Http(http) = call else { continue };
        if !is_same_service(&http.url, to) {
            continue;
        }
        let mut headers = BTreeMap::new();
        for (name, value) in http.headers.iter() {
            if let Some(template) = secret_header(value, &secrets) {
                headers.insert(name.to_ascii_lowercase(), template);
            }
        }
        match &found {
            _ if headers.is_empty() => {}
            Some(known) if *known != headers => return None,
            _ => found = Some(headers),
        }
    }
    Some(found?.into_iter().collect())
}

/// Returns the names of the secrets that the manifest declares.
fn secret_names<'m>(manifest: &'m Manifest<'_>) -> Vec<&'m str> {
    let secrets = manifest.env.iter().filter(|variable| variable.secret);
    secrets.map(|variable| variable.name.as_ref()).collect()
}

/// Returns true if a URL belongs to the same service. A secret is never sent to another
/// service.
fn is_same_service(text: &str, to: &HttpUrl<'_>) -> bool {
    let Ok(url) = http::parse_url(text) else { return false };
    url.secure == to.secure
        && url.normal_host() == to.normal_host()
        && url.effective_port() == to.effective_port()
}

/// Returns the template of a header that contains a secret, but no arguments of the call.
fn secret_header(value: &str, secrets: &BTreeSet<&str>) -> Option<Template> {
    let (mut template, mut found) = (Template::default(), false);
    for part in template::parse(value).ok()? {
        match part {
            TemplatePart::Text(text) => template.push_text(text),
            TemplatePart::Env(name) => {
                found |= secrets.contains(name);
                template.push_placeholder(name, PlaceholderPosition::Header);
            }
            TemplatePart::Input(_) => return None,
        }
    }
    if found { Some(template) } else { None }
}

/// Fails if the tool is not revoked. A service that no longer knows the installation has
/// revoked it.
pub fn judge(outcome: &Outcome) -> Result<(), String> {
    match outcome {
        Outcome::Exited { end: End::Exit(0), .. }
        | Outcome::Responded { status: 200..=299 | 404 | 410, .. }
        | Outcome::Done => Ok(()),
        Outcome::Exited { end: End::Exit(code), .. } => Err(format!("the exit code is {code}")),
        Outcome::Exited { end: End::Signal { .. }, .. } => {
            Err("a signal ended the program".to_owned())
        }
        Outcome::Responded { status, .. } => Err(format!("the status is {status}")),
        Outcome::Returned(_) | Outcome::Value(_) => {
            Err("a tool's result revokes nothing".to_owned())
        }
        Outcome::TimedOut => Err("there was no answer in time".to_owned()),
        Outcome::TooMuch { limit } => Err(format!("more than {limit} bytes came back")),
        Outcome::NotDone(reason) | Outcome::Lost(reason) | Outcome::Threw(reason) => {
            Err(printable(reason, 256))
        }
    }
}
