//! What follows a backslash, inside and outside of brackets.

use std::fmt::Write;

use std::borrow::Cow;

/// A set that no character is in.
pub(super) const NOTHING: &str = r"[^\x{0}-\x{10FFFF}]";
/// The set that every character is in.
pub(super) const ANYTHING: &str = r"[\x{0}-\x{10FFFF}]";

/// What an escape stands for.
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

/// One character in the syntax of the `regex` crate.
///
/// A surrogate cannot occur in a Rust string, so it becomes an empty set.
pub(super) fn character(code: u32) -> String {
    let mut out = String::new();
    push_character(&mut out, code);
    out
}

/// Writes a character that stands for itself.
pub(super) fn push_character(out: &mut String, code: u32) {
    match char::from_u32(code) {
        Some(c) if c.is_ascii_alphanumeric() => out.push(c),
        Some(_) => {
            let _ = write!(out, r"\x{{{code:X}}}");
        }
        None => out.push_str(NOTHING),
    }
}
