//! Tools of any format, compared by what they are.
//!
//! [`tools`] and [`documents`] say what changed, and what it means for those who
//! use it. [`digest`] tells whether anything changed at all. [`duplicates`] finds
//! the same tool in several catalogs, and [`merge`] makes one list of them.
//!
//! ```
//! use std::borrow::Cow;
//!
//! use manifest_core::compare::{self, Class};
//! use manifest_core::{Limits, ToolDescriptor, json::Raw};
//!
//! let tool = |schema: &'static str| ToolDescriptor {
//!     id: Cow::Borrowed("acme.search"),
//!     input_schema: Some(Raw::constant(schema)),
//!     ..ToolDescriptor::default()
//! };
//! let old = tool(r#"{"properties": {"limit": {"type": "integer"}}}"#);
//! let new = tool(r#"{"properties": {"limit": {"type": "number"}}, "required": ["limit"]}"#);
//!
//! let diff = compare::tools(&old, &new, &Limits::default());
//! let found: Vec<_> = diff.changes.iter().map(|c| (c.kind, c.class)).collect();
//! assert_eq!(found, [
//!     ("input-now-required", Class::Breaking),
//!     ("input-widened", Class::Additive),
//! ]);
//! assert!(!diff.is_upgrade_safe());
//! ```
//!
//! # Readings
//!
//! - Those who call a tool go by what its old input schema declares; the tool
//!   answers by what its new output schema declares. So a new optional argument is
//!   additive, though an open object took any value by that name before.
//! - What a source does not say is taken for the worst: unknown side effects for
//!   destructive ones, no word on approval for none needed.
//! - What one of two formats has no word for is [not said](Change::unsaid), and not
//!   decided.

use serde::Serialize;

use crate::align::align;
use crate::descriptor::SideEffects;
use crate::{Limits, Pointer, ToolDescriptor, quoted};

mod call;
mod digest;
mod duplicates;
mod environment;
mod fields;
mod place;
mod reach;
mod schemas;
mod supply;
mod texts;

pub use digest::{Digest, digest};
pub use duplicates::{
    Catalog, Duplicates, Group, Likeness, Member, Merged, Policy, Refused, duplicates, merge,
};
use place::Places;
pub use place::Side;
pub use supply::{Supply, supply};

/// What a change means for those who use a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)] // the four that there are
pub enum Class {
    /// What worked may not work any more.
    Breaking,
    /// Whether what worked still works is not decided here.
    Undecided,
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
    /// Whether the owner must agree anew: the tool may do, see or cost more, or it
    /// is another program.
    pub consent: bool,
    /// The tool's id: the new one or, for a tool that is gone, the old one. It is
    /// empty when the document as a whole changed.
    pub tool: String,
    /// The place in the descriptor.
    pub field: Pointer,
    /// The place in the old document, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Pointer>,
    /// The place in the new document, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Pointer>,
    /// The format that has no word for it, if it is only that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsaid: Option<&'static str>,
    /// What changed, in one line.
    pub message: String,
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
    /// Whether nothing that worked can break.
    pub fn is_upgrade_safe(&self) -> bool {
        let safe = |change: &Change| !matches!(change.class, Class::Breaking | Class::Undecided);
        self.changes.iter().all(safe)
    }

    /// Whether the owner must agree anew.
    pub fn needs_consent(&self) -> bool {
        self.changes.iter().any(|change| change.consent)
    }
}

/// What changed from an old tool to a new one.
pub fn tools(old: &ToolDescriptor<'_>, new: &ToolDescriptor<'_>, limits: &Limits) -> Diff {
    let mut found = Findings::new(limits);
    fields::tool(old, new, &mut found);
    Diff { changes: found.changes }
}

/// What changed from an old document to a new one, in the same format or not.
///
/// Tools are aligned by id, then by the last part of the id, and one that is left
/// over on both sides was renamed.
pub fn documents(old: &Side<'_>, new: &Side<'_>, limits: &Limits) -> Diff {
    let (before, after) = (old.tools(), new.tools());
    let pairs = align(&ids(after), &ids(before));
    let reordered = !pairs.iter().flatten().is_sorted();
    let mut gone = vec![true; before.len()];
    let mut changes = Vec::new();
    for (tool, pair) in after.iter().zip(pairs) {
        let known = pair.and_then(|index| {
            if let Some(gone) = gone.get_mut(index) {
                *gone = false;
            }
            before.get(index)
        });
        let mut found = Findings::new(limits);
        if let Some(known) = known {
            found.places = Some(Places::new(old, known, new, tool));
            fields::tool(known, tool, &mut found);
        } else {
            // What changes nothing needs no consent; not to know is the worst.
            let harmless = tool.side_effects.is_some_and(|effects| effects <= SideEffects::Read);
            let message = format!("{} is new", quoted(&tool.id));
            found.additive("tool-added", "", message).ask_if(!harmless);
            found.whole(tool, |change, source| change.new = Some(source));
        }
        changes.append(&mut found.changes);
    }
    for (tool, _) in before.iter().zip(gone).filter(|(_, gone)| *gone) {
        let mut found = Findings::new(limits);
        found.breaking("tool-removed", "", format!("{} is gone", quoted(&tool.id)));
        found.whole(tool, |change, source| change.old = Some(source));
        changes.append(&mut found.changes);
    }
    let mut found = Findings::new(limits);
    if reordered {
        found.cosmetic("tools-reordered", "", "the tools are in another order");
    }
    if place::same_format(old, new) {
        fields::extras(&old.lifted.extras, &new.lifted.extras, &mut found);
    }
    changes.append(&mut found.changes);
    Diff { changes }
}

fn ids<'t>(tools: &'t [ToolDescriptor<'_>]) -> Vec<&'t str> {
    tools.iter().map(|tool| tool.id.as_ref()).collect()
}

/// The changes of one tool, while they are being found.
struct Findings<'c> {
    changes: Vec<Change>,
    limits: &'c Limits,
    places: Option<Places<'c>>,
    /// The id of the tool.
    tool: String,
}

impl<'c> Findings<'c> {
    fn new(limits: &'c Limits) -> Self {
        Self { changes: Vec::new(), limits, places: None, tool: String::new() }
    }

    fn push(
        &mut self,
        class: Class,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        let field = Pointer::parse(field).unwrap_or_default();
        self.at(class, kind, field, message)
    }

    fn at(
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
            old: places.and_then(|places| places.before(&field)),
            new: places.and_then(|places| places.after(&field)),
            unsaid: places.and_then(|places| places.unsaid(&field)),
            field,
            message: message.into(),
        };
        if let Some(format) = change.unsaid {
            if change.class != Class::Cosmetic {
                change.class = Class::Undecided;
            }
            change.message = format!("{} ({format} has no word for it)", change.message);
        }
        self.changes.push(change);
        self
    }

    fn breaking(
        &mut self,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Breaking, kind, field, message)
    }

    fn undecided(
        &mut self,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Undecided, kind, field, message)
    }

    fn additive(
        &mut self,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Additive, kind, field, message)
    }

    fn cosmetic(
        &mut self,
        kind: &'static str,
        field: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Cosmetic, kind, field, message)
    }

    /// Marks the last change as one that the owner must agree to.
    fn ask(&mut self) {
        self.ask_if(true);
    }

    fn ask_if(&mut self, ask: bool) {
        if let Some(last) = self.changes.last_mut() {
            last.consent = ask;
        }
    }

    /// Says that the last change is about a tool as a whole, and where that is.
    fn whole(&mut self, tool: &ToolDescriptor<'_>, place: fn(&mut Change, Pointer)) {
        if let Some(last) = self.changes.last_mut() {
            tool.id.as_ref().clone_into(&mut last.tool);
            place(last, tool.source.clone());
        }
    }
}
