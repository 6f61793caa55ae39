//! Secrets in documents, in places where only a reference to one belongs.
//!
//! [`diagnostic::secret`] recognises a secret. This module searches documents for secrets.
//!
//! ```
//! use json_text::{Document, Limits};
//! use toolglot_manifest_core::secret;
//!
//! let text = br#"{"env": {"API_KEY": "9fK2mQ8xV4nB7tR1wZ5y"}}"#;
//! let document = Document::parse(text, &Limits::default())?;
//! let found = secret::scan(document.root(), 10);
//! assert_eq!(found[0].node.pointer().as_str(), "/env/API_KEY");
//! assert_eq!(found[0].finding.to_string(), "a random value");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;

use diagnostic::secret::{self, Finding, MIN_RUN, MIN_SECRET_CHARS};
use diagnostic::{Report, Rule, Span};
use json_text::{Kind, Node, Text, quote};

#[cfg(test)]
mod tests;

/// A secret in a document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundSecret<'a> {
    /// The string that contains the secret, or the value of the member whose name contains
    /// it.
    pub node: Node<'a>,
    /// The secret that was found.
    pub finding: Finding,
    /// The name of the member, if the name contains the secret.
    pub name: Option<Node<'a>>,
}

/// Returns the secrets in a value, up to `limit`.
pub fn scan(root: Node<'_>, limit: usize) -> Vec<FoundSecret<'_>> {
    if may_contain(root) { scan_fully(root, limit) } else { Vec::new() }
}

/// The length of the quotes around a string.
const QUOTES: usize = 2;

/// A long plain string that occurs in most schemas.
const COMMON_KEYWORD: &str = "\"additionalProperties\"";

/// Returns true if a value has a string that contains a secret, or would be one under some
/// name.
fn may_contain(root: Node<'_>) -> bool {
    let mut long = root.long_strings(MIN_RUN + QUOTES).filter(|string| *string != COMMON_KEYWORD);
    if long.any(|string| secret::may_hold(string) && is_suspect(string)) {
        return true;
    }
    let mut all = root.long_strings(MIN_SECRET_CHARS + QUOTES);
    secret::may_hold_password(root.raw())
        && all.any(|string| secret::may_hold_password(string) && is_suspect(string))
}

#[cold]
fn is_suspect(string: &str) -> bool {
    secret::is_suspect(&json_text::unquote(string))
}

/// Like [`scan`], without its quick check.
fn scan_fully(root: Node<'_>, limit: usize) -> Vec<FoundSecret<'_>> {
    let mut found = Vec::new();
    let mut open = vec![(root, Cow::Borrowed(""))];
    while let Some((node, name)) = open.pop() {
        if found.len() >= limit {
            break;
        }
        match node.kind() {
            Kind::String => {
                if let Some(text) = node.text()
                    && let Some(finding) = secret::find_named(&name, &text)
                    && !secret::is_signature(&name, &finding)
                {
                    found.push(FoundSecret { node, finding, name: None });
                }
            }
            Kind::Array => push_elements(node, &name, &mut open),
            Kind::Object => {
                for member in node.members() {
                    let key = member.name();
                    if let Some(finding) = secret::find(&key) {
                        let name = Some(member.key);
                        found.push(FoundSecret { node: member.value, finding, name });
                    }
                    let name = if is_value_keyword(&key) { name.clone() } else { key };
                    open.push((member.value, name));
                }
            }
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }
    found.sort_by_key(|found| found.node.span().start);
    found
}

/// Returns true for the members of a schema to which the name of the property applies.
fn is_value_keyword(name: &str) -> bool {
    matches!(name, "default" | "const" | "enum" | "examples")
}

/// Adds the elements of a list, each with the name that applies to it: the value of
/// `--token` is the next argument.
fn push_elements<'n>(list: Node<'n>, name: &Text<'n>, open: &mut Vec<(Node<'n>, Text<'n>)>) {
    let mut own_name = name.clone();
    for element in list.elements() {
        let next_name = match element.text() {
            Some(text) if text.starts_with('-') && !text.contains('=') => text,
            _ => name.clone(),
        };
        open.push((element, std::mem::replace(&mut own_name, next_name)));
    }
}

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
    for earlier in &mut report.diagnostics {
        earlier.map_text(remove_quotes);
    }
    for FoundSecret { node, finding, name } in found {
        let diagnostic = match name {
            Some(name) => {
                let message = format!("the name of a member holds {finding}");
                rule.at(node, message).span(name.span())
            }
            None => rule.at(node, format!("the value holds {finding}")),
        };
        report.push(diagnostic.help(help));
    }
}

/// Removes quotations from a message, except short lower-case names of members.
fn remove_quotes(message: &str) -> String {
    let mut out = String::new();
    for (number, part) in message.split('"').enumerate() {
        if number > 0 {
            out.push('"');
        }
        let is_name = part.len() < 20 && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        let is_quoted = number % 2 == 1;
        out.push_str(if is_quoted && !is_name { "…" } else { part });
    }
    out
}

/// Members that contain the pointer of the value that their object is about.
const POINTER_MEMBERS: [&str; 6] = ["pointer", "at", "field", "target", "source", "path"];
/// Members that may quote the value at such a pointer.
const QUOTING_MEMBERS: [&str; 4] = ["value", "was", "message", "help"];

/// Returns a value as JSON, with the secrets in strings and in member names as asterisks.
/// For reports only, because a masked document is a different document.
pub fn masked_json(root: Node<'_>) -> Cow<'_, str> {
    let mut edits: Vec<(Span, String)> = Vec::new();
    let mut open = vec![(root, Cow::Borrowed(""))];
    while let Some((node, name)) = open.pop() {
        match node.kind() {
            Kind::String => {
                if let Some(text) = node.text()
                    && let Cow::Owned(masked) = secret::mask_named(&name, &text)
                {
                    edits.push((node.span(), quote(&masked)));
                }
            }
            Kind::Array => push_elements(node, &name, &mut open),
            Kind::Object => {
                let mut texts = POINTER_MEMBERS.iter().filter_map(|name| node.get(name)?.text());
                let place = texts.find(|text| text.starts_with('/'));
                for (number, member) in node.members().enumerate() {
                    let key = member.name();
                    if let Cow::Owned(masked) = secret::mask(&key) {
                        // The number keeps masked names apart.
                        edits.push((member.key.span(), quote(&format!("{masked}#{number}"))));
                    }
                    let name = match &place {
                        Some(place) if QUOTING_MEMBERS.contains(&&*key) => place.clone(),
                        _ if is_value_keyword(&key) => name.clone(),
                        _ => key,
                    };
                    open.push((member.value, name));
                }
            }
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }
    if edits.is_empty() {
        return Cow::Borrowed(root.raw());
    }
    edits.sort_by_key(|(span, _)| span.start);
    let (text, start) = (root.raw(), root.span().start);
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    for (span, masked) in edits {
        out.push_str(Span { start: rest, end: span.start - start }.slice(text));
        out.push_str(&masked);
        rest = span.end - start;
    }
    out.push_str(Span { start: rest, end: text.len() }.slice(text));
    Cow::Owned(out)
}
