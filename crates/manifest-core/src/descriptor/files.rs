//! The local files that calls name.

use std::collections::BTreeSet;

use super::{Command, Invocation, McpTool, Node, ToolDescriptor};
use crate::path::{PathStyle, clean, is_absolute};

impl ToolDescriptor<'_> {
    /// Returns the files below the folder of its manifest that its calls name, as relative
    /// paths: the program, the script of an interpreter, the module. Files that these load
    /// in turn are unknown.
    ///
    /// ```
    /// use toolglot_manifest_core::ToolDescriptor;
    /// use toolglot_manifest_core::descriptor::{Command, CommandInput, Invocation};
    ///
    /// let argv = ["node", "./tools/time.mjs", "--utc"].map(Into::into).into();
    /// let command = Command { argv, cwd: None, input: CommandInput::Stdin };
    /// let invocation = Some(Invocation::Command(command).into());
    /// let tool = ToolDescriptor { invocation, ..ToolDescriptor::default() };
    /// assert_eq!(tool.local_files(), ["tools/time.mjs"]);
    /// ```
    pub fn local_files(&self) -> Vec<String> {
        let named: BTreeSet<String> =
            self.invocations().flat_map(Invocation::local_files).collect();
        named.into_iter().collect()
    }
}

impl Invocation<'_> {
    fn local_files(&self) -> Vec<String> {
        match self {
            // The arguments of the bridge are ids of tools, not files.
            Self::McpTool(_) if self.is_pinned() => Vec::new(),
            Self::Command(Command { argv, cwd: None, input: _ })
            | Self::McpTool(McpTool { argv, cwd: None, tool: _, url: _ }) => {
                local_files_of_argv(argv.iter().map(|word| word.as_ref()))
            }
            Self::CommandLine(line) => {
                // A shell refuses a line that cannot be split.
                let Ok(words) = shell_words::split(line) else { return Vec::new() };
                local_files_of_argv(words.iter().map(String::as_str))
            }
            Self::Node(Node { main, export: _ }) => Vec::from_iter(relative_path(main)),
            Self::Python(function) => {
                let Some((module, _)) = function.split_once(':') else { return Vec::new() };
                Vec::from_iter(relative_path(&format!("{}.py", module.replace('.', "/"))))
            }
            // The paths of a command with a working directory are relative to that
            // directory.
            Self::Command(_)
            | Self::McpTool(_)
            | Self::Http(_)
            | Self::RegistryTool(_)
            | Self::A2a(_) => Vec::new(),
        }
    }
}

/// Returns the files that a command line names.
fn local_files_of_argv<'w>(words: impl Iterator<Item = &'w str>) -> Vec<String> {
    let mut files = Vec::new();
    for (index, word) in words.enumerate() {
        // A bare name of a program is looked up on the search path.
        let is_file = if index == 0 { word.contains(['/', '\\']) } else { is_script(word) };
        if is_file {
            files.extend(relative_path(word));
        }
    }
    files
}

/// Returns the shortest form of a path, or `None` unless it is below the folder.
fn relative_path(path: &str) -> Option<String> {
    if is_absolute(path, PathStyle::Posix) || is_absolute(path, PathStyle::Windows) {
        return None;
    }
    let path = clean(path);
    let below = !matches!(path.as_str(), "." | "..") && !path.starts_with("../");
    if below { Some(path) } else { None }
}

/// Guesses from the name whether an argument is a script for an interpreter.
fn is_script(word: &str) -> bool {
    const ENDINGS: [&str; 9] = ["js", "mjs", "cjs", "ts", "py", "rb", "sh", "pl", "jar"];
    let Some((_, ending)) = word.rsplit_once('.') else { return false };
    ENDINGS.contains(&ending) && !word.starts_with('-') && !word.contains("://")
}
