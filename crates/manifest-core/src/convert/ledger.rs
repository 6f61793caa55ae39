//! Where every leaf of a source went.

use std::fmt;

use serde::Serialize;

use super::side::{Placed, SHARED, Side};
use crate::Pointer;
use crate::json::{Kind, Node};

/// What became of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)] // the classes of the law
pub enum Class {
    /// The target says the same in the same words.
    Native,
    /// The target says the same in other words.
    Equivalent,
    /// The target says nearly the same; the residue has the rest.
    Approximated,
    /// The target has no word for it; the residue has it.
    Carried,
}

/// One leaf of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Entry {
    /// The leaf.
    pub source: Pointer,
    /// What became of it.
    pub class: Class,
    /// The descriptor field that it feeds, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<&'static str>,
    /// Where the target says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub target: Vec<Pointer>,
}

/// A leaf of the target that the source has nothing to say about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Assumed {
    /// The leaf.
    pub target: Pointer,
    /// The value that was assumed, as written.
    pub value: String,
}

/// An account of a conversion: every leaf of the source once, and every leaf of
/// the target that comes from nowhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Ledger {
    /// The leaves of the source, in order.
    pub entries: Vec<Entry>,
    /// What was assumed.
    pub assumed: Vec<Assumed>,
}

impl Ledger {
    /// How many leaves are of that class.
    pub fn count(&self, class: Class) -> usize {
        self.entries.iter().filter(|entry| entry.class == class).count()
    }

    /// The whole account for people: a line for each leaf, then what was assumed,
    /// then the score.
    ///
    /// ```text
    /// native        /toolId          → /tools/0/name
    /// approximated  /timeoutMs       → /tools/0/timeoutSec
    /// carried       /meta/license
    /// assumed       /tools/0/command = ["./tools/bin/toolglot-bridge"]
    /// ```
    pub fn text(&self) -> String {
        let from = self.entries.iter().map(|entry| (name(entry.class), &entry.source));
        let from = from.chain(self.assumed.iter().map(|assumed| ("assumed", &assumed.target)));
        let width = from.clone().map(|(_, place)| shown(place).chars().count()).max().unwrap_or(0);
        let entries = self.entries.iter().map(|entry| {
            let places: Vec<String> = entry.target.iter().map(shown).collect();
            if places.is_empty() { String::new() } else { format!("→ {}", places.join(", ")) }
        });
        let values = self
            .assumed
            .iter()
            .map(|assumed| format!("= {}", crate::printable(&assumed.value, VALUE)));
        let mut text = String::new();
        for ((class, place), to) in from.zip(entries.chain(values)) {
            let place = shown(place);
            let line = format!("{class:<12}  {place:<width$} {to}");
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push_str(&self.to_string());
        text.push('\n');
        text
    }

    pub(super) fn new(source: &Side<'_>, target: &Side<'_>) -> Self {
        let leaves = source.document.root().leaves();
        let entries = leaves.map(|(at, leaf)| account(at, leaf, source, target)).collect();
        let leaves = target.document.root().leaves();
        let assumed = leaves.filter_map(|(at, leaf)| assumed(at, leaf, source, target)).collect();
        Self { entries, assumed }
    }
}

/// How much is shown of a pointer, and of a value.
const PLACE: usize = 160;
const VALUE: usize = 64;

/// A pointer on one line.
fn shown(place: &Pointer) -> String {
    crate::printable(place.as_str(), PLACE)
}

fn name(class: Class) -> &'static str {
    match class {
        Class::Native => "native",
        Class::Equivalent => "equivalent",
        Class::Approximated => "approximated",
        Class::Carried => "carried",
    }
}

/// The score in one line.
impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} leaves: {} native, {} equivalent, {} approximated, {} carried; {} assumed",
            self.entries.len(),
            self.count(Class::Native),
            self.count(Class::Equivalent),
            self.count(Class::Approximated),
            self.count(Class::Carried),
            self.assumed.len(),
        )
    }
}

fn account(at: Pointer, leaf: Node<'_>, source: &Side<'_>, target: &Side<'_>) -> Entry {
    // A format says all of its own, what it has no field for included.
    if source.format.name == target.format.name {
        return Entry {
            source: at.clone(),
            class: Class::Native,
            field: Placed::of(&at, leaf, source, target).and_then(|placed| placed.named()),
            target: vec![at],
        };
    }
    let Some(placed) = Placed::of(&at, leaf, source, target) else {
        // Versions of one format have members in common that no field is for.
        let same = source.same_member(&at, leaf, target);
        let class = if same.is_some() { Class::Native } else { Class::Carried };
        return Entry { source: at, class, field: None, target: same.into_iter().collect() };
    };
    let field = placed.named();
    let there = target.tools.get(placed.tool).and_then(|tool| tool.at(&placed.field));
    let (class, places) = match (placed.value, there) {
        (Some(ours), Some(theirs)) if placed.key || ours.same_value(theirs) => {
            let places = places(&placed, source, target);
            let same_words = places.iter().any(|(_, node)| node.raw() == leaf.raw());
            (if same_words { Class::Native } else { Class::Equivalent }, places)
        }
        (Some(ours), Some(theirs)) if comparable(ours, theirs) => {
            (Class::Approximated, places(&placed, source, target))
        }
        _ => (Class::Carried, Vec::new()),
    };
    let target = places.into_iter().map(|(pointer, _)| pointer).collect();
    Entry { source: at, class, field, target }
}

/// Where the target says what a leaf of the source says: for each of the tools
/// that share it.
fn places<'t>(
    placed: &Placed<'_>,
    source: &Side<'_>,
    target: &Side<'t>,
) -> Vec<(Pointer, Node<'t>)> {
    let shared = placed.row.member.starts_with(SHARED);
    let base = |tool: usize| source.bases.get(tool);
    let shares =
        |tool: &usize| *tool == placed.tool || (shared && base(*tool) == base(placed.tool));
    let tools = (0..source.tools.len()).filter(shares);
    // One member may be the home of a field for some tools, and of another for others.
    let rows = source.format.mapping.iter().filter(|row| row.member == placed.row.member);
    let others = rows.filter(|row| row.field != placed.row.field);
    let others: Vec<Pointer> = others.filter_map(|row| Pointer::parse(row.field).ok()).collect();
    let fields: Vec<&Pointer> = std::iter::once(&placed.field).chain(&others).collect();
    let said = |tool: usize, field: &Pointer| {
        let pair = source.tools.get(tool).zip(target.tools.get(tool));
        pair.is_some_and(|(ours, theirs)| ours.at(field).is_some() && theirs.at(field).is_some())
    };
    let mut places: Vec<(Pointer, Node<'t>)> = Vec::new();
    let pairs = tools.flat_map(|tool| fields.iter().map(move |field| (tool, *field)));
    let pairs = pairs.filter(|(tool, field)| said(*tool, field));
    for place in pairs.flat_map(|(tool, field)| target.places_of(tool, field)) {
        // Tools may share it there, too.
        if places.iter().all(|(known, _)| *known != place.0) {
            places.push(place);
        }
    }
    places
}

/// Whether one value can be an approximation of the other: two variants of a
/// choice are not.
fn comparable(a: Node<'_>, b: Node<'_>) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Object, Kind::Object) => a.members().any(|member| b.get(&member.name()).is_some()),
        (a, b) => a == b,
    }
}

fn assumed(at: Pointer, leaf: Node<'_>, source: &Side<'_>, target: &Side<'_>) -> Option<Assumed> {
    let Some(placed) = Placed::of(&at, leaf, target, source) else {
        // What belongs to no tool is the form of the document. A format has its own.
        let own = source.format.name == target.format.name || at.is_root();
        let form = !own && target.entry_of(&at).is_none();
        return form.then(|| Assumed { target: at, value: leaf.raw().to_owned() });
    };
    // Another variant of a choice says nothing about this one.
    let said = source.tools.get(placed.tool)?.at(&placed.field);
    let known = said
        .is_some_and(|said| placed.key || placed.value.is_none_or(|here| comparable(said, here)));
    (!known).then(|| Assumed { target: at, value: leaf.raw().to_owned() })
}
