//! The audit log of agentcli: a line for each call, in one file per day.

use std::env;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use disk::{Access, Folder};
use toolglot::call::{Outcome, Plan};
use toolglot::json::to_json;
use toolglot::tools_json::{Audit, Redaction, Run};

use crate::files::input::display_path;
use crate::terminal::console::{Failure, Terminal};

/// The variables whose values agentcli hides.
const SECRETS: [&str; 2] = ["OAI_API_KEY", "OPENAI_API_KEY"];

/// Returns the value of a variable, or an empty text if it is not set. Bytes that are not
/// UTF-8 are replaced, as in the log: a value with such bytes must be hidden, too.
fn read_variable(name: &str) -> String {
    env::var_os(name).map_or(String::new(), |value| value.to_string_lossy().into_owned())
}

/// Appends the line of a call.
pub(crate) fn append_call(
    folder: &Path,
    plan: &Plan,
    outcome: &Outcome,
    took: Duration,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let secrets = SECRETS.map(read_variable);
    let patterns = read_variable("GOAGENT_REDACT");
    let redaction = Redaction::new(&patterns, secrets.iter().map(String::as_str));
    // The working directory may have been removed.
    let here = env::current_dir().map_or(String::new(), |folder| folder.display().to_string());
    let run = Run {
        // A clock before 1970 is taken for 1970.
        end: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO),
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
