//! A small host for `tools.json`: the library plans a call and judges its outcome, and `host`
//! carries it out.
//!
//! ```sh
//! cargo run -p toolglot-examples --example agentcli_host -- tools.json                  # what there is
//! cargo run -p toolglot-examples --example agentcli_host -- tools.json NAME ARGUMENTS   # call a tool
//! ```
//!
//! A call prints what the model would see. The audit record goes to standard error.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use ::host::{Host, Limits as HostLimits, Options, Origin, Values};
use toolglot::call::{self, Grant, HostFacts, Next, Outcome, Plan, Policy, Step};
use toolglot::core::printable;
use toolglot::json::{Document, quote};
use toolglot::providers::openai_function;
use toolglot::tools_json::{Audit, FORMAT, Redaction, Run};
use toolglot::{Limits, ToolDescriptor};

/// A tool must not write more than this.
const LONGEST_OUTPUT: usize = 1 << 20;

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
    let limits = Limits::default();
    let document = Document::parse(&bytes, &limits)?;
    let lifted = FORMAT.lift(&document, &limits)?;
    let path = std::path::absolute(path)?;
    match call {
        None => list(&lifted.tools),
        Some((name, arguments)) => call_tool(&lifted.tools, &path, name, arguments),
    }
}

/// Lists the tools for a person, and as they are sent to the model.
fn list(tools: &[ToolDescriptor<'_>]) -> Result<String, Box<dyn Error>> {
    let mut lines = vec!["Capabilities (enabled tools):".to_owned()];
    let mut functions = Vec::new();
    for tool in tools {
        let description = tool.description.as_ref().map(|text| text.as_ref());
        let schema = tool.input_schema.as_ref().map(|schema| schema.as_str());
        // A manifest must not send control characters to the terminal.
        let shown = printable(description.unwrap_or_default(), usize::MAX);
        lines.push(format!("- {}: {shown}", printable(&tool.id, usize::MAX)));
        functions.push(openai_function(&tool.id, description, schema));
    }
    lines.push(serde_json::to_string(&functions)?);
    Ok(lines.join("\n"))
}

/// Calls a tool, and returns what the model would see.
fn call_tool(
    tools: &[ToolDescriptor<'_>],
    manifest: &Path,
    name: &str,
    arguments: &str,
) -> Result<String, Box<dyn Error>> {
    let Ok(tool) = call::find_tool(tools, name) else {
        return Ok(error_answer(&format!("unknown tool: {name}")));
    };
    let limits = Limits::default();
    // Like agentcli, this host asks nobody: who starts it with a manifest agrees to its calls.
    let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
    let has_value = |name: &str| std::env::var_os(name).is_some();
    let facts = HostFacts { has_value: &has_value, ..HostFacts::new(&policy) };
    let contract = (FORMAT.contract)(tool);
    let plan = match call::plan(tool, &contract, arguments, &facts, &limits).ready() {
        Ok(plan) => plan,
        Err(refused) => return Ok(error_answer(&format!("invalid arguments: {refused}"))),
    };
    // This host runs only the programs of the manifest's folder.
    if let Step::Run(program) = &plan.step
        && let Some(first) = program.argv.first()
        && Path::new(&first.to_string()).is_absolute()
    {
        return Err("the program is outside of the manifest's folder".into());
    }
    let outcome = run(&plan, manifest.parent().ok_or("the manifest has no folder")?)?;
    Ok(match plan.next(&outcome, &limits) {
        Next::Done(Ok(answer)) => answer.text().ok_or("the answer is not a text")?,
        Next::Done(Err(failure)) => error_answer(&failure.message),
        Next::Go(_) => return Err("a call of a program has one step".into()),
    })
}

fn error_answer(message: &str) -> String {
    format!("{{\"error\":{}}}", quote(message))
}

/// Carries out a plan, and prints its audit record.
fn run(plan: &Plan, folder: &Path) -> Result<Outcome, Box<dyn Error>> {
    let limits = HostLimits { answer_bytes: LONGEST_OUTPUT, ..HostLimits::default() };
    let host = Host::new(Options { limits, ..Options::default() })?;
    let (origin, values) = (Origin::folder(folder), Values::from_environment(&plan.variables));
    let deadline = Duration::from_millis(plan.timeout_ms.unwrap_or(30_000));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let start = Instant::now();
    let outcome = runtime
        .block_on(async { host.run_unchecked(&plan.step, &origin, &values, deadline).await });
    let cwd = std::env::current_dir()?;
    let run = Run {
        end: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?,
        duration: start.elapsed(),
        cwd: &cwd.to_string_lossy(),
        truncated: matches!(outcome, Outcome::TooMuch { .. }),
        has_variable: &|name| std::env::var_os(name).is_some(),
    };
    let patterns = std::env::var("GOAGENT_REDACT").unwrap_or_default();
    let secrets =
        ["OAI_API_KEY", "OPENAI_API_KEY"].map(|name| std::env::var(name).unwrap_or_default());
    let redaction = Redaction::new(&patterns, secrets.iter().map(String::as_str));
    eprintln!("{}", serde_json::to_string(&Audit::new(plan, &outcome, &run, &redaction))?);
    Ok(outcome)
}
