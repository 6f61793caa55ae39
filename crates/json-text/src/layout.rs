//! Changes the white space of a value without changing its tokens.

use super::scan::skip_space;
use super::{Node, Span};

/// Returns the value on one line, without white space.
pub fn compact(node: Node<'_>) -> String {
    let mut out = String::with_capacity(node.raw().len());
    lay_out_text(node.raw(), None, &mut out);
    out
}

/// Returns the value indented by two spaces per level.
///
/// Numbers and strings keep their spelling:
///
/// ```
/// use toolglot_json_text::{Document, Limits, pretty};
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
    let mut out = String::with_capacity(node.raw().len());
    lay_out_text(node.raw(), Some(0), &mut out);
    out
}

/// Line breaks and indentation of the items of a container.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) newline: &'static str,
    /// The indentation of every line.
    pub(super) margin: String,
    /// The additional indentation of each level.
    pub(super) unit: String,
}

/// Deeper levels are not indented further: the white space would outgrow the rest.
const MAX_INDENT_LEVELS: usize = 128;

/// Returns the value with the line breaks and indentation of `lines`.
pub(super) fn pretty_at(node: Node<'_>, lines: &Lines) -> String {
    let Lines { newline, margin, unit } = lines;
    let mut out = String::with_capacity(node.raw().len());
    lay_out(node.raw(), 0, Some([newline, margin, unit]), &mut out);
    out
}

/// Appends one JSON value with new white space: on one line if `level` is `None`, otherwise
/// indented for a value inside `level` containers. `text` must be valid JSON. It is not
/// parsed again, because brackets, commas and strings suffice.
pub fn lay_out_text(text: &str, level: Option<usize>, out: &mut String) {
    lay_out(text, level.unwrap_or(0), level.map(|_| ["\n", "", "  "]), out);
}

fn lay_out(text: &str, mut level: usize, lines: Option<[&str; 3]>, out: &mut String) {
    let bytes = text.as_bytes();
    let break_line = |out: &mut String, level: usize| {
        if let Some([newline, margin, unit]) = lines {
            out.push_str(newline);
            out.push_str(margin);
            out.extend(std::iter::repeat_n(unit, level.min(MAX_INDENT_LEVELS)));
        }
    };
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'{' | b'[' => {
                out.push(char::from(*byte));
                at = skip_space(bytes, at + 1);
                // An empty container stays on one line.
                if let Some(close @ (b'}' | b']')) = bytes.get(at) {
                    out.push(char::from(*close));
                    at += 1;
                } else {
                    level += 1;
                    break_line(out, level);
                }
            }
            b'}' | b']' => {
                level = level.saturating_sub(1);
                break_line(out, level);
                out.push(char::from(*byte));
                at += 1;
            }
            b',' => {
                out.push(',');
                break_line(out, level);
                at += 1;
            }
            b':' => {
                out.push_str(if lines.is_some() { ": " } else { ":" });
                at += 1;
            }
            _ => {
                let end = token_end(bytes, at);
                out.push_str(Span { start: at, end }.slice(text));
                at = end;
            }
        }
    }
}

/// Returns the end of a string or another scalar, which is always greater than `start`.
fn token_end(bytes: &[u8], start: usize) -> usize {
    if bytes.get(start) != Some(&b'"') {
        let ends = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b',' | b']' | b'}' | b':');
        let length = bytes.iter().skip(start + 1).position(ends);
        return length.map_or(bytes.len(), |length| start + 1 + length);
    }
    let mut at = start + 1;
    while let Some(length) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += length + 1;
        match bytes.get(at - 1) {
            Some(b'\\') => at += 1,
            _ => return at,
        }
    }
    bytes.len()
}
