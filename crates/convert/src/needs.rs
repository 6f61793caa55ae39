//! Prerequisites of converted tools.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use diagnostic::quoted;
use manifest_core::descriptor::{
    Acquisition, Command, Implementation, Invocation, McpTool, ToolDescriptor,
};
use manifest_core::format::Format;
use manifest_core::path::{PathStyle, is_absolute};
use serde::{Deserialize, Serialize};

use crate::output::{RunMode, ToolOutcome};

/// The kind of a prerequisite.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NeedKind {
    /// A prerequisite of no other kind.
    #[default]
    Other,
    /// The program of the bridge, and a copy of the source among the
    /// [files](crate::Conversion::files).
    Bridge,
    /// A file that starts the bridge, among the [files](crate::Conversion::files).
    Launcher,
    /// A host of the target's format that runs the bridge's command line.
    BridgeHost,
    /// A gateway that serves the source.
    Gateway,
    /// A host of the target's format that runs any converted tool.
    Host,
    /// Our program, which the target requires to be installed.
    Toolglot,
    /// The program of the source, which the source installs.
    SourceProgram,
    /// The program that starts the server of the source, on the search path.
    ServerProgram,
    /// The files that the call of the source names, as
    /// [`ConversionFiles::copies`](crate::ConversionFiles) lists them.
    SourceFiles,
    /// The folder of the source, in which its call runs.
    SourceFolder,
    /// The requirements of the source on the host of an implementation.
    HostRequirements,
    /// Secrets under the names that the target gives them.
    RenamedSecrets,
    /// A tool that the chain of the source calls.
    ChainedTool,
}

/// Something that tools need before they run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Need {
    /// The kind.
    #[serde(default)]
    pub kind: NeedKind,
    /// A description in one line.
    pub what: Cow<'static, str>,
    /// The tools that need it, by their ids in the source.
    pub tools: Vec<String>,
}

const BRIDGE: &str =
    "`toolglot` on the search path, and a copy of the source where the bridge looks";
const GATEWAY: &str = "`toolglot serve` at the gateway, with the source in the folder that it serves, \
                       and its token: in the URL for Unison, in `TOOLGLOT_TOKEN` for MCPKG";
const TOOLGLOT: &str = "`toolglot` on the search path";
const PROGRAM: &str = "the program of the source, installed as the source says";
const FILES: &str = "the files that the call of the source names";
const FOLDER: &str = "the folder of the source: its call runs there";
const HOST_REQUIREMENTS: &str = "what the source asks of a host for its implementations: `runtime` and \
                    `requirements`";
const RENAMED_SECRETS: &str = "its secrets under the names that the target has, which are not those of \
                       the source";

/// Prerequisites in the order of discovery.
#[derive(Default)]
pub(crate) struct Needs {
    list: Vec<Need>,
    known: BTreeMap<Cow<'static, str>, usize>,
}

impl Needs {
    pub(crate) fn into_list(self) -> Vec<Need> {
        self.list
    }

    fn add_need(&mut self, kind: NeedKind, what: Cow<'static, str>, outcome: &ToolOutcome) {
        let at = *self.known.entry(what.clone()).or_insert(self.list.len());
        match self.list.get_mut(at) {
            // A chain may call one tool twice.
            Some(need) if need.tools.last() == Some(&outcome.id) => {}
            Some(need) => need.tools.push(outcome.id.clone()),
            None => self.list.push(Need { kind, what, tools: vec![outcome.id.clone()] }),
        }
    }

    /// Adds the prerequisites of one tool.
    pub(crate) fn add(
        &mut self,
        [source, target]: [&ToolDescriptor<'_>; 2],
        to: &Format,
        outcome: &ToolOutcome,
    ) {
        let bridged = match outcome.runs {
            RunMode::AsItIs => false,
            RunMode::ThroughTheBridge => true,
            RunMode::Not(_) => return,
        };
        let starts = source.invocations().any(starts_a_program);
        let by_gateway = bridged && target.invocations().any(calls_gateway);
        let by_line = bridged && !by_gateway;
        let installs = source.package.acquisition.is_some();
        let requires_host = source.implementations.iter().any(has_host_requirements);
        let has_launcher = target.invocations().any(|call| call.bridge_file().is_some());
        let host = if has_launcher { NeedKind::Launcher } else { NeedKind::BridgeHost };
        let asked = [
            (by_gateway, NeedKind::Gateway, GATEWAY),
            (by_line, NeedKind::Bridge, BRIDGE),
            (by_line && !to.bridge_needs.is_empty(), host, to.bridge_needs),
            (!to.host_needs.is_empty(), NeedKind::Host, to.host_needs),
            (!bridged && installs_toolglot(source, target), NeedKind::Toolglot, TOOLGLOT),
            (bridged && starts && installs, NeedKind::SourceProgram, PROGRAM),
            (by_line && !source.local_files().is_empty(), NeedKind::SourceFiles, FILES),
            (
                by_line && source.invocations().any(has_relative_folder),
                NeedKind::SourceFolder,
                FOLDER,
            ),
            (bridged && requires_host, NeedKind::HostRequirements, HOST_REQUIREMENTS),
            (by_line && renames_secrets(source, target), NeedKind::RenamedSecrets, RENAMED_SECRETS),
        ];
        for (is_needed, kind, what) in asked {
            if is_needed {
                self.add_need(kind, Cow::Borrowed(what), outcome);
            }
        }
        // The program of a package that is installed first exists by then.
        if source.package.acquisition.is_none() {
            for program in source.invocations().filter_map(server_program) {
                let what = format!("`{program}` on the search path");
                self.add_need(NeedKind::ServerProgram, Cow::Owned(what), outcome);
            }
        }
        if bridged {
            for step in &source.chain {
                let tool = quoted(&step.tool);
                let what = format!("the tool {tool}, which its chain calls, in .mcp/tools");
                self.add_need(NeedKind::ChainedTool, Cow::Owned(what), outcome);
            }
        }
    }
}

/// Returns true if the target requires our program to be installed, and the tool requires
/// no installation.
fn installs_toolglot(source: &ToolDescriptor<'_>, target: &ToolDescriptor<'_>) -> bool {
    match target.package.acquisition.as_deref() {
        Some(Acquisition::Preinstalled { locator }) => {
            source.package.acquisition.is_none() && locator.as_str().contains("\"toolglot\"")
        }
        _ => false,
    }
}

fn has_host_requirements(one: &Implementation<'_>) -> bool {
    one.runtime.is_some() || one.requirements.is_some()
}

/// Returns true if the target gives the variables of a tool other names.
fn renames_secrets(source: &ToolDescriptor<'_>, target: &ToolDescriptor<'_>) -> bool {
    let (before, after) = (&source.package.env, &target.package.env);
    let own: BTreeSet<&str> = before.iter().map(|variable| variable.name.as_ref()).collect();
    !own.is_empty() && after.iter().any(|variable| !own.contains(variable.name.as_ref() as &str))
}

/// Returns true if a call starts a program, or a function in one.
pub(crate) fn starts_a_program(call: &Invocation<'_>) -> bool {
    match call {
        Invocation::Command(_)
        | Invocation::CommandLine(_)
        | Invocation::Python(_)
        | Invocation::Node(_) => true,
        Invocation::McpTool(McpTool { argv, tool: _, cwd: _, url: _ }) => !argv.is_empty(),
        Invocation::Http(_) | Invocation::RegistryTool(_) | Invocation::A2a(_) => false,
    }
}

/// Returns the program that starts a server, if it is looked up on the search path.
fn server_program<'t>(call: &'t Invocation<'_>) -> Option<&'t str> {
    let Invocation::McpTool(McpTool { argv, tool: _, cwd: _, url: _ }) = call else { return None };
    let program: &str = argv.first()?.as_ref();
    (!call.is_pinned() && !program.contains(['/', '\\'])).then_some(program)
}

/// Returns true if a call goes to a gateway.
pub(crate) fn calls_gateway(call: &Invocation<'_>) -> bool {
    matches!(call, Invocation::Http(_) | Invocation::RegistryTool(_)) && call.is_pinned()
}

/// Returns true if the working directory of a call is relative to the folder of the source.
fn has_relative_folder(call: &Invocation<'_>) -> bool {
    match call {
        Invocation::Command(Command { argv: _, cwd: Some(cwd), input: _ })
        | Invocation::McpTool(McpTool { argv: _, cwd: Some(cwd), tool: _, url: _ }) => {
            !is_absolute(cwd, PathStyle::Posix) && !is_absolute(cwd, PathStyle::Windows)
        }
        // A command line runs in the folder of its package.
        Invocation::CommandLine(_) => true,
        Invocation::Command(_)
        | Invocation::McpTool(_)
        | Invocation::Node(_)
        | Invocation::Http(_)
        | Invocation::RegistryTool(_)
        | Invocation::Python(_)
        | Invocation::A2a(_) => false,
    }
}
