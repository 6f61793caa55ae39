//! Everything that was found in one document.

use std::fmt;

use serde::Serialize;

use crate::{Depth, Diagnostic, Located, Profile, Rule, Severity};

/// Everything that was found in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The diagnostics, in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there were, past the limit.
    pub left_out: usize,
    /// How deep the check looks: what is deeper is not reported.
    #[serde(skip)]
    depth: Depth,
    #[serde(skip)]
    limit: usize,
    #[serde(skip)]
    strict: bool,
    #[serde(skip)]
    left_out_error: bool,
}

/// The first error, and how many there are besides.
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

/// A report of one problem.
impl From<Diagnostic> for Report {
    fn from(diagnostic: Diagnostic) -> Self {
        let mut report = Self::new(Profile::Spec, 1);
        report.push(diagnostic);
        report
    }
}

impl Report {
    /// An empty report of a check that looks so deep. The reference gives no advice.
    pub fn to_depth(profile: Profile, depth: Depth, limit: usize) -> Self {
        let depth = match profile {
            Profile::Reference => depth.min(Depth::Meaning),
            Profile::Spec | Profile::Strict => depth,
        };
        Self { depth, ..Self::new(profile, limit) }
    }

    /// An empty report that keeps up to `limit` diagnostics and, when `profile`
    /// is strict, counts warnings as errors.
    pub fn new(profile: Profile, limit: usize) -> Self {
        Self { limit, strict: profile == Profile::Strict, ..Self::default() }
    }

    /// How many diagnostics are kept.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// Whether the check looks so deep. If not, there is no need to look.
    pub fn wants(&self, depth: Depth) -> bool {
        depth <= self.depth
    }

    /// Adds a broken rule at a value.
    pub fn add(&mut self, rule: &'static Rule, value: impl Located, message: impl Into<String>) {
        self.push_with(rule, || rule.at(value, message));
    }

    /// Adds a diagnostic that takes work to make, if there is room for it.
    pub fn push_with(&mut self, rule: &Rule, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.takes(rule) {
            self.push(diagnostic());
        }
    }

    /// Adds a diagnostic. When there is no room, errors take that of warnings.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if !self.wants(diagnostic.rule.depth) {
            return;
        }
        if self.strict && diagnostic.severity == Severity::Warning {
            diagnostic = diagnostic.severe(Severity::Error);
        }
        if self.diagnostics.len() < self.limit {
            self.diagnostics.push(diagnostic);
            return;
        }
        self.left_out += 1;
        if diagnostic.is_error() {
            // An error is worth more than any warning.
            match self.diagnostics.iter().rposition(|d| !d.is_error()) {
                Some(lesser) => {
                    self.diagnostics.remove(lesser);
                    self.diagnostics.push(diagnostic);
                }
                None => self.left_out_error = true,
            }
        }
    }

    /// Whether a diagnostic of that rule is wanted, and there is room for it. If there
    /// is none, it is counted, and need not be made: finding the place of one in a long
    /// list is dear.
    pub fn takes(&mut self, rule: &Rule) -> bool {
        if !self.wants(rule.depth) {
            return false;
        }
        let error =
            rule.severity == Severity::Error || self.strict && rule.severity == Severity::Warning;
        // Once an error was left out, all of those that are kept are errors.
        let lesser = || !self.left_out_error && self.diagnostics.iter().any(|d| !d.is_error());
        if self.diagnostics.len() < self.limit || error && lesser() {
            return true;
        }
        self.left_out += 1;
        self.left_out_error |= error;
        false
    }

    /// Whether no error was found.
    pub fn is_valid(&self) -> bool {
        !self.left_out_error && self.errors().next().is_none()
    }

    /// The errors only.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|d| d.is_error())
    }
}
