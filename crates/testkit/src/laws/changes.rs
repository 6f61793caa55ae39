//! Changes of the target after a change of the source, compared with the ledger.

use std::collections::BTreeSet;

use super::support::{accept_all, tree, try_convert};
use crate::Tree;
use convert::{ConversionReport, RunMode, SourceLeaf, TargetLeaf, TargetPlace};
use manifest_core::Format;
use manifest_core::format::Derivation;
use manifest_core::sha256_hex;

/// A conversion with masked seals, because a seal changes with every byte of the source.
pub(super) struct MaskedConversion {
    trees: Vec<Tree>,
    account: ConversionReport,
}

/// A place of one document that changed: in the old and in the new one.
struct Change {
    document: usize,
    before: Option<String>,
    after: Option<String>,
}

/// A value of a document, and its pointer.
type LocatedValue<'s> = Option<(String, &'s Tree)>;

impl MaskedConversion {
    pub(super) fn of(
        from: &'static Format,
        to: &'static Format,
        text: &str,
    ) -> Result<Option<Self>, String> {
        let Some(conversion) = try_convert(from, to, text, &accept_all())? else { return Ok(None) };
        let seal = sha256_hex(text.as_bytes());
        let mut trees = Vec::new();
        for document in &conversion.documents {
            trees.push(tree(&document.text.replace(&seal, "SEAL"))?);
        }
        Ok(Some(Self { trees, account: conversion.report() }))
    }

    /// Returns the ledger's entry for a leaf of the source.
    pub(super) fn leaf(&self, at: &str) -> Option<&SourceLeaf> {
        self.account.source.iter().find(|leaf| leaf.source.as_str() == at)
    }

    /// Returns how each tool runs.
    pub(super) fn runs(&self) -> Vec<&RunMode> {
        self.account.tools.iter().map(|tool| &tool.runs).collect()
    }

    fn at(&self, document: usize, pointer: &str) -> Option<&Tree> {
        self.trees.get(document)?.at(pointer)
    }

    /// Returns true if the value at a place is gone. If an element leaves a list, an equal
    /// one may take its place; then the list has one less of them.
    pub(super) fn changes_at(&self, to: &TargetPlace, after: &Self) -> bool {
        let at = to.pointer.as_str();
        let here = self.at(to.document, at);
        if here != after.at(to.document, at) {
            return true;
        }
        let Some((_, before)) = self.list_around(to.document, at) else { return false };
        let Some((_, after)) = after.list_around(to.document, at) else { return true };
        let count = |items: &[Tree]| items.iter().filter(|one| Some(*one) == here).count();
        count(before) > count(after)
    }

    /// Returns the list that a place is an element of, and its elements.
    fn list_around<'p>(&self, document: usize, place: &'p str) -> Option<(&'p str, &[Tree])> {
        let (list, last) = place.rsplit_once('/')?;
        match self.at(document, list)? {
            Tree::Array(items) if last.parse::<usize>().is_ok() => Some((list, items)),
            _ => None,
        }
    }

    /// Returns true if every value that came from a leaf of the source is joint with
    /// others.
    pub(super) fn is_joint(&self, leaf: &SourceLeaf) -> bool {
        for to in &leaf.target {
            let mut found = false;
            for one in self.leaves_at(to.document, to.pointer.as_str()) {
                let is_named = one.by.iter().any(|from| from.pointer == leaf.source);
                if !one.joint || !one.by.is_empty() && !is_named {
                    return false;
                }
                found = true;
            }
            if !found {
                return false;
            }
        }
        true
    }

    /// Returns true if a value outside the bridge has changed.
    pub(super) fn changes_outside_bridge(&self, after: &Self) -> bool {
        self.changes(after).iter().any(|Change { document, before: old, after: new }| {
            !(self.is_bridge_or_none(*document, old.as_ref())
                && after.is_bridge_or_none(*document, new.as_ref()))
        })
    }

    /// Returns a place of the target that changed with a leaf of the source, and that names
    /// the leaf neither before nor after. A value that is added or removed as a whole is
    /// named by one of its leaves. If the bridge replaces a call, or a call the bridge, the
    /// whole call decides: values of the bridge, and values that are added or removed, need
    /// not name the leaf.
    pub(super) fn unexplained_change(&self, after: &Self, leaf: &str) -> Option<String> {
        let runs_otherwise = self.runs() != after.runs();
        for Change { document, before: old, after: new } in self.changes(after) {
            let excused = runs_otherwise
                && (self.is_bridge_or_none(document, old.as_ref())
                    || after.is_bridge_or_none(document, new.as_ref()));
            let named = old.as_ref().is_some_and(|at| self.names(document, at, leaf))
                || new.as_ref().is_some_and(|at| after.names(document, at, leaf));
            if !named && !excused {
                return old.or(new);
            }
        }
        None
    }

    /// Returns the changed places of all documents.
    fn changes(&self, after: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        for document in 0..self.trees.len().max(after.trees.len()) {
            let old = self.trees.get(document).map(|tree| (String::new(), tree));
            let new = after.trees.get(document).map(|tree| (String::new(), tree));
            for [before, after] in changed_places([old, new]) {
                changes.push(Change { document, before, after });
            }
        }
        changes
    }

    /// Returns the leaves of the target at a place or inside it.
    fn leaves_at(&self, document: usize, place: &str) -> impl Iterator<Item = &TargetLeaf> {
        self.account.target.iter().filter(move |one| {
            one.target.document == document && is_within(one.target.pointer.as_str(), place)
        })
    }

    /// Returns true if a place contains a value of the bridge, or does not exist.
    fn is_bridge_or_none(&self, document: usize, place: Option<&String>) -> bool {
        let Some(place) = place else { return true };
        self.leaves_at(document, place)
            .any(|one| matches!(one.how, Derivation::Bridge | Derivation::Seal))
    }

    /// Returns true if the value at a place names a leaf of the source. Of equal elements
    /// of a list, any may name it: it is unknown which one was added or removed.
    fn names(&self, document: usize, place: &str, leaf: &str) -> bool {
        let mut places = vec![place.to_owned()];
        if let Some((list, items)) = self.list_around(document, place) {
            let here = self.at(document, place);
            for (index, item) in items.iter().enumerate() {
                if Some(item) == here {
                    places.push(format!("{list}/{index}"));
                }
            }
        }
        for place in places {
            for one in self.leaves_at(document, &place) {
                for from in &one.source {
                    let source = from.pointer.as_str();
                    if is_within(leaf, source) || is_within(source, leaf) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

/// Returns true if a pointer is `outer` or below it.
pub(super) fn is_within(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the places where two values differ, in each of them. List elements that only
/// moved do not count.
fn changed_places(roots: [LocatedValue<'_>; 2]) -> Vec<[Option<String>; 2]> {
    let mut moved = Vec::new();
    let mut open = vec![roots];
    while let Some(spots) = open.pop() {
        match &spots {
            [Some((_, a)), Some((_, b))] if a == b => {}
            [Some((old, Tree::Object(a))), Some((new, Tree::Object(b)))]
                if !a.is_empty() && !b.is_empty() =>
            {
                let keys: BTreeSet<&String> = a.iter().chain(b).map(|(key, _)| key).collect();
                for key in keys {
                    open.push([member(old, a, key), member(new, b, key)]);
                }
            }
            [Some((old, Tree::Array(a))), Some((new, Tree::Array(b)))]
                if !a.is_empty() && !b.is_empty() =>
            {
                let (only_a, only_b) = unmatched_indices(a, b);
                for next in 0..only_a.len().max(only_b.len()) {
                    open.push([item(old, only_a.get(next), a), item(new, only_b.get(next), b)]);
                }
            }
            _ => moved.push(spots.map(|spot| spot.map(|(at, _)| at))),
        }
    }
    moved
}

fn member<'s>(at: &str, members: &'s [(String, Tree)], key: &str) -> LocatedValue<'s> {
    let (_, value) = members.iter().find(|(name, _)| name == key)?;
    Some((format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), value))
}

fn item<'s>(at: &str, index: Option<&usize>, items: &'s [Tree]) -> LocatedValue<'s> {
    let index = *index?;
    Some((format!("{at}/{index}"), items.get(index)?))
}

/// Returns the indices of the elements of two lists that have no equal in the other.
fn unmatched_indices(a: &[Tree], b: &[Tree]) -> (Vec<usize>, Vec<usize>) {
    let mut rest: Vec<usize> = (0..b.len()).collect();
    let mut only = Vec::new();
    for (index, item) in a.iter().enumerate() {
        match rest.iter().position(|other| b.get(*other) == Some(item)) {
            Some(found) => drop(rest.remove(found)),
            None => only.push(index),
        }
    }
    (only, rest)
}
