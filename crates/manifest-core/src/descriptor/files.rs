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
    /// use manifest_core::ToolDescriptor;
    /// use manifest_core::descriptor::{Command, CommandInput, Invocation};
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
                let words = shell_words::split(line).unwrap_or_default();
                local_files_of_argv(words.iter().map(String::as_str))
            }
            Self::Node(Node { main, export: _ }) => relative_path(main).into_iter().collect(),
            Self::Python(function) => {
                let module = function.split_once(':').map(|(module, _)| module.replace('.', "/"));
                module.and_then(|path| relative_path(&format!("{path}.py"))).into_iter().collect()
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
    let named = words.enumerate().filter(|(index, word)| match index {
        // A bare name is looked up on the search path.
        0 => word.contains(['/', '\\']),
        _ => is_script(word),
    });
    named.filter_map(|(_, word)| relative_path(word)).collect()
}

/// Returns the shortest form of a path, or `None` unless it is below the folder.
fn relative_path(path: &str) -> Option<String> {
    let absolute = [PathStyle::Posix, PathStyle::Windows].iter().any(|one| is_absolute(path, *one));
    let path = clean(path);
    let below = !matches!(path.as_str(), "." | "..") && !path.starts_with("../");
    (!absolute && below).then_some(path)
}

/// Guesses from the name whether an argument is a script for an interpreter.
fn is_script(word: &str) -> bool {
    const ENDINGS: [&str; 9] = ["js", "mjs", "cjs", "ts", "py", "rb", "sh", "pl", "jar"];
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    !word.starts_with('-')
        && !word.contains("://")
        && ending.is_some_and(|ending| ENDINGS.contains(&ending))
}
