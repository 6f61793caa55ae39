//! Results that fail, and values that are missing, only because of a bug.

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
/// let place = ok_or_bug(Pointer::parse("/tools/0"));
/// assert!(place.is_some_and(|place| place.as_str() == "/tools/0"));
/// ```
#[track_caller]
pub fn ok_or_bug<T, E: fmt::Debug>(result: Result<T, E>) -> Option<T> {
    debug_assert!(result.is_ok(), "a mistake of this program: {:?}", result.as_ref().err());
    result.ok()
}

/// Returns a value that is only missing because of a bug in this program, for example a part
/// of a text between two offsets that were found in it.
///
/// Without the value, a debug build panics like [`ok_or_bug`], and a release build returns
/// the default value.
///
/// ```
/// use toolglot_diagnostic::some_or_bug;
///
/// let found = [1, 2].iter().max().copied();
/// assert_eq!(some_or_bug(found), 2);
/// ```
#[inline]
#[track_caller]
pub fn some_or_bug<T: Default>(value: Option<T>) -> T {
    debug_assert!(value.is_some(), "a mistake of this program: there is no value");
    value.unwrap_or_default()
}
