//! Detects secrets that are written where only a reference to one belongs.
//!
//! Three rules, all precise rather than complete:
//!
//! - **Shapes.** Tokens with a recognisable form: a vendor's prefix followed by enough
//!   random characters, a private key block, a JSON Web Token, a password in a URL. They
//!   are found in any text. [`SHAPES`] lists them.
//! - **Settings.** Values that the name before them reveals: `password=` in a connection
//!   string or a query, the signature of a shared Azure URL, the secret key of AWS, the
//!   credentials of a header.
//! - **Randomness.** A long run of random characters, in a place whose name suggests a
//!   secret: `token`, `secret`, `password`, `credential`, or a key as in `api_key`.
//!
//! Every secret except a setting or a password in a URL contains twenty characters in a row
//! that are neither a digest nor words. A document is first searched for such runs, and for
//! the signs of settings and of such URLs.
//!
//! Placeholders (`YOUR_API_KEY`, `AKIAIOSFODNN7EXAMPLE`, `${TOKEN}`), digests, UUIDs and
//! references (`vault://kv/a#b`) are not secrets. A finding has the kind and the position
//! of a secret; its value is never printed.
//!
//! ```
//! use toolglot_diagnostic::secret;
//!
//! let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
//! let found = secret::find(&format!("curl -H {token}")).unwrap();
//! assert_eq!(found.to_string(), "a GitHub token");
//! assert_eq!(secret::find("vault://kv/unison/github#token"), None);
//! ```

use std::borrow::Cow;

use finding::strip_hidden;
use runs::{Runs, find_dense};

mod finding;
mod mask;
mod runs;
mod setting;
mod shape;

pub use finding::Finding;
pub use mask::{mask, mask_named, trim_pointer};
pub use runs::MIN_RUN;
pub use setting::{MIN_SECRET_CHARS, may_hold_password};
pub use shape::{SHAPES, is_signature};

/// Finds a secret by the text alone: by its shape, or by a name inside the text.
pub fn find(text: &str) -> Option<Finding> {
    let rest = find_dense(text.as_bytes());
    if rest.is_none() && !may_hold_password(text) && !setting::may_hold(text) {
        return None;
    }
    if let Cow::Owned(stripped) = strip_hidden(text) {
        // Offsets in the stripped text are not offsets in this one.
        return Some(Finding { range: 0..text.len(), ..find(&stripped)? });
    }
    let is_suspect = rest.is_some_and(|rest| Runs::of(rest).any_suspect());
    if is_suspect && let Some(found) = shape::find_shape(text, false) {
        return Some(found);
    }
    if let Some(found) = shape::find_url_password(text) {
        return Some(found);
    }
    if is_suspect && let Some(found) = shape::find_assigned(text) {
        return Some(found);
    }
    setting::find_setting(text)
}

/// Finds a secret in the value of a member with that name.
///
/// ```
/// use toolglot_diagnostic::secret;
///
/// assert!(secret::find_named("api_key", "9fK2mQ8xV4nB7tR1wZ5y").is_some());
/// assert!(secret::find_named("api_key", "projects/acme/keys/weather").is_none());
/// assert!(secret::find_named("title", "9fK2mQ8xV4nB7tR1wZ5y").is_none());
/// ```
pub fn find_named(name: &str, value: &str) -> Option<Finding> {
    if let Some(found) = find(value) {
        return Some(found);
    }
    if !shape::is_secret_name(name) {
        return None;
    }
    let kind = if setting::is_aws_key(value) && name.to_ascii_lowercase().contains("secret") {
        "an AWS secret key"
    } else if is_random_value(value) {
        "a random value"
    } else {
        return None;
    };
    Some(Finding { kind, range: 0..value.len() })
}

fn is_random_value(value: &str) -> bool {
    value.len() >= MIN_RUN && !value.contains(' ') && shape::is_random(value)
}

/// Returns true if a string may contain a secret other than a password, or may be one under
/// the name of a secret. This is a fast filter without false negatives. `written` is the
/// string as in JSON, with its quotes.
pub fn may_hold(written: &str) -> bool {
    let dense = find_dense(written.as_bytes()).is_some_and(|rest| {
        let key = written.len() == setting::AWS_KEY_CHARS + "\"\"".len();
        key || Runs::of(rest).any_suspect()
    });
    dense || setting::may_hold(written)
}

/// Returns true if a text contains a secret, or would be one under the name of a secret.
pub fn is_suspect(text: &str) -> bool {
    find(text).is_some() || is_random_value(text) || setting::is_aws_key(text)
}

#[cfg(test)]
mod tests;
