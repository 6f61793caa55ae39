//! What must be there before tools run that call the bridge.

use serde::Serialize;

use super::format::Format;
use super::{Outcome, Runs};
use crate::descriptor::{Command, Invocation, McpTool, Node, ToolDescriptor};
use crate::path::{Flavour, is_absolute};

/// Something that tools need before they run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Need {
    /// What it is, in one line.
    pub what: &'static str,
    /// The tools that need it, by their ids in the source.
    pub tools: Vec<String>,
}

const BRIDGE: &str = "`toolglot bridge`, which is not in this version yet";
const PROGRAM: &str = "the program of the source, installed as the source says";
const FOLDER: &str = "the folder of the source: its call is relative to that, and the line of the \
                      bridge does not name it";

/// What the tools need that call the bridge.
pub(super) fn needs(tools: &[ToolDescriptor<'_>], outcomes: &[Outcome], to: &Format) -> Vec<Need> {
    let mut found =
        [BRIDGE, to.bridge_needs, PROGRAM, FOLDER].map(|what| Need { what, tools: Vec::new() });
    for (tool, outcome) in tools.iter().zip(outcomes) {
        if outcome.runs != Runs::ThroughTheBridge {
            continue;
        }
        let starts = tool.calls().any(starts_a_program);
        let asked = [
            true,
            !to.bridge_needs.is_empty(),
            starts && tool.package.acquisition.is_some(),
            tool.calls().any(is_relative),
        ];
        for (need, _) in found.iter_mut().zip(asked).filter(|(_, asked)| *asked) {
            need.tools.push(outcome.id.clone());
        }
    }
    found.into_iter().filter(|need| !need.tools.is_empty()).collect()
}

/// Whether a call starts a program, or a function in one.
pub(super) fn starts_a_program(call: &Invocation<'_>) -> bool {
    match call {
        Invocation::Command(_)
        | Invocation::CommandLine(_)
        | Invocation::Python(_)
        | Invocation::Node(_) => true,
        Invocation::McpTool(McpTool { argv, tool: _, cwd: _, url: _ }) => !argv.is_empty(),
        Invocation::Http(_) | Invocation::RegistryTool(_) | Invocation::A2a(_) => false,
    }
}

/// Whether a call depends on the folder that the source is in.
fn is_relative(call: &Invocation<'_>) -> bool {
    let relative =
        |path: &str| !is_absolute(path, Flavour::Posix) && !is_absolute(path, Flavour::Windows);
    match call {
        Invocation::Command(Command { argv, cwd, input: _ })
        | Invocation::McpTool(McpTool { argv, cwd, tool: _, url: _ }) => {
            // A bare name is looked for elsewhere.
            let program = argv.first().filter(|program| program.contains(['/', '\\']));
            program.into_iter().chain(cwd).any(|path| relative(path))
        }
        // It runs in the folder of its package.
        Invocation::CommandLine(_) => true,
        Invocation::Node(Node { main, export: _ }) => relative(main),
        Invocation::Http(_)
        | Invocation::RegistryTool(_)
        | Invocation::Python(_)
        | Invocation::A2a(_) => false,
    }
}
