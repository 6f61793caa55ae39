//! Plans of steps that are not calls.

use crate::{FORMAT, Manifest, rules};
use call::{Judge, OutcomeUse, Plan, Program, Step, Template};
use manifest_core::format::{HostRules, OutcomeRules};
use manifest_core::{Diagnostic, Pointer, Text, ToolDescriptor};

/// Returns the step that runs a command with all variables of the manifest. The command
/// contains no templates.
pub(crate) fn command_step(
    manifest: &Manifest<'_>,
    command: &[Text<'_>],
    at: Pointer,
) -> Result<Step, Diagnostic> {
    if command.is_empty() || command.iter().any(|part| part.contains('\0')) {
        let message = "a command must name a program, and must not hold a NUL";
        return Err(rules::CONTROL_CHARACTER.at_pointer(at, message));
    }
    let variables = manifest.env.iter().map(|variable| variable.name.to_string());
    Ok(Step::Run(Program { variables: variables.collect(), ..plain_program(command) }))
}

/// Returns a program that inherits the usual variables, and gets no variables of the tool.
pub(crate) fn plain_program<S: AsRef<str>>(argv: &[S]) -> Program {
    Program {
        argv: argv.iter().map(|word| Template::from(word.as_ref())).collect(),
        inherit: HostRules::PLAIN.inherited_env.iter().map(ToString::to_string).collect(),
        ..Program::default()
    }
}

/// Returns the plan of a step. A program must exit with code 0, and a server must answer
/// with a status of 2xx.
pub(crate) fn plan(
    manifest: &Manifest<'_>,
    tools: &[ToolDescriptor<'_>],
    step: Step,
    has: &dyn Fn(&str) -> bool,
) -> Plan {
    let then = OutcomeUse::Judge(Judge::for_reading(OutcomeRules::Declared));
    // All tools of a manifest share one package, which declares the variables.
    let nothing = ToolDescriptor::default();
    let tool = tools.first().unwrap_or(&nothing);
    let plan = Plan::from_step(tool, &(FORMAT.contract)(tool).host_rules, step, then, has);
    Plan { tool: manifest.tool.id.to_string(), ..plan }
}
