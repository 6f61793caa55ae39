//! What generators draw, and what they do not.

use std::collections::BTreeSet;

use crate::kit::Testkit;
use diagnostic::{Profile, Report};
use json_text::{Document, Node, rules as json};
use manifest_core::table::{self, PartKind, Rules, Table, TablePart};

/// What the documents of a format have shown, by table and version.
#[derive(Debug)]
pub struct Coverage {
    testkit: &'static Testkit,
    /// The table and the version, by their numbers, and what was shown.
    seen: BTreeSet<(usize, u8, TablePart)>,
}

/// What no document has shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Undrawn {
    /// The version of the document.
    pub version: &'static str,
    /// Where it is, and what: `/tool/id`, `/runtime/kind = container`, `/smoke is http`.
    pub part: String,
}

/// Whether a document is like its table is all that is asked, not what it breaks.
static RULES: Rules = Rules::all(&json::TYPE);

impl Coverage {
    /// Begins with nothing shown.
    pub const fn of(testkit: &'static Testkit) -> Self {
        Self { testkit, seen: BTreeSet::new() }
    }

    /// Takes note of what a document shows, in each version that it is of.
    pub fn add(&mut self, document: &Document<'_>) {
        for (number, table) in self.testkit.format.tables.iter().enumerate() {
            for version in versions(table).filter(|v| is_in(document.root(), table, *v)) {
                let shown = table::covers(table.root, document.root(), version);
                self.seen.extend(shown.into_iter().map(|part| (number, version, part)));
            }
        }
    }

    /// Every member, word and branch that no document of a version has shown, though
    /// that version has it.
    pub fn undrawn(&self) -> Vec<Undrawn> {
        let mut undrawn = Vec::new();
        for (number, table) in self.testkit.format.tables.iter().enumerate() {
            for part in table::parts(table.root) {
                let has = |version: &u8| part.since <= *version && *version <= part.until;
                for version in versions(table).filter(has) {
                    if !self.seen.contains(&(number, version, part.clone())) {
                        let word = table.versions.get(usize::from(version));
                        let version = word.copied().unwrap_or_default();
                        undrawn.push(Undrawn { version, part: written(&part) });
                    }
                }
            }
        }
        undrawn
    }
}

fn written(part: &TablePart) -> String {
    match part.kind {
        PartKind::Member => part.path.clone(),
        PartKind::Word(word) => format!("{} = {word}", part.path),
        PartKind::Branch(word) => format!("{} is {word}", part.path),
    }
}

/// The versions of a table, by their numbers.
fn versions(table: &Table) -> impl Iterator<Item = u8> {
    (0..=u8::MAX).take(table.versions.len())
}

/// Whether a document is of a version: it says so, or it could be.
fn is_in(node: Node<'_>, table: &Table, version: u8) -> bool {
    if let Some(stated) = table.stated {
        let word = node.get(stated).and_then(Node::text);
        return word.as_deref() == table.versions.get(usize::from(version)).copied();
    }
    let mut report = Report::new(Profile::Spec, 1);
    table::check(node, table, version, &RULES, false, &mut [], &mut report);
    report.is_valid()
}
