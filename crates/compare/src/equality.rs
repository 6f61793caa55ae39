//! Compares values without regard to spelling.

use json_text::{Document, Raw, canonical};

/// Returns true if two parts of descriptors are equal in canonical form.
pub(super) fn is_equal<T: serde::Serialize + PartialEq>(old: &T, new: &T) -> bool {
    let text = |value: &T| serde_json::to_string(value).map(|text| canonical_text(&text));
    old == new || text(old).ok().is_some_and(|old| text(new).is_ok_and(|new| new == old))
}

/// Returns true if two JSON values are equal in canonical form.
pub(super) fn is_equal_json(old: Option<&Raw<'_>>, new: Option<&Raw<'_>>) -> bool {
    let text = |raw: &Raw<'_>| canonical_text(raw.as_str());
    old.map(text) == new.map(text)
}

fn canonical_text(text: &str) -> String {
    Document::parse(text.as_bytes(), json_text::Limits::none())
        .map_or_else(|_| text.to_owned(), |document| canonical(document.root()))
}
