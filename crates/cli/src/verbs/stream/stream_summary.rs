//! The summary of a stream: safety notices, and how tools run. Each notice is printed once,
//! with the number of tools.

use std::collections::{BTreeMap, BTreeSet};

use toolglot::convert::Concern;
use toolglot::{Conversion, RunMode};

use crate::terminal::flags;
use crate::terminal::summary::{self, count_tools};
use crate::terminal::table::Section;

/// The numbers of tools by notice, need and outcome.
#[derive(Default)]
pub(super) struct StreamSummary {
    safety: BTreeMap<(Concern, String), usize>,
    not_run: BTreeMap<String, usize>,
    bridged: usize,
    needs: BTreeMap<String, [usize; 2]>,
    exact: usize,
}

impl StreamSummary {
    pub(super) fn add(&mut self, conversion: &Conversion) {
        for notice in &conversion.safety {
            let key = (notice.concern, notice.message.clone());
            *self.safety.entry(key).or_default() += notice.tools.len();
        }
        for need in &conversion.needs {
            let needing: BTreeSet<&String> = need.tools.iter().collect();
            let as_it_is = conversion.tools.iter().filter(|tool| tool.runs == RunMode::AsItIs);
            let own = as_it_is.filter(|tool| needing.contains(&tool.id)).count();
            let [bridged, exact] =
                self.needs.entry(flags::describe_need(need).into_owned()).or_default();
            *bridged += need.tools.len() - own;
            *exact += own;
        }
        for tool in &conversion.tools {
            match &tool.runs {
                RunMode::AsItIs => self.exact += 1,
                RunMode::ThroughTheBridge => self.bridged += 1,
                RunMode::Not(why) => *self.not_run.entry(why.to_string()).or_default() += 1,
            }
        }
    }

    /// Returns the sections, most serious first. They are never cut.
    pub(super) fn sections(&self) -> Vec<Section> {
        let said = |(what, tools): (&str, &usize)| format!("{what} ({})", count_tools(*tools));
        let safety = self.safety.iter().map(|((_, message), tools)| said((message, tools)));
        let not = self.not_run.iter().map(|(why, tools)| said((why, tools)));
        let needs = |of: fn(&[usize; 2]) -> usize| -> Vec<String> {
            let counts = self.needs.iter().map(|(what, tools)| (what, of(tools)));
            let some = counts.filter(|(_, tools)| *tools > 0);
            some.map(|(what, tools)| format!("needs {}", said((what, &tools)))).collect()
        };
        let stopped = self.not_run.values().sum();
        let mut sections = vec![summary::safety(safety.collect())];
        sections.extend(summary::runs(
            (count_tools(stopped), not.collect()),
            (count_tools(self.bridged), needs(|[bridged, _]| *bridged)),
            (count_tools(self.exact), needs(|[_, exact]| *exact)),
        ));
        sections
    }
}
