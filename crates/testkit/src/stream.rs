//! The laws of streams.

use super::Rng;
use super::laws::LawResult;
use ::stream::{Shape, SplitOptions, Splitter};
use json_text::Document;
use manifest_core::Limits;

/// The members that contain lists in these laws.
const MEMBERS: [&str; 2] = ["tools", "capabilities"];

/// An entry or an error, as a splitter reports it.
type Event = Result<(usize, String, Vec<u8>), String>;

/// Returns everything that a splitter reports of a stream whose bytes come in pieces.
fn events<'b>(split: &SplitOptions, pieces: impl IntoIterator<Item = &'b [u8]>) -> Vec<Event> {
    let mut splitter = Splitter::new(split.clone());
    let mut events = Vec::new();
    let mut drain = |splitter: &mut Splitter| {
        while let Some(found) = splitter.next() {
            events.push(match found {
                Ok(item) => {
                    let place = format!("{:?} {}", item.place, item.pointer());
                    Ok((item.index, place, item.bytes.to_vec()))
                }
                Err(broken) => Err(format!("{broken:?}")),
            });
        }
    };
    for piece in pieces {
        splitter.push(piece);
        drain(&mut splitter);
    }
    splitter.finish();
    drain(&mut splitter);
    events.push(Err(format!("{:?} {:?}", splitter.shape(), splitter.envelope())));
    events
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
    let same = |how: &str, events: Vec<Event>| {
        if events == whole {
            return Ok(());
        }
        let text = String::from_utf8_lossy(bytes);
        Err(format!("{how}, {events:?}\ninstead of {whole:?}\nin {text:?}"))
    };
    same("byte by byte", events(split, bytes.chunks(1)))?;
    let (head, tail) = bytes.split_at(rng.below(bytes.len().saturating_add(1)));
    same(&format!("cut at {}", head.len()), events(split, [head, tail]))?;
    let mut rest = bytes;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rng.below(rest.len().min(16)).saturating_add(1));
        pieces.push(piece);
        rest = after;
    }
    same("in pieces", events(split, pieces))
}

/// Checks that the entries of a stream are those of the whole text, without errors: the
/// elements of an array, or of the list in an object. Split as lines, they are the lines of
/// the text.
pub fn entries_are_elements(bytes: &[u8], limits: &Limits) -> LawResult {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(document) = Document::parse(bytes, limits) {
        let root = document.root();
        let found = MEMBERS.iter().filter_map(|name| Some((*name, root.get(name)?)));
        let lists = found.filter(|(_, value)| value.is_array());
        // Of several lists, the first one in the text is split.
        let list = lists.min_by_key(|(_, value)| value.span().start);
        let shape = if root.is_array() { Shape::Array } else { Shape::Member };
        if let Some(list) = root.is_array().then_some(root).or(list.map(|(_, list)| list)) {
            let ours = events(&split_settings(Some(shape), limits), [bytes]);
            let entries = ours.iter().take(ours.len().saturating_sub(1));
            let entries: Vec<_> = entries.map(|event| event.as_ref().map(|e| &*e.2)).collect();
            let theirs: Vec<_> = list.elements().map(|node| Ok(node.raw().as_bytes())).collect();
            if entries != theirs {
                return Err(format!("{entries:?}\ninstead of {theirs:?}\nin {text:?}"));
            }
        }
    }
    let ours = events(&split_settings(Some(Shape::Lines), limits), [bytes]);
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let blank = |line: &[u8]| line.iter().all(|byte| b" \t\r".contains(byte));
    let fits = |line: &&[u8]| line.len() < limits.document_bytes;
    let theirs: Vec<_> = lines.filter(|line| !blank(line)).filter(fits).collect();
    let entries = ours.iter().filter_map(|event| event.as_ref().ok());
    let entries = entries.map(|event| event.2.as_slice());
    let entries: Vec<_> = entries.filter(fits).collect();
    if entries == theirs {
        Ok(())
    } else {
        Err(format!("lines {entries:?}\ninstead of {theirs:?}\nin {text:?}"))
    }
}

/// Checks every law of streams, for any bytes.
pub fn check_laws(bytes: &[u8], seed: u64) -> LawResult {
    let rng = &mut Rng::new(seed);
    let limits = Limits::default();
    let small = Limits { document_bytes: rng.below(64), ..Limits::default() };
    entries_are_elements(bytes, &limits)?;
    for shape in [None, Some(Shape::Lines), Some(Shape::Array), Some(Shape::Member)] {
        cuts_do_not_matter(bytes, &split_settings(shape, &limits), rng)?;
        cuts_do_not_matter(bytes, &split_settings(shape, &small), rng)?;
        let few = SplitOptions { entries: rng.below(4), ..split_settings(shape, &limits) };
        cuts_do_not_matter(bytes, &few, rng)?;
    }
    Ok(())
}
