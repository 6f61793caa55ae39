//! Files that a call needs beside its manifest.

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
        if let Ok(path) = folder.join(clean(&word.to_string())).canonicalize()
            && path.is_file()
            && let Some(path) = path.to_str()
        {
            *word = Template::from(path.to_owned());
        }
    }
}

/// Returns true if the call of a stored source needs files that are not stored with it.
/// Files of the same name in the working directory could be anyone's. `has_files` is true
/// if the source has a folder with files.
pub fn lacks_files(step: &Step, tool: &ToolDescriptor<'_>, has_files: bool) -> bool {
    let is_lost = !has_files && depends_on_folder(step);
    is_lost || !scripts(&mut step.clone(), tool).is_empty()
}

/// Returns true if a step depends on files in a folder. The digest of the source does not
/// cover them.
fn depends_on_folder(step: &Step) -> bool {
    match step {
        Step::Run(program) | Step::CallTool(ToolCall { server: Server::Stdio(program), .. }) => {
            if let Some(name) = program.argv.first().map(ToString::to_string)
                && name.contains('/')
                && Path::new(&name).is_relative()
            {
                return true;
            }
            program.cwd.as_ref().is_some_and(|cwd| Path::new(cwd).is_relative())
        }
        Step::Node(_) | Step::Python(_) | Step::Fetch(_) => true,
        Step::Send(_) | Step::CallTool(_) | Step::Call(_) | Step::Find(_) | Step::Ask(_) => false,
    }
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
    let fixed = tool.invocations().map(count_manifest_words).max().unwrap_or(0);
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
