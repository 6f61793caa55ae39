//! Cuts a stream into entries.

use diagnostic::{Diagnostic, Pointer, Rule, quoted};
use json_text::rules as json;
use manifest_core::{Format, ValidateOptions};

use super::buffer::Buffer;
use super::detect::{Decision, Detector};
use super::envelope::{Envelope, EnvelopeEvent, ListFinder};
use super::item::{Item, Location, Shape, SplitOptions, StreamError, pointer};
use super::rules;
use super::scan::{ByteOrderMark, Scan, find_byte_order_mark, is_space, trim_end};

/// Cuts a stream into entries. See the [module](super) for an example.
///
/// Push bytes, and call [`next`](Self::next) until it returns `None`; repeat. At the end of
/// the stream, call [`finish`](Self::finish), and then `next` again. The results do not
/// depend on how the bytes were cut. Pushed bytes are held until `next` reads them.
#[derive(Clone, Debug)]
pub struct Splitter {
    split: SplitOptions,
    state: State,
    shape: Shape,
    member: Option<&'static str>,
    finished: bool,
    pub(super) buffer: Buffer,
    /// The number of entries so far.
    count: usize,
    /// The entry that has begun. The buffer holds its bytes.
    open: Option<OpenEntry>,
    /// The object around the list, once it is complete.
    envelope: Option<Envelope>,
    /// A whole object without a list: it is the only entry.
    sole_document: Option<Envelope>,
}

/// The position of the splitter in the stream.
#[derive(Clone, Debug)]
enum State {
    /// The shape is not known yet.
    Detect(Detector),
    /// Between line breaks.
    Lines,
    /// Before the outermost bracket.
    Before,
    /// In the object, outside of the list.
    Envelope(ListFinder, Envelope),
    /// In the list. A comma requires a value after it.
    List { comma: bool, around: Option<(ListFinder, Envelope)> },
    /// After the list, or the object.
    After,
    /// No more results follow.
    Done,
}

/// An entry that has begun.
#[derive(Clone, Copy, Debug)]
struct OpenEntry {
    place: Location,
    scan: Scan,
    /// The number of bytes dropped because the entry is too long.
    dropped_bytes: usize,
    /// True if the dropped bytes are more than white space.
    has_content: bool,
}

/// The result of one step.
enum StepResult {
    /// There is more to scan.
    Continue,
    /// More bytes are needed.
    Wait,
    /// An entry with the number of held bytes that belong to it.
    Entry(OpenEntry, usize),
    /// The whole object is the entry.
    SoleDocument,
    Broken(StreamError),
}

impl Splitter {
    /// Creates a splitter at the beginning of a stream.
    pub fn new(split: SplitOptions) -> Self {
        let mut splitter = Self {
            state: State::Detect(Detector::default()),
            shape: Shape::Lines,
            member: None,
            finished: false,
            buffer: Buffer::new(),
            count: 0,
            open: None,
            envelope: None,
            sole_document: None,
            split,
        };
        if let Some(shape) = splitter.split.shape {
            splitter.begin(shape);
        }
        splitter
    }

    /// Adds bytes of the stream. Bytes after its end are ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if !self.finished && !matches!(self.state, State::Done) {
            self.buffer.push(bytes);
        }
    }

    /// Marks the end of the stream.
    pub const fn finish(&mut self) {
        self.finished = true;
    }

    /// Returns the next entry, or an error in the stream. Returns `None` if more bytes are
    /// needed or, after [`Splitter::finish`], if there are no more entries.
    #[allow(clippy::should_implement_trait)] // an iterator cannot lend
    pub fn next(&mut self) -> Option<Result<Item<'_>, StreamError>> {
        loop {
            match self.step() {
                StepResult::Continue => {}
                StepResult::Wait => return None,
                StepResult::Broken(broken) => return Some(Err(broken)),
                StepResult::Entry(open, length) => return Some(Ok(self.item(open, length))),
                StepResult::SoleDocument => return self.whole().map(Ok),
            }
        }
    }

    /// Returns the number of entries so far, including broken ones.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns the shape of the stream, once it is known.
    pub const fn shape(&self) -> Option<Shape> {
        match self.state {
            State::Detect(_) => None,
            _ => Some(self.shape),
        }
    }

    /// Returns the member that contains the list, once the list has begun.
    pub const fn member(&self) -> Option<&'static str> {
        self.member
    }

    /// Returns the object around the list, without the entries. Returns `None` if the
    /// stream is not such an object, if the object is not complete yet, or if it is invalid
    /// around the list.
    pub fn envelope(&self) -> Option<&str> {
        self.envelope.as_ref().and_then(Envelope::text)
    }

    /// Checks the text around the list at the end of the stream. Each entry was checked
    /// without it.
    pub fn validate_envelope(
        &self,
        format: &Format,
        options: &ValidateOptions,
    ) -> Vec<StreamError> {
        match (&self.envelope, format.catalog) {
            (Some(envelope), Some(catalog)) if self.member == Some(catalog.member) => {
                envelope.validate(format, catalog, self.count > 0, options)
            }
            _ => Vec::new(),
        }
    }

    fn item(&mut self, open: OpenEntry, length: usize) -> Item<'_> {
        let index = self.count;
        self.count += 1;
        let bytes = self.buffer.all().get(..length).unwrap_or_default();
        Item { index, place: open.place, bytes, shape: self.shape, member: self.member }
    }

    fn whole(&self) -> Option<Item<'_>> {
        let whole = self.sole_document.as_ref()?;
        let bytes = whole.text()?.as_bytes();
        Some(Item { index: 0, place: whole.start, bytes, shape: self.shape, member: None })
    }

    fn begin(&mut self, shape: Shape) {
        self.shape = shape;
        self.buffer.rewind();
        self.state = if shape == Shape::Lines { State::Lines } else { State::Before };
    }

    fn step(&mut self) -> StepResult {
        match self.state {
            State::Detect(detect) => self.detect(detect),
            State::Lines => self.line(),
            State::Before => self.before(),
            State::Envelope(..) => self.around(),
            State::List { .. } => self.list(),
            State::After => self.after(),
            State::Done => StepResult::Wait,
        }
    }

    fn detect(&mut self, mut detect: Detector) -> StepResult {
        if self.buffer.scanned().is_empty() && self.buffer.skip_space().is_none() {
            if !self.finished {
                return StepResult::Wait;
            }
            self.begin(Shape::Lines);
            return StepResult::Continue;
        }
        let (all, seen) = (self.buffer.all(), self.buffer.scanned().len());
        match detect.scan(all, seen, self.finished, &self.split) {
            Decision::Detected(shape) => {
                self.begin(shape);
                StepResult::Continue
            }
            Decision::More(now) => {
                self.buffer.advance(now - seen);
                self.state = State::Detect(detect);
                StepResult::Wait
            }
        }
    }

    fn line(&mut self) -> StepResult {
        if self.open.is_none() {
            self.buffer.consume();
            if !self.buffer.rest().is_empty() {
                self.open_entry();
            }
        }
        let rest = self.buffer.rest();
        let end = rest.iter().position(|byte| *byte == b'\n');
        self.buffer.advance(end.unwrap_or(rest.len()));
        if end.is_none() && !self.finished {
            self.drop_surplus();
            return StepResult::Wait;
        }
        let Some(open) = self.open.take() else {
            self.state = State::Done;
            return StepResult::Wait;
        };
        let line = self.buffer.scanned();
        let solid = open.has_content || !line.iter().all(|byte| is_space(*byte));
        let (held, length) = (line.len(), line.strip_suffix(b"\r").unwrap_or(line).len());
        self.buffer.advance(usize::from(end.is_some()));
        if solid { self.close(open, held, length) } else { StepResult::Continue }
    }

    fn before(&mut self) -> StepResult {
        let name = if self.shape == Shape::Array { "an array" } else { "an object" };
        if self.buffer.place.offset == 0 && self.buffer.scanned().is_empty() {
            match find_byte_order_mark(self.buffer.all(), self.finished) {
                ByteOrderMark::Unknown => return StepResult::Wait,
                ByteOrderMark::Yes => {
                    self.buffer.advance(3);
                    let message = "the text begins with a byte order mark";
                    let found = json::ENCODING.at_pointer(Pointer::root(), message);
                    let help = "save the file as UTF-8 without a byte order mark";
                    return stream_error(Location::START, found.help(help));
                }
                ByteOrderMark::No => {}
            }
        }
        match self.buffer.skip_space() {
            None if !self.finished => StepResult::Wait,
            None => self.fail(&json::SYNTAX, format!("the text ends where {name} should begin")),
            Some(b'[') if self.shape == Shape::Array => {
                self.buffer.advance(1);
                self.state = State::List { comma: false, around: None };
                StepResult::Continue
            }
            Some(b'{') if self.shape == Shape::Member => {
                let envelope = Envelope::new(self.buffer.place);
                self.state = State::Envelope(ListFinder::default(), envelope);
                StepResult::Continue
            }
            Some(_) => self.fail(&json::SYNTAX, format!("the text does not begin with {name}")),
        }
    }

    fn around(&mut self) -> StepResult {
        let state = std::mem::replace(&mut self.state, State::Done);
        let State::Envelope(mut around, mut envelope) = state else { return StepResult::Continue };
        // Only one list is split. A second one belongs to the envelope, which then has a
        // duplicate member.
        let members = if self.member.is_none() { self.split.members.as_slice() } else { &[] };
        let sure = self.split.shape.is_some();
        let room = self.split.limits.document_bytes;
        let rest = self.buffer.rest();
        let (length, next) = around.scan(rest, members, sure, room, self.finished);
        envelope.push(rest.get(..length).unwrap_or(rest), &self.split.limits);
        self.buffer.advance(length);
        self.buffer.consume();
        match next {
            EnvelopeEvent::List(member) => {
                self.member = Some(member);
                self.state = State::List { comma: false, around: Some((around, envelope)) };
                StepResult::Continue
            }
            EnvelopeEvent::End => self.close_object(envelope),
            EnvelopeEvent::Unknown if self.finished => {
                self.fail(&json::SYNTAX, "the text ends before the object that the list is in")
            }
            EnvelopeEvent::Unknown => {
                self.state = State::Envelope(around, envelope);
                StepResult::Wait
            }
        }
    }

    fn close_object(&mut self, envelope: Envelope) -> StepResult {
        if let Err(broken) = envelope.check(&self.split.limits) {
            return StepResult::Broken(broken);
        }
        if self.member.is_none() && self.split.shape.is_none() {
            if self.split.entries == 0 {
                return self.too_many();
            }
            self.shape = Shape::Lines;
            self.state = State::After;
            self.count += 1;
            self.sole_document = Some(envelope);
            return StepResult::SoleDocument;
        }
        if self.member.is_none() {
            let names: Vec<_> = self.split.members.iter().map(|name| quoted(name)).collect();
            let message = if names.is_empty() {
                "this is one object, without a list of entries".to_owned()
            } else {
                format!("no member is a list called {}", names.join(" or "))
            };
            let found = rules::NO_LIST.at_pointer(Pointer::root(), message);
            return stream_error(envelope.start, found);
        }
        self.envelope = Some(envelope);
        self.state = State::After;
        StepResult::Continue
    }

    fn list(&mut self) -> StepResult {
        if self.open.is_none() {
            let comma = matches!(self.state, State::List { comma: true, .. });
            match self.buffer.skip_space() {
                None => return self.wait_in_list(),
                Some(b']') if !comma => return self.close_list(),
                Some(_) if self.count >= self.split.entries => return self.too_many(),
                Some(b']') => {
                    return self.missing_entry(false, "there is no value after the last comma");
                }
                Some(b',') => {
                    return self.missing_entry(true, "there is no value before this comma");
                }
                Some(_) => self.open_entry(),
            }
        }
        let Some(open) = &mut self.open else { return StepResult::Continue };
        let rest = self.buffer.rest();
        let mut pos = 0;
        while let Some(&byte) = rest.get(pos) {
            if open.scan.is_outside() && matches!(byte, b',' | b']') {
                let open = *open;
                self.open = None;
                self.buffer.advance(pos);
                let entry = self.buffer.scanned();
                let (held, length) = (entry.len(), trim_end(entry).len());
                // A bracket is scanned again, once there is no open entry.
                self.buffer.advance(usize::from(byte == b','));
                self.after_comma(byte == b',');
                return self.close(open, held, length);
            }
            open.scan.step(byte);
            pos = open.scan.skip(rest, pos + 1);
        }
        self.buffer.advance(pos);
        self.drop_surplus();
        self.wait_in_list()
    }

    fn wait_in_list(&mut self) -> StepResult {
        if !self.finished {
            return StepResult::Wait;
        }
        let Some(open) = self.open.take() else {
            return self.fail(&json::SYNTAX, "the text ends before the list does");
        };
        self.state = State::Done;
        let message = "the text ends in this entry, or right after it, and not with the list";
        self.entry_error(open.place, &json::SYNTAX, message)
    }

    fn after_comma(&mut self, after: bool) {
        if let State::List { comma, .. } = &mut self.state {
            *comma = after;
        }
    }

    /// Reports a place in the list where an entry is missing.
    fn missing_entry(&mut self, comma: bool, message: &str) -> StepResult {
        self.buffer.advance(usize::from(comma));
        self.after_comma(comma);
        self.entry_error(self.buffer.place, &json::SYNTAX, message)
    }

    fn close_list(&mut self) -> StepResult {
        let state = std::mem::replace(&mut self.state, State::After);
        match state {
            State::List { around: Some((around, mut envelope)), .. } => {
                envelope.resume(self.buffer.place);
                self.state = State::Envelope(around, envelope);
            }
            _ => self.buffer.advance(1),
        }
        StepResult::Continue
    }

    fn after(&mut self) -> StepResult {
        if self.buffer.skip_space().is_none() {
            return StepResult::Wait;
        }
        self.state = State::Done;
        let what = if self.sole_document.is_some() { "document" } else { "list" };
        let message = format!("something follows the {what}");
        let found = json::TRAILING.at_pointer(Pointer::root(), message);
        let help = "if each line is a document, say that the stream consists of lines";
        stream_error(self.buffer.place, found.help(help))
    }

    fn open_entry(&mut self) {
        let place = self.buffer.place;
        self.open =
            Some(OpenEntry { place, scan: Scan::default(), dropped_bytes: 0, has_content: false });
    }

    /// Returns an entry, which is the first `length` of `held` bytes. Reports an error if
    /// the entry is too long, or if there are too many.
    fn close(&mut self, open: OpenEntry, held: usize, length: usize) -> StepResult {
        if self.count >= self.split.entries {
            return self.too_many();
        }
        let limit = self.split.limits.document_bytes;
        let whole = open.dropped_bytes.saturating_add(held);
        if whole <= limit {
            return StepResult::Entry(open, length);
        }
        let message = format!("{whole} bytes, more than the {limit} allowed");
        self.entry_error(open.place, &json::SIZE, message)
    }

    /// Drops the scanned bytes of an entry that is too long. The search for its end
    /// continues.
    fn drop_surplus(&mut self) {
        let Some(open) = &mut self.open else { return };
        let held = self.buffer.scanned();
        if open.dropped_bytes > 0 || held.len() > self.split.limits.document_bytes {
            open.dropped_bytes = open.dropped_bytes.saturating_add(held.len());
            open.has_content |= !held.iter().all(|byte| is_space(*byte));
            self.buffer.consume();
        }
    }

    /// Reports an entry that cannot be returned.
    fn entry_error(
        &mut self,
        place: Location,
        rule: &'static Rule,
        message: impl Into<String>,
    ) -> StepResult {
        let index = self.count;
        self.count += 1;
        let diagnostic = rule.at_pointer(pointer(self.shape, self.member, index), message);
        StepResult::Broken(StreamError { index: Some(index), place, diagnostic })
    }

    fn too_many(&mut self) -> StepResult {
        let limit = self.split.entries;
        self.fail(&rules::ENTRIES, format!("there are more than {limit} entries"))
    }

    /// Reports an error, and ends the stream.
    fn fail(&mut self, rule: &'static Rule, message: impl Into<String>) -> StepResult {
        self.state = State::Done;
        stream_error(self.buffer.place, rule.at_pointer(Pointer::root(), message))
    }
}

fn stream_error(place: Location, diagnostic: Diagnostic) -> StepResult {
    StepResult::Broken(StreamError { index: None, place, diagnostic })
}
