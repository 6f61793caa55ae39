//! Characters that do not show.
//!
//! This is the only list of them. Each user asks for the kinds that matter to it, and says
//! why it asks for fewer.

/// The way in which a character does not show as itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HiddenCharacter {
    /// It takes no space: soft hyphens, zero-width spaces and joiners, and the operators of
    /// formulas.
    ZeroWidth,
    /// It shows as empty space, or as a note that few programs show: fillers, the empty
    /// Braille pattern, and annotations.
    Blank,
    /// It changes the direction of the text that follows.
    Direction,
    /// It begins or ends a part with a direction of its own.
    Isolate,
    /// It changes the form of the character before it.
    Selector,
    /// It ends a line or a paragraph.
    LineBreak,
    /// It is a tag character, or a format character that nobody should use.
    Other,
}

impl HiddenCharacter {
    /// Returns how a character does not show, or `None` if it shows as itself or is a
    /// control character.
    pub const fn of(c: char) -> Option<Self> {
        Some(match c {
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => {
                Self::ZeroWidth
            }
            '\u{115f}'
            | '\u{1160}'
            | '\u{180e}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' => Self::Blank,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => Self::Direction,
            '\u{2066}'..='\u{2069}' => Self::Isolate,
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Self::Selector,
            '\u{2028}' | '\u{2029}' => Self::LineBreak,
            '\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{e0000}'..='\u{e0fff}' => Self::Other,
            _ => return None,
        })
    }
}

/// Returns true for characters that Unicode lets programs ignore, and for annotations. File
/// systems may treat two names that differ only in them as the same.
///
/// Line breaks and the empty Braille pattern are hidden and cannot be ignored. The characters
/// that are listed here in addition belong to the writing of some languages, so they are no
/// reason to distrust a text.
pub const fn is_ignorable(c: char) -> bool {
    match HiddenCharacter::of(c) {
        Some(HiddenCharacter::LineBreak) => false,
        Some(_) => c != '\u{2800}',
        None => matches!(
            c,
            '\u{34f}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180d}'
                | '\u{180f}'
                | '\u{fff0}'..='\u{fff8}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
        ),
    }
}
