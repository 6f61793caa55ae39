//! The answer that a model gets about the outcome of a call.

use call::{Answer, End, Judge, Outcome};
use manifest_core::Limits;
use manifest_core::format::OutcomeRules;

use crate::go;

/// Messages about failures are cut to this many bytes.
const LONGEST_MESSAGE: usize = 1000;

/// Returns the answer to the model for a call, always on one line.
///
/// After a success, it is the standard output, or `{}` if that is blank. Each run of white
/// space becomes one space, also inside JSON strings. The output is not checked to be JSON.
/// After a failure, it is `{"error":"…"}` with the standard error or, if that is empty,
/// with the way the run ended. Each byte that is not UTF-8 becomes one replacement
/// character.
///
/// ```
/// use call::{End, Outcome};
///
/// let exited = |code, stdout: &str, stderr: &str| Outcome::Exited {
///     end: End::Exit(code),
///     stdout: stdout.into(),
///     stderr: stderr.into(),
/// };
/// assert_eq!(tools_json::content(&exited(0, "{\n  \"now\": 12\n}\n", "")), r#"{ "now": 12 }"#);
/// assert_eq!(
///     tools_json::content(&exited(3, "", "no <zone>\n")),
///     r#"{"error":"no \u003czone\u003e\n"}"#,
/// );
/// ```
pub fn content(outcome: &Outcome) -> String {
    let failed = match Judge::for_reading(OutcomeRules::OneLine).judge(outcome, &Limits::default())
    {
        Ok(Answer::Text(line)) => return line,
        Ok(other) => return go::join_lines(&other.text().unwrap_or_default()),
        Err(failed) => failed,
    };
    // Failures have the reference's messages, and the tool's standard error byte for byte.
    match outcome {
        Outcome::Exited { stderr, .. } if !stderr.is_empty() => error_content(stderr),
        Outcome::Exited { end: End::Exit(code), .. } => {
            error_content(format_exit_status(*code).as_bytes())
        }
        Outcome::Exited { end: End::Signal { number, core_dumped }, .. } => {
            error_content(format_signal(*number, *core_dumped).as_bytes())
        }
        Outcome::NotDone(reason) => error_content(reason.as_bytes()),
        _ => error_content(failed.message.as_bytes()),
    }
}

/// Returns the answer to the model for a failed call: `{"error":"…"}` on one line, with the
/// message cut to 1000 bytes.
///
/// ```
/// assert_eq!(tools_json::error_content(b"a & b"), r#"{"error":"a \u0026 b"}"#);
/// ```
pub fn error_content(message: &[u8]) -> String {
    let message = message.get(..LONGEST_MESSAGE).unwrap_or(message);
    go::join_lines(&error_object(message))
}

/// Returns the answer to the model for a call of an unknown tool.
///
/// ```
/// assert_eq!(tools_json::unknown_tool("fly"), r#"{"error":"unknown tool: fly"}"#);
/// ```
pub fn unknown_tool(name: &str) -> String {
    error_object(format!("unknown tool: {name}").as_bytes())
}

fn error_object(message: &[u8]) -> String {
    format!("{{\"error\":{}}}", go::json_string(message))
}

/// Formats an exit code as Go does. Windows has codes of 32 bits, and long ones are usually
/// written in hexadecimal.
fn format_exit_status(code: i32) -> String {
    if (0..1 << 16).contains(&code) {
        format!("exit status {code}")
    } else {
        format!("exit status {code:#x}")
    }
}

/// Formats a signal as Go does on Linux.
fn format_signal(number: i32, core_dumped: bool) -> String {
    let name = match number {
        1 => "hangup",
        2 => "interrupt",
        3 => "quit",
        4 => "illegal instruction",
        5 => "trace/breakpoint trap",
        6 => "aborted",
        7 => "bus error",
        8 => "floating point exception",
        9 => "killed",
        10 => "user defined signal 1",
        11 => "segmentation fault",
        12 => "user defined signal 2",
        13 => "broken pipe",
        14 => "alarm clock",
        15 => "terminated",
        _ => "",
    };
    let core = if core_dumped { " (core dumped)" } else { "" };
    if name.is_empty() {
        format!("signal: signal {number}{core}")
    } else {
        format!("signal: {name}{core}")
    }
}
