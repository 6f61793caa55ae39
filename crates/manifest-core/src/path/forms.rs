//! Paths that are the same file on some file system.

use unicode_normalization::UnicodeNormalization;

/// Returns a key that is equal for two paths that are the same file on some file system.
///
/// File systems may ignore case, Unicode normalization, and invisible characters. The key
/// drops all three: it is the NFKC form without hidden characters, upper-cased and then
/// lower-cased. The two together are as strong as full case folding (`ß` and `ss` get the
/// same key), and at times stronger: `ı` and `i` get the same key too.
///
/// ```
/// use manifest_core::path::collision_key;
///
/// assert_eq!(collision_key("MANIFEST.json"), collision_key("manifest.JSON"));
/// assert_eq!(collision_key("Straße"), collision_key("STRASSE"));
/// assert_ne!(collision_key("a"), collision_key("b"));
/// ```
pub fn collision_key(path: &str) -> String {
    if path.bytes().all(|b| b.is_ascii_graphic()) {
        return path.to_ascii_lowercase();
    }
    // Twice, because `ẞ` first becomes `ß`.
    fold(&fold(path))
}

fn fold(text: &str) -> String {
    text.nfkc()
        .filter(|c| !is_hidden(*c))
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfkc()
        .collect()
}

/// Returns true for characters that are invisible, or that change how the text around them
/// is displayed: zero-width characters, direction marks, variation selectors and tags.
pub(super) fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}
