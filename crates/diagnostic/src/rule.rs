//! What a document can do wrong, and how bad that is.

use serde::{Deserialize, Serialize};

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The document is invalid.
    Error,
    /// The document is valid, and probably not what its author meant.
    Warning,
    /// Worth knowing.
    Info,
}

/// How deep a check looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// Types, required members, closed sets of values.
    Structure,
    /// References between members, paths, versions, embedded schemas.
    Meaning,
    /// Lints and security smells.
    #[default]
    Advice,
}

/// Whose behaviour validation follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// The text of the specification.
    #[default]
    Spec,
    /// The published implementation, except where following it would be unsafe.
    Reference,
    /// The specification, with every warning an error.
    Strict,
}

/// Something a document can do wrong.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Stable name, `<area>/<rule>`.
    pub code: &'static str,
    /// Severity under the `spec` profile.
    pub severity: Severity,
    /// The depth at which the rule is checked.
    pub depth: Depth,
    /// One line: what must hold.
    pub summary: &'static str,
    /// A paragraph: why it must hold, and what to do.
    pub explanation: &'static str,
}

impl Rule {
    /// Where the project's documentation explains this rule.
    pub fn docs(&self) -> String {
        format!(
            "{}/blob/main/docs/rules.md#{}",
            env!("CARGO_PKG_REPOSITORY"),
            self.code.replace('/', "")
        )
    }
}
