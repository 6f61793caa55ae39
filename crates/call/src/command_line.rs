//! Command lines: one string that a POSIX shell would split.

/// The characters that a shell acts on outside quotes.
const SHELL_CHARACTERS: &[char] =
    &['|', '&', ';', '<', '>', '(', ')', '$', '`', '*', '?', '[', '#', '~', '\n', '!'];

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

/// Returns true if a shell would do more than split the line.
pub fn needs_shell(line: &str) -> bool {
    let (mut single, mut double) = (false, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '\\' if !single => {
                chars.next();
            }
            '$' | '`' if double => return true,
            c if !single && !double && SHELL_CHARACTERS.contains(&c) => return true,
            _ => {}
        }
    }
    false
}
