//! A small host for `tools.json`: the library says what to do, this program does it.
//!
//! ```sh
//! cargo run -p toolglot-examples --example agentcli_host -- tools.json                  # what there is
//! cargo run -p toolglot-examples --example agentcli_host -- tools.json NAME ARGUMENTS   # call a tool
//! ```
//!
//! A call prints what the model would see. The audit record goes to standard error.

use std::error::Error;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use toolglot::call::{End, Outcome, Program, Step};
use toolglot::core::path::PathStyle;
use toolglot::core::schema::Schema;
use toolglot::json::Document;
use toolglot::tools_json::{self, Audit, Host, Location, Manifest, Redaction, Run, Timeouts};
use toolglot::{Diagnostic, Limits, ValidateOptions};

/// More than this is not kept of what a tool writes.
const LONGEST_OUTPUT: u64 = 1 << 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [manifest] => answer(manifest, None),
        [manifest, tool] => answer(manifest, Some((tool, ""))),
        [manifest, tool, arguments] => answer(manifest, Some((tool, arguments))),
        _ => Err("usage: agentcli_host MANIFEST [TOOL [ARGUMENTS]]".into()),
    };
    match done {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Lists the tools, or calls one.
fn answer(path: &str, call: Option<(&str, &str)>) -> Result<String, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let options = ValidateOptions::default();
    let document = Document::parse(&bytes, &options.limits)?;
    let manifest =
        tools_json::load(&document, &options).map_err(|report| lines(&report.diagnostics))?;
    let path = std::path::absolute(path)?;
    match call {
        None => {
            let tools = serde_json::to_string(&manifest.openai_tools())?;
            Ok(manifest.capabilities() + &tools)
        }
        Some((tool, arguments)) => content(&manifest, &path, tool, arguments),
    }
}

fn lines(problems: &[Diagnostic]) -> String {
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    problems.join("\n")
}

/// Calls a tool, and says what the model would see.
fn content(
    manifest: &Manifest<'_>,
    path: &Path,
    name: &str,
    arguments: &str,
) -> Result<String, Box<dyn Error>> {
    let Some(tool) = manifest.tools.iter().find(|tool| tool.name == name) else {
        return Ok(tools_json::unknown_tool(name));
    };
    if let Some(schema) = &tool.schema {
        let limits = Limits::default();
        let schema = Document::parse(schema.as_str().as_bytes(), &limits)?;
        let schema =
            Schema::compile(schema.root(), &limits).map_err(|problems| lines(&problems))?;
        if let Err(error) = tools_json::check_arguments(arguments, &schema, &limits) {
            return Ok(tools_json::error_content(error.to_string().as_bytes()));
        }
    }
    let directory = path.parent().and_then(Path::to_str);
    let host = Host {
        location: Location {
            directory: directory.ok_or("the path of the manifest is not Unicode")?,
            path_style: if cfg!(windows) { PathStyle::Windows } else { PathStyle::Posix },
            allow_absolute: false,
        },
        timeouts: Timeouts::default(),
    };
    let plan = tool.plan(arguments, &host)?;
    let Step::Run(program) = &plan.step else { return Err("a program".into()) };

    let start = Instant::now();
    let deadline = Duration::from_millis(plan.timeout_ms.unwrap_or(30_000));
    let (outcome, truncated) = run(program, deadline);
    let took = start.elapsed();
    let cwd = std::env::current_dir()?;
    let run = Run {
        end: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?,
        duration: took,
        cwd: &cwd.to_string_lossy(),
        truncated,
        has_variable: &|name| std::env::var_os(name).is_some(),
    };
    let patterns = std::env::var("GOAGENT_REDACT").unwrap_or_default();
    let secrets =
        ["OAI_API_KEY", "OPENAI_API_KEY"].map(|name| std::env::var(name).unwrap_or_default());
    let redaction = Redaction::new(&patterns, secrets.iter().map(String::as_str));
    let audit = Audit::new(&plan, &outcome, &run, &redaction);
    eprintln!("{}", serde_json::to_string(&audit)?);
    Ok(tools_json::content(&outcome))
}

/// What a tool wrote to one of its outputs.
#[derive(Default)]
struct Written {
    bytes: Vec<u8>,
    truncated: bool,
}

/// Runs a program: what came of it, and whether some of its output was left out.
fn run(program: &Program, deadline: Duration) -> (Outcome, bool) {
    let not_run = |error: &dyn Error| (Outcome::NotDone(format!("start: {error}")), false);
    let argv: Vec<String> = program.argv.iter().map(ToString::to_string).collect();
    let Some((name, arguments)) = argv.split_first() else {
        return not_run(&io::Error::from(io::ErrorKind::NotFound));
    };
    let environment = |name: &str| std::env::var_os(name);
    let child = Command::new(name)
        .args(arguments)
        .env_clear()
        .envs(program.environment(&environment, &environment))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return not_run(&error),
    };
    let started = Instant::now();
    if let Some(mut stdin) = child.stdin.take() {
        let text = program.stdin.clone().unwrap_or_default();
        // A tool need not read its input.
        thread::spawn(move || stdin.write_all(text.as_bytes()));
    }
    let stdout = child.stdout.take().map(read);
    let stderr = child.stderr.take().map(read);
    let end = loop {
        match child.try_wait() {
            Ok(Some(status)) => break end(status),
            Ok(None) if started.elapsed() < deadline => thread::sleep(Duration::from_millis(5)),
            Ok(None) => {
                // It may have ended just now; there is nothing else to do about an error.
                let _ = child.kill();
                let _ = child.wait();
                return (Outcome::TimedOut, false);
            }
            Err(error) => return not_run(&error),
        }
    };
    // What the tool started may keep its outputs open for longer than it lives.
    let written = |output: Option<mpsc::Receiver<Written>>| {
        let patience = Duration::from_millis(500);
        output.and_then(|output| output.recv_timeout(patience).ok())
    };
    let (stdout, stderr) =
        (written(stdout).unwrap_or_default(), written(stderr).unwrap_or_default());
    let truncated = stdout.truncated || stderr.truncated;
    (Outcome::Exited { end, stdout: stdout.bytes, stderr: stderr.bytes }, truncated)
}

/// Reads an output to its end, and keeps the beginning.
fn read(mut output: impl Read + Send + 'static) -> mpsc::Receiver<Written> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let kept = output.by_ref().take(LONGEST_OUTPUT).read_to_end(&mut bytes);
        let rest = kept.and_then(|_| io::copy(&mut output, &mut io::sink()));
        // Nobody listens any more when the patience is over.
        let _ = sender.send(Written { bytes, truncated: rest.is_ok_and(|rest| rest > 0) });
    });
    receiver
}

fn end(status: ExitStatus) -> End {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(number) = status.signal() {
            let core_dumped = status.core_dumped();
            return End::Signal { number, core_dumped };
        }
    }
    End::Exit(status.code().unwrap_or(-1))
}
