//! Reproduces a target as another version of this program wrote it.

use std::collections::BTreeSet;

use diagnostic::certain;
use json_text::{self, Document, Node};
use manifest_core::Limits;

use crate::emitted::Emitted;
use crate::residue::fingerprint;

/// Returns a document as it was written by the program version that wrote the residue. A
/// value of the target that has a fingerprint is not an edit: that version wrote it, even
/// if this version writes another one. `known` are the fingerprints of the residue.
pub(crate) fn as_written(
    document: &Emitted,
    now: &Document<'_>,
    known: &BTreeSet<&[u8]>,
    limits: &Limits,
) -> Option<Emitted> {
    let written = document.open();
    let mut edits = Vec::new();
    for (at, leaf) in now.root().leaves() {
        let before = written.root().at(&at);
        if before.is_some_and(|before| before.same_value(leaf))
            || !known.contains(fingerprint(&at, leaf).as_bytes())
        {
            continue;
        }
        let value = leaf.raw().to_owned();
        let parent = at.split_last().and_then(|(parent, _)| written.root().at(&parent));
        match before {
            Some(_) => edits.push(json_text::Edit::Set(at, value)),
            None if parent.is_some_and(Node::is_object) => {
                edits.push(json_text::Edit::Insert(at, value));
            }
            None => {}
        }
    }
    let text = certain(json_text::apply(&written, &edits))?;
    let tape = certain(Document::parse(text.as_bytes(), limits))?.tape();
    Some(Emitted { name: document.name.clone(), text, tape })
}
