//! One pass over the text, into a flat list of entries.
//!
//! The parser does not recurse, copies nothing, and allocates the list and a
//! stack. It refuses what different readers would read differently.

use std::borrow::Cow;

use super::rules;
use super::scan::{escape, number, plain_run, skip_space};
use super::{Entry, Kind, Span, decode};
use crate::diagnostic::{Diagnostic, quoted};
use crate::{Limits, Pointer, Rule};

/// Objects with more members than this look for duplicate keys by sorting.
const FEW_MEMBERS: usize = 24;

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Vec<Entry>, Diagnostic> {
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        // A guess that spares most documents a second allocation.
        tape: Vec::with_capacity((text.len() / 10).min(limits.nodes)),
        top: Open::default(),
        stack: Vec::with_capacity(8),
        nodes: 0,
        limits,
    };
    match parser.document() {
        Ok(()) => Ok(parser.tape),
        Err(fault) => Err(parser.explain(*fault)),
    }
}

/// A failure, kept as data until someone needs to read it.
struct Fault {
    rule: &'static Rule,
    start: usize,
    end: usize,
    message: Cow<'static, str>,
    help: Option<&'static str>,
    first: Option<Span>,
}

/// A position, or a fault: boxed, because it is large and rare.
type Step<T = usize> = Result<T, Box<Fault>>;

/// A container that is still open.
#[derive(Default)]
struct Open {
    /// The index of its entry.
    index: u32,
    object: bool,
    /// Whether duplicates have to be looked for when the object ends.
    suspect: bool,
    /// One bit for each sort of key that was seen: two keys on one bit may be
    /// equal, two on different bits are not.
    keys: u64,
}

/// Methods take the position to read from and return the one to go on from.
struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    tape: Vec<Entry>,
    /// The innermost open container.
    top: Open,
    /// Those around it; the outermost is the place of the root.
    stack: Vec<Open>,
    nodes: usize,
    limits: &'a Limits,
}

impl<'a> Parser<'a> {
    fn document(&mut self) -> Step<()> {
        let bytes = self.bytes;
        let mut pos = skip_space(bytes, 0);
        loop {
            if self.top.object {
                pos = self.key(pos)?;
            }
            pos = match bytes.get(pos) {
                Some(b'"') => self.string(pos)?,
                Some(b'{') => {
                    pos = skip_space(bytes, self.open(Kind::Object, pos)?);
                    if bytes.get(pos) != Some(&b'}') {
                        continue;
                    }
                    self.close(pos)?
                }
                Some(b'[') => {
                    pos = skip_space(bytes, self.open(Kind::Array, pos)?);
                    if bytes.get(pos) != Some(&b']') {
                        continue;
                    }
                    self.close(pos)?
                }
                Some(b'-' | b'0'..=b'9') => self.number(pos)?,
                Some(b't') => self.word(pos, "true", Kind::Bool)?,
                Some(b'f') => self.word(pos, "false", Kind::Bool)?,
                Some(b'n') => self.word(pos, "null", Kind::Null)?,
                _ => return Err(self.unexpected(pos, "a value")),
            };
            // A value ended: close what ends with it, or go on to the next one.
            loop {
                pos = skip_space(bytes, pos);
                if self.stack.is_empty() {
                    return self.end_of_text(pos);
                }
                match (bytes.get(pos), self.top.object) {
                    (Some(b','), _) => break,
                    (Some(b'}'), true) | (Some(b']'), false) => pos = self.close(pos)?,
                    (_, true) => return Err(self.unexpected(pos, "',' or '}'")),
                    (_, false) => return Err(self.unexpected(pos, "',' or ']'")),
                }
            }
            pos = skip_space(bytes, pos + 1);
        }
    }

    /// Reads a member's name, and goes on to its value.
    #[inline]
    fn key(&mut self, start: usize) -> Step {
        let bytes = self.bytes;
        if bytes.get(start) != Some(&b'"') {
            return Err(self.unexpected(start, "a member name in double quotes"));
        }
        let mut end = plain_run(bytes, start + 1);
        let escaped = bytes.get(end) != Some(&b'"');
        if escaped {
            end = self.after_escapes(start, end)?;
            self.top.suspect = true;
        }
        end += 1;
        if end - start - 2 > self.limits.key_bytes {
            return Err(too_long(&rules::KEY_SIZE, start, end, self.limits.key_bytes));
        }
        self.note_key(start, end);
        let next = self.next_index();
        self.tape.push(Entry { name: true, ..Entry::new(Kind::String, start, end, next, escaped) });
        let colon = skip_space(bytes, end);
        if bytes.get(colon) != Some(&b':') {
            return Err(self.unexpected(colon, "':'"));
        }
        // Most writers put one space here.
        let value = colon + 1 + usize::from(bytes.get(colon + 1) == Some(&b' '));
        Ok(skip_space(bytes, value))
    }

    /// Compares a key with those before it, as far as that is cheap.
    #[inline]
    fn note_key(&mut self, start: usize, end: usize) {
        let bit = 1_u64 << key_sort(self.bytes, start, end);
        if self.top.keys & bit != 0 {
            self.compare_key(start, end);
        }
        self.top.keys |= bit;
    }

    #[cold]
    fn compare_key(&mut self, start: usize, end: usize) {
        let token = self.bytes.get(start..end);
        let equal = |key: &Entry| self.bytes.get(key.start as usize..key.end as usize) == token;
        let earlier = KeyWalk { tape: &self.tape, index: self.top.index as usize + 1 };
        let mut earlier = earlier.enumerate();
        self.top.suspect |= earlier.any(|(count, key)| count > FEW_MEMBERS || equal(key));
    }

    fn open(&mut self, kind: Kind, pos: usize) -> Step {
        if self.stack.len() >= self.limits.depth {
            let message = format!("nested deeper than {} levels", self.limits.depth);
            return Err(fault(&rules::DEPTH, pos, pos + 1, message));
        }
        let open =
            Open { index: self.next_index(), object: kind == Kind::Object, ..Open::default() };
        self.stack.push(std::mem::replace(&mut self.top, open));
        self.push(kind, pos, pos, false)?;
        Ok(pos + 1)
    }

    fn close(&mut self, pos: usize) -> Step {
        let index = self.top.index as usize;
        if self.top.suspect {
            self.refuse_duplicates(index)?;
        }
        let next = self.next_index();
        if let Some(entry) = self.tape.get_mut(index) {
            entry.close(pos + 1, next);
        }
        self.top = self.stack.pop().unwrap_or_default();
        Ok(pos + 1)
    }

    /// Adds a value to the list.
    #[inline]
    fn push(&mut self, kind: Kind, start: usize, end: usize, escaped: bool) -> Step<()> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            let message = format!("more than {} values", self.limits.nodes);
            return Err(fault(&rules::NODES, start, start, message));
        }
        let next = self.next_index() + 1;
        self.tape.push(Entry::new(kind, start, end, next, escaped));
        Ok(())
    }

    fn word(&mut self, start: usize, word: &'static str, kind: Kind) -> Step {
        let end = start + word.len();
        if self.bytes.get(start..end) != Some(word.as_bytes()) {
            return Err(self.unexpected(start, "a value"));
        }
        self.push(kind, start, end, false)?;
        Ok(end)
    }

    fn number(&mut self, start: usize) -> Step {
        let end = number(self.bytes, start).map_err(|at| self.unexpected(at, "a digit"))?;
        if end - start > self.limits.number_bytes {
            return Err(too_long(&rules::NUMBER_SIZE, start, end, self.limits.number_bytes));
        }
        self.push(Kind::Number, start, end, false)?;
        Ok(end)
    }

    #[inline]
    fn string(&mut self, start: usize) -> Step {
        let mut end = plain_run(self.bytes, start + 1);
        let escaped = self.bytes.get(end) != Some(&b'"');
        if escaped {
            end = self.after_escapes(start, end)?;
        }
        end += 1;
        if end - start - 2 > self.limits.string_bytes {
            return Err(too_long(&rules::STRING_SIZE, start, end, self.limits.string_bytes));
        }
        self.push(Kind::String, start, end, escaped)?;
        Ok(end)
    }

    /// Goes on in a string from where its plain text ends: the position of the
    /// closing quote.
    #[cold]
    fn after_escapes(&self, start: usize, mut pos: usize) -> Step {
        while self.bytes.get(pos) == Some(&b'\\') {
            let end = escape(self.bytes, pos)
                .map_err(|problem| fault(problem.rule, pos, problem.end, problem.message))?;
            pos = plain_run(self.bytes, end);
        }
        match self.bytes.get(pos) {
            Some(b'"') => Ok(pos),
            Some(_) => {
                let message = "control characters in a string must be escaped";
                Err(fault(&rules::SYNTAX, pos, pos + 1, message))
            }
            None => Err(fault(&rules::SYNTAX, start, pos, "the text ends inside a string")),
        }
    }

    fn end_of_text(&self, pos: usize) -> Step<()> {
        if pos < self.bytes.len() {
            let message = "something follows the document";
            return Err(fault(&rules::TRAILING, pos, self.bytes.len(), message));
        }
        Ok(())
    }

    fn refuse_duplicates(&self, object: usize) -> Step<()> {
        let keys = KeyWalk { tape: &self.tape, index: object + 1 };
        let names =
            keys.map(|key| (decode::string(self.slice(key.span()), key.escaped), key.span()));
        let Some((first, again)) = find_equal(&names.collect::<Vec<_>>()) else {
            return Ok(());
        };
        let name = decode::string(self.slice(again), true);
        let message = format!("the member {} is here twice", quoted(&name));
        let mut fault = fault(&rules::DUPLICATE_KEY, again.start, again.end, message);
        fault.first = Some(first);
        Err(fault)
    }

    #[inline]
    fn next_index(&self) -> u32 {
        // The text is shorter than 4 GiB, and an entry stands for a byte at least.
        #[allow(clippy::cast_possible_truncation)]
        let index = self.tape.len() as u32;
        index
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    #[cold]
    #[allow(clippy::unnecessary_box_returns)] // large, and rare
    fn unexpected(&self, pos: usize, expected: &'static str) -> Box<Fault> {
        let Some(found) = self.text.get(pos..).and_then(|rest| rest.chars().next()) else {
            let message = format!("the text ends where {expected} should be");
            return fault(&rules::SYNTAX, pos, pos, message);
        };
        let message =
            format!("expected {expected}, found {}", quoted(found.encode_utf8(&mut [0; 4])));
        let mut fault = fault(&rules::SYNTAX, pos, pos + found.len_utf8(), message);
        fault.help = match found {
            '/' | '#' => Some("JSON has no comments"),
            '}' | ']' => Some("JSON has no trailing commas"),
            '\'' => Some("strings and names stand in double quotes"),
            _ => None,
        };
        fault
    }

    fn explain(&self, fault: Fault) -> Diagnostic {
        let span = Span { start: fault.start, end: fault.end.min(self.text.len()) };
        let mut pointer = self.place();
        if fault.first.is_some() {
            // A duplicate is found when its object ends, past its last member.
            pointer = pointer.push(&decode::string(self.slice(span), true));
        }
        let mut diagnostic = fault.rule.at_pointer(pointer, fault.message).span(span);
        diagnostic.help = fault.help.map(str::to_owned);
        match fault.first {
            Some(first) => diagnostic.related(first, "the first one is here"),
            None => diagnostic,
        }
    }

    /// The pointer of the value that was being read, or of the object between
    /// two of its members.
    fn place(&self) -> Pointer {
        let mut pointer = Pointer::root();
        let opened: Vec<&Open> = self.stack.iter().chain([&self.top]).skip(1).collect();
        let ends = opened.iter().skip(1).map(|open| open.index).chain([self.next_index()]);
        for (open, end) in opened.iter().zip(ends) {
            let (mut index, mut elements, mut last_key) = (open.index + 1, 0, None);
            while index < end {
                if open.object {
                    last_key = self.tape.get(index as usize);
                    index += 1;
                }
                let next = self.tape.get(index as usize).map_or(0, |entry| entry.next);
                if index >= end || next <= index || next > end {
                    break;
                }
                (elements, last_key) = (elements + 1, None);
                index = next;
            }
            pointer = match last_key {
                Some(key) => pointer.push(&decode::string(self.slice(key.span()), true)),
                None if open.object => pointer,
                None => pointer.push_index(elements),
            };
        }
        pointer
    }
}

#[cold]
#[allow(clippy::unnecessary_box_returns)] // large, and rare
fn fault(
    rule: &'static Rule,
    start: usize,
    end: usize,
    message: impl Into<Cow<'static, str>>,
) -> Box<Fault> {
    Box::new(Fault { rule, start, end, message: message.into(), help: None, first: None })
}

#[cold]
#[allow(clippy::unnecessary_box_returns)] // large, and rare
fn too_long(rule: &'static Rule, start: usize, end: usize, limit: usize) -> Box<Fault> {
    fault(rule, start, end, format!("longer than {limit} bytes"))
}

/// Sorts the key between two quotes into one of 64 sorts, by its length and its
/// last eight bytes. Equal keys are of the same sort, wherever they stand.
#[inline]
fn key_sort(bytes: &[u8], start: usize, end: usize) -> u32 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let length = end - start - 2;
    let tail = match bytes.get(..end - 1).and_then(<[u8]>::last_chunk) {
        Some(tail) if length >= 8 => u64::from_le_bytes(*tail),
        // What stands before a short key does not count.
        Some(tail) if length > 0 => u64::from_le_bytes(*tail) >> (64 - 8 * length),
        Some(_) => 0,
        // At the very beginning of the text.
        None => {
            let key = bytes.get(start + 1..end - 1).unwrap_or_default();
            key.iter().rev().fold(0, |tail, byte| tail << 8 | u64::from(*byte))
        }
    };
    ((tail ^ length as u64).wrapping_mul(ODD) >> 58) as u32
}

/// The keys of an object, from the index of its first one.
struct KeyWalk<'t> {
    tape: &'t [Entry],
    index: usize,
}

impl<'t> Iterator for KeyWalk<'t> {
    type Item = &'t Entry;

    fn next(&mut self) -> Option<&'t Entry> {
        let key = self.tape.get(self.index)?;
        self.index = self.tape.get(self.index + 1)?.next as usize;
        Some(key)
    }
}

/// The places of two equal names: of all pairs, the one whose second name comes
/// first.
fn find_equal(names: &[(Cow<'_, str>, Span)]) -> Option<(Span, Span)> {
    let mut sorted: Vec<_> = names.iter().collect();
    sorted.sort_unstable_by(|a, b| (&a.0, a.1.start).cmp(&(&b.0, b.1.start)));
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    pairs.filter(|(a, b)| a.0 == b.0).map(|(a, b)| (a.1, b.1)).min_by_key(|(_, again)| again.start)
}
