//! Command lines that the tools of a document share.

use diagnostic::{Report, Rule};
use json_text::{Node, Text};

use crate::Limits;
use crate::descriptor::pin::is_pinned;

/// Where the line of the bridge has said at the latest that it is one.
const BEGINNING: usize = 12;

/// What the line of the bridge has for each tool: its name, and what was accepted of it.
const FOR_EACH: usize = 6;

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
