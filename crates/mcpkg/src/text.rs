//! Texts that this crate writes.

use manifest_core::ok_or_bug;
use serde::Serialize;

/// Returns a value as JSON, indented for people.
pub(crate) fn to_pretty_json<T: Serialize + ?Sized>(value: &T) -> String {
    ok_or_bug(serde_json::to_string_pretty(value)).unwrap_or_default() + "\n"
}

/// Returns a text as a JSON string, with the short escapes `\b` and `\f`.
pub(crate) fn to_json_string(text: &str) -> String {
    ok_or_bug(serde_json::to_string(text)).unwrap_or_default()
}
