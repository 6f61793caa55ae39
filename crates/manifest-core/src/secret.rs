//! Secrets that were written where only a reference to one belongs.
//!
//! Two rules, both precise rather than complete:
//!
//! - **Shapes.** Tokens that announce themselves: a vendor's prefix and enough
//!   random characters after it, a private key block, a JSON Web Token, a password
//!   in a URL. They are found in any text. [`KINDS`] lists them.
//! - **Randomness.** A long run of random characters, in a place whose name says
//!   that a secret belongs there: `token`, `secret`, `password`, `credential`, or a
//!   key as in `api_key`.
//!
//! Every one but a password in a URL has twenty characters in a row that are neither
//! a digest nor words, and such a URL stands in twenty without a space: that is what a
//! document is searched for first.
//!
//! Placeholders (`YOUR_API_KEY`, `AKIAIOSFODNN7EXAMPLE`, `${TOKEN}`), digests,
//! UUIDs and references (`vault://kv/a#b`) are not secrets. What is found is
//! described by its kind and length; the value is never printed.
//!
//! ```
//! use manifest_core::secret;
//!
//! let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
//! let found = secret::find(&format!("curl -H {token}")).unwrap();
//! assert_eq!(found.to_string(), "a GitHub token of 40 characters");
//! assert_eq!(secret::find("vault://kv/unison/github#token"), None);
//! ```

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::memchr2;

use crate::json::{Kind, Node};
use runs::{RUN, Runs, dense};

mod mask;
mod report;
mod runs;
mod shape;

pub(crate) use mask::without_secrets;
pub use mask::{masked, masked_json, masked_named};
pub use report::check;
pub use shape::KINDS;

/// A secret, described without its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What it is, with an article.
    pub kind: &'static str,
    /// Where it stands in the text.
    pub range: Range<usize>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} characters", self.kind, self.range.len())
    }
}

/// The first secret in a text that shows by its shape.
pub fn find(text: &str) -> Option<Finding> {
    let rest = dense(text.as_bytes())?;
    match visible(text) {
        Cow::Borrowed(text) => {
            let suspect = Runs::of(rest).any_suspect();
            let found = suspect.then(|| shape::shape(text, false)).flatten();
            let found = found.or_else(|| shape::password(text));
            found.or_else(|| suspect.then(|| shape::assigned(text)).flatten())
        }
        // Places in the stripped text are not places in this one.
        Cow::Owned(stripped) => {
            find(&stripped).map(|found| Finding { range: 0..text.len(), ..found })
        }
    }
}

/// A secret in a value whose name says that it is one.
///
/// ```
/// use manifest_core::secret;
///
/// assert!(secret::find_named("api_key", "9fK2mQ8xV4nB7tR1wZ5y").is_some());
/// assert!(secret::find_named("api_key", "projects/acme/keys/weather").is_none());
/// assert!(secret::find_named("title", "9fK2mQ8xV4nB7tR1wZ5y").is_none());
/// ```
pub fn find_named(name: &str, value: &str) -> Option<Finding> {
    find(value).or_else(|| {
        let random = shape::is_secretive(name) && is_random_value(value);
        random.then_some(Finding { kind: "a random value", range: 0..value.len() })
    })
}

fn is_random_value(value: &str) -> bool {
    value.len() >= RUN && !value.contains(' ') && shape::is_random(value)
}

/// A secret in a document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found<'a> {
    /// The string, or the value of the member whose name it is.
    pub node: Node<'a>,
    /// What is in it.
    pub finding: Finding,
    /// Whether it is the name of a member that holds it.
    pub name: Option<Node<'a>>,
}

/// All secrets in a value, up to `limit`.
pub fn scan(root: Node<'_>, limit: usize) -> Vec<Found<'_>> {
    if may_hold(root) { walk(root, limit) } else { Vec::new() }
}

/// What is long, plain, and in every other schema.
const KEYWORD: &str = "\"additionalProperties\"";

/// Whether a value has a string that holds a secret, or would under some name.
fn may_hold(root: Node<'_>) -> bool {
    root.long_strings(RUN + "\"\"".len()).any(|string| {
        string != KEYWORD
            && dense(string.as_bytes()).is_some_and(|rest| {
                // The shape of a URL with a password needs no run, but this.
                let url = memchr2(b'@', b'\\', string.as_bytes()).is_some();
                (url || Runs::of(rest).any_suspect()) && is_suspect(string)
            })
    })
}

#[cold]
fn is_suspect(string: &str) -> bool {
    let text: Cow<'_, str> = match string.get(1..string.len() - 1) {
        Some(plain) if !plain.contains('\\') => plain.into(),
        _ => serde_json::from_str(string).unwrap_or_default(),
    };
    find(&text).is_some() || is_random_value(&text)
}

/// [`scan`], without the search for what can be a secret at all.
fn walk(root: Node<'_>, limit: usize) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    let mut open = vec![(root, Cow::Borrowed(""))];
    while let Some((node, name)) = open.pop() {
        if found.len() >= limit {
            break;
        }
        match node.kind() {
            Kind::String => {
                let text = node.text().unwrap_or_default();
                let finding = find_named(&name, &text).filter(|f| !shape::is_signature(&name, f));
                found.extend(finding.map(|finding| Found { node, finding, name: None }));
            }
            Kind::Array => open.extend(named_elements(node, &name)),
            Kind::Object => {
                for member in node.members() {
                    let key = member.name();
                    if let Some(finding) = find(&key) {
                        let name = Some(member.key);
                        found.push(Found { node: member.value, finding, name });
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
fn named_elements<'n>(
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

/// The text without characters that do not show.
fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !is_hidden(*c)).collect())
}

const fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

#[cfg(test)]
mod tests;
