//! Names that fit a target's grammar.

use std::borrow::Cow;

use crate::digest::sha256_hex;
use crate::path::{PathLimits, check_portable};
use diagnostic::secret;
use json_text::Text;

/// What an identifier of a target looks like.
#[derive(Clone, Copy, Debug)]
pub struct IdGrammar {
    /// Whether an identifier needs no change.
    pub fits: fn(&str) -> bool,
    /// The characters that are kept of one that does.
    pub keeps: fn(char) -> bool,
    /// What stands before the digest.
    pub joint: char,
    /// What stands for the others, if anything does.
    pub inner: Option<char>,
    /// What the changed identifier begins with: it may have to begin with a letter, or
    /// with the name of a publisher.
    pub prefix: &'static str,
    /// The longest that it may be, in bytes.
    pub longest: usize,
}

/// An identifier that fits: the given one where it does, otherwise what is left of it
/// and eight digits of its digest.
///
/// It depends on nothing but the given one, so that a tool keeps its name when others
/// come and go, and two tools never become one. A secret in it is not spelled otherwise:
/// nobody who prints it could tell any more that it is one.
///
/// ```
/// use manifest_core::format::{IdGrammar, fit};
///
/// static NAME: IdGrammar = IdGrammar {
///     fits: |id| id.len() <= 64 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
///     keeps: |c| c.is_ascii_alphanumeric(),
///     joint: '_',
///     inner: Some('_'),
///     prefix: "",
///     longest: 64,
/// };
/// assert_eq!(fit("get_time", &NAME), "get_time");
/// assert_eq!(fit("tool:email.send", &NAME), "tool_email_send_7422f358");
/// ```
pub fn fit<'a>(id: &'a str, grammar: &IdGrammar) -> Text<'a> {
    if (grammar.fits)(id) {
        return Cow::Borrowed(id);
    }
    let IdGrammar { fits: _, keeps, joint, inner, prefix, longest } = *grammar;
    let digest = sha256_hex(id.as_bytes());
    let digest = digest.get(..8).unwrap_or_default();
    let room = longest.saturating_sub(prefix.len() + digest.len() + joint.len_utf8());
    let mut slug = String::from(prefix);
    let mut pending = None;
    for c in without_secrets(id).chars().map(|c| if keeps(c) { c } else { c.to_ascii_lowercase() })
    {
        if !keeps(c) {
            pending = inner.filter(|_| slug.len() > prefix.len());
        } else if slug.len() + c.len_utf8() + pending.map_or(0, char::len_utf8)
            > prefix.len() + room
        {
            break;
        } else {
            slug.extend(pending.take());
            slug.push(c);
        }
    }
    if slug.len() > prefix.len() {
        slug.push(joint);
    }
    slug.push_str(digest);
    Cow::Owned(slug)
}

/// An identifier with a word for each secret in it.
fn without_secrets(id: &str) -> Text<'_> {
    match secret::masked(id) {
        Cow::Borrowed(plain) => Cow::Borrowed(plain),
        Cow::Owned(masked) => {
            let mut parts = masked.split('*');
            let mut plain = parts.next().unwrap_or_default().to_owned();
            let mut inside = false;
            for part in parts {
                if !std::mem::replace(&mut inside, part.is_empty()) {
                    plain.push_str("secret");
                }
                plain.push_str(part);
            }
            Cow::Owned(plain)
        }
    }
}

/// The names of environment variables that every format takes, with a letter to begin
/// with. The letters of one that is changed become upper-case.
static VARIABLE: IdGrammar = IdGrammar {
    fits: |name| {
        let plain = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
        let bytes = name.as_bytes();
        bytes.first().is_some_and(u8::is_ascii_uppercase) && bytes.iter().all(plain)
    },
    keeps: |c| c.is_ascii_alphanumeric(),
    joint: '_',
    inner: Some('_'),
    prefix: "",
    longest: 64,
};

/// The same for a name without a letter to begin with.
static OTHER_VARIABLE: IdGrammar = IdGrammar { prefix: "V_", ..VARIABLE };

/// A name for an environment variable, as like the given one as formats allow.
///
/// ```
/// use manifest_core::format::{variable_name};
///
/// assert_eq!(variable_name("API_KEY"), "API_KEY");
/// assert!(variable_name("smtp.user").starts_with("SMTP_USER_"));
/// ```
pub fn variable_name(name: &str) -> Text<'_> {
    let first = name.chars().find(char::is_ascii_alphanumeric);
    let letter = first.is_some_and(|c| c.is_ascii_alphabetic());
    match fit(name, if letter { &VARIABLE } else { &OTHER_VARIABLE }) {
        Text::Owned(fitted) => Text::Owned(fitted.to_ascii_uppercase()),
        fits @ Text::Borrowed(_) => fits,
    }
}

/// The first sentence of a text.
pub fn sentence(text: &str) -> &str {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.split_inclusive(". ").next().unwrap_or_default().trim_end()
}

/// The names of files that every system takes, in one case.
static FILE: IdGrammar = IdGrammar {
    fits: |id| {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b);
        // `con.json` and such are no files on Windows.
        let portable = || check_portable(id, &PathLimits::default()).is_ok();
        id.len() <= 100
            && id.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
            && id.bytes().all(plain)
            && portable()
    },
    keeps: |c| c.is_ascii_lowercase() || c.is_ascii_digit(),
    joint: '_',
    inner: Some('_'),
    prefix: "",
    longest: 100,
};

/// A name for the file of a tool, without an ending: as like its id as file systems allow.
///
/// ```
/// use manifest_core::format::{file_name};
///
/// assert_eq!(file_name("acme.search"), "acme.search");
/// assert_ne!(file_name("Get"), file_name("get"));
/// assert!(!file_name("../../etc").contains('/'));
/// ```
pub fn file_name(id: &str) -> Text<'_> {
    fit(id, &FILE)
}
