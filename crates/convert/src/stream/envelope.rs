//! The envelope: the object around the list, in a stream that is an object.

use diagnostic::{Depth, Diagnostic, Pointer};
use json_text::{Document, rules};
use manifest_core::{Catalog, Format, Limits, ValidateOptions};

use super::item::{Location, StreamError};
use super::scan::{Scan, is_space};

/// The bytes of a member name that are kept: more than any list name needs, even if every
/// character is escaped.
const MAX_NAME_BYTES: usize = 256;

/// Scans the members of an object for the list.
#[derive(Clone, Debug, Default)]
pub(super) struct ListFinder {
    scan: Scan,
    /// The last string that is directly in the object.
    token: Vec<u8>,
    last: LastToken,
    /// The number of bytes of white space after the next bracket that were already scanned.
    spaces: usize,
}

/// The last token that is directly in the object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LastToken {
    String,
    Colon,
    #[default]
    Other,
}

/// The next event outside of the list.
pub(super) enum EnvelopeEvent {
    /// The list begins, in that member.
    List(&'static str),
    /// The object ends.
    End,
    /// More bytes are needed.
    Unknown,
}

impl ListFinder {
    /// Scans bytes of the object, beginning with its bracket, up to the list or the end.
    /// Returns the number of scanned bytes.
    ///
    /// If `sure` is true, any array with one of the names is the list. Otherwise an array
    /// that begins with a string is not, because entries are objects, and formats also have
    /// lists of strings with these names. To find that out, at most `room` bytes of white
    /// space are skipped. If the bytes are `finished`, no more are awaited.
    pub(super) fn scan(
        &mut self,
        bytes: &[u8],
        members: &[&'static str],
        sure: bool,
        room: usize,
        finished: bool,
    ) -> (usize, EnvelopeEvent) {
        for (pos, byte) in bytes.iter().enumerate() {
            let list = if *byte == b'[' { self.list_member(members) } else { None };
            if let Some(member) = list {
                let rest = bytes.get(pos + 1..).unwrap_or_default();
                // This white space was scanned before.
                let known = if pos == 0 { std::mem::take(&mut self.spaces) } else { 0 };
                let mut solid = rest.iter().enumerate().skip(known).filter(|(_, b)| !is_space(**b));
                match solid.next().filter(|(at, _)| *at <= room).map(|(_, byte)| byte) {
                    None if !sure && !finished && rest.len() <= room => {
                        self.spaces = rest.len();
                        return (pos, EnvelopeEvent::Unknown);
                    }
                    Some(b'"') if !sure => {}
                    _ => {
                        self.step(*byte);
                        return (pos + 1, EnvelopeEvent::List(member));
                    }
                }
            }
            if self.step(*byte) {
                return (pos + 1, EnvelopeEvent::End);
            }
        }
        (bytes.len(), EnvelopeEvent::Unknown)
    }

    /// Returns the member whose value begins here, if it may contain the list.
    fn list_member(&self, members: &[&'static str]) -> Option<&'static str> {
        if self.scan.depth != 1 || self.scan.in_string || self.last != LastToken::Colon {
            return None;
        }
        members.iter().find(|member| self.last_string_is(member)).copied()
    }

    /// Scans one byte. Returns true if the object ends.
    fn step(&mut self, byte: u8) -> bool {
        let direct = self.scan.depth == 1;
        if self.scan.in_string {
            if direct && self.token.len() <= MAX_NAME_BYTES {
                self.token.push(byte);
            }
            self.scan.step(byte);
            return false;
        }
        match byte {
            b'"' if direct => {
                self.token.clear();
                self.token.push(byte);
                self.last = LastToken::String;
            }
            b':' if direct && self.last == LastToken::String => self.last = LastToken::Colon,
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => self.last = LastToken::Other,
        }
        self.scan.step(byte);
        self.scan.depth == 0
    }

    /// Returns true if the last string is that name, with escapes decoded.
    fn last_string_is(&self, name: &str) -> bool {
        Document::parse(&self.token, &Limits::default())
            .is_ok_and(|token| token.root().text().as_deref() == Some(name))
    }
}

/// The object without the entries of its list.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    text: Vec<u8>,
    /// The place where the object begins.
    pub(super) start: Location,
    /// The length of the text before the entries, and the place where it resumes after
    /// them.
    cut: Option<(usize, Location)>,
    too_long: bool,
}

impl Envelope {
    pub(super) const fn new(start: Location) -> Self {
        Self { text: Vec::new(), start, cut: None, too_long: false }
    }

    /// Adds text from around the list.
    pub(super) fn push(&mut self, bytes: &[u8], limits: &Limits) {
        self.too_long |= self.text.len().saturating_add(bytes.len()) > limits.document_bytes;
        if self.too_long {
            self.text = Vec::new();
        } else {
            self.text.extend_from_slice(bytes);
        }
    }

    /// Remembers where the text resumes after the entries.
    pub(super) const fn resume(&mut self, place: Location) {
        self.cut = Some((self.text.len(), place));
    }

    /// Returns the text, which was checked before.
    pub(super) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.text).ok()
    }

    /// Parses the text of a complete object.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), StreamError> {
        if self.too_long {
            let limit = limits.document_bytes;
            let message =
                format!("what is around the list has more than the {limit} bytes allowed");
            let diagnostic = rules::SIZE.at_pointer(Pointer::root(), message);
            return Err(StreamError { index: None, place: self.start, diagnostic });
        }
        Document::parse(&self.text, limits).map(|_| ()).map_err(|found| self.to_error(found))
    }

    /// Checks the text as a document of a format.
    pub(super) fn validate(
        &self,
        format: &Format,
        catalog: Catalog,
        entries: bool,
        options: &ValidateOptions,
    ) -> Vec<StreamError> {
        let Ok(document) = Document::parse(&self.text, &options.limits) else {
            return Vec::new(); // the error was reported before
        };
        let mut found = format.validate(&document, options).diagnostics;
        if entries {
            // Advice about an empty list does not apply to a list that had entries.
            let empty = catalog.frame.concat();
            if let Ok(empty) = Document::parse(empty.as_bytes(), &options.limits) {
                let empty = format.validate(&empty, options).diagnostics;
                found.retain(|found| {
                    found.rule.depth != Depth::Advice
                        || empty.iter().all(|other| other.rule != found.rule)
                });
            }
        }
        found.into_iter().map(|found| self.to_error(found)).collect()
    }

    fn to_error(&self, mut diagnostic: Diagnostic) -> StreamError {
        let place = self.location_of(diagnostic.span.map_or(0, |span| span.start));
        diagnostic.clear_spans();
        StreamError { index: None, place, diagnostic }
    }

    /// Returns the place in the stream of a byte of the text.
    fn location_of(&self, offset: usize) -> Location {
        let (from, start) = match self.cut {
            Some((cut, place)) if offset >= cut => (cut, place),
            _ => (0, self.start),
        };
        start.after(self.text.get(from..offset).unwrap_or_default())
    }
}
