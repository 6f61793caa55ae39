//! Characters that are invisible or misleading.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::char::is_combining_mark;

use super::rules::{
    BIDI, COMBINING, CONTROL, INVISIBLE, Remark, TAG_CHARACTERS, UNUSUAL, VARIATION_SELECTORS,
};
use diagnostic::{HiddenCharacter, Rule, Severity, ok_or_bug, quoted};

/// The number of combining marks that one letter may have.
const MAX_MARKS: usize = 8;

/// The flags that are written with tag characters.
const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// Private-use and unassigned characters, and separators of lines and paragraphs.
pub(super) static UNUSUAL_CHARACTERS: LazyLock<Option<Regex>> =
    LazyLock::new(|| ok_or_bug(Regex::new(r"[\p{Co}\p{Cn}\u{2028}\u{2029}]")));

/// Escape sequences of terminals, spelled out.
const SPELLED_ESCAPES: [&str; 4] = ["\\x1b[", "\\033[", "\\e[", "\\u001b["];

/// Returns the remarks on a text, one for each rule.
pub(super) fn look(text: &str) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t')) {
        check_spelled_escapes(text, &mut remarks);
        return remarks;
    }
    let text = &*remove_flag_tags(text);
    let tagged: String = text.chars().filter_map(tag_to_ascii).collect();
    if !tagged.is_empty() || text.contains(['\u{e0001}', '\u{e007f}']) {
        warn(&mut remarks, &TAG_CHARACTERS, format!("tag characters spell {}", quoted(&tagged)));
    }
    let (mut before, mut marks) = (None, 0);
    let mut isolates = Isolates::default();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let is_line_end = c == '\r' && characters.peek() == Some(&'\n');
        if HiddenCharacter::of(c) == Some(HiddenCharacter::Isolate) {
            isolates.add(c);
        } else if let Some((rule, fault)) = fault_of(c, before)
            && !is_line_end
        {
            warn(&mut remarks, rule, format!("U+{:04X} {fault}", u32::from(c)));
        }
        marks = if is_combining_mark(c) && !is_selector(c) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            let message = format!("a letter has more than {MAX_MARKS} marks");
            warn(&mut remarks, &COMBINING, message);
        }
        before = Some(c);
    }
    if isolates.unbalanced || isolates.open > 0 {
        warn(&mut remarks, &BIDI, "an isolate is not closed, or was not open".to_owned());
    } else if isolates.seen && !has_rule(&remarks, &BIDI) {
        let message = "a part of the text has a direction of its own".to_owned();
        remarks.push((&BIDI, Severity::Info, message));
    }
    if let Some(c) = find_unusual(text) {
        let message = format!("U+{:04X} is no ordinary character", u32::from(c));
        warn(&mut remarks, &UNUSUAL, message);
    }
    check_spelled_escapes(text, &mut remarks);
    remarks
}

/// Adds a remark, unless there is one of its rule.
fn warn(remarks: &mut Vec<Remark>, rule: &'static Rule, message: String) {
    if !has_rule(remarks, rule) {
        remarks.push((rule, Severity::Warning, message));
    }
}

fn has_rule(remarks: &[Remark], rule: &'static Rule) -> bool {
    remarks.iter().any(|(known, ..)| *known == rule)
}

/// Returns the rule that a character breaks after another one, and what the character does.
fn fault_of(c: char, before: Option<char>) -> Option<(&'static Rule, &'static str)> {
    let is_after_ascii = before.is_none_or(|before| before.is_ascii());
    match HiddenCharacter::of(c) {
        Some(HiddenCharacter::Selector) if selects_nothing(c, before) => {
            Some((&VARIATION_SELECTORS, "selects nothing"))
        }
        Some(HiddenCharacter::Direction) => Some((&BIDI, "turns the direction of writing")),
        // Emoji and some scripts need joiners.
        Some(HiddenCharacter::ZeroWidth)
            if matches!(c, '\u{200c}' | '\u{200d}') && !is_after_ascii =>
        {
            None
        }
        Some(HiddenCharacter::ZeroWidth | HiddenCharacter::Blank) => {
            Some((&INVISIBLE, "does not show"))
        }
        None if c.is_control() && !matches!(c, '\n' | '\t') => {
            Some((&CONTROL, "is a control character"))
        }
        // Tags and line breaks have rules of their own.
        _ => None,
    }
}

/// Returns the first character that [`UNUSUAL_CHARACTERS`] matches. Tag characters have a
/// rule of their own.
fn find_unusual(text: &str) -> Option<char> {
    let pattern = UNUSUAL_CHARACTERS.as_ref()?;
    let mut others = String::new();
    others.extend(text.chars().filter(|c| !c.is_ascii() && tag_to_ascii(*c).is_none()));
    pattern.find(&others)?.as_str().chars().next()
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

fn check_spelled_escapes(text: &str, remarks: &mut Vec<Remark>) {
    if text.contains('\\')
        && SPELLED_ESCAPES.iter().any(|sequence| text.contains(sequence))
        && !has_rule(remarks, &CONTROL)
    {
        let message = "an escape sequence is spelled out".to_owned();
        remarks.push((&CONTROL, Severity::Info, message));
    }
}

/// The distance between an ASCII character and its tag character.
const TAG_OFFSET: u32 = 0xe0000;

/// Returns the ASCII character that a tag character represents.
fn tag_to_ascii(c: char) -> Option<char> {
    match c {
        '\u{e0020}'..='\u{e007e}' => char::from_u32(u32::from(c) - TAG_OFFSET),
        _ => None,
    }
}

/// Removes the tag characters of flags.
fn remove_flag_tags(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    if !text.contains('\u{1f3f4}') {
        return text;
    }
    for flag in FLAGS {
        let tags: String =
            flag.chars().filter_map(|c| char::from_u32(u32::from(c) + TAG_OFFSET)).collect();
        let written = format!("\u{1f3f4}{tags}\u{e007f}");
        text = Cow::Owned(text.replace(&written, "\u{1f3f4}"));
    }
    text
}

const fn is_selector(c: char) -> bool {
    matches!(HiddenCharacter::of(c), Some(HiddenCharacter::Selector))
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
}
