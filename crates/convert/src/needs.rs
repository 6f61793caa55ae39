//! What must be there before tools run.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use diagnostic::quoted;
use manifest_core::descriptor::{
    Acquisition, Command, EnvVar, Implementation, Invocation, McpTool, Node, ToolDescriptor,
};
use manifest_core::format::Format;
use manifest_core::path::{Flavour, is_absolute};
use serde::Serialize;

use crate::emitted::{Outcome, Runs};

/// Something that tools need before they run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Need {
    /// What it is, in one line.
    pub what: Cow<'static, str>,
    /// The tools that need it, by their ids in the source.
    pub tools: Vec<String>,
}

const BRIDGE: &str = "`toolglot bridge`, which is not in this version yet";
const PROGRAM: &str = "the program of the source, installed as the source says";
const FOLDER: &str = "the folder of the source: its call is relative to that, and the line of the \
                      bridge does not name it";
const MODULE: &str = "the Python module of the source, where the bridge can import it";
const HOST: &str = "what the source asks of a host for its implementations: `runtime` and \
                    `requirements`";
const RENAMED: &str = "its secrets under the names that the target has, which are not those of \
                       the source";

/// What tools need, in the order in which it was found.
#[derive(Default)]
pub(crate) struct Needs {
    list: Vec<Need>,
    known: BTreeMap<Cow<'static, str>, usize>,
}

impl Needs {
    pub(crate) fn into_list(self) -> Vec<Need> {
        self.list
    }

    fn say(&mut self, what: Cow<'static, str>, outcome: &Outcome) {
        let at = *self.known.entry(what.clone()).or_insert(self.list.len());
        match self.list.get_mut(at) {
            // A chain may call one tool twice.
            Some(need) if need.tools.last() == Some(&outcome.id) => {}
            Some(need) => need.tools.push(outcome.id.clone()),
            None => self.list.push(Need { what, tools: vec![outcome.id.clone()] }),
        }
    }

    /// Adds what one tool needs.
    pub(crate) fn add(
        &mut self,
        [source, target]: [&ToolDescriptor<'_>; 2],
        to: &Format,
        outcome: &Outcome,
    ) {
        let bridged = match outcome.runs {
            Runs::AsItIs => false,
            Runs::ThroughTheBridge => true,
            Runs::Not(_) => return,
        };
        let starts = source.calls().any(starts_a_program);
        let asked = [
            (bridged, BRIDGE),
            (
                bridged && !to.bridge_needs.is_empty() || installs_us(source, target),
                to.bridge_needs,
            ),
            (bridged && starts && source.package.acquisition.is_some(), PROGRAM),
            (bridged && source.calls().any(is_relative), FOLDER),
            (bridged && source.calls().any(|call| matches!(call, Invocation::Python(_))), MODULE),
            (bridged && source.implementations.iter().any(asks_of_a_host), HOST),
            (bridged && renames_secrets(source, target), RENAMED),
        ];
        for (_, what) in asked.into_iter().filter(|(asked, _)| *asked) {
            self.say(Cow::Borrowed(what), outcome);
        }
        for step in source.chain.iter().filter(|_| bridged) {
            let what = format!("the tool {}, which its chain calls", quoted(&step.tool));
            self.say(Cow::Owned(what), outcome);
        }
    }
}

/// Whether a target has our program installed for a tool that needs none.
fn installs_us(source: &ToolDescriptor<'_>, target: &ToolDescriptor<'_>) -> bool {
    match target.package.acquisition.as_deref() {
        Some(Acquisition::Preinstalled { locator }) => {
            source.package.acquisition.is_none() && locator.as_str().contains("\"toolglot\"")
        }
        _ => false,
    }
}

fn asks_of_a_host(one: &Implementation<'_>) -> bool {
    one.runtime.is_some() || one.requirements.is_some()
}

/// Whether a target has other names for what a tool is given.
fn renames_secrets(source: &ToolDescriptor<'_>, target: &ToolDescriptor<'_>) -> bool {
    let own = source.package.env.iter().map(|variable| variable.name.as_ref());
    let own: BTreeSet<&str> = own.collect();
    let other = |variable: &EnvVar<'_>| !own.contains(variable.name.as_ref() as &str);
    !own.is_empty() && target.package.env.iter().any(other)
}

/// Whether a call starts a program, or a function in one.
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

/// Whether a call depends on the folder that the source is in.
fn is_relative(call: &Invocation<'_>) -> bool {
    let relative =
        |path: &str| !is_absolute(path, Flavour::Posix) && !is_absolute(path, Flavour::Windows);
    match call {
        Invocation::Command(Command { argv, cwd, input: _ })
        | Invocation::McpTool(McpTool { argv, cwd, tool: _, url: _ }) => {
            let mut words = argv.iter();
            // A bare name is looked for elsewhere.
            let program = words.next().filter(|program| program.contains(['/', '\\']));
            program.into_iter().chain(cwd).any(|path| relative(path))
                || words.any(|word| is_script(word) && relative(word))
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

/// Whether a word of a line is the file that an interpreter is to run, as far as its name
/// tells.
fn is_script(word: &str) -> bool {
    const ENDINGS: [&str; 9] = ["js", "mjs", "cjs", "ts", "py", "rb", "sh", "pl", "jar"];
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    !word.starts_with('-')
        && !word.contains("://")
        && ending.is_some_and(|ending| ENDINGS.contains(&ending))
}
