//! The ledger: where every value went, and where every value came from.
//!
//! A [`Ledger`] contains the records that writing left. Leaves and pointers are computed on
//! demand: [`Ledger::list_leaves`] lists every leaf of the source once, and every leaf of the
//! target once.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use diagnostic::Pointer;
use json_text::{self, Node};
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
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The target contains the value as it was written.
    Native,
    /// The target contains the value in another form, with the same meaning.
    Equivalent,
    /// The target contains a value with nearly the same meaning.
    Approximated,
    /// The target lacks the value; only the residue contains it.
    Carried,
}

impl Class {
    /// Returns the name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Equivalent => "equivalent",
            Self::Approximated => "approximated",
            Self::Carried => "carried",
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

/// The values that came from one leaf of the source.
#[derive(Clone, Default)]
struct Uses(Vec<(Derivation, &'static str, TargetPlace)>);

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
        sources: &[&json_text::Document<'_>],
        documents: &[OutputDocument],
    ) -> (Vec<SourceLeaf>, Vec<TargetLeaf>) {
        let Some(first) = sources.first() else { return <_>::default() };
        let leaves: Vec<(Pointer, Node<'_>)> = first.root().leaves().collect();
        let mut uses = vec![Uses::default(); leaves.len()];
        let mut targets = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            let parsed = document.open();
            let mut values = self.recorded_values(index, &parsed).peekable();
            while let Some((record, pointer, node)) = values.next() {
                // A residue inside a schema has a record of its own.
                let within = |(.., next): &&(_, _, Node<'_>)| next.index() < node.index_after();
                let apart = values.peek().filter(within).map(|(.., next)| *next);
                let before = targets.len();
                self.list_record(
                    record,
                    (index, &pointer, node, apart),
                    sources,
                    &leaves,
                    &mut uses,
                    &mut targets,
                );
                let new = targets.get_mut(before..).unwrap_or_default();
                let to = TargetPlace { document: index, pointer };
                self.add_influences(record, &to, first, &leaves, &mut uses, new);
            }
        }
        let source = leaves.into_iter().zip(uses);
        let source = source.map(|((pointer, _), Uses(uses))| source_leaf(pointer, uses)).collect();
        (source, targets)
    }

    /// Lists the leaves of one record, except those in `apart`, which have a record of
    /// their own.
    fn list_record(
        &self,
        record: &Record,
        (document, pointer, node, apart): (usize, &Pointer, Node<'_>, Option<Node<'_>>),
        sources: &[&json_text::Document<'_>],
        leaves: &[(Pointer, Node<'_>)],
        uses: &mut [Uses],
        targets: &mut Vec<TargetLeaf>,
    ) {
        let Record { derivation: how, reason: why, joint, .. } = *record;
        let places = self.records.places(record);
        let own = |leaf: &Node<'_>| {
            apart.is_none_or(|apart| {
                leaf.index() < apart.index() || leaf.index() >= apart.index_after()
            })
        };
        let inside: Vec<(Pointer, Node<'_>)> =
            node.leaves().filter(|(_, leaf)| own(leaf)).collect();
        let to = |below: &Pointer| TargetPlace { document, pointer: pointer.clone().join(below) };
        let from = |place: &Place| {
            let node = sources.get(usize::from(place.document))?.node(place.entry)?;
            Some((place.document, node))
        };
        // A copied value has the same leaves as its source, in the same order.
        let twin = match places {
            // A derived value may have as many leaves by chance.
            [place] => from(place)
                .filter(|_| place.exact || inside.len() == 1)
                .filter(|(_, source)| source.leaves().count() == inside.len()),
            _ => None,
        };
        let twins: Vec<Pointer> = twin
            .map(|(_, source)| source.leaves().map(|(below, _)| below).collect())
            .unwrap_or_default();
        for (index, (below, leaf)) in inside.iter().enumerate() {
            let source = match (twin, twins.get(index)) {
                (Some((number, source)), Some(twin)) => {
                    vec![SourcePlace { document: number, pointer: source.pointer().join(twin) }]
                }
                _ => places
                    .iter()
                    .filter_map(from)
                    .map(|(document, node)| SourcePlace { document, pointer: node.pointer() })
                    .collect(),
            };
            let value = leaf.raw().to_owned();
            targets.push(TargetLeaf {
                target: to(below),
                how,
                source,
                by: Vec::new(),
                joint,
                why: why.into(),
                value,
            });
        }
        // A place among its own influences counts as an influence only.
        let says =
            |place: &&Place| !self.records.influences.entries_at(place).contains(&place.entry);
        let said = places.iter().filter(says).filter_map(from);
        for (_, source) in said.filter(|(document, _)| *document == 0) {
            // Skipping to the range would make each record linear in the document.
            let own = uses.get_mut(leaf_range(leaves, source)).unwrap_or_default();
            for (index, uses) in own.iter_mut().enumerate() {
                let place = match inside.get(index).filter(|_| !twins.is_empty()) {
                    Some((below, _)) => to(below),
                    None => TargetPlace { document, pointer: pointer.clone() },
                };
                uses.0.push((how, why, place));
            }
        }
    }

    /// Adds the influences of one record to its leaves in the target, and to the leaves of
    /// the source.
    fn add_influences(
        &self,
        record: &Record,
        to: &TargetPlace,
        source: &json_text::Document<'_>,
        leaves: &[(Pointer, Node<'_>)],
        uses: &mut [Uses],
        targets: &mut [TargetLeaf],
    ) {
        let places = self.records.places(record).iter().filter(|place| place.document == 0);
        let deciding = &self.records.influences;
        let joint = places.clone().any(|place| deciding.is_joint(place));
        // A value that also has a place of its own keeps its class.
        let alone = places.clone().all(|place| deciding.is_joint(place));
        for target in targets.iter_mut().filter(|_| joint) {
            target.joint = true;
            if alone {
                (target.how, target.why) = (Derivation::Approximated, JOINT.into());
            }
        }
        let entries: BTreeSet<u32> =
            places.flat_map(|place| deciding.entries_at(place)).copied().collect();
        let deciding: Vec<(Node<'_>, SourcePlace)> = entries
            .into_iter()
            .filter_map(|entry| source.node(entry))
            .map(|node| (node, SourcePlace { document: 0, pointer: node.pointer() }))
            .collect();
        if deciding.is_empty() {
            return;
        }
        for target in targets {
            let known: BTreeSet<SourcePlace> = target.source.iter().cloned().collect();
            let by = || deciding.iter().map(|(_, from)| from.clone());
            target.source.extend(by().filter(|from| !known.contains(from)));
            // If the record itself is joint, `joint` covers its influences too.
            if !record.joint {
                target.by.extend(by());
            }
        }
        let how = record.derivation.max(Derivation::Approximated);
        let why = match how {
            Derivation::Approximated if joint => JOINT,
            Derivation::Approximated => INFLUENCES,
            _ => record.reason,
        };
        for (node, _) in deciding {
            for uses in uses.get_mut(leaf_range(leaves, node)).unwrap_or_default() {
                uses.0.push((how, why, to.clone()));
            }
        }
    }

    /// Returns the recorded values of one document, in order.
    fn recorded_values<'s, 'd>(
        &'s self,
        document: usize,
        parsed: &'d json_text::Document<'d>,
    ) -> impl Iterator<Item = (&'s Record, Pointer, Node<'d>)> + use<'s, 'd> {
        let records = &self.records.records;
        let number = |record: &Record| record.document as usize;
        let first = records.partition_point(|record| number(record) < document);
        let own = records.get(first..).unwrap_or_default().iter();
        let own = own.take_while(move |record| number(record) == document);
        let mut nodes = parsed.root().descendants().peekable();
        own.filter_map(move |record| {
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
        parsed: &'d json_text::Document<'d>,
        source: &'d json_text::Document<'d>,
    ) -> Origins<'d> {
        let values = self.recorded_values(document, parsed).filter_map(|(record, _, node)| {
            let mut places = self.records.places(record).iter();
            let place = places.find(|place| place.document == 0)?;
            let same = record.derivation == Derivation::Native && place.exact;
            Some((node, source.node(place.entry)?, same))
        });
        Origins(values.collect())
    }

    /// Returns the values of one document that were written in one of the `wanted` ways.
    pub(crate) fn target_values<'d>(
        &self,
        document: usize,
        parsed: &'d json_text::Document<'d>,
        wanted: impl Fn(Derivation) -> bool,
    ) -> Vec<(Pointer, Node<'d>)> {
        let values = self.recorded_values(document, parsed);
        values
            .filter(|(record, ..)| wanted(record.derivation))
            .map(|(_, at, node)| (at, node))
            .collect()
    }

    /// Returns the approximated values of one document, each with the places that it was
    /// made from.
    pub(crate) fn approximated_values(
        &self,
        document: usize,
        parsed: &json_text::Document<'_>,
    ) -> Vec<(Pointer, &[Place])> {
        let values = self.recorded_values(document, parsed);
        let made = values.filter(|(record, ..)| record.derivation == Derivation::Approximated);
        made.map(|(record, at, _)| (at, self.records.places(record))).collect()
    }

    /// Returns the lists and objects of one document that are equivalent to the source but
    /// derived from it: no leaf of them is copied from the source.
    pub(crate) fn derived_containers(
        &self,
        document: usize,
        parsed: &json_text::Document<'_>,
    ) -> Vec<Pointer> {
        let values = self.recorded_values(document, parsed).filter(|(record, _, node)| {
            let from = self.records.places(record);
            let derived = !from.is_empty() && from.iter().all(|place| !place.exact);
            record.derivation == Derivation::Equivalent
                && derived
                && (node.is_object() || node.is_array())
        });
        values.map(|(_, at, _)| at).collect()
    }

    /// Returns the values of one document that share their places with another value.
    pub(crate) fn shared_values(
        &self,
        document: usize,
        parsed: &json_text::Document<'_>,
    ) -> Vec<Pointer> {
        let mut counts: BTreeMap<&[Place], usize> = BTreeMap::new();
        for (record, ..) in self
            .recorded_values(document, parsed)
            .filter(|(record, ..)| record.derivation.keeps_meaning())
        {
            *counts.entry(self.records.places(record)).or_default() += 1;
        }
        let several = |record: &Record| counts.get(self.records.places(record)) > Some(&1);
        let values = self
            .recorded_values(document, parsed)
            .filter(|(record, ..)| record.derivation.keeps_meaning());
        let values = values
            .filter(|(record, ..)| !self.records.places(record).is_empty() && several(record));
        values.map(|(_, pointer, _)| pointer).collect()
    }

    /// Adds the records of texts that were inserted into documents, and moves the records
    /// after them. There is one text for each document, in order.
    pub(crate) fn insert_records(&mut self, inserted: &[Insertion]) {
        let mut new = inserted.iter().peekable();
        let mut records = Vec::with_capacity(self.records.records.len() + inserted.len());
        let old = std::mem::take(&mut self.records.records);
        let mut old = old.into_iter().peekable();
        for document in 0.. {
            if old.peek().is_none() && new.peek().is_none() {
                break;
            }
            let mut own = new.next_if(|new| new.record.document == document);
            let moved = own.map(|own| (own.offset, own.length));
            while let Some(mut record) = old.next_if(|record| record.document == document) {
                if let Some((_, length)) = moved.filter(|(at, _)| record.start >= *at) {
                    record.start = record.start.saturating_add(length);
                }
                records.extend(
                    own.take_if(|own| own.record.start <= record.start).map(|own| own.record),
                );
                records.push(record);
            }
            records.extend(own.map(|own| own.record));
        }
        self.records.records = records;
    }
}

/// Returns the range of a value's leaves among those of its document.
fn leaf_range(leaves: &[(Pointer, Node<'_>)], node: Node<'_>) -> Range<usize> {
    let before = |end: u32| leaves.partition_point(|(_, leaf)| leaf.index() < end);
    before(node.index())..before(node.index_after())
}

fn source_leaf(source: Pointer, uses: Vec<(Derivation, &'static str, TargetPlace)>) -> SourceLeaf {
    let best = uses.iter().map(|(how, ..)| *how).min();
    let class = match best {
        Some(Derivation::Native) => Class::Native,
        Some(Derivation::Equivalent) => Class::Equivalent,
        Some(Derivation::Approximated) => Class::Approximated,
        // A value that only reaches the bridge is invisible to a reader of the target.
        Some(Derivation::Assumed | Derivation::Bridge | Derivation::Seal) | None => Class::Carried,
    };
    let (mut target, mut also, mut reason) = (Vec::new(), Vec::new(), "");
    for (how, why, to) in uses {
        if Some(how) == best && class != Class::Carried {
            // If the places have different reasons, the leaves of the target have them.
            reason = if target.is_empty() || reason == why { why } else { "" };
            target.push(to);
        } else if how <= Derivation::Approximated {
            also.push(to);
        }
    }
    SourceLeaf { source, class, target, also, why: reason.into() }
}
