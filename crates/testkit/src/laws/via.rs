//! The law that an edit reaches a third format.

use std::collections::BTreeSet;

use super::changes::is_within;
use super::edit::{is_mostly_unchanged, without_indices};
use super::support::{
    LawResult, accept_all, error_text, leaves, named_targets, open_documents, parse,
    restore_source, texts, try_convert,
};
use convert::{Conversion, Residue, Target, convert_via};
use json_text::canonical;
use manifest_core::format::Derivation;
use manifest_core::{Format, Formats, Limits};

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
    let now = parse(edited)?;
    let residue = first.residue();
    let targets = [Target { name: Some(&emitted.name), document: &now }];
    let back = match restore_source(from, via, &targets, &residue) {
        Err(_) if !is_mostly_unchanged(&emitted.open(), &now) => return Ok(()),
        other => other?,
    };
    let Some(wanted) = try_convert(from, to, &back.text, &options)? else { return Ok(()) };
    let around = match convert_via(&targets, &residue, to, Formats::new(&[from, via]), &options) {
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
        let shown: Vec<&str> = texts(&around).into_iter().map(|(_, text)| text).collect();
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
        let same = around.report() == wanted.report()
            && around.residue() == wanted.residue()
            && around.lost_edits.is_empty();
        if !same {
            return fail("the account or the residue is not that of the edited source");
        }
    } else if let Some(lost) = find_lost_value([via, to], [&emitted.text, edited], &around)? {
        return fail(&format!("the edit does not arrive, and nobody says so: {lost}"));
    }
    let residue = around.residue().to_json();
    let residue = Residue::parse(residue.as_bytes(), &Limits::default());
    let residue = residue.map_err(|found| found.to_string())?;
    let documents = open_documents(&around);
    let targets = named_targets(&documents);
    let last = restore_source(from, to, &targets, &residue)?.text;
    if last == back.text { Ok(()) } else { fail(&format!("it comes back as\n{last}")) }
}

/// Returns a value that an edit brings to the third format if the target is converted
/// alone, and that is neither in the conversion nor reported. Invented values do not count.
fn find_lost_value(
    [via, to]: [&'static Format; 2],
    [was, now]: [&str; 2],
    around: &Conversion,
) -> Result<Option<String>, String> {
    let (Some(before), Some(after)) = (kept_values(via, to, was)?, kept_values(via, to, now)?)
    else {
        return Ok(None);
    };
    let mut there = BTreeSet::new();
    for (_, document) in open_documents(around) {
        for (_, leaf) in leaves(&document) {
            there.insert(canonical(leaf));
        }
    }
    let Some(lost) = after.difference(&before).find(|value| !there.contains(*value)) else {
        return Ok(None);
    };
    // The third format does not show which edit it was, so each must be reported. If
    // elements were added or removed, positions are no evidence.
    let (was, now) = (parse(was)?, parse(now)?);
    let mut old = BTreeSet::new();
    for (at, leaf) in leaves(&was) {
        old.insert((without_indices(&at), canonical(leaf)));
    }
    for (at, leaf) in leaves(&now) {
        let is_edited = !old.contains(&(without_indices(&at), canonical(leaf)));
        if is_edited && !is_reported(&at, around) {
            return Ok(Some(lost.clone()));
        }
    }
    Ok(None)
}

/// Returns true if a place is in a lost edit. A value that is empty now may be reported by
/// its former content.
fn is_reported(at: &str, conversion: &Conversion) -> bool {
    conversion
        .lost_edits
        .iter()
        .any(|lost| is_within(at, lost.pointer.as_str()) || is_within(lost.pointer.as_str(), at))
}

/// Returns the native and equivalent values of the conversion of a document, or `None` if
/// it is refused for a known reason.
fn kept_values(
    from: &'static Format,
    to: &'static Format,
    text: &str,
) -> Result<Option<BTreeSet<String>>, String> {
    let Some(conversion) = try_convert(from, to, text, &accept_all())? else { return Ok(None) };
    let mut kept = BTreeSet::new();
    for leaf in conversion.report().target {
        if matches!(leaf.how, Derivation::Native | Derivation::Equivalent) {
            kept.insert(canonical(parse(&leaf.value)?.root()));
        }
    }
    Ok(Some(kept))
}
