//! Finds the edits of the targets, and applies them to the descriptors of the source.
//!
//! Documents are matched by name and content, tools by id. A tool as it was written and as
//! it is now are one change, which [`overlay`](crate::overlay) applies field by field. This
//! module also adds and removes tools.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostic::{Pointer, Report};
use json_text::{Document, Node, Text, canonical};
use manifest_core::descriptor::{Command, Invocation, Lifted, Package, ToolDescriptor};
use manifest_core::format::{Holds, How, Says};
use manifest_core::{Place, Sourced, align, last_part, rules};

use crate::emitted::digest;
use crate::follow::follow;
use crate::overlay::{Laying, OTHER_TEXT, Overlay};
use crate::way::{Calls, Edit, Target, Way};

const CANNOT_SAY: &str = "the format of the source has no words for the call";
const CANNOT_WRITE: &str = "the format of the source does not take such a tool";

/// The edit of one tool: as it was written, and as it is now, or `None` if it was removed.
type Change<'e, 'a> = (&'e ToolDescriptor<'a>, Option<&'e ToolDescriptor<'a>>);

impl<'e> Edit<'e> {
    fn none(lifted: Lifted<'e>) -> Self {
        Self {
            lifted,
            edited: false,
            removed: Vec::new(),
            refused: Vec::new(),
            written: Vec::new(),
            first: Vec::new(),
            renamed: BTreeMap::new(),
            unchosen: BTreeSet::new(),
            carried: BTreeSet::new(),
        }
    }
}

impl Way<'_> {
    /// Returns the descriptors of the source with the edits of its targets.
    pub(crate) fn edit<'e>(
        &'e self,
        targets: &'e [Target<'e>],
        written: &'e [Document<'e>],
        calls: Calls,
    ) -> Result<Edit<'e>, Report> {
        let limits = &self.options.limits;
        let mut lifted = self.from.lift(self.source, limits)?;
        let matched = self.matched(targets, written)?;
        let edited = matched.pairs.iter().zip(written).any(|(target, written)| match target {
            Some(target) => targets
                .get(*target)
                .is_some_and(|target| digest(target.document) != digest(written)),
            None => self.options.delete_missing,
        });
        if !edited && matched.new.is_empty() {
            return Ok(Edit::none(lifted));
        }
        let before: Vec<Vec<ToolDescriptor<'_>>> =
            written.iter().map(|document| self.to.read_as(document, 0).tools).collect();
        let mut after: Vec<Option<Vec<ToolDescriptor<'_>>>> = Vec::new();
        for (target, before) in matched.pairs.iter().zip(&before) {
            after.push(match target {
                Some(index) => Some(as_listed(self.read(targets, *index)?, before)),
                None if self.options.delete_missing => Some(Vec::new()),
                None => None,
            });
        }
        let mut new = Vec::new();
        for index in &matched.new {
            new.extend(self.read(targets, *index)?);
        }
        let mut laying = Laying::default();
        let mut changes: BTreeMap<usize, Change<'_, '_>> = BTreeMap::new();
        let mut added: Vec<(Option<usize>, ToolDescriptor<'_>)> = Vec::new();
        let mut places = self.places(&lifted).into_iter();
        for (before, after) in before.iter().zip(&after) {
            let own: Vec<Option<usize>> = places.by_ref().take(before.len()).collect();
            let Some(after) = after else { continue };
            pair(before, after, &own, &mut changes, &mut added);
        }
        let last = lifted.tools.len().checked_sub(1);
        added.extend(new.into_iter().map(|tool| (last, tool)));
        let was = lifted.tools.clone();
        let gone = lay(&mut lifted, &changes, calls, &mut laying);
        self.keep_calls(&was, &mut lifted.tools, calls, &mut laying);
        follow(&was, &mut lifted, &mut laying);
        let mut edit = self.whereabouts(&matched, &was, &lifted, &changes, targets.len());
        edit.removed = self.rebuild(&mut lifted, gone, added, &mut laying);
        edit.refused = laying.refused;
        edit.lifted = lifted;
        Ok(edit)
    }

    /// Records which target is which written document, and where targets name their tools.
    fn whereabouts<'e>(
        &self,
        matched: &Matched,
        was: &[ToolDescriptor<'_>],
        lifted: &Lifted<'_>,
        changes: &BTreeMap<usize, Change<'_, '_>>,
        targets: usize,
    ) -> Edit<'e> {
        let mut edit = Edit::none(Lifted::default());
        edit.edited = true;
        edit.written = vec![None; targets];
        edit.first = vec![None; targets];
        for (written, target) in matched.pairs.iter().enumerate() {
            if let Some(slot) = target.and_then(|target| edit.written.get_mut(target)) {
                *slot = Some(written);
            }
        }
        for (index, (before, after)) in changes {
            let (Some(after), Some(tool)) = (after, lifted.tools.get(*index)) else { continue };
            let Some(at) = after.id.at else { continue };
            let target = usize::from(at.document).wrapping_sub(1);
            if let Some(slot @ None) = edit.first.get_mut(target) {
                *slot = Some(tool.id.to_string());
            }
            let name = last_part(&after.id);
            if before.id != after.id && last_part(&tool.id) == name {
                edit.renamed.insert((target, at.entry), tool.id.to_string());
            }
        }
        let converted: BTreeSet<&str> =
            self.conversion.tools.iter().map(|tool| tool.id.as_str()).collect();
        let others = was.iter().filter(|tool| !converted.contains(tool.id.as_ref() as &str));
        edit.unchosen = others.map(|tool| tool.id.to_string()).collect();
        edit
    }

    /// Reads a target. Fails if it is invalid.
    fn read<'e>(
        &self,
        targets: &'e [Target<'e>],
        index: usize,
    ) -> Result<Vec<ToolDescriptor<'e>>, Report> {
        let Some(target) = targets.get(index) else { return Ok(Vec::new()) };
        let Ok(number) = u16::try_from(index + 1) else {
            let message = "there are more documents than can be told apart";
            return Err(Report::from(rules::UNRELATED.at_pointer(Pointer::root(), message)));
        };
        Ok(self.to.lift_as(target.document, number, &self.options.limits)?.tools)
    }

    /// Returns the index of each converted tool in the source.
    fn places(&self, lifted: &Lifted<'_>) -> Vec<Option<usize>> {
        let ids = lifted.tools.iter().enumerate();
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, tool) in ids.rev() {
            places.entry(tool.id.as_ref()).or_default().push(index);
        }
        let tools = self.conversion.tools.iter();
        tools.map(|tool| places.get_mut(tool.id.as_str())?.pop()).collect()
    }

    /// Returns true if the source's format can express the call of a tool.
    fn says(&self, tool: &ToolDescriptor<'_>) -> bool {
        tool.invocation.is_none() || (self.from.says)(tool) == Says::Exact
    }

    /// Returns, for each new tool, whether the source's format can write it. Tries all new
    /// tools in one document; on failure, bisects to find the tools that cannot be written.
    fn takes(&self, tools: &[ToolDescriptor<'_>]) -> Vec<bool> {
        let alone = Lifted { tools: tools.to_vec(), list: true, ..Lifted::default() };
        if tools.is_empty() || self.own(&alone, &[self.source]).is_ok() {
            return vec![true; tools.len()];
        }
        match tools.split_at(tools.len() / 2) {
            ([], _) => vec![false],
            (first, last) => [self.takes(first), self.takes(last)].concat(),
        }
    }

    /// Reverts edits of calls if calls must be kept, or if the source's format cannot
    /// express the new call.
    fn keep_calls<'e>(
        &self,
        before: &[ToolDescriptor<'e>],
        after: &mut [ToolDescriptor<'e>],
        calls: Calls,
        laying: &mut Laying,
    ) {
        for (before, after) in before.iter().zip(after) {
            let kept = calls == Calls::Keep || !self.says(after);
            if before.invocation != after.invocation && kept {
                let at = after.invocation.as_ref().and_then(|call| call.at);
                let at = at.into_iter().collect();
                after.invocation.clone_from(&before.invocation);
                laying.refuse_in("invocation", CANNOT_SAY, at);
            }
        }
    }

    /// Removes deleted tools, inserts added ones after their neighbours, and returns the
    /// removed ids.
    fn rebuild<'e>(
        &self,
        lifted: &mut Lifted<'e>,
        mut gone: BTreeSet<usize>,
        added: Vec<(Option<usize>, ToolDescriptor<'e>)>,
        laying: &mut Laying,
    ) -> Vec<String> {
        let holds = self.from.holds;
        let several = holds == Holds::Tools || lifted.list;
        if !gone.is_empty() && gone.len() == lifted.tools.len() && !several {
            laying.refuse_in("tools", "the source would have no tool left", Vec::new());
            gone.clear();
        }
        let (mut new, mut places) = (Vec::new(), Vec::new());
        for (place, mut tool) in added {
            let neighbour = place.and_then(|place| lifted.tools.get(place));
            if let (Holds::Package, Some(neighbour)) = (holds, neighbour) {
                tool.package = Arc::clone(&neighbour.package);
            }
            let at: Vec<Place> = tool.at.into_iter().collect();
            if !several && holds != Holds::Package {
                laying.refuse_in("tools", "the source is a document of one tool", at);
            } else if fits_package(&tool) && self.says(&tool) {
                new.push(tool);
                places.push(place);
            } else {
                laying.refuse_in("tools", CANNOT_SAY, at);
            }
        }
        let mut beside: BTreeMap<Option<usize>, Vec<ToolDescriptor<'e>>> = BTreeMap::new();
        let taken = self.takes(&new);
        for ((tool, place), taken) in new.into_iter().zip(places).zip(taken) {
            if taken {
                beside.entry(place).or_default().push(tool);
            } else {
                laying.refuse_in("tools", CANNOT_WRITE, tool.at.into_iter().collect());
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
fn fits_package(tool: &ToolDescriptor<'_>) -> bool {
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
fn pair<'e, 'a>(
    before: &'e [ToolDescriptor<'a>],
    after: &'e [ToolDescriptor<'a>],
    own: &[Option<usize>],
    changes: &mut BTreeMap<usize, Change<'e, 'a>>,
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
fn lay<'a>(
    lifted: &mut Lifted<'a>,
    changes: &BTreeMap<usize, Change<'_, 'a>>,
    calls: Calls,
    laying: &mut Laying,
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
        package.lay(&kept, laying);
        if is_whole(first) {
            // `lay_whole` applies the texts of such a package to its tool.
            package.title.clone_from(&first.package.title);
            package.summary.clone_from(&first.package.summary);
            package.description.clone_from(&first.package.description);
        }
        if calls == Calls::Keep {
            package.command.clone_from(&first.package.command);
            package.cwd.clone_from(&first.package.cwd);
            package.url.clone_from(&first.package.url);
        }
        let package = Arc::new(without_identity(package, &first.package));
        for (index, tool) in own.zip(tools) {
            match changes.get(&index) {
                Some((before, Some(after))) => {
                    lay_tool(tool, before, after, laying);
                    lay_title(tool, before, after, laying);
                    lay_whole(tool, before, after, laying);
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
fn without_identity<'a>(package: Package<'a>, before: &Package<'a>) -> Package<'a> {
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

fn lay_tool<'a>(
    tool: &mut ToolDescriptor<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
    laying: &mut Laying,
) {
    let nameless = tool.name.is_none();
    let whole = is_whole(tool);
    let own = tool.id.clone();
    // True if neither the source's name nor the target's is the end of the id. Then an edit
    // of the name leaves the id alone. The target may spell the name differently.
    let end = last_part(&own);
    let apart = own.contains('.')
        && tool.name.as_ref().is_some_and(|name| **name != *end && !is_end(&own, name))
        && *before.callable_name().value != *end;
    tool.lay(&[(before, after)], laying);
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
fn is_end(id: &str, name: &str) -> bool {
    let before = id.strip_suffix(name).filter(|_| name.contains('.'));
    before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':']))
}

/// Applies a title edit to a tool without a package. The target shows such a title as that
/// of the package that the conversion invented.
fn lay_title<'a>(
    tool: &mut ToolDescriptor<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
    laying: &mut Laying,
) {
    let given = tool.package.id.is_none() && before.title.is_none() && after.title.is_none();
    if given && before.package.id.is_some() {
        laying.field("title", |laying| {
            tool.title.lay(&[(&before.package.title, &after.package.title)], laying);
        });
    }
}

/// Returns true if a tool is its package itself: it has no name within it.
fn is_whole(tool: &ToolDescriptor<'_>) -> bool {
    tool.name.is_none() && tool.package.id.is_some()
}

/// Moves the texts of a sole tool to its package if the document has lost its list of
/// tools: the package is still named and described.
fn as_listed<'e>(
    mut tools: Vec<ToolDescriptor<'e>>,
    before: &[ToolDescriptor<'_>],
) -> Vec<ToolDescriptor<'e>> {
    let listed = before.iter().any(|tool| tool.name.is_some());
    if let [whole] = tools.as_mut_slice()
        && listed
        && is_whole(whole)
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
fn lay_whole<'a>(
    tool: &mut ToolDescriptor<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
    laying: &mut Laying,
) {
    if !is_whole(tool) {
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
            laying.refuse_in(field, OTHER_TEXT, at.into_iter().collect());
        }
    }
}

/// The matches between written documents and given targets.
pub(crate) struct Matched {
    /// For each written document, the index of its target.
    pairs: Vec<Option<usize>>,
    /// Targets that the conversion did not write.
    new: Vec<usize>,
}

impl Way<'_> {
    /// Matches the targets with the written documents: by name, then by their tools, then as
    /// the only ones. Fails if the residue belongs to other documents.
    pub(crate) fn matched(
        &self,
        targets: &[Target<'_>],
        written: &[Document<'_>],
    ) -> Result<Matched, Report> {
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
            written.iter().map(|one| package(&self.to.read_as(one, 0).tools)).collect();
        for (index, target) in targets.iter().enumerate() {
            let tools = self.to.read_as(target.document, 0).tools;
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
            target.is_some_and(|target| self.is_alike(number, target.document, written))
        });
        if !known && !alike.any(|alike| alike) {
            let message = "the residue knows none of the document's tools";
            return Err(Report::from(rules::UNRELATED.at_pointer(Pointer::root(), message)));
        }
        Ok(Matched { pairs, new: left.into_iter().collect() })
    }

    /// Returns true if a document contains most of the values that were written from the
    /// source. Values that every conversion writes do not count, except the digest of a
    /// source of one tool.
    fn is_alike(&self, number: usize, document: &Document<'_>, written: &Document<'_>) -> bool {
        if self.conversion.tools.len() == 1 && document.text().contains(&self.digest) {
            return true;
        }
        let from_source =
            |how: How| matches!(how, How::Native | How::Equivalent | How::Approximated);
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
