//! Revoking a tool.
//!
//! ```
//! use install_engine::env::Values;
//! use install_engine::plan::Outcome;
//! use install_engine::revoke;
//! use install_manifest::KillSwitch;
//!
//! let switch = KillSwitch::Url { url: "https://example.com/installs/7".into() };
//! let plan = revoke::plan(&switch, &[], &Values::default())?;
//! assert!(matches!(&plan.step, revoke::Step::Send(request) if request.method.word() == "DELETE"));
//! // Gone is what it should be.
//! assert!(revoke::judge(&Outcome::Responded { status: 404, body: b"" }).is_ok());
//! assert!(revoke::judge(&Outcome::Responded { status: 403, body: b"" }).is_err());
//! # Ok::<(), manifest_core::Diagnostic>(())
//! ```

use install_manifest::{EnvVar, KillSwitch, Method, rules};
use manifest_core::{Diagnostic, Pointer, printable};
use serde::Serialize;

use crate::http;
use crate::plan::{Outcome, Program, Request, declared};
use crate::values::Values;

/// How to revoke a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// What the kill switch asks for.
    pub step: Step,
    /// The secrets that the host holds for the tool, to delete when that is done.
    pub forget: Vec<String>,
}

/// What a kill switch asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[allow(clippy::exhaustive_enums)] // hosts must handle every one
pub enum Step {
    /// Nothing: the tool holds nothing.
    Nothing,
    /// Run a program. It may be run again.
    Run(Program),
    /// Send a request, with the credentials of the installation as the service
    /// wants them. The format does not say how; the host knows its service.
    Send(Request),
    /// Show this to the owner, as it is.
    Tell {
        /// Where to read how.
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<String>,
        /// How.
        #[serde(skip_serializing_if = "Option::is_none")]
        instructions: Option<String>,
    },
}

/// Plans the revocation of a tool.
pub fn plan(
    kill_switch: &KillSwitch<'_>,
    env: &[EnvVar<'_>],
    values: &Values,
) -> Result<Plan, Diagnostic> {
    let at = |name: &str| Pointer::root().push("kill_switch").push(name);
    let step = match kill_switch {
        KillSwitch::None {} => Step::Nothing,
        KillSwitch::Url { url } => {
            http::check(url).map_err(|error| rules::URL.at_pointer(at("url"), error))?;
            Step::Send(Request {
                method: Method::Delete,
                url: url.clone().into_owned(),
                headers: Vec::new(),
                body: None,
            })
        }
        KillSwitch::Shell { command } => {
            if command.is_empty() || command.iter().any(|part| part.contains('\0')) {
                let message = "a command must name a program, and must not hold a NUL";
                return Err(rules::CONTROL_CHARACTER.at_pointer(at("command"), message));
            }
            let argv = command.iter().map(|part| part.clone().into_owned()).collect();
            Step::Run(Program::new(argv, declared(env, values)))
        }
        KillSwitch::Manual { instructions_url, instructions } => Step::Tell {
            url: instructions_url.as_ref().map(|url| url.clone().into_owned()),
            instructions: instructions.as_ref().map(|text| text.clone().into_owned()),
        },
    };
    let secrets = env.iter().filter(|variable| variable.secret);
    let forget = secrets.map(|variable| variable.name.clone().into_owned()).collect();
    Ok(Plan { step, forget })
}

/// Whether the tool is revoked now, or why not. A service that knows the
/// installation no longer has revoked it.
pub fn judge(outcome: &Outcome<'_>) -> Result<(), String> {
    match *outcome {
        Outcome::Exited { code: Some(0), .. }
        | Outcome::Responded { status: 200..=299 | 404 | 410, .. } => Ok(()),
        Outcome::Exited { code: Some(code), .. } => Err(format!("the exit code is {code}")),
        Outcome::Exited { code: None, .. } => Err("a signal ended the program".to_owned()),
        Outcome::Responded { status, .. } => Err(format!("the status is {status}")),
        Outcome::Returned { .. } => Err("a tool's result revokes nothing".to_owned()),
        Outcome::TimedOut => Err("there was no answer in time".to_owned()),
        Outcome::NotDone(reason) => Err(printable(reason, 256)),
    }
}
