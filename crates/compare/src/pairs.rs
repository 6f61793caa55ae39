//! Which tool is compared with which.

use std::collections::BTreeMap;
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
pub(crate) struct Pairs<'c> {
    limits: &'c Limits,
    /// By the addresses of both packages.
    shared: BTreeMap<[usize; 2], Vec<Change>>,
    /// By where both packages stand: what is around tools may be one place for all of them, although
    /// each has a package of its own.
    around: BTreeMap<[other::Around; 2], Vec<Change>>,
    lines: Lines,
}

impl<'c> Pairs<'c> {
    pub(crate) fn new(limits: &'c Limits) -> Self {
        Self { limits, shared: BTreeMap::new(), around: BTreeMap::new(), lines: Lines::default() }
    }

    /// What changed from one tool to another.
    pub(crate) fn compare<'t>(
        &mut self,
        old: &'t ToolDescriptor<'t>,
        new: &'t ToolDescriptor<'t>,
        sides: Option<[&Side<'t>; 2]>,
    ) -> Vec<Change> {
        let mut found = Findings::new(self.limits, new);
        found.places = sides.map(|[before, after]| Places::new(before, old, after, new));
        fields::tool(old, new, &mut self.lines, &mut found);
        if let Some(sides) = sides {
            other::tool(sides, [old, new], &mut found);
        }
        let mut shared = || {
            let first = found.changes.len();
            package::package(&old.package, &new.package, &mut found);
            found.changes.split_off(first)
        };
        let packages = [&old.package, &new.package];
        let mut changes = if packages.iter().all(|package| Arc::strong_count(package) > 1) {
            let addresses = packages.map(|package| Arc::as_ptr(package).addr());
            self.shared.entry(addresses).or_insert_with(shared).clone()
        } else {
            shared()
        };
        if let Some([before, after]) = sides
            && let Some(places) = other::around(before, old).zip(other::around(after, new))
        {
            let around = self.around.entry(places.into()).or_insert_with(|| {
                let first = found.changes.len();
                other::package([before, after], [old, new], &mut found);
                found.changes.split_off(first)
            });
            changes.extend_from_slice(around);
        }
        let tool = found.tool.clone();
        let own = |change: Change| Change { tool: tool.clone(), ..change };
        found.changes.extend(changes.into_iter().map(own));
        // Last, because it depends on what else was found.
        package::version(&old.package, &new.package, &mut found);
        found.changes
    }
}
