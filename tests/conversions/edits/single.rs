//! Single edits of every kind, for every ordered pair of formats.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use toolglot_tests::times;

use serde_json::Value;
use toolglot::convert::LostEdit;
use toolglot::json::Document;
use toolglot::testkit::{Rng, laws};
use toolglot::{
    FormatName, Limits, Report, Residue, RestoreOptions, RestoredSource, Target, convert, restore,
    restore_without_residue,
};

use super::homes::Field;
use super::kinds::{Case, Change, cases};
use super::oracle::{Pair, Verdict, judge};

/// Documents that people wrote, and generated ones.
fn sources(format: FormatName) -> Vec<(String, String)> {
    let root = toolglot_tests::root();
    let folder = root.join(format!("tests/fixtures/{format}/valid"));
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|file| file.extension() == Some("json".as_ref())).collect();
    files.sort();
    let named = files.into_iter().map(|file| {
        (
            file.file_name().unwrap().to_string_lossy().into_owned(),
            std::fs::read_to_string(file).unwrap(),
        )
    });
    let generated = (0..GENERATED * times()).map(|seed| {
        let text =
            (format.testkit().unwrap().generate)(&mut Rng::new(seed), 1 + (seed % 3) as usize);
        (format!("seed {seed}"), text)
    });
    named.chain(generated).collect()
}

/// Generated documents for each format in a normal run.
const GENERATED: u64 = 1;

/// How often each kind came out each way.
#[derive(Default)]
struct Tally {
    verdicts: BTreeMap<(&'static str, Verdict), usize>,
    failures: Vec<String>,
}

/// The same words, spelled by another writer; nothing, if that would change a number.
fn respelled(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let limits = Limits::default();
    let again = value.to_string();
    let digest = |text: &str| {
        Document::parse(text.as_bytes(), &limits).ok().map(|text| Residue::digest_of(&text))
    };
    (digest(text)? == digest(&again)?).then_some(value)
}

fn pair(from: FormatName, to: FormatName) -> Tally {
    let mut tally = Tally::default();
    for (name, text) in sources(from) {
        let Some(before) = respelled(&text) else { continue };
        let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let Ok(conversion) = convert(&source, from, to, &laws::accept_all()) else { continue };
        let residue = conversion.residue();
        let documents: Option<Vec<Value>> =
            conversion.documents.iter().map(|one| respelled(&one.text)).collect();
        let Some(documents) = documents else { continue };
        let names: Vec<&str> = conversion.documents.iter().map(|one| one.name.as_str()).collect();
        let pair = Pair { from, to, source: &before };
        for (number, case) in cases(to, &documents).into_iter().enumerate() {
            let unedited =
                case.documents.iter().zip(&documents).all(|(a, b)| a.as_ref() == Some(b));
            let valid =
                |one: &Value| laws::check_valid(to.format().unwrap(), &one.to_string()).is_ok();
            if unedited || !case.documents.iter().flatten().all(valid) {
                continue;
            }
            // A target that lacks documents was perhaps chosen so.
            let both = case.documents.iter().all(Option::is_some);
            // A normal run restores every second edit with the source alone, the others with the residue.
            let turn = times() == 1 && both;
            if !turn || number % 2 == 0 {
                one(&mut tally, &pair, &case, &names, Original::Residue(&residue), &name);
            }
            if both && (!turn || number % 2 == 1) {
                one(&mut tally, &pair, &case, &names, Original::Source(&source), &name);
            }
        }
    }
    tally
}

/// Whether a target says something again although the source carries the edit.
fn may_come_again(pair: &Pair<'_>, case: &Case) -> bool {
    match &case.change {
        // What is removed may be made up from something else; and a name is made to fit.
        Change::Value { new: None, .. } | Change::Word { new: None, .. } | Change::Tool { .. } => {
            true
        }
        // MCPKG has two lists, which an install manifest has as one.
        Change::Word { field: Field::Tags, .. } => {
            (pair.from, pair.to) == (FormatName::Mcpkg, FormatName::InstallManifest)
        }
        // MCPKG has no word for the page of a publisher without a name.
        Change::Value { field: Field::PublisherUrl, .. } => {
            pair.to == FormatName::Mcpkg && pair.source.pointer("/tool/author/name").is_none()
        }
        _ => false,
    }
}

/// What a source is restored with.
#[derive(Clone, Copy)]
enum Original<'o> {
    Residue(&'o Residue),
    Source(&'o Document<'o>),
}

impl Original<'_> {
    fn restore(
        self,
        targets: &[Target<'_>],
        pair: &Pair<'_>,
        options: &RestoreOptions,
    ) -> Result<RestoredSource, Report> {
        match self {
            Self::Residue(residue) => restore(targets, residue, options),
            Self::Source(source) => {
                restore_without_residue(targets, source, pair.from, pair.to, options)
            }
        }
    }
}

fn one(
    tally: &mut Tally,
    pair: &Pair<'_>,
    case: &Case,
    names: &[&str],
    original: Original<'_>,
    source: &str,
) {
    let texts: Vec<(usize, String)> = case
        .documents
        .iter()
        .enumerate()
        .filter_map(|(index, one)| Some((index, one.as_ref()?.to_string())))
        .collect();
    let limits = Limits::default();
    let parsed: Vec<(usize, Document<'_>)> = texts
        .iter()
        .map(|(index, text)| (*index, Document::parse(text.as_bytes(), &limits).unwrap()))
        .collect();
    let targets: Vec<Target<'_>> = parsed
        .iter()
        .map(|(index, document)| Target { name: Some(names[*index]), document })
        .collect();
    let options = RestoreOptions { delete_missing: true, ..RestoreOptions::default() };
    let expect = pair.expect(case);
    let (verdict, after, told) = match original.restore(&targets, pair, &options) {
        Err(report) => (Verdict::Damaged, Value::Null, format!("refused: {report:?}")),
        Ok(back) => {
            let after: Value = serde_json::from_str(&back.text).unwrap();
            let place = &case.at.1;
            let given = parsed.iter().position(|(index, _)| *index == case.at.0);
            let own = |left: &&LostEdit| given.is_none() || given == Some(left.document);
            let told = back.lost_edits.iter().filter(own).any(|left| {
                let at = left.pointer.as_str();
                // A source that is as it was says nothing new.
                let holds = !left.kept || after != *pair.source;
                let here = place.starts_with(at) || at.starts_with(place.as_str());
                holds && (given.is_none() || here)
            });
            let whole = back.lost_edits.iter().filter(own).any(|left| {
                let lost = !left.kept && place.starts_with(left.pointer.as_str());
                lost && !may_come_again(pair, case)
            });
            let verdict = judge(&expect, pair.source, &after, (told, whole));
            let told: Vec<String> = back
                .lost_edits
                .iter()
                .map(|left| format!("{}: {}", left.pointer, left.why))
                .collect();
            (verdict, after, told.join("; "))
        }
    };
    *tally.verdicts.entry((case.kind, verdict)).or_default() += 1;
    if verdict > Verdict::Reported {
        let values = differing(pair.source, &after);
        let how = if matches!(original, Original::Source(_)) { "source" } else { "residue" };
        tally.failures.push(format!(
            "{verdict:?}: {} => {}, {source} ({how}): {} at {:?}\n  differs at {values:?}\n  told {told:?}\n  {:.300}",
            pair.from,
            pair.to,
            case.kind,
            case.at,
            format!("{:?}", case.change),
        ));
    }
}

/// Where two documents differ, with both values.
fn differing(before: &Value, after: &Value) -> Vec<String> {
    let mut found = Vec::new();
    super::oracle::differences(before, after, "", &mut found);
    let both = found.iter().map(|at| {
        let said = |value: &Value| value.pointer(at).map(Value::to_string);
        format!("{at}: {:?} => {:?}", said(before), said(after))
    });
    both.collect()
}

/// All edits of the targets of one format's documents: a table, and none that went wrong.
fn hold(from: FormatName) {
    let mut kinds: BTreeMap<&'static str, BTreeMap<FormatName, [usize; 6]>> = BTreeMap::new();
    let mut failures = Vec::new();
    for to in FormatName::ALL.iter().copied() {
        let tally = pair(from, to);
        for ((kind, verdict), count) in tally.verdicts {
            kinds.entry(kind).or_default().entry(to).or_default()[verdict as usize] += count;
        }
        failures.extend(tally.failures);
    }
    let mut table = format!("\nfrom {from}: carried+reported, by target\n");
    let mut total = [0; 6];
    for (kind, pairs) in &kinds {
        let _ = write!(table, "{kind:42}");
        for to in FormatName::ALL {
            let cell = pairs.get(to).copied().unwrap_or_default();
            (0..6).for_each(|index| total[index] += cell[index]);
            let _ = write!(table, " {to} {}+{}", cell[0], cell[1]);
        }
        table.push('\n');
    }
    println!("{table}carried, reported, falsely reported, not carried, silent, damaged: {total:?}");
    assert!(failures.is_empty(), "{} edits went wrong:\n{}", failures.len(), failures.join("\n"));
    assert!(kinds.len() >= 50, "{} kinds", kinds.len());
}

#[test]
fn of_tools_json() {
    hold(FormatName::ToolsJson);
}

#[test]
fn of_mcpkg() {
    hold(FormatName::Mcpkg);
}

#[test]
fn of_capability() {
    hold(FormatName::Capability);
}

#[test]
fn of_jumith() {
    hold(FormatName::Jumith);
}

#[test]
fn of_install_manifest() {
    hold(FormatName::InstallManifest);
}

#[test]
fn of_mcpb() {
    hold(FormatName::Mcpb);
}

#[test]
fn of_server_json() {
    hold(FormatName::ServerJson);
}

#[test]
fn of_tool_list() {
    hold(FormatName::ToolList);
}
