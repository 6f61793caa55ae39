//! Formats diagnostics for people: the message, the source line, and a caret under the
//! place.
//!
//! ```
//! use toolglot_diagnostic::{Depth, Pointer, Rule, Severity, SourceText, Span, render};
//!
//! static TWICE: Rule = Rule {
//!     code: "pet/twice",
//!     severity: Severity::Error,
//!     depth: Depth::Structure,
//!     summary: "a pet must be listed once",
//!     explanation: "Two entries would get two dinners. Remove one.",
//! };
//!
//! let bytes = b"cat\ndog\ncat\n";
//! let found = TWICE
//!     .at_pointer(Pointer::root(), "the cat is here twice")
//!     .span(Span { start: 8, end: 11 })
//!     .related(Span { start: 0, end: 3 }, "the first one is here");
//! let source = SourceText { name: "pets.txt", bytes };
//! assert_eq!(render(&found, Some(&source), false), r#"
//! error[pet/twice]: the cat is here twice
//!  --> pets.txt:3:1
//!   |
//! 3 | cat
//!   | ^^^
//! note: the first one is here
//!  --> pets.txt:1:1
//!   |
//! 1 | cat
//!   | ---
//! help: a pet must be listed once
//! "#.trim_start());
//! ```

use std::borrow::Cow;
use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use crate::{Diagnostic, Position, Severity, Span, is_plain, position, printable, secret};

/// The text that a diagnostic refers to, and its name.
#[derive(Clone, Copy, Debug)]
pub struct SourceText<'a> {
    /// Usually a file name.
    pub name: &'a str,
    /// The text as it was read. It may be invalid UTF-8.
    pub bytes: &'a [u8],
}

impl SourceText<'_> {
    /// Returns the line and column of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let before = self.bytes.get(..offset).unwrap_or(self.bytes);
        let text = String::from_utf8_lossy(before);
        position(&text, text.len())
    }
}

/// Columns of a source line that are shown.
const COLUMNS: usize = 100;
/// Columns for the text before the marked place, if the line is long.
const COLUMNS_BEFORE: usize = 40;
/// Bytes that are enough to fill the columns.
const MAX_LINE_BYTES: usize = COLUMNS * 4;

/// Returns a diagnostic as text of several lines.
///
/// The result contains no control characters except line ends and, if `colour` is set, ANSI
/// colours of its own. Control characters of the source are escaped.
pub fn render(diagnostic: &Diagnostic, source: Option<&SourceText<'_>>, colour: bool) -> String {
    render_from(diagnostic, source, Position { line: 1, column: 1 }, colour)
}

/// Like [`render()`], for a text that was cut out of a longer one. `start` is its position
/// there.
pub fn render_from(
    diagnostic: &Diagnostic,
    source: Option<&SourceText<'_>>,
    start: Position,
    colour: bool,
) -> String {
    let style = match diagnostic.severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Info => "1;32",
    };
    let mut page = Page { out: String::new(), start, colour };
    let head = format!("{}[{}]", diagnostic.severity.word(), diagnostic.rule.code);
    page.write_message(&head, style, &diagnostic.message);
    page.write_location(diagnostic, source);
    // The source line would print the secret.
    let is_secret = diagnostic.rule.code.contains("/secret");
    if let (Some(source), Some(span), false) = (source, diagnostic.span, is_secret) {
        page.write_snippet(source, span, '^', style);
    }
    for related in &diagnostic.related {
        page.write_message("note", "1", &related.message);
        if let Some(source) = source {
            let place = page.format_location(source, related.span);
            page.write_arrow(&place);
            if !is_secret {
                page.write_snippet(source, related.span, '-', "1;34");
            }
        }
    }
    page.write_message("help", "1;36", diagnostic.advice());
    page.out
}

struct Page {
    out: String,
    /// The position of the text in the longer one.
    start: Position,
    colour: bool,
}

impl Page {
    fn paint(&mut self, style: &str, text: &str) {
        if self.colour {
            // Writing to a string cannot fail, here and below.
            let _ = write!(self.out, "\u{1b}[{style}m{text}\u{1b}[0m");
        } else {
            self.out.push_str(text);
        }
    }

    fn write_message(&mut self, head: &str, style: &str, message: &str) {
        self.paint(style, head);
        let _ = writeln!(self.out, ": {}", printable(message, 2048));
    }

    fn write_arrow(&mut self, place: &str) {
        self.paint("1;34", " --> ");
        let _ = writeln!(self.out, "{place}");
    }

    fn write_location(&mut self, diagnostic: &Diagnostic, source: Option<&SourceText<'_>>) {
        let mut place = match (source, diagnostic.span) {
            (Some(source), Some(span)) => self.format_location(source, span),
            (Some(source), None) => printable(source.name, 256),
            (None, _) => String::new(),
        };
        if !diagnostic.pointer.is_root() {
            place.push_str(if source.is_some() { ", at " } else { "" });
            place.push_str(&printable(diagnostic.pointer.as_str(), 512));
        }
        if source.is_some() || !place.is_empty() {
            self.write_arrow(&place);
        }
    }

    /// Writes the line in which the span begins, with a mark under it.
    fn write_snippet(&mut self, source: &SourceText<'_>, span: Span, mark: char, style: &str) {
        let first = self.position(source, span.start).line;
        let last = self.position(source, span.end.saturating_sub(1)).line;
        let line = SnippetLine::around(&mask_nearby(source.bytes, span), span);
        let number = first.to_string();
        let margin = " ".repeat(number.len());
        self.write_gutter(&margin);
        self.out.push('\n');
        self.write_gutter(&number);
        let _ = writeln!(self.out, " {}{}{}", line.before, line.mark, line.after);
        self.write_gutter(&margin);
        let _ = write!(self.out, " {}", " ".repeat(line.before.width()));
        let mut marks = mark.to_string().repeat(line.mark.width().max(1));
        if last > first {
            let _ = write!(marks, " to line {last}");
        }
        self.paint(style, &marks);
        self.out.push('\n');
    }

    fn write_gutter(&mut self, text: &str) {
        self.paint("1;34", &format!("{text} |"));
    }

    fn format_location(&self, source: &SourceText<'_>, span: Span) -> String {
        let Position { line, column } = self.position(source, span.start);
        format!("{}:{line}:{column}", printable(source.name, 256))
    }

    /// Returns the line and column of a byte offset in the longer text.
    fn position(&self, source: &SourceText<'_>, offset: usize) -> Position {
        let Position { line, column } = source.position(offset);
        let before = if line == 1 { self.start.column.saturating_sub(1) } else { 0 };
        let lines = self.start.line.saturating_sub(1);
        Position { line: line.saturating_add(lines), column: column.saturating_add(before) }
    }
}

/// Bytes around a place that are searched for secrets: more than are shown.
const SECRET_SEARCH_BYTES: usize = MAX_LINE_BYTES * 8;

/// Masks the secrets near a place with asterisks, byte for byte.
fn mask_nearby(bytes: &[u8], span: Span) -> Cow<'_, [u8]> {
    let start = next_char_boundary(bytes, span.start.saturating_sub(SECRET_SEARCH_BYTES));
    let end =
        next_char_boundary(bytes, span.start.saturating_add(SECRET_SEARCH_BYTES).min(bytes.len()));
    let Some(near) = bytes.get(start..end) else { return Cow::Borrowed(bytes) };
    // Invalid bytes become `?` for the search, so that they hide no secret next to them.
    let mut text = String::with_capacity(near.len());
    for chunk in near.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    let Cow::Owned(masked) = secret::mask(&text) else { return Cow::Borrowed(bytes) };
    let mut out = bytes.to_vec();
    let places = out.iter_mut().skip(start);
    for ((place, masked), plain) in places.zip(masked.bytes()).zip(text.bytes()) {
        if masked != plain {
            *place = masked;
        }
    }
    Cow::Owned(out)
}

/// A source line, safe to show and cut to fit.
struct SnippetLine {
    before: String,
    /// The part inside the span.
    mark: String,
    after: String,
}

impl SnippetLine {
    fn around(bytes: &[u8], span: Span) -> Self {
        let (before, after) = bytes.split_at(span.start.min(bytes.len()));
        let before = before.rsplit(|&b| b == b'\n').next().unwrap_or(before);
        let after = after.split(|&b| b == b'\n').next().unwrap_or(after);
        let after = after.strip_suffix(b"\r").unwrap_or(after);

        let head = split_cells(last_bytes(before));
        let tail = split_cells(first_bytes(after));
        let wanted = total(&tail, Cell::width).min(COLUMNS - COLUMNS_BEFORE);
        let kept = count_fitting(head.iter().rev(), Cell::width, COLUMNS - wanted);
        let (_, head) = head.split_at(head.len() - kept);
        let kept = count_fitting(tail.iter(), Cell::width, COLUMNS - total(head, Cell::width));
        let (tail, _) = tail.split_at(kept);

        let length = span.end.saturating_sub(span.start);
        let (marked, rest) = tail.split_at(count_fitting(tail.iter(), Cell::bytes, length));
        let mut line =
            Self { before: join_cells(head), mark: join_cells(marked), after: join_cells(rest) };
        if total(head, Cell::bytes) < before.len() {
            line.before.insert(0, '…');
        }
        if total(tail, Cell::bytes) < after.len() {
            line.after.push('…');
        }
        line
    }
}

/// One character of a line, or one invalid byte.
struct Cell {
    bytes: usize,
    text: String,
    width: usize,
}

impl Cell {
    fn new(bytes: usize, text: String) -> Self {
        let width = text.width();
        Self { bytes, text, width }
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn width(&self) -> usize {
        self.width
    }
}

fn split_cells(bytes: &[u8]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let text = match c {
                '\t' => "    ".to_owned(),
                c if is_plain(c) => c.to_string(),
                c => c.escape_unicode().to_string(),
            };
            cells.push(Cell::new(c.len_utf8(), text));
        }
        for byte in chunk.invalid() {
            cells.push(Cell::new(1, format!("\\x{byte:02x}")));
        }
    }
    cells
}

fn total(cells: &[Cell], size: fn(&Cell) -> usize) -> usize {
    cells.iter().map(size).sum()
}

fn join_cells(cells: &[Cell]) -> String {
    cells.iter().map(|cell| cell.text.as_str()).collect()
}

/// Returns the number of cells at the beginning that together fit into `room`.
fn count_fitting<'c>(
    cells: impl Iterator<Item = &'c Cell>,
    size: fn(&Cell) -> usize,
    room: usize,
) -> usize {
    let (mut count, mut used) = (0, 0);
    for cell in cells {
        used += size(cell);
        if used > room {
            break;
        }
        count += 1;
    }
    count
}

/// Returns the first [`MAX_LINE_BYTES`] bytes, and the rest of the last character.
fn first_bytes(bytes: &[u8]) -> &[u8] {
    bytes.get(..next_char_boundary(bytes, MAX_LINE_BYTES)).unwrap_or(bytes)
}

/// Returns the last [`MAX_LINE_BYTES`] bytes, without a partial character at the beginning.
fn last_bytes(bytes: &[u8]) -> &[u8] {
    let start = bytes.len().saturating_sub(MAX_LINE_BYTES);
    bytes.get(next_char_boundary(bytes, start)..).unwrap_or(bytes)
}

/// Returns the first offset from `at` on that splits no character.
fn next_char_boundary(bytes: &[u8], at: usize) -> usize {
    for offset in at..at + 4 {
        if bytes.get(offset).is_none_or(|byte| byte & 0xC0 != 0x80) {
            return offset;
        }
    }
    at
}
