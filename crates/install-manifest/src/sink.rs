//! Where problems go.

use manifest_core::json::Node;
use manifest_core::{Diagnostic, Profile, Report, Rule, Severity, Validate};

/// How many problems past the limit are looked up. Finding the place of one takes
/// time, and a document can have very many.
const ENOUGH: usize = 1000;

/// A report that is filled without wasting time on what nobody will read.
pub(crate) struct Sink<'r> {
    pub(crate) report: &'r mut Report,
    limit: usize,
    strict: bool,
}

impl<'r> Sink<'r> {
    pub(crate) fn new(report: &'r mut Report, options: &Validate) -> Self {
        let strict = options.profile == Profile::Strict;
        Self { report, limit: options.limits.diagnostics, strict }
    }

    /// Reports a problem at a value.
    pub(crate) fn push(&mut self, rule: &'static Rule, node: Node<'_>, message: impl Into<String>) {
        self.push_with(rule, || rule.at(node, message));
    }

    /// Reports a problem whose diagnostic takes work to make.
    pub(crate) fn push_with(&mut self, rule: &Rule, diagnostic: impl FnOnce() -> Diagnostic) {
        let full = self.report.diagnostics.len() >= self.limit;
        let minor = rule.severity != Severity::Error && !self.strict;
        if (full && minor) || self.is_enough() {
            self.report.left_out += 1;
        } else {
            self.report.push(diagnostic());
        }
    }

    /// Whether the verdict is known, and nobody will read more.
    pub(crate) fn is_enough(&self) -> bool {
        self.report.left_out > ENOUGH && !self.report.is_valid()
    }
}
