//! Steps of a manifest that are no calls: a program of its own words, and the plan around one.

use call::{Judge, Plan, Program, Step, Template, Then};
use install_manifest::{FORMAT, Manifest, rules};
use manifest_core::format::{Calling, Reading};
use manifest_core::{Diagnostic, Pointer, Text, ToolDescriptor};

/// A program of these words, with all variables of the manifest. There are no templates in them.
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

/// A program with what every program needs, and no variable.
pub(crate) fn plain<S: AsRef<str>>(argv: &[S]) -> Program {
    Program {
        argv: argv.iter().map(|word| Template::from(word.as_ref())).collect(),
        inherit: Calling::PLAIN.inherits.iter().map(ToString::to_string).collect(),
        ..Program::default()
    }
}

/// The plan around a step. A program must end with exit code 0, a server answer with 2xx.
pub(crate) fn plan(
    manifest: &Manifest<'_>,
    tools: &[ToolDescriptor<'_>],
    step: Step,
    has: &dyn Fn(&str) -> bool,
) -> Plan {
    let then = Then::Judge(Judge::by(Reading::Declared));
    // All tools of a manifest share one package, which has the variables.
    let nothing = ToolDescriptor::default();
    let tool = tools.first().unwrap_or(&nothing);
    let plan = Plan::of_step(tool, &(FORMAT.contract)(tool).calling, step, then, has);
    Plan { tool: manifest.tool.id.to_string(), ..plan }
}
