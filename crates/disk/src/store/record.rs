//! The record of an installed tool.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The record of an installation. It contains the names of variables, but no values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The format of the manifest.
    pub format: String,
    /// The id of the tool.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The SHA-256 of the approved manifest.
    pub manifest: String,
    /// The method of installation, such as `pip` or `git`.
    pub method: String,
    /// The installed software.
    #[serde(default)]
    pub installed: Vec<Software>,
    /// The time of the installation, in milliseconds since 1970.
    pub installed_ms: u64,
    /// The variables that had a value, and the source of each value.
    #[serde(default)]
    pub variables: Vec<VariableSource>,
    /// The result of the last test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TestResult>,
    /// The name of its folder beside the record.
    pub folder: String,
    /// The folders of its programs, relative to the installed files.
    #[serde(default)]
    pub programs: Vec<String>,
    /// The working directory of its programs, relative to the installed files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The SHA-256 of the list of installed files.
    pub files: String,
}

/// A piece of installed software.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Software {
    /// Its name.
    pub name: String,
    /// Its version: a number, a commit or a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A variable that had a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableSource {
    /// Its name.
    pub name: String,
    /// The source of the value.
    pub source: String,
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestResult {
    /// True if the test passed.
    pub passed: bool,
    /// The time of the test, in milliseconds since 1970.
    pub at_ms: u64,
}

impl Record {
    /// Returns the current time, in milliseconds since 1970.
    pub fn now_ms() -> u64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(now) => u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
            // The clock is before 1970.
            Err(_) => 0,
        }
    }
}
