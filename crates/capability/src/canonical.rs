//! Canonical JSON of the reference: the output of Python's `json.dumps` with sorted keys,
//! without spaces, and with all non-ASCII characters escaped.

use std::fmt::Write;

use manifest_core::json::{Node, Number};
use manifest_core::{Spelling, canonical_with, sha256_hex};

/// Returns a value in canonical form, which does not depend on the order of members, white
/// space and escapes.
///
/// ```
/// use manifest_core::{Limits, json::Document};
///
/// let document = Document::parse(r#"{"b": 1.50, "a": "é"}"#.as_bytes(), &Limits::default())?;
/// assert_eq!(toolglot_capability::canonical_json(document.root()), r#"{"a":"\u00e9","b":1.5}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn canonical_json(node: Node<'_>) -> String {
    canonical_without(node, &[])
}

/// Returns the SHA-256 of a value in canonical form, in hexadecimal.
pub fn digest(node: Node<'_>) -> String {
    sha256_hex(canonical_json(node).as_bytes())
}

/// Returns the canonical form of an object without some of its members. Python sorts keys
/// by code points, which is the order of their bytes in UTF-8.
pub(crate) fn canonical_without(node: Node<'_>, skip: &[&str]) -> String {
    canonical_with(node, skip, &Spelling { string: write_string, number: write_number })
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a string does not fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

/// Writes integers of any size as they are. Writes other numbers as floating-point numbers,
/// in the shortest spelling that parses to the same value.
fn write_number(number: &Number<'_>, out: &mut String) {
    let text = number.as_str();
    if !text.contains(['.', 'e', 'E']) {
        out.push_str(if text == "-0" { "0" } else { text });
        return;
    }
    let Ok(value) = text.parse::<f64>() else {
        return;
    };
    if value.is_infinite() {
        out.push_str(if value > 0.0 { "Infinity" } else { "-Infinity" });
        return;
    }
    // `d.ddde±x`, with the fewest digits.
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        out.push_str(&plain);
        if !plain.contains('.') {
            out.push_str(".0");
        }
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "{mantissa}e{sign}{:02}", exponent.unsigned_abs());
    }
}
