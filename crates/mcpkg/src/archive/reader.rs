//! An archive that is being read, and what was found so far.

use manifest_core::json::Span;
use manifest_core::{Limits, Report, Rule, quoted};

use super::entry::at;

/// An archive that is being read, and what was found so far.
pub(super) struct Reader<'a, 'l> {
    pub(super) bytes: &'a [u8],
    pub(super) limits: &'l Limits,
    pub(super) report: Report,
}

impl Reader<'_, '_> {
    pub(super) fn push(&mut self, rule: &'static Rule, span: Span, message: impl Into<String>) {
        self.report.push(at(rule, span, message));
    }

    /// Reports a problem of one file.
    pub(super) fn push_named(
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
