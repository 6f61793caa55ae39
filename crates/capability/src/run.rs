//! Running a capability: a plan for the host, and a judgement of what came back.

use std::time::Duration;

use manifest_core::descriptor::Filesystem;
use manifest_core::json::{Document, Raw};
use manifest_core::{Diagnostic, Limits};

use crate::layers::Layers;
use crate::manifest::{Channel, Implementation, ImplementationKind, Manifest, Sandbox, Secret};
use crate::policy::{Denial, Policy};
use crate::rules;

/// The variables of the host's environment that a program gets, and no others.
pub const ENVIRONMENT: [&str; 3] = ["LANG", "LC_ALL", "TZ"];

const DEFAULT_SECONDS: f64 = 30.0;
const MOST_SECONDS: f64 = 300.0;

/// Exactly what a host is to do for one call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan<'a> {
    /// What to call.
    pub call: Call<'a>,
    /// The sandbox to call it in.
    pub sandbox: Sandbox,
    /// CPU, in the host's words.
    pub cpu: &'a str,
    /// Memory, in the host's words.
    pub memory: &'a str,
    /// When to give up.
    pub timeout: Duration,
    /// The variables to pass on from the host's environment.
    pub environment: &'static [&'static str],
    /// Secrets to look up where they are kept, and to pass under their names.
    pub secrets: &'a [Secret<'a>],
    /// What it may do with files.
    pub filesystem: Filesystem,
    /// The devices that it may use.
    pub devices: Vec<&'a str>,
}

/// What to call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call<'a> {
    /// A program, without a shell.
    Command {
        /// The program and its arguments.
        argv: Vec<&'a str>,
    },
    /// A Python function.
    Python {
        /// The module to import.
        module: &'a str,
        /// The function in it.
        function: &'a str,
    },
    /// A tool of an MCP server. The registry has passed the policy.
    McpTool {
        /// The registry to ask for the server.
        registry_url: &'a str,
        /// The server's name there.
        server: Option<&'a str>,
        /// The tool's name.
        tool: &'a str,
    },
    /// An agent that speaks A2A. The endpoint has passed the policy.
    A2a {
        /// Where to send the call.
        endpoint: &'a str,
    },
}

/// Plans a call of a capability that a catalog declares.
pub fn plan_declared<'l>(
    layers: &'l Layers,
    id: &str,
    channel: Channel,
    policy: &Policy,
) -> Result<Plan<'l>, Denial> {
    match layers.get(id) {
        Some(shown) => plan(shown.entry.manifest(), channel, policy),
        None => Err(Denial::new(&rules::POLICY_UNDECLARED, "capability not declared")),
    }
}

/// Plans a call of a capability, if policy allows it.
pub fn plan<'m>(
    manifest: &'m Manifest<'_>,
    channel: Channel,
    policy: &Policy,
) -> Result<Plan<'m>, Denial> {
    policy.may_run(manifest, channel)?;
    let call = manifest.implementation.as_ref().and_then(call);
    let missing = "the capability does not say how it is called";
    let call = call.ok_or_else(|| Denial::new(&rules::POLICY_IMPLEMENTATION, missing))?;
    match &call {
        Call::McpTool { registry_url: url, .. } | Call::A2a { endpoint: url } => {
            policy.may_connect(manifest, url)?;
        }
        Call::Command { .. } | Call::Python { .. } => {}
    }
    let runtime = &manifest.runtime;
    Ok(Plan {
        call,
        sandbox: runtime.sandbox,
        cpu: &runtime.resources.cpu,
        memory: &runtime.resources.memory,
        timeout: timeout(manifest),
        environment: &ENVIRONMENT,
        secrets: &manifest.secrets,
        filesystem: manifest.permissions.filesystem,
        devices: manifest.permissions.devices.iter().map(AsRef::as_ref).collect(),
    })
}

/// Zero and nothing mean the default; what is more than the most is the most.
fn timeout(manifest: &Manifest<'_>) -> Duration {
    let seconds = manifest.runtime.timeout_seconds.as_ref();
    let seconds = seconds.filter(|seconds| seconds.is_positive());
    let seconds =
        seconds.map_or(DEFAULT_SECONDS, |seconds| seconds.to_f64().unwrap_or(MOST_SECONDS));
    Duration::from_secs_f64(seconds.clamp(0.0, MOST_SECONDS))
}

/// What the block of the kind says.
fn call<'m>(implementation: &'m Implementation<'_>) -> Option<Call<'m>> {
    match implementation.kind {
        ImplementationKind::Command => {
            let argv: Vec<&str> =
                implementation.command.as_ref()?.argv.iter().map(AsRef::as_ref).collect();
            (!argv.is_empty()).then_some(Call::Command { argv })
        }
        ImplementationKind::Python => {
            let (module, function) = implementation.python.as_ref()?.callable.split_once(':')?;
            Some(Call::Python { module, function })
        }
        ImplementationKind::McpTool => {
            let mcp = implementation.mcp.as_ref()?;
            Some(Call::McpTool {
                registry_url: &mcp.registry_url,
                server: mcp.server_id.as_deref(),
                tool: &mcp.tool_name,
            })
        }
        ImplementationKind::A2aRpc => {
            Some(Call::A2a { endpoint: &implementation.a2a.as_ref()?.endpoint })
        }
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<'o> {
    /// The program ended, or the peer answered, with these bytes.
    Answered(&'o [u8]),
    /// The program ended with this code, or the peer with this status.
    Failed(i32),
    /// The time was up.
    TimedOut,
}

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// It failed with this code.
    Code(i32),
    /// It took too long.
    TimedOut,
    /// Its answer is not JSON that one would take.
    NotJson(Box<Diagnostic>),
}

/// The result of a call, kept as it was written.
pub fn judge(outcome: Outcome<'_>, limits: &Limits) -> Result<Raw<'static>, Failure> {
    match outcome {
        Outcome::Failed(code) => Err(Failure::Code(code)),
        Outcome::TimedOut => Err(Failure::TimedOut),
        Outcome::Answered(bytes) => match Document::parse(bytes, limits) {
            Ok(document) => Ok(Raw::from_node(document.root()).into_owned()),
            Err(diagnostic) => Err(Failure::NotJson(Box::new(diagnostic))),
        },
    }
}
