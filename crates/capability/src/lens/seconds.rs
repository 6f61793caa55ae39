//! Converts between seconds in a manifest and milliseconds in a descriptor.

use manifest_core::json::Number;

/// Returns seconds as milliseconds. Returns `None` for zero, and if the exact result cannot
/// be written.
pub(super) fn to_milliseconds(seconds: &Number<'_>) -> Option<Number<'static>> {
    shift(seconds, 3)
}

/// Returns milliseconds as seconds. Returns `None` for zero, and if the exact result cannot
/// be written.
pub(super) fn from_milliseconds(milliseconds: &Number<'_>) -> Option<Number<'static>> {
    shift(milliseconds, -3)
}

fn shift(number: &Number<'_>, places: i64) -> Option<Number<'static>> {
    let moved = number.shift(places);
    (moved != *number).then_some(moved)
}
