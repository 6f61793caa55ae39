//! The search for secrets in a document.

use std::borrow::Cow;

use diagnostic::secret::{self, Finding, MIN_RUN, MIN_SECRET_CHARS, find, find_named};
use json_text::{Kind, Node};

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

/// A long plain string that occurs in most schemas.
const COMMON_KEYWORD: &str = "\"additionalProperties\"";

/// Returns true if a value has a string that contains a secret, or would be one under some
/// name.
fn may_contain(root: Node<'_>) -> bool {
    let mut long = root.long_strings(MIN_RUN + QUOTES).filter(|string| *string != COMMON_KEYWORD);
    let mut all = root.long_strings(MIN_SECRET_CHARS + QUOTES);
    long.any(|string| secret::may_hold(string) && is_suspect(string))
        || (secret::may_hold_password(root.raw())
            && all.any(|string| secret::may_hold_password(string) && is_suspect(string)))
}

/// The length of the quotes around a string.
const QUOTES: usize = 2;

#[cold]
fn is_suspect(string: &str) -> bool {
    secret::is_suspect(&json_text::unquote(string))
}

/// Like [`scan`], without its quick check.
pub(super) fn scan_fully(root: Node<'_>, limit: usize) -> Vec<FoundSecret<'_>> {
    let mut found = Vec::new();
    let mut open = vec![(root, Cow::Borrowed(""))];
    while let Some((node, name)) = open.pop() {
        if found.len() >= limit {
            break;
        }
        match node.kind() {
            Kind::String => {
                let text = node.text().unwrap_or_default();
                let finding = find_named(&name, &text).filter(|f| !secret::is_signature(&name, f));
                found.extend(finding.map(|finding| FoundSecret { node, finding, name: None }));
            }
            Kind::Array => open.extend(named_elements(node, &name)),
            Kind::Object => {
                for member in node.members() {
                    let key = member.name();
                    if let Some(finding) = find(&key) {
                        let name = Some(member.key);
                        found.push(FoundSecret { node: member.value, finding, name });
                    }
                    // In a schema, the name of a property applies to the values of these
                    // members.
                    let holds = matches!(&*key, "default" | "const" | "enum" | "examples");
                    open.push((member.value, if holds { name.clone() } else { key }));
                }
            }
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }
    found.sort_by_key(|found| found.node.span().start);
    found
}

/// Returns the elements of a list, each with the name that applies to it: the value of
/// `--token` is the next argument.
pub(super) fn named_elements<'n>(
    list: Node<'n>,
    name: &Cow<'n, str>,
) -> impl Iterator<Item = (Node<'n>, Cow<'n, str>)> {
    let mut before = name.clone();
    list.elements().map(move |element| {
        let text = element.text().unwrap_or_default();
        let flag = text.starts_with('-') && !text.contains('=');
        let next = if flag { text } else { name.clone() };
        (element, std::mem::replace(&mut before, next))
    })
}
