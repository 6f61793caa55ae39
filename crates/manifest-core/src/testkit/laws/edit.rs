//! The law that an edit survives.

use std::collections::BTreeMap;

use super::{
    Law, cannot_restore, converted, merged_back, open, refused, restored, same_text, tree,
    unless_refused, valid, words,
};
use crate::convert::{Class, Conversion, Op, Options, Residue, base, restore};
use crate::json::Node;
use crate::testkit::{Tree, difference};
use crate::{Format, Limits, Pointer, Row};

/// Restoring an edited target gives the source with that edit, and nothing else
/// changed.
///
/// - The restored document is valid, and the same by every way of restoring.
/// - What the edit is about is what it says in the target, once the restored
///   document is converted again, or is in the residue that restoring gives.
/// - What the edit is not about means what it meant, in the same bytes; unknown
///   members of an object that the edit takes away are in that residue too, and so
///   is what the edit makes impossible, such as a reference to what is gone.
/// - When one scalar was edited that the source has in the same words, exactly
///   its bytes are changed.
pub fn edit_survives(from: &'static Format, to: &'static Format, text: &str, edited: &str) -> Law {
    let options = Options::default();
    let before = converted(from, to, text, &options)?;
    let back = match restore(&open(edited)?, Some(&before.residue), from, to, &options) {
        Ok(back) => back,
        Err(report) if refused(&report) => return Ok(()),
        Err(report) => return Err(cannot_restore(from, edited, &report)),
    };
    valid(from, &back.text)?;
    if tree(&before.text)?.normal() == tree(edited)?.normal() {
        same_text("restore what only looks edited", text, &back.text)?;
    }

    let merged = merged_back(from, to, edited, text, &options)?;
    same_text("merge back instead of restore", &back.text, &merged.text)?;
    let mut unspelled = before.residue.clone();
    unspelled.source.text = None;
    let plain = restored(from, to, edited, Some(&unspelled), &options)?;
    same_value("restore without spelling", &back.text, &plain.text)?;

    let again = converted(from, to, &back.text, &options)?;
    let case = Edited {
        from,
        to,
        source: Tools::of(from, text)?,
        target: Tools::of(to, &before.text)?,
        edited: Tools::of(to, edited)?,
        restored: Tools::of(from, &back.text)?,
        again: Tools::of(to, &again.text)?,
        lost: &back.residue,
        before: &before,
    };
    case.hold().map_err(|what| case.explain(&what))
}

/// An edit that the source's own format can say survives in its words: change
/// the source, convert it, and restore with the residue of the source as it was.
/// The change must come back, unless it is one that went to the residue.
pub fn edit_commutes(from: &'static Format, to: &'static Format, text: &str, changed: &str) -> Law {
    let options = Options::default();
    let Some(after) = unless_refused(from, to, changed, &options)? else {
        return Ok(());
    };
    let before = converted(from, to, text, &options)?;
    if before.text == after.text || described(&before.residue) != described(&after.residue) {
        return Ok(());
    }
    let back = restored(from, to, &after.text, Some(&before.residue), &options)?;
    let (expected, found) = (Tools::of(from, changed)?, Tools::of(from, &back.text)?);
    for (expected, found) in expected.tools.iter().zip(&found.tools) {
        for field in fields([expected, found]) {
            if normal(expected, &field) != normal(found, &field) {
                return Err(format!("a change of {field:?} is lost:\n{text}\n{changed}"));
            }
        }
    }
    let same_document = before.residue.document == after.residue.document;
    let ops = |residue: &Residue| -> Vec<_> {
        residue.tools.iter().map(|tool| (tool.id.clone(), tool.ops.clone())).collect()
    };
    if same_document && ops(&before.residue) == ops(&after.residue) {
        same_value("a change of the source", changed, &back.text)?;
    }
    Ok(())
}

/// The operations on what descriptors have words for.
fn described(residue: &Residue) -> Vec<Vec<&Op>> {
    let ops = residue.tools.iter().map(|tool| tool.ops.iter());
    let known = |op: &&Op| !op.at.as_str().starts_with("/extras");
    ops.map(|ops| ops.filter(known).collect()).collect()
}

/// A document and what it lifts to.
#[allow(clippy::struct_field_names)] // the plain words for both
struct Tools<'t> {
    text: &'t str,
    /// What belongs to the document as a whole.
    whole: Tree,
    /// The descriptors.
    tools: Vec<Tree>,
    /// Where each of them stands.
    places: Vec<Pointer>,
}

impl<'t> Tools<'t> {
    fn of(format: &'static Format, text: &'t str) -> Result<Self, String> {
        let document = open(text)?;
        let lifted = format.lift(&document, &Limits::default());
        let mut lifted = lifted.map_err(|r| words(&r))?;
        let tools = std::mem::take(&mut lifted.tools);
        Ok(Self {
            text,
            whole: json(&lifted)?.normal(),
            tools: tools.iter().map(json).collect::<Result<_, _>>()?,
            places: tools.iter().map(|tool| tool.source.clone()).collect(),
        })
    }

    /// A tool's descriptor and the text of its entry.
    fn get(&self, index: usize) -> Result<(&Tree, &'t str), String> {
        let tool = self.tools.get(index).zip(self.places.get(index));
        let (tool, place) = tool.ok_or_else(|| format!("there is no tool {index}"))?;
        let document = open(self.text)?;
        let span = document.root().at(place).map(Node::span);
        let entry = span.and_then(|span| self.text.get(span.start..span.end));
        Ok((tool, entry.unwrap_or_default()))
    }
}

/// A document that was converted, edited, restored, and converted again.
#[allow(clippy::struct_field_names)] // the plain words for both
struct Edited<'t> {
    from: &'static Format,
    to: &'static Format,
    source: Tools<'t>,
    target: Tools<'t>,
    edited: Tools<'t>,
    restored: Tools<'t>,
    again: Tools<'t>,
    lost: &'t Residue,
    before: &'t Conversion,
}

impl Edited<'_> {
    fn hold(&self) -> Law {
        let counts = [&self.edited, &self.restored, &self.again].map(|side| side.tools.len());
        if counts.iter().any(|count| *count != self.edited.tools.len()) {
            return Err(format!("the number of tools changes: {counts:?}"));
        }
        for (new, old) in self.pairs().into_iter().enumerate() {
            self.says_what_was_edited(new, old)?;
            if let Some(old) = old {
                self.keeps_the_rest(new, old)?;
            }
        }
        self.keeps_the_document()?;
        self.changes_one_leaf()
    }

    /// For each tool of the edited target, the one that it was before: by id, by
    /// the last part of the id where there is no doubt, and a renamed one when it
    /// is the only one left over on both sides.
    fn pairs(&self) -> Vec<Option<usize>> {
        let mut left: Vec<usize> = (0..self.target.tools.len()).collect();
        let mut pairs = Vec::new();
        for tool in &self.edited.tools {
            let id = |tool: &Tree| tool.get("id").cloned();
            let same = |old: &usize| self.target.tools.get(*old).and_then(id) == id(tool);
            pairs.push(left.iter().position(same).map(|place| left.remove(place)));
        }
        let last = |tool: Option<&Tree>| match tool.and_then(|tool| tool.get("id")) {
            Some(Tree::Text(id)) => id.rsplit('.').next().map(str::to_owned),
            _ => None,
        };
        let lasts: Vec<_> = self.edited.tools.iter().map(|tool| last(Some(tool))).collect();
        for (pair, part) in pairs.iter_mut().zip(&lasts).filter(|(pair, _)| pair.is_none()) {
            let same = |old: &&usize| last(self.target.tools.get(**old)) == *part;
            let alone = lasts.iter().filter(|other| *other == part).count() == 1;
            if let ([only], true) =
                (left.iter().filter(same).copied().collect::<Vec<_>>().as_slice(), alone)
            {
                *pair = Some(*only);
                left.retain(|old| old != only);
            }
        }
        let mut open = pairs.iter_mut().filter(|old| old.is_none());
        if let ([left], Some(renamed), None) = (left.as_slice(), open.next(), open.next()) {
            *renamed = Some(*left);
        }
        pairs
    }

    /// A field that was edited is the same after another conversion, or reported.
    /// A field that was not means what it meant.
    fn says_what_was_edited(&self, new: usize, old: Option<usize>) -> Law {
        let (says, _) = self.edited.get(new)?;
        let (again, _) = self.again.get(new)?;
        let (is, _) = self.restored.get(new)?;
        let old =
            old.map(|old| Ok::<_, String>((self.target.get(old)?.0, self.source.get(old)?.0)));
        let (before, was) = old.transpose()?.unzip();
        for field in fields([says, is, before.unwrap_or(says), was.unwrap_or(says)]) {
            // What has another name only is what it was.
            let name = before.and_then(|before| renamed(before.get(&field)?, says.get(&field)?));
            let under = |tool: &Tree| under_new_name(normal(tool, &field), name.as_ref());
            let untouched = before.is_some_and(|before| under(before) == normal(says, &field));
            // What the source says now is what the target says, whether or not the
            // target would assume something again.
            let says_so = || {
                normal(says, &field) == normal(is, &field)
                    || normal(says, &field) == normal(again, &field)
            };
            // What has quite another name may be another thing.
            let holds = self.reports(new, &field)
                || match was.filter(|_| untouched) {
                    Some(was) => under(was) == normal(is, &field) || name.is_some() && says_so(),
                    None => says_so(),
                };
            if !holds {
                return Err(format!("{field:?} of tool {new} is not what was edited"));
            }
        }
        // Unknown members of the target have no other place than the residue.
        let unknown = |tool: &Tree| tool.get("extras")?.get(self.to.name).cloned();
        let kept = unknown(says).is_none() || unknown(says) == unknown(again);
        if kept || self.reports(new, "extras") {
            Ok(())
        } else {
            Err(format!("unknown members of tool {new} vanished"))
        }
    }

    /// Whether restoring said that it could not keep a field.
    fn reports(&self, tool: usize, field: &str) -> bool {
        let ops = self.lost.tools.get(tool).map_or(&[][..], |tool| &tool.ops);
        let field = format!("/{field}");
        ops.iter().any(|op| is_below(op.at.as_str(), &field))
    }

    /// Whether restoring said that it could not keep what a row is about.
    fn reports_row(&self, tool: usize, row: &Row) -> bool {
        row.field.split('/').nth(1).is_some_and(|field| self.reports(tool, field))
    }

    /// What the edit is not about keeps its bytes.
    fn keeps_the_rest(&self, new: usize, old: usize) -> Law {
        let ((before, target), (says, edited)) = (self.target.get(old)?, self.edited.get(new)?);
        let (was, mut is) = (self.source.get(old)?.1, self.restored.get(new)?.1);
        // A tool that was all of its document may be one of a list in it now.
        let now = open(self.restored.text)?;
        let place = self.restored.places.get(new).cloned().unwrap_or_default();
        let around = base(&place, now.root());
        let joined = self.is_shared() && self.stands_alone(old) && around != place;
        let own = place.strip_prefix(&around).filter(|_| joined);
        if let Some(around) = now.root().at(&around).filter(|_| joined) {
            is = self.restored.text.get(around.span().start..around.span().end).unwrap_or_default();
        }
        let (target, edited) = (tree(target)?.normal(), tree(edited)?.normal());
        if target == edited && before == says {
            return if was == is || self.same_after_parting(was, is) {
                Ok(())
            } else {
                Err(format!("tool {new} was not edited, but changed"))
            };
        }
        let rows = self.from.mapping.iter();
        let edited_rows =
            rows.filter(|row| is_touched(row.field, before, says) || self.reports_row(new, row));
        let alone = self.stands_alone(old);
        let edited_rows: Vec<_> = edited_rows.filter_map(|row| own_member(row, alone)).collect();
        let is_about = |member: &str| {
            let own = own.as_ref().map(Pointer::as_str);
            if own.is_some_and(|own| is_below(member, own) || is_below(own, member)) {
                return true;
            }
            if self.from.name == self.to.name {
                is_edited(member, &target, &edited)
            } else {
                let mut rows = edited_rows.iter();
                rows.any(|row| is_below(member, row) || is_below(row, member))
            }
        };
        let (was, is) = (open(was)?, open(is)?);
        let leaves = was.root().leaves().chain(is.root().leaves());
        for (member, _) in leaves.filter(|(member, _)| !is_about(member.as_str())) {
            let text = |node: Node<'_>| node.raw().to_owned();
            let moved = || {
                self.other_homes(&member, alone)
                    .any(|home| is.root().at(&home).map(text) == was.root().at(&member).map(text))
            };
            let homeless = || {
                let holder = member.split_last().map(|(holder, _)| holder);
                let gone = holder.is_some_and(|holder| is.root().at(&holder).is_none());
                gone && self.reports(new, "extras")
            };
            let (had, has) = (was.root().at(&member).map(text), is.root().at(&member).map(text));
            let parted = || {
                had.as_deref()
                    .zip(has.as_deref())
                    .is_some_and(|(a, b)| self.same_after_parting(a, b))
            };
            if had != has && !parted() && !moved() && !homeless() {
                return Err(format!("{member:?} of tool {new} was not edited, but changed"));
            }
        }
        Ok(())
    }

    /// The other members that hold the same field, when a field has several.
    fn other_homes(&self, member: &Pointer, alone: bool) -> impl Iterator<Item = Pointer> {
        let rows = self.from.mapping.iter();
        let here = rows.clone().find(|row| own_member(row, alone) == Some(member.as_str()));
        let others = rows.filter(move |row| here.is_some_and(|here| here.field == row.field));
        others.filter_map(move |row| Pointer::parse(own_member(row, alone)?).ok())
    }

    /// Whether tools share parts of a document of the source.
    fn is_shared(&self) -> bool {
        self.from.mapping.iter().any(|row| row.member.starts_with('^'))
    }

    /// Whether two texts say the same, where tools that shared a document were
    /// parted: one of them is laid out anew.
    fn same_after_parting(&self, was: &str, is: &str) -> bool {
        let parted = self.is_shared() && self.source.places != self.restored.places;
        parted && tree(was).map(|tree| tree.normal()) == tree(is).map(|tree| tree.normal())
    }

    /// Whether a tool of the source shares nothing with others.
    fn stands_alone(&self, tool: usize) -> bool {
        let place = self.source.places.get(tool);
        place
            .zip(open(self.source.text).ok())
            .is_some_and(|(place, document)| base(place, document.root()) == *place)
    }

    /// What belongs to the document as a whole keeps its bytes, or is reported.
    fn keeps_the_document(&self) -> Law {
        if self.target.whole != self.edited.whole {
            let reported = self.again.whole == self.edited.whole || !self.lost.document.is_empty();
            return if reported {
                Ok(())
            } else {
                Err("what was edited in the document as a whole vanished".to_owned())
            };
        }
        let (source, restored) = (open(self.source.text)?, open(self.restored.text)?);
        let in_a_tool = |leaf: &str| {
            let mut places = self.source.places.iter();
            places.any(|place| is_below(leaf, place.as_str()))
        };
        let shared = self.shared_and_edited();
        let is_shared = |leaf: &str| shared.iter().any(|place| is_below(leaf, place));
        let homes = self.homes(source.root(), restored.root());
        for (member, leaf) in source.root().leaves() {
            if in_a_tool(member.as_str()) || is_shared(member.as_str()) {
                continue;
            }
            let document = whole(&member, source.root());
            let below = member.strip_prefix(&document).unwrap_or_default();
            let homes = homes.get(&document).map_or(&[][..], Vec::as_slice);
            if homes.len() > 1 && self.is_derived(&below) {
                continue;
            }
            let places = homes.iter().map(|home| restored.root().at(&home.clone().join(&below)));
            let mut kept = places.map(|now| match now {
                // Of tools that an edit parts, only one stays where it was.
                Some(now) if homes.len() > 1 => now.same_value(leaf),
                now => now.is_some_and(|now| now.raw() == leaf.raw()),
            });
            if !kept.all(|kept| kept) {
                return Err(format!("{member:?} was not edited, but changed"));
            }
        }
        Ok(())
    }

    /// Whether a member of a document says nothing that its tools do not say: the
    /// mapping has a row for it, but descriptors have no field.
    fn is_derived(&self, member: &Pointer) -> bool {
        let mut rows = self.from.mapping.iter().filter(|row| !row.is_field());
        rows.any(|row| row.member.strip_prefix('^') == Some(member.as_str()))
    }

    /// For each document of the source, those that have its tools now.
    fn homes(&self, source: Node<'_>, restored: Node<'_>) -> BTreeMap<Pointer, Vec<Pointer>> {
        let mut homes: BTreeMap<Pointer, Vec<Pointer>> = BTreeMap::new();
        for (new, old) in self.pairs().into_iter().enumerate() {
            let old = old.and_then(|old| self.source.places.get(old));
            if let Some((old, new)) = old.zip(self.restored.places.get(new)) {
                let (old, new) = (whole(old, source), whole(new, restored));
                let known = homes.entry(old).or_default();
                if !known.contains(&new) {
                    known.push(new);
                }
            }
        }
        homes
    }

    /// Places that tools share, and that an edit to one of them is about.
    fn shared_and_edited(&self) -> Vec<String> {
        let Ok(source) = open(self.source.text) else { return Vec::new() };
        let mut places = Vec::new();
        for (new, old) in self.pairs().into_iter().enumerate() {
            let old = old
                .and_then(|old| Some((self.target.tools.get(old)?, self.source.places.get(old)?)));
            let Some(((before, place), says)) = old.zip(self.edited.tools.get(new)) else {
                continue;
            };
            let base = base(place, source.root());
            for row in self.from.mapping {
                let touched = is_touched(row.field, before, says) || self.reports_row(new, row);
                if let Some(member) = row.member.strip_prefix('^').filter(|_| touched) {
                    places.push(format!("{base}{member}"));
                }
            }
        }
        places
    }

    /// A scalar that the source has in the same words changes only there.
    fn changes_one_leaf(&self) -> Law {
        let edited = only_difference(&tree(self.target.text)?, &tree(self.edited.text)?);
        let entries = self.before.ledger.entries.iter();
        let mut entries = entries.filter(|entry| {
            let mut places = entry.target.iter().map(Pointer::as_str);
            // What several tools share is another thing when one of them changes.
            let alone = entry.target.len() == 1;
            let edited = places.any(|place| Some(place) == edited.as_deref());
            entry.class == Class::Native && alone && edited
        });
        let (Some(entry), None) = (entries.next(), entries.next()) else {
            return Ok(());
        };
        let source = open(self.source.text)?;
        let Some(leaf) = source.root().at(&entry.source).filter(|_| self.lost.is_empty()) else {
            return Ok(());
        };
        let changed = only_difference(&tree(self.source.text)?, &tree(self.restored.text)?);
        let (head, rest) = self.source.text.split_at(leaf.span().start);
        let tail = rest.get(leaf.raw().len()..).unwrap_or_default();
        let spliced = self.restored.text.starts_with(head) && self.restored.text.ends_with(tail);
        if spliced && changed.as_deref() == Some(entry.source.as_str()) {
            Ok(())
        } else {
            Err(format!("not exactly {:?} is changed", entry.source))
        }
    }

    fn explain(&self, what: &str) -> String {
        format!(
            "{what}\n--- source\n{}\n--- target\n{}\n--- edited\n{}\n--- restored\n{}\n--- lost\n{}",
            self.source.text,
            self.target.text,
            self.edited.text,
            self.restored.text,
            serde_json::to_string(&self.lost.tools).unwrap_or_default(),
        )
    }
}

fn json<T: serde::Serialize>(value: &T) -> Result<Tree, String> {
    tree(&serde_json::to_string(value).map_err(|error| error.to_string())?)
}

fn same_value(what: &str, expected: &str, found: &str) -> Law {
    match difference(&tree(expected)?.normal(), &tree(found)?.normal()) {
        None => Ok(()),
        Some(place) => Err(format!("{what}: not the same value {place}")),
    }
}

/// The document that a place is in: an element, where there is a list of them.
fn whole(place: &Pointer, root: Node<'_>) -> Pointer {
    match place.tokens().next() {
        Some(index) if root.is_array() => Pointer::root().push(&index),
        _ => Pointer::root(),
    }
}

/// The member of a row inside an entry; what tools share is in the entry of one
/// that stands alone.
fn own_member(row: &Row, alone: bool) -> Option<&'static str> {
    match row.member.strip_prefix('^') {
        Some(shared) => Some(shared).filter(|_| alone),
        None => Some(row.member),
    }
}

/// A field of a descriptor, without its spelling.
fn normal(tool: &Tree, field: &str) -> Option<Tree> {
    tool.get(field).map(Tree::normal)
}

/// The only name of a variable or a scope that is gone, and the only one that is new.
fn renamed(before: &Tree, now: &Tree) -> Option<(String, String)> {
    let lacks = |tree: &Tree, name: &str| tree.get(name).is_none();
    let gone: Vec<_> = before.members().iter().filter(|(name, _)| lacks(now, name)).collect();
    let new: Vec<_> = now.members().iter().filter(|(name, _)| lacks(before, name)).collect();
    match (gone.as_slice(), new.as_slice()) {
        ([(gone, Tree::Object(_))], [(new, Tree::Object(_))]) => Some((gone.clone(), new.clone())),
        _ => None,
    }
}

/// A field with another name in it.
fn under_new_name(field: Option<Tree>, name: Option<&(String, String)>) -> Option<Tree> {
    let (Some(Tree::Object(mut members)), Some((old, new))) = (field.clone(), name) else {
        return field;
    };
    members.iter_mut().filter(|(name, _)| name == old).for_each(|(name, _)| name.clone_from(new));
    Some(Tree::Object(members).normal())
}

/// The names of the fields of descriptors, extras apart.
fn fields<const N: usize>(tools: [&Tree; N]) -> Vec<String> {
    let members = tools.into_iter().flat_map(Tree::members);
    let mut names: Vec<_> = members.map(|(name, _)| name.clone()).collect();
    names.sort();
    names.dedup();
    names.retain(|name| name != "extras");
    names
}

/// Whether an edit is about a field: it is another, or, where there is none, what
/// it would be a part of is another.
fn is_touched(field: &str, before: &Tree, after: &Tree) -> bool {
    let mut field = field;
    loop {
        match (before.at(field), after.at(field)) {
            (None, None) => field = field.rsplit_once('/').map_or("", |(parent, _)| parent),
            (before, after) => return before != after,
        }
    }
}

/// Whether a value is another after an edit, or in an array that is.
fn is_edited(member: &str, before: &Tree, after: &Tree) -> bool {
    let ends = member.match_indices('/').map(|(end, _)| end);
    let mut holders = ends.filter_map(|end| member.get(..end));
    let differs = |pointer: &str| before.at(pointer) != after.at(pointer);
    let is_array = |pointer: &str| matches!(before.at(pointer), Some(Tree::Array(_)));
    differs(member) || holders.any(|holder| is_array(holder) && differs(holder))
}

/// Whether a pointer is another one or inside it.
fn is_below(pointer: &str, other: &str) -> bool {
    let tail = pointer.strip_prefix(other);
    tail.is_some_and(|tail| tail.is_empty() || tail.starts_with('/'))
}

/// The one leaf in which two trees differ, when it is only one.
fn only_difference(left: &Tree, right: &Tree) -> Option<String> {
    let (left, right) = (left.leaves(), right.leaves());
    let same_places = left.iter().map(|(p, _)| p).eq(right.iter().map(|(p, _)| p));
    let mut different = left.iter().zip(&right).filter(|(a, b)| a.1 != b.1);
    match (different.next(), different.next(), same_places) {
        (Some((leaf, _)), None, true) => Some(leaf.0.clone()),
        _ => None,
    }
}
