//! Making names, versions and texts fit the grammar of this format.

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
    joint: '-',
    inner: Some('-'),
    prefix: "",
    longest: 64,
};

/// The name of an action that has a letter to begin with.
static LETTER_FIRST: IdGrammar = IdGrammar {
    fits: |name| grammar::ACTION_NAME.matches(name),
    keeps: is_plain,
    joint: '_',
    inner: Some('_'),
    prefix: "",
    longest: 63,
};

/// The name of an action that has none.
static OTHER_FIRST: IdGrammar = IdGrammar { prefix: "t_", ..LETTER_FIRST };

/// The name of an action: it begins with a letter.
pub(super) fn action_name(name: &str) -> Text<'_> {
    let first = name.chars().map(|c| c.to_ascii_lowercase()).find(|c| is_plain(*c));
    let letter = first.is_some_and(|c| c.is_ascii_lowercase());
    format::fit(name, if letter { &LETTER_FIRST } else { &OTHER_FIRST })
}

/// A version: without its build, and in lower case. None, when that is none.
pub(super) fn version(text: &str) -> Option<Text<'_>> {
    if grammar::VERSION.matches(text) {
        return Some(Cow::Borrowed(text));
    }
    let plain = text.split('+').next().unwrap_or_default().to_ascii_lowercase();
    grammar::VERSION.matches(&plain).then_some(Cow::Owned(plain))
}

/// The first characters of a text, if there are more than `most`.
pub(super) fn beginning(text: &str, most: usize) -> Option<&str> {
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end))
}

/// Writes a text as it was or, where it is longer than fits, its beginning.
pub(super) fn text(w: &mut Writer<'_>, name: &str, text: &Sourced<Text<'_>>, most: usize) {
    match beginning(text, most) {
        Some(cut) => w.member(name).approximate(cut, text.at.as_slice(), TOO_LONG),
        None => w.member(name).copy(text),
    }
}

/// Why a text is cut.
pub(super) const TOO_LONG: &str = "the text is longer than fits";

/// The most variables that a manifest lists.
pub(super) const VARIABLES: usize = 32;

/// A limit, which does not count for what a manifest said before.
pub(super) const fn most(limit: usize, own: bool) -> usize {
    if own { usize::MAX } else { limit }
}
