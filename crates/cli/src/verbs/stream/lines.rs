//! Converted lines, and the keys that match them with their residues.

use toolglot::convert::DocumentKey;
use toolglot::json::{Document, Position};
use toolglot::stream::Item;
use toolglot::{Format, Limits, Report};

use super::reader::{Reader, Rereadable, format_of};
use crate::files::formats::Candidates;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::verbs::restore_args::Args;

pub(super) struct Line {
    pub(super) index: usize,
    pub(super) start: Position,
    pub(super) bytes: Vec<u8>,
    pub(super) format: &'static Format,
    /// The ids of its tools.
    pub(super) ids: Vec<String>,
}

/// Reads an entry, and returns it with the key of its residue.
pub(super) fn read(
    item: &Item<'_>,
    candidates: Candidates,
    limits: &Limits,
) -> Result<(Line, DocumentKey), Report> {
    let (format, _) = format_of(item, candidates, limits)?;
    let document = Document::parse(item.bytes, limits).map_err(single_report)?;
    let lifted = format.lift(&document, limits)?;
    let key = DocumentKey::new(&document, &lifted.tools);
    let ids = lifted.tools.iter().map(|tool| tool.id.to_string()).collect();
    let (index, start) = (item.index, item.place.position());
    Ok((Line { index, start, bytes: item.bytes.to_vec(), format, ids }, key))
}

/// Returns the key of each entry, and true if an entry cannot be read. Such an entry has no
/// key.
pub(super) fn read_keys(
    args: &Args,
    candidates: Candidates,
    source: &Rereadable<'_>,
    limits: &Limits,
    terminal: &Terminal,
) -> Result<(Vec<Option<DocumentKey>>, bool), Failure> {
    let mut reader = Reader::reopen(source, &args.jsonl, candidates, limits, terminal)?;
    let mut all = Vec::new();
    let mut unread = false;
    while reader.fill()? {
        while let Some(found) = reader.splitter.next() {
            // Errors are reported when the entry is to be restored.
            match found.map(|item| (item.index, read(&item, candidates, limits))) {
                Ok((index, Ok((_, key)))) => {
                    all.resize(index, None);
                    all.push(Some(key));
                }
                _ => unread = true,
            }
        }
    }
    Ok((all, unread))
}

/// Returns true if a document contains the digest of a residue that another document
/// carries.
pub(super) fn names_residue(bytes: &[u8], limits: &Limits) -> bool {
    const KEYWORD: &str = "x-toolglot-residue";
    let Ok(document) = Document::parse(bytes, limits) else { return false };
    let mut nodes = document.root().descendants();
    nodes.any(|node| node.get(KEYWORD).is_some_and(|carried| carried.text().is_some()))
}
