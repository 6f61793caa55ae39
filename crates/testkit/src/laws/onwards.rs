//! The law that an edit reaches a third format.

use std::collections::BTreeSet;

use super::edit::{is_most_there, starred};
use super::ground::{Law, accepting, converted, leaves, open, restored, words};
use super::moved::within;
use convert::{Conversion, Original, Residue, Target, convert_onwards};
use json_text::Node;
use json_text::canonical;
use manifest_core::Format;
use manifest_core::format::How;

/// Checks that an edit of a target reaches a third format as if the source had been edited.
///
/// `edited` is the new text of one of the documents. The three formats are different: a
/// source in its own format is restored instead.
///
/// - The edits that the source can express arrive as from the edited source. If it can
///   express all of them, the documents, the report and the residue are the same.
/// - An edit that only the other two formats can express arrives or is reported as lost, or
///   the conversion is refused as a conflict.
/// - Restoring from the third format returns the source with the edit.
pub fn edit_goes_on(
    [from, via, to]: [&'static Format; 3],
    text: &str,
    document: usize,
    edited: &str,
) -> Law {
    let options = accepting();
    let Some(first) = converted(from, via, text, &options)? else { return Ok(()) };
    let Some(emitted) = first.documents.get(document) else { return Ok(()) };
    let (source, now) = (open(text)?, open(edited)?);
    let residue = first.residue(&source);
    let targets = [Target { name: Some(&emitted.name), document: &now }];
    let back = match restored(from, via, &targets, Original::Residue(&residue)) {
        Err(_) if !is_most_there(&emitted.open(), &now) => return Ok(()),
        other => other?,
    };
    let again = open(&back.text)?;
    let Some(wanted) = converted(from, to, &back.text, &options)? else { return Ok(()) };
    let around = match convert_onwards(&targets, &residue, [from, via, to], &options) {
        Ok(conversion) => conversion,
        // The conflict is reported. An edit that the source can express is no conflict.
        Err(report)
            if !back.left_out.is_empty()
                && report.errors().all(|found| found.rule.code == "convert/conflict") =>
        {
            return Ok(());
        }
        Err(report) => {
            return Err(format!("onwards to {}: {}\n{text}\n{edited}", to.name, words(&report)));
        }
    };
    let fail = |what: &str| {
        let shown: Vec<&str> = around.documents.iter().map(|one| one.text.as_str()).collect();
        Err(format!(
            "{what}\n--- left out {:?}, then {:?}\n--- source\n{text}\n--- edited\n{edited}\n--- restored\n{}\n--- onwards to {}\n{}",
            back.left_out,
            around.left_out,
            back.text,
            to.name,
            shown.join("\n")
        ))
    };
    if back.left_out.is_empty() {
        if texts(&around) != texts(&wanted) {
            return fail("the edit does not arrive as from the source");
        }
        let same = around.account(&source) == wanted.account(&again)
            && around.residue(&source) == wanted.residue(&again)
            && around.left_out.is_empty();
        if !same {
            return fail("the account or the residue is not that of the edited source");
        }
    } else if let Some(lost) = lost([via, to], [&emitted.text, edited], &around)? {
        return fail(&format!("the edit does not arrive, and nobody says so: {lost}"));
    }
    let documents: Vec<_> = around.documents.iter().map(|one| one.open()).collect();
    let names = around.documents.iter().map(|one| one.name.as_str());
    let targets: Vec<_> = names
        .zip(&documents)
        .map(|(name, document)| Target { name: Some(name), document })
        .collect();
    let residue = around.residue(&source).to_json();
    let residue = Residue::parse(residue.as_bytes(), &manifest_core::Limits::default());
    let residue = residue.map_err(|found| found.to_string())?;
    let last = restored(from, to, &targets, Original::Residue(&residue))?;
    if last.text == back.text { Ok(()) } else { fail(&format!("it comes back as\n{}", last.text)) }
}

fn texts(conversion: &Conversion) -> Vec<(&str, &str)> {
    conversion.documents.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect()
}

/// Returns a value that an edit brings to the third format if the target is converted
/// alone, and that is neither in the conversion nor reported. Invented values do not count.
fn lost(
    [via, to]: [&'static Format; 2],
    [was, now]: [&str; 2],
    around: &Conversion,
) -> Result<Option<String>, String> {
    let said = |text: &str| -> Result<Option<BTreeSet<String>>, String> {
        let Some(conversion) = converted(via, to, text, &accepting())? else { return Ok(None) };
        let leaves = conversion.account(&open(text)?).target.into_iter();
        let said = leaves.filter(|leaf| matches!(leaf.how, How::Native | How::Equivalent));
        said.map(|leaf| open(&leaf.value).map(|value| canonical(value.root())))
            .collect::<Result<_, _>>()
            .map(Some)
    };
    let (Some(before), Some(after)) = (said(was)?, said(now)?) else { return Ok(None) };
    let documents: Vec<_> = around.documents.iter().map(|one| one.open()).collect();
    let there: BTreeSet<String> =
        documents.iter().flat_map(leaves).map(|(_, leaf)| canonical(leaf)).collect();
    let mut lost = after.difference(&before).filter(|value| !there.contains(*value));
    // The third format does not show which edit it was, so each must be reported. If
    // elements were added or removed, positions are no evidence.
    let (was, now) = (open(was)?, open(now)?);
    let value = |(at, leaf): &(String, Node<'_>)| (starred(at), canonical(*leaf));
    let old: BTreeSet<_> = leaves(&was).iter().map(value).collect();
    let edited = leaves(&now);
    let mut edited = edited.iter().filter(|leaf| !old.contains(&value(leaf)));
    // A value that is empty now may be reported by its former content.
    let reported = |at: &str| {
        let mut places = around.left_out.iter().map(|one| one.pointer.as_str());
        places.any(|place| within(at, place) || within(place, at))
    };
    Ok(lost.next().filter(|_| edited.any(|(at, _)| !reported(at))).cloned())
}
