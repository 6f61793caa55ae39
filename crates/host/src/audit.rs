//! Records of calls, with names and never values.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use call::{Plan, Program, Server, Step, ToolCall};
use diagnostic::printable;
use disk::{Access, Folder, user};
use json_text::quote;

use crate::values::Values;

/// Names in a record are cut to this many bytes.
const MAX_NAME_BYTES: usize = 200;

const FILE: &str = "calls.jsonl";
const PREVIOUS_FILE: &str = "calls.1.jsonl";

/// A file that is larger is put aside. Two files are kept.
const MAX_FILE_BYTES: u64 = 8 << 20;

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
    const fn name(self) -> &'static str {
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
        let began = self.start.duration_since(UNIX_EPOCH).unwrap_or_default();
        write!(
            f,
            r#"{{"began_ms":{},"took_ms":{},"tool":{},"targets":[{}],"variables":[{}],"end":"{}"}}"#,
            began.as_millis(),
            self.duration.as_millis(),
            quote(&self.tool),
            quote_all(&self.targets),
            quote_all(&self.variables),
            self.end.name(),
        )
    }
}

fn quote_all(names: &[String]) -> String {
    names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(",")
}

/// An unfinished record. Dropping it passes it to the audit, even if the call was given up.
pub(crate) struct Recording<'a> {
    audit: Option<&'a dyn Audit>,
    record: Record,
    clock: Instant,
}

impl<'a> Recording<'a> {
    pub(crate) fn new(audit: Option<&'a dyn Audit>, plan: &Plan, values: &Values) -> Self {
        let given = plan.variables.iter().filter(|variable| values.has(&variable.name));
        let record = Record {
            tool: printable(&plan.tool, MAX_NAME_BYTES),
            targets: Vec::new(),
            variables: given.map(|one| printable(&one.name, MAX_NAME_BYTES)).collect(),
            start: SystemTime::now(),
            duration: Duration::ZERO,
            end: CallEnd::Cancelled,
        };
        Self { audit, record, clock: Instant::now() }
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
    match step {
        Step::Run(program) => program_name(program),
        Step::Send(request) => url_origin(&request.url.to_string()),
        Step::CallTool(ToolCall { server, tool, .. }) => {
            let server = match server {
                Server::Stdio(program) => program_name(program),
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

fn program_name(program: &Program) -> String {
    program.argv.first().map_or_else(String::new, ToString::to_string)
}

/// Returns the scheme and the host of a URL. The path and the query may contain arguments.
fn url_origin(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return String::new() };
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    format!("{scheme}://{host}")
}

/// Writes a line of JSON for each call to `calls.jsonl`, in a folder that only its owner
/// can access.
///
/// ```
/// use toolglot_host::{Audit, Log};
/// # let root = std::env::temp_dir().join(format!("toolglot-log-{}", std::process::id()));
///
/// let log = Log::in_folder(&root)?;
/// # let _: &dyn Audit = &log;
/// # std::fs::remove_dir_all(&root)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Log {
    folder: Folder,
    path: PathBuf,
}

impl Log {
    /// Opens the log of the user, in the folder of their [state](user::state).
    pub fn of_user() -> io::Result<Self> {
        let none = "neither XDG_STATE_HOME nor HOME is an absolute path";
        Self::in_folder(&user::state().ok_or_else(|| io::Error::other(none))?)
    }

    /// Opens the log in this folder, and creates the folder if it is missing.
    pub fn in_folder(folder: &Path) -> io::Result<Self> {
        let opened = Folder::create(folder, Access::Private)?;
        Ok(Self { folder: opened, path: folder.join(FILE) })
    }

    /// Adds a line. If the file is too large, it first replaces the older file.
    fn add(&self, record: &Record) -> io::Result<()> {
        let large = self.path.metadata().is_ok_and(|about| about.len() > MAX_FILE_BYTES);
        if large && let Ok(Some(_lock)) = self.folder.try_lock() {
            std::fs::rename(&self.path, self.path.with_file_name(PREVIOUS_FILE))?;
        }
        self.folder.append(FILE, format!("{record}\n").as_bytes())
    }
}

impl Audit for Log {
    fn record(&self, record: &Record) {
        // The call is over, so a failure to record it changes nothing.
        let _ = self.add(record);
    }
}
