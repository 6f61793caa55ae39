//! What a host does to call a tool, and what to make of the answer.
//!
//! Nothing is sent or run here: a [`Plan`] says exactly what to do.

use std::borrow::Cow;
use std::time::Duration;

use manifest_core::json::{Document, Number, quote};
use manifest_core::{Limits, Profile};

use crate::manifest::{Auth, Endpoint, Manifest};

/// How to make one call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Plan<'a> {
    /// Send a request.
    Http {
        /// The method, in upper case.
        method: String,
        /// The URL.
        url: &'a str,
        /// The body, which is JSON. The specification does not say how the
        /// arguments travel; the published tool sends them so with every method.
        body: &'a str,
        /// What to authenticate with.
        credential: Option<Credential<'a>>,
    },
    /// Run a program, without a shell.
    Command {
        /// The program and its arguments. The last one is the input, as JSON.
        argv: Vec<String>,
    },
}

/// What a request is authenticated with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Credential<'a> {
    /// The header.
    pub header: &'static str,
    /// What stands before the secret in it.
    pub prefix: &'static str,
    /// Environment variables that may hold the secret, best first. The host looks;
    /// this library never does.
    pub env: Vec<&'a str>,
}

/// Why there is no plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// The endpoint is neither HTTP nor local, or lacks what it needs.
    Endpoint,
    /// The command line can be run by a shell only.
    Shell,
    /// The credentials have to be obtained by a flow that is not described.
    Auth,
}

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Endpoint => "the endpoint does not say how the tool is called",
            Self::Shell => "the command needs a shell, and is not run",
            Self::Auth => "OAuth 2 credentials have to be obtained by the host",
        })
    }
}

impl std::error::Error for PlanError {}

/// The plan for a call of this endpoint with this input, which is JSON.
pub fn plan<'a>(
    manifest: &'a Manifest<'a>,
    endpoint: &'a Endpoint<'a>,
    input: &'a str,
) -> Result<Plan<'a>, PlanError> {
    match endpoint.kind.as_ref() {
        "http" => Ok(Plan::Http {
            method: endpoint.method.as_deref().ok_or(PlanError::Endpoint)?.to_ascii_uppercase(),
            url: endpoint.url.as_deref().ok_or(PlanError::Endpoint)?,
            body: input,
            credential: manifest.auth.as_ref().map(credential).transpose()?.flatten(),
        }),
        "local" => {
            let line = endpoint.command.as_deref().ok_or(PlanError::Endpoint)?;
            let mut argv = call::split_command_line(line).ok_or(PlanError::Shell)?;
            argv.push(input.to_owned());
            Ok(Plan::Command { argv })
        }
        _ => Err(PlanError::Endpoint),
    }
}

fn credential<'a>(auth: &'a Auth<'a>) -> Result<Option<Credential<'a>>, PlanError> {
    let (header, prefix) = match auth.kind.as_deref() {
        Some("bearer") => ("Authorization", "Bearer "),
        Some("api_key") => ("X-API-Key", ""),
        Some("oauth2") => return Err(PlanError::Auth),
        _ => return Ok(None),
    };
    let hints = auth.config_hints.as_ref();
    let env = hints.into_iter().flat_map(|hints| &hints.env).map(AsRef::as_ref).collect();
    Ok(Some(Credential { header, prefix, env }))
}

/// The result in the answer to a request, or why there is none.
///
/// Under `reference`, as in the published tool, the status makes no difference, a
/// blank body is an empty object, and a body that is not JSON is wrapped in one.
pub fn answer<'b>(
    status: u16,
    body: &'b [u8],
    profile: Profile,
    limits: &Limits,
) -> Result<Cow<'b, [u8]>, String> {
    let is_blank = body.iter().all(u8::is_ascii_whitespace);
    if profile == Profile::Reference {
        if is_blank {
            return Ok(Cow::Borrowed(b"{}"));
        }
        if Document::parse(body, limits).is_ok() {
            return Ok(Cow::Borrowed(body));
        }
        let text = quote(&String::from_utf8_lossy(body));
        let wrapped = format!("{{\"response\":{text},\"statusCode\":{status}}}");
        return Ok(Cow::Owned(wrapped.into_bytes()));
    }
    if !(200..300).contains(&status) {
        return Err(format!("the server answered with status {status}"));
    }
    if is_blank {
        return Err("the server answered with nothing".to_owned());
    }
    Ok(Cow::Borrowed(body))
}

/// How long a call of an endpoint may take, where it says.
pub fn timeout(endpoint: &Endpoint<'_>) -> Option<Duration> {
    milliseconds(endpoint.timeout_ms.as_ref()?)
}

/// So many milliseconds, when they are some.
pub(crate) fn milliseconds(number: &Number<'_>) -> Option<Duration> {
    let number = number.to_f64().filter(|number| *number > 0.0)?;
    Some(Duration::try_from_secs_f64(number / 1000.0).unwrap_or(Duration::MAX))
}
