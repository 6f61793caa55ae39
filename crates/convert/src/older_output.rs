//! Reproduces a target as another version of this program wrote it.

use std::collections::BTreeSet;

use diagnostic::ok_or_bug;
use json_text::{self, Document, Node};
use manifest_core::Limits;

use crate::output::OutputDocument;
use crate::residue::fingerprint;

/// Returns a document as it was written by the program version that wrote the residue. A
/// value of the target that has a fingerprint is not an edit: that version wrote it, even
/// if this version writes another one. `known` are the fingerprints of the residue.
pub(crate) fn reproduce_output(
    document: &OutputDocument,
    now: &Document<'_>,
    known: &BTreeSet<&[u8]>,
    limits: &Limits,
) -> Option<OutputDocument> {
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
    let text = ok_or_bug(json_text::apply(&written, &edits))?;
    let tape = ok_or_bug(Document::parse(text.as_bytes(), limits))?.tape();
    Some(OutputDocument { name: document.name.clone(), text, tape })
}
