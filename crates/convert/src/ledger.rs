//! Where every value went, and where every value came from.
//!
//! A [`Ledger`] is the records that writing left. Leaves and pointers are worked out on
//! demand: [`Ledger::account`] lists every leaf of the
//! source once, and every leaf of the target once.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use diagnostic::Pointer;
use json_text::{self, Node};
use manifest_core::Place;
use manifest_core::format::{How, Record, Records};
use serde::{Deserialize, Serialize};

use crate::emitted::{Emitted, Implied, ToolOutcome};
use crate::needs::Need;
use crate::safety::Notice;

/// The records of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub(crate) records: Records,
}

/// What became of a leaf of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The target says the same in the same words.
    Native,
    /// The target says the same in other words.
    Equivalent,
    /// The target says nearly the same.
    Approximated,
    /// The target does not say it; the residue has it.
    Carried,
}

impl Class {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Equivalent => "equivalent",
            Self::Approximated => "approximated",
            Self::Carried => "carried",
        }
    }
}

/// A place in a document of the source side. The source itself is number 0, and is not
/// written out; others are targets that were edited.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct From {
    /// Which document.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub document: u16,
    /// Where in it.
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
pub struct To {
    /// Which of the documents.
    pub document: usize,
    /// Where in it.
    pub pointer: Pointer,
}

/// One leaf of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SourceLeaf {
    /// The leaf.
    pub source: Pointer,
    /// What became of it: the best of its places in the target.
    pub class: Class,
    /// Where the target says it so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target: Vec<To>,
    /// Where the target says less of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<To>,
    /// Why it is only nearly the same.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub why: Cow<'static, str>,
}

/// One leaf of the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TargetLeaf {
    /// The leaf.
    #[serde(flatten)]
    pub target: To,
    /// How it came there.
    pub how: How,
    /// Where it came from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<From>,
    /// Those of them that only decide what is told here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<From>,
    /// Whether those places say it together, so that no one of them decides: those that only
    /// decide, if there are such, else all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub joint: bool,
    /// Why it is not the same, or why it was assumed.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub why: Cow<'static, str>,
    /// The value, as written.
    pub value: String,
}

/// An account of a conversion: every leaf of the source once, every leaf of the target
/// once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Account {
    /// What concerns safety.
    pub safety: Vec<Notice>,
    /// How each tool runs.
    pub tools: Vec<ToolOutcome>,
    /// What must be there before tools run.
    pub needs: Vec<Need>,
    /// The leaves of the source, in order.
    pub source: Vec<SourceLeaf>,
    /// The leaves of the target, in order.
    pub target: Vec<TargetLeaf>,
    /// What the hosts do otherwise although nothing says it.
    pub implied: Vec<Implied>,
}

impl Account {
    /// How many leaves of the source are of that class.
    pub fn count(&self, class: Class) -> usize {
        self.source.iter().filter(|leaf| leaf.class == class).count()
    }

    /// The leaves of the target that the source does not say.
    pub fn assumed(&self) -> impl Iterator<Item = &TargetLeaf> {
        self.target.iter().filter(|leaf| matches!(leaf.how, How::Assumed | How::Bridge))
    }
}

/// A text that was put into a document.
pub(crate) struct Inserted {
    /// Where, and how many bytes.
    pub(crate) at: u32,
    pub(crate) length: u32,
    /// What is to be known of it.
    pub(crate) record: Record,
}

/// Why a value is in the ledger that only decides what is read elsewhere.
const DECIDES: &str = "it decides what is told there";

/// The same where it would be told without that one, too.
const SHARED: &str = "it is one of several reasons";

/// A source leaf and the values that came from it.
#[derive(Clone, Default)]
struct Uses(Vec<(How, &'static str, To)>);

/// Values of a target in order, those of the source that they come from, and whether they are the
/// same.
pub(crate) struct Origins<'d>(Vec<(Node<'d>, Node<'d>, bool)>);

impl<'d> Origins<'d> {
    /// What a value of the target comes from: the same part of a value that was taken over, or all
    /// of one that it was made of.
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
    /// Lists every leaf. `sources` are the documents that values came from: the source,
    /// and edited targets where there are any.
    pub(crate) fn account(
        &self,
        sources: &[&json_text::Document<'_>],
        documents: &[Emitted],
    ) -> (Vec<SourceLeaf>, Vec<TargetLeaf>) {
        let Some(first) = sources.first() else { return <_>::default() };
        let leaves: Vec<(Pointer, Node<'_>)> = first.root().leaves().collect();
        let mut uses = vec![Uses::default(); leaves.len()];
        let mut targets = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            let parsed = document.open();
            let mut values = self.values(index, &parsed).peekable();
            while let Some((record, pointer, node)) = values.next() {
                // A residue inside a schema has a record of its own.
                let within = |(.., next): &&(_, _, Node<'_>)| next.index() < node.index_after();
                let apart = values.peek().filter(within).map(|(.., next)| *next);
                let before = targets.len();
                self.trace(
                    record,
                    (index, &pointer, node, apart),
                    sources,
                    &leaves,
                    &mut uses,
                    &mut targets,
                );
                let new = targets.get_mut(before..).unwrap_or_default();
                let to = To { document: index, pointer };
                self.trace_deciding(record, &to, first, &leaves, &mut uses, new);
            }
        }
        let source = leaves.into_iter().zip(uses);
        let source = source.map(|((pointer, _), Uses(uses))| source_leaf(pointer, uses)).collect();
        (source, targets)
    }

    /// Lists what one record is about, except what stands apart in it.
    fn trace(
        &self,
        record: &Record,
        (document, pointer, node, apart): (usize, &Pointer, Node<'_>, Option<Node<'_>>),
        sources: &[&json_text::Document<'_>],
        leaves: &[(Pointer, Node<'_>)],
        uses: &mut [Uses],
        targets: &mut Vec<TargetLeaf>,
    ) {
        let Record { how, why, joint, .. } = *record;
        let places = self.records.places(record);
        let own = |leaf: &Node<'_>| {
            apart.is_none_or(|apart| {
                leaf.index() < apart.index() || leaf.index() >= apart.index_after()
            })
        };
        let inside: Vec<(Pointer, Node<'_>)> =
            node.leaves().filter(|(_, leaf)| own(leaf)).collect();
        let to = |below: &Pointer| To { document, pointer: pointer.clone().join(below) };
        let from = |place: &Place| {
            let node = sources.get(usize::from(place.document))?.node(place.entry)?;
            Some((place.document, node))
        };
        // A value that is the source's own has the same leaves in the same order.
        let twin = match places {
            // What was worked out from a value may have as many by chance.
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
                    vec![From { document: number, pointer: source.pointer().join(twin) }]
                }
                _ => places
                    .iter()
                    .filter_map(from)
                    .map(|(document, node)| From { document, pointer: node.pointer() })
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
        // What decides by being there says nothing else.
        let says = |place: &&Place| !self.records.deciding.of(place).contains(&place.entry);
        let said = places.iter().filter(says).filter_map(from);
        for (_, source) in said.filter(|(document, _)| *document == 0) {
            // By their range: skipping would count to it again for every record.
            let own = uses.get_mut(leaves_of(leaves, source)).unwrap_or_default();
            for (index, uses) in own.iter_mut().enumerate() {
                let place = match inside.get(index).filter(|_| !twins.is_empty()) {
                    Some((below, _)) => to(below),
                    None => To { document, pointer: pointer.clone() },
                };
                uses.0.push((how, why, place));
            }
        }
    }

    /// Adds what had a say in the values of one record, which are these in the target.
    fn trace_deciding(
        &self,
        record: &Record,
        to: &To,
        source: &json_text::Document<'_>,
        leaves: &[(Pointer, Node<'_>)],
        uses: &mut [Uses],
        targets: &mut [TargetLeaf],
    ) {
        let places = self.records.places(record).iter().filter(|place| place.document == 0);
        let deciding = &self.records.deciding;
        let joint = places.clone().any(|place| deciding.is_shared(place));
        // A value of its own besides is still told as that.
        let alone = places.clone().all(|place| deciding.is_shared(place));
        for target in targets.iter_mut().filter(|_| joint) {
            target.joint = true;
            if alone {
                (target.how, target.why) = (How::Approximated, SHARED.into());
            }
        }
        let entries: BTreeSet<u32> = places.flat_map(|place| deciding.of(place)).copied().collect();
        let deciding: Vec<(Node<'_>, From)> = entries
            .into_iter()
            .filter_map(|entry| source.node(entry))
            .map(|node| (node, From { document: 0, pointer: node.pointer() }))
            .collect();
        if deciding.is_empty() {
            return;
        }
        for target in targets {
            let known: BTreeSet<From> = target.source.iter().cloned().collect();
            let by = || deciding.iter().map(|(_, from)| from.clone());
            target.source.extend(by().filter(|from| !known.contains(from)));
            // Where the record is one of several reasons, so is what decides it.
            if !record.joint {
                target.by.extend(by());
            }
        }
        let how = record.how.max(How::Approximated);
        let why = match how {
            How::Approximated if joint => SHARED,
            How::Approximated => DECIDES,
            _ => record.why,
        };
        for (node, _) in deciding {
            for uses in uses.get_mut(leaves_of(leaves, node)).unwrap_or_default() {
                uses.0.push((how, why, to.clone()));
            }
        }
    }

    /// The values of one document that there is a record of, in order.
    fn values<'s, 'd>(
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

    /// Where the values of one document come from in the source.
    pub(crate) fn origins<'d>(
        &self,
        document: usize,
        parsed: &'d json_text::Document<'d>,
        source: &'d json_text::Document<'d>,
    ) -> Origins<'d> {
        let values = self.values(document, parsed).filter_map(|(record, _, node)| {
            let mut places = self.records.places(record).iter();
            let place = places.find(|place| place.document == 0)?;
            let same = record.how == How::Native && place.exact;
            Some((node, source.node(place.entry)?, same))
        });
        Origins(values.collect())
    }

    /// The values of one document that came there in one of those ways.
    pub(crate) fn target_values<'d>(
        &self,
        document: usize,
        parsed: &'d json_text::Document<'d>,
        wanted: impl Fn(How) -> bool,
    ) -> Vec<(Pointer, Node<'d>)> {
        let values = self.values(document, parsed);
        values.filter(|(record, ..)| wanted(record.how)).map(|(_, at, node)| (at, node)).collect()
    }

    /// The values of one document that were made from others, with where those stand.
    pub(crate) fn made(
        &self,
        document: usize,
        parsed: &json_text::Document<'_>,
    ) -> Vec<(Pointer, &[Place])> {
        let values = self.values(document, parsed);
        let made = values.filter(|(record, ..)| record.how == How::Approximated);
        made.map(|(record, at, _)| (at, self.records.places(record))).collect()
    }

    /// The values of one document that mean what the source says in other words: no leaf of them
    /// stands in the source by itself.
    pub(crate) fn worked_out(
        &self,
        document: usize,
        parsed: &json_text::Document<'_>,
    ) -> Vec<Pointer> {
        let values = self.values(document, parsed).filter(|(record, _, node)| {
            let from = self.records.places(record);
            let derived = !from.is_empty() && from.iter().all(|place| !place.exact);
            record.how == How::Equivalent && derived && (node.is_object() || node.is_array())
        });
        values.map(|(_, at, _)| at).collect()
    }

    /// The values of one document that others say, too.
    pub(crate) fn copies(&self, document: usize, parsed: &json_text::Document<'_>) -> Vec<Pointer> {
        let mut counts: BTreeMap<&[Place], usize> = BTreeMap::new();
        for (record, ..) in
            self.values(document, parsed).filter(|(record, ..)| record.how.is_said())
        {
            *counts.entry(self.records.places(record)).or_default() += 1;
        }
        let several = |record: &Record| counts.get(self.records.places(record)) > Some(&1);
        let values = self.values(document, parsed).filter(|(record, ..)| record.how.is_said());
        let values = values
            .filter(|(record, ..)| !self.records.places(record).is_empty() && several(record));
        values.map(|(_, pointer, _)| pointer).collect()
    }

    /// Adds records of what was put into documents, and moves those of what stands behind
    /// it. There is one for each document, in order.
    pub(crate) fn insert_all(&mut self, inserted: &[Inserted]) {
        let mut new = inserted.iter().peekable();
        let mut records = Vec::with_capacity(self.records.records.len() + inserted.len());
        let old = std::mem::take(&mut self.records.records);
        let mut old = old.into_iter().peekable();
        for document in 0.. {
            if old.peek().is_none() && new.peek().is_none() {
                break;
            }
            let mut own = new.next_if(|new| new.record.document == document);
            let moved = own.map(|own| (own.at, own.length));
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

/// Which of the leaves of a document are in one of its values.
fn leaves_of(leaves: &[(Pointer, Node<'_>)], node: Node<'_>) -> Range<usize> {
    let before = |end: u32| leaves.partition_point(|(_, leaf)| leaf.index() < end);
    before(node.index())..before(node.index_after())
}

fn source_leaf(source: Pointer, uses: Vec<(How, &'static str, To)>) -> SourceLeaf {
    let best = uses.iter().map(|(how, ..)| *how).min();
    let class = match best {
        Some(How::Native) => Class::Native,
        Some(How::Equivalent) => Class::Equivalent,
        Some(How::Approximated) => Class::Approximated,
        // What the bridge is told says nothing to who reads the target.
        Some(How::Assumed | How::Bridge | How::Seal) | None => Class::Carried,
    };
    let (mut target, mut also, mut reason) = (Vec::new(), Vec::new(), "");
    for (how, why, to) in uses {
        if Some(how) == best && class != Class::Carried {
            // Of several reasons, none is that of all places: they are with the places.
            reason = if target.is_empty() || reason == why { why } else { "" };
            target.push(to);
        } else if how <= How::Approximated {
            also.push(to);
        }
    }
    SourceLeaf { source, class, target, also, why: reason.into() }
}
