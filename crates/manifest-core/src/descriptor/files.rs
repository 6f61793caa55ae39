//! The files that calls name.

use std::collections::BTreeSet;

use super::{Command, Invocation, McpTool, Node, ToolDescriptor};
use crate::path::{Flavour, clean, is_absolute};

impl ToolDescriptor<'_> {
    /// The files that its calls name and that are relative to the folder of its manifest: the
    /// program, the script that an interpreter is to run, the module. What these load in turn is
    /// not known.
    ///
    /// ```
    /// use manifest_core::ToolDescriptor;
    /// use manifest_core::descriptor::{Command, CommandInput, Invocation};
    ///
    /// let argv = ["node", "./tools/time.mjs", "--utc"].map(Into::into).into();
    /// let command = Command { argv, cwd: None, input: CommandInput::Stdin };
    /// let invocation = Some(Invocation::Command(command).into());
    /// let tool = ToolDescriptor { invocation, ..ToolDescriptor::default() };
    /// assert_eq!(tool.files(), ["tools/time.mjs"]);
    /// ```
    pub fn files(&self) -> Vec<String> {
        let named: BTreeSet<String> = self.calls().flat_map(Invocation::files).collect();
        named.into_iter().collect()
    }
}

impl Invocation<'_> {
    /// The files that it names, relative to the folder of the manifest.
    fn files(&self) -> Vec<String> {
        match self {
            // Its words are names of tools.
            Self::McpTool(_) if self.is_pinned() => Vec::new(),
            Self::Command(Command { argv, cwd: None, input: _ })
            | Self::McpTool(McpTool { argv, cwd: None, tool: _, url: _ }) => {
                named(argv.iter().map(|word| word.as_ref()))
            }
            Self::CommandLine(line) => {
                let words = shell_words::split(line).unwrap_or_default();
                named(words.iter().map(String::as_str))
            }
            Self::Node(Node { main, export: _ }) => relative(main).into_iter().collect(),
            Self::Python(function) => {
                let module = function.split_once(':').map(|(module, _)| module.replace('.', "/"));
                module.and_then(|path| relative(&format!("{path}.py"))).into_iter().collect()
            }
            // A command with a folder of its own is relative to that one.
            Self::Command(_)
            | Self::McpTool(_)
            | Self::Http(_)
            | Self::RegistryTool(_)
            | Self::A2a(_) => Vec::new(),
        }
    }
}

/// The files that the words of a line name.
fn named<'w>(words: impl Iterator<Item = &'w str>) -> Vec<String> {
    let named = words.enumerate().filter(|(index, word)| match index {
        // A bare name is looked for on the search path.
        0 => word.contains(['/', '\\']),
        _ => is_script(word),
    });
    named.filter_map(|(_, word)| relative(word)).collect()
}

/// A path below a folder, in its shortest form.
fn relative(path: &str) -> Option<String> {
    let absolute = [Flavour::Posix, Flavour::Windows].iter().any(|one| is_absolute(path, *one));
    let path = clean(path);
    let below = !matches!(path.as_str(), "." | "..") && !path.starts_with("../");
    (!absolute && below).then_some(path)
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
