//! The canonical text of a value: sorted members, no white space, one spelling.

use std::borrow::Cow;

use crate::{Node, NodeValue, Number, quote};

/// The spelling of scalars in a canonical text.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// Writes a string, with its quotes.
    pub string: fn(&str, &mut String),
    /// Writes a number.
    pub number: fn(&Number<'_>, &mut String),
}

/// The spelling for our own digests: strings with the fewest escapes, and numbers by their
/// exact value, so that `1`, `1.0` and `10e-1` are the same.
const EXACT: Spelling = Spelling {
    string: |text, out| out.push_str(&quote(text)),
    number: |number, out| out.push_str(number.shift(0).as_str()),
};

/// Returns the canonical form of a value: the same text for the same value, regardless of
/// member order, white space, escapes and the spelling of numbers.
///
/// ```
/// use toolglot_json_text::{Document, Limits, canonical};
///
/// let document = Document::parse(br#"{"b": 1.50, "a": "\u0041"}"#, &Limits::default())?;
/// assert_eq!(canonical(document.root()), r#"{"a":"A","b":1.5}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn canonical(node: Node<'_>) -> String {
    canonical_with(node, &[], &EXACT)
}

/// Returns the canonical form of a value in the given spelling. Members are sorted by the
/// bytes of their names. If the value is an object, its members named in `skip` are left
/// out.
pub fn canonical_with(node: Node<'_>, skip: &[&str], spelling: &Spelling) -> String {
    enum Task<'a> {
        Value(Node<'a>),
        Text(&'static str),
        Name(Cow<'a, str>),
    }
    let mut out = String::with_capacity(node.raw().len());
    let mut tasks = vec![Task::Value(node)];
    let mut outermost = true;
    while let Some(task) = tasks.pop() {
        let node = match task {
            Task::Text(text) => {
                out.push_str(text);
                continue;
            }
            Task::Name(name) => {
                (spelling.string)(&name, &mut out);
                out.push(':');
                continue;
            }
            Task::Value(node) => node,
        };
        let skip = if outermost { skip } else { &[] };
        outermost = false;
        match node.value() {
            NodeValue::Null | NodeValue::Bool(_) => out.push_str(node.raw()),
            NodeValue::Number(value) => (spelling.number)(&value, &mut out),
            NodeValue::String(text) => (spelling.string)(&text, &mut out),
            NodeValue::Array(elements) => {
                out.push('[');
                tasks.push(Task::Text("]"));
                let elements: Vec<_> = elements.collect();
                for (index, element) in elements.into_iter().enumerate().rev() {
                    tasks.push(Task::Value(element));
                    if index > 0 {
                        tasks.push(Task::Text(","));
                    }
                }
            }
            NodeValue::Object(members) => {
                out.push('{');
                tasks.push(Task::Text("}"));
                let mut members: Vec<_> = members.map(|m| (m.name(), m.value)).collect();
                members.retain(|(name, _)| !skip.contains(&name.as_ref()));
                members.sort_by(|a, b| a.0.cmp(&b.0));
                for (index, (name, value)) in members.into_iter().enumerate().rev() {
                    tasks.push(Task::Value(value));
                    tasks.push(Task::Name(name));
                    if index > 0 {
                        tasks.push(Task::Text(","));
                    }
                }
            }
        }
    }
    out
}
