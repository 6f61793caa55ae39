//! The record of a call: what ran and how it ended, never what was said.

use std::fmt;
use std::time::Duration;

use regex::Regex;
use serde::Serialize;

use crate::{Outcome, Plan};

/// One line of an audit log, as agentcli writes it: serialise it to JSON.
///
/// It holds the names of the variables that a tool was given, not their values,
/// and the sizes of what it wrote, not the text.
///
/// ```
/// # use manifest_core::path::Flavour;
/// # use tools_json::{Host, Location, Timeouts, Tool};
/// use std::time::Duration;
/// use tools_json::{Audit, End, Outcome, Redaction, Run};
///
/// # let tool = Tool { name: "t".into(), command: vec!["/bin/t".into()], ..Tool::default() };
/// # let location = Location { directory: "/", flavour: Flavour::Posix, allow_absolute: true };
/// # let host = Host { location, timeouts: Timeouts::default(), environment: &|_| None };
/// let plan = tool.plan("", &host)?;
/// let outcome = Outcome { end: End::Exit(0), stdout: b"{}", stderr: b"", truncated: false };
/// let run = Run {
///     ended: Duration::from_secs(1_735_862_399),
///     took: Duration::from_millis(12),
///     cwd: "/srv/agent",
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
    /// When the call ended, in UTC as RFC 3339 has it.
    pub ts: String,
    /// The name of the tool.
    pub tool: String,
    /// The program and its arguments, redacted.
    pub argv: Vec<String>,
    /// The host's working directory, redacted.
    pub cwd: String,
    /// The exit code, or `-1` when the program did not end by itself.
    pub exit: i32,
    /// How long the call took, in milliseconds.
    pub ms: u128,
    /// How much the program wrote to its standard output.
    pub stdout_bytes: usize,
    /// How much the program wrote to its standard error.
    pub stderr_bytes: usize,
    /// Whether the host stopped reading before the program stopped writing.
    pub truncated: bool,
    /// The names of the variables that the tool asked for and was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env_keys: Vec<String>,
}

/// What only the host knows about a run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'r> {
    /// When it ended, since the beginning of 1970 in UTC.
    pub ended: Duration,
    /// How long it took.
    pub took: Duration,
    /// The host's working directory.
    pub cwd: &'r str,
}

impl Audit {
    /// The record of a call.
    pub fn new(
        plan: &Plan<'_>,
        outcome: &Outcome<'_>,
        run: &Run<'_>,
        redaction: &Redaction,
    ) -> Self {
        Self {
            ts: timestamp(run.ended),
            tool: plan.tool.clone().into_owned(),
            argv: plan.argv.iter().map(|text| redaction.apply(text)).collect(),
            cwd: redaction.apply(run.cwd),
            exit: outcome.exit_code(),
            ms: run.took.as_millis(),
            stdout_bytes: outcome.stdout.len(),
            stderr_bytes: outcome.stderr.len(),
            truncated: outcome.truncated,
            env_keys: plan.env_keys.iter().map(|name| name.clone().into_owned()).collect(),
        }
    }

    /// The name of the log that the record belongs to: one a day.
    pub fn file_name(&self) -> String {
        let day = self.ts.split('T').next().unwrap_or_default();
        format!("{}.log", day.replace('-', ""))
    }
}

/// What must not show in an audit log.
///
/// ```
/// use tools_json::Redaction;
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
    /// Hides what matches any of the patterns, and every secret.
    ///
    /// Patterns are regular expressions with commas or semicolons between them,
    /// as in agentcli's `GOAGENT_REDACT`; one that is not a regular expression
    /// is taken as plain text. The secrets that agentcli hides are the values of
    /// `OAI_API_KEY` and `OPENAI_API_KEY`.
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

    /// The text with everything hidden that must not show.
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

/// A time since the beginning of 1970, as RFC 3339 has it: UTC, with as many
/// digits of a second as it takes.
fn timestamp(since_1970: Duration) -> String {
    let seconds = since_1970.as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let fraction = match since_1970.subsec_nanos() {
        0 => String::new(),
        nanos => format!(".{nanos:09}").trim_end_matches('0').to_owned(),
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// Year, month and day of a day since the beginning of 1970.
fn date(mut day: u64) -> (u64, u64, u64) {
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
