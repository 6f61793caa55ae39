//! Compares values without regard to spelling.

use json_text::{Document, Raw, to_json};

/// Returns true if two JSON texts have the same value: numbers are compared by value, and
/// members in any order. Texts that are not JSON must be the same.
pub fn equal_json(old: &str, new: &str) -> bool {
    if old == new {
        return true;
    }
    // They were parsed under limits before.
    let limits = json_text::Limits::none();
    match (Document::parse(old.as_bytes(), limits), Document::parse(new.as_bytes(), limits)) {
        (Ok(old), Ok(new)) => old.root().same_value(new.root()),
        _ => false,
    }
}

/// Like [`equal_json`], for values that may be missing.
pub fn equal_raw(old: Option<&Raw<'_>>, new: Option<&Raw<'_>>) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => equal_json(old.as_str(), new.as_str()),
        _ => false,
    }
}

/// Returns true if two parts of descriptors are equal as JSON.
pub(super) fn is_equal<T: serde::Serialize + PartialEq>(old: &T, new: &T) -> bool {
    if old == new {
        return true;
    }
    equal_json(&to_json(old), &to_json(new))
}
