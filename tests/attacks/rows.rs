//! The catalogue of attacks, as data: what a stranger would try, on which surface, and what must
//! come of it.
//!
//! `rows/*.json` has the rows, one file a family. A row has cases, or names the tests that show it
//! where they need more than data (archives byte by byte, processes, sockets). A case gives each of
//! its inputs to surfaces, and says what each must answer: rules that refuse, and in brackets rules
//! that only remark. `[]` is an input that must be taken without a word. `generate.rs` has the
//! generators for large inputs, `surfaces.rs` the surfaces, `documents.json` the harmless documents
//! that inputs are put into.
//!
//! What only a corpus of others shows is in `corpora.rs`, a target of its own, which fails without
//! the corpus.
//!
//! Every document of a case goes through every entry of the library besides: see `everywhere.rs`.
//! All of it runs on a stack of 512 KiB.

mod answer;
mod catalogue;
mod everywhere;
mod generate;
mod page;
mod surfaces;
mod zip;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use toolglot_tests::{entries, fixtures, on_a_small_stack, root};

use catalogue::{Outcome, Row, rows};
use surfaces::Surface;

/// What is wrong with the cases of a row.
fn faults(row: &Row) -> Vec<String> {
    let mut faults = Vec::new();
    for case in &row.cases {
        for (name, expected) in &case.gives {
            let surface = Surface::named(name);
            for input in &case.each {
                let found = surface.give(input, &case.and);
                let expected: BTreeSet<String> = expected.iter().cloned().collect();
                if found != expected {
                    let input: String = input.to_string().chars().take(120).collect();
                    faults.push(format!(
                        "{} {name}: {input}\n  must give {expected:?}\n  but gives {found:?}",
                        row.id
                    ));
                }
            }
        }
    }
    faults
}

/// The documents that inputs are put into are harmless before.
#[test]
fn documents_are_harmless() {
    on_a_small_stack(|| {
        for name in surfaces::documents().keys() {
            let found = Surface::named(name).harmless();
            assert_eq!(found, BTreeSet::new(), "{name}");
        }
    });
}

/// `TOOLGLOT_ROW=J13` tries that row, or all that begin so.
#[test]
fn every_row() {
    let only = std::env::var("TOOLGLOT_ROW").unwrap_or_default();
    on_a_small_stack(move || {
        let rows = rows();
        let tried = rows.iter().filter(|row| row.id.starts_with(&only));
        let faults: Vec<String> = tried.flat_map(faults).collect();
        assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    });
}

/// A row that other tests show names tests that are there, and that name the row.
#[test]
fn tests_that_show_rows_are_there() {
    for row in rows() {
        for shown in &row.shown_by {
            let (file, test) = shown.split_once("::").expect("FILE::TEST");
            let text = fs::read_to_string(root().join(file));
            let text = text.unwrap_or_else(|error| panic!("{} {file}: {error}", row.id));
            let signature = format!("fn {test}(");
            let at = text.find(&signature).unwrap_or_else(|| panic!("{} {shown}", row.id));
            let before: String = text[..at].lines().rev().take(4).collect();
            assert!(before.contains("test]"), "{} {shown} is no test", row.id);
            let names_it =
                [row.id.clone(), row.id.to_lowercase()].iter().any(|id| text.contains(id));
            assert!(names_it, "{} is not named in {file}", row.id);
        }
    }
}

/// How many rows there are in each family. `TOOLGLOT_ATTACKS` names a table of them, of which none
/// may be missing here: lines that begin with `| ID |`.
#[test]
fn no_row_is_missing() {
    let rows = rows();
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        assert!(!row.what.is_empty(), "{}", row.id);
        assert!(!row.cases.is_empty() || !row.shown_by.is_empty(), "{} is not shown", row.id);
        *families.entry(&row.id[..1]).or_default() += 1;
        let elsewhere = |shown: &String| shown.starts_with("tests/attacks/rows/corpora.rs::");
        let open = row.cases.is_empty() && row.shown_by.iter().all(elsewhere);
        assert_eq!(open, BY_CORPUS_ALONE.contains(&row.id.as_str()), "{}", row.id);
    }
    let ids: BTreeSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids.len(), rows.len(), "a row is there twice");
    assert_eq!(families.into_iter().collect::<Vec<_>>(), FAMILIES);
    assert_eq!(rows.len(), 312);
    let Some(table) = std::env::var_os("TOOLGLOT_ATTACKS") else { return };
    let table = fs::read_to_string(table).unwrap();
    let named = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next());
    let named = named.filter(|id| {
        let mut bytes = id.bytes();
        id.len() == 3
            && bytes.next().unwrap().is_ascii_uppercase()
            && bytes.all(|b| b.is_ascii_digit())
    });
    let named: BTreeSet<&str> = named.collect();
    assert_eq!(named.difference(&ids).collect::<Vec<_>>(), [&""; 0]);
    assert_eq!(ids.difference(&named).collect::<Vec<_>>(), [&""; 0]);
}

/// Rows that nothing in this repository shows: a corpus of others does, where it is at hand.
const BY_CORPUS_ALONE: &[&str] = &["S24", "Z56", "Z57"];

const FAMILIES: &[(&str, usize)] = &[
    ("B", 20),
    ("C", 11),
    ("D", 10),
    ("J", 38),
    ("L", 8),
    ("N", 6),
    ("P", 30),
    ("Q", 17),
    ("R", 13),
    ("S", 24),
    ("T", 43),
    ("V", 10),
    ("W", 15),
    ("X", 9),
    ("Z", 58),
];

/// Every rule that a row names.
fn rules_of(rows: &[Row]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = rows.iter().flat_map(|row| row.rules.clone()).collect();
    for case in rows.iter().flat_map(|row| &row.cases) {
        let codes = case.gives.values().flatten();
        found.extend(codes.map(|code| code.trim_matches(['(', ')']).to_owned()));
    }
    found
}

/// No rule without an attack, an invalid document or a test that breaks it; no refusal without a
/// rule.
#[test]
fn rules_and_rows_belong_together() {
    let rows = rows();
    let named = rules_of(&rows);
    let rules: BTreeSet<&str> = toolglot::rules().map(|rule| rule.code).collect();
    let unknown: Vec<_> = named.iter().filter(|code| !rules.contains(code.as_str())).collect();
    assert!(unknown.is_empty(), "no rules: {unknown:?}");
    let by_tests: BTreeSet<&str> =
        crate::elsewhere::TESTS.iter().flat_map(|(_, codes)| codes.iter().copied()).collect();
    let unbroken: Vec<_> = rules
        .iter()
        .filter(|code| !named.contains(**code) && !by_tests.contains(*code) && !has_fixture(code))
        .collect();
    assert!(unbroken.is_empty(), "nothing breaks {unbroken:?}");
    for row in &rows {
        outcomes_are_shown(row);
    }
}

/// The outcomes of a row are those of its cases, and those that other tests show. A row that
/// refuses names a rule.
fn outcomes_are_shown(row: &Row) {
    let gives = row.cases.iter().flat_map(|case| &case.gives);
    let gives: Vec<_> = gives.filter(|(name, _)| !name.starts_with("probe")).collect();
    let any = |is: fn(&String) -> bool| gives.iter().any(|(_, codes)| codes.iter().any(is));
    let shown = [
        (Outcome::Refused, any(|code| !code.starts_with('('))),
        (Outcome::Said, any(|code| code.starts_with('('))),
        (Outcome::Accepted, gives.iter().any(|(_, codes)| codes.is_empty())),
    ];
    for (outcome, shown) in shown {
        let claimed = row.outcome.contains(&outcome);
        assert!(claimed || !shown, "{}: {outcome:?} is not among its outcomes", row.id);
        assert!(shown || !claimed || !row.shown_by.is_empty(), "{}: {outcome:?}", row.id);
    }
    let ruled = !rules_of(std::slice::from_ref(row)).is_empty();
    assert!(ruled || !row.outcome.contains(&Outcome::Refused), "{} refuses by no rule", row.id);
    assert!(!row.outcome.is_empty(), "{}", row.id);
}

/// Whether a document in the folders of fixtures breaks a rule.
fn has_fixture(code: &str) -> bool {
    let name = code.split_once('/').unwrap().1;
    let own = fixtures(code.split_once('/').unwrap().0).join("invalid").join(name);
    let shared = entries(&root().join("tests/fixtures"));
    own.is_dir() || shared.iter().any(|package| package.join("invalid").join(code).is_dir())
}
