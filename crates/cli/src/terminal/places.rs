//! Places in documents for people: relative to a tool, by the names of members, with many
//! values in one line.

use std::collections::{BTreeMap, BTreeSet};

use toolglot::core::{printable, secret, some_or_bug};
use toolglot::json::Document;
use toolglot::{Format, Limits, Pointer};

use crate::terminal::table::Line;

/// The places of the tools in several documents.
pub(crate) struct ToolPlaces(Vec<BTreeMap<String, usize>>);

/// A place, relative to the tool that contains it, if there is one.
pub(crate) struct PathInTool {
    /// The index of the document, and that of the tool in it.
    tool: Option<(usize, usize)>,
    steps: Vec<String>,
}

impl ToolPlaces {
    /// Finds the tools of documents of one format. A document that cannot be lifted is
    /// treated as one without tools.
    pub(crate) fn new<'d>(
        documents: impl IntoIterator<Item = &'d Document<'d>>,
        format: &Format,
        limits: &Limits,
    ) -> Self {
        let tools = |document: &'d Document<'d>| {
            let tools = match format.lift(document, limits) {
                Ok(lifted) => lifted.tools,
                Err(_) => Vec::new(),
            };
            let places = tools.into_iter().enumerate().filter_map(|(index, tool)| {
                let node = document.node(tool.at?.entry)?;
                Some((node.pointer().to_string(), index))
            });
            places.collect()
        };
        Self(documents.into_iter().map(tools).collect())
    }

    /// Returns a place in one of the documents, relative to its tool.
    pub(crate) fn locate(&self, document: usize, pointer: &Pointer) -> PathInTool {
        let text = pointer.as_str();
        let ends = text.match_indices('/').map(|(end, _)| end);
        let tools = self.0.get(document);
        let found = ends.chain([text.len()]).find_map(|end| {
            let (entry, inside) = text.split_at(end);
            Some((*tools?.get(entry)?, inside))
        });
        let (tool, inside) = match found {
            Some((tool, inside)) => (Some((document, tool)), inside),
            None => (None, text),
        };
        let steps = inside.split('/').skip(1).map(str::to_owned).collect();
        PathInTool { tool, steps }
    }
}

/// A value of the source, of the target, or of both.
pub(crate) struct Item<'a> {
    /// The place in the source, or in the target for an assumed value.
    pub(crate) place: PathInTool,
    /// The place in the target that the value went to, if any.
    pub(crate) target: Option<PathInTool>,
    /// The value, as written.
    pub(crate) value: &'a str,
    /// The changed value in the target, as written, if it came from this value alone.
    pub(crate) changed_to: Option<&'a str>,
    /// The reason, or an empty string.
    pub(crate) why: &'a str,
}

impl Item<'_> {
    /// Returns a value for people: shortened, and masked if the place names a secret.
    fn display_value(&self, value: &str, limit: usize) -> String {
        let shown = printable(value, limit);
        secret::mask_named(&self.place.steps.join("/"), &shown).into_owned()
    }
}

/// Returns lines for items, one for all items with the same member, target member and
/// reason.
pub(crate) fn lines(items: &[Item<'_>]) -> Vec<Line> {
    let mut order = BTreeMap::new();
    let mut groups: Vec<Vec<&Item<'_>>> = Vec::new();
    for item in items {
        let target = item.target.as_ref().and_then(|place| place.steps.first());
        let reached = item.target.as_ref().is_some_and(|place| place.tool.is_some());
        let key = (item.place.tool.is_some(), item.place.steps.first(), reached, target, item.why);
        let index = *order.entry(key).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups.iter().map(|group| line(group)).collect()
}

/// Returns the line of one group.
fn line(items: &[&Item<'_>]) -> Line {
    let steps = common_steps(items.iter().map(|item| &item.place));
    let targets = items.iter().filter_map(|item| item.target.as_ref());
    let inside = items.iter().all(|item| item.place.tool.is_some());
    let went = targets.clone().next().is_some();
    let reached = targets.clone().all(|place| place.tool.is_some());
    let note = note(items, steps.len());
    let note = match (went, note.is_empty()) {
        (true, true) => format!("→ {}", display_steps(common_steps(targets), reached)),
        (true, false) => format!("→ {} ({note})", display_steps(common_steps(targets), reached)),
        (false, _) => note,
    };
    let why = items.first().map_or("", |item| item.why);
    let note = if why.is_empty() { note } else { format!("{note}: {why}") };
    (display_steps(steps, inside), note)
}

/// Describes the values of a group, and how many there are.
fn note(items: &[&Item<'_>], shared: usize) -> String {
    let Some(first) = items.first() else {
        return String::new();
    };
    let tools: BTreeSet<_> = items.iter().map(|item| item.place.tool).collect();
    let places: BTreeSet<_> =
        items.iter().map(|item| (item.place.tool, &item.place.steps)).collect();
    let alike =
        items.iter().all(|item| item.value == first.value && item.changed_to == first.changed_to);
    let count = match (tools.len(), places.len()) {
        (1, 1) => None,
        (1, values) => Some(format!("{values} values")),
        (tools, _) => Some(format!("{tools} tools")),
    };
    match (first.changed_to.filter(|_| alike), count) {
        (Some(became), None) => describe_change(first, became),
        (Some(became), Some(count)) => format!("{}, {count}", describe_change(first, became)),
        (None, Some(count)) if first.target.is_some() => count,
        (None, None) if first.target.is_some() => String::new(),
        (None, None) => first.display_value(first.value, 60),
        (None, Some(_)) if tools.len() == 1 => list_values(items, shared),
        (None, Some(count)) if alike => {
            format!("{}, {count}", first.display_value(first.value, 40))
        }
        (None, Some(count)) => count,
    }
}

/// Lists the first values of a group, each with its path below the shared steps.
fn list_values(items: &[&Item<'_>], shared: usize) -> String {
    let said = items.iter().take(8).map(|item| {
        let below = some_or_bug(item.place.steps.get(shared..));
        let below = without_index(below).join("/");
        format!("{below} {}", item.display_value(item.value, 40)).trim().to_owned()
    });
    printable(&said.collect::<Vec<_>>().join(", "), 60)
}

/// Returns the steps that all places begin with.
fn common_steps<'p>(mut places: impl Iterator<Item = &'p PathInTool>) -> &'p [String] {
    let first = places.next().map_or(&[][..], |place| &place.steps);
    let shared = places.fold(first, |shared, place| {
        let equal = shared.iter().zip(&place.steps).take_while(|(a, b)| a == b);
        some_or_bug(shared.get(..equal.count()))
    });
    without_index(shared)
}

/// Returns the steps without array indexes at their end.
fn without_index(mut steps: &[String]) -> &[String] {
    let is_index = |step: &String| !step.is_empty() && step.bytes().all(|b| b.is_ascii_digit());
    while let [before @ .., last] = steps
        && is_index(last)
    {
        steps = before;
    }
    steps
}

fn display_steps(steps: &[String], inside: bool) -> String {
    let name = steps.join("/");
    match (inside, name.is_empty()) {
        (_, true) => "(all of it)".to_owned(),
        (true, false) => printable(&name, 48),
        (false, false) => printable(&format!("/{name}"), 48),
    }
}

fn describe_change(item: &Item<'_>, became: &str) -> String {
    format!("{} → {}", item.display_value(item.value, 40), item.display_value(became, 40))
}

/// Returns the leaves of a document, as written.
pub(crate) fn leaves<'d>(document: &'d Document<'_>) -> BTreeMap<Pointer, &'d str> {
    let leaves = document.root().leaves();
    leaves.map(|(at, leaf)| (at, leaf.raw())).collect()
}
