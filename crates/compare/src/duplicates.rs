//! The same tool in several catalogs.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::change::Change;
use super::pairs::{Pair, compare};
use super::{Digest, Side, digests};
use diagnostic::Pointer;
use manifest_core::{Limits, ToolDescriptor, version};

/// Tools, and what to call the list that they are in: the name of a file, say.
#[derive(Clone, Copy, Debug)]
pub struct Catalog<'c> {
    /// What people call it.
    pub label: &'c str,
    /// Its tools, and what they were lifted from.
    pub side: Side<'c>,
}

/// How tools are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Likeness {
    /// The same id, and something else behind it.
    Conflict,
    /// Another id, and the same interface.
    Copy,
    /// The same id, and the same tool.
    Exact,
}

/// One tool of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Member {
    /// The catalog that it is in.
    pub label: String,
    /// Where it stands there.
    pub place: Pointer,
    /// Its id.
    pub id: String,
    /// Its version, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The digest of the whole.
    pub digest: String,
    /// What changes when it takes the place of the first of the group. What tools share is said in
    /// the first group that has it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// Tools that are alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Group {
    /// How they are alike.
    pub likeness: Likeness,
    /// The tools, in the order of the catalogs.
    pub members: Vec<Member>,
    /// Which of them has the newest version, where all have versions that can be
    /// compared and one is above all others that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newest: Option<usize>,
    /// Which of them was kept, if they were merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<usize>,
}

/// Every group of tools that are alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Duplicates {
    /// The groups, in the order of their first tools.
    pub groups: Vec<Group>,
}

impl Duplicates {
    /// Whether one id stands for two tools.
    pub fn has_conflicts(&self) -> bool {
        self.groups.iter().any(|group| group.likeness == Likeness::Conflict)
    }
}

/// Which of several tools with one id is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The first.
    First,
    /// The one with the newest version. Where that is not decided, the merge is
    /// refused.
    Newest,
    /// None: the merge is refused.
    Refuse,
}

/// One list of tools from several.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Merged<'c> {
    /// The tools: each id once, in the order in which it appears first.
    pub tools: Vec<ToolDescriptor<'c>>,
    /// The conflicts, and which tool was kept.
    pub conflicts: Vec<Group>,
}

/// Why catalogs are not merged: conflicts that the policy does not decide.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{} ids stand for different tools, and the policy does not say which to keep", conflicts.len())]
#[non_exhaustive]
pub struct Refused {
    /// The conflicts.
    pub conflicts: Vec<Group>,
}

/// A tool that was found, and its digests.
struct DigestedTool<'c> {
    label: &'c str,
    side: Side<'c>,
    tool: &'c ToolDescriptor<'c>,
    interface: String,
    whole: String,
}

/// Finds the same tools in catalogs.
///
/// The time that it takes grows with the number of tools, not with its square. A
/// group of many different tools with one id is compared with its first only.
pub fn duplicates(catalogs: &[Catalog<'_>], limits: &Limits) -> Duplicates {
    let entries = entries(catalogs);
    let mut same: Vec<Indexed> = by(&entries, |entry| Some(entry.tool.id.as_ref()))
        .into_iter()
        .filter_map(|members| Some((same_id(&entries, &members)?, members)))
        .collect();
    tell(&mut same, &entries, limits);
    let mut groups: BTreeMap<usize, Vec<Group>> = BTreeMap::new();
    for (group, members) in same {
        groups.entry(members.first().copied().unwrap_or_default()).or_default().push(group);
    }
    for members in by(&entries, |entry| says_something(entry.tool).then_some(&*entry.interface)) {
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

/// Makes one list of several. Tools that are only alike are all kept.
pub fn merge<'c>(
    catalogs: &[Catalog<'c>],
    policy: Policy,
    limits: &Limits,
) -> Result<Merged<'c>, Refused> {
    let entries = entries(catalogs);
    let mut kept: BTreeSet<usize> = (0..entries.len()).collect();
    let (mut conflicts, mut open) = (Vec::new(), Vec::new());
    for members in by(&entries, |entry| Some(entry.tool.id.as_ref())) {
        let Some(mut group) = same_id(&entries, &members) else { continue };
        let chosen = match (group.likeness, policy) {
            (Likeness::Conflict, Policy::Refuse) => None,
            (Likeness::Conflict, Policy::Newest) => group.newest,
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
    let told = |mut groups: Vec<Indexed>| -> Vec<Group> {
        tell(&mut groups, &entries, limits);
        groups.into_iter().map(|(group, _)| group).collect()
    };
    if !open.is_empty() {
        return Err(Refused { conflicts: told(open) });
    }
    // A tool stands where its id appears first.
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
    Ok(Merged { tools, conflicts: told(conflicts) })
}

fn entries<'c>(catalogs: &[Catalog<'c>]) -> Vec<DigestedTool<'c>> {
    let each = catalogs.iter().flat_map(|catalog| {
        let Catalog { label, side } = *catalog;
        let tools = side.tools();
        tools.iter().zip(digests(tools)).map(move |(tool, Digest { interface, whole })| {
            DigestedTool { label, side, tool, interface, whole }
        })
    });
    each.collect()
}

/// The indexes of entries with the same key, where there are several.
fn by<'e, 'c>(
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

/// Whether a tool says enough to be recognised by it.
fn says_something(tool: &ToolDescriptor<'_>) -> bool {
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

/// A group, and which entries its members are.
type Indexed = (Group, Vec<usize>);

/// Tools with one id: the same, or a conflict.
fn same_id(entries: &[DigestedTool<'_>], members: &[usize]) -> Option<Group> {
    let group: Vec<&DigestedTool<'_>> =
        members.iter().filter_map(|index| entries.get(*index)).collect();
    let first = group.first()?;
    let is_first = |entry: &&DigestedTool<'_>| entry.whole == first.whole;
    let likeness = if group.iter().all(is_first) { Likeness::Exact } else { Likeness::Conflict };
    let members = group.iter().map(|entry| member(entry)).collect();
    Some(Group { likeness, members, newest: newest(&group), kept: None })
}

/// Puts groups in the order of their first tools, and says of each member what changed.
fn tell(groups: &mut [Indexed], entries: &[DigestedTool<'_>], limits: &Limits) {
    groups.sort_by_key(|(_, members)| members.first().copied());
    let (mut pairs, mut places) = (Vec::new(), Vec::new());
    for (group, (_, members)) in groups.iter().enumerate() {
        let mut tools = members.iter().map(|index| entries.get(*index)).enumerate();
        let Some((_, Some(first))) = tools.next() else { continue };
        let mut seen = BTreeSet::from([first.whole.as_str()]);
        for (member, entry) in tools.filter_map(|(member, entry)| Some((member, entry?))) {
            // What was said of a tool is not said again.
            if seen.insert(&entry.whole) {
                let sides = Some([&first.side, &entry.side]);
                pairs.push(Pair { tools: [first.tool, entry.tool], sides });
                places.push((group, member));
            }
        }
    }
    for ((group, member), changes) in places.into_iter().zip(compare(pairs, limits)) {
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
        // Build metadata says nothing of the order.
        a.1.cmp_precedence(b.1)
    })?;
    let chosen = group.get(index)?;
    let rival = |(entry, version): (&&DigestedTool<'_>, &semver::Version)| {
        version.cmp_precedence(best).is_eq() && entry.whole != chosen.whole
    };
    (!group.iter().zip(&versions).any(rival)).then_some(index)
}
