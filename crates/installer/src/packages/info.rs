//! The files that the store adds to a package.

use serde::{Deserialize, Serialize};
use toolglot::mcpkg::testing::Summary;

/// The maximum number of test runs that are stored.
const MAX_RUNS: usize = 100;

/// The record of a package: the members that the published tool writes, and the digest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct PackageInfo {
    /// The id of the tool.
    pub tool_id: String,
    /// Its version.
    pub version: String,
    /// The name for people.
    pub name: String,
    /// The description.
    pub description: String,
    /// The folder of its files.
    pub install_path: String,
    /// The time of the installation, in the format of RFC 3339.
    pub installed_at: String,
    /// The capabilities, as search terms.
    pub capabilities: Vec<String>,
    /// The digest of the approved content. It is empty in a record of the published tool.
    pub digest: String,
}

impl PackageInfo {
    pub(super) fn to_json(&self) -> Vec<u8> {
        json(self)
    }
}

/// The results of a tool's tests, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TestMetrics {
    /// The runs.
    #[serde(default)]
    pub runs: Vec<Summary>,
}

impl TestMetrics {
    /// Adds a run, and drops the oldest runs beyond the limit.
    pub(super) fn add_run(mut self, run: Summary) -> Self {
        self.runs.push(run);
        let old = self.runs.len().saturating_sub(MAX_RUNS);
        self.runs.drain(..old);
        self
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        json(self)
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    // Texts and numbers can always be serialised.
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}
