//! Records of calls, with names and never values.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use call::{Plan, Program, Server, Step, ToolCall};
use diagnostic::printable;
use json_text::quote;

use crate::values::Values;

/// Names in a record are cut to this many bytes.
const MAX_NAME_BYTES: usize = 200;

/// Receives the records of calls.
pub trait Audit: Send + Sync {
    /// Receives the record of a call that is over, or was refused or given up.
    fn record(&self, record: &Record);
}

impl<F: Fn(&Record) + Send + Sync> Audit for F {
    fn record(&self, record: &Record) {
        self(record);
    }
}

/// The record of a call: its tool, targets, variables, time and end. It contains names, and
/// no value of an argument or a variable.
///
/// Its `Display` form is one line of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The id of the tool.
    pub tool: String,
    /// The target of each step: a program, a host, the tool of a server, or a module.
    pub targets: Vec<String>,
    /// The names of the variables that had a value.
    pub variables: Vec<String>,
    /// The time when the call began.
    pub start: SystemTime,
    /// The duration of the call, including the time in the queue.
    pub duration: Duration,
    /// How it ended.
    pub end: CallEnd,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallEnd {
    /// The call has an answer.
    Answered,
    /// The call failed.
    Failed,
    /// The call was not made.
    Refused,
    /// The future of the call was dropped.
    Cancelled,
}

impl CallEnd {
    /// Returns its name in a record.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Cancelled => "given-up",
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| quote(name)).collect();
            names.join(",")
        };
        let began = self.start.duration_since(UNIX_EPOCH).unwrap_or_default();
        write!(
            f,
            r#"{{"began_ms":{},"took_ms":{},"tool":{},"targets":[{}],"variables":[{}],"end":"{}"}}"#,
            began.as_millis(),
            self.duration.as_millis(),
            quote(&self.tool),
            list(&self.targets),
            list(&self.variables),
            self.end.name(),
        )
    }
}

/// An unfinished record. Dropping it passes it to the audit, even if the call was given up.
pub(crate) struct Recording<'a> {
    audit: Option<&'a dyn Audit>,
    record: Record,
    clock: std::time::Instant,
}

impl<'a> Recording<'a> {
    pub(crate) fn new(audit: Option<&'a dyn Audit>, plan: &Plan, values: &Values) -> Self {
        let given = plan.variables.iter().map(|variable| variable.name.as_str());
        let given = given.filter(|name| values.has(name));
        let record = Record {
            tool: printable(&plan.tool, MAX_NAME_BYTES),
            targets: Vec::new(),
            variables: given.map(|name| printable(name, MAX_NAME_BYTES)).collect(),
            start: SystemTime::now(),
            duration: Duration::ZERO,
            end: CallEnd::Cancelled,
        };
        Self { audit, record, clock: std::time::Instant::now() }
    }

    pub(crate) fn add_target(&mut self, step: &Step) {
        self.record.targets.push(printable(&target(step), MAX_NAME_BYTES));
    }

    pub(crate) fn set_end(&mut self, end: CallEnd) {
        self.record.end = end;
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        self.record.duration = self.clock.elapsed();
        if let Some(audit) = self.audit {
            audit.record(&self.record);
        }
    }
}

/// Returns the target of a step, without arguments.
fn target(step: &Step) -> String {
    let program =
        |program: &Program| program.argv.first().map(ToString::to_string).unwrap_or_default();
    match step {
        Step::Run(run) => program(run),
        Step::Send(request) => url_origin(&request.url.to_string()),
        Step::CallTool(ToolCall { server, tool, .. }) => {
            let server = match server {
                Server::Stdio(run) => program(run),
                Server::Http { url } => url_origin(url),
            };
            format!("{tool} of {server}")
        }
        Step::Node(module) | Step::Python(module) => module.module.clone(),
        Step::Call(nested) => nested.tool.clone(),
        Step::Fetch(file) => url_origin(&file.url),
        Step::Find(sought) => sought.name.clone(),
        Step::Ask(_) => "a person".to_owned(),
    }
}

/// Returns the scheme and the host of a URL. The path and the query may contain arguments.
fn url_origin(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return String::new() };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{host}")
}
