//! Characters that are invisible or misleading.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::char::is_combining_mark;

use super::rules::{
    BIDI, COMBINING, CONTROL, INVISIBLE, Remark, TAG_CHARACTERS, UNUSUAL, VARIATION_SELECTORS,
};
use diagnostic::{Rule, Severity, quoted};

/// The number of combining marks that one letter may have.
const MAX_MARKS: usize = 8;

/// The flags that are written with tag characters.
const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// Private-use and unassigned characters, and separators of lines and paragraphs. A test
/// checks that the pattern compiles.
static UNUSUAL_CHARACTERS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[\p{Co}\p{Cn}\u{2028}\u{2029}]").ok());

/// Escape sequences of terminals, spelled out.
const SPELLED_ESCAPES: [&str; 4] = ["\\x1b[", "\\033[", "\\e[", "\\u001b["];

pub(super) fn look(text: &str) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t')) {
        check_spelled_escapes(text, &mut remarks);
        return remarks;
    }
    let mut found = |rule: &'static Rule, severity: Severity, message: String| {
        // One remark for each rule is enough.
        if !remarks.iter().any(|(known, ..): &Remark| *known == rule) {
            remarks.push((rule, severity, message));
        }
    };
    let text = &remove_flag_tags(text);
    let tagged: String = text.chars().filter_map(tag_to_ascii).collect();
    if !tagged.is_empty() || text.contains(['\u{e0001}', '\u{e007f}']) {
        let message = format!("tag characters spell {}", quoted(&tagged));
        found(&TAG_CHARACTERS, Severity::Warning, message);
    }
    let (mut before, mut marks) = (None, 0);
    let mut isolates = Isolates::default();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let code = || format!("U+{:04X}", u32::from(c));
        let ascii = before.is_none_or(|before: char| before.is_ascii());
        match c {
            c if is_selector(c) && selects_nothing(c, before) => {
                let message = format!("{} selects nothing", code());
                found(&VARIATION_SELECTORS, Severity::Warning, message);
            }
            '\u{2066}'..='\u{2069}' => isolates.add(c),
            '\u{202a}'..='\u{202e}' | '\u{61c}' | '\u{200e}' | '\u{200f}' => {
                let message = format!("{} turns the direction of writing", code());
                found(&BIDI, Severity::Warning, message);
            }
            // Emoji and some scripts need joiners.
            '\u{200c}' | '\u{200d}' if !ascii => {}
            c if is_invisible(c) => {
                found(&INVISIBLE, Severity::Warning, format!("{} does not show", code()));
            }
            '\n' | '\t' => {}
            '\r' if characters.peek() == Some(&'\n') => {}
            c if c.is_control() => {
                found(&CONTROL, Severity::Warning, format!("{} is a control character", code()));
            }
            _ => {}
        }
        marks = if is_combining_mark(c) && !is_selector(c) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            let message = format!("a letter has more than {MAX_MARKS} marks");
            found(&COMBINING, Severity::Warning, message);
        }
        before = Some(c);
    }
    if let Some((severity, message)) = isolates.verdict() {
        found(&BIDI, severity, message.to_owned());
    }
    if let Some(c) = unusual(text) {
        let message = format!("U+{:04X} is no ordinary character", u32::from(c));
        found(&UNUSUAL, Severity::Warning, message);
    }
    check_spelled_escapes(text, &mut remarks);
    remarks
}

/// Returns the first character that [`UNUSUAL_CHARACTERS`] matches. Tag characters have a rule of
/// their own.
fn unusual(text: &str) -> Option<char> {
    let other: String =
        text.chars().filter(|c| !c.is_ascii() && tag_to_ascii(*c).is_none()).collect();
    UNUSUAL_CHARACTERS.as_ref()?.find(&other)?.as_str().chars().next()
}

/// Returns true for common characters that deserve no remark, wherever they occur.
pub(super) const fn is_plain(c: char) -> bool {
    matches!(c,
        // Latin, without the soft hyphen, and without the long s, which case folding turns
        // into an s.
        '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{17e}' | '\u{180}'..='\u{24f}'
            | '\u{3a3}'..='\u{3ff}' | '\u{400}'..='\u{482}' | '\u{48a}'..='\u{52f}'
            // Dashes, quotes, dots, arrows.
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{2190}'..='\u{21ff}'
            | '\u{3041}'..='\u{3096}' | '\u{30a0}'..='\u{30ff}' | '\u{4e00}'..='\u{9fa5}'
            | '\u{ac00}'..='\u{d7a3}'
    )
}

/// Returns true if a variation selector follows a character that it cannot change.
fn selects_nothing(c: char, before: Option<char>) -> bool {
    let ascii = before.is_none_or(|before| before.is_ascii());
    let keycap = before.is_some_and(|c| c.is_ascii_digit() || c == '#' || c == '*');
    let again = before.is_some_and(is_selector);
    let ideograph = before.is_some_and(char::is_alphabetic) || c < '\u{e0100}';
    again || (ascii && !keycap) || !ideograph
}

/// Returns true for characters that render as empty space or not at all.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
    )
}

fn check_spelled_escapes(text: &str, remarks: &mut Vec<Remark>) {
    let known = remarks.iter().any(|(rule, ..)| *rule == &CONTROL);
    if !known
        && text.contains('\\')
        && SPELLED_ESCAPES.iter().any(|sequence| text.contains(sequence))
    {
        let message = "an escape sequence is spelled out".to_owned();
        remarks.push((&CONTROL, Severity::Info, message));
    }
}

/// Returns the ASCII character that a tag character represents.
fn tag_to_ascii(c: char) -> Option<char> {
    matches!(c, '\u{e0020}'..='\u{e007e}').then(|| char::from_u32(u32::from(c) - 0xe0000)).flatten()
}

/// Removes the tag characters of flags.
fn remove_flag_tags(text: &str) -> String {
    let tags = |word: &str| -> String {
        word.chars().filter_map(|c| char::from_u32(u32::from(c) + 0xe0000)).collect()
    };
    FLAGS.iter().fold(text.to_owned(), |text, flag| {
        if !text.contains('\u{1f3f4}') {
            return text;
        }
        text.replace(&format!("\u{1f3f4}{}\u{e007f}", tags(flag)), "\u{1f3f4}")
    })
}

const fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// The isolates of a text: parts with a direction of their own.
#[derive(Default)]
struct Isolates {
    seen: bool,
    open: usize,
    unbalanced: bool,
}

impl Isolates {
    fn add(&mut self, c: char) {
        self.seen = true;
        if c != '\u{2069}' {
            self.open += 1;
        } else if self.open > 0 {
            self.open -= 1;
        } else {
            self.unbalanced = true;
        }
    }

    fn verdict(&self) -> Option<(Severity, &'static str)> {
        if !self.seen {
            None
        } else if self.unbalanced || self.open > 0 {
            Some((Severity::Warning, "an isolate is not closed, or was not open"))
        } else {
            Some((Severity::Info, "a part of the text has a direction of its own"))
        }
    }
}

#[cfg(test)]
#[test]
fn the_pattern_compiles() {
    assert!(UNUSUAL_CHARACTERS.is_some());
}
