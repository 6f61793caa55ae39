//! The laws of conversion, for any two formats.
//!
//! Each law takes formats and a valid document, and returns an error that describes where
//! it does not hold. A law is independent of the code that it judges. It looks only at
//! input, output and the claims of the ledger. [`Law`] lists them, and
//! [`check_laws`](crate::check_laws) checks all of them.

use crate::difference;
use convert::{
    AcceptedLoss, Options, Residue, RestoredSource, RunMode, Target, carried_residue, convert,
    convert_via,
};
use json_text::{Node, compact};
use manifest_core::{Format, Formats, Limits};

mod changes;
mod edit;
mod law;
mod ledger;
mod support;
mod via;

pub use edit::edit_survives;
pub use law::Law;
pub use ledger::{Mutants, Values, complete_ledger, member_of, mutants_of_leaves, true_ledger};
pub use support::{LawResult, accept_all, check_valid};
use support::{
    error_text, named_targets, open_documents, parse, restore_known_source, restore_source, texts,
    tree, try_convert,
};
pub use via::edit_reaches_third_format;

/// Checks that a format writes every leaf that it read at the same place, in the same
/// spelling: in the same member of the same element. Descriptors do not cover the other
/// leaves.
pub fn tree_fidelity(format: &'static Format, text: &str) -> LawResult {
    let document = parse(text)?;
    let lifted = format.lift(&document, &Limits::default()).map_err(|r| error_text(&r))?;
    let written = format.lower_to_source(&lifted, &document).map_err(|d| d.to_string())?;
    let [written] = written.as_slice() else {
        let none = lifted.tools.is_empty() && written.is_empty();
        return if none { Ok(()) } else { Err(format!("{} documents", written.len())) };
    };
    let written = parse(written)?;
    // Values of the source that were read, and the written values in their place.
    let mut open = vec![(document.root(), Some(written.root()))];
    while let Some((node, found)) = open.pop() {
        if !node.leaves().any(|(_, leaf)| lifted.marks.has_node(leaf)) {
            continue;
        }
        if node.members().next().is_some() {
            for member in node.members() {
                open.push((member.value, found.and_then(|found| found.get(&member.name()))));
            }
        } else if node.elements().next().is_some() {
            // Elements that were not read leave gaps. The others keep their order.
            let mut found = found.into_iter().flat_map(Node::elements);
            for element in node.elements() {
                if element.leaves().any(|(_, leaf)| lifted.marks.has_node(leaf)) {
                    open.push((element, found.next()));
                }
            }
        } else if found.is_none_or(|found| compact(found) != compact(node)) {
            let at = node.pointer();
            return Err(format!("{at:?} was read and is not written:\n{}", written.text()));
        }
    }
    Ok(())
}

/// Checks that converting and restoring returns the source. With the residue or the source
/// at hand, from all documents or from any one of them, the bytes are the same. If the
/// residue travels in-band, the tree is the same.
pub fn round_trip(from: &'static Format, to: &'static Format, text: &str) -> LawResult {
    let Some(whole) = try_convert(from, to, text, &accept_all())? else { return Ok(()) };
    let source = parse(text)?;
    let residue = whole.residue();
    let read = Residue::parse(residue.to_json().as_bytes(), &Limits::default());
    if read.as_ref() != Ok(&residue) {
        return Err("the residue is another after writing and reading it".to_owned());
    }
    let documents = open_documents(&whole);
    let targets = named_targets(&documents);
    let back = restore_source(from, to, &targets, &residue)?;
    check_unedited("restore", text, &back)?;
    let back = restore_known_source(from, to, &targets, &source)?;
    check_unedited("merge back", text, &back)?;
    for target in targets.iter().take(3) {
        let alone = Target { name: None, ..*target };
        let back = restore_source(from, to, &[alone], &residue)?;
        check_unedited("restore from one document", text, &back)?;
    }
    let options = Options { in_band: true, ..accept_all() };
    let carrying = match convert(&source, from, to, &options) {
        Err(report) if report.errors().all(|d| d.rule.code == "convert/in-band") => return Ok(()),
        other => other.map_err(|report| error_text(&report))?,
    };
    let documents = open_documents(&carrying);
    let mut targets = named_targets(&documents);
    for target in &mut targets {
        target.name = None;
    }
    let mut carried = None;
    for target in &targets {
        let found = carried_residue(target.document, to).map_err(|found| found.to_string())?;
        carried = carried.or(found);
    }
    let carried = carried.ok_or("no document carries the residue")?;
    let back = restore_source(from, to, &targets, &carried)?;
    match difference(&tree(text)?, &tree(&back.text)?) {
        None => Ok(()),
        Some(place) => Err(format!("restore from in-band: not the same tree {place}\n{text}")),
    }
}

/// Checks that converting through another format with the residue is the same as converting
/// directly: the same documents, report and residue.
pub fn path_independence(
    from: &'static Format,
    via: &'static Format,
    to: &'static Format,
    text: &str,
) -> LawResult {
    let options = accept_all();
    let (Some(first), Some(straight)) =
        (try_convert(from, via, text, &options)?, try_convert(from, to, text, &options)?)
    else {
        return Ok(());
    };
    let documents = open_documents(&first);
    let targets = named_targets(&documents);
    let formats = [from, via];
    let around = convert_via(&targets, &first.residue(), to, Formats::new(&formats), &options)
        .map_err(|report| format!("onwards from {}: {}", via.name, error_text(&report)))?;
    if texts(&around) != texts(&straight) {
        return Err(format!("through {}, the documents are others\n{text}", via.name));
    }
    if around.report() != straight.report() {
        return Err(format!("through {}, the account is another\n{text}", via.name));
    }
    if around.residue() != straight.residue() {
        return Err(format!("through {}, the residue is another\n{text}", via.name));
    }
    Ok(())
}

/// Checks that a valid document converts to valid ones, and that strict mode refuses
/// exactly if a value is assumed or a call goes through the bridge.
pub fn valid_output(from: &'static Format, to: &'static Format, text: &str) -> LawResult {
    let Some(conversion) = try_convert(from, to, text, &accept_all())? else { return Ok(()) };
    for document in &conversion.documents {
        check_valid(to, &document.text)?;
    }
    let source = parse(text)?;
    let account = conversion.report();
    let assumes = account.target.iter().any(|leaf| leaf.how == convert::Derivation::Assumed);
    let bridged = conversion.tools.iter().any(|tool| tool.runs == RunMode::ThroughTheBridge);
    let mut options = Options { strict: true, ..accept_all() };
    if convert(&source, from, to, &options).is_err() != assumes {
        return Err(format!("assumed: {assumes}, but strict mode says otherwise\n{text}"));
    }
    options.accept.remove(&AcceptedLoss::Bridge);
    if convert(&source, from, to, &options).is_err() != (assumes || bridged) {
        return Err(format!("bridged: {bridged}, but strict mode says otherwise\n{text}"));
    }
    Ok(())
}

/// Checks that converting twice gives the same bytes.
pub fn determinism(from: &'static Format, to: &'static Format, text: &str) -> LawResult {
    if conversion_texts(from, to, text)? == conversion_texts(from, to, text)? {
        Ok(())
    } else {
        Err(format!("converted twice, it differs\n{text}"))
    }
}

/// Converts a document, and returns everything that comes of it as text.
fn conversion_texts(
    from: &'static Format,
    to: &'static Format,
    text: &str,
) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    if let Some(conversion) = try_convert(from, to, text, &accept_all())? {
        for document in &conversion.documents {
            texts.push(document.text.clone());
        }
        let report = serde_json::to_string(&conversion.report());
        texts.push(report.map_err(|error| error.to_string())?);
        texts.push(conversion.residue().to_json());
    }
    Ok(texts)
}

fn check_unedited(what: &str, text: &str, back: &RestoredSource) -> LawResult {
    if back.text != text {
        return Err(format!("{what}: not the same bytes\n{text}\n--- found\n{}", back.text));
    }
    if back.edited || !back.lost_edits.is_empty() || !back.removed_tools.is_empty() {
        return Err(format!("{what}: an untouched target counts as edited\n{text}"));
    }
    Ok(())
}
