//! Matches the given targets with the documents that the conversion wrote.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Pointer, Report};
use json_text::{Document, Node, canonical};
use manifest_core::descriptor::ToolDescriptor;
use manifest_core::format::{Derivation, Format};
use manifest_core::rules;

use crate::conversion::Conversion;
use crate::restored::Target;

/// A one-to-one match of targets with written documents. Keys that they share decide, the
/// most reliable kind of key first.
pub(crate) struct Matching {
    /// For each target, the index of the written document that it is.
    pub(crate) written_of: Vec<Option<usize>>,
    /// For each written document, the index of its target.
    pub(crate) target_of: Vec<Option<usize>>,
}

impl Matching {
    fn new(targets: usize, written: usize) -> Self {
        Self { written_of: vec![None; targets], target_of: vec![None; written] }
    }

    /// Matches a target with a written document, unless one of them has a match.
    fn claim(&mut self, target: usize, written: usize) {
        if let Some(target_of @ None) = self.target_of.get_mut(written)
            && let Some(written_of @ None) = self.written_of.get_mut(target)
        {
            *target_of = Some(target);
            *written_of = Some(written);
        }
    }

    /// Matches a target with the written document that has the first of its known keys.
    /// Returns false if no key is known.
    fn claim_by_keys<'k>(
        &mut self,
        target: usize,
        keys: impl IntoIterator<Item = &'k str>,
        written: &BTreeMap<&str, usize>,
    ) -> bool {
        let Some(place) = keys.into_iter().find_map(|key| written.get(key)) else { return false };
        self.claim(target, *place);
        true
    }

    /// Returns the targets that the conversion did not write.
    pub(crate) fn unmatched_targets(&self) -> impl Iterator<Item = usize> {
        let all = self.written_of.iter().enumerate();
        all.filter(|(_, written)| written.is_none()).map(|(target, _)| target)
    }
}

/// Matches the targets with the written documents: by name, then by their tools, then as
/// the only ones. Fails if the residue belongs to other documents.
pub(crate) fn match_documents(
    targets: &[Target<'_>],
    written: &[Document<'_>],
    conversion: &Conversion,
    to: &Format,
    source_digest: &str,
) -> Result<Matching, Report> {
    let mut matching = Matching::new(targets.len(), written.len());
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, document) in conversion.documents.iter().enumerate() {
        by_name.insert(&document.name, index);
    }
    for (index, target) in targets.iter().enumerate() {
        matching.claim_by_keys(index, target.name, &by_name);
    }
    let mut by_tool: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in &conversion.tools {
        by_tool.insert(&tool.target, tool.document);
    }
    let mut packages = BTreeSet::new();
    for document in written {
        packages.extend(package_id(&to.lift_valid(document, 0).tools));
    }
    let mut known = targets.is_empty() || written.is_empty();
    for (index, target) in targets.iter().enumerate() {
        let tools = to.lift_valid(target.document, 0).tools;
        // An empty list may belong to any residue. A package is recognised by its name.
        known |= tools.is_empty() || package_id(&tools).is_some_and(|id| packages.contains(&id));
        let ids = tools.iter().map(|tool| tool.id.as_ref());
        known |= matching.claim_by_keys(index, ids, &by_tool);
    }
    if targets.len() == 1 && written.len() == 1 {
        matching.claim(0, 0);
    }
    if known {
        return Ok(matching);
    }
    // A document with a renamed tool still contains most of the written values.
    for (number, (target, written)) in matching.target_of.iter().zip(written).enumerate() {
        let Some(target) = target.and_then(|target| targets.get(target)) else { continue };
        if is_mostly_written(number, target.document, written, conversion, source_digest) {
            return Ok(matching);
        }
    }
    let message = "the residue knows none of the document's tools";
    Err(Report::from(rules::UNRELATED.at_pointer(Pointer::root(), message)))
}

/// Returns the id of the package of some tools.
fn package_id(tools: &[ToolDescriptor<'_>]) -> Option<String> {
    Some(tools.first()?.package.id.as_ref()?.to_string())
}

/// Returns true if a document contains most of the values that were written from the
/// source. Values that every conversion writes do not count, except the digest of a
/// source of one tool.
fn is_mostly_written(
    number: usize,
    document: &Document<'_>,
    written: &Document<'_>,
    conversion: &Conversion,
    source_digest: &str,
) -> bool {
    let single = conversion.tools.len() == 1;
    if single && document.text().contains(source_digest) {
        return true;
    }
    let mut values = BTreeSet::new();
    let mut count = 0;
    let from_source = |how: Derivation| {
        matches!(how, Derivation::Native | Derivation::Equivalent | Derivation::Approximated)
    };
    for (at, value) in conversion.ledger.target_values(number, written, from_source) {
        for (below, leaf) in value.leaves() {
            values.insert(located_value(&at.clone().join(&below), leaf));
            count += 1;
        }
    }
    let mut same = 0;
    for (at, leaf) in document.root().leaves() {
        same += usize::from(values.contains(&located_value(&at, leaf)));
    }
    // Half of the values identify one tool. With several tools, they may be those of
    // another.
    if conversion.tools.len() > 1 { 2 * same > count } else { 2 * same >= count }
}

fn located_value(at: &Pointer, leaf: Node<'_>) -> String {
    format!("{}={}", at.as_str(), canonical(leaf))
}
