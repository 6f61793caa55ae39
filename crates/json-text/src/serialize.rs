//! Writes values of this program as JSON.

use diagnostic::{ok_or_bug, some_or_bug};
use serde::Serialize;

/// Returns a value of this program as JSON on one line. The value must have a form in JSON:
/// anything else is a bug, as for [`ok_or_bug`].
///
/// ```
/// assert_eq!(toolglot_json_text::to_json(&("a", [1, 2])), r#"["a",[1,2]]"#);
/// ```
#[track_caller]
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> String {
    some_or_bug(ok_or_bug(serde_json::to_string(value)))
}

/// Returns a value of this program as JSON like [`to_json`], on indented lines.
#[track_caller]
pub fn to_pretty_json<T: Serialize + ?Sized>(value: &T) -> String {
    some_or_bug(ok_or_bug(serde_json::to_string_pretty(value)))
}
