//! The layout of a container's items, to be copied for new items.

use crate::Node;
use crate::layout::{Lines, compact, pretty_at};
use diagnostic::Span;

/// Longer white space is not copied: repeated for every new item, it would outgrow both
/// texts.
const MAX_COPIED_GAP: usize = 256;

/// The layout of a container's items.
pub(super) struct Style {
    /// The line layout, if each item begins a line.
    lines: Option<Lines>,
    /// The text between a name and its value.
    colon: &'static str,
    /// The text before the first item that is added to an empty container.
    pub(super) lead: String,
    /// The text between two items, comma included.
    pub(super) between: String,
    /// The text after the last item that is added to an empty container.
    pub(super) tail: String,
}

impl Style {
    /// Returns the style around the root value of a document.
    pub(super) fn of_document(text: &str) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let lines = Lines { newline, margin: String::new(), unit: "  ".to_owned() };
        Self {
            lines: text.contains('\n').then_some(lines),
            colon: ": ",
            lead: String::new(),
            between: ",".to_owned(),
            tail: String::new(),
        }
    }

    /// Returns the style of a container. `outer` is that of the surrounding container.
    pub(super) fn of(container: Node<'_>, outer: &Self) -> Self {
        let mut items = container.items().map(|(key, value)| (key, value.span()));
        let Some((key, first)) = items.next() else { return outer.for_empty_container() };
        let text = container.document.text;
        let slice = |start: usize, end: usize| {
            let gap = Span { start, end }.slice(text);
            if gap.len() <= MAX_COPIED_GAP { gap } else { "" }
        };
        let start =
            |key: Option<Node<'_>>, value: Span| key.map_or(value.start, |k| k.span().start);
        let lead = slice(container.span().start + 1, start(key, first));
        let second = items.next().map(|(key, value)| slice(first.end, start(key, value)));
        let between = match second {
            Some("") => ",".to_owned(),
            Some(between) => between.to_owned(),
            None => format!(",{lead}"),
        };
        // Only the text after the comma can begin a line of an item.
        let after = between.rsplit_once(',').map_or("", |(_, after)| after);
        let lines = lines_of(after, outer.lines.as_ref());
        let colon = match key {
            Some(key) if slice(key.span().end, first.start) == ":" => ":",
            Some(_) => ": ",
            None => outer.colon,
        };
        Self { lines, colon, lead: String::new(), between, tail: String::new() }
    }

    /// Returns the style of an empty container inside one of this style.
    fn for_empty_container(&self) -> Self {
        let Some(Lines { newline, margin, unit }) = &self.lines else {
            let (lead, tail) = (String::new(), String::new());
            return Self { lines: None, colon: self.colon, lead, between: ",".to_owned(), tail };
        };
        let deeper = Lines { newline, margin: format!("{margin}{unit}"), unit: unit.clone() };
        let lead = format!("{newline}{}", deeper.margin);
        Self {
            between: format!(",{lead}"),
            lead,
            lines: Some(deeper),
            colon: ": ",
            tail: format!("{newline}{margin}"),
        }
    }

    /// Returns the text of a value in a container of this style.
    pub(super) fn write_value(&self, value: Node<'_>) -> String {
        match &self.lines {
            Some(lines) => pretty_at(value, lines),
            None => compact(value),
        }
    }

    /// Returns the text of a new item.
    pub(super) fn write_item(&self, key: Option<Node<'_>>, value: Node<'_>) -> String {
        let text = self.write_value(value);
        match key {
            Some(key) => format!("{}{}{text}", key.raw(), self.colon),
            None => text,
        }
    }
}

/// Returns the line layout of items that follow this white space.
fn lines_of(gap: &str, outer: Option<&Lines>) -> Option<Lines> {
    let (before, margin) = gap.rsplit_once('\n')?;
    let newline = if before.ends_with('\r') { "\r\n" } else { "\n" };
    // The step is the indentation of the items beyond that of their container.
    let step = margin.strip_prefix(outer.map_or("", |outer| outer.margin.as_str()));
    let step = step.filter(|step| (1..=16).contains(&step.len()));
    let unit = step.or(outer.map(|outer| outer.unit.as_str())).unwrap_or("  ");
    Some(Lines { newline, margin: margin.to_owned(), unit: unit.to_owned() })
}
