//! Where a field of a descriptor is in the document that it was read from.

use crate::convert::base;
use crate::json::Document;
use crate::{Format, Lifted, Pointer, Row, ToolDescriptor};

/// One of two documents that are compared.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // built by struct literals on purpose
pub struct Side<'s> {
    /// What it lifts to.
    pub lifted: &'s Lifted<'s>,
    /// What it was lifted from, to tell places there, and what its format has no
    /// word for.
    pub source: Option<(&'static Format, &'s Document<'s>)>,
}

impl<'s> Side<'s> {
    pub(super) fn tools(&self) -> &'s [ToolDescriptor<'s>] {
        &self.lifted.tools
    }
}

/// Whether both documents are in the same format, as far as is known.
pub(super) fn same_format(old: &Side<'_>, new: &Side<'_>) -> bool {
    let formats = old.source.zip(new.source);
    formats.is_none_or(|((old, _), (new, _))| old.name == new.name)
}

/// Finds the places of one tool in both documents.
pub(super) struct Places<'s> {
    old: Side<'s>,
    old_tool: &'s ToolDescriptor<'s>,
    new: Side<'s>,
    new_tool: &'s ToolDescriptor<'s>,
}

impl<'s> Places<'s> {
    pub(super) fn new(
        old: &Side<'s>,
        old_tool: &'s ToolDescriptor<'s>,
        new: &Side<'s>,
        new_tool: &'s ToolDescriptor<'s>,
    ) -> Self {
        Self { old: *old, old_tool, new: *new, new_tool }
    }

    pub(super) fn before(&self, field: &Pointer) -> Option<Pointer> {
        find(&self.old, self.old_tool, field)
    }

    pub(super) fn after(&self, field: &Pointer) -> Option<Pointer> {
        find(&self.new, self.new_tool, field)
    }

    /// The format that has no word for a field, if only one of the two has.
    pub(super) fn unsaid(&self, field: &Pointer) -> Option<&'static str> {
        let (old, _) = self.old.source?;
        let (new, _) = self.new.source?;
        match (says(old, field), says(new, field)) {
            (false, true) => Some(old.name),
            (true, false) => Some(new.name),
            _ => None,
        }
    }

    pub(super) fn same_format(&self) -> bool {
        same_format(&self.old, &self.new)
    }
}

/// Whether a format has a word for a field, or for a part of it.
fn says(format: &Format, field: &Pointer) -> bool {
    let field = field.as_str();
    let touches = |row: &Row| is_below(row.field, field) || is_below(field, row.field);
    field.is_empty() || field == "/extras" || format.mapping.iter().any(touches)
}

/// Whether a pointer is another, or inside it.
fn is_below(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|tail| tail.is_empty() || tail.starts_with('/'))
}

/// The closest place in a document that says what a field says.
fn find(side: &Side<'_>, tool: &ToolDescriptor<'_>, field: &Pointer) -> Option<Pointer> {
    let (format, document) = side.source?;
    let rows = format.mapping.iter().filter(|row| is_below(field.as_str(), row.field));
    let mut rows: Vec<&Row> = rows.collect();
    // The closest row first, and of those the tool's own.
    rows.sort_by_key(|row| (std::cmp::Reverse(row.field.len()), row.member.starts_with('^')));
    // Then what says a part of the field.
    let inside = |row: &&Row| row.field != field.as_str() && is_below(row.field, field.as_str());
    let inside = format.mapping.iter().filter(inside).filter(|_| !field.is_root());
    rows.into_iter().chain(inside).find_map(|row| {
        let (from, member) = match row.member.strip_prefix('^') {
            Some(member) => (base(&tool.source, document.root()), member),
            None => (tool.source.clone(), row.member),
        };
        let member = from.join(&Pointer::parse(member).ok()?);
        let node = document.root().at(&member)?;
        let tail = field.as_str().strip_prefix(row.field).unwrap_or_default();
        let deep = Pointer::parse(tail).ok()?;
        // What is inside may be arranged in another way.
        Some(if node.at(&deep).is_some() { member.join(&deep) } else { member })
    })
}
