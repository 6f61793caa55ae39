//! What both ways say alike.

use manifest_core::json::Number;

/// The scheme that `requires_oauth` stands for.
pub(super) const OAUTH: &str = "oauth2";

/// A number times ten to the power of `places`, where that can be told exactly.
pub(super) fn shifted(number: &Number<'_>, places: i64) -> Option<Number<'static>> {
    let moved = number.shift(places);
    (moved != *number).then_some(moved)
}
