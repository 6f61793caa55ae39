//! The diagnostics of one document.

use std::convert::Infallible;
use std::fmt;

use serde::Serialize;

use crate::{Depth, Diagnostic, HasLocation, Profile, Rule, Severity};

/// The diagnostics of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The diagnostics, in the order in which they were reported.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of further diagnostics, beyond the limit.
    pub left_out: usize,
    /// Rules of a greater depth are not reported.
    #[serde(skip)]
    depth: Depth,
    #[serde(skip)]
    limit: usize,
    #[serde(skip)]
    strict: bool,
    #[serde(skip)]
    has_dropped_error: bool,
}

/// Writes the first error and the number of other errors.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.errors().next() {
            None => f.write_str("no errors"),
            Some(first) => match self.errors().count() - 1 {
                0 => write!(f, "{first}"),
                1 => write!(f, "{first} (and one more error)"),
                more => write!(f, "{first} (and {more} more errors)"),
            },
        }
    }
}

impl std::error::Error for Report {}

/// Creates a report of one problem.
impl From<Diagnostic> for Report {
    fn from(diagnostic: Diagnostic) -> Self {
        let mut report = Self::new(Profile::Spec, 1);
        report.push(diagnostic);
        report
    }
}

/// Creates a report of several problems.
impl From<Vec<Diagnostic>> for Report {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        let mut report = Self::new(Profile::Spec, diagnostics.len());
        for diagnostic in diagnostics {
            report.push(diagnostic);
        }
        report
    }
}

/// For functions that are generic over the error, such as that of `TryInto`.
impl From<Infallible> for Report {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Report {
    /// Creates a report limited to `depth`. The reference profile never reports advice.
    pub fn with_depth(profile: Profile, depth: Depth, limit: usize) -> Self {
        let depth = match profile {
            Profile::Reference => depth.min(Depth::Semantics),
            Profile::Spec | Profile::Strict => depth,
        };
        Self { depth, ..Self::new(profile, limit) }
    }

    /// Creates an empty report that keeps up to `limit` diagnostics. In the strict profile,
    /// it counts warnings as errors.
    pub fn new(profile: Profile, limit: usize) -> Self {
        Self { limit, strict: profile == Profile::Strict, ..Self::default() }
    }

    /// Returns the maximum number of diagnostics that are kept.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// Returns true if rules of this depth are reported. If not, checks of this depth can
    /// be skipped.
    pub fn includes_depth(&self, depth: Depth) -> bool {
        depth <= self.depth
    }

    /// Adds a diagnostic of a rule at a value.
    pub fn add(
        &mut self,
        rule: &'static Rule,
        value: impl HasLocation,
        message: impl Into<String>,
    ) {
        self.push_with(rule, || rule.at(value, message));
    }

    /// Adds a diagnostic, which is only built if there is room for it.
    pub fn push_with(&mut self, rule: &Rule, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.accepts(rule) {
            self.push(diagnostic());
        }
    }

    /// Adds a diagnostic. If there is no room, an error replaces a warning or a remark.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if !self.includes_depth(diagnostic.rule.depth) {
            return;
        }
        if self.strict && diagnostic.severity == Severity::Warning {
            diagnostic = diagnostic.with_severity(Severity::Error);
        }
        if self.diagnostics.len() < self.limit {
            self.diagnostics.push(diagnostic);
            return;
        }
        self.left_out += 1;
        if diagnostic.is_error() {
            match self.diagnostics.iter().rposition(|d| !d.is_error()) {
                Some(lesser) => {
                    self.diagnostics.remove(lesser);
                    self.diagnostics.push(diagnostic);
                }
                None => self.has_dropped_error = true,
            }
        }
    }

    /// Returns true if a diagnostic of this rule will be reported and there is room for it.
    /// If there is no room, counts it, so the caller need not build it: the pointer of a
    /// value in a long list is expensive.
    pub fn accepts(&mut self, rule: &Rule) -> bool {
        if !self.includes_depth(rule.depth) {
            return false;
        }
        let error =
            rule.severity == Severity::Error || self.strict && rule.severity == Severity::Warning;
        if self.diagnostics.len() < self.limit {
            return true;
        }
        // Once an error was left out, all diagnostics that are kept are errors.
        if error && !self.has_dropped_error && self.diagnostics.iter().any(|d| !d.is_error()) {
            return true;
        }
        self.left_out += 1;
        self.has_dropped_error |= error;
        false
    }

    /// Returns true if there is no error.
    pub fn is_valid(&self) -> bool {
        !self.has_dropped_error && self.errors().next().is_none()
    }

    /// Returns the errors only.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|d| d.is_error())
    }
}
