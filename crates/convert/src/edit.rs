//! What was edited in a target: its documents and tools, told apart by their keys.

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

/// The edits of one tool: as it was written, and as it is; nothing, if it is gone.
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
    /// What the source says, with what was edited in its target.
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

    /// Which target is which document, and where it names its tools.
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

    /// Reads a target that must be valid.
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

    /// For each converted tool, which of the source's it is.
    fn places(&self, lifted: &Lifted<'_>) -> Vec<Option<usize>> {
        let ids = lifted.tools.iter().enumerate();
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, tool) in ids.rev() {
            places.entry(tool.id.as_ref()).or_default().push(index);
        }
        let tools = self.conversion.tools.iter();
        tools.map(|tool| places.get_mut(tool.id.as_str())?.pop()).collect()
    }

    /// Whether the source's format can say how a tool is called.
    fn says(&self, tool: &ToolDescriptor<'_>) -> bool {
        tool.invocation.is_none() || (self.from.says)(tool) == Says::Exact
    }

    /// Which of some new tools can be written in the source's format. What stands around tools is
    /// written for all of them at once, and for halves only where one of them cannot be written.
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

    /// Takes back the edits of calls that the source cannot say.
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

    /// The tools without those that are gone, and with new ones behind those that they
    /// came beside. Gives the ids of those that are gone.
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

/// Whether a tool is called as its package says, which its other tools need.
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

/// Pairs the tools of one document as it was written with those that it has now.
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

/// Lays the changes over the tools and their packages. Gives those that are gone.
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
            // What is said of such a package is said of its tool.
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

/// A tool that is no part of a package does not become one by an edit.
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
    // Where the name that is shown is not the end of the id, an edit of it is none of the id, in
    // whatever letters the target has it.
    let end = last_part(&own);
    let apart = own.contains('.')
        && tool.name.as_ref().is_some_and(|name| **name != *end && !is_end(&own, name))
        && *before.callable_name().value != *end;
    tool.lay(&[(before, after)], laying);
    // A tool that is the whole of its package has no name within it.
    if whole {
        tool.name = None;
    }
    if let (Some(was), Some(is)) = (&before.package.id, &after.package.id)
        && before.id != after.id
    {
        if was != is && before.name == after.name && tool.package.id.is_some() {
            // The package has another name, and the tool has the same within it.
            let name = tool.name.as_ref().map(|name| format!(".{}", name.value));
            let id = format!("{}{}", is.value, name.unwrap_or_default());
            tool.id = Sourced { value: Text::Owned(id), at: is.at };
            return;
        }
        // The target's package is an invention where the source has none, or nothing but the
        // tool: only the tool's own name is an edit of its id.
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
    // A tool of a package is named within it.
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

/// Whether a name of several parts is the end of an id.
fn is_end(id: &str, name: &str) -> bool {
    let before = id.strip_suffix(name).filter(|_| name.contains('.'));
    before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':']))
}

/// The name for people of a tool without a package is that of the package that it was
/// given.
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

/// Whether a tool is the whole of its package: it has no name within it.
fn is_whole(tool: &ToolDescriptor<'_>) -> bool {
    tool.name.is_none() && tool.package.id.is_some()
}

/// The tools of a document that has lost its list. It is the package that is still named and
/// described.
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

/// What a target says of the package of such a tool is said of the tool. A text that the
/// package was not given stays.
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

/// Which of the given documents is which of those that were written.
pub(crate) struct Matched {
    /// For each that was written, the given one.
    pairs: Vec<Option<usize>>,
    /// Given ones that were not written.
    new: Vec<usize>,
}

impl Way<'_> {
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
        // By what they hold.
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
            // A list of none is nobody else's, and a package is known by its name.
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
        // A renamed tool still says most of what was written.
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

    /// Whether a document says most of what was written for the source. What every
    /// conversion writes tells nothing, but for the digest of a source of one tool.
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
        // Half of one tool is that tool; half of several may be one of them.
        if self.conversion.tools.len() > 1 { 2 * same > count } else { 2 * same >= count }
    }
}
