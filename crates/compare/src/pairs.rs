//! Which tool is compared with which, and what is said of several at once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use diagnostic::quoted;
use manifest_core::descriptor::{Caution, SideEffects};
use manifest_core::{Limits, ToolDescriptor, align};

use crate::change::{Change, Diff, Findings};
use crate::line::Lines;
use crate::place::{Places, Side};
use crate::{fields, other, package};

/// What changed from an old tool to a new one.
pub fn tools(old: &ToolDescriptor<'_>, new: &ToolDescriptor<'_>, limits: &Limits) -> Diff {
    let changes = compare([Pair { tools: [old, new], sides: None }], limits);
    Diff { changes: changes.into_iter().flatten().collect() }
}

/// What changed from an old document to a new one, in the same format or not.
///
/// Tools are aligned by id, then by the last part of the id, and one that is left
/// over on both sides was renamed. What several tools share is said once.
pub fn documents(old: &Side<'_>, new: &Side<'_>, limits: &Limits) -> Diff {
    let (before, after) = (old.tools(), new.tools());
    let pairs = align(&ids(after), &ids(before));
    let reordered = !pairs.iter().flatten().is_sorted();
    let mut gone = vec![true; before.len()];
    for index in pairs.iter().flatten() {
        if let Some(gone) = gone.get_mut(*index) {
            *gone = false;
        }
    }
    let known = |pair: &Option<usize>| pair.and_then(|index| before.get(index));
    let both = after.iter().zip(&pairs).filter_map(|(tool, pair)| {
        Some(Pair { tools: [known(pair)?, tool], sides: Some([old, new]) })
    });
    let mut compared = compare(both, limits).into_iter();
    let mut changes = Vec::new();
    for (tool, pair) in after.iter().zip(&pairs) {
        if known(pair).is_some() {
            changes.append(&mut compared.next().unwrap_or_default());
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

/// An old tool and a new one, and the documents that they are in.
pub(crate) struct Pair<'p> {
    pub(crate) tools: [&'p ToolDescriptor<'p>; 2],
    pub(crate) sides: Option<[&'p Side<'p>; 2]>,
}

/// What both tools of a pair have in common with those of other pairs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Common {
    /// The addresses of both packages, where tools share them.
    packages: Option<[usize; 2]>,
    /// Where both packages stand around tools. That may be one place for many tools, although each
    /// has a package of its own.
    around: Option<[other::Around; 2]>,
}

impl Common {
    fn of(Pair { tools, sides }: &Pair<'_>) -> Self {
        let packages = tools.map(|tool| &tool.package);
        let are_shared = packages.iter().all(|package| Arc::strong_count(package) > 1);
        let around = sides.and_then(|[before, after]| {
            let [old, new] = tools;
            Some([other::around(before, old)?, other::around(after, new)?])
        });
        let addresses = || packages.map(|package| Arc::as_ptr(package).addr());
        Self { packages: are_shared.then(addresses), around }
    }
}

/// What was said of the first pair that has it in common with others.
struct Said {
    pair: usize,
    changes: Range<usize>,
    /// Whether any of it makes another thing of what has a version.
    counts: bool,
    /// How many other pairs it is true of.
    others: usize,
}

/// What changed in each of several pairs. What pairs have in common is said of the first of them:
/// said of each, it would be the product of tools and changes.
pub(crate) fn compare<'p>(
    pairs: impl IntoIterator<Item = Pair<'p>>,
    limits: &Limits,
) -> Vec<Vec<Change>> {
    let mut told: Vec<Vec<Change>> = Vec::new();
    let mut said: BTreeMap<Common, Said> = BTreeMap::new();
    let (mut lines, mut work) = (Lines::default(), limits.work);
    for pair in pairs {
        let [old, new] = pair.tools;
        let mut found = Findings::new(limits, new);
        if work == 0 {
            let message = "it was not compared: more changed before than may be told";
            found.undecided("not-compared", "", message).ask();
            told.push(found.changes);
            continue;
        }
        found.places = pair.sides.map(|[before, after]| Places::new(before, old, after, new));
        let common = Common::of(&pair);
        alone(&pair, &common, &mut lines, &mut found);
        let own_counts = found.changes.iter().any(package::counts);
        let first = found.changes.len();
        let known = said.entry(common).and_modify(|known| known.others += 1).or_insert_with(|| {
            let counts = together(&pair, &common, &mut found);
            let changes = first..found.changes.len();
            Said { pair: told.len(), changes, counts, others: 0 }
        });
        // Last, because it depends on what else was found.
        if common.packages.is_none() {
            package::version(&old.package, &new.package, &mut found);
        }
        if own_counts && !known.counts || known.counts && common.packages.is_none() {
            package::reused(&old.package, &new.package, &mut found);
        }
        work = work.saturating_sub(found.changes.iter().map(Change::bytes).sum());
        told.push(found.changes);
    }
    for Said { pair, changes, others, .. } in said.into_values() {
        let changes = told.get_mut(pair).and_then(|told| told.get_mut(changes));
        for change in changes.into_iter().flatten() {
            change.others = others;
        }
    }
    told
}

/// Says what is true of one pair alone.
fn alone(pair: &Pair<'_>, common: &Common, lines: &mut Lines, found: &mut Findings<'_>) {
    let [old, new] = pair.tools;
    fields::tool(old, new, lines, found);
    if let Some(sides) = pair.sides {
        other::tool(sides, pair.tools, found);
    }
    if common.packages.is_none() {
        package::package(&old.package, &new.package, found);
    }
}

/// Says what is true of all pairs with this in common, and tells whether that makes another thing of
/// what has a version.
fn together(pair: &Pair<'_>, common: &Common, found: &mut Findings<'_>) -> bool {
    let ([old, new], first) = (pair.tools, found.changes.len());
    if common.packages.is_some() {
        package::package(&old.package, &new.package, found);
    }
    if let Some(sides) = pair.sides.filter(|_| common.around.is_some()) {
        other::package(sides, pair.tools, found);
    }
    let counts = found.changes.iter().skip(first).any(package::counts);
    if common.packages.is_some() {
        package::version(&old.package, &new.package, found);
        if counts {
            package::reused(&old.package, &new.package, found);
        }
    }
    counts
}
