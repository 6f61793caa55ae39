//! What a run came to, and what the model is told about it.

use crate::go;

/// Messages about failures are cut to this many bytes.
const LONGEST_MESSAGE: usize = 1000;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End<'o> {
    /// The program ended by itself, with this exit code.
    Exit(i32),
    /// A signal ended the program. Numbers are those of Linux.
    Signal {
        /// Which signal.
        number: i32,
        /// Whether the system kept an image of the program.
        core_dumped: bool,
    },
    /// The host ended the program, because its time was up.
    TimedOut,
    /// The program did not run, for this reason.
    NotRun(&'o str),
}

/// What a run came to.
///
/// ```
/// use tools_json::{End, Outcome};
///
/// let outcome = Outcome {
///     end: End::Exit(0),
///     stdout: b"{\n  \"now\": 12\n}\n",
///     stderr: b"",
///     truncated: false,
/// };
/// assert_eq!(outcome.content(), r#"{ "now": 12 }"#);
///
/// let failed = Outcome { end: End::Exit(3), stderr: b"no <zone>\n", ..outcome };
/// assert_eq!(failed.content(), r#"{"error":"no \u003czone\u003e\n"}"#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome<'o> {
    /// How it ended.
    pub end: End<'o>,
    /// What the program wrote to its standard output.
    pub stdout: &'o [u8],
    /// What the program wrote to its standard error.
    pub stderr: &'o [u8],
    /// Whether the host stopped reading before the program stopped writing.
    pub truncated: bool,
}

impl Outcome<'_> {
    /// Whether the program did what it was asked to.
    pub fn succeeded(&self) -> bool {
        self.end == End::Exit(0)
    }

    /// What the model is told, always on one line.
    ///
    /// After a success that is the standard output, or `{}` if it is blank:
    /// every run of white space becomes one space, also inside JSON strings.
    /// That it is JSON is not checked. After a failure it is
    /// `{"error":"…"}` with the standard error or, if that is empty, with how
    /// the run ended.
    ///
    /// A byte that is not UTF-8 becomes one replacement character.
    pub fn content(&self) -> String {
        match self.end {
            End::Exit(0) => {
                let line = go::one_line(&go::lossy(self.stdout));
                if line.is_empty() { "{}".to_owned() } else { line }
            }
            End::TimedOut => error_content(b"tool timed out"),
            End::NotRun(reason) => error_content(reason.as_bytes()),
            End::Exit(_) | End::Signal { .. } if !self.stderr.is_empty() => {
                error_content(self.stderr)
            }
            End::Exit(code) => error_content(exit_status(code).as_bytes()),
            End::Signal { number, core_dumped } => {
                error_content(signal(number, core_dumped).as_bytes())
            }
        }
    }

    /// The exit code for an [`Audit`](crate::Audit), which is `-1` when the
    /// program did not end by itself.
    pub(crate) fn exit_code(&self) -> i32 {
        match self.end {
            End::Exit(code) => code,
            End::Signal { .. } | End::TimedOut | End::NotRun(_) => -1,
        }
    }
}

/// What the model is told when a call fails: `{"error":"…"}` on one line, with
/// the message cut to 1000 bytes.
///
/// ```
/// assert_eq!(tools_json::error_content(b"a & b"), r#"{"error":"a \u0026 b"}"#);
/// ```
pub fn error_content(message: &[u8]) -> String {
    let message = message.get(..LONGEST_MESSAGE).unwrap_or(message);
    go::one_line(&error_object(message))
}

/// What the model is told when it calls a tool that is not there.
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

/// An exit code as Go words it. Those of Windows go up to 32 bits, and the long
/// ones are known by their hexadecimal digits.
fn exit_status(code: i32) -> String {
    if (0..1 << 16).contains(&code) {
        format!("exit status {code}")
    } else {
        format!("exit status {code:#x}")
    }
}

/// A signal as Go words it on Linux.
fn signal(number: i32, core_dumped: bool) -> String {
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
