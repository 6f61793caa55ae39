//! Every rule has a fixture that breaks it, with the report that people get beside it.
//!
//! `tests/fixtures/*/valid/NAME.json` are valid documents, and
//! `…/invalid/RULE/NAME.json` are documents that break that rule and no other. The
//! report is in `NAME.txt`. Where one file is not enough, `NAME` is a folder, and
//! the report is `report.txt` in it; see `folder.rs`.
//!
//! `TOOLGLOT_BLESS=1 cargo test --test attacks fixtures` writes the reports
//! anew. Read the diff as a user would. `TOOLGLOT_RULE=tools-json/command-empty` tries one rule.

mod folder;
mod shape;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use toolglot_tests::{fixtures, root};

use shape::Case;

/// The crates whose rules are of no format.
const SHARED: [&str; 3] = ["manifest-core", "convert", "call"];

const FORMATS: [&str; 8] = [
    "tools-json",
    "mcpkg",
    "jumith",
    "capability",
    "install-manifest",
    "mcpb",
    "server-json",
    "tool-list",
];

/// What is in a folder, in the order of the names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(found) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("a plain name")
}

/// The cases in a folder. Everything in it must be a case or a report.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let found = entries(folder);
    for path in &found {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let belongs = match extension {
            None => path.is_dir(),
            Some("json") => true,
            Some("txt") => path.with_extension("json").exists(),
            Some(_) => false,
        };
        assert!(belongs, "{} is neither a case nor a report", path.display());
    }
    found.into_iter().filter(|path| path.extension().is_none_or(|found| found != "txt")).collect()
}

/// The folders of rules, with the code that each is about.
fn rules() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for krate in SHARED.into_iter().chain(FORMATS) {
        let invalid = fixtures(krate).join("invalid");
        // What formats share is in several areas, a format has one.
        let shared = SHARED.contains(&krate);
        let areas = if shared { entries(&invalid) } else { vec![invalid] };
        for area in areas {
            let prefix = if shared { name(&area) } else { krate };
            for rule in entries(&area) {
                found.push((format!("{prefix}/{}", name(&rule)), rule));
            }
        }
    }
    found
}

/// Compares a report with the one beside the case, or writes that.
fn compare(case: &Path, report: &str, wrong: &mut Vec<String>) {
    let path = if case.is_dir() { case.join("report.txt") } else { case.with_extension("txt") };
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        fs::write(&path, report).expect("the report is written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if expected != report {
        let path = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        wrong.push(format!("--- {path}\n{expected}+++ what is reported now\n{report}"));
    }
}

fn assert_none(wrong: &[String]) {
    let hint = "run TOOLGLOT_BLESS=1 cargo test --test attacks fixtures, and read the diff";
    assert!(wrong.is_empty(), "{}\n\n{} differ: {hint}", wrong.join("\n"), wrong.len());
}

#[test]
fn valid_documents_are_valid() {
    let mut wrong = Vec::new();
    for krate in FORMATS {
        let found = cases(&fixtures(krate).join("valid"));
        assert!(found.len() >= 4, "{krate} has {} valid documents", found.len());
        for path in found {
            let case = Case::read(&path, "");
            assert!(case.is_valid(), "{}", case.report());
            assert_eq!(case.format.as_deref(), Some(krate), "{}", path.display());
            compare(&path, &case.report(), &mut wrong);
        }
    }
    assert_none(&wrong);
}

#[test]
fn a_fixture_breaks_its_rule_and_no_other() {
    let mut wrong = Vec::new();
    let mut rules = rules();
    if let Ok(only) = std::env::var("TOOLGLOT_RULE") {
        rules.retain(|(code, _)| *code == only);
        assert!(!rules.is_empty(), "no fixture breaks {only}");
    }
    for (code, folder) in rules {
        let found = cases(&folder);
        assert!(!found.is_empty(), "{} is empty", folder.display());
        for path in found {
            let case = Case::read(&path, &code);
            let codes: BTreeSet<&str> = case.codes().collect();
            let report = case.report();
            if codes == BTreeSet::from([code.as_str()]) {
                compare(&path, &report, &mut wrong);
            } else {
                wrong.push(format!("{} should break {code} only:\n{report}", path.display()));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn every_rule_has_a_fixture() {
    let folders: BTreeSet<String> = rules().into_iter().map(|(code, _)| code).collect();
    let rules: BTreeSet<&str> = toolglot::rules().map(|rule| rule.code).collect();
    let mut listed = BTreeMap::new();
    for (test, codes) in crate::elsewhere::TESTS {
        for code in *codes {
            assert!(listed.insert(*code, *test).is_none(), "{code} is listed twice");
        }
    }
    for code in folders.iter().map(String::as_str).chain(listed.keys().copied()) {
        assert!(rules.contains(code), "there is no rule {code}");
    }
    for code in rules {
        match (folders.contains(code), listed.get(code)) {
            (true, None) => {}
            (true, Some(test)) => panic!("{code} has a fixture: do not list {test}"),
            (false, None) => panic!("{code} has no fixture"),
            (false, Some(test)) => {
                let text = fs::read_to_string(root().join(test)).expect("the test is there");
                assert!(text.contains(code), "{test} is silent on {code}");
            }
        }
    }
}
