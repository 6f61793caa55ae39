//! Text functions that behave like Go's, because the reference's messages and verdicts
//! depend on them.

use std::fmt::Write;
use std::sync::LazyLock;

use manifest_core::ok_or_bug;
use regex::Regex;

/// Longer texts are cut, so that a message with three of them stays below 4 KiB.
const LONGEST: usize = 900;

/// Quotes a text as Go's `%q` does.
pub(crate) fn quote(text: &str) -> String {
    // Secrets are masked, although the reference repeats them.
    let start = (0..=text.len().min(2 * LONGEST)).rev().find_map(|end| text.get(..end));
    let text = manifest_core::secret::mask(start.unwrap_or(text));
    let mut out = String::from("\"");
    for c in text.chars() {
        if out.len() > LONGEST {
            out.push('…');
            break;
        }
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if is_printable(c) => out.push(c),
            c => escape(c, &mut out),
        }
    }
    out.push('"');
    out
}

fn escape(c: char, out: &mut String) {
    let code = u32::from(c);
    // Writing to a string does not fail.
    let _ = match code {
        0..=0x1f | 0x7f => write!(out, "\\x{code:02x}"),
        0..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// Returns true for letters, marks, numbers, punctuation, symbols and the space.
fn is_printable(c: char) -> bool {
    static PRINTABLE: LazyLock<Option<Regex>> =
        LazyLock::new(|| ok_or_bug(Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S}]$")));
    if c.is_ascii() {
        return c == ' ' || c.is_ascii_graphic();
    }
    match &*PRINTABLE {
        Some(regex) => regex.is_match(c.encode_utf8(&mut [0; 4])),
        None => false,
    }
}
