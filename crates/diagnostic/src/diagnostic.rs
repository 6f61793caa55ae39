//! Diagnostics.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize, Serializer};

use crate::{Pointer, Rule, Severity, Span, printable, secret};

/// A violation of a [`Rule`] at a place in a document.
///
/// Only [`Rule::at`] and [`Rule::at_pointer`] create one, and they mask secrets. The fields
/// are read-only, so that no message is set without masking:
///
/// ```compile_fail
/// # fn show(mut found: toolglot_diagnostic::Diagnostic) {
/// found.message = "what nobody masked".to_owned();
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic(Box<DiagnosticParts>);

impl Deref for Diagnostic {
    type Target = DiagnosticParts;

    fn deref(&self) -> &DiagnosticParts {
        &self.0
    }
}

/// The contents of a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DiagnosticParts {
    /// The rule.
    #[serde(rename = "code", serialize_with = "serialize_code")]
    pub rule: &'static Rule,
    /// The severity in the requested profile.
    pub severity: Severity,
    /// The pointer of the value at fault.
    pub pointer: Pointer,
    /// Its bytes in the source, if there is a source.
    pub span: Option<Span>,
    /// The problem, in one line without control characters.
    pub message: String,
    /// The advice on how to fix it.
    pub help: Option<String>,
    /// Other relevant places, for example the first of two equal keys.
    pub related: Vec<Related>,
    /// The correction, if it is clear.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// A correction of a text: a replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Fix {
    /// The bytes to replace.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// A second place of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Related {
    /// Its bytes in the source.
    pub span: Span,
    /// The relation of this place to the problem.
    pub message: String,
}

/// A value of a text, which has a pointer and a span.
pub trait HasLocation {
    /// Returns the pointer of the value in its document.
    fn pointer(&self) -> Pointer;
    /// Returns the bytes of the value in the text.
    fn span(&self) -> Span;
}

impl Rule {
    /// Creates a diagnostic of this rule at a value of the source.
    #[allow(clippy::needless_pass_by_value)] // handles are passed by value
    pub fn at(&'static self, value: impl HasLocation, message: impl Into<String>) -> Diagnostic {
        self.at_pointer(value.pointer(), message).span(value.span())
    }

    /// Creates a diagnostic of this rule at a pointer, without a span. Secrets are kept
    /// out: they are asterisks in the message, and the pointer ends before a name that
    /// contains one.
    pub fn at_pointer(&'static self, pointer: Pointer, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self, pointer, message.into())
    }
}

impl Diagnostic {
    pub(crate) fn new(rule: &'static Rule, pointer: Pointer, message: String) -> Self {
        Self(Box::new(DiagnosticParts {
            rule,
            severity: rule.severity,
            message: mask_text(pointer.as_str(), message),
            pointer: secret::trim_pointer(pointer),
            span: None,
            help: None,
            related: Vec::new(),
            fix: None,
        }))
    }

    /// Returns the diagnostic with another severity.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.0.severity = severity;
        self
    }

    /// Replaces the message.
    pub fn set_message(&mut self, message: impl Into<String>) {
        self.0.message = mask_text(self.0.pointer.as_str(), message.into());
    }

    /// Removes the span, the related places and the fix, for a user who cannot see the text
    /// that they refer to.
    pub fn clear_spans(&mut self) {
        self.0.span = None;
        self.0.related.clear();
        self.0.fix = None;
    }

    /// Sets the span unless there is one.
    pub fn set_span_if_none(&mut self, span: Span) {
        self.0.span.get_or_insert(span);
    }

    /// Changes all spans, for a text that is part of a longer one.
    pub fn map_spans(&mut self, change: impl Fn(Span) -> Span) {
        self.0.span = self.0.span.map(&change);
        for related in &mut self.0.related {
            related.span = change(related.span);
        }
        if let Some(fix) = &mut self.0.fix {
            fix.span = change(fix.span);
        }
    }

    /// Replaces the pointer, for a value that is part of a larger document.
    pub fn set_pointer(&mut self, pointer: Pointer) {
        self.0.pointer = secret::trim_pointer(pointer);
    }

    /// Rewrites the message and the help.
    pub fn map_text(&mut self, change: impl Fn(&str) -> String) {
        self.set_message(change(&self.message));
        if let Some(help) = &self.help {
            self.set_help(change(help));
        }
    }

    /// Sets the help: advice on how to fix the problem.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.set_help(help);
        self
    }

    /// Sets or replaces the help.
    pub fn set_help(&mut self, help: impl Into<String>) {
        self.0.help = Some(mask_text(self.0.pointer.as_str(), help.into()));
    }

    /// Returns the help, or the rule's summary if there is no help.
    pub fn advice(&self) -> &str {
        self.help.as_deref().unwrap_or(self.rule.summary)
    }

    /// Adds a related place.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        let message = mask_text(self.pointer.as_str(), message.into());
        self.0.related.push(Related { span, message });
        self
    }

    /// Sets the correction: a replacement of the bytes in `span`.
    #[must_use]
    pub fn fix(mut self, span: Span, text: impl Into<String>) -> Self {
        self.0.fix = Some(Fix { span, text: text.into() });
        self
    }

    /// Sets or replaces the span.
    #[must_use]
    pub fn span(mut self, span: Span) -> Self {
        self.0.span = Some(span);
        self
    }

    /// Sets the span of a diagnostic that has only a pointer: to the value there, or else
    /// to the nearest value around it. `span` returns the bytes of the value at a pointer.
    #[must_use]
    pub fn locate(mut self, span: impl Fn(&Pointer) -> Option<Span>) -> Self {
        let mut place = self.pointer.clone();
        while self.span.is_none() {
            self.0.span = span(&place);
            let Some((parent, _)) = place.split_last() else { break };
            place = parent;
        }
        self
    }

    /// Returns true if this makes the document invalid.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.severity.word(), self.rule.code)?;
        if !self.pointer.is_root() {
            write!(f, " at {}", printable(self.pointer.as_str(), 512))?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// Serializes a rule as its code.
#[allow(clippy::trivially_copy_pass_by_ref)] // the signature that serde asks for
fn serialize_code<S: Serializer>(rule: &&'static Rule, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rule.code)
}

/// Masks secrets in a text about the value at `place`.
fn mask_text(place: &str, text: String) -> String {
    match secret::mask_named(place, &text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => masked,
    }
}
