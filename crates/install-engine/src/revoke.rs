//! Revoking a tool.
//!
//! ```
//! use call::{Outcome, Step};
//! use install_engine::revoke;
//! # use install_manifest::{FORMAT, Manifest};
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
//! let tools = FORMAT.read_as(&document, 0).tools;
//! let revocation = revoke::plan(&manifest, &tools, &|_| true)?;
//! let plan = revocation.plan.ok_or("something to do")?;
//! assert!(matches!(&plan.step, Step::Send(request) if request.method == "DELETE"));
//! // Gone is what it should be.
//! assert!(revoke::judge(&Outcome::Responded { status: 404, body: vec![] }).is_ok());
//! assert!(revoke::judge(&Outcome::Responded { status: 403, body: vec![] }).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use call::{End, Instructions, Outcome, Plan, Request, Step};
use install_manifest::{KillSwitch, Manifest, rules};
use manifest_core::{Diagnostic, Pointer, ToolDescriptor, printable};
use serde::Serialize;

use crate::{http, own};

/// How to revoke a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Revocation {
    /// What the kill switch asks for; nothing, where the tool holds nothing. A program may be
    /// run again. To a request, the host adds the credentials of the installation as the
    /// service wants them: the format does not say how.
    pub plan: Option<Plan>,
    /// The secrets that the host holds for the tool, to delete when that is done.
    pub forget: Vec<String>,
}

/// Plans the revocation of a tool. `tools` are those of the same document, and `has` says
/// whether a variable has a value.
pub fn plan(
    manifest: &Manifest<'_>,
    tools: &[ToolDescriptor<'_>],
    has: &dyn Fn(&str) -> bool,
) -> Result<Revocation, Diagnostic> {
    let at = |name: &str| Pointer::root().push("kill_switch").push(name);
    let step = match &manifest.kill_switch {
        KillSwitch::None {} => None,
        KillSwitch::Url { url } => {
            http::check(url).map_err(|error| rules::URL.at_pointer(at("url"), error))?;
            let (method, url) = ("DELETE".to_owned(), url.to_string().into());
            Some(Step::Send(Request { method, url, headers: Vec::new(), body: None }))
        }
        KillSwitch::Shell { command } => Some(own::program(manifest, command, at("command"))?),
        KillSwitch::Manual { instructions_url, instructions } => Some(Step::Ask(Instructions {
            url: instructions_url.as_ref().map(ToString::to_string),
            text: instructions.as_ref().map(ToString::to_string),
        })),
    };
    let secrets = manifest.env.iter().filter(|variable| variable.secret);
    Ok(Revocation {
        plan: step.map(|step| own::plan(manifest, tools, step, has)),
        forget: secrets.map(|variable| variable.name.to_string()).collect(),
    })
}

/// Whether the tool is revoked now, or why not. A service that knows the
/// installation no longer has revoked it.
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
