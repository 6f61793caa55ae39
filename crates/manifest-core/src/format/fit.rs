//! Names that fit a target's grammar.

use std::borrow::Cow;

use crate::digest::sha256_hex;
use crate::path::{PathLimits, check_portable};
use crate::template::is_variable;
use diagnostic::secret;
use json_text::Text;

/// The grammar of a target's identifiers.
#[derive(Clone, Copy, Debug)]
pub struct IdGrammar {
    /// Returns true if an identifier needs no change.
    pub fits: fn(&str) -> bool,
    /// Returns true for characters that a changed identifier keeps.
    pub keeps: fn(char) -> bool,
    /// The character before the digest.
    pub digest_separator: char,
    /// The character that replaces one or more others, if any.
    pub replacement: Option<char>,
    /// The prefix of a changed identifier, if the target requires a letter or the name of a
    /// publisher first.
    pub prefix: &'static str,
    /// The maximum length in bytes.
    pub max_bytes: usize,
}

/// Returns the identifier if it fits. Otherwise returns its characters that fit, with eight
/// digits of its digest.
///
/// The result depends on the given identifier alone, so that a tool keeps its name when
/// other tools come and go. The digest keeps different tools apart. A secret in the
/// identifier is replaced by a word: in a changed spelling, it could no longer be
/// recognised and masked.
///
/// ```
/// use toolglot_manifest_core::format::{IdGrammar, fit};
///
/// static NAME: IdGrammar = IdGrammar {
///     fits: |id| id.len() <= 64 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
///     keeps: |c| c.is_ascii_alphanumeric(),
///     digest_separator: '_',
///     replacement: Some('_'),
///     prefix: "",
///     max_bytes: 64,
/// };
/// assert_eq!(fit("get_time", &NAME), "get_time");
/// assert_eq!(fit("tool:email.send", &NAME), "tool_email_send_7422f358");
/// ```
pub fn fit<'a>(id: &'a str, grammar: &IdGrammar) -> Text<'a> {
    if (grammar.fits)(id) { Cow::Borrowed(id) } else { Cow::Owned(fit_with_digest(id, grammar)) }
}

/// Returns the characters of an identifier that fit, with eight digits of its digest, even
/// if the identifier fits.
pub fn fit_with_digest(id: &str, grammar: &IdGrammar) -> String {
    let IdGrammar { prefix, digest_separator, max_bytes, .. } = *grammar;
    let mut digest = sha256_hex(id.as_bytes());
    digest.truncate(8);
    // The prefix and the digest always have room.
    let max_bytes = max_bytes.saturating_sub(digest.len() + digest_separator.len_utf8());
    let (mut slug, _) = replace_unfit_characters(id, grammar, max_bytes.max(prefix.len()));
    if slug.len() > prefix.len() {
        slug.push(digest_separator);
    }
    slug.push_str(&digest);
    slug
}

/// Returns the identifier if it fits, otherwise its characters that fit, without a digest.
/// Returns `None` if they are too many or too few. Different identifiers may have the same
/// result.
///
/// ```
/// use toolglot_manifest_core::format::{IdGrammar, fit_without_digest};
///
/// static NAME: IdGrammar = IdGrammar {
///     fits: |id| id.len() <= 64 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
///     keeps: |c| c.is_ascii_alphanumeric(),
///     digest_separator: '_',
///     replacement: Some('_'),
///     prefix: "",
///     max_bytes: 64,
/// };
/// assert_eq!(fit_without_digest("tool:email.send", &NAME).as_deref(), Some("tool_email_send"));
/// assert_eq!(fit_without_digest("…", &NAME), None);
/// ```
pub fn fit_without_digest<'a>(id: &'a str, grammar: &IdGrammar) -> Option<Text<'a>> {
    if (grammar.fits)(id) {
        return Some(Cow::Borrowed(id));
    }
    let (slug, is_cut) = replace_unfit_characters(id, grammar, grammar.max_bytes);
    let is_empty = slug.len() <= grammar.prefix.len();
    if is_cut || is_empty || !(grammar.fits)(&slug) { None } else { Some(Cow::Owned(slug)) }
}

/// Returns the prefix and the characters that fit, and true if some were cut off.
fn replace_unfit_characters(id: &str, grammar: &IdGrammar, max_bytes: usize) -> (String, bool) {
    let IdGrammar { keeps, replacement, prefix, .. } = *grammar;
    let mut slug = String::from(prefix);
    let mut pending = None;
    for c in replace_secrets(id).chars() {
        let c = if keeps(c) { c } else { c.to_ascii_lowercase() };
        if !keeps(c) {
            pending = if slug.len() > prefix.len() { replacement } else { None };
            continue;
        }
        if slug.len() + pending.map_or(0, char::len_utf8) + c.len_utf8() > max_bytes {
            return (slug, true);
        }
        slug.extend(pending.take());
        slug.push(c);
    }
    (slug, false)
}

/// Replaces each secret in an identifier by the word `secret`.
fn replace_secrets(id: &str) -> Text<'_> {
    let Cow::Owned(masked) = secret::mask(id) else { return Cow::Borrowed(id) };
    let mut plain = String::new();
    let mut is_inside = false;
    for c in masked.chars() {
        if c != '*' {
            plain.push(c);
        } else if !is_inside {
            plain.push_str("secret");
        }
        is_inside = c == '*';
    }
    Cow::Owned(plain)
}

/// The grammar of environment variables that every format accepts, for names whose first
/// letter or digit is a letter. The letters of a changed name become upper-case.
static VARIABLE: IdGrammar = IdGrammar {
    fits: is_variable,
    keeps: |c| c.is_ascii_alphanumeric(),
    digest_separator: '_',
    replacement: Some('_'),
    prefix: "",
    max_bytes: 64,
};

/// The same grammar, for all other names.
static PREFIXED_VARIABLE: IdGrammar = IdGrammar { prefix: "V_", ..VARIABLE };

/// Returns a name for an environment variable that every format accepts. It is as close to
/// the given name as possible.
///
/// ```
/// use toolglot_manifest_core::format::{variable_name};
///
/// assert_eq!(variable_name("API_KEY"), "API_KEY");
/// assert!(variable_name("smtp.user").starts_with("SMTP_USER_"));
/// ```
pub fn variable_name(name: &str) -> Text<'_> {
    let first = name.chars().find(char::is_ascii_alphanumeric);
    let letter = first.is_some_and(|c| c.is_ascii_alphabetic());
    match fit(name, if letter { &VARIABLE } else { &PREFIXED_VARIABLE }) {
        Text::Owned(fitted) => Text::Owned(fitted.to_ascii_uppercase()),
        fits @ Text::Borrowed(_) => fits,
    }
}

/// Returns the first sentence of a text, within its first line that is not blank.
pub fn first_sentence(text: &str) -> &str {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    line.split_inclusive(". ").next().unwrap_or(line).trim_end()
}

/// The file names that every system accepts, in lower case.
static FILE: IdGrammar = IdGrammar {
    fits: |id| {
        let mut bytes = id.bytes();
        id.len() <= 100
            && id.starts_with(|c: char| c.is_ascii_alphanumeric())
            && bytes.all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-'))
            // Windows reserves names such as `con.json`.
            && check_portable(id, &PathLimits::default()).is_ok()
    },
    keeps: |c| c.is_ascii_lowercase() || c.is_ascii_digit(),
    digest_separator: '_',
    replacement: Some('_'),
    prefix: "",
    max_bytes: 100,
};

/// Returns a name for the file of a tool, without an extension. It is as close to the id as
/// file systems allow.
///
/// ```
/// use toolglot_manifest_core::format::{file_name};
///
/// assert_eq!(file_name("acme.search"), "acme.search");
/// assert_ne!(file_name("Get"), file_name("get"));
/// assert!(!file_name("../../etc").contains('/'));
/// ```
pub fn file_name(id: &str) -> Text<'_> {
    fit(id, &FILE)
}
