//! The laws of streams.

use super::Rng;
use super::laws::LawResult;
use convert::stream::{Shape, SplitOptions, Splitter};
use json_text::{Document, Node};
use manifest_core::Limits;

/// The members that contain lists in these laws.
const MEMBERS: [&str; 2] = ["tools", "capabilities"];

/// An entry or an error, as a splitter reports it.
type Event = Result<(usize, String, Vec<u8>), String>;

/// Returns everything that a splitter reports of a stream whose bytes come in pieces.
fn events<'b>(split: &SplitOptions, pieces: impl IntoIterator<Item = &'b [u8]>) -> Vec<Event> {
    let mut splitter = Splitter::new(split.clone());
    let mut events = Vec::new();
    for piece in pieces {
        splitter.push(piece);
        drain(&mut splitter, &mut events);
    }
    splitter.finish();
    drain(&mut splitter, &mut events);
    events.push(Err(format!("{:?} {:?}", splitter.shape(), splitter.envelope())));
    events
}

fn drain(splitter: &mut Splitter, events: &mut Vec<Event>) {
    while let Some(found) = splitter.next() {
        events.push(match found {
            Ok(item) => {
                let place = format!("{:?} {}", item.place, item.pointer());
                Ok((item.index, place, item.bytes.to_vec()))
            }
            Err(broken) => Err(format!("{broken:?}")),
        });
    }
}

/// Returns the settings to split a stream for these laws.
pub fn split_settings(shape: Option<Shape>, limits: &Limits) -> SplitOptions {
    SplitOptions {
        shape,
        members: MEMBERS.to_vec(),
        limits: limits.clone(),
        ..SplitOptions::default()
    }
}

/// Checks that the result does not depend on how the bytes are cut: byte by byte, in two at
/// a random place, in pieces of random size.
pub fn cuts_do_not_matter(bytes: &[u8], split: &SplitOptions, rng: &mut Rng) -> LawResult {
    let whole = events(split, [bytes]);
    let (head, tail) = bytes.split_at(rng.below(bytes.len().saturating_add(1)));
    let mut rest = bytes;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rng.below(rest.len().min(16)).saturating_add(1));
        pieces.push(piece);
        rest = after;
    }
    for (how, events) in [
        ("byte by byte".to_owned(), events(split, bytes.chunks(1))),
        (format!("cut at {}", head.len()), events(split, [head, tail])),
        ("in pieces".to_owned(), events(split, pieces)),
    ] {
        if events != whole {
            let text = String::from_utf8_lossy(bytes);
            return Err(format!("{how}, {events:?}\ninstead of {whole:?}\nin {text:?}"));
        }
    }
    Ok(())
}

/// Checks that the entries of a stream are those of the whole text, without errors: the
/// elements of an array, or of the list in an object. Split as lines, they are the lines of
/// the text.
pub fn entries_are_elements(bytes: &[u8], limits: &Limits) -> LawResult {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(document) = Document::parse(bytes, limits)
        && let Some((shape, list)) = find_list(document.root())
    {
        let ours = events(&split_settings(Some(shape), limits), [bytes]);
        // The last event describes the end of the stream.
        let entries = ours.iter().take(ours.len().saturating_sub(1));
        let entries: Vec<_> = entries.map(|event| event.as_ref().map(|e| &*e.2)).collect();
        let theirs: Vec<_> = list.elements().map(|node| Ok(node.raw().as_bytes())).collect();
        if entries != theirs {
            return Err(format!("{entries:?}\ninstead of {theirs:?}\nin {text:?}"));
        }
    }
    let mut entries = Vec::new();
    let ours = events(&split_settings(Some(Shape::Lines), limits), [bytes]);
    for (_, _, entry) in ours.iter().flatten() {
        if entry.len() < limits.document_bytes {
            entries.push(entry.as_slice());
        }
    }
    let mut theirs = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_blank = line.iter().all(|byte| b" \t\r".contains(byte));
        if !is_blank && line.len() < limits.document_bytes {
            theirs.push(line);
        }
    }
    if entries == theirs {
        Ok(())
    } else {
        Err(format!("lines {entries:?}\ninstead of {theirs:?}\nin {text:?}"))
    }
}

/// Returns the list that a stream is split at: an array, or the first list in an object.
fn find_list(root: Node<'_>) -> Option<(Shape, Node<'_>)> {
    if root.is_array() {
        return Some((Shape::Array, root));
    }
    let lists = MEMBERS.iter().filter_map(|name| root.get(name)).filter(|list| list.is_array());
    Some((Shape::Member, lists.min_by_key(|list| list.span().start)?))
}

/// Checks every law of streams, for any bytes. The error has every law that was broken, each
/// once.
pub fn check_laws(bytes: &[u8], seed: u64) -> LawResult {
    let rng = &mut Rng::new(seed);
    let limits = Limits::default();
    let small = Limits { document_bytes: rng.below(64), ..Limits::default() };
    let elements = entries_are_elements(bytes, &limits);
    let mut cuts = Ok(());
    for shape in [None, Some(Shape::Lines), Some(Shape::Array), Some(Shape::Member)] {
        let plain = split_settings(shape, &limits);
        cuts = cuts.and(cuts_do_not_matter(bytes, &plain, rng));
        cuts = cuts.and(cuts_do_not_matter(bytes, &split_settings(shape, &small), rng));
        let few = SplitOptions { entries: rng.below(4), ..plain };
        cuts = cuts.and(cuts_do_not_matter(bytes, &few, rng));
    }
    match (elements, cuts) {
        (Err(one), Err(other)) => Err(format!("{one}\n\n{other}")),
        (one, other) => one.and(other),
    }
}
