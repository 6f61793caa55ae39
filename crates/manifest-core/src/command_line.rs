//! Command lines: those that the tools of a document share, and those that need a shell.

use diagnostic::{Report, Rule};
use json_text::{Node, Text};

use crate::Limits;
use crate::descriptor::pin::is_pinned;

/// A bridge command identifies itself within this many arguments.
const BRIDGE_PREFIX: usize = 12;

/// The arguments of a bridge command for each tool: its name, the accepted losses, and the
/// permission to reach this machine.
const ARGS_PER_TOOL: usize = 8;

/// The characters that a shell acts on outside quotes.
const SHELL_CHARACTERS: &[char] =
    &['|', '&', ';', '<', '>', '(', ')', '$', '`', '*', '?', '[', '#', '~', '\n', '!'];

/// Returns the rule for a command line that is too long, under the code of a format.
pub const fn rule(code: &'static str) -> Rule {
    Rule::semantics(
        code,
        "a command line must not have more elements than the limit",
        "The limit is `Limits::arguments`. The tools share the line, and whoever looks at each of \
         them looks at the line again. Put a long list into a file.",
    )
}

/// Limits the length of the command line that starts a server with `tools` tools, because
/// it is re-read once per tool. A bridge command names each tool, and may be longer.
pub fn check<'a>(
    rule: &'static Rule,
    at: Node<'_>,
    words: impl Iterator<Item = Node<'a>> + Clone,
    tools: usize,
    limits: &Limits,
    report: &mut Report,
) {
    let mut beginning: Vec<Text<'_>> = Vec::new();
    for word in words.clone().take(BRIDGE_PREFIX) {
        // A value that is not a string is not an argument of the bridge.
        beginning.push(word.text().unwrap_or(Text::Borrowed("")));
    }
    let mut most = limits.arguments;
    if is_pinned(beginning.iter().map(AsRef::as_ref)) {
        most = most.saturating_add(ARGS_PER_TOOL * tools);
    }
    let count = words.count();
    if count > most {
        report.add(rule, at, format!("{count} elements, more than the {most} allowed"));
    }
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
