//! Command lines that the tools of a document share.

use diagnostic::{Depth, Report, Rule, Severity};
use json_text::{Node, Text};

use crate::Limits;
use crate::descriptor::pin::is_pinned;

/// Where the line of the bridge has said at the latest that it is one.
const BEGINNING: usize = 12;

/// What the line of the bridge has for each tool: its name, what was accepted of it, and that it may
/// reach this machine.
const FOR_EACH: usize = 8;

/// The rule for a line that is too long, under the code of a format.
pub const fn rule(code: &'static str) -> Rule {
    Rule {
        code,
        severity: Severity::Error,
        depth: Depth::Meaning,
        summary: "a command line must not have more elements than the limit",
        explanation: "The limit is `Limits::arguments`. The tools share the line, and whoever looks \
                      at each of them looks at the line again. Put a long list into a file.",
    }
}

/// Checks how many words the line has that starts the server of so many tools: whoever looks at each
/// tool looks at the line again. The line of the bridge, which names each of them, may have more.
pub fn check<'a>(
    rule: &'static Rule,
    at: Node<'_>,
    words: impl Iterator<Item = Node<'a>> + Clone,
    tools: usize,
    limits: &Limits,
    report: &mut Report,
) {
    let beginning = words.clone().take(BEGINNING);
    let beginning: Vec<Text<'_>> = beginning.map(|word| word.text().unwrap_or_default()).collect();
    let named = if is_pinned(beginning.iter().map(AsRef::as_ref)) { FOR_EACH * tools } else { 0 };
    let most = limits.arguments.saturating_add(named);
    let count = words.count();
    if count > most {
        report.add(rule, at, format!("{count} elements, more than the {most} allowed"));
    }
}
