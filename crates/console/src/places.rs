//! Places in a document as people speak of them: inside a tool, by the names of
//! members, many values at once.

use std::collections::{BTreeMap, BTreeSet};

use toolglot::core::{printable, secret};
use toolglot::json::Document;
use toolglot::{Format, Limits, Pointer};

use crate::table::Line;

/// Where the tools stand in documents.
pub struct Tools(Vec<BTreeMap<String, usize>>);

/// A place: the tool that holds it, if any, and the way from there.
pub struct PathInTool {
    /// Which document, and which of its tools.
    tool: Option<(usize, usize)>,
    steps: Vec<String>,
}

impl Tools {
    /// Of some documents of one format. What cannot be read has none.
    pub fn of<'d>(
        documents: impl IntoIterator<Item = &'d Document<'d>>,
        format: &Format,
        limits: &Limits,
    ) -> Self {
        let tools = |document: &'d Document<'d>| {
            let lifted = format.lift(document, limits).unwrap_or_default();
            let places = lifted.tools.into_iter().enumerate().filter_map(|(index, tool)| {
                let node = document.node(tool.at?.entry)?;
                Some((node.pointer().to_string(), index))
            });
            places.collect()
        };
        Self(documents.into_iter().map(tools).collect())
    }

    /// A place in one of the documents.
    pub fn locate(&self, document: usize, pointer: &Pointer) -> PathInTool {
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
pub struct Item<'a> {
    /// Where it stands.
    pub place: PathInTool,
    /// Where it went, if it went anywhere.
    pub target: Option<PathInTool>,
    /// The value, as written.
    pub value: &'a str,
    /// The other value that it became, as written: only where that came from it alone.
    pub became: Option<&'a str>,
    /// Why it is so.
    pub why: &'a str,
}

impl Item<'_> {
    /// A value of the item, cut and without secrets: its name may say that it is one.
    fn say(&self, value: &str, limit: usize) -> String {
        let shown = printable(value, limit);
        secret::masked_named(&self.place.steps.join("/"), &shown).into_owned()
    }
}

/// A line for each member that has items: its name, and what there is to say.
pub fn lines(items: &[Item<'_>]) -> Vec<Line> {
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

/// The items of one member, in one line.
fn line(items: &[&Item<'_>]) -> Line {
    let steps = common(items.iter().map(|item| &item.place));
    let targets = items.iter().filter_map(|item| item.target.as_ref());
    let inside = items.iter().all(|item| item.place.tool.is_some());
    let went = targets.clone().next().is_some();
    let reached = targets.clone().all(|place| place.tool.is_some());
    let note = note(items, steps.len());
    let note = match (went, note.is_empty()) {
        (true, true) => format!("→ {}", named(common(targets), reached)),
        (true, false) => format!("→ {} ({note})", named(common(targets), reached)),
        (false, _) => note,
    };
    let why = items.first().map_or("", |item| item.why);
    let note = if why.is_empty() { note } else { format!("{note}: {why}") };
    (named(steps, inside), note)
}

/// What there is to say about the values themselves.
fn note(items: &[&Item<'_>], shared: usize) -> String {
    let Some(first) = items.first() else {
        return String::new();
    };
    let tools: BTreeSet<_> = items.iter().map(|item| item.place.tool).collect();
    let places: BTreeSet<_> =
        items.iter().map(|item| (item.place.tool, &item.place.steps)).collect();
    let alike = items.iter().all(|item| item.value == first.value && item.became == first.became);
    let count = match (tools.len(), places.len()) {
        (1, 1) => None,
        (1, values) => Some(format!("{values} values")),
        (tools, _) => Some(format!("{tools} tools")),
    };
    match (first.became.filter(|_| alike), count) {
        (Some(became), None) => changed(first, became),
        (Some(became), Some(count)) => format!("{}, {count}", changed(first, became)),
        (None, count) if first.target.is_some() => count.unwrap_or_default(),
        (None, None) => first.say(first.value, 60),
        (None, Some(_)) if tools.len() == 1 => listed(items, shared),
        (None, Some(count)) if alike => format!("{}, {count}", first.say(first.value, 40)),
        (None, Some(count)) => count,
    }
}

/// The first few values, each with the way to it from what they share.
fn listed(items: &[&Item<'_>], shared: usize) -> String {
    let said = items.iter().take(8).map(|item| {
        let below = item.place.steps.get(shared..).unwrap_or_default();
        let below = without_index(below).join("/");
        format!("{below} {}", item.say(item.value, 40)).trim().to_owned()
    });
    printable(&said.collect::<Vec<_>>().join(", "), 60)
}

/// The steps that all places begin with.
fn common<'p>(mut places: impl Iterator<Item = &'p PathInTool>) -> &'p [String] {
    let first = places.next().map_or(&[][..], |place| &place.steps);
    let shared = places.fold(first, |shared, place| {
        let equal = shared.iter().zip(&place.steps).take_while(|(a, b)| a == b);
        shared.get(..equal.count()).unwrap_or_default()
    });
    without_index(shared)
}

/// The steps, without the numbers of array elements at their end.
fn without_index(steps: &[String]) -> &[String] {
    let is_index = |step: &String| !step.is_empty() && step.bytes().all(|b| b.is_ascii_digit());
    let end = steps.iter().rposition(|step| !is_index(step));
    steps.get(..end.map_or(0, |end| end + 1)).unwrap_or_default()
}

fn named(steps: &[String], inside: bool) -> String {
    let name = steps.join("/");
    match (inside, name.is_empty()) {
        (_, true) => "(all of it)".to_owned(),
        (true, false) => printable(&name, 48),
        (false, false) => printable(&format!("/{name}"), 48),
    }
}

fn changed(item: &Item<'_>, became: &str) -> String {
    format!("{} → {}", item.say(item.value, 40), item.say(became, 40))
}

/// The values of a document that hold no others, as written.
pub fn leaves<'d>(document: &'d Document<'_>) -> BTreeMap<Pointer, &'d str> {
    let leaves = document.root().leaves();
    leaves.map(|(at, leaf)| (at, leaf.raw())).collect()
}
