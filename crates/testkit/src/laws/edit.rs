//! The law that edits survive.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::changes::is_within;
use super::support::{
    LawResult, accept_all, check_valid, leaves, parse, restore_source, tree, try_convert,
};
use crate::Tree;
use convert::{Conversion, Original, RestoredSource, Target};
use json_text::{Document, Node};
use manifest_core::Format;
use manifest_core::sha256_hex;

/// Formats that compare names without regard to case.
const CASE_INSENSITIVE: &[(&str, &str)] =
    &[("tools-json", "its host reads names of variables in upper case")];

/// Checks that restoring an edited target returns the source with that edit and no other
/// change.
///
/// `edited` is the new text of one of the documents. The oracle knows only the documents:
///
/// - The restored source is valid. A document that has lost most of its values need not
///   restore the source.
/// - The restored source converts to every edited value, or restoring reports the edit as
///   lost.
/// - A value of the source changes only if an edited value came from it, if the new value
///   was written into the target, or if it has the text of an edited value, because
///   references follow names.
/// - A new value in the source is new in the target, too.
pub fn edit_survives(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    document: usize,
    edited: &str,
) -> LawResult {
    let Some(before) = try_convert(from, to, text, &accept_all())? else { return Ok(()) };
    let Some(emitted) = before.documents.get(document) else { return Ok(()) };
    let source = parse(text)?;
    let (now, was) = (parse(edited)?, emitted.open());
    let target = Target { name: Some(&emitted.name), document: &now };
    let residue = before.residue(&source);
    let back = match restore_source(from, to, &[target], Original::Residue(&residue)) {
        // A residue belongs to a document that still contains most of the written values.
        Err(_) if !is_mostly_unchanged(&was, &now) => return Ok(()),
        other => other?,
    };
    check_valid(from, &back.text)?;
    let merged = restore_source(from, to, &[target], Original::Source(&source))?;
    // Without the residue, it is unknown whether a missing tool was ever selected.
    if merged.text != back.text && back.removed_tools.is_empty() {
        return Err(format!("merging back gives another source\n{text}\n{edited}"));
    }
    let fail = |what: String| {
        Err(format!(
            "{what}\n--- source\n{text}\n--- edited\n{edited}\n--- restored\n{}",
            back.text
        ))
    };
    if tree(&emitted.text)?.normalized() == tree(edited)?.normalized() {
        return if back.text == text { Ok(()) } else { fail("nothing was edited".to_owned()) };
    }

    // The edited leaves, by pointer.
    let (old, new): (BTreeMap<_, _>, BTreeMap<_, _>) =
        (leaves(&was).into_iter().collect(), leaves(&now).into_iter().collect());
    let touched: BTreeSet<&String> = old
        .keys()
        .chain(new.keys())
        .filter(|at| match (old.get(*at), new.get(*at)) {
            (Some(a), Some(b)) => !a.same_value(*b),
            _ => true,
        })
        .collect();
    let moved = old.keys().ne(new.keys());
    check_edits_arrive([from, to], &before, document, [text, edited], &back, &touched, moved)
        .or_else(fail)?;
    let written: Vec<Node<'_>> = touched.iter().filter_map(|at| new.get(*at).copied()).collect();
    let origins = origins(&before.report(&source), document, &touched);
    let upper = CASE_INSENSITIVE.iter().any(|(format, _)| [from.name, to.name].contains(format));
    check_rest_unchanged([&source, &parse(&back.text)?], &origins, &written, upper).or_else(fail)
}

/// Checks that the restored source converts to every edited value, or that its loss is
/// reported. If elements `moved`, positions are no evidence.
fn check_edits_arrive(
    [from, to]: [&'static Format; 2],
    before: &Conversion,
    document: usize,
    [text, edited]: [&str; 2],
    back: &RestoredSource,
    touched: &BTreeSet<&String>,
    moved: bool,
) -> LawResult {
    let Some(again) = try_convert(from, to, &back.text, &accept_all())? else { return Ok(()) };
    if !back.removed_tools.is_empty() || again.documents.len() != before.documents.len() {
        return Ok(());
    }
    let left_out = |at: &str| {
        let mut places = back.lost_edits.iter().map(|left| left.pointer.as_str());
        places.any(|place| is_within(at, place))
    };
    let seal = |text: &str, source: &str| text.replace(&sha256_hex(source.as_bytes()), "SEAL");
    let says = again.documents.get(document).map(|one| seal(&one.text, &back.text));
    let says = tree(&says.unwrap_or_default())?.normalized();
    let wanted = tree(&seal(edited, text))?.normalized();
    if moved && says != wanted && back.lost_edits.is_empty() {
        return Err("the edit is neither there nor reported".to_owned());
    }
    for at in touched.iter().filter(|at| !moved && !left_out(at)) {
        if says.at(at) != wanted.at(at) {
            let found = says.at(at).map(Tree::render).unwrap_or_default();
            return Err(format!("the edit of {at} is neither there nor reported: {found}"));
        }
    }
    Ok(())
}

/// Returns true if most leaves of a document are unchanged.
pub(super) fn is_mostly_unchanged(was: &Document<'_>, now: &Document<'_>) -> bool {
    let now: BTreeMap<_, _> = leaves(now).into_iter().collect();
    let was = leaves(was);
    let kept = was.iter().filter(|(at, leaf)| now.get(at).is_some_and(|now| now.same_value(*leaf)));
    2 * kept.count() > was.len()
}

/// Returns the places of the source that the edited values came from.
fn origins(
    account: &convert::ConversionReport,
    document: usize,
    touched: &BTreeSet<&String>,
) -> BTreeSet<String> {
    let edited = account.target.iter().filter(|leaf| {
        leaf.target.document == document
            && touched.iter().any(|at| {
                let own = leaf.target.pointer.as_str();
                is_within(own, at) || is_within(at, own)
            })
    });
    edited.flat_map(|leaf| leaf.source.iter().map(|from| from.pointer.to_string())).collect()
}

/// Checks that only those places changed, or places with the same text as one of them. If
/// elements were added or removed, indices are ignored and values are counted. An element
/// that is added or removed takes everything inside with it.
fn check_rest_unchanged(
    [before, after]: [&Document<'_>; 2],
    origins: &BTreeSet<String>,
    written: &[Node<'_>],
    upper: bool,
) -> Result<(), String> {
    let (old, now) = (leaves(before), leaves(after));
    let same_places = old.iter().map(|(at, _)| at).eq(now.iter().map(|(at, _)| at));
    let place = |at: &str| if same_places { at.to_owned() } else { without_indices(at) };
    let count = |place: &dyn Fn(&str) -> String| {
        let mut count: BTreeMap<(String, &str), i64> = BTreeMap::new();
        for (at, leaf) in &now {
            *count.entry((place(at), leaf.raw())).or_default() += 1;
        }
        for (at, leaf) in &old {
            *count.entry((place(at), leaf.raw())).or_default() -= 1;
        }
        count
    };
    let (here, anywhere) = (count(&place), count(&without_indices));
    let more =
        |at: &str, leaf: &Node<'_>| here.get(&(place(at), leaf.raw())).copied().unwrap_or_default();
    let gone: Vec<_> = old.iter().filter(|(at, leaf)| more(at, leaf) < 0).collect();
    let new: Vec<_> = now.iter().filter(|(at, leaf)| more(at, leaf) > 0).collect();
    let below = |at: &str| origins.iter().any(|origin| is_within(&place(at), &place(origin)));
    let says = |leaf: &Node<'_>| written.iter().any(|one| one.same_value(*leaf));
    let text = |leaf: &Node<'_>| leaf.text().map(Cow::into_owned).filter(|text| !text.is_empty());
    let follows = |leaf: &Node<'_>, names: &[String]| {
        let cased = |text: &str| if upper { text.to_ascii_uppercase() } else { text.to_owned() };
        let part = |name: &str, text: &str| text.contains(name) || name.contains(text);
        let text = text(leaf).map(|text| cased(&text));
        text.is_some_and(|text| names.iter().any(|name| part(&cased(name), &text)))
    };
    let named = old.iter().filter(|(at, _)| origins.contains(at));
    let names: Vec<String> = named.filter_map(|(_, leaf)| text(leaf)).collect();
    let is_gone = |at: &str, leaf: &Node<'_>| {
        // Its replacement was written into the target.
        let replaced = now.iter().any(|(place, leaf)| is_within(place, at) && says(leaf));
        below(at) || replaced || follows(leaf, &names)
    };
    let heard: Vec<String> = written.iter().filter_map(text).collect();
    let is_new = |at: &str, leaf: &Node<'_>| below(at) || says(leaf) || follows(leaf, &heard);
    let stays = |at: &str, leaf: &Node<'_>| {
        anywhere.get(&(without_indices(at), leaf.raw())).is_none_or(|count| *count == 0)
    };
    // If the places are the same, elements may only have another order. Otherwise a value
    // that is added or removed takes everything inside with it.
    let along = |at: &str, leaf: &Node<'_>, around: &str, all: &[(String, Node<'_>)]| {
        let mut inside = all.iter().filter(|(at, _)| is_within(at, around));
        if same_places { stays(at, leaf) } else { inside.all(|(at, leaf)| more(at, leaf) != 0) }
    };
    let key = |at: &str, leaf: &Node<'_>| (place(at), leaf.raw().to_owned(), more(at, leaf).abs());
    check_leaves_may_change(&gone, is_gone, |at, leaf, around| along(at, leaf, around, &old), key)
        .map_err(|at| format!("{at} was not edited, but is gone"))?;
    check_leaves_may_change(&new, is_new, |at, leaf, around| along(at, leaf, around, &now), key)
        .map_err(|at| format!("{at} was not edited, but is new"))
}

/// Checks that each leaf is allowed to change: `right` allows it, or `along` ties it to a
/// value around it that contains an allowed leaf. Of equal leaves, only as many must be
/// allowed as were added or removed.
fn check_leaves_may_change(
    leaves: &[&(String, Node<'_>)],
    right: impl Fn(&str, &Node<'_>) -> bool,
    along: impl Fn(&str, &Node<'_>, &str) -> bool,
    key: impl Fn(&str, &Node<'_>) -> (String, String, i64),
) -> Result<(), String> {
    let rightful = leaves.iter().filter(|(at, leaf)| right(at, leaf));
    let known: BTreeSet<&str> = rightful.flat_map(|(at, _)| self_and_ancestors(at)).collect();
    let mut open: BTreeMap<(String, String, i64), i64> = BTreeMap::new();
    for (at, leaf) in leaves {
        let mut around = self_and_ancestors(at).filter(|outer| known.contains(outer));
        let has = right(at, leaf) || around.any(|outer| along(at, leaf, outer));
        *open.entry(key(at, leaf)).or_default() += i64::from(has);
    }
    let fault = leaves.iter().find(|(at, leaf)| {
        let key = key(at, leaf);
        open.get(&key).is_none_or(|found| *found < key.2)
    });
    fault.map_or(Ok(()), |(at, _)| Err(at.clone()))
}

/// Returns a place and the values around it, except the root.
fn self_and_ancestors(at: &str) -> impl Iterator<Item = &str> {
    let ends = at.match_indices('/').map(|(end, _)| end).skip(1).chain([at.len()]);
    ends.filter_map(|end| at.get(..end))
}

/// Returns a pointer with `*` for each index.
pub(super) fn without_indices(pointer: &str) -> String {
    let star =
        |token: &str| if token.parse::<usize>().is_ok() { "*".into() } else { token.to_owned() };
    pointer.split('/').map(star).collect::<Vec<_>>().join("/")
}
