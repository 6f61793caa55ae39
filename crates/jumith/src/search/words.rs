//! Splits texts into words.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The maximum length of a word in characters. Longer words are cut.
const MAX_WORD_LENGTH: usize = 48;

/// Removes the differences of case, accents and widths.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// Calls `found` for each word of a text, folded. A word is a run of letters and digits. If
/// `parts` is true, the parts of a `camelCase` word are words too.
pub(super) fn words(text: &str, parts: bool, mut found: impl FnMut(&str)) {
    let mut buffer = String::new();
    for run in text.split(is_gap) {
        if run.is_empty() {
            continue;
        }
        if parts && run.chars().skip(1).any(char::is_uppercase) {
            split_camel_case(run, |part| {
                if part.len() < run.len() {
                    found(fold_word(part, &mut buffer));
                }
            });
        }
        found(fold_word(run, &mut buffer));
    }
}

/// Returns true for a character between words.
fn is_gap(c: char) -> bool {
    match c {
        '\0'..='\x7f' => !c.is_ascii_alphanumeric(),
        _ => !c.is_alphanumeric() && !is_combining_mark(c),
    }
}

/// Folds a word into a buffer, and cuts it.
fn fold_word<'b>(word: &str, buffer: &'b mut String) -> &'b str {
    buffer.clear();
    if word.is_ascii() {
        buffer.push_str(word);
        buffer.make_ascii_lowercase();
    } else {
        *buffer = fold(word);
    }
    if word.len() > MAX_WORD_LENGTH
        && let Some((end, _)) = buffer.char_indices().nth(MAX_WORD_LENGTH)
    {
        buffer.truncate(end);
    }
    buffer
}

/// Splits a word before each upper-case letter that does not follow another one.
fn split_camel_case<'t>(word: &'t str, mut found: impl FnMut(&'t str)) {
    let mut rest = word;
    let mut length = 0;
    let mut after_lower = false;
    for c in word.chars() {
        if c.is_uppercase() && after_lower {
            let (part, tail) = rest.split_at(length);
            found(part);
            (rest, length) = (tail, 0);
        }
        length += c.len_utf8();
        after_lower = !c.is_uppercase();
    }
    found(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names() {
        let of = |text: &str, parts| {
            let mut all = Vec::new();
            words(text, parts, |word| all.push(word.to_owned()));
            all
        };
        assert_eq!(of("email.send_now", true), ["email", "send", "now"]);
        assert_eq!(of("sendEmail", true), ["send", "email", "sendemail"]);
        assert_eq!(of("sendEmail", false), ["sendemail"]);
        assert_eq!(of("CAFÉ ｆｕｌｌ", false), ["cafe", "full"]);
        assert_eq!(of("cafe\u{301}s", false), ["cafes"]);
        assert_eq!(of(" -- ", true), [""; 0]);
        assert_eq!(of(&"x".repeat(100), false), ["x".repeat(MAX_WORD_LENGTH)]);
    }
}
