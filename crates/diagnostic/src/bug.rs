//! Results that fail only because of a bug.

use std::fmt;

/// Returns the value of a result that can only fail because of a bug in this program.
/// Examples are parsing a pointer literal, serializing one of our own types, and applying
/// an edit that the program has built.
///
/// A debug build panics on an error, and all tests are debug builds. A release build
/// returns `None`, because a library must not end the program that uses it.
///
/// ```
/// use toolglot_diagnostic::{Pointer, ok_or_bug};
///
/// let place = ok_or_bug(Pointer::parse("/tools/0")).unwrap_or_default();
/// assert_eq!(place.as_str(), "/tools/0");
/// ```
#[track_caller]
pub fn ok_or_bug<T, E: fmt::Debug>(result: Result<T, E>) -> Option<T> {
    debug_assert!(result.is_ok(), "a mistake of this program: {:?}", result.as_ref().err());
    result.ok()
}
