//! What is known of a package that is installed.

use serde::{Deserialize, Serialize};
use toolglot::mcpkg::testing::Summary;

/// No more runs of tests are kept.
const MOST_RUNS: usize = 100;

/// The record of a package: what the published tool writes, and the digest of the package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Info {
    /// The id of the tool.
    pub tool_id: String,
    /// Its version.
    pub version: String,
    /// Its name for people.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Where its files are.
    pub install_path: String,
    /// When it was installed, by RFC 3339.
    pub installed_at: String,
    /// Words to find it by.
    pub capabilities: Vec<String>,
    /// The digest of the content that was agreed to. The published tool writes none.
    pub digest: String,
}

impl Info {
    pub(super) fn to_json(&self) -> Vec<u8> {
        json(self)
    }
}

/// What came of the tests of a tool, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Metrics {
    /// The runs.
    #[serde(default)]
    pub runs: Vec<Summary>,
}

impl Metrics {
    /// With one more run.
    pub(super) fn with(mut self, run: Summary) -> Self {
        self.runs.push(run);
        let old = self.runs.len().saturating_sub(MOST_RUNS);
        self.runs.drain(..old);
        self
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        json(self)
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    // Texts and numbers can always be written.
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}
