//! `docs/specifications.md` has a row for every section and every sentence of the five
//! specifications, with what does it here and the test that shows it. This reads the page:
//! what it names must be there, and a row without a test must say that nothing is.
//!
//! The specifications are not part of this repository. When `TOOLGLOT_SPECS` names a folder
//! with them, each of their sentences must have a row, and each row a sentence.

mod page;
mod prose;
mod repository;
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use toolglot_tests::root;

use page::{Row, quoted, rows};
use repository::{Repository, has_fixture, is_test};

/// The sections and sentences of a file, by number.
type Sentences = BTreeMap<String, Sentence>;

/// How a file of a specification is read.
type Read = fn(&str) -> Sentences;

/// The headings of the page, with the files of each specification.
const SPECIFICATIONS: [(&str, &str, Read); 6] = [
    ("tools.json", "tools-json.md", prose::sentences),
    ("Capability manifest", "capability-manifest-v0.1.md", prose::sentences),
    ("Jumith registry", "jumith-registry-api.md", prose::sentences),
    ("MCPKG", "mcpkg.md", prose::sentences),
    ("Install manifest", "install-manifest-v0.2.schema.json", schema::sentences),
    ("Install manifest", "install-manifest.notes.md", prose::notes),
];

/// The test of the fixtures, one folder of which is about one rule.
const FIXTURES: &str = "tests/attacks/fixtures.rs::a_fixture_breaks_its_rule_and_no_other";

/// What a specification says in one place.
struct Sentence {
    text: String,
    /// Of a JSON Schema.
    keywords: Vec<String>,
}

impl Sentence {
    fn new(text: String) -> Self {
        Self { text, keywords: Vec::new() }
    }
}

/// What is wrong with a row.
fn faults(row: &Row, repository: &mut Repository) -> Vec<String> {
    let mut faults = Vec::new();
    for name in &row.by {
        if !repository.rules.contains(name) && !repository.has_item(name) {
            faults.push(format!("there is no rule or function {name}"));
        }
    }
    for verb in row.verbs.iter().filter(|verb| !repository.has_verb(verb)) {
        faults.push(format!("there is no verb {verb}"));
    }
    for test in row.tests.iter().filter(|test| !is_test(test)) {
        faults.push(format!("there is no test {test}"));
    }
    let by_fixture = row.tests.iter().any(|test| test == FIXTURES);
    if by_fixture && !row.by.iter().any(|name| has_fixture(name)) {
        faults.push("no fixture breaks a rule of this row".to_owned());
    }
    let (state, lacking) = row.state();
    let holds = match state {
        "yes" => lacking.is_empty() && !row.tests.is_empty() && !row.by.is_empty(),
        "partly" => !lacking.is_empty() && !row.tests.is_empty(),
        "no" => !lacking.is_empty(),
        _ => false,
    };
    if !holds || row.says.is_empty() {
        faults.push(format!("{:?} with {} tests", row.state, row.tests.len()));
    }
    faults
}

#[test]
fn what_is_named_is_there() {
    let mut repository = Repository::new();
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::new());
    for row in rows() {
        let place = format!("{} {}", row.specification, row.number);
        wrong.extend(faults(&row, &mut repository).iter().map(|fault| format!("{place}: {fault}")));
        let (state, lacking) = row.state();
        if !lacking.is_empty() {
            println!("{place}: {state}: {lacking}");
        }
        *counts.entry((row.specification.clone(), state.to_owned())).or_insert(0) += 1;
    }
    for ((specification, state), count) in &counts {
        println!("{specification}: {count} {state}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let named: BTreeSet<&str> = counts.keys().map(|(name, _)| name.as_str()).collect();
    assert_eq!(named, SPECIFICATIONS.map(|(heading, ..)| heading).into());
}

/// The table of the README: how many rows of each specification are done.
#[test]
fn the_readme_counts_the_rows() {
    const BEGIN: &str = "<!-- supported -->\n";
    const END: &str = "<!-- end -->\n";
    let rows = rows();
    let mut table =
        "| specification | done | partly | not done |\n|---|---:|---:|---:|\n".to_owned();
    let mut headings = SPECIFICATIONS.map(|(heading, ..)| heading).to_vec();
    headings.dedup(); // install manifests have two files
    for heading in headings {
        let of = |state| {
            let counted = |row: &&Row| row.specification == heading && row.state().0 == state;
            rows.iter().filter(counted).count()
        };
        assert!(of("yes") > 0, "{heading}");
        writeln!(table, "| {heading} | {} | {} | {} |", of("yes"), of("partly"), of("no")).unwrap();
    }
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        fs::write(&path, [before, BEGIN, &table, END, after].concat()).unwrap();
        return;
    }
    assert_eq!(found, table, "TOOLGLOT_BLESS=1 writes it");
}

#[test]
fn no_sentence_is_missing() {
    let Some(folder) = std::env::var_os("TOOLGLOT_SPECS").map(PathBuf::from) else {
        println!("TOOLGLOT_SPECS is not set: nothing to compare with");
        return;
    };
    let mut specifications: BTreeMap<&str, Sentences> = BTreeMap::new();
    for (heading, file, read) in SPECIFICATIONS {
        let found = read(&fs::read_to_string(folder.join(file)).expect("the specification"));
        assert!(found.len() > 30, "{file} has {} sentences", found.len());
        specifications.entry(heading).or_default().extend(found);
    }
    let rows = rows();
    let mut wrong = Vec::new();
    for (heading, sentences) in specifications {
        let mut seen = BTreeSet::new();
        for row in rows.iter().filter(|row| row.specification == heading) {
            for key in row.keys() {
                let Some(sentence) = sentences.get(&key) else {
                    wrong.push(format!("{heading} has no {key}"));
                    continue;
                };
                let named = quoted(&row.says);
                let unnamed = sentence.keywords.iter().filter(|keyword| !named.contains(keyword));
                wrong.extend(unnamed.map(|keyword| format!("{heading} {key} has {keyword}, too")));
                if !seen.insert(key.clone()) {
                    wrong.push(format!("{heading} {key} has two rows"));
                }
            }
        }
        for (key, sentence) in sentences.iter().filter(|(key, _)| !seen.contains(*key)) {
            wrong.push(format!("{heading} {key} has no row: {}", sentence.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
