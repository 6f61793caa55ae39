//! The law that an edit reaches a third format.

use std::collections::BTreeSet;

use super::changes::is_within;
use super::edit::{is_mostly_unchanged, without_indices};
use super::support::{
    LawResult, accept_all, error_text, leaves, parse, restore_source, try_convert,
};
use convert::{Conversion, Original, Residue, Target, convert_via};
use json_text::Node;
use json_text::canonical;
use manifest_core::Format;
use manifest_core::format::Derivation;

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
pub fn edit_reaches_third_format(
    [from, via, to]: [&'static Format; 3],
    text: &str,
    document: usize,
    edited: &str,
) -> LawResult {
    let options = accept_all();
    let Some(first) = try_convert(from, via, text, &options)? else { return Ok(()) };
    let Some(emitted) = first.documents.get(document) else { return Ok(()) };
    let (source, now) = (parse(text)?, parse(edited)?);
    let residue = first.residue(&source);
    let targets = [Target { name: Some(&emitted.name), document: &now }];
    let back = match restore_source(from, via, &targets, Original::Residue(&residue)) {
        Err(_) if !is_mostly_unchanged(&emitted.open(), &now) => return Ok(()),
        other => other?,
    };
    let again = parse(&back.text)?;
    let Some(wanted) = try_convert(from, to, &back.text, &options)? else { return Ok(()) };
    let around = match convert_via(&targets, &residue, [from, via, to], &options) {
        Ok(conversion) => conversion,
        // The conflict is reported. An edit that the source can express is no conflict.
        Err(report)
            if !back.lost_edits.is_empty()
                && report.errors().all(|found| found.rule.code == "convert/conflict") =>
        {
            return Ok(());
        }
        Err(report) => {
            return Err(format!(
                "onwards to {}: {}\n{text}\n{edited}",
                to.name,
                error_text(&report)
            ));
        }
    };
    let fail = |what: &str| {
        let shown: Vec<&str> = around.documents.iter().map(|one| one.text.as_str()).collect();
        Err(format!(
            "{what}\n--- left out {:?}, then {:?}\n--- source\n{text}\n--- edited\n{edited}\n--- restored\n{}\n--- onwards to {}\n{}",
            back.lost_edits,
            around.lost_edits,
            back.text,
            to.name,
            shown.join("\n")
        ))
    };
    if back.lost_edits.is_empty() {
        if texts(&around) != texts(&wanted) {
            return fail("the edit does not arrive as from the source");
        }
        let same = around.report(&source) == wanted.report(&again)
            && around.residue(&source) == wanted.residue(&again)
            && around.lost_edits.is_empty();
        if !same {
            return fail("the account or the residue is not that of the edited source");
        }
    } else if let Some(lost) = find_lost_value([via, to], [&emitted.text, edited], &around)? {
        return fail(&format!("the edit does not arrive, and nobody says so: {lost}"));
    }
    let residue = around.residue(&source).to_json();
    let last = restore_from(from, to, &around, &residue)?;
    if last == back.text { Ok(()) } else { fail(&format!("it comes back as\n{last}")) }
}

/// Restores the source from all documents of a conversion, and the text of its residue.
fn restore_from(
    from: &'static Format,
    to: &'static Format,
    conversion: &Conversion,
    residue: &str,
) -> Result<String, String> {
    let documents: Vec<_> = conversion.documents.iter().map(|one| one.open()).collect();
    let mut targets = Vec::new();
    for (output, document) in conversion.documents.iter().zip(&documents) {
        targets.push(Target { name: Some(&output.name), document });
    }
    let residue = Residue::parse(residue.as_bytes(), &manifest_core::Limits::default());
    let residue = residue.map_err(|found| found.to_string())?;
    Ok(restore_source(from, to, &targets, Original::Residue(&residue))?.text)
}

fn texts(conversion: &Conversion) -> Vec<(&str, &str)> {
    conversion.documents.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect()
}

/// Returns a value that an edit brings to the third format if the target is converted
/// alone, and that is neither in the conversion nor reported. Invented values do not count.
fn find_lost_value(
    [via, to]: [&'static Format; 2],
    [was, now]: [&str; 2],
    around: &Conversion,
) -> Result<Option<String>, String> {
    let said = |text: &str| -> Result<Option<BTreeSet<String>>, String> {
        let Some(conversion) = try_convert(via, to, text, &accept_all())? else { return Ok(None) };
        let leaves = conversion.report(&parse(text)?).target.into_iter();
        let said =
            leaves.filter(|leaf| matches!(leaf.how, Derivation::Native | Derivation::Equivalent));
        said.map(|leaf| parse(&leaf.value).map(|value| canonical(value.root())))
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
    let (was, now) = (parse(was)?, parse(now)?);
    let value = |(at, leaf): &(String, Node<'_>)| (without_indices(at), canonical(*leaf));
    let old: BTreeSet<_> = leaves(&was).iter().map(value).collect();
    let edited = leaves(&now);
    let mut edited = edited.iter().filter(|leaf| !old.contains(&value(leaf)));
    // A value that is empty now may be reported by its former content.
    let reported = |at: &str| {
        let mut places = around.lost_edits.iter().map(|one| one.pointer.as_str());
        places.any(|place| is_within(at, place) || is_within(place, at))
    };
    Ok(lost.next().filter(|_| edited.any(|(at, _)| !reported(at))).cloned())
}
