//! The report of a conversion as text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Pointer, printable};
use manifest_core::format::How;

use crate::emitted::{Implied, Runs, ToolOutcome};
use crate::ledger::{Account, Class, From, SourceLeaf, TargetLeaf, To};
use crate::needs::Need;
use crate::safety::Notice;

/// The most bytes shown of a pointer, of a value, and of a value that contains a digest.
const PLACE: usize = 160;
const VALUE: usize = 64;
const SEAL: usize = 400;

/// The most places shown that a value comes from.
const SOURCES: usize = 4;

impl Account {
    /// Returns the report as text, in the order of importance: safety notices, how tools
    /// run and what they need, where every value of the source went, values of the target
    /// that no line has named, and differences between the hosts. A source value with
    /// places in the target for different reasons has a line for each reason. A value that
    /// only influences others has a `decides` line.
    ///
    /// ```text
    /// unknown       the source does not say what it changes: get_time
    /// bridge        get_time → local.gettime.9a4f2d0c
    /// needs         `toolglot bridge` on the search path, and the source where it looks: `-o FOLDER` puts it there: get_time
    /// native        /tools/0/description → /description
    /// carried       /tools/0/x-note
    /// assumed       /version = "0.0.0" (the source has no version)
    /// implied       result: standard output → JSON of the answer
    /// ```
    pub fn text(&self) -> String {
        let mut page = Page::of(self);
        for Notice { concern, message, tools } in &self.safety {
            page.line(concern.word(), &format!("{message}: {}", tools.join(", ")));
        }
        let mut tools: Vec<&ToolOutcome> = self.tools.iter().collect();
        tools.sort_by_key(|tool| weight(&tool.runs));
        for ToolOutcome { id, target, document: _, runs } in tools {
            let (class, why) = match runs {
                Runs::AsItIs => ("runs", ""),
                Runs::ThroughTheBridge => ("bridge", ""),
                Runs::Not(why) => ("does not run", why.as_ref()),
            };
            page.line(class, &format!("{id} → {target}{}", because(why)));
        }
        for Need { what, tools } in &self.needs {
            page.line("needs", &format!("{what}: {}", tools.join(", ")));
        }
        for leaf in &self.source {
            page.source(leaf);
        }
        page.targets(&self.target);
        for Implied { about, source, target, tools } in &self.implied {
            page.line("implied", &format!("{about}: {source} → {target}: {}", tools.join(", ")));
        }
        page.out
    }
}

/// Sorts tools that do not run first.
const fn weight(runs: &Runs) -> u8 {
    match runs {
        Runs::Not(_) => 0,
        Runs::ThroughTheBridge => 1,
        Runs::AsItIs => 2,
    }
}

fn because(why: &str) -> String {
    if why.is_empty() { String::new() } else { format!(" ({why})") }
}

/// A report in progress.
struct Page<'a> {
    out: String,
    /// True if there are several documents.
    several: bool,
    /// The leaves of the target by place.
    leaves: BTreeMap<(usize, &'a str), &'a TargetLeaf>,
    /// The leaves of the target that a line has named.
    named: BTreeSet<(usize, &'a str)>,
    /// Leaves of the target, each with a place of the source that influences it, or that it
    /// comes from.
    decides: BTreeSet<(usize, &'a str, &'a str)>,
    says: BTreeSet<(usize, &'a str, &'a str)>,
}

impl<'a> Page<'a> {
    fn of(account: &'a Account) -> Self {
        let leaves = account.target.iter();
        Self {
            out: String::new(),
            several: account.target.iter().any(|leaf| leaf.target.document > 0),
            leaves: leaves.map(|leaf| (place(&leaf.target), leaf)).collect(),
            named: BTreeSet::new(),
            decides: in_source(account, |leaf| &leaf.by),
            says: in_source(account, |leaf| &leaf.source),
        }
    }

    fn line(&mut self, class: &str, text: &str) {
        let line = format!("{class:<12}  {text}");
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn shown(&self, document: usize, pointer: &Pointer) -> String {
        let place = printable(pointer.as_str(), PLACE);
        if self.several { format!("{document}:{place}") } else { place }
    }

    /// Returns the leaf of the target at a place, or the first inside it.
    fn leaf(&self, to: &To) -> Option<&'a TargetLeaf> {
        let (document, at) = place(to);
        let below = format!("{at}/");
        let inside = || {
            let (found, leaf) = self.leaves.range((document, below.as_str())..).next()?;
            (found.0 == document && found.1.starts_with(&below)).then_some(leaf)
        };
        self.leaves.get(&(document, at)).or_else(inside).copied()
    }

    /// Writes the lines of one leaf of the source: one for each reason.
    fn source(&mut self, leaf: &'a SourceLeaf) {
        let SourceLeaf { source, class, target, also, why } = leaf;
        let shown = printable(source.as_str(), PLACE);
        let mut groups: Vec<(&str, Cow<'_, str>, Vec<String>)> = Vec::new();
        let mut decided = Vec::new();
        let best = target.iter().map(|to| (to, true));
        for (to, best) in best.chain(also.iter().map(|to| (to, false))) {
            let decides = |leaf: &TargetLeaf| self.decides.contains(&between(leaf, source));
            if self.leaf(to).is_some_and(decides) {
                decided.push(self.shown(to.document, &to.pointer));
                continue;
            }
            // Native and equivalent values need no reason, even if the place contains more.
            let (how, why) = match (best, class) {
                (true, Class::Native) => (How::Native, Cow::Borrowed("")),
                (true, Class::Equivalent) => (How::Equivalent, Cow::Borrowed("")),
                _ => {
                    self.leaf(to).map_or((How::Approximated, Cow::Borrowed(why.as_ref())), |leaf| {
                        (leaf.how, self.reason(leaf, source))
                    })
                }
            };
            let word = if best { class.word() } else { how.word() };
            let there = self.shown(to.document, &to.pointer);
            // Other values have a line among those of the target.
            if how <= How::Approximated {
                self.named.insert(place(to));
            }
            match groups.iter_mut().find(|group| group.0 == word && group.1 == why) {
                Some(group) => group.2.push(there),
                None => groups.push((word, why, vec![there])),
            }
        }
        if groups.is_empty() && decided.is_empty() {
            self.line(class.word(), &shown);
        }
        if !decided.is_empty() {
            self.line("decides", &format!("{shown} → {}", decided.join(", ")));
        }
        for (word, why, places) in groups {
            self.line(word, &format!("{shown} → {}{}", places.join(", "), because(&why)));
        }
    }

    /// Returns the reason of a target value that comes from a leaf of the source. If other
    /// places determine it jointly, they are listed.
    fn reason<'l>(&self, leaf: &'l TargetLeaf, source: &Pointer) -> Cow<'l, str> {
        let own = self.says.contains(&between(leaf, source));
        let others = leaf.source.len() - usize::from(own);
        if !leaf.joint || others == 0 {
            return Cow::Borrowed(&leaf.why);
        }
        let other = |from: &&From| from.document != 0 || from.pointer != *source;
        let with = listed(leaf.source.iter().filter(other), others);
        Cow::Owned(format!("together with {with}: {}", leaf.why))
    }

    /// Writes the leaves of the target that no line has named. Bridge arguments of one list
    /// share a line if they have the same reason and sources.
    fn targets(&mut self, leaves: &'a [TargetLeaf]) {
        let rest = leaves.iter().filter(|leaf| !self.named.contains(&place(&leaf.target)));
        let mut groups: Vec<Vec<&TargetLeaf>> = Vec::new();
        let mut list: BTreeMap<(usize, &str, How, &str), usize> = BTreeMap::new();
        for leaf in rest {
            let key = element(leaf)
                .filter(|_| leaf.how == How::Bridge)
                .map(|(parent, _)| (leaf.target.document, parent, leaf.how, leaf.why.as_ref()));
            let known = key.and_then(|key| list.get(&key)).copied();
            match known.and_then(|known| groups.get_mut(known)) {
                Some(group) if same_sources(group, leaf) => group.push(leaf),
                _ => {
                    if let Some(key) = key {
                        list.insert(key, groups.len());
                    }
                    groups.push(vec![leaf]);
                }
            }
        }
        for group in groups {
            self.target(&group);
        }
    }

    fn target(&mut self, group: &[&TargetLeaf]) {
        let [first, others @ ..] = group else { return };
        let mut places = self.shown(first.target.document, &first.target.pointer);
        for (_, index) in others.iter().filter_map(|leaf| element(leaf)) {
            places.push_str(", ");
            places.push_str(index);
        }
        let most = if first.how == How::Seal { SEAL } else { VALUE };
        let values: Vec<String> = group.iter().map(|leaf| printable(&leaf.value, most)).collect();
        let from = sources(&first.source);
        let text = format!("{places} = {}{from}{}", values.join(" "), because(&first.why));
        self.line(first.how.word(), &text);
    }
}

fn place(to: &To) -> (usize, &str) {
    (to.document, to.pointer.as_str())
}

/// Returns a leaf of the target and a place of the source as a key.
fn between<'a>(leaf: &'a TargetLeaf, source: &'a Pointer) -> (usize, &'a str, &'a str) {
    (leaf.target.document, leaf.target.pointer.as_str(), source.as_str())
}

/// Returns all leaves of the target with their places in the source.
fn in_source(
    account: &Account,
    places: fn(&TargetLeaf) -> &[From],
) -> BTreeSet<(usize, &str, &str)> {
    let all = account.target.iter().flat_map(|leaf| {
        let own = places(leaf).iter().filter(|from| from.document == 0);
        own.map(|from| between(leaf, &from.pointer))
    });
    all.collect()
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
fn sources(from: &[From]) -> String {
    if from.is_empty() {
        String::new()
    } else {
        format!(" ← {}", listed(from.iter(), from.len()))
    }
}

/// Formats the first of some places, and the number of the others.
fn listed<'a>(places: impl Iterator<Item = &'a From>, count: usize) -> String {
    let shown = places.take(SOURCES).map(|from| {
        let place = printable(from.pointer.as_str(), PLACE);
        if from.document > 0 { format!("{}:{place}", from.document) } else { place }
    });
    let shown = shown.collect::<Vec<String>>().join(", ");
    match count.saturating_sub(SOURCES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
