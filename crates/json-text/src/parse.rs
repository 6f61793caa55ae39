//! Parses a text in one pass, into a flat list of entries.
//!
//! The parser does not recurse and copies no text. It allocates only the list and a stack.
//! It refuses input that readers interpret differently.

use std::borrow::Cow;

use super::entry::Entry;
use super::rules;
use super::scan::{escape_end, number_end, plain_end, skip_space};
use super::{Kind, Span, decode};
use crate::Limits;
use diagnostic::{Diagnostic, quoted};
use diagnostic::{Pointer, Rule};

/// Larger objects are checked for duplicate keys by sorting.
const LINEAR_CHECK_MEMBERS: usize = 24;

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Vec<Entry>, Diagnostic> {
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        // An estimate that spares most documents a second allocation.
        tape: Vec::with_capacity((text.len() / 10).min(limits.nodes)),
        top: OpenContainer::new(0, ROOT),
        stack: Stack::new(),
        longest_key: limits.key_bytes.saturating_add(2),
        longest_string: limits.string_bytes.saturating_add(2),
        count_at: limits.nodes,
        limits,
    };
    match parser.parse_document() {
        Ok(()) => Ok(parser.tape),
        Err(fault) => Err(parser.explain(*fault)),
    }
}

/// A parse error, from which a diagnostic is built at the end.
struct Fault {
    rule: &'static Rule,
    start: usize,
    end: usize,
    message: Cow<'static, str>,
    help: Option<&'static str>,
    first: Option<Span>,
}

/// A position or a fault. The fault is boxed because it is large and rare.
type ParseResult<T = usize> = Result<T, Box<Fault>>;

/// The closing byte of the root, which has no closing bracket. A comma never matches it,
/// because commas are tested first.
const ROOT: u8 = b',';

/// A container that is still open.
#[derive(Clone, Copy)]
struct OpenContainer {
    /// The index of the container's entry.
    index: u32,
    /// The closing bracket, or [`ROOT`].
    closing_byte: u8,
    /// True if the object must be checked for duplicate keys at its end.
    may_have_duplicates: bool,
    /// One bit for each bucket of keys seen so far. Keys in different buckets differ; keys
    /// in the same bucket may be equal.
    keys: u64,
}

impl OpenContainer {
    const fn new(index: u32, end: u8) -> Self {
        Self { index, closing_byte: end, may_have_duplicates: false, keys: 0 }
    }
}

/// Open containers, from the outermost to the innermost. Most documents fit into `inline`,
/// which needs no allocation.
struct Stack {
    inline: [OpenContainer; 8],
    heap: Vec<OpenContainer>,
    len: usize,
}

impl Stack {
    const fn new() -> Self {
        Self { inline: [OpenContainer::new(0, ROOT); 8], heap: Vec::new(), len: 0 }
    }

    #[inline]
    fn push(&mut self, open: OpenContainer) {
        match self.inline.get_mut(self.len) {
            Some(slot) => *slot = open,
            None => self.heap.push(open),
        }
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<OpenContainer> {
        self.len = self.len.checked_sub(1)?;
        self.inline.get(self.len).copied().or_else(|| self.heap.pop())
    }

    fn iter(&self) -> impl Iterator<Item = &OpenContainer> {
        self.inline.iter().take(self.len).chain(&self.heap)
    }
}

/// Methods take the position to read from and return the position to continue at.
struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    tape: Vec<Entry>,
    /// The innermost open container.
    top: OpenContainer,
    /// The other open containers. The outermost entry is for the root.
    stack: Stack,
    /// Limits in bytes, quotes included.
    longest_key: usize,
    longest_string: usize,
    /// The length of the list at which the values must be counted.
    count_at: usize,
    limits: &'a Limits,
}

impl<'a> Parser<'a> {
    fn parse_document(&mut self) -> ParseResult<()> {
        let bytes = self.bytes;
        let mut pos = skip_space(bytes, 0);
        loop {
            if self.top.closing_byte == b'}' {
                pos = self.parse_key(bytes, pos)?;
            }
            pos = match bytes.get(pos) {
                Some(b'"') => self.parse_string(bytes, pos)?,
                Some(first @ (b'{' | b'[')) => {
                    // In ASCII, a closing bracket is its opening bracket plus two.
                    let end = first + 2;
                    self.open(end, pos)?;
                    pos = skip_space(bytes, pos + 1);
                    if bytes.get(pos) != Some(&end) {
                        continue;
                    }
                    pos
                }
                _ => self.parse_scalar(pos)?,
            };
            // After a value, close the containers that end here, or continue with the next
            // value.
            loop {
                pos = skip_space(bytes, pos);
                match bytes.get(pos) {
                    Some(b',') => break,
                    Some(end) if *end == self.top.closing_byte => pos = self.close(pos)?,
                    _ => return self.expect_end(pos),
                }
            }
            if self.top.closing_byte == ROOT {
                return self.expect_end(pos);
            }
            pos = skip_space(bytes, pos + 1);
        }
    }

    /// Reads a member's name and returns the position of its value.
    #[inline]
    fn parse_key(&mut self, bytes: &[u8], start: usize) -> ParseResult {
        if bytes.get(start) != Some(&b'"') {
            return Err(self.unexpected_char(start, "a member name in double quotes"));
        }
        let end = plain_end(bytes, start + 1) + 1;
        if bytes.get(end - 1) != Some(&b'"') {
            return self.parse_escaped_key(start, end - 1);
        }
        if end - start > self.longest_key {
            return Err(length_fault(&rules::KEY_SIZE, start, end, self.limits.key_bytes));
        }
        self.note_key(bytes, start, end);
        let next = self.next_index();
        self.tape
            .push(Entry { is_name: true, ..Entry::new(Kind::String, start, end, next, false) });
        // Most writers put a colon and one space before the value.
        if let Some([b':', b' ', b'!'..=0xFF]) = bytes.get(end..).and_then(<[u8]>::first_chunk) {
            return Ok(end + 2);
        }
        self.skip_colon(end)
    }

    /// Reads the rest of a name from `end`, the position of its first escape or of an
    /// error.
    #[cold]
    fn parse_escaped_key(&mut self, start: usize, end: usize) -> ParseResult {
        let end = self.find_closing_quote(start, end)? + 1;
        if end - start > self.longest_key {
            return Err(length_fault(&rules::KEY_SIZE, start, end, self.limits.key_bytes));
        }
        // Another key may be the same name in a different spelling.
        self.top.may_have_duplicates = true;
        let next = self.next_index();
        self.tape.push(Entry { is_name: true, ..Entry::new(Kind::String, start, end, next, true) });
        self.skip_colon(end)
    }

    /// Reads the colon after a name and returns the position of the value.
    fn skip_colon(&self, end: usize) -> ParseResult {
        let colon = skip_space(self.bytes, end);
        if self.bytes.get(colon) != Some(&b':') {
            return Err(self.unexpected_char(colon, "':'"));
        }
        Ok(skip_space(self.bytes, colon + 1))
    }

    /// Compares a key with the earlier ones, as far as that is cheap.
    #[inline]
    fn note_key(&mut self, bytes: &[u8], start: usize, end: usize) {
        let bit = 1_u64 << key_bucket(bytes, start, end);
        if self.top.keys & bit != 0 {
            self.compare_key(start, end);
        }
        self.top.keys |= bit;
    }

    #[cold]
    fn compare_key(&mut self, start: usize, end: usize) {
        let token = Span { start, end }.slice_bytes(self.bytes);
        // Similar names usually differ at the end, for example in a number.
        let (tail, length) = (token.iter().rev().nth(1), end - start);
        let equal = |key: &Entry| {
            let (from, to) = (key.start as usize, key.end as usize);
            to - from == length
                && self.bytes.get(to - 2) == tail
                && self.bytes.get(from..to) == Some(token)
        };
        let earlier = KeyWalk { tape: &self.tape, index: self.top.index as usize + 1 };
        let mut earlier = earlier.enumerate();
        self.top.may_have_duplicates = self.top.may_have_duplicates
            || earlier.any(|(count, key)| count > LINEAR_CHECK_MEMBERS || equal(key));
    }

    #[inline]
    fn open(&mut self, end: u8, pos: usize) -> ParseResult<()> {
        if self.stack.len >= self.limits.depth {
            let message = format!("nested deeper than {} levels", self.limits.depth);
            return Err(fault(&rules::DEPTH, pos, pos + 1, message));
        }
        let open = OpenContainer::new(self.next_index(), end);
        self.stack.push(std::mem::replace(&mut self.top, open));
        let kind = if end == b'}' { Kind::Object } else { Kind::Array };
        self.push(kind, pos, pos, false)
    }

    #[inline]
    fn close(&mut self, pos: usize) -> ParseResult {
        let index = self.top.index as usize;
        if self.top.may_have_duplicates {
            self.refuse_duplicates(index)?;
        }
        let next = self.next_index();
        if let Some(entry) = self.tape.get_mut(index) {
            entry.close(pos + 1, next);
        }
        self.top = self.stack.pop().unwrap_or(OpenContainer::new(0, ROOT));
        Ok(pos + 1)
    }

    #[inline]
    fn push(&mut self, kind: Kind, start: usize, end: usize, escaped: bool) -> ParseResult<()> {
        if self.tape.len() >= self.count_at {
            self.count(start)?;
        }
        let next = self.next_index() + 1;
        self.tape.push(Entry::new(kind, start, end, next, escaped));
        Ok(())
    }

    /// Counts the values and sets when to count again. This is rare, because at least half
    /// of the entries are values.
    #[cold]
    fn count(&mut self, start: usize) -> ParseResult<()> {
        let values = self.tape.iter().filter(|entry| !entry.is_name).count();
        match self.limits.nodes.checked_sub(values) {
            None | Some(0) => {
                let message = format!("more than {} values", self.limits.nodes);
                Err(fault(&rules::NODES, start, start, message))
            }
            Some(room) => {
                self.count_at = self.tape.len() + room;
                Ok(())
            }
        }
    }

    fn parse_scalar(&mut self, start: usize) -> ParseResult {
        match self.bytes.get(start) {
            Some(b'-' | b'0'..=b'9') => self.parse_number(start),
            Some(b't') => self.parse_literal(start, "true", Kind::Bool),
            Some(b'f') => self.parse_literal(start, "false", Kind::Bool),
            Some(b'n') => self.parse_literal(start, "null", Kind::Null),
            _ => Err(self.unexpected_char(start, "a value")),
        }
    }

    fn parse_literal(&mut self, start: usize, word: &'static str, kind: Kind) -> ParseResult {
        let end = start + word.len();
        if self.bytes.get(start..end) != Some(word.as_bytes()) {
            return Err(self.unexpected_char(start, "a value"));
        }
        self.push(kind, start, end, false)?;
        Ok(end)
    }

    fn parse_number(&mut self, start: usize) -> ParseResult {
        let end =
            number_end(self.bytes, start).map_err(|at| self.unexpected_char(at, "a digit"))?;
        if end - start > self.limits.number_bytes {
            return Err(length_fault(&rules::NUMBER_SIZE, start, end, self.limits.number_bytes));
        }
        self.push(Kind::Number, start, end, false)?;
        Ok(end)
    }

    #[inline]
    fn parse_string(&mut self, bytes: &[u8], start: usize) -> ParseResult {
        let end = plain_end(bytes, start + 1) + 1;
        if bytes.get(end - 1) != Some(&b'"') {
            return self.parse_escaped_string(start, end - 1);
        }
        if end - start > self.longest_string {
            return Err(length_fault(&rules::STRING_SIZE, start, end, self.limits.string_bytes));
        }
        self.push(Kind::String, start, end, false)?;
        Ok(end)
    }

    /// Reads the rest of a string from `end`, the position of its first escape or of an
    /// error.
    #[cold]
    fn parse_escaped_string(&mut self, start: usize, end: usize) -> ParseResult {
        let end = self.find_closing_quote(start, end)? + 1;
        if end - start > self.longest_string {
            return Err(length_fault(&rules::STRING_SIZE, start, end, self.limits.string_bytes));
        }
        self.push(Kind::String, start, end, true)?;
        Ok(end)
    }

    /// Reads escapes and plain text from `pos` on, and returns the position of the closing
    /// quote.
    #[cold]
    fn find_closing_quote(&self, start: usize, mut pos: usize) -> ParseResult {
        while self.bytes.get(pos) == Some(&b'\\') {
            let end = escape_end(self.bytes, pos)
                .map_err(|problem| fault(problem.rule, pos, problem.end, problem.message))?;
            pos = plain_end(self.bytes, end);
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

    /// Fails unless the text ends here. Called if no valid token follows a value.
    #[cold]
    fn expect_end(&self, pos: usize) -> ParseResult<()> {
        match self.top.closing_byte {
            b'}' => Err(self.unexpected_char(pos, "',' or '}'")),
            b']' => Err(self.unexpected_char(pos, "',' or ']'")),
            _ if pos < self.bytes.len() => {
                let message = "something follows the document";
                Err(fault(&rules::TRAILING, pos, self.bytes.len(), message))
            }
            _ => Ok(()),
        }
    }

    fn refuse_duplicates(&self, object: usize) -> ParseResult<()> {
        let keys = KeyWalk { tape: &self.tape, index: object + 1 };
        let names = keys.map(|key| {
            (decode::decode_string(self.slice(key.span()), key.has_escapes), key.span())
        });
        let Some((first, again)) = find_equal(&names.collect::<Vec<_>>()) else {
            return Ok(());
        };
        let name = decode::decode_string(self.slice(again), true);
        let message = format!("the member {} is here twice", quoted(&name));
        let mut fault = fault(&rules::DUPLICATE_KEY, again.start, again.end, message);
        fault.first = Some(first);
        Err(fault)
    }

    #[inline]
    fn next_index(&self) -> u32 {
        // The text is shorter than 4 GiB, and each entry takes at least one byte of it.
        #[allow(clippy::cast_possible_truncation)]
        let index = self.tape.len() as u32;
        index
    }

    fn slice(&self, span: Span) -> &'a str {
        span.slice(self.text)
    }

    #[cold]
    #[allow(clippy::unnecessary_box_returns)] // large, and rare
    fn unexpected_char(&self, pos: usize, expected: &'static str) -> Box<Fault> {
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
        let mut pointer = self.current_pointer();
        if fault.first.is_some() {
            // A duplicate is found at the end of its object, when the name is no longer
            // current.
            pointer = pointer.push(&decode::decode_string(self.slice(span), true));
        }
        let mut diagnostic = fault.rule.at_pointer(pointer, fault.message).span(span);
        if let Some(help) = fault.help {
            diagnostic = diagnostic.help(help);
        }
        match fault.first {
            Some(first) => diagnostic.related(first, "the first one is here"),
            None => diagnostic,
        }
    }

    /// Returns the pointer of the value that is being read, or of the object if the
    /// position is between two members.
    fn current_pointer(&self) -> Pointer {
        let mut pointer = Pointer::root();
        let opened: Vec<&OpenContainer> = self.stack.iter().chain([&self.top]).skip(1).collect();
        let ends = opened.iter().skip(1).map(|open| open.index).chain([self.next_index()]);
        for (open, end) in opened.iter().zip(ends) {
            let (mut index, mut elements, mut last_key) = (open.index + 1, 0, None);
            while index < end {
                if open.closing_byte == b'}' {
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
                Some(key) => pointer.push(&decode::decode_string(self.slice(key.span()), true)),
                None if open.closing_byte == b'}' => pointer,
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
fn length_fault(rule: &'static Rule, start: usize, end: usize, limit: usize) -> Box<Fault> {
    fault(rule, start, end, format!("longer than {limit} bytes"))
}

/// Returns one of 64 buckets for the key between two quotes, by its length and its last
/// eight bytes. Equal keys are in the same bucket at any position.
#[inline]
fn key_bucket(bytes: &[u8], start: usize, end: usize) -> u32 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let length = end - start - 2;
    let tail = match bytes.get(..end - 1).and_then(<[u8]>::last_chunk) {
        Some(tail) if length >= 8 => u64::from_le_bytes(*tail),
        // Drop the bytes before a short key.
        Some(tail) if length > 0 => u64::from_le_bytes(*tail) >> (64 - 8 * length),
        Some(_) => 0,
        // The key is within the first eight bytes of the text.
        None => {
            let key = Span { start: start + 1, end: end - 1 }.slice_bytes(bytes);
            key.iter().rev().fold(0, |tail, byte| tail << 8 | u64::from(*byte))
        }
    };
    ((tail ^ length as u64).wrapping_mul(ODD) >> 58) as u32
}

/// Iterates over the keys of an object, from the index of the first.
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

/// Returns the spans of two equal names. If there are several pairs, returns the one whose
/// second name comes first.
fn find_equal(names: &[(Cow<'_, str>, Span)]) -> Option<(Span, Span)> {
    let mut sorted: Vec<_> = names.iter().collect();
    sorted.sort_unstable_by(|a, b| (&a.0, a.1.start).cmp(&(&b.0, b.1.start)));
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    pairs.filter(|(a, b)| a.0 == b.0).map(|(a, b)| (a.1, b.1)).min_by_key(|(_, again)| again.start)
}
