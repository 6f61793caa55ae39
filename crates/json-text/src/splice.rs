//! Splices: replacements of bytes, and the replacements that change the items of a
//! container.

use super::{Node, Span};

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) span: Span,
    pub(super) text: String,
}

impl Splice {
    pub(super) const fn new(span: Span, text: String) -> Self {
        Self { span, text }
    }
}

/// Applies splices to a text. They must be sorted and must not overlap.
pub(super) fn splice_text(text: &str, splices: impl IntoIterator<Item = Splice>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for Splice { span, text: new } in splices {
        out.push_str(Span { start: done, end: span.start }.slice(text));
        out.push_str(&new);
        done = span.end;
    }
    out.push_str(Span { start: done, end: text.len() }.slice(text));
    out
}

/// A member or element of the edited container.
pub(super) enum Item {
    /// The old item at that index, unchanged.
    Old(usize),
    /// The text of a new item.
    New(String),
}

/// Returns the spans of a container's items. A member's span includes its name.
pub(super) fn item_spans(container: Node<'_>) -> Vec<Span> {
    let members =
        container.members().map(|m| Span { start: m.key.span().start, end: m.value.span().end });
    members.chain(container.elements().map(Node::span)).collect()
}

/// The text between the items of a container.
pub(super) struct Gaps<'a> {
    /// After the opening bracket.
    pub(super) lead: &'a str,
    /// Between two items, comma included.
    pub(super) between: String,
    /// Before the closing bracket.
    pub(super) tail: &'a str,
}

impl<'a> Gaps<'a> {
    pub(super) fn of(container: Node<'a>, spans: &[Span]) -> Self {
        let text = container.document.text;
        let whole = container.span();
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
            return Self::of_empty(text, whole.start);
        };
        let lead = Span { start: whole.start + 1, end: first.start }.slice(text);
        let between = match spans.get(1) {
            Some(second) => Span { start: first.end, end: second.start }.slice(text).to_owned(),
            None => format!(",{lead}"),
        };
        let tail = Span { start: last.end, end: whole.end - 1 }.slice(text);
        Self { lead, between, tail }
    }

    /// In a text of several lines, the items of an empty container go on lines of their
    /// own.
    fn of_empty(text: &'a str, start: usize) -> Self {
        if !text.contains('\n') {
            return Self { lead: "", between: ",".to_owned(), tail: "" };
        }
        // The tail is the line break and indentation of the container's line. The lead
        // needs one more step, which no slice of the text contains; `splice_items` adds it.
        let before = Span { start: 0, end: start }.slice(text);
        let line = before.rfind('\n').unwrap_or(0);
        let rest = Span { start: line, end: text.len() }.slice(text);
        let width = rest.len() - rest.trim_start_matches(['\n', ' ', '\t']).len();
        let tail = Span { start: line, end: line + width }.slice(text);
        Self { lead: tail, between: format!(",{tail}"), tail }
    }
}

/// Returns the splices that change a container's items to `items`. Kept items must be in
/// their old order. Their bytes are not touched.
pub(super) fn splice_items(container: Node<'_>, items: Vec<Item>) -> Vec<Splice> {
    let spans = item_spans(container);
    let gaps = Gaps::of(container, &spans);
    let text = container.document.text;
    let whole = container.span();
    if items.is_empty() {
        let inner = Span { start: whole.start + 1, end: whole.end - 1 };
        return if spans.is_empty() { Vec::new() } else { vec![Splice::new(inner, String::new())] };
    }
    // Indent by one step, because there is no old item to copy the indentation from.
    let step = if spans.is_empty() && gaps.lead.contains('\n') { "  " } else { "" };

    let mut splices = Vec::new();
    let mut previous: Option<usize> = None;
    let mut fresh: Vec<String> = Vec::new();
    for item in items {
        let kept = match item {
            Item::New(text) => {
                fresh.push(text);
                continue;
            }
            Item::Old(index) => index,
        };
        let adjacent = previous.map_or(kept == 0, |index| index + 1 == kept);
        let start = previous.and_then(|i| spans.get(i)).map_or(whole.start + 1, |span| span.end);
        let end = spans.get(kept).map_or(start, |span| span.start);
        if !adjacent || !fresh.is_empty() {
            let mut new = String::new();
            for (index, text) in fresh.drain(..).enumerate() {
                let first = previous.is_none() && index == 0;
                new.push_str(if first { gaps.lead } else { &gaps.between });
                new.push_str(&text);
            }
            // Keep the text right before the kept item.
            let before = kept.checked_sub(1).and_then(|i| spans.get(i));
            let gap = match before {
                _ if new.is_empty() && previous.is_none() => gaps.lead,
                Some(before) => Span { start: before.end, end }.slice(text),
                None => &gaps.between,
            };
            new.push_str(gap);
            splices.push(Splice::new(Span { start, end }, new));
        }
        previous = Some(kept);
    }
    let last_old = spans.len().checked_sub(1);
    if previous != last_old || !fresh.is_empty() || spans.is_empty() {
        let start = previous.and_then(|i| spans.get(i)).map_or(whole.start + 1, |span| span.end);
        let mut new = String::new();
        for (index, text) in fresh.drain(..).enumerate() {
            let first = previous.is_none() && index == 0;
            new.push_str(if first { gaps.lead } else { &gaps.between });
            new.push_str(step);
            new.push_str(&text);
        }
        new.push_str(gaps.tail);
        splices.push(Splice::new(Span { start, end: whole.end - 1 }, new));
    }
    splices
}
