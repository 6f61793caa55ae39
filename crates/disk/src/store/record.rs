//! What is known of a tool that is installed.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The record of an installation. It has names of variables, and no value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::exhaustive_structs)] // whoever installs writes it out
pub struct Record {
    /// The format of the manifest.
    pub format: String,
    /// The id of what was installed.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The SHA-256 of the manifest that was agreed to.
    pub manifest: String,
    /// How it was installed: `pip`, `git`.
    pub method: String,
    /// What was installed.
    #[serde(default)]
    pub installed: Vec<Software>,
    /// When, in milliseconds since 1970.
    pub installed_ms: u64,
    /// The variables that had a value, and where it came from.
    #[serde(default)]
    pub variables: Vec<Collected>,
    /// What came of the last test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Tested>,
    /// The folder beside the record that it is in.
    pub folder: String,
    /// The folders of its programs, below what was installed.
    #[serde(default)]
    pub programs: Vec<String>,
    /// Where they run, below what was installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The SHA-256 of the list of what was installed.
    pub files: String,
}

/// Something that was installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::exhaustive_structs)] // a name and a version
pub struct Software {
    /// What it is called.
    pub name: String,
    /// Its version: a number, a commit or a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A variable that had a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::exhaustive_structs)] // a name and a source
pub struct Collected {
    /// Its name.
    pub name: String,
    /// Where the value came from.
    pub source: String,
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::exhaustive_structs)] // a verdict and a time
pub struct Tested {
    /// Whether it passed.
    pub passed: bool,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

impl Record {
    /// The time, in milliseconds since 1970.
    pub fn now() -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
    }
}
