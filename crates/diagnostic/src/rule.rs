//! Rules, severities, depths and profiles.

use serde::{Deserialize, Serialize};

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The document is invalid.
    Error,
    /// The document is valid, but probably not what its author meant.
    Warning,
    /// A remark.
    Info,
}

impl Severity {
    /// Returns the word that reports use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// The depth of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// Types, required members, closed sets of values.
    Structure,
    /// References between members, paths, versions, embedded schemas.
    Semantics,
    /// Lints and security smells.
    #[default]
    Advice,
}

/// The authority that validation follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// The text of the specification.
    #[default]
    Spec,
    /// The behaviour of the published implementation, unless that would be unsafe. A format that
    /// is built without its feature `reference`, which is for tests, makes the checks of
    /// [`Spec`](Self::Spec), without advice.
    Reference,
    /// The text of the specification, with every warning as an error.
    Strict,
}

/// A requirement that a document can break.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The stable name, `<area>/<rule>`.
    pub code: &'static str,
    /// The severity under the `spec` profile.
    pub severity: Severity,
    /// The depth at which the rule is checked.
    pub depth: Depth,
    /// The requirement in one line.
    pub summary: &'static str,
    /// A paragraph on the reason for the requirement, and on how to meet it.
    pub explanation: &'static str,
}

impl Rule {
    /// Creates a rule on the structure of documents.
    pub const fn structure(
        code: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self { code, severity: Severity::Error, depth: Depth::Structure, summary, explanation }
    }

    /// Creates a rule on the semantics of documents.
    pub const fn semantics(
        code: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self { code, severity: Severity::Error, depth: Depth::Semantics, summary, explanation }
    }

    /// Creates a rule on the semantics of documents that only warns: a document that breaks
    /// it is still usable.
    pub const fn warning(
        code: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self { code, severity: Severity::Warning, depth: Depth::Semantics, summary, explanation }
    }

    /// Creates a rule that gives advice, as a warning.
    pub const fn advice(
        code: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self { code, severity: Severity::Warning, depth: Depth::Advice, summary, explanation }
    }

    /// Creates a rule that gives advice, as a remark.
    pub const fn remark(
        code: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self { code, severity: Severity::Info, depth: Depth::Advice, summary, explanation }
    }

    /// Returns the URL of this rule in the project's documentation.
    pub fn docs_url(&self) -> String {
        format!(
            "{}/blob/main/docs/rules.md#{}",
            env!("CARGO_PKG_REPOSITORY"),
            self.code.replace('/', "")
        )
    }
}
