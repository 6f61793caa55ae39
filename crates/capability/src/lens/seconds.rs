//! Seconds here, milliseconds in a descriptor.

use manifest_core::json::Number;

/// Seconds as milliseconds, where that can be told exactly.
pub(super) fn to_milliseconds(seconds: &Number<'_>) -> Option<Number<'static>> {
    shifted(seconds, 3)
}

/// Milliseconds as seconds, where that can be told exactly.
pub(super) fn from_milliseconds(milliseconds: &Number<'_>) -> Option<Number<'static>> {
    shifted(milliseconds, -3)
}

fn shifted(number: &Number<'_>, places: i64) -> Option<Number<'static>> {
    let moved = number.shift(places);
    (moved != *number).then_some(moved)
}
