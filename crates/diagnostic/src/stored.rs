//! Reports that can be stored and read again.

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Fix, Related};
use crate::{Pointer, Report, Severity, Span};

/// A report that can be deserialized, because it refers to rules by code. It serializes
/// like a [`Report`].
///
/// ```
/// use toolglot_diagnostic::{Depth, Pointer, Report, Rule, Severity, StoredReport};
///
/// static BLANK: Rule = Rule {
///     code: "notes/blank",
///     severity: Severity::Error,
///     depth: Depth::Structure,
///     summary: "a note must not be blank",
///     explanation: "",
/// };
/// let report = Report::from(BLANK.at_pointer(Pointer::root().push("note"), "it is blank"));
/// let stored = StoredReport::from(&report);
/// assert_eq!(stored.diagnostics[0].code, "notes/blank");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredReport {
    /// The diagnostics, in the order in which they were reported.
    pub diagnostics: Vec<StoredDiagnostic>,
    /// The number of further diagnostics, beyond the limit.
    pub left_out: usize,
}

/// A diagnostic of a stored report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredDiagnostic {
    /// The code of the rule.
    pub code: String,
    /// The severity in the requested profile.
    pub severity: Severity,
    /// The pointer of the value at fault.
    pub pointer: Pointer,
    /// Its bytes in the source, if there is a source.
    pub span: Option<Span>,
    /// The problem.
    pub message: String,
    /// The advice on how to fix it.
    pub help: Option<String>,
    /// Other relevant places.
    pub related: Vec<Related>,
    /// The correction, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

impl From<&Report> for StoredReport {
    fn from(report: &Report) -> Self {
        let stored = report.diagnostics.iter().map(|found| StoredDiagnostic {
            code: found.rule.code.to_owned(),
            severity: found.severity,
            pointer: found.pointer.clone(),
            span: found.span,
            message: found.message.clone(),
            help: found.help.clone(),
            related: found.related.clone(),
            fix: found.fix.clone(),
        });
        Self { diagnostics: stored.collect(), left_out: report.left_out }
    }
}
