//! Judges the outcome of a call by the rules of the tool's format.

use std::fmt;

use diagnostic::{Diagnostic, Pointer, printable, quoted};
use json_text::{Document, Node, Raw, Text};
use manifest_core::descriptor::{ErrorEnvelope, OutputFormat};
use manifest_core::format::{Contract, OutcomeRules};
use manifest_core::{Limits, ToolDescriptor};
use serde::{Deserialize, Serialize};

use crate::outcome::{Answer, End, Outcome};
use crate::rules;

/// The maximum length of a tool's message in bytes.
const MAX_MESSAGE_BYTES: usize = 1000;

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The kind of failure.
    pub reason: FailureKind,
    /// The tool's own error code, from the standard envelope.
    pub code: Option<String>,
    /// The tool's own message, otherwise ours: one printable line.
    pub message: String,
    /// More details, from the standard envelope.
    pub details: Option<Raw<'static>>,
    /// The effect of a retry.
    pub retry: Retry,
}

/// A kind of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureKind {
    /// The call was not made.
    NotDone,
    /// There was no answer in time. It is unknown if the tool did its work.
    TimedOut,
    /// The call began, but gave no outcome, for example because the connection was lost. It
    /// is unknown if the tool did its work.
    Lost,
    /// The answer exceeds the limit.
    TooMuch,
    /// The program did not end with exit code 0.
    Exit(End),
    /// The server answered with this status.
    Status(u16),
    /// The tool reported an error.
    Error,
    /// The answer does not match the tool's declaration.
    Output(Vec<Diagnostic>),
}

/// The effect of making the same call again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Retry {
    /// It may help, and cannot do harm.
    Safe,
    /// It may help, but it may also do things twice, because the tool does not declare that
    /// it is idempotent.
    Unsafe,
    /// It would fail again.
    Useless,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.code {
            Some(code) => write!(f, "{}: {}", printable(code, 64), self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Failure {}

/// The rules for judging an outcome: the tool's declarations, and the behaviour of its
/// format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Judge {
    /// How the format recognises results and failures.
    pub reading: OutcomeRules,
    /// The declared output format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<OutputFormat>,
    /// True if failures have the standard envelope.
    #[serde(default)]
    pub envelope: bool,
    /// True if two calls have the same effect as one.
    #[serde(default)]
    pub idempotent: bool,
    /// The JSON Schema of the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Raw<'static>>,
    /// The exact result, apart from white space at its ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prints: Option<String>,
}

/// The bytes of an answer, and a failure that an envelope in them may explain.
type RawAnswer<'o> = (&'o [u8], Option<Failure>);

impl Judge {
    /// Creates the rules for a tool, by its declarations and its format.
    pub fn for_tool(tool: &ToolDescriptor<'_>, contract: &Contract) -> Self {
        Self {
            format: tool.output_format.as_deref().copied(),
            envelope: tool.error_envelope.as_deref() == Some(&ErrorEnvelope::Standard),
            idempotent: tool.idempotent.as_deref() == Some(&true),
            // Answers that are not JSON are not checked against it.
            schema: tool.output_schema.as_ref().map(|schema| Raw::clone(schema).into_owned()),
            ..Self::for_reading(contract.host_rules.outcome_rules)
        }
    }

    /// Creates the rules of a format for a tool that declares nothing.
    pub const fn for_reading(reading: OutcomeRules) -> Self {
        Self {
            reading,
            format: None,
            envelope: false,
            idempotent: false,
            schema: None,
            prints: None,
        }
    }

    /// Returns the answer in an outcome, or the failure.
    pub fn judge(&self, outcome: &Outcome, limits: &Limits) -> Result<Answer, Failure> {
        let answer = self.read_outcome(outcome, limits)?;
        self.matches(&answer, limits)?;
        match &self.prints {
            Some(wanted) if answer.text().is_none_or(|text| text.trim() != wanted) => {
                let message = format!("the output is not {}", quoted(wanted));
                Err(output_error(Pointer::root(), message))
            }
            _ => Ok(answer),
        }
    }

    fn read_outcome(&self, outcome: &Outcome, limits: &Limits) -> Result<Answer, Failure> {
        let transient = if self.idempotent { Retry::Safe } else { Retry::Unsafe };
        let (bytes, failed) = match outcome {
            // No work was done, so a retry cannot do it twice.
            Outcome::NotDone(why) => return Err(failure(FailureKind::NotDone, why, Retry::Safe)),
            Outcome::Lost(why) => return Err(failure(FailureKind::Lost, why, transient)),
            Outcome::TimedOut => {
                let message = match self.reading {
                    OutcomeRules::OneLine => "tool timed out",
                    _ => "there was no answer in time",
                };
                return Err(failure(FailureKind::TimedOut, message, transient));
            }
            Outcome::TooMuch { limit } => {
                let message = format!("the tool answered with more than {limit} bytes");
                return Err(failure(FailureKind::TooMuch, &message, Retry::Useless));
            }
            Outcome::Threw(why) => return Err(failure(FailureKind::Error, why, Retry::Useless)),
            Outcome::Value(json) => return Ok(Answer::Json(json.clone())),
            Outcome::Done => return Ok(Answer::Nothing),
            Outcome::Returned(result) => return self.read_tool_result(result, limits),
            Outcome::Exited { end, stdout, stderr } => {
                if self.reading == OutcomeRules::Process {
                    return Ok(Answer::Json(process_json(*end, stdout, stderr)));
                }
                (stdout.as_slice(), exit_failure(*end, stderr, transient))
            }
            Outcome::Responded { status, body } if self.reading == OutcomeRules::AnyStatus => {
                return Ok(Answer::Json(wrap_body(*status, body, limits)));
            }
            Outcome::Responded { status, body } => read_response(*status, body, transient),
        };
        if self.envelope
            && let Some(error) = parse_envelope(bytes, limits)
        {
            let retry = failed.map_or(Retry::Useless, |failed| failed.retry);
            return Err(Failure { retry, ..error });
        }
        match failed {
            Some(failed) => Err(failed),
            None => self.read_output(bytes, limits),
        }
    }

    /// Reads output by the rules of the format. If nothing is declared, output is text if
    /// it is UTF-8, otherwise bytes.
    fn read_output(&self, bytes: &[u8], limits: &Limits) -> Result<Answer, Failure> {
        match self.reading {
            OutcomeRules::OneLine => {
                let line = join_lines(&decode_lossy(bytes));
                return Ok(Answer::Text(if line.is_empty() { "{}".to_owned() } else { line }));
            }
            OutcomeRules::Json | OutcomeRules::AnyStatus | OutcomeRules::Process => {
                return Ok(Answer::Json(parse_json(bytes, limits)?));
            }
            OutcomeRules::Declared => {}
        }
        Ok(match self.format {
            Some(OutputFormat::Json) => Answer::Json(parse_json(bytes, limits)?),
            Some(OutputFormat::NdjsonStream) => {
                Answer::Records(parse_records(parse_text(bytes)?, limits)?)
            }
            Some(OutputFormat::Text) => Answer::Text(parse_text(bytes)?.to_owned()),
            Some(OutputFormat::Binary) => Answer::Bytes(bytes.to_vec()),
            Some(OutputFormat::None) => Answer::Nothing,
            None => match std::str::from_utf8(bytes) {
                Ok(text) => Answer::Text(text.to_owned()),
                Err(_) => Answer::Bytes(bytes.to_vec()),
            },
        })
    }

    /// Reads the result of an MCP server.
    fn read_tool_result(&self, result: &str, limits: &Limits) -> Result<Answer, Failure> {
        let value = parse_tool_result(result, limits)?;
        if self.envelope
            && let Some(error) = parse_envelope(value.json.as_bytes(), limits)
        {
            return Err(error);
        }
        if value.is_error {
            return Err(failure(FailureKind::Error, &value.text, Retry::Useless));
        }
        match self.format {
            Some(OutputFormat::Text) => Ok(Answer::Text(value.text)),
            None if !value.is_json => Ok(Answer::Text(value.text)),
            format => {
                let format = format.or(Some(OutputFormat::Json));
                let declared = Self { reading: OutcomeRules::Declared, format, ..self.clone() };
                declared.read_output(value.json.as_bytes(), limits)
            }
        }
    }

    /// Checks an answer against the schema of the result.
    #[cfg(feature = "schema")]
    fn matches(&self, answer: &Answer, limits: &Limits) -> Result<(), Failure> {
        let Some(schema) = &self.schema else { return Ok(()) };
        let (texts, is_list) = match answer {
            Answer::Json(text) => (std::slice::from_ref(text), false),
            Answer::Records(records) => (records.as_slice(), true),
            Answer::Text(_) | Answer::Bytes(_) | Answer::Nothing => return Ok(()),
        };
        let schema = crate::arguments::compile(schema.as_str(), limits).map_err(Failure::output)?;
        for (index, text) in texts.iter().enumerate() {
            let document = Document::parse(text.as_bytes(), limits)?;
            let outcome = schema.validate(document.root())?;
            if let Some(found) = outcome.violations.into_iter().next() {
                let root = Pointer::root();
                let root = if is_list { root.push_index(index) } else { root };
                return Err(output_error(root.join(&found.pointer), found.message));
            }
        }
        Ok(())
    }

    #[cfg(not(feature = "schema"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps)] // the other one needs them
    fn matches(&self, _: &Answer, _: &Limits) -> Result<(), Failure> {
        Ok(())
    }
}

/// Returns a failure unless the program ended with exit code 0.
fn exit_failure(end: End, stderr: &[u8], transient: Retry) -> Option<Failure> {
    if end == End::Exit(0) {
        return None;
    }
    let said = decode_lossy(stderr);
    let message = match (said.trim(), end) {
        ("", End::Exit(code)) => format!("the program ended with exit code {code}"),
        ("", End::Signal { number, .. }) => format!("signal {number} ended the program"),
        (said, _) => said.to_owned(),
    };
    let retry = if matches!(end, End::Exit(_)) { Retry::Useless } else { transient };
    Some(failure(FailureKind::Exit(end), &message, retry))
}

fn read_response(status: u16, body: &[u8], transient: Retry) -> RawAnswer<'_> {
    if (200..300).contains(&status) {
        return (body, None);
    }
    let retry = match status {
        // The server refused the request before any work.
        425 | 429 => Retry::Safe,
        408 | 500 | 502..=504 => transient,
        _ => Retry::Useless,
    };
    let message = format!("the server answered with status {status}");
    (body, Some(failure(FailureKind::Status(status), &message, retry)))
}

/// Converts any body to JSON: JSON as it is, a blank body to an empty object, and other
/// text to an object with the text and the status.
fn wrap_body(status: u16, body: &[u8], limits: &Limits) -> String {
    if body.iter().all(u8::is_ascii_whitespace) {
        return "{}".to_owned();
    }
    if let Ok(json) = parse_json(body, limits) {
        return json;
    }
    let text = json_text::quote(&String::from_utf8_lossy(body));
    format!("{{\"response\":{text},\"statusCode\":{status}}}")
}

/// Returns the end and the output of a program as JSON, for hosts that do not judge them.
fn process_json(end: End, stdout: &[u8], stderr: &[u8]) -> String {
    let code = match end {
        End::Exit(code) => code,
        End::Signal { number, .. } => number.saturating_neg(),
    };
    let [stdout, stderr] = [stdout, stderr].map(|bytes| json_text::quote(&decode_lossy(bytes)));
    format!("{{\"returncode\":{code},\"stdout\":{stdout},\"stderr\":{stderr}}}")
}

/// The parts of a `CallToolResult` that an answer is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The structured content, otherwise the text if that is JSON, otherwise the whole
    /// result.
    pub json: String,
    /// False if there is text content that is not JSON, and no structured content.
    pub is_json: bool,
    /// The text content.
    pub text: String,
    /// True if the tool reports a failure.
    pub is_error: bool,
}

/// Reads the `CallToolResult` of an MCP server. Fails if it is not JSON.
pub fn parse_tool_result(result: &str, limits: &Limits) -> Result<ToolResult, Diagnostic> {
    let document = Document::parse(result.as_bytes(), limits)?;
    let root = document.root();
    let mut texts = Vec::new();
    if let Some(content) = root.get("content") {
        for part in content.elements() {
            texts.extend(string_member(part, "text"));
        }
    }
    let text = texts.join("\n");
    let (json, is_json) = match root.get("structuredContent") {
        Some(structured) => (structured.raw().to_owned(), true),
        None if Document::parse(text.as_bytes(), limits).is_ok() => (text.clone(), true),
        None => (root.raw().to_owned(), texts.is_empty()),
    };
    let is_error = root.get("isError").and_then(Node::bool) == Some(true);
    Ok(ToolResult { json, is_json, text, is_error })
}

fn parse_json(bytes: &[u8], limits: &Limits) -> Result<String, Failure> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(output_error(Pointer::root(), "expected JSON, found nothing"));
    }
    Ok(Document::parse(bytes, limits)?.root().raw().to_owned())
}

fn parse_text(bytes: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(bytes).map_err(|_| output_error(Pointer::root(), "the output is not UTF-8"))
}

fn parse_records(text: &str, limits: &Limits) -> Result<Vec<String>, Failure> {
    let mut records = Vec::new();
    for line in text.lines() {
        if line.trim().is_empty() {
            continue;
        }
        let at = Pointer::root().push_index(records.len());
        if records.len() >= limits.nodes {
            let message = format!("there are more than {} records", limits.nodes);
            return Err(output_error(at, message));
        }
        let document = match Document::parse(line.as_bytes(), limits) {
            Ok(document) => document,
            Err(error) => return Err(output_error(at, error.message.clone())),
        };
        if !document.root().is_object() {
            let kind = document.root().kind().with_article();
            let message = format!("expected an object on each line, found {kind}");
            return Err(output_error(at, message));
        }
        records.push(document.root().raw().to_owned());
    }
    Ok(records)
}

/// Returns the failure in a standard envelope, if there is one: `{"error": {"code": …,
/// "message": …}}`.
fn parse_envelope(bytes: &[u8], limits: &Limits) -> Option<Failure> {
    let document = Document::parse(bytes, limits).ok()?;
    let error = document.root().get("error")?;
    let (code, message) = (string_member(error, "code")?, string_member(error, "message")?);
    let details = error.get("details").map(|details| Raw::from_node(details).into_owned());
    Some(Failure {
        code: Some(code.into_owned()),
        details,
        ..failure(FailureKind::Error, &message, Retry::Useless)
    })
}

fn failure(reason: FailureKind, message: &str, retry: Retry) -> Failure {
    let message = printable(message.trim(), MAX_MESSAGE_BYTES);
    Failure { reason, code: None, message, details: None, retry }
}

/// Creates the failure for an answer with a problem at a place.
fn output_error(at: Pointer, message: impl Into<String>) -> Failure {
    rules::OUTPUT.at_pointer(at, message).into()
}

impl From<Diagnostic> for Failure {
    fn from(error: Diagnostic) -> Self {
        Self::output(vec![error])
    }
}

impl Failure {
    /// Creates the failure for an answer that does not match the tool's declaration.
    pub(crate) fn output(problems: Vec<Diagnostic>) -> Self {
        let message = "the output is not what the tool declares";
        failure(FailureKind::Output(problems), message, Retry::Useless)
    }
}

/// Returns the value of an object's member if it is a string.
fn string_member<'n>(object: Node<'n>, name: &str) -> Option<Text<'n>> {
    object.get(name).and_then(Node::text)
}

/// Returns a text on one line: without white space at its ends, and with one space for
/// every other run of white space.
pub fn join_lines(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Returns bytes as text. Each byte that is not UTF-8 becomes one replacement character.
pub fn decode_lossy(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| '\u{fffd}'));
    }
    out
}
