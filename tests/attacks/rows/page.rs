//! The table of families in `docs/threat-model.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use toolglot_tests::root;

use super::catalogue::{Row, rows};

/// What a family is about, by the letter of its rows.
const FAMILIES: &[(&str, &str)] = &[
    ("J", "JSON"),
    ("Z", "archives"),
    ("P", "paths"),
    ("B", "bundles and registries"),
    ("T", "templates, requests, arguments"),
    ("R", "patterns"),
    ("S", "schemas"),
    ("Q", "queries and chains"),
    ("V", "versions"),
    ("X", "secrets"),
    ("W", "texts"),
    ("N", "names"),
    ("C", "catalogs"),
    ("D", "provenance"),
    ("L", "laws"),
];

const BEFORE: &str = "<!-- attacks -->\n";
const AFTER: &str = "<!-- end of attacks -->\n";

fn cells(counts: &[usize]) -> String {
    counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
}

/// One line for each family: how many rows, how many of them have cases, and where the others are.
fn table(rows: &[Row]) -> String {
    let mut table = String::from(
        "| family | rows | as data | with other tests | with a corpus | those tests |\n\
         |---|---|---|---|---|---|\n",
    );
    let mut sums = [0; 4];
    for (letter, about) in FAMILIES {
        let family: Vec<&Row> = rows.iter().filter(|row| row.id.starts_with(letter)).collect();
        let data = family.iter().filter(|row| !row.cases.is_empty()).count();
        let others = family.iter().filter(|row| !row.shown_by.is_empty()).count();
        let outside = family.iter().filter(|row| row.outside.is_some()).count();
        let files = family.iter().flat_map(|row| &row.shown_by);
        let files: BTreeSet<&str> = files.map(|shown| shown.split("::").next().unwrap()).collect();
        let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
        let files = files.join(", ");
        let counts = [family.len(), data, others, outside];
        writeln!(table, "| {letter}: {about} | {} | {files} |", cells(&counts)).unwrap();
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    writeln!(table, "| all | {} | |", cells(&sums)).unwrap();
    table
}

#[test]
fn every_family_is_in_the_table() {
    let path = root().join("docs/threat-model.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEFORE).expect("a mark");
    let (old, tail) = rest.split_once(AFTER).expect("a mark after it");
    let table = table(&rows());
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        fs::write(&path, format!("{head}{BEFORE}{table}{AFTER}{tail}")).unwrap();
    } else {
        assert_eq!(
            old, table,
            "run TOOLGLOT_BLESS=1 cargo test --test attacks page, and read the diff"
        );
    }
    let counted: BTreeMap<&str, &str> = FAMILIES.iter().copied().collect();
    assert!(rows().iter().all(|row| counted.contains_key(&row.id[..1])));
}
