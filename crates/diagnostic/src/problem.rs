//! A rule broken at a place.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Pointer, Rule, Severity, Span, printable, secret};

/// A rule broken at a place.
///
/// It is made by [`Rule::at`] and [`Rule::at_pointer`] alone, which mask secrets. What it says
/// can be read, and is not written afterwards:
///
/// ```compile_fail
/// # fn show(mut found: diagnostic::Diagnostic) {
/// found.message = "what nobody masked".to_owned();
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic(Box<Finding>);

impl Deref for Diagnostic {
    type Target = Finding;

    fn deref(&self) -> &Finding {
        &self.0
    }
}

/// What a [`Diagnostic`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Severity in the profile that was asked for.
    pub severity: Severity,
    /// The value at fault.
    pub pointer: Pointer,
    /// Its bytes in the source, when there is a source.
    pub span: Option<Span>,
    /// What is wrong, in one line without control characters.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that matter, such as the first of two equal keys.
    pub related: Vec<Related>,
    /// The correction, where there is one that is meant without much doubt.
    pub fix: Option<Fix>,
}

/// A correction of a text: other bytes in the place of some.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Fix {
    /// The bytes that go.
    pub span: Span,
    /// What comes in their place.
    pub text: String,
}

/// A second place that a diagnostic refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Related {
    /// Its bytes in the source.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// A value of a text: it has an address, and bytes that spell it.
pub trait Located {
    /// Its address in the document.
    fn pointer(&self) -> Pointer;
    /// Its bytes in the text.
    fn span(&self) -> Span;
}

impl Rule {
    /// A diagnostic of this rule at a value of the source.
    #[allow(clippy::needless_pass_by_value)] // what is located is a handle, passed by value
    pub fn at(&'static self, value: impl Located, message: impl Into<String>) -> Diagnostic {
        self.at_pointer(value.pointer(), message).span(value.span())
    }

    /// A diagnostic of this rule at a pointer, without a place in a text. Secrets do
    /// not get into it: the message has asterisks for them, and the pointer ends before
    /// a name that holds one.
    pub fn at_pointer(&'static self, pointer: Pointer, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self, pointer, message.into())
    }
}

impl Diagnostic {
    pub(crate) fn new(rule: &'static Rule, pointer: Pointer, message: String) -> Self {
        Self(Box::new(Finding {
            rule,
            severity: rule.severity,
            message: without_secrets(pointer.as_str(), message),
            pointer: secret::without_secrets(pointer),
            span: None,
            help: None,
            related: Vec::new(),
            fix: None,
        }))
    }

    /// The same with another severity.
    #[must_use]
    pub fn severe(mut self, severity: Severity) -> Self {
        self.0.severity = severity;
        self
    }

    /// Says it in another message.
    pub fn set_message(&mut self, message: impl Into<String>) {
        self.0.message = without_secrets(self.0.pointer.as_str(), message.into());
    }

    /// Takes the places in a text away: it is about one that nobody is shown.
    pub fn clear_spans(&mut self) {
        self.0.span = None;
        self.0.related.clear();
        self.0.fix = None;
    }

    /// Says where in a text it is, if nobody has.
    pub fn or_span(&mut self, span: Span) {
        self.0.span.get_or_insert(span);
    }

    /// Moves the places in a text: it stands in a longer one.
    pub fn map_spans(&mut self, change: impl Fn(Span) -> Span) {
        self.0.span = self.0.span.map(&change);
        for related in &mut self.0.related {
            related.span = change(related.span);
        }
        if let Some(fix) = &mut self.0.fix {
            fix.span = change(fix.span);
        }
    }

    /// Moves it to another address: it stands in a larger document.
    pub fn set_pointer(&mut self, pointer: Pointer) {
        self.0.pointer = secret::without_secrets(pointer);
    }

    /// The same in other words.
    #[must_use]
    pub fn reworded(mut self, change: impl Fn(&str) -> String) -> Self {
        let at = self.pointer.as_str().to_owned();
        self.0.message = without_secrets(&at, change(&self.message));
        self.0.help = self.help.as_deref().map(|help| without_secrets(&at, change(help)));
        self
    }

    /// Adds advice on what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.set_help(help);
        self
    }

    /// Gives other advice on what to do.
    pub fn set_help(&mut self, help: impl Into<String>) {
        self.0.help = Some(without_secrets(self.0.pointer.as_str(), help.into()));
    }

    /// What to do about it; where nobody says, what must hold.
    pub fn advice(&self) -> &str {
        self.help.as_deref().unwrap_or(self.rule.summary)
    }

    /// Adds a second place.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        let message = without_secrets(self.pointer.as_str(), message.into());
        self.0.related.push(Related { span, message });
        self
    }

    /// Adds the correction: this text in the place of those bytes.
    #[must_use]
    pub fn fix(mut self, span: Span, text: impl Into<String>) -> Self {
        self.0.fix = Some(Fix { span, text: text.into() });
        self
    }

    /// Replaces the bytes that the diagnostic marks.
    #[must_use]
    pub fn span(mut self, span: Span) -> Self {
        self.0.span = Some(span);
        self
    }

    /// Finds the bytes of a diagnostic that only has a pointer: the value there, or
    /// the nearest that is around it. `span` tells where the value at a pointer is.
    #[must_use]
    pub fn locate(mut self, span: impl Fn(&Pointer) -> Option<Span>) -> Self {
        let mut place = self.pointer.clone();
        while self.span.is_none() {
            self.0.span = span(&place);
            let Some(parent) = place.split_last().map(|(parent, _)| parent) else { break };
            place = parent;
        }
        self
    }

    /// Whether this makes the document invalid.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        write!(f, "{severity}[{}]", self.rule.code)?;
        if !self.pointer.is_root() {
            write!(f, " at {}", printable(self.pointer.as_str(), 512))?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for Diagnostic {}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out =
            serializer.serialize_struct("Diagnostic", 7 + usize::from(self.fix.is_some()))?;
        out.serialize_field("code", self.rule.code)?;
        out.serialize_field("severity", &self.severity)?;
        out.serialize_field("pointer", &self.pointer)?;
        out.serialize_field("span", &self.span)?;
        out.serialize_field("message", &self.message)?;
        out.serialize_field("help", &self.help)?;
        out.serialize_field("related", &self.related)?;
        match &self.fix {
            Some(fix) => out.serialize_field("fix", fix)?,
            None => out.skip_field("fix")?,
        }
        out.end()
    }
}

/// What is said about a place, without secrets.
fn without_secrets(place: &str, text: String) -> String {
    match secret::masked_named(place, &text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => masked,
    }
}
