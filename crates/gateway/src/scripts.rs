//! Scripts beside a manifest.

use std::path::Path;

use host::Origin;
use toolglot::ToolDescriptor;
use toolglot::call::{Program, Server, Step, Template, ToolCall};
use toolglot::core::path::clean;
use toolglot::descriptor::{Command, Invocation, McpTool};

/// Replaces relative paths of scripts in a call by absolute paths, if the files are in the
/// manifest's folder. Otherwise an interpreter would look in the working directory, which
/// anyone may control.
pub(crate) fn resolve_scripts(step: &mut Step, tool: &ToolDescriptor<'_>, origin: &Origin) {
    let Some(folder) = &origin.folder else { return };
    for word in scripts(step, tool) {
        let path = folder.join(clean(&word.to_string()));
        let path = path.canonicalize().ok().filter(|path| path.is_file());
        if let Some(path) = path.as_deref().and_then(Path::to_str) {
            *word = Template::from(path.to_owned());
        }
    }
}

/// Returns true if a call names a script that is looked up in the working directory.
pub fn has_relative_scripts(step: &Step, tool: &ToolDescriptor<'_>) -> bool {
    !scripts(&mut step.clone(), tool).is_empty()
}

/// Returns the words of a program that are relative files of its tool. Only words of the
/// manifest count: those made from arguments come after them.
fn scripts<'s>(step: &'s mut Step, tool: &ToolDescriptor<'_>) -> Vec<&'s mut Template> {
    let (Step::Run(program) | Step::CallTool(ToolCall { server: Server::Stdio(program), .. })) =
        step
    else {
        return Vec::new();
    };
    let Program { argv, cwd: None, .. } = program else { return Vec::new() };
    let files = tool.local_files();
    let fixed = tool.invocations().map(count_manifest_words).max().unwrap_or_default();
    let words = argv.iter_mut().take(fixed).skip(1);
    words.filter(|word| files.contains(&clean(&word.to_string()))).collect()
}

/// Returns how many words of a call are the manifest's own.
fn count_manifest_words(call: &Invocation<'_>) -> usize {
    match call {
        Invocation::Command(Command { argv, .. }) | Invocation::McpTool(McpTool { argv, .. }) => {
            argv.len()
        }
        // The arguments are one more word at the end.
        Invocation::CommandLine(line) => line.split_whitespace().count(),
        Invocation::Http(_)
        | Invocation::RegistryTool(_)
        | Invocation::Python(_)
        | Invocation::Node(_)
        | Invocation::A2a(_) => 0,
    }
}
