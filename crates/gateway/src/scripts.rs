//! Scripts that stand beside a manifest.

use std::path::Path;

use host::Origin;
use toolglot::ToolDescriptor;
use toolglot::call::{Program, Server, Step, Template, ToolCall};
use toolglot::core::path::clean;
use toolglot::descriptor::{Command, Invocation, McpTool};

/// Names the scripts of a call by their whole paths, where they are in the folder of the manifest:
/// an interpreter looks for a script where it runs, and that folder may be anybody's.
pub(crate) fn settle(step: &mut Step, tool: &ToolDescriptor<'_>, origin: &Origin) {
    let Some(folder) = &origin.folder else { return };
    for word in scripts(step, tool) {
        let path = folder.join(clean(&word.to_string()));
        let path = path.canonicalize().ok().filter(|path| path.is_file());
        if let Some(path) = path.as_deref().and_then(Path::to_str) {
            *word = Template::from(path.to_owned());
        }
    }
}

/// Whether a call names a script that is looked for where it runs.
pub fn looks_around(step: &Step, tool: &ToolDescriptor<'_>) -> bool {
    !scripts(&mut step.clone(), tool).is_empty()
}

/// The words of a program that are relative files of its tool. Words that are made from arguments
/// come after those of the manifest, and are none of them.
fn scripts<'s>(step: &'s mut Step, tool: &ToolDescriptor<'_>) -> Vec<&'s mut Template> {
    let (Step::Run(program) | Step::CallTool(ToolCall { server: Server::Stdio(program), .. })) =
        step
    else {
        return Vec::new();
    };
    let Program { argv, cwd: None, .. } = program else { return Vec::new() };
    let files = tool.files();
    let fixed = tool.calls().map(fixed).max().unwrap_or_default();
    let words = argv.iter_mut().take(fixed).skip(1);
    words.filter(|word| files.contains(&clean(&word.to_string()))).collect()
}

/// How many words of a call are the manifest's own.
fn fixed(call: &Invocation<'_>) -> usize {
    match call {
        Invocation::Command(Command { argv, .. }) | Invocation::McpTool(McpTool { argv, .. }) => {
            argv.len()
        }
        // The arguments are one more word at its end.
        Invocation::CommandLine(line) => line.split_whitespace().count(),
        Invocation::Http(_)
        | Invocation::RegistryTool(_)
        | Invocation::Python(_)
        | Invocation::Node(_)
        | Invocation::A2a(_) => 0,
    }
}
