//! The ledger: where every value went, and where every value came from.
//!
//! A [`Ledger`] contains the records that writing left. Leaves and pointers are computed on
//! demand: [`Ledger::list_leaves`] lists every leaf of the source once, and every leaf of the
//! target once.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use diagnostic::Pointer;
use json_text::{Document, Node};
use manifest_core::Place;
use manifest_core::format::{Derivation, Record, Records};
use serde::{Deserialize, Serialize};

use crate::needs::Need;
use crate::output::{HostDifference, OutputDocument, ToolOutcome};
use crate::safety::Notice;

/// The records of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub(crate) records: Records,
}

/// The class of a source leaf: how well the target preserves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// The target contains the value as it was written.
    Native,
    /// The target contains the value in another form, with the same meaning.
    Equivalent,
    /// The target contains a value with nearly the same meaning.
    Approximated,
    /// The target lacks the value; only the residue contains it.
    ResidueOnly,
}

impl Class {
    /// Returns the name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Equivalent => "equivalent",
            Self::Approximated => "approximated",
            Self::ResidueOnly => "residue-only",
        }
    }
}

/// A place in an input document. The source is number 0, which is not serialised. The
/// others are edited targets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SourcePlace {
    /// The number of the document.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub document: u16,
    /// The place in it.
    pub pointer: Pointer,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_zero(number: &u16) -> bool {
    *number == 0
}

/// A place in a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TargetPlace {
    /// The index of the document.
    pub document: usize,
    /// The place in it.
    pub pointer: Pointer,
}

/// A leaf of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SourceLeaf {
    /// The place of the leaf.
    pub source: Pointer,
    /// The best class of its places in the target.
    pub class: Class,
    /// The places of that class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target: Vec<TargetPlace>,
    /// The places that preserve less of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<TargetPlace>,
    /// Why it is only approximated. Empty if its places have different reasons.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub why: Cow<'static, str>,
}

/// A leaf of the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TargetLeaf {
    /// The place of the leaf.
    #[serde(flatten)]
    pub target: TargetPlace,
    /// How the value was written.
    pub how: Derivation,
    /// The places that the value came from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<SourcePlace>,
    /// The places among them that only influence the value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<SourcePlace>,
    /// True if changing any one source alone leaves the value unchanged. Refers to `by`
    /// unless it is empty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub joint: bool,
    /// Why the value is not the same, or why it was assumed.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub why: Cow<'static, str>,
    /// The value, as written.
    pub value: String,
}

/// The report of a conversion: every leaf of the source once, every leaf of the target
/// once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ConversionReport {
    /// Safety notices, most serious first.
    pub safety: Vec<Notice>,
    /// How each tool runs.
    pub tools: Vec<ToolOutcome>,
    /// Prerequisites of the converted tools.
    pub needs: Vec<Need>,
    /// The leaves of the source, in order.
    pub source: Vec<SourceLeaf>,
    /// The leaves of the target, in order.
    pub target: Vec<TargetLeaf>,
    /// Differences between the hosts of both formats.
    pub implied: Vec<HostDifference>,
}

impl ConversionReport {
    /// Returns the number of source leaves of a class.
    pub fn count(&self, class: Class) -> usize {
        self.source.iter().filter(|leaf| leaf.class == class).count()
    }

    /// Returns the leaves of the target that do not come from the source: assumed values,
    /// and values for the bridge.
    pub fn assumed(&self) -> impl Iterator<Item = &TargetLeaf> {
        self.target
            .iter()
            .filter(|leaf| matches!(leaf.how, Derivation::Assumed | Derivation::Bridge))
    }
}

/// A text that was inserted into a document.
pub(crate) struct Insertion {
    /// Its offset and its length in bytes.
    pub(crate) offset: u32,
    pub(crate) length: u32,
    /// Its record.
    pub(crate) record: Record,
}

/// The reason of a source value that only influences another one.
const INFLUENCES: &str = "it decides what is told there";

/// The same, if the other value does not change without it.
const JOINT: &str = "it is one of several reasons";

/// The values of a target in order, each with the source value that it comes from, and
/// whether it is a copy of it.
pub(crate) struct Origins<'d>(Vec<(Node<'d>, Node<'d>, bool)>);

impl<'d> Origins<'d> {
    /// Returns the source of a target value: the same part of a copied value, otherwise the
    /// whole value that it was made from.
    pub(crate) fn of(&self, node: Node<'_>) -> Option<Node<'d>> {
        let before = self.0.partition_point(|(value, ..)| value.index() <= node.index());
        let (value, source, same) = *self.0.get(before.checked_sub(1)?)?;
        if node.index() >= value.index_after() {
            return None;
        }
        let below = node.pointer();
        let below = below.as_str().strip_prefix(value.pointer().as_str())?;
        let below = Pointer::parse(below).ok().filter(|_| same);
        Some(below.and_then(|below| source.at(&below)).unwrap_or(source))
    }
}

impl Ledger {
    /// Lists every leaf. `sources` are the input documents: the source, then edited targets
    /// if there are any.
    pub(crate) fn list_leaves(
        &self,
        sources: &[&Document<'_>],
        documents: &[OutputDocument],
    ) -> (Vec<SourceLeaf>, Vec<TargetLeaf>) {
        let Some(source) = sources.first() else { return (Vec::new(), Vec::new()) };
        let leaves: Vec<(Pointer, Node<'_>)> = source.root().leaves().collect();
        let uses = vec![Vec::new(); leaves.len()];
        let records = &self.records;
        let mut lister = LeafLister { records, sources, source, leaves, uses, targets: Vec::new() };
        for (document, output) in documents.iter().enumerate() {
            let parsed = output.open();
            let mut values = self.recorded_values(document, &parsed).peekable();
            while let Some((record, pointer, node)) = values.next() {
                // A residue inside a schema has a record of its own.
                let inner = match values.peek() {
                    Some((.., next)) if next.index() < node.index_after() => Some(*next),
                    _ => None,
                };
                lister.add_record(record, &TargetPlace { document, pointer }, node, inner);
            }
        }
        let mut source_leaves = Vec::with_capacity(lister.leaves.len());
        for ((pointer, _), uses) in lister.leaves.into_iter().zip(lister.uses) {
            source_leaves.push(source_leaf(pointer, uses));
        }
        (source_leaves, lister.targets)
    }

    /// Returns the recorded values of one document, in order.
    fn recorded_values<'s, 'd>(
        &'s self,
        document: usize,
        parsed: &'d Document<'d>,
    ) -> impl Iterator<Item = (&'s Record, Pointer, Node<'d>)> + use<'s, 'd> {
        let records = &self.records.records;
        let first = records.partition_point(|record| (record.document as usize) < document);
        let end = records.partition_point(|record| record.document as usize <= document);
        let mut nodes = parsed.root().descendants().peekable();
        records.get(first..end).unwrap_or_default().iter().filter_map(move |record| {
            let start = record.start as usize;
            while nodes.next_if(|node| node.span().start < start).is_some() {}
            let node = nodes.peek().copied().filter(|node| node.span().start == start)?;
            Some((record, node.pointer(), node))
        })
    }

    /// Returns the source values that the values of one document come from.
    pub(crate) fn origins<'d>(
        &self,
        document: usize,
        parsed: &'d Document<'d>,
        source: &'d Document<'d>,
    ) -> Origins<'d> {
        let mut origins = Vec::new();
        for (record, _, node) in self.recorded_values(document, parsed) {
            let mut places = self.records.places(record).iter();
            if let Some(place) = places.find(|place| place.document == 0)
                && let Some(source) = source.node(place.entry)
            {
                let is_copy = record.derivation == Derivation::Native && place.exact;
                origins.push((node, source, is_copy));
            }
        }
        Origins(origins)
    }

    /// Returns the values of one document that were written in one of the `wanted` ways.
    pub(crate) fn target_values<'d>(
        &self,
        document: usize,
        parsed: &'d Document<'d>,
        wanted: impl Fn(Derivation) -> bool,
    ) -> Vec<(Pointer, Node<'d>)> {
        let mut found = Vec::new();
        for (record, at, node) in self.recorded_values(document, parsed) {
            if wanted(record.derivation) {
                found.push((at, node));
            }
        }
        found
    }

    /// Returns the approximated values of one document, each with the places that it was
    /// made from.
    pub(crate) fn approximated_values(
        &self,
        document: usize,
        parsed: &Document<'_>,
    ) -> Vec<(Pointer, &[Place])> {
        let mut found = Vec::new();
        for (record, at, _) in self.recorded_values(document, parsed) {
            if record.derivation == Derivation::Approximated {
                found.push((at, self.records.places(record)));
            }
        }
        found
    }

    /// Returns the lists and objects of one document that are equivalent to the source but
    /// derived from it: no leaf of them is copied from the source.
    pub(crate) fn derived_containers(
        &self,
        document: usize,
        parsed: &Document<'_>,
    ) -> Vec<Pointer> {
        let mut found = Vec::new();
        for (record, at, node) in self.recorded_values(document, parsed) {
            let places = self.records.places(record);
            if record.derivation == Derivation::Equivalent
                && (node.is_object() || node.is_array())
                && !places.is_empty()
                && places.iter().all(|place| !place.exact)
            {
                found.push(at);
            }
        }
        found
    }

    /// Returns the values of one document that share their places with another value.
    pub(crate) fn shared_values(&self, document: usize, parsed: &Document<'_>) -> Vec<Pointer> {
        let mut by_places: BTreeMap<&[Place], Vec<Pointer>> = BTreeMap::new();
        for (record, at, _) in self.recorded_values(document, parsed) {
            let places = self.records.places(record);
            if record.derivation.keeps_meaning() && !places.is_empty() {
                by_places.entry(places).or_default().push(at);
            }
        }
        by_places.into_values().filter(|values| values.len() > 1).flatten().collect()
    }

    /// Adds the records of texts that were inserted into documents, and moves the records
    /// after them. There is one text for each document, in order.
    pub(crate) fn insert_records(&mut self, inserted: &[Insertion]) {
        let mut records: Vec<Record> = inserted.iter().map(|one| one.record).collect();
        for mut record in std::mem::take(&mut self.records.records) {
            if let Some(one) = inserted.get(record.document as usize)
                && record.start >= one.offset
            {
                record.start = record.start.saturating_add(one.length);
            }
            records.push(record);
        }
        // The sort is stable: an inserted record stays before one that begins at its place.
        records.sort_by_key(|record| (record.document, record.start));
        self.records.records = records;
    }
}

/// A use of a leaf of the source: how, why, and where in the target.
type Use = (Derivation, &'static str, TargetPlace);

/// Lists the leaves of source and target, record by record.
struct LeafLister<'l> {
    records: &'l Records,
    sources: &'l [&'l Document<'l>],
    source: &'l Document<'l>,
    /// The leaves of the source, and their uses.
    leaves: Vec<(Pointer, Node<'l>)>,
    uses: Vec<Vec<Use>>,
    targets: Vec<TargetLeaf>,
}

impl LeafLister<'_> {
    /// Adds the leaves of one recorded value, except those in `inner`, which has a record of
    /// its own.
    fn add_record(
        &mut self,
        record: &Record,
        to: &TargetPlace,
        node: Node<'_>,
        inner: Option<Node<'_>>,
    ) {
        let mut inside: Vec<(TargetPlace, Node<'_>)> = Vec::new();
        for (below, leaf) in node.leaves() {
            let is_inner = inner.is_some_and(|inner| {
                inner.index() <= leaf.index() && leaf.index() < inner.index_after()
            });
            if !is_inner {
                let pointer = to.pointer.clone().join(&below);
                inside.push((TargetPlace { document: to.document, pointer }, leaf));
            }
        }
        let twins = self.twins(record, &inside);
        self.add_source_uses(record, to, &inside, twins.is_some());
        let first = self.targets.len();
        let mut all_places = Vec::new();
        if twins.is_none() {
            for place in self.records.places(record) {
                all_places.extend(self.source_place(place));
            }
        }
        for (index, (target, leaf)) in inside.into_iter().enumerate() {
            let twin = twins.as_ref().and_then(|twins| twins.get(index));
            self.targets.push(TargetLeaf {
                target,
                how: record.derivation,
                source: twin.map_or_else(|| all_places.clone(), |twin| vec![twin.clone()]),
                by: Vec::new(),
                joint: record.joint,
                why: record.reason.into(),
                value: leaf.raw().to_owned(),
            });
        }
        self.add_influences(record, to, first);
    }

    fn source_node(&self, place: &Place) -> Option<Node<'_>> {
        self.sources.get(usize::from(place.document))?.node(place.entry)
    }

    fn source_place(&self, place: &Place) -> Option<SourcePlace> {
        let pointer = self.source_node(place)?.pointer();
        Some(SourcePlace { document: place.document, pointer })
    }

    /// Returns the source leaf of each leaf of a copied value: it has the same leaves as its
    /// source, in the same order.
    fn twins(
        &self,
        record: &Record,
        inside: &[(TargetPlace, Node<'_>)],
    ) -> Option<Vec<SourcePlace>> {
        let [place] = self.records.places(record) else { return None };
        // A derived value may have as many leaves by chance.
        if !place.exact && inside.len() != 1 {
            return None;
        }
        let source = self.source_node(place)?;
        if source.leaves().count() != inside.len() {
            return None;
        }
        let (document, whole) = (place.document, source.pointer());
        let mut twins = Vec::new();
        for (below, _) in source.leaves() {
            twins.push(SourcePlace { document, pointer: whole.clone().join(&below) });
        }
        Some(twins)
    }

    /// Adds a record to the uses of the source leaves that it comes from.
    fn add_source_uses(
        &mut self,
        record: &Record,
        to: &TargetPlace,
        inside: &[(TargetPlace, Node<'_>)],
        has_twins: bool,
    ) {
        for place in self.records.places(record) {
            // A place among its own influences counts as an influence only.
            let is_influence = self.records.influences.entries_at(place).contains(&place.entry);
            if place.document != 0 || is_influence {
                continue;
            }
            let Some(source) = self.source_node(place) else { continue };
            // Skipping to the range would make each record linear in the document.
            let range = leaf_range(&self.leaves, source);
            let uses = self.uses.get_mut(range).unwrap_or_default();
            for (index, uses) in uses.iter_mut().enumerate() {
                let place = match inside.get(index) {
                    Some((place, _)) if has_twins => place,
                    _ => to,
                };
                uses.push((record.derivation, record.reason, place.clone()));
            }
        }
    }

    /// Adds the influences of one record to its leaves in the target, which begin at
    /// `first`, and to the leaves of the source.
    fn add_influences(&mut self, record: &Record, to: &TargetPlace, first: usize) {
        let influences = &self.records.influences;
        let (mut is_joint, mut is_alone) = (false, true);
        let mut entries: BTreeSet<u32> = BTreeSet::new();
        for place in self.records.places(record) {
            if place.document == 0 {
                is_joint |= influences.is_joint(place);
                is_alone &= influences.is_joint(place);
                entries.extend(influences.entries_at(place));
            }
        }
        let targets = self.targets.get_mut(first..).unwrap_or_default();
        if is_joint {
            for target in targets.iter_mut() {
                target.joint = true;
                // A value that also has a place of its own keeps its class.
                if is_alone {
                    (target.how, target.why) = (Derivation::Approximated, JOINT.into());
                }
            }
        }
        let mut by: Vec<SourcePlace> = Vec::new();
        let how = record.derivation.max(Derivation::Approximated);
        let why = match how {
            Derivation::Approximated if is_joint => JOINT,
            Derivation::Approximated => INFLUENCES,
            _ => record.reason,
        };
        for node in entries.into_iter().filter_map(|entry| self.source.node(entry)) {
            by.push(SourcePlace { document: 0, pointer: node.pointer() });
            let range = leaf_range(&self.leaves, node);
            for uses in self.uses.get_mut(range).unwrap_or_default() {
                uses.push((how, why, to.clone()));
            }
        }
        if by.is_empty() {
            return;
        }
        for target in targets {
            let known: BTreeSet<SourcePlace> = target.source.iter().cloned().collect();
            target.source.extend(by.iter().filter(|from| !known.contains(from)).cloned());
            // If the record itself is joint, `joint` covers its influences too.
            if !record.joint {
                target.by.extend_from_slice(&by);
            }
        }
    }
}

/// Returns the range of a value's leaves among those of its document.
fn leaf_range(leaves: &[(Pointer, Node<'_>)], node: Node<'_>) -> Range<usize> {
    let start = leaves.partition_point(|(_, leaf)| leaf.index() < node.index());
    let end = leaves.partition_point(|(_, leaf)| leaf.index() < node.index_after());
    start..end
}

fn source_leaf(source: Pointer, uses: Vec<Use>) -> SourceLeaf {
    let best = uses.iter().map(|(how, ..)| *how).min();
    let class = match best {
        Some(Derivation::Native) => Class::Native,
        Some(Derivation::Equivalent) => Class::Equivalent,
        Some(Derivation::Approximated) => Class::Approximated,
        // A value that only reaches the bridge is invisible to a reader of the target.
        Some(Derivation::Assumed | Derivation::Bridge | Derivation::Seal) | None => {
            Class::ResidueOnly
        }
    };
    let (mut target, mut also, mut reason) = (Vec::new(), Vec::new(), "");
    for (how, why, to) in uses {
        if Some(how) == best && class != Class::ResidueOnly {
            // If the places have different reasons, the leaves of the target have them.
            reason = if target.is_empty() || reason == why { why } else { "" };
            target.push(to);
        } else if how <= Derivation::Approximated {
            also.push(to);
        }
    }
    SourceLeaf { source, class, target, also, why: reason.into() }
}
