//! Tools of any format, compared by what they are.
//!
//! [`tools`] and [`documents`] say what changed, and what it means for those who
//! use it. [`digest`] tells whether anything changed at all. [`duplicates`] finds
//! the same tool in several catalogs, and [`merge`] makes one list of them.
//!
//! ```
//! use compare::{self, Class};
//! use json_text::{Raw, Text};
//! use manifest_core::{Limits, ToolDescriptor};
//!
//! let tool = |schema: &'static str| ToolDescriptor {
//!     id: Text::Borrowed("acme.search").into(),
//!     input_schema: Some(Raw::constant(schema).into()),
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
//! - What a source does not say means what [`Caution`] says that it means. An approval
//!   that was written and is not any more is lost, though: hosts act on what is written.
//! - What only one of two documents of different formats says is
//!   [not said](Change::unsaid) by the other, and not decided: its format may have no
//!   word for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use diagnostic::{Pointer, quoted};
use manifest_core::align;
use manifest_core::descriptor::{Caution, SideEffects};
use manifest_core::{Limits, ToolDescriptor};

mod call;
mod digest;
mod duplicates;
mod environment;
mod fields;
mod other;
mod package;
mod place;
mod reach;
mod schemas;
mod supply;
mod texts;

pub use digest::{Digest, digest, digests};
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
    Diff { changes: Pairs::new(limits).compare(old, new, None) }
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
    let mut compared = Pairs::new(limits);
    for (tool, pair) in after.iter().zip(pairs) {
        let known = pair.and_then(|index| {
            if let Some(gone) = gone.get_mut(index) {
                *gone = false;
            }
            before.get(index)
        });
        if let Some(known) = known {
            changes.append(&mut compared.compare(known, tool, Some([old, new])));
            continue;
        }
        // What changes nothing needs no consent.
        let harmless = Caution::of(tool).worst_effects() <= SideEffects::Read;
        let mut found = Findings::new(limits, tool);
        let message = format!("{} is new", quoted(&tool.id));
        found.additive("tool-added", "", message).ask_if(!harmless);
        found.whole(|change| change.new = new.pointer(tool.at));
        changes.append(&mut found.changes);
    }
    for (tool, _) in before.iter().zip(gone).filter(|(_, gone)| *gone) {
        let mut found = Findings::new(limits, tool);
        found.breaking("tool-removed", "", format!("{} is gone", quoted(&tool.id)));
        found.whole(|change| change.old = old.pointer(tool.at));
        changes.append(&mut found.changes);
    }
    let mut found = Findings::new(limits, &ToolDescriptor::default());
    if reordered {
        found.cosmetic("tools-reordered", "", "the tools are in another order");
    }
    other::document([old, new], &mut found);
    changes.append(&mut found.changes);
    Diff { changes }
}

fn ids<'t>(tools: &'t [ToolDescriptor<'_>]) -> Vec<&'t str> {
    tools.iter().map(|tool| tool.id.as_ref()).collect()
}

/// Compares pairs of tools. What the tools of a package share is compared once for
/// each pair of packages, and said of each tool.
struct Pairs<'c> {
    limits: &'c Limits,
    /// By the addresses of both packages.
    shared: BTreeMap<[usize; 2], Vec<Change>>,
}

impl<'c> Pairs<'c> {
    const fn new(limits: &'c Limits) -> Self {
        Self { limits, shared: BTreeMap::new() }
    }

    /// What changed from one tool to another.
    fn compare<'t>(
        &mut self,
        old: &'t ToolDescriptor<'t>,
        new: &'t ToolDescriptor<'t>,
        sides: Option<[&Side<'t>; 2]>,
    ) -> Vec<Change> {
        let mut found = Findings::new(self.limits, new);
        found.places = sides.map(|[before, after]| Places::new(before, old, after, new));
        fields::tool(old, new, &mut found);
        if let Some(sides) = sides {
            other::tool(sides, [old, new], &mut found);
        }
        let mut shared = || {
            let first = found.changes.len();
            package::package(&old.package, &new.package, &mut found);
            if let Some(sides) = sides {
                other::package(sides, [old, new], &mut found);
            }
            found.changes.split_off(first)
        };
        let packages = [&old.package, &new.package];
        let changes = if packages.iter().all(|package| Arc::strong_count(package) > 1) {
            let addresses = packages.map(|package| Arc::as_ptr(package).addr());
            self.shared.entry(addresses).or_insert_with(shared).clone()
        } else {
            shared()
        };
        let tool = found.tool.clone();
        let own = |change: Change| Change { tool: tool.clone(), ..change };
        found.changes.extend(changes.into_iter().map(own));
        // Last, because it depends on what else was found.
        package::version(&old.package, &new.package, &mut found);
        found.changes
    }
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
    fn new(limits: &'c Limits, tool: &ToolDescriptor<'_>) -> Self {
        Self { changes: Vec::new(), limits, places: None, tool: tool.id.to_string() }
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
            change.message = format!("{} (not said in {format})", change.message);
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

    /// Says where the tool is that the last change is about.
    fn whole(&mut self, place: impl FnOnce(&mut Change)) {
        self.changes.last_mut().map(place);
    }
}
