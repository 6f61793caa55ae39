//! The layout of the folder of the packages, and the files that the store adds to a package.

use serde::{Deserialize, Serialize};
use toolglot::mcpkg::testing::Summary;

/// The folder of the packages, relative to the folder of a project.
pub const FOLDER: &str = ".mcp/tools";
/// The record of a tool.
pub(super) const INFO: &str = "package-info.json";
/// The results of its tests.
pub(super) const METRICS: &str = "metadata.json";
pub(super) const PACKAGES: &str = ".packages";
pub(super) const STAGING: &str = ".staging";
/// The maximum size of a record.
pub(super) const MAX_RECORD_BYTES: u64 = 4 << 20;
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
}
