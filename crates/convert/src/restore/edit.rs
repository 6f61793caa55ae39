//! Applies the edits of the targets to the tools of the source, and adds and removes tools.
//!
//! A tool as it was written and as it is now are one change, which
//! [`tool_edit`](super::tool_edit) and [`overlay`](super::overlay) apply field by field.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use manifest_core::descriptor::{Command, Invocation, LiftedDocument, Package, ToolDescriptor};
use manifest_core::format::{CallSupport, Cardinality, Format};
use manifest_core::{align, last_part};

use super::overlay::{ApplyEdit, EditLog, Refusal};
use super::patch::SourceWriter;
use super::tool_edit::{apply_tool_edit, is_package_itself, strip_package_identity};
use crate::output::ToolOutcome;

const CALL_NOT_EXPRESSIBLE: &str = "the format of the source has no words for the call";
const TOOL_NOT_WRITABLE: &str = "the format of the source does not take such a tool";

/// How to treat edits of calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallEdits {
    Apply,
    Keep,
}

/// The descriptors of the source with the edits of the targets applied.
#[derive(Default)]
pub(crate) struct SourceEdit<'e> {
    pub(crate) lifted: LiftedDocument<'e>,
    pub(crate) edited: bool,
    pub(crate) removed_tools: Vec<String>,
    pub(crate) refusals: Vec<Refusal>,
    /// For each target, the id of its first tool in the source.
    pub(crate) first_tool: Vec<Option<String>>,
    /// Renamed tools: the target and its entry with the new name, and the new id in the
    /// source.
    pub(crate) new_ids: BTreeMap<(usize, u32), String>,
}

/// The tools of one written document: as they were written, and as they are now.
pub(crate) struct ToolVersions<'a> {
    pub(crate) before: Vec<ToolDescriptor<'a>>,
    /// `None` if the document is not given and its tools stay.
    pub(crate) after: Option<Vec<ToolDescriptor<'a>>>,
}

/// The edit of one tool: as it was written, and as it is now, or `None` if it was removed.
type ToolChange<'e, 'a> = (&'e ToolDescriptor<'a>, Option<&'e ToolDescriptor<'a>>);

/// The edits of all tools.
#[derive(Default)]
pub(crate) struct ToolChanges<'e, 'a> {
    /// Edits by the index of the tool in the source.
    changes: BTreeMap<usize, ToolChange<'e, 'a>>,
    /// New tools, each with the index of its neighbour in the source.
    added: Vec<(Option<usize>, ToolDescriptor<'a>)>,
}

impl<'e, 'a> ToolChanges<'e, 'a> {
    /// Pairs the tools of each document as they were written with the tools now. `converted`
    /// are the written tools of all documents, in order.
    pub(crate) fn find(
        documents: &'e [ToolVersions<'a>],
        converted: &[ToolOutcome],
        source: &[ToolDescriptor<'_>],
    ) -> Self {
        let mut found = Self::default();
        let mut indices = source_indices(converted, source).into_iter();
        for ToolVersions { before, after } in documents {
            let own: Vec<Option<usize>> = indices.by_ref().take(before.len()).collect();
            if let Some(after) = after {
                found.pair_tools(before, after, &own);
            }
        }
        found
    }

    /// Adds the tools of a document that the conversion did not write. They follow the last
    /// tool of the source.
    pub(crate) fn add_tools(&mut self, tools: Vec<ToolDescriptor<'a>>, last: Option<usize>) {
        self.added.extend(tools.into_iter().map(|tool| (last, tool)));
    }

    /// Pairs the tools of one document. `own` contains the indices of the written ones in
    /// the source.
    fn pair_tools(
        &mut self,
        before: &'e [ToolDescriptor<'a>],
        after: &'e [ToolDescriptor<'a>],
        own: &[Option<usize>],
    ) {
        let old_ids: Vec<&str> = before.iter().map(|tool| tool.id.as_ref()).collect();
        let new_ids: Vec<&str> = after.iter().map(|tool| tool.id.as_ref()).collect();
        let mut removed: BTreeMap<usize, &'e ToolDescriptor<'a>> = BTreeMap::new();
        for (tool, place) in before.iter().zip(own) {
            if let Some(place) = place {
                removed.insert(*place, tool);
            }
        }
        let first = own.first().copied().flatten();
        let mut neighbour = None;
        for (tool, pair) in after.iter().zip(align(&new_ids, &old_ids)) {
            if let Some(index) = pair
                && let Some(was) = before.get(index)
                && let Some(Some(place)) = own.get(index)
            {
                removed.remove(place);
                neighbour = Some(*place);
                self.changes.insert(*place, (was, Some(tool)));
            } else {
                self.added.push((neighbour.or(first), tool.clone()));
            }
        }
        for (place, was) in removed {
            self.changes.insert(place, (was, None));
        }
    }

    /// Applies the edits to the tools of the source and their packages.
    pub(crate) fn apply_to(
        &self,
        lifted: &mut LiftedDocument<'a>,
        calls: CallEdits,
        log: &mut EditLog,
    ) {
        for range in package_ranges(lifted) {
            let Some(tools) = lifted.tools.get_mut(range.clone()) else { continue };
            let Some(first) = tools.first() else { continue };
            let mut copies = Vec::new();
            for (_, (before, after)) in self.changes.range(range.clone()) {
                if let Some(after) = after {
                    copies.push((&*before.package, &*after.package));
                }
            }
            let package = Arc::new(apply_package_edits(first, &copies, calls, log));
            for (index, tool) in range.zip(tools) {
                if let Some((before, Some(after))) = self.changes.get(&index) {
                    apply_tool_edit(tool, before, after, log);
                }
                tool.package = Arc::clone(&package);
            }
        }
    }

    /// Records where the targets name the tools of the source.
    pub(crate) fn index_names(&self, tools: &[ToolDescriptor<'_>], edit: &mut SourceEdit<'_>) {
        for (index, (before, after)) in &self.changes {
            let (Some(after), Some(tool)) = (after, tools.get(*index)) else { continue };
            let Some(at) = after.id.at else { continue };
            let target = usize::from(at.document).wrapping_sub(1);
            if let Some(first @ None) = edit.first_tool.get_mut(target) {
                *first = Some(tool.id.to_string());
            }
            if before.id != after.id && last_part(&tool.id) == last_part(&after.id) {
                edit.new_ids.insert((target, at.entry), tool.id.to_string());
            }
        }
    }

    /// Removes deleted tools, inserts added ones after their neighbours, and returns the
    /// removed ids.
    pub(crate) fn add_and_remove_tools(
        self,
        lifted: &mut LiftedDocument<'a>,
        writer: &SourceWriter<'_>,
        log: &mut EditLog,
    ) -> Vec<String> {
        let several = writer.format.cardinality == Cardinality::Tools || lifted.is_list;
        let mut removed: BTreeSet<usize> = BTreeSet::new();
        for (index, (_, after)) in &self.changes {
            if after.is_none() {
                removed.insert(*index);
            }
        }
        if !removed.is_empty() && removed.len() == lifted.tools.len() && !several {
            log.refuse_in("tools", "the source would have no tool left", Vec::new());
            removed.clear();
        }
        let mut added = writable_tools(self.added, lifted, several, writer, log);
        let mut removed_ids = Vec::new();
        let mut tools = added.remove(&None).unwrap_or_default();
        for (index, tool) in std::mem::take(&mut lifted.tools).into_iter().enumerate() {
            if removed.contains(&index) {
                removed_ids.push(tool.id.to_string());
            } else {
                tools.push(tool);
            }
            if let Some(added) = added.remove(&Some(index)) {
                tools.extend(added);
            }
        }
        lifted.tools = tools;
        removed_ids
    }
}

/// Returns the index of each converted tool in the source. Tools of one id are taken in
/// order.
fn source_indices(converted: &[ToolOutcome], source: &[ToolDescriptor<'_>]) -> Vec<Option<usize>> {
    let mut indices: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, tool) in source.iter().enumerate().rev() {
        indices.entry(tool.id.as_ref()).or_default().push(index);
    }
    converted.iter().map(|tool| indices.get_mut(tool.id.as_str())?.pop()).collect()
}

/// Returns the index ranges of tools that share a package.
pub(crate) fn package_ranges(lifted: &LiftedDocument<'_>) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for tools in lifted.packages() {
        ranges.push(start..start + tools.len());
        start += tools.len();
    }
    ranges
}

/// Returns the package of a tool of the source with the edits of its copies in the targets.
fn apply_package_edits<'a>(
    tool: &ToolDescriptor<'a>,
    copies: &[(&Package<'a>, &Package<'a>)],
    calls: CallEdits,
    log: &mut EditLog,
) -> Package<'a> {
    let own = &*tool.package;
    let mut package = own.clone();
    package.apply(copies, log);
    if is_package_itself(tool) {
        // The texts of such a package belong to its tool.
        package.title.clone_from(&own.title);
        package.summary.clone_from(&own.summary);
        package.description.clone_from(&own.description);
    }
    if calls == CallEdits::Keep {
        package.command.clone_from(&own.command);
        package.cwd.clone_from(&own.cwd);
        package.url.clone_from(&own.url);
    }
    strip_package_identity(package, own)
}

/// Reverts edits of calls if calls must be kept, or if the source's format cannot express
/// the new call.
pub(crate) fn revert_calls<'a>(
    before: &[ToolDescriptor<'a>],
    after: &mut [ToolDescriptor<'a>],
    calls: CallEdits,
    format: &Format,
    log: &mut EditLog,
) {
    for (before, after) in before.iter().zip(after) {
        if before.invocation == after.invocation {
            continue;
        }
        if calls == CallEdits::Keep || !can_express(format, after) {
            let at = after.invocation.as_ref().and_then(|call| call.at);
            after.invocation.clone_from(&before.invocation);
            log.refuse_in("invocation", CALL_NOT_EXPRESSIBLE, at.into_iter().collect());
        }
    }
}

/// Returns true if a format can express the call of a tool.
fn can_express(format: &Format, tool: &ToolDescriptor<'_>) -> bool {
    tool.invocation.is_none() || (format.call_support)(tool) == CallSupport::Exact
}

/// Returns the new tools that the source's format can write, by their neighbours. Refuses
/// the others.
fn writable_tools<'a>(
    added: Vec<(Option<usize>, ToolDescriptor<'a>)>,
    lifted: &LiftedDocument<'a>,
    several: bool,
    writer: &SourceWriter<'_>,
    log: &mut EditLog,
) -> BTreeMap<Option<usize>, Vec<ToolDescriptor<'a>>> {
    let in_package = writer.format.cardinality == Cardinality::Package;
    let (mut tools, mut neighbours) = (Vec::new(), Vec::new());
    for (place, mut tool) in added {
        if in_package && let Some(neighbour) = place.and_then(|place| lifted.tools.get(place)) {
            tool.package = Arc::clone(&neighbour.package);
        }
        if !several && !in_package {
            let why = "the source is a document of one tool";
            log.refuse_in("tools", why, tool.at.into_iter().collect());
        } else if has_package_call(&tool) && can_express(writer.format, &tool) {
            tools.push(tool);
            neighbours.push(place);
        } else {
            log.refuse_in("tools", CALL_NOT_EXPRESSIBLE, tool.at.into_iter().collect());
        }
    }
    let mut writable: BTreeMap<Option<usize>, Vec<ToolDescriptor<'a>>> = BTreeMap::new();
    let which = which_are_writable(&tools, writer);
    for ((tool, place), is_writable) in tools.into_iter().zip(neighbours).zip(which) {
        if is_writable {
            writable.entry(place).or_default().push(tool);
        } else {
            log.refuse_in("tools", TOOL_NOT_WRITABLE, tool.at.into_iter().collect());
        }
    }
    writable
}

/// Returns, for each new tool, whether the source's format can write it. Tries all new
/// tools in one document; on failure, bisects to find the tools that cannot be written.
fn which_are_writable(tools: &[ToolDescriptor<'_>], writer: &SourceWriter<'_>) -> Vec<bool> {
    let alone =
        LiftedDocument { tools: tools.to_vec(), is_list: true, ..LiftedDocument::default() };
    if tools.is_empty() || writer.write(&alone, &[writer.source]).is_ok() {
        return vec![true; tools.len()];
    }
    match tools.split_at(tools.len() / 2) {
        ([], _) => vec![false],
        (first, last) => {
            [which_are_writable(first, writer), which_are_writable(last, writer)].concat()
        }
    }
}

/// Returns true if the call of a tool agrees with that of its package, which the other
/// tools share.
fn has_package_call(tool: &ToolDescriptor<'_>) -> bool {
    let package = &tool.package;
    if package.id.is_none() {
        return true;
    }
    match tool.invocation.as_deref() {
        Some(Invocation::Command(Command { argv, cwd, input: _ })) => {
            !package.command.is_empty() && argv.begins_with(&package.command) && *cwd == package.cwd
        }
        Some(Invocation::Http(http)) => package.url.as_ref() == Some(&http.url),
        Some(Invocation::McpTool(server)) => {
            server.argv == package.command && server.url == package.url
        }
        _ => true,
    }
}
