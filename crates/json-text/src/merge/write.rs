//! Writes the new text from pieces of the old one, possibly moved, and new pieces.

use std::cmp::Reverse;

use super::style::Style;
use crate::Node;
use diagnostic::Span;

/// A piece of the new text.
enum Piece {
    /// Bytes of the old text, with the changes inside them.
    Old(Span),
    New(String),
}

/// Bytes of the old text, and the pieces that replace them.
struct Splice {
    span: Span,
    pieces: Vec<Piece>,
}

impl Splice {
    /// Returns the sort key: further left comes first, then further out.
    const fn place(&self) -> (usize, Reverse<usize>) {
        sort_key(self.span)
    }
}

const fn sort_key(span: Span) -> (usize, Reverse<usize>) {
    (span.start, Reverse(span.end))
}

/// A member or element of the new container.
pub(super) enum MergedItem<'m> {
    /// The old item at that index, with the changes inside it.
    Old(usize),
    /// A new item. A member has a key.
    New { key: Option<Node<'m>>, value: Node<'m> },
}

/// All changes to a text. A splice inside another must be added after it.
#[derive(Default)]
pub(super) struct Splices {
    list: Vec<Splice>,
    pub(super) steps: u64,
}

impl Splices {
    pub(super) fn replace(&mut self, span: Span, text: String) {
        self.steps += text.len() as u64;
        self.list.push(Splice { span, pieces: vec![Piece::New(text)] });
    }

    /// Replaces the items of a container.
    pub(super) fn replace_items(
        &mut self,
        container: Node<'_>,
        items: &[MergedItem<'_>],
        style: &Style,
    ) {
        let whole = container.span();
        let inner = Span { start: whole.start + 1, end: whole.end.saturating_sub(1) };
        let spans: Vec<Span> =
            container.items().map(|(key, value)| item_span(key, value)).collect();
        let mut pieces = Pieces(Vec::new());
        for (position, item) in items.iter().enumerate() {
            match item {
                _ if position == 0 => match spans.first() {
                    Some(first) => pieces.keep(Span { start: inner.start, end: first.start }),
                    None => pieces.push(style.lead.clone()),
                },
                // Keep the text right before a kept item.
                MergedItem::Old(index) => match gap_before(&spans, *index) {
                    Some(gap) => pieces.keep(gap),
                    None => pieces.push(style.between.clone()),
                },
                MergedItem::New { .. } => pieces.push(style.between.clone()),
            }
            match item {
                MergedItem::Old(index) => {
                    spans.get(*index).into_iter().for_each(|s| pieces.keep(*s));
                }
                MergedItem::New { key, value } => pieces.push(style.write_item(*key, *value)),
            }
        }
        match spans.last() {
            _ if items.is_empty() => {}
            Some(last) => pieces.keep(Span { start: last.end, end: inner.end }),
            None => pieces.push(style.tail.clone()),
        }
        let news = pieces.0.iter().map(|piece| match piece {
            Piece::Old(_) => 1,
            Piece::New(text) => text.len() as u64,
        });
        self.steps += (spans.len() + items.len()) as u64 + news.sum::<u64>();
        self.list.push(Splice { span: inner, pieces: pieces.0 });
    }

    /// Returns the text after all changes. Each piece is written once, even inside other
    /// pieces that move.
    pub(super) fn render(&mut self, text: &str) -> String {
        // The sort is stable: of two splices with the same span, the inner one stays
        // second.
        self.list.sort_by_key(Splice::place);
        let mut out = String::with_capacity(text.len());
        let mut open = vec![RenderTask::Text { at: 0, end: text.len(), next: 0 }];
        while let Some(top) = open.pop() {
            self.steps += 1;
            match top {
                RenderTask::Text { at, end, next } => {
                    let (splice, inside) = match self.list.get(next..) {
                        Some([splice, inside @ ..]) if splice.span.end <= end => (splice, inside),
                        _ => {
                            out.push_str(Span { start: at, end }.slice(text));
                            continue;
                        }
                    };
                    let Span { start, end: behind } = splice.span;
                    out.push_str(Span { start: at, end: start }.slice(text));
                    let inside = inside.partition_point(|other| other.span.start < behind);
                    open.push(RenderTask::Text { at: behind, end, next: next + 1 + inside });
                    open.push(RenderTask::Splice { index: next, piece: 0 });
                }
                RenderTask::Splice { index, piece } => {
                    let Some([splice, inside @ ..]) = self.list.get(index..) else { continue };
                    let Some(found) = splice.pieces.get(piece) else { continue };
                    open.push(RenderTask::Splice { index, piece: piece + 1 });
                    match found {
                        Piece::New(new) => out.push_str(new),
                        Piece::Old(span) => {
                            let before = |other: &Splice| other.place() < sort_key(*span);
                            let next = index + 1 + inside.partition_point(before);
                            open.push(RenderTask::Text { at: span.start, end: span.end, next });
                        }
                    }
                }
            }
        }
        out
    }
}

/// Work that is left to render.
enum RenderTask {
    /// Old text, in which `next` is the first splice.
    Text { at: usize, end: usize, next: usize },
    /// A splice, from one of its pieces on.
    Splice { index: usize, piece: usize },
}

struct Pieces(Vec<Piece>);

impl Pieces {
    fn push(&mut self, text: String) {
        self.0.push(Piece::New(text));
    }

    /// Adds old bytes. Adjacent spans become one piece.
    fn keep(&mut self, span: Span) {
        match self.0.last_mut() {
            Some(Piece::Old(last)) if last.end == span.start => last.end = span.end,
            _ => self.0.push(Piece::Old(span)),
        }
    }
}

/// Returns the span of an item. A member's span includes its name.
fn item_span(key: Option<Node<'_>>, value: Node<'_>) -> Span {
    let span = value.span();
    Span { start: key.map_or(span.start, |key| key.span().start), end: span.end }
}

/// Returns the span between an item and the one before it.
fn gap_before(spans: &[Span], index: usize) -> Option<Span> {
    let before = spans.get(index.checked_sub(1)?)?;
    Some(Span { start: before.end, end: spans.get(index)?.start })
}
