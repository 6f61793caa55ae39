//! The rows, as they are written.

use std::collections::BTreeMap;
use std::fs;
use toolglot_tests::root;

use serde::Deserialize;
use serde_json::Value;

/// One attack.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) id: String,
    /// What is tried.
    pub(crate) what: String,
    #[serde(default)]
    pub(crate) cases: Vec<Case>,
    /// Tests that show it, as `FILE::TEST`.
    #[serde(default)]
    pub(crate) shown_by: Vec<String>,
    /// Rules that those tests break.
    #[serde(default)]
    pub(crate) rules: Vec<String>,
    /// What must come of it: one of the inputs is refused, another may be said or accepted.
    pub(crate) outcome: Vec<Outcome>,
    /// What of the row is shown by a corpus that is not kept here.
    #[serde(default)]
    pub(crate) outside: Option<String>,
}

/// What comes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// It is refused, by a rule.
    Refused,
    /// It is taken, and something is said about it.
    Said,
    /// It is taken.
    Accepted,
    /// It costs no more than it may.
    Bounded,
}

/// Inputs that the same must come of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) each: Vec<Value>,
    /// Surfaces, and what they must answer.
    pub(crate) gives: BTreeMap<String, Vec<String>>,
    /// What else is put into the document, by place.
    #[serde(default)]
    pub(crate) and: BTreeMap<String, Value>,
}

pub(crate) fn rows() -> Vec<Row> {
    let mut files: Vec<_> = fs::read_dir(root().join("tests/attacks/rows/data"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let read: Result<Vec<Row>, _> = serde_json::from_str(&text);
        rows.extend(read.unwrap_or_else(|error| panic!("{}: {error}", file.display())));
    }
    rows
}
