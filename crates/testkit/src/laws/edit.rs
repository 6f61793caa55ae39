//! The law that an edit survives.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::{Law, accepting, converted, leaves, open, restored, tree, valid};
use crate::Tree;
use json_text::Node;
use manifest_core::Format;
use manifest_core::convert::{Original, Target, sha256_hex};

/// Restoring an edited target gives the source with that edit, and nothing else changed.
///
/// `edited` is what one of the documents says now. The oracle knows only the documents:
///
/// - The restored source is valid.
/// - Every value that was edited is what the restored source converts to, or restoring
///   reports that it left it out.
/// - A value of the source is another only if an edited value came from it, if it is now
///   what was written into the target, or if it has the text of one that was edited:
///   references follow names.
/// - What is new in the source is new in the target, too.
pub fn edit_survives(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    document: usize,
    edited: &str,
) -> Law {
    let Some(before) = converted(from, to, text, &accepting())? else { return Ok(()) };
    let Some(emitted) = before.documents.get(document) else { return Ok(()) };
    let source = open(text)?;
    let (now, was) = (open(edited)?, emitted.open());
    let target = Target { name: Some(&emitted.name), document: &now };
    let residue = before.residue(&source);
    let back = restored(from, to, &[target], Original::Residue(&residue))?;
    valid(from, &back.text)?;
    let merged = restored(from, to, &[target], Original::Source(&source))?;
    // Without the residue, nobody knows whether a tool that is not there was ever chosen.
    if merged.text != back.text && back.removed.is_empty() {
        return Err(format!("merging back gives another source\n{text}\n{edited}"));
    }
    let fail = |what: String| {
        Err(format!(
            "{what}\n--- source\n{text}\n--- edited\n{edited}\n--- restored\n{}",
            back.text
        ))
    };
    if tree(&emitted.text)?.normal() == tree(edited)?.normal() {
        return if back.text == text { Ok(()) } else { fail("nothing was edited".to_owned()) };
    }

    // What was edited, by path.
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
    let left_out = |at: &str| {
        let mut places = back.left_out.iter().map(|left| left.pointer.as_str());
        places.any(|place| at.starts_with(place) || place.starts_with(at))
    };
    // It is in the restored source, or reported.
    if let Some(again) = converted(from, to, &back.text, &accepting())?
        && back.removed.is_empty()
        && again.documents.len() == before.documents.len()
    {
        let seal = |text: &str, source: &str| text.replace(&sha256_hex(source.as_bytes()), "SEAL");
        let says = again.documents.get(document).map(|one| seal(&one.text, &back.text));
        let says = tree(&says.unwrap_or_default())?.normal();
        let wanted = tree(&seal(edited, text))?.normal();
        // Where elements come or go, positions say nothing: values are counted.
        let moved = old.keys().ne(new.keys());
        let was = tree(&seal(&emitted.text, text))?.normal();
        let [was, now, says_now] = [&was, &wanted, &says].map(counted);
        let count = |counts: &Counts, leaf| counts.get(leaf).copied().unwrap_or_default();
        let lost = was.keys().chain(now.keys()).find(|leaf| {
            let (before, after) = (count(&was, *leaf), count(&now, *leaf));
            let says = count(&says_now, *leaf);
            (after > before && says < after) || (after < before && says > after)
        });
        if let Some((at, _)) = lost.filter(|_| moved && back.left_out.is_empty()) {
            return fail(format!("the edit of {at} is neither there nor reported"));
        }
        for at in touched.iter().filter(|at| !moved && !left_out(at)) {
            if says.at(at) != wanted.at(at) {
                return fail(format!("the edit of {at} is neither there nor reported"));
            }
        }
    }
    let written: Vec<Node<'_>> = touched.iter().filter_map(|at| new.get(*at).copied()).collect();
    nothing_else(
        &source,
        &open(&back.text)?,
        &origins(&before.account(&source), document, &touched),
        &written,
    )
    .or_else(fail)
}

/// How often each value stands under a path of names.
type Counts = BTreeMap<(String, String), usize>;

fn counted(tree: &Tree) -> Counts {
    let mut counts = Counts::new();
    for (at, leaf) in tree.leaves() {
        let names = at.split('/').filter(|token| token.parse::<usize>().is_err());
        *counts.entry((names.collect::<Vec<_>>().join("/"), leaf.render())).or_default() += 1;
    }
    counts
}

/// The places of the source that the edited values came from.
fn origins(
    account: &manifest_core::convert::Account,
    document: usize,
    touched: &BTreeSet<&String>,
) -> BTreeSet<String> {
    let edited = account.target.iter().filter(|leaf| {
        leaf.target.document == document
            && touched.iter().any(|at| {
                let own = leaf.target.pointer.as_str();
                own.starts_with(at.as_str()) || at.starts_with(own)
            })
    });
    edited.flat_map(|leaf| leaf.source.iter().map(|from| from.pointer.to_string())).collect()
}

/// Whether only those places are others, or places that say the same as one of them did.
fn nothing_else(
    before: &json_text::Document<'_>,
    after: &json_text::Document<'_>,
    origins: &BTreeSet<String>,
    written: &[Node<'_>],
) -> Result<(), String> {
    let old = leaves(before);
    let now: BTreeMap<_, _> = leaves(after).into_iter().collect();
    // Where elements come or go, positions say nothing.
    if old.iter().any(|(at, _)| !now.contains_key(at)) || now.len() != old.len() {
        return Ok(());
    }
    let names: Vec<String> = old
        .iter()
        .filter(|(at, _)| origins.contains(at))
        .filter_map(|(_, leaf)| leaf.text().map(Cow::into_owned))
        .collect();
    for (at, leaf) in &old {
        let same = now.get(at).is_some_and(|now| now.raw() == leaf.raw());
        let follows = leaf.text().is_some_and(|text| {
            names.iter().any(|name| !name.is_empty() && text.contains(name.as_str()))
        });
        let below = origins.iter().any(|origin| at.starts_with(origin.as_str()));
        let says = |one: &Node<'_>| now.get(at).is_some_and(|now| now.same_value(*one));
        if !same && !below && !follows && !written.iter().any(says) {
            return Err(format!("{at} was not edited, but changed"));
        }
    }
    Ok(())
}
