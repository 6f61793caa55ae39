//! Finds the edits of the targets, and applies them to the descriptors of the source.
//!
//! Documents are matched by name and content, tools by id. A tool as it was written and as
//! it is now are one change, which [`overlay`](crate::overlay) applies field by field. This
//! module also adds and removes tools.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostic::{Pointer, Report};
use json_text::{Document, Node, Text, canonical};
use manifest_core::descriptor::{Command, Invocation, LiftedDocument, Package, ToolDescriptor};
use manifest_core::format::{CallSupport, Cardinality, Derivation};
use manifest_core::{Place, Sourced, align, last_part, rules};

use crate::output::digest;
use crate::overlay::{ApplyEdit, EditLog, OTHER_TEXT};
use crate::references::rename_references;
use crate::session::{CallEdits, RestoreSession, SourceEdit, Target};

const CALL_NOT_EXPRESSIBLE: &str = "the format of the source has no words for the call";
const TOOL_NOT_WRITABLE: &str = "the format of the source does not take such a tool";

/// The edit of one tool: as it was written, and as it is now, or `None` if it was removed.
type ToolChange<'e, 'a> = (&'e ToolDescriptor<'a>, Option<&'e ToolDescriptor<'a>>);

impl<'e> SourceEdit<'e> {
    fn empty(lifted: LiftedDocument<'e>) -> Self {
        Self {
            lifted,
            edited: false,
            removed_tools: Vec::new(),
            refusals: Vec::new(),
            written_index: Vec::new(),
            first_tool: Vec::new(),
            new_ids: BTreeMap::new(),
            unconverted: BTreeSet::new(),
            applied_entries: BTreeSet::new(),
        }
    }
}

impl RestoreSession<'_> {
    /// Returns the descriptors of the source with the edits of its targets.
    pub(crate) fn find_edit<'e>(
        &'e self,
        targets: &'e [Target<'e>],
        written: &'e [Document<'e>],
        calls: CallEdits,
    ) -> Result<SourceEdit<'e>, Report> {
        let limits = &self.options.limits;
        let mut lifted = self.from.lift(self.source, limits)?;
        let matched = self.match_documents(targets, written)?;
        let edited = matched.pairs.iter().zip(written).any(|(target, written)| match target {
            Some(target) => targets
                .get(*target)
                .is_some_and(|target| digest(target.document) != digest(written)),
            None => self.options.delete_missing,
        });
        if !edited && matched.unmatched.is_empty() {
            return Ok(SourceEdit::empty(lifted));
        }
        let before: Vec<Vec<ToolDescriptor<'_>>> =
            written.iter().map(|document| self.to.lift_valid(document, 0).tools).collect();
        let mut after: Vec<Option<Vec<ToolDescriptor<'_>>>> = Vec::new();
        for (target, before) in matched.pairs.iter().zip(&before) {
            after.push(match target {
                Some(index) => Some(promote_sole_tool(self.read_target(targets, *index)?, before)),
                None if self.options.delete_missing => Some(Vec::new()),
                None => None,
            });
        }
        let mut new = Vec::new();
        for index in &matched.unmatched {
            new.extend(self.read_target(targets, *index)?);
        }
        let mut log = EditLog::default();
        let mut changes: BTreeMap<usize, ToolChange<'_, '_>> = BTreeMap::new();
        let mut added: Vec<(Option<usize>, ToolDescriptor<'_>)> = Vec::new();
        let mut places = self.source_indices(&lifted).into_iter();
        for (before, after) in before.iter().zip(&after) {
            let own: Vec<Option<usize>> = places.by_ref().take(before.len()).collect();
            let Some(after) = after else { continue };
            pair_tools(before, after, &own, &mut changes, &mut added);
        }
        let last = lifted.tools.len().checked_sub(1);
        added.extend(new.into_iter().map(|tool| (last, tool)));
        let was = lifted.tools.clone();
        let gone = apply_changes(&mut lifted, &changes, calls, &mut log);
        self.revert_calls(&was, &mut lifted.tools, calls, &mut log);
        rename_references(&was, &mut lifted, &mut log);
        let mut edit = self.index_edit(&matched, &was, &lifted, &changes, targets.len());
        edit.removed_tools = self.add_and_remove_tools(&mut lifted, gone, added, &mut log);
        edit.refusals = log.refusals;
        edit.lifted = lifted;
        Ok(edit)
    }

    /// Records which target is which written document, and where targets name their tools.
    fn index_edit<'e>(
        &self,
        matched: &DocumentMatches,
        was: &[ToolDescriptor<'_>],
        lifted: &LiftedDocument<'_>,
        changes: &BTreeMap<usize, ToolChange<'_, '_>>,
        targets: usize,
    ) -> SourceEdit<'e> {
        let mut edit = SourceEdit::empty(LiftedDocument::default());
        edit.edited = true;
        edit.written_index = vec![None; targets];
        edit.first_tool = vec![None; targets];
        for (written, target) in matched.pairs.iter().enumerate() {
            if let Some(slot) = target.and_then(|target| edit.written_index.get_mut(target)) {
                *slot = Some(written);
            }
        }
        for (index, (before, after)) in changes {
            let (Some(after), Some(tool)) = (after, lifted.tools.get(*index)) else { continue };
            let Some(at) = after.id.at else { continue };
            let target = usize::from(at.document).wrapping_sub(1);
            if let Some(slot @ None) = edit.first_tool.get_mut(target) {
                *slot = Some(tool.id.to_string());
            }
            let name = last_part(&after.id);
            if before.id != after.id && last_part(&tool.id) == name {
                edit.new_ids.insert((target, at.entry), tool.id.to_string());
            }
        }
        let converted: BTreeSet<&str> =
            self.conversion.tools.iter().map(|tool| tool.id.as_str()).collect();
        let others = was.iter().filter(|tool| !converted.contains(tool.id.as_ref() as &str));
        edit.unconverted = others.map(|tool| tool.id.to_string()).collect();
        edit
    }

    /// Reads a target. Fails if it is invalid.
    fn read_target<'e>(
        &self,
        targets: &'e [Target<'e>],
        index: usize,
    ) -> Result<Vec<ToolDescriptor<'e>>, Report> {
        let Some(target) = targets.get(index) else { return Ok(Vec::new()) };
        let Ok(number) = u16::try_from(index + 1) else {
            let message = "there are more documents than can be told apart";
            return Err(Report::from(rules::UNRELATED.at_pointer(Pointer::root(), message)));
        };
        Ok(self.to.lift_numbered(target.document, number, &self.options.limits)?.tools)
    }

    /// Returns the index of each converted tool in the source.
    fn source_indices(&self, lifted: &LiftedDocument<'_>) -> Vec<Option<usize>> {
        let ids = lifted.tools.iter().enumerate();
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, tool) in ids.rev() {
            places.entry(tool.id.as_ref()).or_default().push(index);
        }
        let tools = self.conversion.tools.iter();
        tools.map(|tool| places.get_mut(tool.id.as_str())?.pop()).collect()
    }

    /// Returns true if the source's format can express the call of a tool.
    fn can_express(&self, tool: &ToolDescriptor<'_>) -> bool {
        tool.invocation.is_none() || (self.from.call_support)(tool) == CallSupport::Exact
    }

    /// Returns, for each new tool, whether the source's format can write it. Tries all new
    /// tools in one document; on failure, bisects to find the tools that cannot be written.
    fn which_are_writable(&self, tools: &[ToolDescriptor<'_>]) -> Vec<bool> {
        let alone =
            LiftedDocument { tools: tools.to_vec(), is_list: true, ..LiftedDocument::default() };
        if tools.is_empty() || self.write_own_format(&alone, &[self.source]).is_ok() {
            return vec![true; tools.len()];
        }
        match tools.split_at(tools.len() / 2) {
            ([], _) => vec![false],
            (first, last) => {
                [self.which_are_writable(first), self.which_are_writable(last)].concat()
            }
        }
    }

    /// Reverts edits of calls if calls must be kept, or if the source's format cannot
    /// express the new call.
    fn revert_calls<'e>(
        &self,
        before: &[ToolDescriptor<'e>],
        after: &mut [ToolDescriptor<'e>],
        calls: CallEdits,
        log: &mut EditLog,
    ) {
        for (before, after) in before.iter().zip(after) {
            let kept = calls == CallEdits::Keep || !self.can_express(after);
            if before.invocation != after.invocation && kept {
                let at = after.invocation.as_ref().and_then(|call| call.at);
                let at = at.into_iter().collect();
                after.invocation.clone_from(&before.invocation);
                log.refuse_in("invocation", CALL_NOT_EXPRESSIBLE, at);
            }
        }
    }

    /// Removes deleted tools, inserts added ones after their neighbours, and returns the
    /// removed ids.
    fn add_and_remove_tools<'e>(
        &self,
        lifted: &mut LiftedDocument<'e>,
        mut gone: BTreeSet<usize>,
        added: Vec<(Option<usize>, ToolDescriptor<'e>)>,
        log: &mut EditLog,
    ) -> Vec<String> {
        let holds = self.from.cardinality;
        let several = holds == Cardinality::Tools || lifted.is_list;
        if !gone.is_empty() && gone.len() == lifted.tools.len() && !several {
            log.refuse_in("tools", "the source would have no tool left", Vec::new());
            gone.clear();
        }
        let (mut new, mut places) = (Vec::new(), Vec::new());
        for (place, mut tool) in added {
            let neighbour = place.and_then(|place| lifted.tools.get(place));
            if let (Cardinality::Package, Some(neighbour)) = (holds, neighbour) {
                tool.package = Arc::clone(&neighbour.package);
            }
            let at: Vec<Place> = tool.at.into_iter().collect();
            if !several && holds != Cardinality::Package {
                log.refuse_in("tools", "the source is a document of one tool", at);
            } else if has_package_call(&tool) && self.can_express(&tool) {
                new.push(tool);
                places.push(place);
            } else {
                log.refuse_in("tools", CALL_NOT_EXPRESSIBLE, at);
            }
        }
        let mut beside: BTreeMap<Option<usize>, Vec<ToolDescriptor<'e>>> = BTreeMap::new();
        let taken = self.which_are_writable(&new);
        for ((tool, place), taken) in new.into_iter().zip(places).zip(taken) {
            if taken {
                beside.entry(place).or_default().push(tool);
            } else {
                log.refuse_in("tools", TOOL_NOT_WRITABLE, tool.at.into_iter().collect());
            }
        }
        let mut removed = Vec::new();
        let mut tools = beside.remove(&None).unwrap_or_default();
        for (index, tool) in std::mem::take(&mut lifted.tools).into_iter().enumerate() {
            if gone.contains(&index) {
                removed.push(tool.id.to_string());
            } else {
                tools.push(tool);
            }
            tools.extend(beside.remove(&Some(index)).unwrap_or_default());
        }
        lifted.tools = tools;
        removed
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

/// Pairs the tools of a document as it was written with its tools now. `own` contains the
/// indices of the written ones in the source.
fn pair_tools<'e, 'a>(
    before: &'e [ToolDescriptor<'a>],
    after: &'e [ToolDescriptor<'a>],
    own: &[Option<usize>],
    changes: &mut BTreeMap<usize, ToolChange<'e, 'a>>,
    added: &mut Vec<(Option<usize>, ToolDescriptor<'a>)>,
) {
    let ids = |tools: &'e [ToolDescriptor<'a>]| -> Vec<&'e str> {
        tools.iter().map(|tool| tool.id.as_ref()).collect()
    };
    let pairs = align(&ids(after), &ids(before));
    let place = |index: usize| own.get(index).copied().flatten();
    let mut gone: BTreeSet<usize> = (0..before.len()).collect();
    let mut beside = None;
    for (tool, pair) in after.iter().zip(pairs) {
        match pair.and_then(|index| Some((index, before.get(index)?, place(index)?))) {
            Some((index, was, place)) => {
                gone.remove(&index);
                beside = Some(place);
                changes.insert(place, (was, Some(tool)));
            }
            None => added.push((beside.or_else(|| place(0)), tool.clone())),
        }
    }
    for index in gone {
        if let Some((was, place)) = before.get(index).zip(place(index)) {
            changes.insert(place, (was, None));
        }
    }
}

/// Applies the changes to the tools and their packages, and returns the indices of removed
/// tools.
fn apply_changes<'a>(
    lifted: &mut LiftedDocument<'a>,
    changes: &BTreeMap<usize, ToolChange<'_, 'a>>,
    calls: CallEdits,
    log: &mut EditLog,
) -> BTreeSet<usize> {
    let groups: Vec<usize> = lifted.packages().map(<[ToolDescriptor<'_>]>::len).collect();
    let mut gone = BTreeSet::new();
    let mut start = 0;
    for length in groups {
        let own = start..start + length;
        start += length;
        let kept: Vec<_> = changes
            .range(own.clone())
            .filter_map(|(_, (before, after))| Some((&*before.package, &*(*after)?.package)))
            .collect();
        let tools = lifted.tools.get_mut(own.clone()).unwrap_or_default();
        let Some(first) = tools.first() else { continue };
        let mut package = Package::clone(&first.package);
        package.apply(&kept, log);
        if is_package_itself(first) {
            // `apply_package_texts` applies the texts of such a package to its tool.
            package.title.clone_from(&first.package.title);
            package.summary.clone_from(&first.package.summary);
            package.description.clone_from(&first.package.description);
        }
        if calls == CallEdits::Keep {
            package.command.clone_from(&first.package.command);
            package.cwd.clone_from(&first.package.cwd);
            package.url.clone_from(&first.package.url);
        }
        let package = Arc::new(strip_package_identity(package, &first.package));
        for (index, tool) in own.zip(tools) {
            match changes.get(&index) {
                Some((before, Some(after))) => {
                    apply_tool_edit(tool, before, after, log);
                    apply_title_edit(tool, before, after, log);
                    apply_package_texts(tool, before, after, log);
                }
                Some((_, None)) => drop(gone.insert(index)),
                None => {}
            }
            tool.package = Arc::clone(&package);
        }
    }
    gone
}

/// Drops the identity, texts and call of a package if the source's tool has no package. An
/// edit does not put a tool into one.
fn strip_package_identity<'a>(package: Package<'a>, before: &Package<'a>) -> Package<'a> {
    if before.id.is_some() {
        return package;
    }
    Package {
        id: None,
        namespace: None,
        title: None,
        summary: None,
        description: None,
        command: <_>::default(),
        cwd: None,
        url: None,
        ..package
    }
}

fn apply_tool_edit<'a>(
    tool: &mut ToolDescriptor<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
    log: &mut EditLog,
) {
    let nameless = tool.name.is_none();
    let whole = is_package_itself(tool);
    let own = tool.id.clone();
    // True if neither the source's name nor the target's is the end of the id. Then an edit
    // of the name leaves the id alone. The target may spell the name differently.
    let end = last_part(&own);
    let apart = own.contains('.')
        && tool.name.as_ref().is_some_and(|name| **name != *end && !ends_with_name(&own, name))
        && *before.callable_name().value != *end;
    tool.apply(&[(before, after)], log);
    // A tool that is its package has no name within it.
    if whole {
        tool.name = None;
    }
    if let (Some(was), Some(is)) = (&before.package.id, &after.package.id)
        && before.id != after.id
    {
        if was != is && before.name == after.name && tool.package.id.is_some() {
            // The package was renamed, and the tool keeps its name within it.
            let name = tool.name.as_ref().map(|name| format!(".{}", name.value));
            let id = format!("{}{}", is.value, name.unwrap_or_default());
            tool.id = Sourced { value: Text::Owned(id), at: is.at };
            return;
        }
        // The conversion invented the target's package if the source has no package, or one
        // that is the tool itself. Then only an edit of the tool's own name changes its id.
        if was == is && (whole || tool.package.id.is_none()) {
            let head = own.rsplit_once('.').map_or(String::new(), |(head, _)| format!("{head}."));
            tool.id = if apart {
                own
            } else {
                Text::Owned(format!("{head}{}", after.callable_name().value)).into()
            };
            if nameless {
                tool.name = None;
            }
        }
    }
    // The id of a tool in a package ends with its name.
    let (was, is) = (before.callable_name(), after.callable_name());
    let part = |at: Place| Place { exact: false, ..at };
    let (name, at) = match (was == is, before.id == after.id) {
        (true, true) => return,
        (true, false) => (last_part(&after.id), after.id.at.map(part)),
        (false, _) => (is.value, is.at),
    };
    if let (Some(package), Some(_)) = (&tool.package.id, &tool.name) {
        let id: Text<'a> = Text::Owned(format!("{}.{name}", package.value));
        tool.name = Some(Sourced { value: Text::Owned(name.to_owned()), at });
        tool.id = id.into();
    }
}

/// Returns true if an id ends with a name of several parts.
fn ends_with_name(id: &str, name: &str) -> bool {
    let before = id.strip_suffix(name).filter(|_| name.contains('.'));
    before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':']))
}

/// Applies a title edit to a tool without a package. The target shows such a title as that
/// of the package that the conversion invented.
fn apply_title_edit<'a>(
    tool: &mut ToolDescriptor<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
    log: &mut EditLog,
) {
    let given = tool.package.id.is_none() && before.title.is_none() && after.title.is_none();
    if given && before.package.id.is_some() {
        log.in_field("title", |log| {
            tool.title.apply(&[(&before.package.title, &after.package.title)], log);
        });
    }
}

/// Returns true if a tool is its package itself: it has no name within it.
fn is_package_itself(tool: &ToolDescriptor<'_>) -> bool {
    tool.name.is_none() && tool.package.id.is_some()
}

/// Moves the texts of a sole tool to its package if the document has lost its list of
/// tools: the package is still named and described.
fn promote_sole_tool<'e>(
    mut tools: Vec<ToolDescriptor<'e>>,
    before: &[ToolDescriptor<'_>],
) -> Vec<ToolDescriptor<'e>> {
    let listed = before.iter().any(|tool| tool.name.is_some());
    if let [whole] = tools.as_mut_slice()
        && listed
        && is_package_itself(whole)
    {
        let mut package = Package::clone(&whole.package);
        package.title = whole.title.take().or(package.title);
        package.summary = whole.summary.take().or(package.summary);
        package.description = whole.description.take().or(package.description);
        whole.package = Arc::new(package);
    }
    tools
}

/// Applies edits of the package's texts to a tool that is its package. Refuses an edit if
/// the tool has another text than the target's package was given.
fn apply_package_texts<'a>(
    tool: &mut ToolDescriptor<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
    log: &mut EditLog,
) {
    if !is_package_itself(tool) {
        return;
    }
    let (was, is) = (&before.package, &after.package);
    for (field, own, was, is) in [
        ("title", &mut tool.title, &was.title, &is.title),
        ("summary", &mut tool.summary, &was.summary, &is.summary),
        ("description", &mut tool.description, &was.description, &is.description),
    ] {
        if was == is || own == is {
            continue;
        }
        if own.is_none() || own == was {
            own.clone_from(is);
        } else {
            let at = is.as_ref().and_then(|text| text.at);
            log.refuse_in(field, OTHER_TEXT, at.into_iter().collect());
        }
    }
}

/// The matches between written documents and given targets.
pub(crate) struct DocumentMatches {
    /// For each written document, the index of its target.
    pairs: Vec<Option<usize>>,
    /// Targets that the conversion did not write.
    unmatched: Vec<usize>,
}

impl RestoreSession<'_> {
    /// Matches the targets with the written documents: by name, then by their tools, then as
    /// the only ones. Fails if the residue belongs to other documents.
    pub(crate) fn match_documents(
        &self,
        targets: &[Target<'_>],
        written: &[Document<'_>],
    ) -> Result<DocumentMatches, Report> {
        let mut pairs: Vec<Option<usize>> = vec![None; written.len()];
        let mut left: BTreeSet<usize> = (0..targets.len()).collect();
        let mut claim = |slot: Option<&mut Option<usize>>, target: usize| {
            if let Some(slot @ None) = slot
                && left.remove(&target)
            {
                *slot = Some(target);
            }
        };
        let names: BTreeMap<&str, usize> = self
            .conversion
            .documents
            .iter()
            .enumerate()
            .map(|(index, document)| (document.name.as_str(), index))
            .collect();
        for (index, target) in targets.iter().enumerate() {
            if let Some(place) = target.name.and_then(|name| names.get(name)) {
                claim(pairs.get_mut(*place), index);
            }
        }
        // By their tools.
        let mut holds: BTreeMap<String, usize> = BTreeMap::new();
        for tool in &self.conversion.tools {
            holds.insert(tool.target.clone(), tool.document);
        }
        let mut known = targets.is_empty() || written.is_empty();
        let package = |tools: &[ToolDescriptor<'_>]| {
            tools.first().and_then(|tool| Some(tool.package.id.as_ref()?.to_string()))
        };
        let packages: BTreeSet<Option<String>> =
            written.iter().map(|one| package(&self.to.lift_valid(one, 0).tools)).collect();
        for (index, target) in targets.iter().enumerate() {
            let tools = self.to.lift_valid(target.document, 0).tools;
            // An empty list may belong to any residue. A package is recognised by its name.
            let package = package(&tools);
            known |= tools.is_empty() || package.is_some() && packages.contains(&package);
            let mut places = tools.iter().filter_map(|tool| holds.get(tool.id.as_ref() as &str));
            if let Some(place) = places.next() {
                known = true;
                claim(pairs.get_mut(*place), index);
            }
        }
        if targets.len() == 1 && written.len() == 1 {
            claim(pairs.first_mut(), 0);
        }
        // A document with a renamed tool still contains most of the written values.
        let mut alike = pairs.iter().zip(written).enumerate().map(|(number, (target, written))| {
            let target = target.and_then(|target| targets.get(target));
            target.is_some_and(|target| self.is_mostly_written(number, target.document, written))
        });
        if !known && !alike.any(|alike| alike) {
            let message = "the residue knows none of the document's tools";
            return Err(Report::from(rules::UNRELATED.at_pointer(Pointer::root(), message)));
        }
        Ok(DocumentMatches { pairs, unmatched: left.into_iter().collect() })
    }

    /// Returns true if a document contains most of the values that were written from the
    /// source. Values that every conversion writes do not count, except the digest of a
    /// source of one tool.
    fn is_mostly_written(
        &self,
        number: usize,
        document: &Document<'_>,
        written: &Document<'_>,
    ) -> bool {
        if self.conversion.tools.len() == 1 && document.text().contains(&self.digest) {
            return true;
        }
        let from_source = |how: Derivation| {
            matches!(how, Derivation::Native | Derivation::Equivalent | Derivation::Approximated)
        };
        let mut said: BTreeMap<String, usize> = BTreeMap::new();
        let mut count = 0;
        let said_at = |at: &Pointer, leaf: Node<'_>| format!("{}={}", at.as_str(), canonical(leaf));
        for (at, value) in self.conversion.ledger.target_values(number, written, from_source) {
            for (below, leaf) in value.leaves() {
                *said.entry(said_at(&at.clone().join(&below), leaf)).or_default() += 1;
                count += 1;
            }
        }
        let is_said = |at: &Pointer, leaf| said.contains_key(&said_at(at, leaf));
        let same = document.root().leaves().filter(|(at, leaf)| is_said(at, *leaf)).count();
        // Half of the values identify one tool. With several tools, they may be those of
        // another.
        if self.conversion.tools.len() > 1 { 2 * same > count } else { 2 * same >= count }
    }
}
