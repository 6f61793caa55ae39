//! An archive that is being read, with its report.

use diagnostic::{Report, Rule, Span, quoted};
use manifest_core::Limits;

use crate::entry::diagnostic_at;

/// An archive that is being read, with its report.
pub(crate) struct Reader<'a, 'l> {
    pub(crate) bytes: &'a [u8],
    pub(crate) limits: &'l Limits,
    pub(crate) report: Report,
}

impl Reader<'_, '_> {
    pub(crate) fn push(&mut self, rule: &'static Rule, span: Span, message: impl Into<String>) {
        self.report.push(diagnostic_at(rule, span, message));
    }

    /// Reports a problem of one file.
    pub(crate) fn push_named(
        &mut self,
        rule: &'static Rule,
        span: Span,
        name: &[u8],
        message: &str,
    ) {
        let name = quoted(&String::from_utf8_lossy(name.get(..256).unwrap_or(name)));
        self.push(rule, span, format!("{name}: {message}"));
    }
}
