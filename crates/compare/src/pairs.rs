//! Pairs tools, and reports changes that several pairs have in common once.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use diagnostic::quoted;
use json_text::to_json;
use manifest_core::descriptor::{RiskProfile, SideEffects};
use manifest_core::{Limits, ToolDescriptor, align};
use serde::Serialize;

use crate::change::{Change, Diff, Findings, Record};
use crate::line_digests::LineDigests;
use crate::place::{Places, Side};
use crate::unread_entries::PackageEntries;
use crate::{fields, package, unread_entries};

/// Returns the changes from an old tool to a new one.
pub fn tools(old: &ToolDescriptor<'_>, new: &ToolDescriptor<'_>, limits: &Limits) -> Diff {
    let changes = compare_pairs([Pair { tools: [old, new], sides: None }], limits);
    Diff { changes: changes.into_iter().flatten().collect() }
}

/// Returns the changes from an old document to a new one, whose formats may differ.
///
/// Tools are aligned by id, then by the last part of the id. If exactly one tool is left
/// over on each side, it was renamed. A change that several tools share is reported once.
pub fn documents(old: &Side<'_>, new: &Side<'_>, limits: &Limits) -> Diff {
    let (before, after) = (old.tools(), new.tools());
    let aligned = align(&ids(after), &ids(before));
    let mut gone = vec![true; before.len()];
    let mut partners = Vec::with_capacity(after.len());
    for index in &aligned {
        let Some(index) = *index else {
            partners.push(None);
            continue;
        };
        partners.push(before.get(index));
        if let Some(gone) = gone.get_mut(index) {
            *gone = false;
        }
    }
    let mut pairs = Vec::new();
    for (tool, partner) in after.iter().zip(&partners) {
        if let Some(partner) = partner {
            pairs.push(Pair { tools: [partner, tool], sides: Some([old, new]) });
        }
    }
    let mut compared = compare_pairs(pairs, limits).into_iter();
    let mut changes = Vec::new();
    for (tool, partner) in after.iter().zip(&partners) {
        if partner.is_some() {
            changes.extend(compared.next().into_iter().flatten());
            continue;
        }
        // A new tool that only reads needs no consent.
        let harmless = RiskProfile::of(tool).effects_or_worst() <= SideEffects::Read;
        let mut found = Findings::new(limits, tool);
        let message = format!("{} is new", quoted(&tool.id));
        found.additive("tool-added", "", message).set_consent(!harmless);
        found.edit_last(|change| change.new = new.pointer(tool.at));
        changes.append(&mut found.changes);
    }
    for (tool, gone) in before.iter().zip(gone) {
        if gone {
            let mut found = Findings::new(limits, tool);
            found.breaking("tool-removed", "", format!("{} is gone", quoted(&tool.id)));
            found.edit_last(|change| change.old = old.pointer(tool.at));
            changes.append(&mut found.changes);
        }
    }
    let mut found = Findings::new(limits, &ToolDescriptor::default());
    if !aligned.iter().flatten().is_sorted() {
        found.cosmetic("tools-reordered", "", "the tools are in another order");
    }
    unread_entries::compare_documents([old, new], &mut found);
    changes.append(&mut found.changes);
    Diff { changes }
}

fn ids<'t>(tools: &'t [ToolDescriptor<'_>]) -> Vec<&'t str> {
    tools.iter().map(|tool| tool.id.as_ref()).collect()
}

/// An old tool and a new one, and their documents.
pub(crate) struct Pair<'p> {
    pub(crate) tools: [&'p ToolDescriptor<'p>; 2],
    pub(crate) sides: Option<[&'p Side<'p>; 2]>,
}

/// Values that the tools of a pair share with those of other pairs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SharedKey {
    /// The addresses of both packages, if other tools share them.
    packages: Option<[usize; 2]>,
    /// The places of both packages, if they are not the places of the tools themselves.
    /// Many tools may have the same place although each has a separate package.
    package_places: Option<[unread_entries::PackagePlace; 2]>,
}

impl SharedKey {
    fn of(Pair { tools, sides }: &Pair<'_>) -> Self {
        let packages = tools.map(|tool| &tool.package);
        let package_places = match sides {
            Some(sides) => unread_entries::package_places(*sides, *tools),
            None => None,
        };
        if packages.iter().any(|package| Arc::strong_count(package) == 1) {
            return Self { packages: None, package_places };
        }
        let addresses = packages.map(|package| Arc::as_ptr(package).addr());
        Self { packages: Some(addresses), package_places }
    }
}

/// The changes reported for the first of several pairs with the same [`SharedKey`] values.
struct SharedChanges {
    pair: usize,
    changes: Range<usize>,
    /// True if a change requires a new version.
    needs_version: bool,
    /// The number of other pairs with the same changes.
    others: usize,
}

/// Values cached between pairs, and the work that is left.
struct Work<'p> {
    lines: LineDigests,
    surroundings: PackageEntries<'p>,
    /// The addresses of tools and packages that were read, with their lengths once they
    /// were read again.
    read_lengths: BTreeMap<usize, Option<usize>>,
    left: usize,
}

impl<'p> Work<'p> {
    fn new(limits: &Limits) -> Self {
        let (lines, surroundings) = (LineDigests::default(), PackageEntries::default());
        Self { lines, surroundings, read_lengths: BTreeMap::new(), left: limits.work }
    }

    /// Counts a tool or a package only if it is read again: reading each once is linear.
    fn charge_reading(&mut self, value: &impl Serialize) {
        let address = std::ptr::from_ref(value).addr();
        if let Some(length) = self.read_lengths.get_mut(&address) {
            let length = length.get_or_insert_with(|| to_json(value).len());
            self.left = self.left.saturating_sub(*length);
        } else {
            self.read_lengths.insert(address, None);
        }
    }

    /// Counts the size of reported changes.
    fn charge_changes(&mut self, changes: &[Change]) {
        self.left = self.left.saturating_sub(changes.iter().map(Change::bytes).sum());
    }

    /// Compares the values that belong to this pair alone.
    fn compare_own(&mut self, pair: &Pair<'p>, common: &SharedKey, found: &mut Findings<'_>) {
        let [old, new] = pair.tools;
        self.charge_reading(old);
        self.charge_reading(new);
        fields::compare_tools(old, new, &mut self.lines, found);
        if let Some(sides) = pair.sides {
            unread_entries::compare_tools(sides, pair.tools, found);
        }
        if common.packages.is_none() {
            self.compare_packages(pair, found);
        }
    }

    /// Compares the values that pairs share. Returns true if a change requires a new
    /// version.
    fn compare_shared(
        &mut self,
        pair: &Pair<'p>,
        common: &SharedKey,
        found: &mut Findings<'_>,
    ) -> bool {
        let ([old, new], first) = (pair.tools, found.changes.len());
        if common.packages.is_some() {
            self.compare_packages(pair, found);
        }
        if let (Some(sides), Some(places)) = (pair.sides, common.package_places) {
            self.surroundings.compare(sides, pair.tools, places, found);
        }
        let counts = found.changes.iter().skip(first).any(package::requires_version);
        if common.packages.is_some() {
            package::compare_versions(&old.package, &new.package, found);
            if counts {
                package::report_version_reuse(&old.package, &new.package, found);
            }
        }
        counts
    }

    fn compare_packages(&mut self, pair: &Pair<'_>, found: &mut Findings<'_>) {
        let [old, new] = pair.tools.map(|tool| &*tool.package);
        self.charge_reading(old);
        self.charge_reading(new);
        package::compare_packages(old, new, found);
    }
}

/// Returns the changes of each pair. A change that pairs have in common is reported for the
/// first of them. Otherwise the report would grow with tools times changes.
pub(crate) fn compare_pairs<'p>(
    pairs: impl IntoIterator<Item = Pair<'p>>,
    limits: &Limits,
) -> Vec<Vec<Change>> {
    let mut all: Vec<Vec<Change>> = Vec::new();
    let mut shared: BTreeMap<SharedKey, SharedChanges> = BTreeMap::new();
    let mut work = Work::new(limits);
    for pair in pairs {
        let [old, new] = pair.tools;
        let mut found = Findings::new(limits, new);
        if work.left == 0 {
            let message =
                "it was not compared: the tools before it took all the work that is allowed";
            found.undecided("not-compared", "", message).require_consent();
            all.push(found.changes);
            continue;
        }
        found.places = pair.sides.map(|[before, after]| Places::new(before, old, after, new));
        let common = SharedKey::of(&pair);
        work.compare_own(&pair, &common, &mut found);
        let own_counts = found.changes.iter().any(package::requires_version);
        let first = found.changes.len();
        let known = match shared.entry(common) {
            Entry::Occupied(known) => {
                let known = known.into_mut();
                known.others += 1;
                known
            }
            Entry::Vacant(new) => {
                let needs_version = work.compare_shared(&pair, &common, &mut found);
                let changes = first..found.changes.len();
                new.insert(SharedChanges { pair: all.len(), changes, needs_version, others: 0 })
            }
        };
        // Last, because it depends on the other changes.
        if common.packages.is_none() {
            package::compare_versions(&old.package, &new.package, &mut found);
        }
        if own_counts && !known.needs_version || known.needs_version && common.packages.is_none() {
            package::report_version_reuse(&old.package, &new.package, &mut found);
        }
        work.charge_changes(&found.changes);
        all.push(found.changes);
    }
    for SharedChanges { pair, changes, others, .. } in shared.into_values() {
        if let Some(of_pair) = all.get_mut(pair)
            && let Some(changes) = of_pair.get_mut(changes)
        {
            for change in changes {
                change.others = others;
            }
        }
    }
    all
}
