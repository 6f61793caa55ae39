//! Searching a document.

use std::borrow::Cow;

use diagnostic::secret::{self, Finding, RUN, SHORTEST, find, find_named};
use json_text::{Kind, Node};

/// A secret in a document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundSecret<'a> {
    /// The string, or the value of the member whose name it is.
    pub node: Node<'a>,
    /// What is in it.
    pub finding: Finding,
    /// Whether it is the name of a member that holds it.
    pub name: Option<Node<'a>>,
}

/// All secrets in a value, up to `limit`.
pub fn scan(root: Node<'_>, limit: usize) -> Vec<FoundSecret<'_>> {
    if may_hold(root) { walk(root, limit) } else { Vec::new() }
}

/// What is long, plain, and in every other schema.
const KEYWORD: &str = "\"additionalProperties\"";

/// Whether a value has a string that holds a secret, or would under some name.
fn may_hold(root: Node<'_>) -> bool {
    let mut long = root.long_strings(RUN + QUOTES).filter(|string| *string != KEYWORD);
    let mut all = root.long_strings(SHORTEST + QUOTES);
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

/// [`scan`], without the search for what can be a secret at all.
pub(super) fn walk(root: Node<'_>, limit: usize) -> Vec<FoundSecret<'_>> {
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
                    // In a schema, the value of a property hides below its name.
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

/// The elements of a list, each with the name that it goes by: the value of `--token` is
/// the next argument.
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
