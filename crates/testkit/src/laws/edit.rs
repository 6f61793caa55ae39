//! The law that edits survive.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::changes::is_within;
use super::support::{
    LawResult, accept_all, check_valid, leaves, parse, restore_known_source, restore_source, tree,
    try_convert,
};
use crate::Tree;
use convert::{Conversion, RestoredSource, Target};
use json_text::{Document, Node};
use manifest_core::Format;
use manifest_core::sha256_hex;

/// Formats that compare names without regard to case.
const CASE_INSENSITIVE: &[(&str, &str)] =
    &[("tools-json", "its host reads names of variables in upper case")];

/// Checks that restoring an edited target returns the source with that edit and no other
/// change.
///
/// `edited` is the new text of one of the documents. The oracle knows only the documents:
///
/// - The restored source is valid. A document that has lost most of its values need not
///   restore the source.
/// - The restored source converts to every edited value, or restoring reports the edit as
///   lost.
/// - A value of the source changes only if an edited value came from it, if the new value
///   was written into the target, or if it has the text of an edited value, because
///   references follow names.
/// - A new value in the source is new in the target, too.
pub fn edit_survives(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    document: usize,
    edited: &str,
) -> LawResult {
    let Some(before) = try_convert(from, to, text, &accept_all())? else { return Ok(()) };
    let Some(emitted) = before.documents.get(document) else { return Ok(()) };
    let source = parse(text)?;
    let (now, was) = (parse(edited)?, emitted.open());
    let target = Target { name: Some(&emitted.name), document: &now };
    let back = match restore_source(from, to, &[target], &before.residue()) {
        // A residue belongs to a document that still contains most of the written values.
        Err(_) if !is_mostly_unchanged(&was, &now) => return Ok(()),
        other => other?,
    };
    check_valid(from, &back.text)?;
    let merged = restore_known_source(from, to, &[target], &source)?;
    // Without the residue, it is unknown whether a missing tool was ever selected.
    if merged.text != back.text && back.removed_tools.is_empty() {
        return Err(format!("merging back gives another source\n{text}\n{edited}"));
    }
    let fail = |what: String| {
        Err(format!(
            "{what}\n--- source\n{text}\n--- edited\n{edited}\n--- restored\n{}",
            back.text
        ))
    };
    if tree(&emitted.text)?.normalized() == tree(edited)?.normalized() {
        return if back.text == text { Ok(()) } else { fail("nothing was edited".to_owned()) };
    }

    // The edited leaves, by pointer.
    let (old, new): (BTreeMap<_, _>, BTreeMap<_, _>) =
        (leaves(&was).into_iter().collect(), leaves(&now).into_iter().collect());
    let mut touched: BTreeSet<&String> = BTreeSet::new();
    for at in old.keys().chain(new.keys()) {
        match (old.get(at), new.get(at)) {
            (Some(a), Some(b)) if a.same_value(*b) => {}
            _ => drop(touched.insert(at)),
        }
    }
    let moved = old.keys().ne(new.keys());
    check_edits_arrive([from, to], &before, document, [text, edited], &back, &touched, moved)
        .or_else(fail)?;
    let after = parse(&back.text)?;
    let rest = RestOfSource {
        old: leaves(&source),
        new: leaves(&after),
        origins: origins(&before.report(), document, &touched),
        written: touched.iter().filter_map(|at| new.get(*at).copied()).collect(),
        is_upper: CASE_INSENSITIVE.iter().any(|(name, _)| [from.name, to.name].contains(name)),
    };
    rest.check().or_else(fail)
}

/// Checks that the restored source converts to every edited value, or that its loss is
/// reported. If elements `moved`, positions are no evidence.
fn check_edits_arrive(
    [from, to]: [&'static Format; 2],
    before: &Conversion,
    document: usize,
    [text, edited]: [&str; 2],
    back: &RestoredSource,
    touched: &BTreeSet<&String>,
    moved: bool,
) -> LawResult {
    let Some(again) = try_convert(from, to, &back.text, &accept_all())? else { return Ok(()) };
    if !back.removed_tools.is_empty() || again.documents.len() != before.documents.len() {
        return Ok(());
    }
    let Some(says) = again.documents.get(document) else {
        return Err("the edited document is missing".to_owned());
    };
    let says = tree(&mask_seal(&says.text, &back.text))?.normalized();
    let wanted = tree(&mask_seal(edited, text))?.normalized();
    if moved {
        if says != wanted && back.lost_edits.is_empty() {
            return Err("the edit is neither there nor reported".to_owned());
        }
        return Ok(());
    }
    for at in touched {
        let is_lost = back.lost_edits.iter().any(|lost| is_within(at, lost.pointer.as_str()));
        if !is_lost && says.at(at) != wanted.at(at) {
            let found = says.at(at).map_or_else(String::new, Tree::render);
            return Err(format!("the edit of {at} is neither there nor reported: {found}"));
        }
    }
    Ok(())
}

/// Masks the digest of the source, which changes with every byte of it.
fn mask_seal(text: &str, source: &str) -> String {
    text.replace(&sha256_hex(source.as_bytes()), "SEAL")
}

/// Returns true if most leaves of a document are unchanged.
pub(super) fn is_mostly_unchanged(was: &Document<'_>, now: &Document<'_>) -> bool {
    let now: BTreeMap<_, _> = leaves(now).into_iter().collect();
    let was = leaves(was);
    let mut kept = 0;
    for (at, leaf) in &was {
        kept += usize::from(now.get(at).is_some_and(|now| now.same_value(*leaf)));
    }
    2 * kept > was.len()
}

/// Returns the places of the source that the edited values came from.
fn origins(
    account: &convert::ConversionReport,
    document: usize,
    touched: &BTreeSet<&String>,
) -> BTreeSet<String> {
    let mut origins = BTreeSet::new();
    for leaf in &account.target {
        let own = leaf.target.pointer.as_str();
        let is_touched = leaf.target.document == document
            && touched.iter().any(|at| is_within(own, at) || is_within(at, own));
        if is_touched {
            origins.extend(leaf.source.iter().map(|from| from.pointer.to_string()));
        }
    }
    origins
}

/// The leaves of the source before and after a restore, which must be the same where no
/// edit changed them.
struct RestOfSource<'d> {
    old: Vec<(String, Node<'d>)>,
    new: Vec<(String, Node<'d>)>,
    /// The places of the source that the edited values came from.
    origins: BTreeSet<String>,
    /// The edited values, as they are now.
    written: Vec<Node<'d>>,
    /// True if names are compared without regard to case.
    is_upper: bool,
}

/// How often a leaf was added, by its place and its text. Negative if it was removed.
type LeafCounts<'d> = BTreeMap<(String, &'d str), i64>;

impl<'d> RestOfSource<'d> {
    /// Checks that only places changed that edited values came from, or places with the same
    /// text as one of them. If elements were added or removed, indices are ignored and values
    /// are counted. An element that is added or removed takes everything inside with it.
    fn check(&self) -> Result<(), String> {
        let has_same_places =
            self.old.iter().map(|(at, _)| at).eq(self.new.iter().map(|(at, _)| at));
        let here = self.count_leaves(|at| place_of(at, has_same_places));
        let anywhere = self.count_leaves(without_indices);
        let comparison = LeafComparison { rest: self, has_same_places, here, anywhere };
        comparison
            .check_leaves(&self.old, -1, |leaf| comparison.may_go(leaf))
            .map_err(|at| format!("{at} was not edited, but is gone"))?;
        comparison
            .check_leaves(&self.new, 1, |leaf| comparison.may_come(leaf))
            .map_err(|at| format!("{at} was not edited, but is new"))
    }

    fn count_leaves(&self, place: impl Fn(&str) -> String) -> LeafCounts<'d> {
        let mut counts = LeafCounts::new();
        for (at, leaf) in &self.new {
            *counts.entry((place(at), leaf.raw())).or_default() += 1;
        }
        for (at, leaf) in &self.old {
            *counts.entry((place(at), leaf.raw())).or_default() -= 1;
        }
        counts
    }

    /// Returns true if a leaf has the value of an edited one.
    fn is_written(&self, leaf: &Node<'_>) -> bool {
        self.written.iter().any(|one| one.same_value(*leaf))
    }

    /// Returns true if the text of a leaf contains one of the names, or is part of one.
    fn follows(&self, leaf: &Node<'_>, names: impl IntoIterator<Item = Option<String>>) -> bool {
        let Some(text) = leaf_text(leaf) else { return false };
        let text = self.cased(text);
        names.into_iter().flatten().any(|name| {
            let name = self.cased(name);
            text.contains(&name) || name.contains(&text)
        })
    }

    fn cased(&self, text: String) -> String {
        if self.is_upper { text.to_ascii_uppercase() } else { text }
    }
}

/// Returns the text of a leaf, unless it is empty.
fn leaf_text(leaf: &Node<'_>) -> Option<String> {
    leaf.text().map(Cow::into_owned).filter(|text| !text.is_empty())
}

fn place_of(at: &str, has_same_places: bool) -> String {
    if has_same_places { at.to_owned() } else { without_indices(at) }
}

/// The leaves before and after a restore, with how often each was added or removed.
struct LeafComparison<'r, 'd> {
    rest: &'r RestOfSource<'d>,
    /// True if no element was added or removed.
    has_same_places: bool,
    /// By place, without indices unless the places are the same.
    here: LeafCounts<'d>,
    /// By place without indices.
    anywhere: LeafCounts<'d>,
}

impl LeafComparison<'_, '_> {
    /// Returns how often a leaf was added, or removed if negative.
    fn surplus(&self, (at, leaf): &(String, Node<'_>)) -> i64 {
        let key = (place_of(at, self.has_same_places), leaf.raw());
        self.here.get(&key).copied().unwrap_or(0)
    }

    /// Returns true if a place is one that an edited value came from, or inside it.
    fn is_below_origin(&self, at: &str) -> bool {
        let at = place_of(at, self.has_same_places);
        let mut origins = self.rest.origins.iter();
        origins.any(|origin| is_within(&at, &place_of(origin, self.has_same_places)))
    }

    fn may_go(&self, (at, leaf): &(String, Node<'_>)) -> bool {
        let rest = self.rest;
        if self.is_below_origin(at) {
            return true;
        }
        // Its replacement was written into the target.
        if rest.new.iter().any(|(place, leaf)| is_within(place, at) && rest.is_written(leaf)) {
            return true;
        }
        let named = rest.old.iter().filter(|(at, _)| rest.origins.contains(at));
        rest.follows(leaf, named.map(|(_, leaf)| leaf_text(leaf)))
    }

    fn may_come(&self, (at, leaf): &(String, Node<'_>)) -> bool {
        self.is_below_origin(at)
            || self.rest.is_written(leaf)
            || self.rest.follows(leaf, self.rest.written.iter().map(leaf_text))
    }

    /// Returns true if a leaf changes along with the value at `around`. If the places are the
    /// same, elements may only have another order. Otherwise a value that is added or removed
    /// takes everything inside with it.
    fn goes_along(
        &self,
        (at, leaf): &(String, Node<'_>),
        around: &str,
        all: &[(String, Node<'_>)],
    ) -> bool {
        if self.has_same_places {
            let count = self.anywhere.get(&(without_indices(at), leaf.raw()));
            return count.is_none_or(|count| *count == 0);
        }
        all.iter().all(|one| !is_within(&one.0, around) || self.surplus(one) != 0)
    }

    /// Checks that each leaf that was added (`sign` 1) or removed (-1) may change: `allowed`
    /// allows it, or it goes along with a value around it that contains an allowed leaf. Of
    /// equal leaves, only as many must be allowed as were added or removed. Fails with the
    /// place of one that may not.
    fn check_leaves(
        &self,
        all: &[(String, Node<'_>)],
        sign: i64,
        allowed: impl Fn(&(String, Node<'_>)) -> bool,
    ) -> Result<(), String> {
        let changed: Vec<_> = all.iter().filter(|one| self.surplus(one) * sign > 0).collect();
        let mut containers: BTreeSet<&str> = BTreeSet::new();
        for one in &changed {
            if allowed(one) {
                containers.extend(self_and_ancestors(&one.0));
            }
        }
        let mut counts: BTreeMap<(String, &str), i64> = BTreeMap::new();
        for one in &changed {
            let mut around = self_and_ancestors(&one.0).filter(|at| containers.contains(at));
            let may_change = allowed(one) || around.any(|around| self.goes_along(one, around, all));
            let key = (place_of(&one.0, self.has_same_places), one.1.raw());
            *counts.entry(key).or_default() += i64::from(may_change);
        }
        for one in changed {
            let key = (place_of(&one.0, self.has_same_places), one.1.raw());
            if counts.get(&key).is_none_or(|count| *count < self.surplus(one).abs()) {
                return Err(one.0.clone());
            }
        }
        Ok(())
    }
}

/// Returns a place and the values around it, except the root.
fn self_and_ancestors(at: &str) -> impl Iterator<Item = &str> {
    let ends = at.match_indices('/').map(|(end, _)| end).skip(1).chain([at.len()]);
    ends.filter_map(|end| at.get(..end))
}

/// Returns a pointer with `*` for each index.
pub(super) fn without_indices(pointer: &str) -> String {
    let mut tokens: Vec<&str> = pointer.split('/').collect();
    for token in &mut tokens {
        if token.parse::<usize>().is_ok() {
            *token = "*";
        }
    }
    tokens.join("/")
}
