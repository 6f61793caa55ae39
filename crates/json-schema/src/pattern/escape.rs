//! Escapes and sets of characters, inside and outside of brackets.

use std::fmt::Write;

use std::borrow::Cow;

/// The empty set.
pub(super) const EMPTY_SET: &str = r"[^\x{0}-\x{10FFFF}]";
/// The set of all characters.
pub(super) const FULL_SET: &str = r"[\x{0}-\x{10FFFF}]";

/// The meaning of an escape.
pub(super) enum Escape {
    /// A code point, which may be a surrogate.
    Character(u32),
    Set(Set),
}

/// A set of characters in the syntax of the `regex` crate.
pub(super) struct Set {
    pub(super) regex: Cow<'static, str>,
    pub(super) terms: u64,
}

/// Returns one character in the syntax of the `regex` crate.
///
/// A surrogate cannot occur in a Rust string, so it becomes an empty set.
pub(super) fn character(code: u32) -> String {
    let mut out = String::new();
    push_character(&mut out, code);
    out
}

/// Writes a literal character.
pub(super) fn push_character(out: &mut String, code: u32) {
    match char::from_u32(code) {
        Some(c) if c.is_ascii_alphanumeric() => out.push(c),
        Some(_) => {
            let _ = write!(out, r"\x{{{code:X}}}");
        }
        None => out.push_str(EMPTY_SET),
    }
}
