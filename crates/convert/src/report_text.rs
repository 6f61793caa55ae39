//! The report of a conversion as text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Pointer, printable};
use manifest_core::format::Derivation;

use crate::ledger::{Class, ConversionReport, SourceLeaf, SourcePlace, TargetLeaf, TargetPlace};
use crate::needs::Need;
use crate::output::{HostDifference, RunMode, ToolOutcome};
use crate::safety::Notice;

/// The most bytes shown of a pointer, of a value, and of a value that contains a digest.
const MAX_POINTER: usize = 160;
const MAX_VALUE: usize = 64;
const MAX_SEAL: usize = 400;

/// The most places shown that a value comes from.
const MAX_SOURCES: usize = 4;

impl ConversionReport {
    /// Returns the report as text, in the order of importance: safety notices, how tools
    /// run and what they need, where every value of the source went, values of the target
    /// that no line has named, and differences between the hosts. A source value with
    /// places in the target for different reasons has a line for each reason. A value that
    /// only influences others has a `decides` line.
    ///
    /// ```text
    /// unknown       the source does not say what it changes: get_time
    /// bridge        get_time → local.gettime.9a4f2d0c
    /// needs         `toolglot` on the search path, and a copy of the source where the bridge looks: get_time
    /// native        /tools/0/description → /description
    /// residue-only  /tools/0/x-note
    /// assumed       /version = "0.0.0" (the source has no version)
    /// implied       result: standard output → JSON of the answer
    /// ```
    pub fn text(&self) -> String {
        let mut page = ReportWriter::of(self);
        for Notice { concern, message, tools } in &self.safety {
            page.line(concern.as_str(), &format!("{message}: {}", tools.join(", ")));
        }
        let mut tools: Vec<&ToolOutcome> = self.tools.iter().collect();
        tools.sort_by_key(|tool| run_order(&tool.runs));
        for ToolOutcome { id, target, document: _, runs } in tools {
            let (class, why) = match runs {
                RunMode::AsItIs => ("runs", ""),
                RunMode::ThroughTheBridge => ("bridge", ""),
                RunMode::Not(why) => ("does not run", why.as_ref()),
            };
            page.line(class, &format!("{id} → {target}{}", parenthesised(why)));
        }
        for Need { kind: _, what, tools } in &self.needs {
            page.line("needs", &format!("{what}: {}", tools.join(", ")));
        }
        for leaf in &self.source {
            page.write_source_leaf(leaf);
        }
        page.write_target_leaves(&self.target);
        for HostDifference { about, source, target, tools } in &self.implied {
            page.line("implied", &format!("{about}: {source} → {target}: {}", tools.join(", ")));
        }
        page.out
    }
}

/// Sorts tools that do not run first.
const fn run_order(runs: &RunMode) -> u8 {
    match runs {
        RunMode::Not(_) => 0,
        RunMode::ThroughTheBridge => 1,
        RunMode::AsItIs => 2,
    }
}

fn parenthesised(why: &str) -> String {
    if why.is_empty() { String::new() } else { format!(" ({why})") }
}

/// A report in progress.
struct ReportWriter<'a> {
    out: String,
    /// True if there are several documents.
    numbered: bool,
    /// The leaves of the target by place.
    leaves: BTreeMap<(usize, &'a str), &'a TargetLeaf>,
    /// The leaves of the target that a line has named.
    reported: BTreeSet<(usize, &'a str)>,
    /// Leaves of the target, each with a place of the source that influences it, or that it
    /// comes from.
    influences: BTreeSet<(usize, &'a str, &'a str)>,
    origins: BTreeSet<(usize, &'a str, &'a str)>,
}

impl<'a> ReportWriter<'a> {
    fn of(account: &'a ConversionReport) -> Self {
        let leaves = account.target.iter();
        Self {
            out: String::new(),
            numbered: account.target.iter().any(|leaf| leaf.target.document > 0),
            leaves: leaves.map(|leaf| (place_key(&leaf.target), leaf)).collect(),
            reported: BTreeSet::new(),
            influences: source_pairs(account, |leaf| &leaf.by),
            origins: source_pairs(account, |leaf| &leaf.source),
        }
    }

    fn line(&mut self, class: &str, text: &str) {
        let line = format!("{class:<12}  {text}");
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn format_place(&self, document: usize, pointer: &Pointer) -> String {
        let place = printable(pointer.as_str(), MAX_POINTER);
        if self.numbered { format!("{document}:{place}") } else { place }
    }

    /// Returns the leaf of the target at a place, or the first inside it.
    fn leaf(&self, to: &TargetPlace) -> Option<&'a TargetLeaf> {
        let (document, at) = place_key(to);
        if let Some(leaf) = self.leaves.get(&(document, at)) {
            return Some(leaf);
        }
        let below = format!("{at}/");
        let (found, leaf) = self.leaves.range((document, below.as_str())..).next()?;
        (found.0 == document && found.1.starts_with(&below)).then_some(leaf)
    }

    /// Writes the lines of one leaf of the source: one for each reason.
    fn write_source_leaf(&mut self, leaf: &'a SourceLeaf) {
        let SourceLeaf { source, class, target, also, why } = leaf;
        let shown = printable(source.as_str(), MAX_POINTER);
        let mut groups: Vec<(&str, Cow<'_, str>, Vec<String>)> = Vec::new();
        let mut decided = Vec::new();
        for (number, to) in target.iter().chain(also).enumerate() {
            let is_best = number < target.len();
            let there = self.format_place(to.document, &to.pointer);
            let leaf = self.leaf(to);
            if leaf.is_some_and(|leaf| self.influences.contains(&pair_key(leaf, source))) {
                decided.push(there);
                continue;
            }
            // Native and equivalent values need no reason, even if the place contains more.
            let (how, why) = match (class, leaf) {
                (Class::Native, _) if is_best => (Derivation::Native, Cow::Borrowed("")),
                (Class::Equivalent, _) if is_best => (Derivation::Equivalent, Cow::Borrowed("")),
                (_, Some(leaf)) => (leaf.how, self.reason(leaf, source)),
                (_, None) => (Derivation::Approximated, Cow::Borrowed(why.as_ref())),
            };
            let word = if is_best { class.as_str() } else { how.word() };
            // Other values have a line among those of the target.
            if how <= Derivation::Approximated {
                self.reported.insert(place_key(to));
            }
            match groups.iter_mut().find(|group| group.0 == word && group.1 == why) {
                Some(group) => group.2.push(there),
                None => groups.push((word, why, vec![there])),
            }
        }
        if groups.is_empty() && decided.is_empty() {
            self.line(class.as_str(), &shown);
        }
        if !decided.is_empty() {
            self.line("decides", &format!("{shown} → {}", decided.join(", ")));
        }
        for (word, why, places) in groups {
            self.line(word, &format!("{shown} → {}{}", places.join(", "), parenthesised(&why)));
        }
    }

    /// Returns the reason of a target value that comes from a leaf of the source. If other
    /// places determine it jointly, they are listed.
    fn reason<'l>(&self, leaf: &'l TargetLeaf, source: &Pointer) -> Cow<'l, str> {
        let own = self.origins.contains(&pair_key(leaf, source));
        let others = leaf.source.len() - usize::from(own);
        if !leaf.joint || others == 0 {
            return Cow::Borrowed(&leaf.why);
        }
        let places = leaf.source.iter();
        let with = format_places(
            places.filter(|from| from.document != 0 || from.pointer != *source),
            others,
        );
        Cow::Owned(format!("together with {with}: {}", leaf.why))
    }

    /// Writes the leaves of the target that no line has named. Bridge arguments of one list
    /// share a line if they have the same reason and sources.
    fn write_target_leaves(&mut self, leaves: &'a [TargetLeaf]) {
        let mut groups: Vec<Vec<&TargetLeaf>> = Vec::new();
        // The last group of the bridge arguments of each list and reason.
        let mut last_groups: BTreeMap<(usize, &str, &str), usize> = BTreeMap::new();
        for leaf in leaves {
            if self.reported.contains(&place_key(&leaf.target)) {
                continue;
            }
            if leaf.how == Derivation::Bridge
                && let Some((list, _)) = element(leaf)
            {
                let last = last_groups.entry((leaf.target.document, list, &leaf.why));
                let last = last.or_insert(groups.len());
                if let Some(group) = groups.get_mut(*last) {
                    if same_sources(group, leaf) {
                        group.push(leaf);
                        continue;
                    }
                    *last = groups.len();
                }
            }
            groups.push(vec![leaf]);
        }
        for group in groups {
            self.write_target_group(&group);
        }
    }

    fn write_target_group(&mut self, group: &[&TargetLeaf]) {
        let [first, others @ ..] = group else { return };
        let mut places = self.format_place(first.target.document, &first.target.pointer);
        for leaf in others {
            if let Some((_, index)) = element(leaf) {
                places.push_str(", ");
                places.push_str(index);
            }
        }
        let most = if first.how == Derivation::Seal { MAX_SEAL } else { MAX_VALUE };
        let values: Vec<String> = group.iter().map(|leaf| printable(&leaf.value, most)).collect();
        let from = format_sources(&first.source);
        let text = format!("{places} = {}{from}{}", values.join(" "), parenthesised(&first.why));
        self.line(first.how.word(), &text);
    }
}

fn place_key(to: &TargetPlace) -> (usize, &str) {
    (to.document, to.pointer.as_str())
}

/// Returns a leaf of the target and a place of the source as a key.
fn pair_key<'a>(leaf: &'a TargetLeaf, source: &'a Pointer) -> (usize, &'a str, &'a str) {
    (leaf.target.document, leaf.target.pointer.as_str(), source.as_str())
}

/// Returns all leaves of the target with their places in the source.
fn source_pairs(
    account: &ConversionReport,
    places: fn(&TargetLeaf) -> &[SourcePlace],
) -> BTreeSet<(usize, &str, &str)> {
    let mut pairs = BTreeSet::new();
    for leaf in &account.target {
        for from in places(leaf) {
            if from.document == 0 {
                pairs.insert(pair_key(leaf, &from.pointer));
            }
        }
    }
    pairs
}

/// Returns the list that a leaf is an element of, and its index.
fn element(leaf: &TargetLeaf) -> Option<(&str, &str)> {
    let found = leaf.target.pointer.as_str().rsplit_once('/')?;
    found.1.bytes().all(|byte| byte.is_ascii_digit()).then_some(found)
}

fn same_sources(group: &[&TargetLeaf], leaf: &TargetLeaf) -> bool {
    group.first().is_some_and(|first| first.source == leaf.source)
}

/// Formats the origin of a value.
fn format_sources(from: &[SourcePlace]) -> String {
    if from.is_empty() {
        String::new()
    } else {
        format!(" ← {}", format_places(from.iter(), from.len()))
    }
}

/// Formats the first of some places, and the number of the others.
fn format_places<'a>(places: impl Iterator<Item = &'a SourcePlace>, count: usize) -> String {
    let mut shown = Vec::new();
    for from in places.take(MAX_SOURCES) {
        let place = printable(from.pointer.as_str(), MAX_POINTER);
        shown.push(if from.document > 0 { format!("{}:{place}", from.document) } else { place });
    }
    let shown = shown.join(", ");
    match count.saturating_sub(MAX_SOURCES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
