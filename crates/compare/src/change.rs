//! What is found: changes, and what they mean.

use diagnostic::{Pointer, certain};
use manifest_core::{Limits, ToolDescriptor};
use serde::Serialize;

use crate::place::Places;

/// What a change means for those who use a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// What worked may not work any more.
    Breaking,
    /// Whether what worked still works is not decided here.
    Undecided,
    /// A model reads it, and may act otherwise.
    Prompt,
    /// There is more than before.
    Additive,
    /// People see it, programs do not.
    Cosmetic,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// What kind of change, such as `input-required-added`.
    pub kind: &'static str,
    /// What it means.
    pub class: Class,
    /// Whether the owner must agree anew: the tool may do, see or cost more, a model is
    /// told something else of it, or it is another program.
    pub consent: bool,
    /// The tool's id: the new one or, for a tool that is gone, the old one. It is
    /// empty when the document as a whole changed.
    pub tool: String,
    /// How many other tools it is true of. What tools share is said once, of the first of them.
    #[serde(skip_serializing_if = "is_zero")]
    pub others: usize,
    /// The field of the descriptor. What the tools of a package share is named like a
    /// field of the tool; variables and scopes go by their names. It is empty for a
    /// tool as a whole, and for what descriptors have no word for.
    pub field: Pointer,
    /// The place in the old document, where it says something of the field and the
    /// place is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Pointer>,
    /// The place in the new document, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Pointer>,
    /// The format of the document that does not say it at all, if the other one is of
    /// another format and does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsaid: Option<&'static str>,
    /// What changed, in one line.
    pub message: String,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Change {
    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let places = [Some(&self.field), self.old.as_ref(), self.new.as_ref()];
        let places: usize = places.into_iter().flatten().map(|at| at.as_str().len()).sum();
        size_of::<Self>() + self.tool.len() + places + self.message.len()
    }
}

/// Everything that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// The changes: tools in the order of the new document, then those that are
    /// gone, then what belongs to no tool.
    pub changes: Vec<Change>,
}

impl Diff {
    /// Whether nothing that worked can break, and no model is told anything else.
    pub fn is_upgrade_safe(&self) -> bool {
        let safe = |change: &Change| matches!(change.class, Class::Additive | Class::Cosmetic);
        self.changes.iter().all(safe)
    }

    /// Whether the owner must agree anew.
    pub fn needs_consent(&self) -> bool {
        self.changes.iter().any(|change| change.consent)
    }
}

/// The changes of one tool, while they are being found.
pub(crate) struct Findings<'c> {
    pub(crate) changes: Vec<Change>,
    pub(crate) limits: &'c Limits,
    pub(crate) places: Option<Places<'c>>,
    /// The id of the tool.
    pub(crate) tool: String,
}

impl<'c> Findings<'c> {
    pub(crate) fn new(limits: &'c Limits, tool: &ToolDescriptor<'_>) -> Self {
        Self { changes: Vec::new(), limits, places: None, tool: tool.id.to_string() }
    }

    pub(crate) fn push(
        &mut self,
        class: Class,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        let field = certain(Pointer::parse(field)).unwrap_or_default();
        self.at(class, kind, field, message)
    }

    pub(crate) fn at(
        &mut self,
        class: Class,
        kind: &'static str,
        field: Pointer,
        message: impl Into<String>,
    ) -> &mut Self {
        let places = self.places.as_ref();
        let mut change = Change {
            kind,
            class,
            consent: false,
            tool: self.tool.clone(),
            others: 0,
            old: places.and_then(|places| places.before(&field)),
            new: places.and_then(|places| places.after(&field)),
            unsaid: places.and_then(|places| places.unsaid(&field)),
            field,
            message: message.into(),
        };
        if let Some(format) = change.unsaid {
            change.class = match change.class {
                // Where a format has no word for a text, nobody was told otherwise.
                Class::Prompt | Class::Cosmetic => Class::Cosmetic,
                _ => Class::Undecided,
            };
            change.message = format!("{} (not said in {format})", change.message);
        }
        change.consent = change.class == Class::Prompt;
        self.changes.push(change);
        self
    }

    pub(crate) fn breaking(
        &mut self,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Breaking, kind, field, message)
    }

    pub(crate) fn undecided(
        &mut self,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Undecided, kind, field, message)
    }

    pub(crate) fn prompt(
        &mut self,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Prompt, kind, field, message)
    }

    pub(crate) fn additive(
        &mut self,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Additive, kind, field, message)
    }

    pub(crate) fn cosmetic(
        &mut self,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Cosmetic, kind, field, message)
    }

    /// Marks the last change as one that the owner must agree to.
    pub(crate) fn ask(&mut self) {
        self.ask_if(true);
    }

    pub(crate) fn ask_if(&mut self, ask: bool) {
        if let Some(last) = self.changes.last_mut() {
            last.consent = ask;
        }
    }

    /// Says where the tool is that the last change is about.
    pub(crate) fn whole(&mut self, place: impl FnOnce(&mut Change)) {
        self.changes.last_mut().map(place);
    }
}
