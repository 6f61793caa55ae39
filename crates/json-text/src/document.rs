//! A parsed text: a flat list of entries, and access to their values.

use std::sync::OnceLock;

use diagnostic::{Diagnostic, Pointer, Position, Span, position};

use crate::entry::Entry;
use crate::positions::PositionTable;
use crate::{Limits, parse, rules};

/// The parsed entries of a text, without the text.
#[derive(Clone, Debug, Default)]
pub struct ParsedEntries(Vec<Entry>);

/// A parsed JSON text.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) text: &'a str,
    pub(crate) tape: Vec<Entry>,
    /// Built on first use, so that documents without problems do not pay for it.
    positions: OnceLock<PositionTable>,
}

/// A value inside a [`Document`]. Copying it is free.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) index: u32,
}

impl<'a> Document<'a> {
    /// Parses a text. Fails if the text is not JSON, if readers would disagree about its
    /// value, or if it exceeds a limit.
    pub fn parse(bytes: &'a [u8], limits: impl Into<Limits>) -> Result<Self, Diagnostic> {
        let limits = limits.into();
        let text = decode_text(bytes, &limits)?;
        let tape = parse::parse(text, &limits)?;
        #[cfg(feature = "count")]
        crate::count::count_parsed(text);
        Ok(Self { text, tape, positions: OnceLock::new() })
    }

    /// Returns the parsed entries, so that [`from_tape`](Self::from_tape) can open the same text
    /// without parsing it again.
    pub fn tape(&self) -> ParsedEntries {
        ParsedEntries(self.tape.clone())
    }

    /// Opens a text that was parsed before. `tape` must come from the same text.
    pub fn from_tape(text: &'a str, tape: &ParsedEntries) -> Self {
        Self { text, tape: tape.0.clone(), positions: OnceLock::new() }
    }

    /// Returns the text.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the root value.
    pub fn root(&self) -> Node<'_> {
        Node { document: self, index: 0 }
    }

    /// Returns the value of an entry. Returns `None` if the entry does not exist or is the
    /// name of a member.
    pub fn node(&self, entry: u32) -> Option<Node<'_>> {
        let known = self.tape.get(entry as usize).is_some_and(|entry| !entry.is_name);
        known.then_some(Node { document: self, index: entry })
    }

    /// Returns the text of an entry exactly as written.
    pub fn raw_at(&self, entry: u32) -> Option<&'a str> {
        let span = self.tape.get(entry as usize)?.span();
        self.text.get(span.start..span.end)
    }

    /// Returns the value at a pointer, given as text.
    pub fn at(&self, pointer: &str) -> Option<Node<'_>> {
        self.root().at(&Pointer::parse(pointer).ok()?)
    }

    /// Returns the line and column of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        position(self.text, offset)
    }

    pub(crate) fn places(&self) -> &PositionTable {
        self.positions.get_or_init(|| PositionTable::of(self.text, &self.tape))
    }
}

fn decode_text<'a>(bytes: &'a [u8], limits: &Limits) -> Result<&'a str, Diagnostic> {
    let encoding = |start: usize, end: usize, message: &str| {
        rules::ENCODING.at_pointer(Pointer::root(), message).span(Span { start, end })
    };
    let limit = limits.document_bytes.min(u32::MAX as usize - 1);
    if bytes.len() > limit {
        let message = format!("{} bytes, more than the {limit} allowed", bytes.len());
        return Err(rules::SIZE
            .at_pointer(Pointer::root(), message)
            .span(Span { start: 0, end: 0 }));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(encoding(0, 3, "the text begins with a byte order mark")
            .help("save the file as UTF-8 without a byte order mark"));
    }
    if bytes.iter().take(2).any(|&b| b == 0) && bytes.len().is_multiple_of(2) {
        return Err(
            encoding(0, 2, "the text looks like UTF-16 or UTF-32").help("save the file as UTF-8")
        );
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let end = error.error_len().map_or(bytes.len(), |len| start + len);
        encoding(start, end, "these bytes are not UTF-8")
    })
}
