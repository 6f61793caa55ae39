//! Changes of the target after a change of the source, compared with the ledger.

use std::collections::BTreeSet;

use super::support::{accept_all, parse, tree, try_convert};
use crate::Tree;
use convert::{ConversionReport, RunMode, SourceLeaf, SourcePlace, TargetLeaf, TargetPlace};
use manifest_core::Format;
use manifest_core::format::Derivation;
use manifest_core::sha256_hex;

/// A conversion with masked seals, because a seal changes with every byte of the source.
pub(super) struct MaskedConversion {
    trees: Vec<Tree>,
    account: ConversionReport,
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
        let masked = |text: &str| tree(&text.replace(&seal, "SEAL"));
        let trees = conversion.documents.iter().map(|one| masked(&one.text));
        let trees = trees.collect::<Result<_, _>>()?;
        Ok(Some(Self { trees, account: conversion.report(&parse(text)?) }))
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
        let count = |shown: &Self| {
            let (list, last) = at.rsplit_once('/')?;
            last.parse::<usize>().ok()?;
            match shown.at(to.document, list)? {
                Tree::Array(items) => Some(items.iter().filter(|one| Some(*one) == here).count()),
                _ => None,
            }
        };
        here != after.at(to.document, at) || count(self) > count(after)
    }

    /// Returns true if every value that came from a leaf of the source is joint with
    /// others.
    pub(super) fn is_joint(&self, leaf: &SourceLeaf) -> bool {
        leaf.target.iter().all(|to| {
            let mut there = self.leaves_at(to.document, to.pointer.as_str()).peekable();
            let among =
                |places: &[SourcePlace]| places.iter().any(|from| from.pointer == leaf.source);
            there.peek().is_some()
                && there.all(|one| one.joint && (one.by.is_empty() || among(&one.by)))
        })
    }

    /// Returns true if a value outside the bridge has changed.
    pub(super) fn changes_outside_bridge(&self, after: &Self) -> bool {
        (0..self.trees.len().max(after.trees.len())).any(|document| {
            let roots =
                [self, after].map(|shown| Some((String::new(), shown.trees.get(document)?)));
            changed_places(roots).into_iter().any(|[old, new]| {
                let told = |shown: &Self, at: &Option<String>| {
                    at.as_deref().is_none_or(|at| shown.is_bridge(document, at))
                };
                !(told(self, &old) && told(after, &new))
            })
        })
    }

    /// Returns a place of the target that changed with a leaf of the source, and that names
    /// the leaf neither before nor after. A value that is added or removed as a whole is
    /// named by one of its leaves. If the bridge replaces a call, or a call the bridge, the
    /// whole call decides: values of the bridge, and values that are added or removed, need
    /// not name the leaf.
    pub(super) fn unexplained_change(&self, after: &Self, leaf: &str) -> Option<String> {
        let otherwise = self.runs() != after.runs();
        for document in 0..self.trees.len().max(after.trees.len()) {
            let roots =
                [self, after].map(|shown| Some((String::new(), shown.trees.get(document)?)));
            let fault = changed_places(roots).into_iter().find(|[old, new]| {
                let names = |shown: &Self, at: &Option<String>| {
                    at.as_deref().is_some_and(|at| shown.names(document, at, leaf))
                };
                let bridge = |shown: &Self, at: &Option<String>| {
                    at.as_deref().is_none_or(|at| shown.is_bridge(document, at))
                };
                let excused = otherwise && (bridge(self, old) || bridge(after, new));
                !names(self, old) && !names(after, new) && !excused
            });
            if let Some([old, new]) = fault {
                return old.or(new);
            }
        }
        None
    }

    /// Returns the leaves of the target at a place or inside it.
    fn leaves_at(&self, document: usize, place: &str) -> impl Iterator<Item = &TargetLeaf> {
        self.account.target.iter().filter(move |one| {
            one.target.document == document && is_within(one.target.pointer.as_str(), place)
        })
    }

    fn is_bridge(&self, document: usize, place: &str) -> bool {
        self.leaves_at(document, place)
            .any(|one| matches!(one.how, Derivation::Bridge | Derivation::Seal))
    }

    /// Returns true if the value at a place names a leaf of the source. Of equal elements
    /// of a list, any may name it: it is unknown which one was added or removed.
    fn names(&self, document: usize, place: &str, leaf: &str) -> bool {
        let here = self.at(document, place);
        let list = place.rsplit_once('/').filter(|(_, last)| last.parse::<usize>().is_ok());
        let items = list.and_then(|(list, _)| match self.at(document, list)? {
            Tree::Array(items) => Some((list, items)),
            _ => None,
        });
        let equal = items.into_iter().flat_map(|(list, items)| {
            let equal = items.iter().enumerate().filter(|(_, one)| Some(*one) == here);
            equal.map(move |(index, _)| format!("{list}/{index}"))
        });
        let mut places = equal.chain([place.to_owned()]);
        places.any(|place| {
            let there = self.leaves_at(document, &place);
            let mut sources = there.flat_map(|one| one.source.iter());
            sources.any(|from| {
                let source = from.pointer.as_str();
                is_within(leaf, source) || is_within(source, leaf)
            })
        })
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
                for key in a.iter().chain(b).map(|(key, _)| key).collect::<BTreeSet<_>>() {
                    open.push([member(old, a, key), member(new, b, key)]);
                }
            }
            [Some((old, Tree::Array(a))), Some((new, Tree::Array(b)))]
                if !a.is_empty() && !b.is_empty() =>
            {
                let (only_a, only_b) = unmatched_indices(a, b);
                for next in 0..only_a.len().max(only_b.len()) {
                    let element =
                        |at: &str, list: &[usize], items| item(at, *list.get(next)?, items);
                    open.push([element(old, &only_a, a), element(new, &only_b, b)]);
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

fn item<'s>(at: &str, index: usize, items: &'s [Tree]) -> LocatedValue<'s> {
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
