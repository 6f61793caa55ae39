//! The audit record of a call: the command and its result, but no content.

use std::fmt;
use std::time::Duration;

use call::{End, Outcome, Plan, Step};
use regex::Regex;
use serde::Serialize;

/// One line of an audit log, in agentcli's format if it is serialised to JSON.
///
/// It contains the names of the variables that a tool got, not their values, and the sizes
/// of its output, not the text.
///
/// ```
/// use std::time::Duration;
/// use call::{End, Grant, HostFacts, Outcome, Policy, plan};
/// use toolglot_tools_json::{Audit, FORMAT, Redaction, Run};
/// # use manifest_core::{Limits, json::Document};
/// # let limits = Limits::default();
/// # let text = br#"{"tools": [{"name": "t", "command": ["/bin/t"]}]}"#;
/// # let document = Document::parse(text, &limits)?;
/// # let lifted = FORMAT.lift(&document, &limits).map_err(|_| "not valid")?;
/// # let tool = &lifted.tools[0];
/// # let policy = Policy { grants: [Grant::Unknown].into(), ..Policy::default() };
/// # let facts = HostFacts::new(&policy);
///
/// let plan = plan(tool, &(FORMAT.contract)(tool), "{}", &facts, &limits).ready()?;
/// let outcome = Outcome::Exited { end: End::Exit(0), stdout: b"{}".to_vec(), stderr: vec![] };
/// let run = Run {
///     end: Duration::from_secs(1_735_862_399),
///     duration: Duration::from_millis(12),
///     cwd: "/srv/agent",
///     truncated: false,
///     has_variable: &|_| false,
/// };
/// let audit = Audit::new(&plan, &outcome, &run, &Redaction::default());
/// assert_eq!(
///     serde_json::to_string(&audit)?,
///     r#"{"ts":"2025-01-02T23:59:59Z","tool":"t","argv":["/bin/t"],"cwd":"/srv/agent","exit":0,"ms":12,"stdoutBytes":2,"stderrBytes":0,"truncated":false}"#,
/// );
/// assert_eq!(audit.file_name(), "20250102.log");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Audit {
    /// The end of the call: UTC, as in RFC 3339.
    pub ts: String,
    /// The name of the tool.
    pub tool: String,
    /// The program and its arguments, redacted.
    pub argv: Vec<String>,
    /// The host's working directory, redacted.
    pub cwd: String,
    /// The exit code, or `-1` if the program did not exit by itself.
    pub exit: i32,
    /// The duration of the call in milliseconds.
    pub ms: u128,
    /// The number of bytes that the program wrote to its standard output.
    pub stdout_bytes: usize,
    /// The number of bytes that the program wrote to its standard error.
    pub stderr_bytes: usize,
    /// True if the host stopped reading before the program stopped writing.
    pub truncated: bool,
    /// The names of the variables that the tool asked for and got.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env_keys: Vec<String>,
}

/// Facts about a run that only the host knows.
#[derive(Clone, Copy)]
pub struct Run<'r> {
    /// The end of the run, since the beginning of 1970 in UTC.
    pub end: Duration,
    /// The duration of the run.
    pub duration: Duration,
    /// The host's working directory.
    pub cwd: &'r str,
    /// True if the host stopped reading before the program stopped writing.
    pub truncated: bool,
    /// Returns true if the host's environment has a variable.
    pub has_variable: &'r dyn Fn(&str) -> bool,
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("ended", &self.end).finish_non_exhaustive()
    }
}

impl Audit {
    /// Creates the record of a call.
    pub fn new(plan: &Plan, outcome: &Outcome, run: &Run<'_>, redaction: &Redaction) -> Self {
        let (argv, asked) = match &plan.step {
            Step::Run(program) => (program.argv.as_slice(), program.variables.as_slice()),
            _ => (&[][..], &[][..]),
        };
        let (exit, stdout, stderr) = match outcome {
            Outcome::Exited { end: End::Exit(code), stdout, stderr } => {
                (*code, stdout.len(), stderr.len())
            }
            Outcome::Exited { stdout, stderr, .. } => (-1, stdout.len(), stderr.len()),
            _ => (-1, 0, 0),
        };
        Self {
            ts: format_timestamp(run.end),
            tool: plan.tool.clone(),
            argv: argv.iter().map(|word| redaction.apply(&word.to_string())).collect(),
            cwd: redaction.apply(run.cwd),
            exit,
            ms: run.duration.as_millis(),
            stdout_bytes: stdout,
            stderr_bytes: stderr,
            truncated: run.truncated,
            env_keys: asked.iter().filter(|name| (run.has_variable)(name)).cloned().collect(),
        }
    }

    /// Returns the name of the log file for the record. There is one file per day.
    pub fn file_name(&self) -> String {
        let day = self.ts.split_once('T').map_or(self.ts.as_str(), |(day, _)| day);
        format!("{}.log", day.replace('-', ""))
    }
}

/// The texts to hide in an audit log.
///
/// ```
/// use toolglot_tools_json::Redaction;
///
/// let redaction = Redaction::new("sk-[a-z0-9]+; internal", ["hunter2"]);
/// assert_eq!(
///     redaction.apply("--key=sk-abc1 --pass=hunter2"),
///     "--key=***REDACTED*** --pass=***REDACTED***",
/// );
/// ```
#[derive(Clone, Default)]
pub struct Redaction {
    patterns: Vec<Regex>,
    secrets: Vec<String>,
}

impl Redaction {
    /// Hides every match of the patterns, and every secret.
    ///
    /// Patterns are regular expressions, separated by commas or semicolons as in agentcli's
    /// `GOAGENT_REDACT`. An invalid regular expression is matched as plain text. The
    /// secrets that agentcli hides are the values of `OAI_API_KEY` and `OPENAI_API_KEY`.
    pub fn new<'s>(patterns: &str, secrets: impl IntoIterator<Item = &'s str>) -> Self {
        let mut redaction = Self::default();
        for pattern in patterns.split([',', ';']).map(str::trim) {
            match Regex::new(pattern) {
                _ if pattern.is_empty() => {}
                Ok(regex) => redaction.patterns.push(regex),
                Err(_) => redaction.secrets.push(pattern.to_owned()),
            }
        }
        let secrets = secrets.into_iter().filter(|secret| !secret.is_empty());
        redaction.secrets.extend(secrets.map(str::to_owned));
        redaction
    }

    /// Returns the text with all matches and secrets hidden.
    pub fn apply(&self, text: &str) -> String {
        const HIDDEN: &str = "***REDACTED***";
        let mut text = text.to_owned();
        for pattern in &self.patterns {
            text = pattern.replace_all(&text, HIDDEN).into_owned();
        }
        for secret in &self.secrets {
            text = text.replace(secret, HIDDEN);
        }
        text
    }
}

impl fmt::Debug for Redaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redaction").finish_non_exhaustive()
    }
}

/// Formats a time since the beginning of 1970 as in RFC 3339: UTC, with as many fractional
/// digits as needed.
fn format_timestamp(since_1970: Duration) -> String {
    let seconds = since_1970.as_secs();
    let (year, month, day) = date_of_day(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let fraction = match since_1970.subsec_nanos() {
        0 => String::new(),
        nanos => format!(".{nanos:09}").trim_end_matches('0').to_owned(),
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// Returns year, month and day of a day that is counted from the beginning of 1970.
fn date_of_day(mut day: u64) -> (u64, u64, u64) {
    // The calendar repeats every 400 years.
    let mut year = 1970 + day / 146_097 * 400;
    day %= 146_097;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if day < length {
            break;
        }
        day -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    (year, month, day + 1)
}
