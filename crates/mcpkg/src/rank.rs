//! Ranks tools, and detects if a tool has become worse.
//!
//! The host stores the test results of each run. This module only compares them.

use std::collections::BTreeMap;

use manifest_core::read::equal_fold;
use serde::Serialize;

use crate::Manifest;
use crate::testing::{Summary, TestReport, TestResult, Verdict};

/// The data that a tool is ranked by.
#[derive(Clone, Debug)]
pub struct ToolRecord<'a> {
    /// The tool.
    pub manifest: &'a Manifest<'a>,
    /// Its test runs, oldest first.
    pub runs: &'a [Summary],
    /// How well it fits the machine, from zero to one: [`fit::fit`], or [`fit::chain_fit`]
    /// if the tool is a chain.
    ///
    /// [`fit::fit`]: crate::fit::fit
    /// [`fit::chain_fit`]: crate::fit::chain_fit
    pub fit: f64,
}

/// The weights of the parts of a score. Only their proportions matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The share of the wanted capabilities that the tool has.
    pub capability: f64,
    /// The share of tests that passed in the last run.
    pub pass_rate: f64,
    /// The speed: one for no time at all, a half for [`Weights::typical_ms`].
    pub latency: f64,
    /// The stability: how little the share of passed tests varies from run to run.
    pub stability: f64,
    /// The fit for the machine.
    pub fit: f64,
    /// A latency that is neither good nor bad.
    pub typical_ms: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            capability: 4.0,
            pass_rate: 3.0,
            latency: 1.0,
            stability: 2.0,
            fit: 2.0,
            typical_ms: 500.0,
        }
    }
}

/// A tool and its score. All parts are between zero and one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RankedTool<'a> {
    /// The tool.
    pub tool_id: &'a str,
    /// The weighted score.
    pub score: f64,
    /// The share of the wanted capabilities that it has.
    pub capability: f64,
    /// The share of tests that passed. Zero if there was no run, because an untested tool
    /// is not better than a failing one.
    pub pass_rate: f64,
    /// The speed.
    pub latency: f64,
    /// The stability.
    pub stability: f64,
    /// The fit for the machine.
    pub fit: f64,
}

/// Ranks tools by capabilities, test results and fit for the machine, best first. Tools
/// that cannot be called on the machine come last. Equal tools are ordered by id.
pub fn rank<'a>(
    wanted: &[&str],
    records: &[ToolRecord<'a>],
    weights: &Weights,
) -> Vec<RankedTool<'a>> {
    let mut ranked: Vec<_> = records.iter().map(|record| score(wanted, record, weights)).collect();
    ranked.sort_by(|a, b| {
        let by_fit = (a.fit <= 0.0).cmp(&(b.fit <= 0.0));
        by_fit.then(b.score.total_cmp(&a.score)).then(a.tool_id.cmp(b.tool_id))
    });
    ranked
}

fn score<'a>(wanted: &[&str], record: &ToolRecord<'a>, weights: &Weights) -> RankedTool<'a> {
    let mut found = 0;
    for word in wanted {
        if record.manifest.capabilities.iter().any(|own| equal_fold(own, word)) {
            found += 1;
        }
    }
    let capability = if wanted.is_empty() { 1.0 } else { share(found, wanted.len()) };
    let (mut pass_rate, mut latency) = (0.0, 0.0);
    if let Some(last) = record.runs.last() {
        pass_rate = share(last.passed, last.total);
        if let Some(average) = last.average_latency_ms {
            let typical = weights.typical_ms.max(f64::MIN_POSITIVE);
            latency = typical / (typical + average.max(0.0));
        }
    }
    let stability = stability(record.runs);
    let fit = record.fit.clamp(0.0, 1.0);
    let sum =
        weights.capability + weights.pass_rate + weights.latency + weights.stability + weights.fit;
    let score = weights.capability * capability
        + weights.pass_rate * pass_rate
        + weights.latency * latency
        + weights.stability * stability
        + weights.fit * fit;
    let score = if sum > 0.0 { score / sum } else { 0.0 };
    let tool_id = record.manifest.tool_id.as_ref();
    RankedTool { tool_id, score, capability, pass_rate, latency, stability, fit }
}

#[allow(clippy::cast_precision_loss)] // there are fewer than 2⁵² tests
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Returns one if every run had the same result, and zero if the results varied as much as
/// possible. Returns a half for fewer than two runs, because the stability is unknown.
fn stability(runs: &[Summary]) -> f64 {
    if runs.len() < 2 {
        return 0.5;
    }
    let (mut low, mut high) = (1.0_f64, 0.0_f64);
    for run in runs {
        let rate = share(run.passed, run.total);
        (low, high) = (low.min(rate), high.max(rate));
    }
    1.0 - (high - low)
}

/// The differences between two reports of one tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Regression<'r> {
    /// Tests that passed before, and do not now.
    pub broken: Vec<&'r str>,
    /// Tests that did not pass before, and do now.
    pub fixed: Vec<&'r str>,
    /// Tests that still pass, and are slower than the limit allows.
    pub slower: Vec<&'r str>,
    /// Tests that the new report lacks.
    pub missing: Vec<&'r str>,
    /// Tests that only the new report has.
    pub added: Vec<&'r str>,
}

impl Regression<'_> {
    /// Returns true if the tool has become worse: tests fail, are missing, or take longer.
    pub fn is_worse(&self) -> bool {
        !(self.broken.is_empty() && self.slower.is_empty() && self.missing.is_empty())
    }
}

/// Compares two reports. A test is slower if it takes more than `factor` times as long, and
/// at least ten milliseconds more. Smaller differences are noise.
pub fn compare<'r>(before: &'r TestReport, after: &'r TestReport, factor: f64) -> Regression<'r> {
    const NOISE_SECONDS: f64 = 0.01;
    let [old, new] = [before, after].map(by_name);
    let mut regression = Regression::default();
    for (name, was) in &old {
        let Some(is) = new.get(name) else {
            regression.missing.push(name);
            continue;
        };
        match (was.verdict == Verdict::Passed, is.verdict == Verdict::Passed) {
            (true, false) => regression.broken.push(name),
            (false, true) => regression.fixed.push(name),
            (false, false) => {}
            (true, true) => {
                if let (Some(was), Some(is)) = (was.latency, is.latency)
                    && let (was, is) = (was.as_secs_f64(), is.as_secs_f64())
                    && is > was * factor
                    && is - was >= NOISE_SECONDS
                {
                    regression.slower.push(name);
                }
            }
        }
    }
    regression.added = new.keys().filter(|name| !old.contains_key(*name)).copied().collect();
    regression
}

fn by_name(report: &TestReport) -> BTreeMap<&str, &TestResult> {
    report.results.iter().map(|result| (result.name.as_str(), result)).collect()
}
