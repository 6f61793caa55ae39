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
    /// The [`edit_last`](Digest::whole) digest.
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
    let mut same: Vec<IndexedGroup> = group_by_key(&entries, |entry| Some(entry.tool.id.as_ref()))
        .into_iter()
        .filter_map(|members| Some((group_of_id(&entries, &members)?, members)))
        .collect();
    fill_changes(&mut same, &entries, limits);
    let mut groups: BTreeMap<usize, Vec<Group>> = BTreeMap::new();
    for (group, members) in same {
        groups.entry(members.first().copied().unwrap_or_default()).or_default().push(group);
    }
    for members in
        group_by_key(&entries, |entry| is_distinctive(entry.tool).then_some(&*entry.interface))
    {
        let group = members.iter().filter_map(|index| entries.get(*index));
        let ids: BTreeSet<&str> = group.map(|entry| entry.tool.id.as_ref()).collect();
        if ids.len() > 1 {
            let first = members.first().copied().unwrap_or_default();
            let found = members.iter().filter_map(|index| entries.get(*index)).map(member);
            let group = Group {
                likeness: Likeness::Copy,
                members: found.collect(),
                newest: None,
                kept: None,
            };
            groups.entry(first).or_default().push(group);
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
    let mut kept: BTreeSet<usize> = (0..entries.len()).collect();
    let (mut conflicts, mut open) = (Vec::new(), Vec::new());
    for members in group_by_key(&entries, |entry| Some(entry.tool.id.as_ref())) {
        let Some(mut group) = group_of_id(&entries, &members) else { continue };
        let chosen = match (group.likeness, policy) {
            (Likeness::Conflict, MergePolicy::Refuse) => None,
            (Likeness::Conflict, MergePolicy::Newest) => group.newest,
            _ => Some(0),
        };
        group.kept = chosen;
        for (position, index) in members.iter().enumerate() {
            if chosen.is_some_and(|chosen| chosen != position) {
                kept.remove(index);
            }
        }
        if chosen.is_none() {
            open.push((group, members));
        } else if group.likeness == Likeness::Conflict {
            conflicts.push((group, members));
        }
    }
    let told = |mut groups: Vec<IndexedGroup>| -> Vec<Group> {
        fill_changes(&mut groups, &entries, limits);
        groups.into_iter().map(|(group, _)| group).collect()
    };
    if !open.is_empty() {
        return Err(MergeConflicts { conflicts: told(open) });
    }
    // A tool takes the position of the first occurrence of its id.
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        places.entry(entry.tool.id.as_ref()).or_insert(index);
    }
    let mut chosen: Vec<(usize, &ToolDescriptor<'c>)> = kept
        .into_iter()
        .filter_map(|index| entries.get(index))
        .map(|entry| (places.get(entry.tool.id.as_ref()).copied().unwrap_or_default(), entry.tool))
        .collect();
    chosen.sort_by_key(|(place, _)| *place);
    let tools = chosen.into_iter().map(|(_, tool)| tool.clone()).collect();
    Ok(MergedCatalog { tools, conflicts: told(conflicts) })
}

fn digest_catalogs<'c>(catalogs: &[Catalog<'c>]) -> Vec<DigestedTool<'c>> {
    let each = catalogs.iter().flat_map(|catalog| {
        let Catalog { label, side } = *catalog;
        let tools = side.tools();
        tools.iter().zip(digests(tools)).map(move |(tool, Digest { interface, whole })| {
            DigestedTool { label, side, tool, interface, whole }
        })
    });
    each.collect()
}

/// Returns the indexes of the entries that share a key, for each key of at least two
/// entries.
fn group_by_key<'e, 'c>(
    entries: &'e [DigestedTool<'c>],
    key: impl Fn(&'e DigestedTool<'c>) -> Option<&'e str>,
) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if let Some(key) = key(entry) {
            found.entry(key).or_default().push(index);
        }
    }
    found.into_values().filter(|members| members.len() > 1).collect()
}

/// Returns true if the interface is distinctive enough to find copies by it.
fn is_distinctive(tool: &ToolDescriptor<'_>) -> bool {
    tool.description.is_some() || tool.summary.is_some() || tool.input_schema.is_some()
}

fn member(entry: &DigestedTool<'_>) -> Member {
    Member {
        label: entry.label.to_owned(),
        place: entry.side.pointer(entry.tool.at).unwrap_or_default(),
        id: entry.tool.id.to_string(),
        version: entry.tool.package.version.as_ref().map(|version| version.to_string()),
        digest: entry.whole.clone(),
        changes: Vec::new(),
    }
}

/// A group, and the indexes of its members among the entries.
type IndexedGroup = (Group, Vec<usize>);

/// Groups tools with one id: an exact match or a conflict.
fn group_of_id(entries: &[DigestedTool<'_>], members: &[usize]) -> Option<Group> {
    let group: Vec<&DigestedTool<'_>> =
        members.iter().filter_map(|index| entries.get(*index)).collect();
    let first = group.first()?;
    let is_first = |entry: &&DigestedTool<'_>| entry.whole == first.whole;
    let likeness = if group.iter().all(is_first) { Likeness::Exact } else { Likeness::Conflict };
    let members = group.iter().map(|entry| member(entry)).collect();
    Some(Group { likeness, members, newest: newest(&group), kept: None })
}

/// Sorts the groups by their first tools, and fills in the changes of their members.
fn fill_changes(groups: &mut [IndexedGroup], entries: &[DigestedTool<'_>], limits: &Limits) {
    groups.sort_by_key(|(_, members)| members.first().copied());
    let (mut pairs, mut places) = (Vec::new(), Vec::new());
    for (group, (_, members)) in groups.iter().enumerate() {
        let mut tools = members.iter().map(|index| entries.get(*index)).enumerate();
        let Some((_, Some(first))) = tools.next() else { continue };
        let mut seen = BTreeSet::from([first.whole.as_str()]);
        for (member, entry) in tools.filter_map(|(member, entry)| Some((member, entry?))) {
            // Report equal members only once.
            if seen.insert(&entry.whole) {
                let sides = Some([&first.side, &entry.side]);
                pairs.push(Pair { tools: [first.tool, entry.tool], sides });
                places.push((group, member));
            }
        }
    }
    for ((group, member), changes) in places.into_iter().zip(compare_pairs(pairs, limits)) {
        let group = groups.get_mut(group).map(|(group, _)| group);
        if let Some(member) = group.and_then(|group| group.members.get_mut(member)) {
            member.changes = changes;
        }
    }
}

fn newest(group: &[&DigestedTool<'_>]) -> Option<usize> {
    let parse = |entry: &&DigestedTool<'_>| {
        let version = entry.tool.package.version.as_ref()?;
        version::parse_exact(version).ok()
    };
    let versions: Option<Vec<_>> = group.iter().map(parse).collect();
    let versions = versions?;
    let (index, best) = versions.iter().enumerate().rev().max_by(|a, b| {
        // Build metadata does not affect the order.
        a.1.cmp_precedence(b.1)
    })?;
    let chosen = group.get(index)?;
    let rival = |(entry, version): (&&DigestedTool<'_>, &semver::Version)| {
        version.cmp_precedence(best).is_eq() && entry.whole != chosen.whole
    };
    (!group.iter().zip(&versions).any(rival)).then_some(index)
}
