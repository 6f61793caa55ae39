//! White space: laying out a value anew without touching a token.

use std::collections::BTreeMap;

use super::{Kind, Node};

/// The order of members, for the objects that begin at those bytes.
type Orders<'o> = BTreeMap<usize, &'o [String]>;

/// The value on one line, without white space.
pub fn compact(node: Node<'_>) -> String {
    lay_out(node, None, &Orders::new())
}

/// The value on one line, with the members of some objects in a given order.
pub(crate) fn compact_ordered(node: Node<'_>, orders: &Orders<'_>) -> String {
    lay_out(node, None, orders)
}

/// The value with two spaces of indentation a level.
///
/// Numbers and strings keep their spelling:
///
/// ```
/// use manifest_core::{Limits, json::{Document, pretty}};
///
/// let document = Document::parse(br#"{"a":[1e2,"\u0061"],"b":{}}"#, &Limits::default())?;
/// assert_eq!(pretty(document.root()), r#"{
///   "a": [
///     1e2,
///     "\u0061"
///   ],
///   "b": {}
/// }"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pretty(node: Node<'_>) -> String {
    let lines = Lines { newline: "\n", margin: String::new(), unit: "  ".to_owned() };
    lay_out(node, Some(&lines), &Orders::new())
}

/// How lines are broken in a place.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) newline: &'static str,
    /// What every line begins with.
    pub(super) margin: String,
    /// What a line begins with besides, for each level.
    pub(super) unit: String,
}

/// Levels past this are not indented further: the white space would outgrow the rest.
const LEVELS: usize = 128;

/// The value as it would stand in a place that has such lines.
pub(super) fn pretty_at(node: Node<'_>, lines: &Lines) -> String {
    lay_out(node, Some(lines), &Orders::new())
}

/// What is inside a container: the names of members, and values.
type Ordered<'a> = std::vec::IntoIter<(Option<Node<'a>>, Node<'a>)>;

fn ordered<'a>(container: Node<'a>, orders: &Orders<'_>) -> Ordered<'a> {
    let mut items: Vec<_> = container.items().collect();
    if let Some(order) = orders.get(&container.span().start) {
        let ranks: BTreeMap<&str, usize> = order.iter().map(String::as_str).zip(0..).collect();
        let rank = |key: Option<Node<'_>>| ranks.get(key?.text()?.as_ref()).copied();
        items.sort_by_key(|(key, _)| rank(*key).unwrap_or(usize::MAX));
    }
    items.into_iter()
}

fn lay_out(node: Node<'_>, lines: Option<&Lines>, orders: &Orders<'_>) -> String {
    let mut out = String::with_capacity(node.raw().len());
    let mut open: Vec<(Ordered<'_>, char)> = Vec::new();
    let mut next = Some(node);
    let break_line = |out: &mut String, level: usize| {
        if let Some(Lines { newline, margin, unit }) = lines {
            out.push_str(newline);
            out.push_str(margin);
            out.extend(std::iter::repeat_n(unit.as_str(), level.min(LEVELS)));
        }
    };
    let mut first = false;
    loop {
        if let Some(value) = next.take() {
            let items = ordered(value, orders);
            match value.kind() {
                Kind::Object if items.len() > 0 => {
                    out.push('{');
                    open.push((items, '}'));
                    first = true;
                }
                Kind::Array if items.len() > 0 => {
                    out.push('[');
                    open.push((items, ']'));
                    first = true;
                }
                Kind::Object => out.push_str("{}"),
                Kind::Array => out.push_str("[]"),
                _ => out.push_str(value.raw()),
            }
        }
        let level = open.len();
        let Some((items, close)) = open.last_mut() else {
            return out;
        };
        if let Some((key, value)) = items.next() {
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            break_line(&mut out, level);
            if let Some(key) = key {
                out.push_str(key.raw());
                out.push_str(if lines.is_some() { ": " } else { ":" });
            }
            next = Some(value);
        } else {
            let close = *close;
            open.pop();
            break_line(&mut out, open.len());
            out.push(close);
        }
    }
}
