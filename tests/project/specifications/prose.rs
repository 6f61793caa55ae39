//! The sections and sentences of a specification in Markdown.
//!
//! Code between fences is left out. Sections are numbered as they come: the third `##` is 3,
//! and the second `###` in it 3.2. A sentence counts where it stands in a list, whatever it
//! says, and elsewhere where it has one of `WORDS`. Sentences of a section have letters, in
//! their order: `3.2 a`. What stands before the first section is in section 0.

use super::{Sentence, Sentences};

/// Words of a sentence that demands or permits something.
const WORDS: [&str; 8] =
    ["must", "shall", "should", "may", "required", "recommended", "optional", "never"];

/// What a text consists of.
enum Block {
    Section(String),
    Item(String),
    Paragraph(String),
    TableRow(String),
}

/// `a`, …, `z`, `aa`, `ab`, …
pub(crate) fn letter(ordinal: usize) -> String {
    let one = |ordinal: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[ordinal % 26]);
    let first = (ordinal / 26).checked_sub(1).map(one);
    first.into_iter().chain([one(ordinal)]).collect()
}

pub(crate) fn ordinal(letters: &str) -> usize {
    let found = (0..26 * 27).find(|ordinal| letter(*ordinal) == letters);
    found.unwrap_or_else(|| panic!("{letters:?} is no letter"))
}

/// Whether a sentence demands or permits something.
pub(crate) fn is_normative(sentence: &str) -> bool {
    let words = sentence.split(|c: char| !c.is_alphanumeric());
    words.map(str::to_lowercase).any(|word| WORDS.contains(&word.as_str()))
}

/// Cuts a text after a full stop before a capital letter, a quotation or code.
pub(crate) fn cut(text: &str) -> Vec<String> {
    let mut sentences: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let last = sentences.last_mut().expect("one at least");
        let ended = last.ends_with(['.', '!', '?']) && !last.ends_with("e.g.");
        let begins = word.starts_with(|c: char| c.is_ascii_uppercase() || "`*\"".contains(c));
        if ended && begins {
            sentences.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    sentences
}

/// The text behind the mark of a list.
fn item(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = if digits.len() < line.len() { digits.strip_prefix(['.', ')']) } else { None };
    numbered.or_else(|| line.strip_prefix(['-', '*', '–'])).and_then(|rest| rest.strip_prefix(' '))
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut fence, mut open) = (0, false);
    for line in text.lines() {
        let line = line.trim_start_matches([' ', '>']).trim_end();
        let ticks = line.len() - line.trim_start_matches('`').len();
        if fence > 0 || ticks >= 3 {
            let closes = ticks >= fence && ticks == line.len();
            fence = match fence {
                0 => ticks,
                _ if closes => 0,
                fence => fence,
            };
            open = false;
        } else if line.is_empty() || line == "---" {
            open = false;
        } else if line.starts_with('#') {
            blocks.push(Block::Section(line.to_owned()));
            open = false;
        } else if line.starts_with('|') {
            blocks.push(Block::TableRow(line.to_owned()));
            open = false;
        } else if let Some(text) = item(line) {
            blocks.push(Block::Item(text.to_owned()));
            open = true;
        } else if let (true, Some(Block::Item(text) | Block::Paragraph(text))) =
            (open, blocks.last_mut())
        {
            *text = format!("{text} {line}");
        } else {
            blocks.push(Block::Paragraph(line.to_owned()));
            open = true;
        }
    }
    blocks
}

/// The section that one is in, and how many sentences of it were seen.
#[derive(Default)]
struct Counter {
    /// Of `##`, `###` and so on.
    headings: Vec<usize>,
    sentences: usize,
}

impl Counter {
    /// Enters a section, and says which: a title is none.
    fn enter(&mut self, heading: &str) -> Option<String> {
        let depth = heading.bytes().take_while(|byte| *byte == b'#').count() - 1;
        if depth == 0 {
            return None;
        }
        self.headings.resize(depth, 0);
        *self.headings.last_mut()? += 1;
        self.sentences = 0;
        Some(self.section())
    }

    fn section(&self) -> String {
        let numbers: Vec<String> = self.headings.iter().map(ToString::to_string).collect();
        if numbers.is_empty() { "0".to_owned() } else { numbers.join(".") }
    }

    fn sentence(&mut self) -> String {
        let letter = letter(self.sentences);
        self.sentences += 1;
        format!("{} {letter}", self.section())
    }
}

/// The sections and sentences of a specification, by number.
pub(crate) fn sentences(text: &str) -> Sentences {
    let (mut found, mut counter) = (Sentences::new(), Counter::default());
    for block in blocks(text) {
        let (text, listed) = match block {
            Block::Section(heading) => {
                found.extend(counter.enter(&heading).map(|key| (key, Sentence::new(heading))));
                continue;
            }
            Block::Item(text) => (text, true),
            Block::Paragraph(text) | Block::TableRow(text) => (text, false),
        };
        for sentence in cut(&text).into_iter().filter(|text| listed || is_normative(text)) {
            found.insert(counter.sentence(), Sentence::new(sentence));
        }
    }
    found
}

/// The sections of notes, the rows of their tables, and the paragraphs that have a title.
pub(crate) fn notes(text: &str) -> Sentences {
    let (mut found, mut counter) = (Sentences::new(), Counter::default());
    let mut in_table = false;
    for block in blocks(text) {
        let key = match &block {
            Block::Section(heading) => counter.enter(heading),
            // Two lines are the head of a table.
            Block::TableRow(row) if row.starts_with("|---") => {
                in_table = true;
                continue;
            }
            Block::TableRow(_) => in_table.then(|| counter.sentence()),
            Block::Paragraph(text) if text.starts_with("**") => Some(counter.sentence()),
            Block::Paragraph(_) | Block::Item(_) => None,
        };
        in_table &= matches!(block, Block::TableRow(_));
        let (Block::Section(text)
        | Block::Item(text)
        | Block::Paragraph(text)
        | Block::TableRow(text)) = block;
        found.extend(key.map(|key| (format!("notes {key}"), Sentence::new(text))));
    }
    found
}
