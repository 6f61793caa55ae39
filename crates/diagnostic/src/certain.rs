//! What cannot fail.

use std::fmt;

/// The value of what cannot fail, unless this program is wrong: a pointer that is written in it,
/// a type of its own as JSON, an edit that it has made itself.
///
/// A debug build stops at such a mistake, and all tests are one. Another build goes on without
/// the value: a library does not end the program that uses it.
///
/// ```
/// use diagnostic::{Pointer, certain};
///
/// let place = certain(Pointer::parse("/tools/0")).unwrap_or_default();
/// assert_eq!(place.as_str(), "/tools/0");
/// ```
#[track_caller]
pub fn certain<T, E: fmt::Debug>(result: Result<T, E>) -> Option<T> {
    debug_assert!(result.is_ok(), "a mistake of this program: {:?}", result.as_ref().err());
    result.ok()
}
