//! Finds the same tool in several catalogs.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::change::Change;
use super::pairs::{Pair, compare_pairs};
use super::{Digest, Side, digests};
use diagnostic::Pointer;
use manifest_core::{Limits, ToolDescriptor, version};

/// A labelled list of tools.
#[derive(Clone, Copy, Debug)]
pub struct Catalog<'c> {
    /// The label in reports, such as a file name.
    pub label: &'c str,
    /// The tools, and the document that they were lifted from.
    pub side: Side<'c>,
}

/// How the tools of a group are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Likeness {
    /// The same id, but different tools.
    Conflict,
    /// Different ids, but the same interface.
    Copy,
    /// The same id and the same tool.
    Exact,
}

/// One tool of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Member {
    /// The label of its catalog.
    pub label: String,
    /// The place in its document.
    pub place: Pointer,
    /// Its id.
    pub id: String,
    /// Its version, as declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The [`whole`](Digest::whole) digest.
    pub digest: String,
    /// The changes from the first member of the group to this one. A change of a value that
    /// tools share is reported only in the first group that has it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// Tools with the same id or the same interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Group {
    /// How the tools are related.
    pub likeness: Likeness,
    /// The tools, in the order of the catalogs.
    pub members: Vec<Member>,
    /// The index of the member with the newest version. `None` unless all versions can be
    /// compared and no different tool has the same version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newest: Option<usize>,
    /// The index of the member that was kept, if the catalogs were merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<usize>,
}

/// All groups of tools with the same id or the same interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Duplicates {
    /// The groups, ordered by their first tools.
    pub groups: Vec<Group>,
}

impl Duplicates {
    /// Returns true if any id belongs to different tools.
    pub fn has_conflicts(&self) -> bool {
        self.groups.iter().any(|group| group.likeness == Likeness::Conflict)
    }
}

/// The tool to keep if different tools have the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergePolicy {
    /// The first.
    First,
    /// The one with the newest version. The merge fails if that is unknown.
    Newest,
    /// None: the merge fails.
    Refuse,
}

/// One list of tools, merged from several.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MergedCatalog<'c> {
    /// The tools. Each id is at the position of its first occurrence.
    pub tools: Vec<ToolDescriptor<'c>>,
    /// The conflicts that the policy resolved, with the tools that were kept.
    pub conflicts: Vec<Group>,
}

/// The error if the policy does not resolve all conflicts.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{} ids stand for different tools, and the policy does not say which to keep", conflicts.len())]
#[non_exhaustive]
pub struct MergeConflicts {
    /// The unresolved conflicts.
    pub conflicts: Vec<Group>,
}

/// A tool with its digests.
struct DigestedTool<'c> {
    label: &'c str,
    side: Side<'c>,
    tool: &'c ToolDescriptor<'c>,
    interface: String,
    whole: String,
}

/// Finds the tools that catalogs have in common.
///
/// The time grows with the number of tools, not with its square: members of a group are
/// compared only with its first.
pub fn duplicates(catalogs: &[Catalog<'_>], limits: &Limits) -> Duplicates {
    let entries = digest_catalogs(catalogs);
    let mut same = Vec::new();
    for sharers in group_by_key(&entries, |entry| Some(entry.tool.id.as_ref())) {
        same.push((group_of_id(&sharers), sharers));
    }
    fill_changes(&mut same, limits);
    // Groups by the index of their first tool.
    let mut groups: BTreeMap<usize, Vec<Group>> = BTreeMap::new();
    for (group, sharers) in same {
        groups.entry(first_index(&sharers)).or_default().push(group);
    }
    for sharers in group_by_key(&entries, DigestedTool::distinctive_interface) {
        let ids: BTreeSet<&str> = sharers.iter().map(|(_, entry)| entry.tool.id.as_ref()).collect();
        if ids.len() > 1 {
            let members = sharers.iter().map(|(_, entry)| member(entry)).collect();
            let group = Group { likeness: Likeness::Copy, members, newest: None, kept: None };
            groups.entry(first_index(&sharers)).or_default().push(group);
        }
    }
    Duplicates { groups: groups.into_values().flatten().collect() }
}

/// Merges catalogs into one list with each id once. Tools with different ids are all kept,
/// even if their interfaces are the same.
pub fn merge<'c>(
    catalogs: &[Catalog<'c>],
    policy: MergePolicy,
    limits: &Limits,
) -> Result<MergedCatalog<'c>, MergeConflicts> {
    let entries = digest_catalogs(catalogs);
    let (mut dropped, mut conflicts, mut open) = (BTreeSet::new(), Vec::new(), Vec::new());
    for sharers in group_by_key(&entries, |entry| Some(entry.tool.id.as_ref())) {
        let mut group = group_of_id(&sharers);
        group.kept = match (group.likeness, policy) {
            (Likeness::Conflict, MergePolicy::Refuse) => None,
            (Likeness::Conflict, MergePolicy::Newest) => group.newest,
            _ => Some(0),
        };
        let Some(kept) = group.kept else {
            open.push((group, sharers));
            continue;
        };
        for (position, (index, _)) in sharers.iter().enumerate() {
            if position != kept {
                dropped.insert(*index);
            }
        }
        if group.likeness == Likeness::Conflict {
            conflicts.push((group, sharers));
        }
    }
    if !open.is_empty() {
        return Err(MergeConflicts { conflicts: with_changes(open, limits) });
    }
    // A tool takes the position of the first occurrence of its id.
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kept: Vec<(usize, &ToolDescriptor<'c>)> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let place = *places.entry(entry.tool.id.as_ref()).or_insert(index);
        if !dropped.contains(&index) {
            kept.push((place, entry.tool));
        }
    }
    kept.sort_by_key(|(place, _)| *place);
    let tools = kept.into_iter().map(|(_, tool)| tool.clone()).collect();
    Ok(MergedCatalog { tools, conflicts: with_changes(conflicts, limits) })
}

fn digest_catalogs<'c>(catalogs: &[Catalog<'c>]) -> Vec<DigestedTool<'c>> {
    let mut entries = Vec::new();
    for Catalog { label, side } in catalogs.iter().copied() {
        let tools = side.tools();
        for (tool, Digest { interface, whole }) in tools.iter().zip(digests(tools)) {
            entries.push(DigestedTool { label, side, tool, interface, whole });
        }
    }
    entries
}

/// Tools that share a key, each with its index among all tools.
type Sharers<'e, 'c> = Vec<(usize, &'e DigestedTool<'c>)>;

fn first_index(sharers: &Sharers<'_, '_>) -> usize {
    sharers.first().map_or(0, |(index, _)| *index)
}

/// Returns the tools that share a key, for each key of at least two tools.
fn group_by_key<'e, 'c>(
    entries: &'e [DigestedTool<'c>],
    key: impl Fn(&'e DigestedTool<'c>) -> Option<&'e str>,
) -> Vec<Sharers<'e, 'c>> {
    let mut found: BTreeMap<&str, Sharers<'e, 'c>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if let Some(key) = key(entry) {
            found.entry(key).or_default().push((index, entry));
        }
    }
    found.into_values().filter(|sharers| sharers.len() > 1).collect()
}

impl DigestedTool<'_> {
    /// Returns the digest of the interface if that is distinctive enough to find copies by.
    fn distinctive_interface(&self) -> Option<&str> {
        let ToolDescriptor { description, summary, input_schema, .. } = self.tool;
        if description.is_some() || summary.is_some() || input_schema.is_some() {
            Some(&self.interface)
        } else {
            None
        }
    }
}

fn member(entry: &DigestedTool<'_>) -> Member {
    Member {
        label: entry.label.to_owned(),
        // A tool that was not read from a document has no place in it.
        place: entry.side.pointer(entry.tool.at).unwrap_or(Pointer::root()),
        id: entry.tool.id.to_string(),
        version: entry.tool.package.version.as_ref().map(|version| version.to_string()),
        digest: entry.whole.clone(),
        changes: Vec::new(),
    }
}

/// Groups tools with one id: an exact match or a conflict.
fn group_of_id(sharers: &Sharers<'_, '_>) -> Group {
    let digests: BTreeSet<&str> = sharers.iter().map(|(_, entry)| entry.whole.as_str()).collect();
    let likeness = if digests.len() == 1 { Likeness::Exact } else { Likeness::Conflict };
    let members = sharers.iter().map(|(_, entry)| member(entry)).collect();
    Group { likeness, members, newest: newest(sharers), kept: None }
}

/// Sorts the groups by their first tools, and fills in the changes of their members.
fn fill_changes(groups: &mut [(Group, Sharers<'_, '_>)], limits: &Limits) {
    groups.sort_by_key(|(_, sharers)| first_index(sharers));
    let (mut pairs, mut changed) = (Vec::new(), Vec::new());
    for (group, sharers) in groups {
        let Some((&(_, first), others)) = sharers.split_first() else { continue };
        let mut seen = BTreeSet::from([first.whole.as_str()]);
        for ((_, entry), member) in others.iter().zip(group.members.iter_mut().skip(1)) {
            // Report equal members only once.
            if seen.insert(&entry.whole) {
                let sides = Some([&first.side, &entry.side]);
                pairs.push(Pair { tools: [first.tool, entry.tool], sides });
                changed.push(member);
            }
        }
    }
    for (member, changes) in changed.into_iter().zip(compare_pairs(pairs, limits)) {
        member.changes = changes;
    }
}

fn with_changes(mut groups: Vec<(Group, Sharers<'_, '_>)>, limits: &Limits) -> Vec<Group> {
    fill_changes(&mut groups, limits);
    groups.into_iter().map(|(group, _)| group).collect()
}

fn newest(sharers: &Sharers<'_, '_>) -> Option<usize> {
    let mut versions = Vec::new();
    for (_, entry) in sharers {
        versions.push(version::parse_exact(entry.tool.package.version.as_ref()?).ok()?);
    }
    // Build metadata does not affect the order.
    let (index, best) =
        versions.iter().enumerate().rev().max_by(|(_, a), (_, b)| a.cmp_precedence(b))?;
    let (_, chosen) = sharers.get(index)?;
    for ((_, entry), version) in sharers.iter().zip(&versions) {
        if version.cmp_precedence(best).is_eq() && entry.whole != chosen.whole {
            return None;
        }
    }
    Some(index)
}
