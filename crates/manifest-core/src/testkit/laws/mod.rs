//! The laws of conversion, for any two formats.
//!
//! Each law takes formats and a valid document, and says in words where it does
//! not hold. A document that the law cannot be asked about is a failure too:
//! valid documents convert.

use super::{Tree, difference};
use crate::convert::{Conversion, Options, Residue, Restored, convert, merge_back, restore};
use crate::diagnostic::Report;
use crate::json::{Document, compact};
use crate::{Format, Limits, Validate};

mod edit;
mod ledger;
mod output;
mod safety;

pub use edit::{edit_commutes, edit_survives};
pub use ledger::{change_shows, complete_ledger, mutants_of_leaves};
pub use output::valid_output;
pub use safety::{never_safer, safer};

/// Whether a law holds, and if not, where it breaks.
pub type Law = Result<(), String>;

/// Lifting and lowering with one format gives the same tree: member order,
/// unknown members and the spelling of numbers included.
pub fn tree_fidelity(format: &'static Format, text: &str) -> Law {
    let limits = Limits::default();
    let options = Options::default();
    let document = open(text)?;
    let lifted = format.lift(&document, &limits).map_err(|r| words(&r))?;
    let lowered = format.lower(&lifted, &options.defaults, &limits);
    same_tree("lift and lower", text, &lowered.map_err(|d| d.to_string())?)
}

/// Converting and restoring gives the source again: its very bytes with the
/// whole residue or with the source at hand, its tree with a residue that has no
/// spelling or travels in-band.
pub fn round_trip(from: &'static Format, to: &'static Format, text: &str) -> Law {
    let options = Options::default();
    let whole = converted(from, to, text, &options)?;
    let read = Residue::parse(whole.residue.to_json().as_bytes(), &options.limits);
    if read.as_ref() != Ok(&whole.residue) {
        return Err("the residue is another after writing and reading it".to_owned());
    }
    let back = restored(from, to, &whole.text, Some(&whole.residue), &options)?;
    same_text("restore", text, &back.text)?;
    unedited("restore", &back)?;
    let back = merged_back(from, to, &whole.text, text, &options)?;
    same_text("merge back", text, &back.text)?;
    unedited("merge back", &back)?;

    let options = Options { spelling: false, ..options };
    let plain = converted(from, to, text, &options)?;
    let back = restored(from, to, &plain.text, Some(&plain.residue), &options)?;
    same_tree("restore without spelling", text, &back.text)?;
    unedited("restore without spelling", &back)?;

    let options = Options { in_band: true, ..options };
    if let Some(carrying) = carried(from, to, text, &options)? {
        let back = restored(from, to, &carrying.text, None, &options)?;
        same_tree("restore from in-band", text, &back.text)?;
        unedited("restore from in-band", &back)?;
    }
    Ok(())
}

/// Going through another format with the residue carried along is the same as
/// going straight.
pub fn path_independence(
    from: &'static Format,
    via: &'static Format,
    to: &'static Format,
    text: &str,
) -> Law {
    let options = Options { spelling: false, ..Options::default() };
    let first = converted(from, via, text, &options)?;
    let back = restored(from, via, &first.text, Some(&first.residue), &options)?;
    let around = converted(from, to, &back.text, &options)?;
    let straight = converted(from, to, text, &options)?;
    same_text("through another format", &straight.text, &around.text)?;
    if around.residue != straight.residue {
        return Err("through another format, the residue is another".to_owned());
    }
    // And the whole way back, residue by residue.
    let second = converted(via, to, &first.text, &options)?;
    let middle = restored(via, to, &second.text, Some(&second.residue), &options)?;
    same_tree("half of the way back", &first.text, &middle.text)?;
    let back = restored(from, via, &middle.text, Some(&first.residue), &options)?;
    same_tree("the whole way back", text, &back.text)
}

/// Converting twice gives the same bytes.
pub fn determinism(from: &'static Format, to: &'static Format, text: &str) -> Law {
    let once = || {
        let Conversion { text, residue, ledger } = converted(from, to, text, &Options::default())?;
        let ledger = serde_json::to_string(&ledger).map_err(|error| error.to_string())?;
        Ok::<_, String>([text, residue.to_json(), ledger])
    };
    let (first, second) = (once()?, once()?);
    first.iter().zip(&second).try_for_each(|(a, b)| same_text("convert twice", a, b))
}

fn open(text: &str) -> Result<Document<'_>, String> {
    Document::parse(text.as_bytes(), &Limits::default())
        .map_err(|d| format!("not a document: {d}\n{text}"))
}

fn tree(text: &str) -> Result<Tree, String> {
    Tree::parse(text).ok_or_else(|| format!("not JSON: {text}"))
}

/// Whether a document is valid in a format.
pub fn valid(format: &Format, text: &str) -> Law {
    let document = open(text)?;
    if format.list && compact(document.root()) == "[]" {
        // A list of no documents has none that could be invalid.
        return Ok(());
    }
    let report = (format.validate)(&document, &Validate::default());
    if report.is_valid() {
        Ok(())
    } else {
        Err(format!("not valid as {}: {}\n{text}", format.name, words(&report)))
    }
}

/// Whether a conversion was refused for a reason that has a name: what two tools
/// would share in the target, or a version that it does not take. A document is
/// refused then rather than changed.
fn refused(report: &Report) -> bool {
    let named = |code: &str| code == "convert/collision" || code.ends_with("/version");
    !report.is_valid() && report.errors().all(|d| named(d.rule.code))
}

/// A conversion, unless the document is refused: then it cannot be asked about.
fn unless_refused(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    options: &Options,
) -> Result<Option<Conversion>, String> {
    match convert(&open(text)?, from, to, options) {
        Ok(conversion) => Ok(Some(conversion)),
        Err(report) if refused(&report) => Ok(None),
        Err(report) => Err(cannot_convert(to, text, &report)),
    }
}

fn cannot_convert(to: &Format, text: &str, report: &Report) -> String {
    format!("cannot convert to {}: {}\n{text}", to.name, words(report))
}

fn converted(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    options: &Options,
) -> Result<Conversion, String> {
    convert(&open(text)?, from, to, options).map_err(|report| cannot_convert(to, text, &report))
}

/// A conversion whose residue travels in-band, unless the source has no place
/// for it.
fn carried(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    options: &Options,
) -> Result<Option<Conversion>, String> {
    match convert(&open(text)?, from, to, options) {
        Ok(conversion) => Ok(Some(conversion)),
        Err(report) if report.errors().all(|d| d.rule.code == "convert/in-band") => Ok(None),
        Err(report) => Err(format!("cannot convert in-band: {}\n{text}", words(&report))),
    }
}

fn restored(
    from: &'static Format,
    to: &'static Format,
    target: &str,
    residue: Option<&Residue>,
    options: &Options,
) -> Result<Restored, String> {
    let failed = |report: Report| cannot_restore(from, target, &report);
    restore(&open(target)?, residue, from, to, options).map_err(failed)
}

fn cannot_restore(from: &Format, target: &str, report: &Report) -> String {
    format!("cannot restore {}: {}\n{target}", from.name, words(report))
}

fn merged_back(
    from: &'static Format,
    to: &'static Format,
    target: &str,
    original: &str,
    options: &Options,
) -> Result<Restored, String> {
    let failed = |r: Report| format!("cannot merge back: {}\n{target}", words(&r));
    merge_back(&open(target)?, &open(original)?, from, to, options).map_err(failed)
}

fn unedited(what: &str, restored: &Restored) -> Law {
    match (restored.edited, restored.residue.is_empty()) {
        (false, true) => Ok(()),
        (true, _) => Err(format!("{what}: an untouched target counts as edited")),
        (_, false) => {
            let residue = restored.residue.to_json();
            Err(format!("{what}: an untouched target leaves a residue: {residue}"))
        }
    }
}

fn same_text(what: &str, expected: &str, found: &str) -> Law {
    if expected == found {
        return Ok(());
    }
    Err(format!("{what}: not the same bytes\n--- expected\n{expected}\n--- found\n{found}"))
}

fn same_tree(what: &str, expected: &str, found: &str) -> Law {
    match difference(&tree(expected)?, &tree(found)?) {
        None => Ok(()),
        Some(place) => Err(format!("{what}: not the same tree {place}\n--- of\n{expected}")),
    }
}

fn words(report: &Report) -> String {
    let words: Vec<_> = report.errors().map(ToString::to_string).collect();
    words.join("; ")
}
