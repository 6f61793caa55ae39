//! Making names, versions and texts fit the grammar of this format. What is
//! changed on the way is in the residue.

use std::borrow::Cow;

use manifest_core::Text;

use crate::grammar;

/// The id of a tool: lower case, with hyphens for all that does not fit.
pub(super) fn tool_id(text: &str) -> Text<'_> {
    if grammar::TOOL_ID.matches(text) {
        return Cow::Borrowed(text);
    }
    let mut id = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | '0'..='9' => id.push(c),
            _ if id.is_empty() || id.ends_with('-') => {}
            _ => id.push('-'),
        }
    }
    shorten(&mut id, text, 64, '-');
    let id = id.trim_matches('-');
    Cow::Owned(match id.len() {
        0 => "tool".to_owned(),
        1 | 2 => format!("{id}-tool"),
        _ => id.to_owned(),
    })
}

/// The name of an action: lower case, with underscores for all that does not fit.
pub(super) fn action_name(text: &str) -> Text<'_> {
    if grammar::ACTION_NAME.matches(text) {
        return Cow::Borrowed(text);
    }
    let mut name = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' => name.push(c),
            '0'..='9' | '_' if !name.is_empty() => name.push(c),
            '0'..='9' => name = format!("n{c}"),
            _ if name.is_empty() || name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    shorten(&mut name, text, 63, '_');
    Cow::Owned(if name.is_empty() { "call".to_owned() } else { name })
}

/// Cuts what is too long, and marks it with a digest of the original: two long
/// names that begin alike stay two.
fn shorten(name: &mut String, original: &str, max: usize, joint: char) {
    if name.len() > max {
        let digest = manifest_core::sha256_hex(original.as_bytes());
        name.truncate(max - 9);
        name.push(joint);
        name.extend(digest.chars().take(8));
    }
}

/// A version: without its build, and in lower case. None, when that is none.
pub(super) fn version(text: &str) -> Option<Text<'_>> {
    if grammar::VERSION.matches(text) {
        return Some(Cow::Borrowed(text));
    }
    let plain = text.split('+').next().unwrap_or_default().to_ascii_lowercase();
    grammar::VERSION.matches(&plain).then_some(Cow::Owned(plain))
}

/// A text of up to `max` characters, unless it is empty.
pub(super) fn text(text: &str, max: usize) -> Option<Text<'_>> {
    let end = text.char_indices().nth(max).map_or(text.len(), |(end, _)| end);
    text.get(..end).filter(|text| !text.is_empty()).map(Cow::Borrowed)
}

/// The first sentence of a text.
pub(super) fn sentence(text: &str) -> &str {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.split_inclusive(". ").next().unwrap_or_default().trim_end()
}

/// A URL as the part up to its path, and its path.
pub(super) fn split_url(url: &str) -> (&str, &str) {
    let host = url.find("://").map_or(0, |at| at + 3);
    let rest = url.get(host..).unwrap_or_default();
    let path = rest.find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    url.split_at_checked(path).unwrap_or((url, ""))
}
