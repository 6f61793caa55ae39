//! Reports of test runs.

use std::time::Duration;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize};

use super::judge::Reason;
use crate::text::to_pretty_json;

/// The verdict on a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Verdict {
    /// The result met all conditions.
    Passed,
    /// The result did not meet all conditions.
    Failed,
    /// The call took too long.
    TimedOut,
    /// There was no result: the input was not sent, or the call failed.
    Errored,
    /// The run ended before this test.
    NotRun,
}

/// The result of one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SerializedResult", into = "SerializedResult")]
pub struct TestResult {
    /// The name of the test.
    pub name: String,
    /// The file of the test.
    pub file: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reasons why it did not pass.
    pub reasons: Vec<Reason>,
    /// The duration of the call, if there was one.
    pub latency: Option<Duration>,
}

/// The serialized form of a result, with the duration in milliseconds.
#[derive(Serialize, Deserialize)]
struct SerializedResult {
    name: String,
    file: String,
    verdict: Verdict,
    latency_ms: Option<f64>,
    #[serde(default)]
    reasons: Vec<Reason>,
}

impl From<TestResult> for SerializedResult {
    fn from(result: TestResult) -> Self {
        let TestResult { name, file, verdict, reasons, latency } = result;
        Self { name, file, verdict, latency_ms: latency.map(to_milliseconds), reasons }
    }
}

impl From<SerializedResult> for TestResult {
    fn from(written: SerializedResult) -> Self {
        let SerializedResult { name, file, verdict, latency_ms, reasons } = written;
        let latency = latency_ms.and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok());
        Self { name, file, verdict, reasons, latency }
    }
}

/// The results of all tests of a tool. It is stored as JSON by
/// [`to_json`](TestReport::to_json), and read back with `serde`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TestReport {
    /// The id of the tool.
    pub tool_id: String,
    /// Its version.
    pub version: String,
    /// The results, in the order of the manifest.
    pub results: Vec<TestResult>,
}

/// The summary of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The number of tests.
    pub total: usize,
    /// The number of tests that passed.
    pub passed: usize,
    /// The number of tests that did not pass.
    pub failed: usize,
    /// The average duration of a call, in milliseconds.
    pub average_latency_ms: Option<f64>,
    /// The 95th percentile of the durations, in milliseconds.
    pub p95_latency_ms: Option<f64>,
}

impl TestReport {
    /// Returns a summary of the report.
    pub fn summary(&self) -> Summary {
        let total = self.results.len();
        let (mut passed, mut latencies) = (0, Vec::with_capacity(total));
        for result in &self.results {
            if result.verdict == Verdict::Passed {
                passed += 1;
            }
            latencies.extend(result.latency);
        }
        latencies.sort_unstable();
        let sum: Duration = latencies.iter().sum();
        let count = u32::try_from(latencies.len()).unwrap_or(u32::MAX);
        let average = sum.checked_div(count);
        // The nearest rank: of twenty calls, the nineteenth.
        let rank = latencies.len().saturating_mul(95).div_ceil(100);
        let p95 = latencies.get(rank.saturating_sub(1));
        Summary {
            total,
            passed,
            failed: total - passed,
            average_latency_ms: average.map(to_milliseconds),
            p95_latency_ms: p95.copied().map(to_milliseconds),
        }
    }

    /// Returns true if all tests passed.
    pub fn is_success(&self) -> bool {
        self.results.iter().all(|result| result.verdict == Verdict::Passed)
    }

    /// Returns the report as JSON.
    pub fn to_json(&self) -> String {
        to_pretty_json(self)
    }
}

pub(super) fn to_milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

impl Serialize for TestReport {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("TestReport", 4)?;
        out.serialize_field("toolId", &self.tool_id)?;
        out.serialize_field("version", &self.version)?;
        out.serialize_field("summary", &self.summary())?;
        out.serialize_field("results", &self.results)?;
        out.end()
    }
}
