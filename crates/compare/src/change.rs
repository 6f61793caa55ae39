//! Changes and their effects on the users of a tool.

use diagnostic::Pointer;
use manifest_core::{Limits, ToolDescriptor};
use serde::Serialize;

use crate::place::Places;

/// The effect of a change on the users of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Uses that worked may fail.
    Breaking,
    /// It is unknown whether uses that worked still work.
    Undecided,
    /// A model reads another text, and may act differently.
    Prompt,
    /// Something is new or newly possible, and all else still works.
    Additive,
    /// People see it, programs do not.
    Cosmetic,
}

impl Class {
    /// Returns true if uses that worked still work, and models read the same texts.
    pub const fn is_upgrade_safe(self) -> bool {
        matches!(self, Self::Additive | Self::Cosmetic)
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The kind of the change, such as `input-required-added`.
    pub kind: &'static str,
    /// The effect of the change.
    pub class: Class,
    /// Whether the owner must renew consent: the tool may do, see or cost more, a model
    /// reads another text about it, or it runs another program.
    pub consent: bool,
    /// The id of the tool: the new id or, if the tool was removed, the old one. Empty if
    /// the change concerns the whole document.
    pub tool: String,
    /// The number of other tools with the same change. A change of a shared value is
    /// reported once, for the first tool that has it.
    #[serde(skip_serializing_if = "is_zero")]
    pub others: usize,
    /// The field of the descriptor. Fields of the package are named like fields of the
    /// tool. Variables and scopes are identified by name. Empty if the change concerns the
    /// whole tool, or a value that descriptors do not model.
    pub field: Pointer,
    /// The place in the old document, if that document declares the field and the place is
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Pointer>,
    /// The place in the new document, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Pointer>,
    /// The format of the document that lacks the field, if the other document has another
    /// format and declares the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsaid: Option<&'static str>,
    /// A description of the change, in one line.
    pub message: String,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Change {
    /// Returns the approximate size in bytes, which counts against the limit of work.
    pub(crate) fn bytes(&self) -> usize {
        let mut bytes = size_of::<Self>() + self.tool.len() + self.message.len();
        for at in [Some(&self.field), self.old.as_ref(), self.new.as_ref()].into_iter().flatten() {
            bytes += at.as_str().len();
        }
        bytes
    }
}

/// All changes between two tools or documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// The changes: tools in the order of the new document, then removed tools, then
    /// changes of the document itself.
    pub changes: Vec<Change>,
}

impl Diff {
    /// Returns true if all changes are additive or cosmetic: uses that worked still work,
    /// and models read the same texts.
    pub fn is_upgrade_safe(&self) -> bool {
        self.changes.iter().all(|change| change.class.is_upgrade_safe())
    }

    /// Returns true if the owner must renew consent.
    pub fn needs_consent(&self) -> bool {
        self.changes.iter().any(|change| change.consent)
    }
}

/// A list of classified changes in progress.
pub trait Record {
    /// Adds a change at a JSON Pointer.
    fn push(
        &mut self,
        class: Class,
        kind: &'static str,
        at: &str,
        message: impl Into<String>,
    ) -> &mut Self;

    /// Sets whether the last change needs consent. A change of class [`Class::Prompt`] needs
    /// it without that.
    fn set_consent(&mut self, ask: bool);

    /// Marks the last change as one that needs consent.
    fn require_consent(&mut self) {
        self.set_consent(true);
    }

    /// Adds a change of class [`Class::Breaking`].
    fn breaking(&mut self, kind: &'static str, at: &str, message: impl Into<String>) -> &mut Self {
        self.push(Class::Breaking, kind, at, message)
    }

    /// Adds a change of class [`Class::Undecided`].
    fn undecided(&mut self, kind: &'static str, at: &str, message: impl Into<String>) -> &mut Self {
        self.push(Class::Undecided, kind, at, message)
    }

    /// Adds a change of class [`Class::Prompt`].
    fn prompt(&mut self, kind: &'static str, at: &str, message: impl Into<String>) -> &mut Self {
        self.push(Class::Prompt, kind, at, message)
    }

    /// Adds a change of class [`Class::Additive`].
    fn additive(&mut self, kind: &'static str, at: &str, message: impl Into<String>) -> &mut Self {
        self.push(Class::Additive, kind, at, message)
    }

    /// Adds a change of class [`Class::Cosmetic`].
    fn cosmetic(&mut self, kind: &'static str, at: &str, message: impl Into<String>) -> &mut Self {
        self.push(Class::Cosmetic, kind, at, message)
    }
}

/// Collects the changes of one tool.
pub(crate) struct Findings<'c> {
    pub(crate) changes: Vec<Change>,
    pub(crate) limits: &'c Limits,
    pub(crate) places: Option<Places<'c>>,
    pub(crate) tool: String,
}

impl<'c> Findings<'c> {
    pub(crate) fn new(limits: &'c Limits, tool: &ToolDescriptor<'_>) -> Self {
        Self { changes: Vec::new(), limits, places: None, tool: tool.id.to_string() }
    }

    pub(crate) fn push_at(
        &mut self,
        class: Class,
        kind: &'static str,
        field: Pointer,
        message: impl Into<String>,
    ) -> &mut Self {
        let mut change = Change {
            kind,
            class,
            consent: false,
            tool: self.tool.clone(),
            others: 0,
            old: None,
            new: None,
            unsaid: None,
            field,
            message: message.into(),
        };
        if let Some(places) = &self.places {
            change.old = places.before(&change.field);
            change.new = places.after(&change.field);
            change.unsaid = places.lacking_format(&change.field);
        }
        if let Some(format) = change.unsaid {
            change.class = match change.class {
                // If a format merely lacks a text, models did not get another one.
                Class::Prompt | Class::Cosmetic => Class::Cosmetic,
                _ => Class::Undecided,
            };
            change.message = format!("{} (not said in {format})", change.message);
        }
        change.consent = change.class == Class::Prompt;
        self.changes.push(change);
        self
    }

    /// Edits the last change, to set the place of an added or removed tool.
    pub(crate) fn edit_last(&mut self, edit: impl FnOnce(&mut Change)) {
        if let Some(last) = self.changes.last_mut() {
            edit(last);
        }
    }
}

impl Record for Findings<'_> {
    fn push(
        &mut self,
        class: Class,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        let field = Pointer::from_trusted(field);
        self.push_at(class, kind, field, message)
    }

    fn set_consent(&mut self, ask: bool) {
        self.edit_last(|last| last.consent = ask);
    }
}
