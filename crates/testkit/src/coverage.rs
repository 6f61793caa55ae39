//! The coverage of a format's tables by generated documents.

use std::collections::BTreeSet;

use crate::kit::Testkit;
use diagnostic::{Profile, Report};
use json_text::{Document, Node, rules as json};
use manifest_core::table::{self, PartKind, Rules, Table, TablePart};

/// The parts of a format's tables that documents have shown, by table and version.
#[derive(Debug)]
pub struct Coverage {
    testkit: &'static Testkit,
    /// The indices of the table and of the version, and the part.
    seen: BTreeSet<(usize, u8, TablePart)>,
}

/// A part of a table that no document has shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct UncoveredPart {
    /// The version of the document.
    pub version: &'static str,
    /// The part: `/tool/id`, `/runtime/kind = container`, `/smoke is http`.
    pub part: String,
}

/// One rule for all violations, because only their presence matters here.
static RULES: Rules = Rules::single(&json::TYPE);

impl Coverage {
    /// Creates an empty coverage.
    pub const fn new(testkit: &'static Testkit) -> Self {
        Self { testkit, seen: BTreeSet::new() }
    }

    /// Records the parts that a document shows, for each version that it belongs to.
    pub fn add(&mut self, document: &Document<'_>) {
        for (number, table) in self.testkit.format.tables.iter().enumerate() {
            for version in versions(table) {
                if has_version(document.root(), table, version) {
                    for part in table::covered_parts(table.root, document.root(), version) {
                        self.seen.insert((number, version, part));
                    }
                }
            }
        }
    }

    /// Returns every member, word and branch of a version that no document of that version
    /// has shown.
    pub fn uncovered(&self) -> Vec<UncoveredPart> {
        let mut undrawn = Vec::new();
        for (number, table) in self.testkit.format.tables.iter().enumerate() {
            for part in table::parts(table.root) {
                for (version, name) in versions(table).zip(table.versions.iter().copied()) {
                    let is_in = part.since <= version && version <= part.until;
                    if is_in && !self.seen.contains(&(number, version, part.clone())) {
                        undrawn.push(UncoveredPart { version: name, part: part_name(&part) });
                    }
                }
            }
        }
        undrawn
    }
}

fn part_name(part: &TablePart) -> String {
    match part.kind {
        PartKind::Member => part.path.clone(),
        PartKind::EnumValue(word) => format!("{} = {word}", part.path),
        PartKind::Branch(word) => format!("{} is {word}", part.path),
    }
}

/// Returns the indices of the versions of a table.
fn versions(table: &Table) -> impl Iterator<Item = u8> {
    (0..=u8::MAX).take(table.versions.len())
}

/// Returns true if a document declares a version. If the table has no member for that,
/// returns true if the document is valid in that version.
fn has_version(node: Node<'_>, table: &Table, version: u8) -> bool {
    if let Some(stated) = table.version_member {
        let word = node.get(stated).and_then(Node::text);
        return word.as_deref() == table.versions.get(usize::from(version)).copied();
    }
    let mut report = Report::new(Profile::Spec, 1);
    table::check(node, table, version, &RULES, false, &mut [], &mut report);
    report.is_valid()
}
