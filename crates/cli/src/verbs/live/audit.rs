//! The audit log of agentcli: a line for each call, in one file per day.

use std::env;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use disk::{Access, Folder};
use toolglot::call::{Outcome, Plan};
use toolglot::tools_json::{Audit, Redaction, Run};

use crate::files::input::display_path;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::to_json;

/// The variables whose values agentcli hides.
const SECRETS: [&str; 2] = ["OAI_API_KEY", "OPENAI_API_KEY"];

/// Appends the line of a call.
pub(crate) fn append_call(
    folder: &Path,
    plan: &Plan,
    outcome: &Outcome,
    took: Duration,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let secrets = SECRETS.map(|name| env::var(name).unwrap_or_default());
    let patterns = env::var("GOAGENT_REDACT").unwrap_or_default();
    let redaction = Redaction::new(&patterns, secrets.iter().map(String::as_str));
    let here = env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default();
    let run = Run {
        end: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
        duration: took,
        cwd: &here,
        truncated: matches!(outcome, Outcome::TooMuch { .. }),
        has_variable: &|name| env::var_os(name).is_some(),
    };
    let audit = Audit::new(plan, outcome, &run, &redaction);
    let line = to_json(&audit) + "\n";
    Folder::create(folder, Access::Private)
        .and_then(|opened| opened.append(audit.file_name(), line.as_bytes()))
        .map_err(|error| {
            terminal.usage_error(&format!("cannot write below {}: {error}", display_path(folder)))
        })
}
