//! Reports secrets without repeating them.

use super::scan::{FoundSecret, scan};
use diagnostic::{Report, Rule};
use json_text::Node;

/// Reports every secret in a value under `rule`. If there is one, removes quotations from
/// all earlier diagnostics, because they may contain it. `help` describes where secrets
/// belong.
pub fn check(rule: &'static Rule, root: Node<'_>, help: &str, report: &mut Report) {
    if !report.includes_depth(rule.depth) {
        return;
    }
    let found = scan(root, report.limit());
    if found.is_empty() {
        return;
    }
    let before = std::mem::take(&mut report.diagnostics);
    report.diagnostics = before.into_iter().map(|one| one.map_text(remove_quotes)).collect();
    for FoundSecret { node, finding, name } in found {
        let place = if name.is_some() { "the name of a member" } else { "the value" };
        let message = format!("{place} holds {finding}");
        let mut diagnostic = rule.at(node, message).help(help);
        if let Some(name) = name {
            diagnostic = diagnostic.span(name.span());
        }
        report.push(diagnostic);
    }
}

/// Removes quotations from a message, except short lower-case names of members.
pub(super) fn remove_quotes(message: &str) -> String {
    let mut parts = message.split('"');
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut inside = true;
    for part in parts {
        let name = part.len() < 20 && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        out.push('"');
        out.push_str(if inside && !name { "…" } else { part });
        inside = !inside;
    }
    out
}
