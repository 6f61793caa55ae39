//! Texts that this crate writes.

use manifest_core::json;
use serde::Serialize;

/// Returns a value as JSON, indented for people.
pub(crate) fn to_pretty_json<T: Serialize + ?Sized>(value: &T) -> String {
    json::to_pretty_json(value) + "\n"
}
