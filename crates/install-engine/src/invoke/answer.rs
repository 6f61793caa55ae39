//! What came of a call.

use install_manifest::Action;
use manifest_core::descriptor::{ErrorEnvelope, OutputFormat};
use manifest_core::json::{Document, Node, Raw};
use manifest_core::{Diagnostic, Limits, Pointer, Text, printable};

use crate::plan::{Outcome, rules};

/// No more of what a tool says about its failure is kept.
const LONGEST_MESSAGE: usize = 1000;

/// What an action answered, read as it declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // one for each format of the specification
pub enum Answer {
    /// A JSON value, as it is written.
    Json(String),
    /// JSON objects, one for each line.
    Records(Vec<String>),
    /// Text.
    Text(String),
    /// Anything.
    Bytes(Vec<u8>),
    /// Nothing is expected, and what there was is left out.
    Nothing,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// What happened.
    pub reason: Reason,
    /// The tool's own code for it, in the standard envelope.
    pub code: Option<String>,
    /// What the tool says about it, or else what we do: one line, printable.
    pub message: String,
    /// More about it, in the standard envelope.
    pub details: Option<Raw<'static>>,
    /// Whether to call again.
    pub retry: Retry,
}

/// What happened instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The call was not made.
    NotDone,
    /// Nothing came in time. Whether the action took place is not known.
    TimedOut,
    /// The program ended with this code, or by a signal.
    Exit(Option<i32>),
    /// The server answered with this status.
    Status(u16),
    /// The tool answered that it failed.
    Error,
    /// The tool answered something else than it declares.
    Output(Vec<Diagnostic>),
}

/// Whether to make the same call again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // hosts must decide on every one
pub enum Retry {
    /// It may help, and cannot do harm.
    Safe,
    /// It may help. It may also do things twice: the action is not idempotent.
    Unsafe,
    /// It would fail again.
    Useless,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.code {
            Some(code) => write!(f, "{}: {}", printable(code, 64), self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Failure {}

/// Judges what came of a call of an action, and reads the answer as the action
/// declares it. The schema of the output is not looked at: with the feature
/// `schema`, `Schemas::judge` does both.
pub fn judge(
    action: &Action<'_>,
    outcome: &Outcome<'_>,
    limits: &Limits,
) -> Result<Answer, Failure> {
    let idempotent = action.idempotent.unwrap_or(false);
    let transient = if idempotent { Retry::Safe } else { Retry::Unsafe };
    let standard = action.error_envelope == Some(ErrorEnvelope::Standard);
    let format = action.output.as_ref().map(|output| output.format);
    let (bytes, failed) = match *outcome {
        Outcome::NotDone(reason) => {
            // Nothing was done, so nothing is done twice.
            return Err(failure(Reason::NotDone, reason, Retry::Safe));
        }
        Outcome::TimedOut => {
            return Err(failure(Reason::TimedOut, "there was no answer in time", transient));
        }
        Outcome::Exited { code: Some(0), stdout, .. } => (stdout, None),
        Outcome::Exited { code, stdout, stderr } => {
            let said = String::from_utf8_lossy(stderr);
            let message = match (said.trim(), code) {
                ("", Some(code)) => format!("the program ended with exit code {code}"),
                ("", None) => "a signal ended the program".to_owned(),
                (said, _) => said.to_owned(),
            };
            let retry = if code.is_none() { transient } else { Retry::Useless };
            (stdout, Some(failure(Reason::Exit(code), &message, retry)))
        }
        Outcome::Responded { status: 200..=299, body } => (body, None),
        Outcome::Responded { status, body } => {
            let retry = match status {
                // The server did not begin.
                425 | 429 => Retry::Safe,
                408 | 500 | 502..=504 => transient,
                _ => Retry::Useless,
            };
            let message = format!("the server answered with status {status}");
            (body, Some(failure(Reason::Status(status), &message, retry)))
        }
        Outcome::Returned { result } => return tool_result(result, format, standard, limits),
    };
    if standard && let Some(error) = envelope(bytes, limits) {
        let retry = failed.map_or(Retry::Useless, |failed| failed.retry);
        return Err(Failure { retry, ..error });
    }
    match failed {
        Some(failed) => Err(failed),
        None => read(bytes, format, limits),
    }
}

/// The answer of an MCP server.
fn tool_result(
    result: &str,
    format: Option<OutputFormat>,
    standard: bool,
    limits: &Limits,
) -> Result<Answer, Failure> {
    let value = returned(result, limits).map_err(|error| output(vec![error]))?;
    if standard && let Some(error) = envelope(value.json.as_bytes(), limits) {
        return Err(error);
    }
    if value.is_error {
        return Err(failure(Reason::Error, &value.text, Retry::Useless));
    }
    match format {
        Some(OutputFormat::Text) => Ok(Answer::Text(value.text)),
        format => read(value.json.as_bytes(), format.or(Some(OutputFormat::Json)), limits),
    }
}

/// What an MCP server returned.
pub(crate) struct Returned {
    /// The structured content, else the text if that is JSON, else the result.
    pub(crate) json: String,
    /// The text content.
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// Reads the result of a tool call.
pub(crate) fn returned(result: &str, limits: &Limits) -> Result<Returned, Diagnostic> {
    let document = Document::parse(result.as_bytes(), limits)?;
    let root = document.root();
    let content = root.get("content").into_iter().flat_map(Node::elements);
    let texts: Vec<_> = content.filter_map(|part| text_of(part, "text")).collect();
    let text = texts.join("\n");
    let json = match root.get("structuredContent") {
        Some(structured) => structured.raw().to_owned(),
        None if Document::parse(text.as_bytes(), limits).is_ok() => text.clone(),
        None => root.raw().to_owned(),
    };
    let is_error = root.get("isError").and_then(Node::bool).unwrap_or(false);
    Ok(Returned { json, text, is_error })
}

/// Reads output as it is declared. Output that nothing is declared about is text
/// if it can be.
fn read(bytes: &[u8], format: Option<OutputFormat>, limits: &Limits) -> Result<Answer, Failure> {
    let text = || {
        std::str::from_utf8(bytes).map_err(|_| {
            let message = "the output is not UTF-8";
            output(vec![rules::OUTPUT.at_pointer(Pointer::root(), message)])
        })
    };
    Ok(match format {
        Some(OutputFormat::Json) => Answer::Json(json(bytes, limits)?),
        Some(OutputFormat::NdjsonStream) => Answer::Records(records(text()?, limits)?),
        Some(OutputFormat::Text) => Answer::Text(text()?.to_owned()),
        Some(OutputFormat::Binary) => Answer::Bytes(bytes.to_vec()),
        Some(OutputFormat::None) => Answer::Nothing,
        None => match text() {
            Ok(text) => Answer::Text(text.to_owned()),
            Err(_) => Answer::Bytes(bytes.to_vec()),
        },
    })
}

fn json(bytes: &[u8], limits: &Limits) -> Result<String, Failure> {
    let document = Document::parse(bytes, limits).map_err(|error| output(vec![error]))?;
    Ok(document.root().raw().to_owned())
}

fn records(text: &str, limits: &Limits) -> Result<Vec<String>, Failure> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let records = lines.enumerate().map(|(index, line)| {
        let at = Pointer::root().push_index(index);
        let refuse = |message: String| output(vec![rules::OUTPUT.at_pointer(at.clone(), message)]);
        if index >= limits.nodes {
            return Err(refuse(format!("there are more than {} records", limits.nodes)));
        }
        let document = Document::parse(line.as_bytes(), limits)
            .map_err(|error| refuse(error.message.clone()))?;
        if !document.root().is_object() {
            let kind = document.root().kind().described();
            return Err(refuse(format!("expected an object on each line, found {kind}")));
        }
        Ok(document.root().raw().to_owned())
    });
    records.collect()
}

/// The failure in a standard envelope, when there is one: `{"error": {"code": …,
/// "message": …}}`.
fn envelope(bytes: &[u8], limits: &Limits) -> Option<Failure> {
    let document = Document::parse(bytes, limits).ok()?;
    let error = document.root().get("error")?;
    let (code, message) = (text_of(error, "code")?, text_of(error, "message")?);
    let details = error.get("details").map(|details| Raw::from_node(details).into_owned());
    Some(Failure {
        code: Some(code.into_owned()),
        details,
        ..failure(Reason::Error, &message, Retry::Useless)
    })
}

fn failure(reason: Reason, message: &str, retry: Retry) -> Failure {
    let message = printable(message.trim(), LONGEST_MESSAGE);
    Failure { reason, code: None, message, details: None, retry }
}

fn output(problems: Vec<Diagnostic>) -> Failure {
    failure(Reason::Output(problems), "the output is not what the action declares", Retry::Useless)
}

/// The value of an object's member, when it is a string.
fn text_of<'n>(object: Node<'n>, name: &str) -> Option<Text<'n>> {
    object.get(name).and_then(Node::text)
}
