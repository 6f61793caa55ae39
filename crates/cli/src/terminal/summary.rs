//! The summary of a conversion, for people. Safety comes first and is never cut, then the
//! tools that do not run, then the rest.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toolglot::convert::{SourceLeaf, TargetLeaf};
use toolglot::core::some_or_bug;
use toolglot::json::Document;
use toolglot::{Class, ConversionReport, Derivation, Format, Limits, RunMode};

use crate::terminal::flags;
use crate::terminal::places::{Item, ToolPlaces, leaves, lines};
use crate::terminal::table::{Section, count_values, list_names};

/// The maximum number of tools that are named.
const MAX_NAMED_TOOLS: usize = 4;

/// A conversion to summarise.
pub(crate) struct ConversionSummary<'c> {
    /// The report of the conversion.
    pub(crate) report: &'c ConversionReport,
    /// The source.
    pub(crate) source: &'c Document<'c>,
    /// The format of the source.
    pub(crate) from: &'static Format,
    /// The targets.
    pub(crate) documents: &'c [Document<'c>],
    /// The format of the targets.
    pub(crate) to: &'static Format,
    /// The limits for lifting the documents.
    pub(crate) limits: &'c Limits,
    /// True to name all tools.
    pub(crate) verbose: bool,
}

impl<'a> ConversionSummary<'a> {
    /// Returns the sections of the summary, in order.
    pub(crate) fn sections(&self) -> Vec<Section> {
        let mut sections = vec![self.safety()];
        sections.extend(self.runs());
        sections.extend(self.values());
        sections
    }

    const fn name_limit(&self) -> usize {
        if self.verbose { usize::MAX } else { MAX_NAMED_TOOLS }
    }

    fn safety(&self) -> Section {
        let notices = self.report.safety.iter().map(|notice| {
            format!("{} ({})", notice.message, list_names(notice.tools.iter(), usize::MAX))
        });
        safety(notices.collect())
    }

    fn runs(&self) -> [Section; 3] {
        let tools = &self.report.tools;
        let mut not: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for tool in tools {
            if let RunMode::Not(why) = &tool.runs {
                not.entry(why).or_default().push(&tool.id);
            }
        }
        let bridged: Vec<&String> = tools
            .iter()
            .filter(|tool| tool.runs == RunMode::ThroughTheBridge)
            .map(|tool| &tool.id)
            .collect();
        let exact = tools.iter().filter(|tool| tool.runs == RunMode::AsItIs).count();
        let stopped = not.values().map(Vec::len).sum();
        // Tools that do not run are all named.
        let why = not
            .iter()
            .map(|(why, ids)| format!("{why} ({})", list_names(ids.iter().copied(), usize::MAX)));
        let through = match bridged.as_slice() {
            [] => count_tools(0),
            ids => {
                let named = list_names(ids.iter().copied(), self.name_limit());
                format!("{} ({named})", count_tools(ids.len()))
            }
        };
        // A need is listed under the kind of call that has it. Some needs are listed under
        // both kinds.
        let ways: BTreeMap<&String, &RunMode> =
            tools.iter().map(|tool| (&tool.id, &tool.runs)).collect();
        let needs = |runs: &RunMode, all: usize| -> Vec<String> {
            let own = |id: &&String| ways.get(*id) == Some(&runs);
            let line = |need: &toolglot::convert::Need| {
                let ids: Vec<&String> = need.tools.iter().filter(own).collect();
                let what = flags::describe_need(need);
                match ids.len() {
                    0 => None,
                    count if count == all => Some(format!("needs {what}")),
                    _ => {
                        let named = list_names(ids.into_iter(), self.name_limit());
                        Some(format!("needs {what} ({named})"))
                    }
                }
            };
            self.report.needs.iter().filter_map(line).collect()
        };
        let bridge = needs(&RunMode::ThroughTheBridge, bridged.len());
        let own = needs(&RunMode::AsItIs, exact);
        runs((count_tools(stopped), why.collect()), (through, bridge), (count_tools(exact), own))
    }

    fn values(&self) -> Vec<Section> {
        let account = self.report;
        let old = ToolPlaces::new([self.source], self.from, self.limits);
        let new = ToolPlaces::new(self.documents, self.to, self.limits);
        let old_values = leaves(self.source);
        // There may be millions, because shared values are repeated in many documents.
        let new_values: HashMap<(usize, &str), &TargetLeaf> = account
            .target
            .iter()
            .map(|leaf| ((leaf.target.document, leaf.target.pointer.as_str()), leaf))
            .collect();
        let went = |leaf: &'a SourceLeaf| -> Vec<Item<'a>> {
            let value = some_or_bug(old_values.get(&leaf.source).copied());
            let place = || old.locate(0, &leaf.source);
            if leaf.target.is_empty() {
                return vec![Item {
                    place: place(),
                    target: None,
                    value,
                    changed_to: None,
                    why: "",
                }];
            }
            let alone = leaf.target.len() == 1 && leaf.also.is_empty();
            let is_this = |from: &toolglot::convert::SourcePlace| {
                from.document == 0 && from.pointer == leaf.source
            };
            let items = leaf.target.iter().map(|to| {
                let target = new_values.get(&(to.document, to.pointer.as_str()));
                // A changed value is shown only if it comes from this value alone.
                let became = target.filter(|target| {
                    let one = matches!(target.source.as_slice(), [from] if is_this(from));
                    alone && one && target.value != value
                });
                Item {
                    place: place(),
                    target: Some(new.locate(to.document, &to.pointer)),
                    value,
                    changed_to: became.map(|leaf| &*leaf.value),
                    why: target.map_or(&leaf.why, |target| &target.why),
                }
            });
            items.collect()
        };
        let part = |heading, style, classes: &[Class], what: &str| {
            let leaves = account.source.iter().filter(|leaf| classes.contains(&leaf.class));
            let leaves: Vec<_> = leaves.collect();
            let items: Vec<_> = leaves.iter().flat_map(|leaf| went(leaf)).collect();
            let count = match leaves.len() {
                0 => count_values(0),
                some => format!("{some} of {}{what}", count_values(account.source.len())),
            };
            Section { heading, style, count, uncut: Vec::new(), lines: lines(&items) }
        };
        vec![
            part("kept", "1;32", &[Class::Native, Class::Equivalent], ""),
            part("approximated", "1;33", &[Class::Approximated], ""),
            self.assumed(&new),
            self.implied(),
            part("only in the residue", "1;36", &[Class::ResidueOnly], ""),
        ]
    }

    /// Returns the section of values that the target has and the source lacks.
    fn assumed(&self, tools: &ToolPlaces) -> Section {
        let is =
            |wanted: Derivation| self.report.target.iter().filter(move |leaf| leaf.how == wanted);
        let items: Vec<_> = is(Derivation::Assumed)
            .map(|leaf| Item {
                place: tools.locate(leaf.target.document, &leaf.target.pointer),
                target: None,
                value: &leaf.value,
                changed_to: None,
                why: &leaf.why,
            })
            .collect();
        let mut lines = lines(&items);
        let bridge = is(Derivation::Bridge).count();
        if bridge > 0 {
            lines.push(("for the bridge".to_owned(), count_values(bridge)));
        }
        let count = match items.len() + bridge {
            0 => count_values(0),
            some => format!("{} that {} does not say", count_values(some), self.from.name),
        };
        Section { heading: "assumed", style: "1;33", count, uncut: Vec::new(), lines }
    }

    /// Returns the section of differences between the hosts that no document declares.
    fn implied(&self) -> Section {
        let implied = &self.report.implied;
        let line = |one: &toolglot::convert::HostDifference| {
            let (from, to) = (self.from.name, self.to.name);
            let tools = list_names(one.tools.iter(), self.name_limit());
            let note = format!("{from}: {} / {to}: {} ({tools})", one.source, one.target);
            (one.about.to_string(), note)
        };
        let about: BTreeSet<_> = implied.iter().map(|one| &one.about).collect();
        let count = match about.len() {
            0 => count_values(0),
            1 => "1 thing that hosts do otherwise".to_owned(),
            many => format!("{many} things that hosts do otherwise"),
        };
        let lines = implied.iter().map(line).collect();
        Section { heading: "implied", style: "1;33", count, uncut: Vec::new(), lines }
    }
}

/// Returns the section of safety notices. It is never cut.
pub(crate) fn safety(notices: Vec<String>) -> Section {
    let count = match notices.len() {
        0 => "nothing to say".to_owned(),
        1 => "1 notice".to_owned(),
        many => format!("{many} notices"),
    };
    uncut_section("safety", "1;31", count, notices)
}

/// Returns three sections: tools that do not run and why, tools that call the bridge and
/// their needs, and tools that run as they are and their needs. Each argument has a count
/// and lines.
pub(crate) fn runs(
    not: (String, Vec<String>),
    bridged: (String, Vec<String>),
    exact: (String, Vec<String>),
) -> [Section; 3] {
    [
        uncut_section("does not run", "1;31", not.0, not.1),
        uncut_section("calls the bridge", "1;33", bridged.0, bridged.1),
        uncut_section("runs as it is", "1;32", exact.0, exact.1),
    ]
}

/// Returns a section that is never cut.
fn uncut_section(
    heading: &'static str,
    style: &'static str,
    count: String,
    whole: Vec<String>,
) -> Section {
    Section { heading, style, count, uncut: whole, lines: Vec::new() }
}

/// Returns a number of tools as text.
pub(crate) fn count_tools(tools: usize) -> String {
    if tools == 0 { "none".to_owned() } else { count_noun(tools, "tool") }
}

/// Returns a number with its noun in singular or plural.
pub(crate) fn count_noun(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
