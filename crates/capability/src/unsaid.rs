//! Secrets, which are reported and never repeated.

use manifest_core::json::Node;
use manifest_core::{Pointer, Report, Validate, secret};

use crate::rules;

/// Secrets are refused in every profile.
pub(crate) fn secrets(node: Node<'_>, options: &Validate, report: &mut Report) {
    let found = secret::scan(node, options.limits.diagnostics);
    if found.is_empty() {
        return;
    }
    // Whatever else is wrong must not print them.
    for diagnostic in &mut report.diagnostics {
        diagnostic.message = without_quotes(&diagnostic.message);
        diagnostic.help = diagnostic.help.as_deref().map(without_quotes);
        diagnostic.pointer = without_secrets(&diagnostic.pointer);
    }
    for secret::Found { node, finding, name, .. } in found {
        let place = if name.is_some() { "the name of a member" } else { "the value" };
        let message = format!("{place} holds {finding}");
        let mut diagnostic = rules::SECRET_VALUE.at(node, message);
        diagnostic.pointer = without_secrets(&diagnostic.pointer);
        if let Some(name) = name {
            diagnostic = diagnostic.span(name.span());
        }
        report.push(diagnostic.help("replace the secret, and refer to it in \"secrets\""));
    }
}

/// A message without what it quotes, names of members apart.
fn without_quotes(message: &str) -> String {
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

/// A pointer up to the first name that is a secret.
fn without_secrets(pointer: &Pointer) -> Pointer {
    let plain = pointer.tokens().take_while(|token| secret::find(token).is_none());
    plain.fold(Pointer::root(), |pointer, token| pointer.push(&token))
}
