//! Secrets that are recognised only by the name before them: the password of a connection
//! string, the signature of a URL, the credentials of a header.
//!
//! They may be short and surrounded by spaces, so the search for long runs misses them. A
//! text with one has `=` or `:` after the last letter of such a name, or begins with the
//! name of an authentication scheme. Few texts do.

use std::sync::LazyLock;

use memchr::memchr3_iter;
use regex::Regex;

use super::finding::Finding;
use super::runs::MIN_RUN;
use super::shape::{Pattern, QUOTE, compile, entropy, is_placeholder};

/// Names of a setting and the form of its value. The pattern's only group is the value.
pub(super) struct Setting {
    kind: &'static str,
    pattern: Pattern,
    is_real: fn(&SettingValue<'_>) -> bool,
}

/// A value and the text around it.
struct SettingValue<'t> {
    /// The text before the last part of the name.
    before: &'t str,
    value: &'t str,
    after: &'t str,
}

fn assignment_pattern(name: &str, signs: &str, value: &str) -> Option<Regex> {
    compile(&format!(r"(?i:{name}){QUOTE}\s?{signs}\s?{QUOTE}{value}"))
}

pub(super) static SETTINGS: [Setting; 5] = [
    Setting {
        kind: "a password",
        pattern: LazyLock::new(|| {
            assignment_pattern("password|passwd|pwd", "=", r#"([^\s;&"'<>,)\\]{4,})"#)
        }),
        is_real: is_password,
    },
    Setting {
        kind: "an Azure signature",
        pattern: LazyLock::new(|| {
            let digit = "(?:[0-9A-Za-z+/_-]|%2[BbFf])";
            compile(&format!(r#"(?:^|[?&;\s"'])sig=({digit}{{43}}(?:=|%3[Dd]))"#))
        }),
        is_real: |found| entropy(found.value) >= MIN_RANDOM_ENTROPY,
    },
    Setting {
        kind: "an AWS secret key",
        pattern: LazyLock::new(|| {
            assignment_pattern("secret_?access_?key", "[=:]", r"([0-9A-Za-z/+]{40}(?:\b|$))")
        }),
        is_real: |found| is_aws_key(found.value),
    },
    Setting {
        kind: "a Twilio token",
        pattern: LazyLock::new(|| {
            assignment_pattern("twilio_?auth_?token", "[=:]", r"([0-9a-f]{32}\b)")
        }),
        is_real: |found| entropy(found.value) >= 2.5,
    },
    Setting {
        kind: "credentials",
        pattern: LazyLock::new(|| {
            let place = format!(r"(?:^\s?|(?i:authorization){QUOTE}\s?[=:]\s?{QUOTE})");
            compile(&format!(r"{place}(?i:basic)\s([0-9A-Za-z+/]{{6,}}={{0,2}})"))
        }),
        is_real: |found| is_credentials(found.value),
    },
];

/// The minimum entropy of random Base64, in bits per character.
const MIN_RANDOM_ENTROPY: f64 = 3.5;

/// The length of the shortest text with a secret: `pwd=` and four characters, or a URL with
/// a password.
pub const MIN_SECRET_CHARS: usize = 8;

/// Returns true if a text may contain one of the [`SETTINGS`]. This is a fast filter
/// without false negatives, except that texts shorter than [`MIN_RUN`] are only searched for
/// passwords. `written` may have JSON escapes and quotes.
pub(super) fn may_hold(written: &str) -> bool {
    let bytes = written.as_bytes();
    if bytes.len() < MIN_RUN {
        return may_hold_password(written);
    }
    memchr3_iter(b'=', b':', b'\\', bytes).any(|at| is_setting_sign(bytes, at))
        || begins_with_scheme(bytes)
}

/// Returns true if a text may contain a password, in a URL or after its name. This is a
/// fast filter without false negatives. A password may have less than [`MIN_RUN`] characters,
/// but its signs are rare, so `written` may be a whole JSON document.
pub fn may_hold_password(written: &str) -> bool {
    let bytes = written.as_bytes();
    let mut from = 0;
    for at in memchr3_iter(b'@', b'=', b'\\', bytes) {
        if bytes.get(at) != Some(&b'@') {
            if is_setting_sign(bytes, at) {
                return true;
            }
            continue;
        }
        // In a URL, a colon precedes the `@`, without a space or quote between them.
        let before = bytes.get(from..at).unwrap_or(&[]);
        let mut near = before.iter().rev().take_while(|b| !matches!(b, b' ' | b'"'));
        if near.any(|b| *b == b':') {
            return true;
        }
        from = at + 1;
    }
    false
}

/// Returns true if the byte at `at` may be the sign of a setting, with a name before it.
fn is_setting_sign(bytes: &[u8], at: usize) -> bool {
    // An escape may spell a letter or a sign.
    if bytes.get(at) == Some(&b'\\') {
        return bytes.get(at + 1) == Some(&b'u');
    }
    // A quote and a space may separate name and sign, either of them possibly escaped.
    let Some(mut name) = bytes.get(..at) else { return false };
    for _ in 0..8 {
        let ([rest @ .., b'\\', b't' | b'n' | b'r' | b'f']
        | [rest @ .., b' ' | b'\t'..=b'\r' | b'"' | b'\'' | b'\\']) = name
        else {
            break;
        };
        name = rest;
    }
    // The last letter of `password`, `sig`, `key`, `authorization` or `token`, or a byte of
    // an invisible character.
    let Some(last) = name.last() else { return false };
    matches!(last | 0x20, b'd' | b'g' | b'y' | b'n') || *last > 127
}

fn begins_with_scheme(bytes: &[u8]) -> bool {
    let mut bytes = bytes.strip_prefix(b"\"").unwrap_or(bytes);
    while let [b' ' | b'\t'..=b'\r', rest @ ..] = bytes {
        bytes = rest;
    }
    if matches!(bytes, [b'\\', b't' | b'n' | b'r' | b'f' | b'u', ..]) {
        return true;
    }
    // The word may contain an invisible character.
    let basic = bytes.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"basic"));
    let space = matches!(bytes.get(5), Some(b' ' | b'\t'..=b'\r' | b'\\'));
    basic && space || bytes.get(..6).is_some_and(|word| word.iter().any(|byte| *byte > 127))
}

/// Finds a secret with a name before it.
pub(super) fn find_setting(text: &str) -> Option<Finding> {
    if may_hold(text) { SETTINGS.iter().find_map(|setting| setting.find(text)) } else { None }
}

impl Setting {
    /// Finds the first secret of this setting in a text.
    pub(super) fn find(&self, text: &str) -> Option<Finding> {
        self.pattern.as_ref()?.captures_iter(text).find_map(|captures| {
            let (whole, value) = (captures.get(0)?, captures.get(1)?);
            let before = text.get(..whole.start())?;
            let found =
                SettingValue { before, value: value.as_str(), after: text.get(value.end()..)? };
            (self.is_real)(&found).then(|| Finding { kind: self.kind, range: value.range() })
        })
    }
}

/// Returns true for the secret key of AWS: forty characters of Base64, possibly with
/// slashes.
pub(super) fn is_aws_key(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() == AWS_KEY_CHARS
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'+'))
        && bytes.iter().any(u8::is_ascii_digit)
        && bytes.iter().any(u8::is_ascii_uppercase)
        && bytes.iter().any(u8::is_ascii_lowercase)
        && !is_placeholder(value)
        && entropy(value) >= MIN_RANDOM_ENTROPY
}

pub(super) const AWS_KEY_CHARS: usize = 40;

/// Returns true if the value of `password=` is a password. Next to other settings, a word
/// is enough. Alone it may be prose, so it needs a digit.
fn is_password(found: &SettingValue<'_>) -> bool {
    /// Values that code and documentation use in place of a password.
    const WORDS: [&str; 12] = [
        "true",
        "false",
        "null",
        "none",
        "string",
        "text",
        "value",
        "required",
        "optional",
        "prompt",
        "undefined",
        "empty",
    ];
    let value = found.value.trim_end_matches(['.', '`']);
    let lower = value.to_ascii_lowercase();
    // A path, a reference, a parameter, something in brackets.
    let refers = value.starts_with(['/', '.', '~', '@', ':', '?', '[', '(', '`', '…']);
    let one = value.chars().next().is_some_and(|first| value.chars().all(|c| c == first));
    let real = value.len() >= 4 && !refers && !one && !WORDS.contains(&&*lower);
    real && !is_placeholder(&strip_percent_escapes(value))
        && !is_reference_name(&lower)
        && (value.contains(|c: char| c.is_ascii_digit()) || is_among_settings(found))
}

/// Returns true for a name that refers to a value, such as `db-secret-name` or
/// `settings.DB_PASSWORD`.
fn is_reference_name(lower: &str) -> bool {
    let parts = ["pass", "pwd", "secret", "token", "credential", "key", "env", "config", "setting"];
    lower.bytes().all(|b| b.is_ascii_lowercase() || b"-_./".contains(&b))
        && parts.iter().any(|part| lower.contains(part))
}

/// Returns true if there are other settings next to this one, as in `user=me;password=x`
/// and `?a=b&password=x`.
fn is_among_settings(found: &SettingValue<'_>) -> bool {
    let mut from = found.before.len().saturating_sub(64);
    while !found.before.is_char_boundary(from) {
        from += 1;
    }
    let near = found.before.get(from..).unwrap_or("");
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let before = near.trim_end_matches(is_name).trim_end();
    let word = before.rsplit(char::is_whitespace).next().unwrap_or(before);
    before.ends_with([';', '&', '?']) || word.contains('=') || found.after.starts_with([';', '&'])
}

/// Removes percent escapes from a value of a URL, because `%` would make it a placeholder.
fn strip_percent_escapes(value: &str) -> String {
    let (mut out, mut rest) = (String::new(), value);
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        rest = match after.split_at_checked(2) {
            Some((hex, tail)) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => tail,
            _ => {
                out.push('%');
                after
            }
        };
    }
    out.push_str(rest);
    out
}

/// Returns true if Base64 decodes to a user name, a colon and a password.
fn is_credentials(base64: &str) -> bool {
    let Some(text) = decode_base64(base64) else { return false };
    let Some((user, password)) = text.split_once(':') else { return false };
    // The example in RFC 7617 and in most descriptions of the scheme.
    let known = password == "open sesame";
    let plain = !text.contains(char::is_control);
    plain && !password.is_empty() && password != user && !known && !is_placeholder(password)
}

fn decode_base64(base64: &str) -> Option<String> {
    let mut out = Vec::new();
    let (mut bits, mut held) = (0u32, 0u32);
    for byte in base64.trim_end_matches('=').bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = (bits * 64 + u32::from(digit)) & 0xffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for setting in &SETTINGS {
            assert!(setting.pattern.is_some(), "{}", setting.kind);
        }
    }

    /// The test vectors of RFC 4648, and the example of RFC 7617.
    #[test]
    fn base64_is_decoded() {
        for (base64, text) in [
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
            ("QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Aladdin:open sesame"),
        ] {
            assert_eq!(decode_base64(base64).as_deref(), Some(text));
        }
        assert_eq!(decode_base64("////"), None);
    }
}
