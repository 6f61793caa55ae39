//! Plans of steps that are not calls.

use call::{Judge, Plan, Program, Step, Template, Then};
use install_manifest::{FORMAT, Manifest, rules};
use manifest_core::format::{Calling, Reading};
use manifest_core::{Diagnostic, Pointer, Text, ToolDescriptor};

/// Returns the step that runs a command with all variables of the manifest. The command
/// contains no templates.
pub(crate) fn program(
    manifest: &Manifest<'_>,
    command: &[Text<'_>],
    at: Pointer,
) -> Result<Step, Diagnostic> {
    if command.is_empty() || command.iter().any(|part| part.contains('\0')) {
        let message = "a command must name a program, and must not hold a NUL";
        return Err(rules::CONTROL_CHARACTER.at_pointer(at, message));
    }
    let variables = manifest.env.iter().map(|variable| variable.name.to_string());
    Ok(Step::Run(Program { variables: variables.collect(), ..plain(command) }))
}

/// Returns a program that inherits the usual variables, and gets no variables of the tool.
pub(crate) fn plain<S: AsRef<str>>(argv: &[S]) -> Program {
    Program {
        argv: argv.iter().map(|word| Template::from(word.as_ref())).collect(),
        inherit: Calling::PLAIN.inherits.iter().map(ToString::to_string).collect(),
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
    let then = Then::Judge(Judge::by(Reading::Declared));
    // All tools of a manifest share one package, which declares the variables.
    let nothing = ToolDescriptor::default();
    let tool = tools.first().unwrap_or(&nothing);
    let plan = Plan::of_step(tool, &(FORMAT.contract)(tool).calling, step, then, has);
    Plan { tool: manifest.tool.id.to_string(), ..plan }
}
