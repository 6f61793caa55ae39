//! One vocabulary for every problem in every format.
//!
//! A [`Rule`] is a static with a stable code. A [`Diagnostic`] is a rule broken
//! at a place. A [`Report`] collects all of them, not just the first.

use std::borrow::Cow;
use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::convert::Validate;
use crate::json::{Node, Span};
use crate::{ByteSet, Pointer, secret};

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
#[allow(clippy::exhaustive_structs)] // rules are statics, written out in full
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
    /// A diagnostic of this rule at a value of the source.
    pub fn at(&'static self, node: Node<'_>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: Some(node.span()), ..self.at_pointer(node.pointer(), message) }
    }

    /// A diagnostic of this rule at a pointer, without a place in a text. Secrets do
    /// not get into it: the message has asterisks for them, and the pointer ends before
    /// a name that holds one.
    pub fn at_pointer(&'static self, pointer: Pointer, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            rule: self,
            severity: self.severity,
            message: without_secrets(pointer.as_str(), message.into()),
            pointer: secret::without_secrets(pointer),
            span: None,
            help: None,
            related: Vec::new(),
        }
    }

    /// Where the project's documentation explains this rule.
    pub fn docs(&self) -> String {
        format!("docs/rules.md#{}", self.code.replace('/', ""))
    }
}

/// A rule broken at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
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
}

/// A second place that a diagnostic refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Related {
    /// Its bytes in the source.
    pub span: Span,
    /// What is there.
    pub message: String,
}

impl Diagnostic {
    /// Adds advice on what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(without_secrets(self.pointer.as_str(), help.into()));
        self
    }

    /// What to do about it; where nobody says, what must hold.
    pub fn advice(&self) -> &str {
        self.help.as_deref().unwrap_or(self.rule.summary)
    }

    /// Adds a second place.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        let message = without_secrets(self.pointer.as_str(), message.into());
        self.related.push(Related { span, message });
        self
    }

    /// Replaces the bytes that the diagnostic marks.
    #[must_use]
    pub fn span(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Finds the bytes of a diagnostic that only has a pointer: the value there, or
    /// the nearest that is around it.
    #[must_use]
    pub fn locate(mut self, root: Node<'_>) -> Self {
        let mut place = self.pointer.clone();
        while self.span.is_none() {
            self.span = root.at(&place).map(Node::span);
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
        let mut out = serializer.serialize_struct("Diagnostic", 7)?;
        out.serialize_field("code", self.rule.code)?;
        out.serialize_field("severity", &self.severity)?;
        out.serialize_field("pointer", &self.pointer)?;
        out.serialize_field("span", &self.span)?;
        out.serialize_field("message", &self.message)?;
        out.serialize_field("help", &self.help)?;
        out.serialize_field("related", &self.related)?;
        out.end()
    }
}

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
    pub(crate) limit: usize,
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

impl Report {
    /// An empty report of a check with these options. It takes what they ask for, and
    /// nothing else: the reference gives no advice.
    pub fn of(options: &Validate) -> Self {
        let depth = match options.profile {
            Profile::Reference => options.depth.min(Depth::Meaning),
            _ => options.depth,
        };
        Self { depth, ..Self::new(options.profile, options.limits.diagnostics) }
    }

    /// An empty report that keeps up to `limit` diagnostics and, when `profile`
    /// is strict, counts warnings as errors.
    pub fn new(profile: Profile, limit: usize) -> Self {
        Self { limit, strict: profile == Profile::Strict, ..Self::default() }
    }

    /// Whether the check looks so deep. If not, there is no need to look.
    pub fn wants(&self, depth: Depth) -> bool {
        depth <= self.depth
    }

    /// Adds a broken rule at a value.
    pub fn add(&mut self, rule: &'static Rule, node: Node<'_>, message: impl Into<String>) {
        self.push_with(rule, || rule.at(node, message));
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
            diagnostic.severity = Severity::Error;
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

/// What is said about a place, without secrets.
fn without_secrets(place: &str, text: String) -> String {
    match secret::masked_named(place, &text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => masked,
    }
}

/// `text` in double quotes, cut to 64 bytes, safe to print: what a terminal or
/// a reader could mistake for something else is escaped, and a secret is masked.
///
/// ```
/// assert_eq!(manifest_core::quoted("a\u{1b}[2J"), r#""a\u{1b}[2J""#);
/// ```
pub fn quoted(text: &str) -> String {
    let masked = masked_start(text, 64);
    let mut out = String::with_capacity(masked.len().min(64) + 8);
    out.push('"');
    print(&masked, 64, &mut out);
    out.push('"');
    out
}

/// `text` cut to `limit` bytes, with unprintable characters escaped and secrets masked.
pub fn printable(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit));
    print(&masked_start(text, limit), limit, &mut out);
    out
}

/// Bytes past a cut that are looked at: a secret is known by more than its beginning.
const PAST: usize = 1 << 10;

/// Enough of a text to be cut, without secrets.
fn masked_start(text: &str, limit: usize) -> Cow<'_, str> {
    let end = limit.saturating_add(PAST).min(text.len());
    let start = (0..=end).rev().find_map(|end| text.get(..end));
    secret::masked(start.unwrap_or_default())
}

fn print(text: &str, limit: usize, out: &mut String) {
    if text.len() <= limit && text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        out.push_str(text);
        return;
    }
    let start = out.len();
    for c in text.chars() {
        if out.len() - start >= limit {
            out.push('…');
            break;
        }
        if is_plain(c) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
}

/// Whether every character of a text shows as itself.
pub fn is_plain_text(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~')) || text.chars().all(is_plain)
}

/// Whether a text has a control character in it.
pub fn has_control(text: &str) -> bool {
    // In UTF-8, those past ASCII begin with 0xC2.
    static OTHERS: ByteSet = ByteSet::of(&[b' '..=b'~', 0x80..=0xC1, 0xC3..=0xFF]);
    !OTHERS.has_all(text.as_bytes()) && text.chars().any(char::is_control)
}

/// Whether a character shows as itself: no control, no bidirectional override,
/// nothing invisible.
pub fn is_plain(c: char) -> bool {
    !(c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'))
}

/// The candidate most like `word`, when one is close enough to be a slip.
///
/// ```
/// let names = ["description", "command"];
/// assert_eq!(manifest_core::did_you_mean("descripton", names), Some("description"));
/// assert_eq!(manifest_core::did_you_mean("zebra", names), None);
/// ```
pub fn did_you_mean<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // Long words are never a slip of a name we know, and comparing is quadratic.
    if word.len() > 64 {
        return None;
    }
    let folded = word.to_lowercase().replace(['_', '-'], "");
    candidates
        .into_iter()
        .map(|candidate| {
            let target = candidate.to_lowercase().replace(['_', '-'], "");
            (strsim::damerau_levenshtein(&folded, &target), candidate)
        })
        .filter(|(distance, candidate)| *distance <= candidate.len().min(9) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
