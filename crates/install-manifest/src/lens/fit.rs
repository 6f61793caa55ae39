//! Fits names, versions and texts to the grammar of this format.

use std::borrow::Cow;

use manifest_core::format;
use manifest_core::format::{IdGrammar, Writer};
use manifest_core::{Sourced, Text};

use crate::grammar;

const fn is_plain(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

/// The id of a tool.
pub(super) static TOOL_ID: IdGrammar = IdGrammar {
    fits: |id| grammar::TOOL_ID.matches(id),
    keeps: is_plain,
    digest_separator: '-',
    replacement: Some('-'),
    prefix: "",
    max_bytes: 64,
};

/// The name of an action, if the source name begins with a letter.
static LETTER_FIRST: IdGrammar = IdGrammar {
    fits: |name| grammar::ACTION_NAME.matches(name),
    keeps: is_plain,
    digest_separator: '_',
    replacement: Some('_'),
    prefix: "",
    max_bytes: 63,
};

/// The name of an action, for all other source names. The prefix supplies the letter.
static OTHER_FIRST: IdGrammar = IdGrammar { prefix: "t_", ..LETTER_FIRST };

/// Fits the name of an action, which must begin with a letter.
pub(super) fn fit_action_name(name: &str) -> Text<'_> {
    let first = name.chars().find(char::is_ascii_alphanumeric);
    let letter = first.is_some_and(|c| c.is_ascii_alphabetic());
    format::fit(name, if letter { &LETTER_FIRST } else { &OTHER_FIRST })
}

/// Fits a version: drops the build and changes it to lower case. Returns `None` if the
/// result is not valid either.
pub(super) fn fit_version(text: &str) -> Option<Text<'_>> {
    if grammar::VERSION.matches(text) {
        return Some(Cow::Borrowed(text));
    }
    let plain = match text.split_once('+') {
        Some((plain, _)) => plain.to_ascii_lowercase(),
        None => text.to_ascii_lowercase(),
    };
    if grammar::VERSION.matches(&plain) { Some(Cow::Owned(plain)) } else { None }
}

/// Returns the first `most` characters of a text, or `None` if it is not longer.
pub(super) fn truncate(text: &str, most: usize) -> Option<&str> {
    let (end, _) = text.char_indices().nth(most)?;
    text.get(..end)
}

/// Writes a text, cut to `most` characters if it is longer.
pub(super) fn write_text(w: &mut Writer<'_>, name: &str, text: &Sourced<Text<'_>>, most: usize) {
    match truncate(text, most) {
        Some(cut) => w.member(name).approximate(cut, text.at.as_slice(), TOO_LONG),
        None => w.member(name).copy(text),
    }
}

/// The reason for a cut text.
pub(super) const TOO_LONG: &str = "the text is longer than fits";

/// The maximum number of variables in a manifest.
pub(super) const MAX_VARIABLES: usize = 32;

/// Returns a limit. There is no limit if the target has the format of the source, because
/// then values are never cut.
pub(super) const fn limit_unless_own(limit: usize, own: bool) -> usize {
    if own { usize::MAX } else { limit }
}
