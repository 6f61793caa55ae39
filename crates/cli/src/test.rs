//! `toolglot test`

use std::path::{Path, PathBuf};
use std::time::Instant;

use host::{Host, Options, Origin, Values};
use toolglot::call::{self, Base, End, Facts, Grant, Outcome, Policy, Program, Step};
use toolglot::core::printable;
use toolglot::descriptor::{Body, Http, Invocation};
use toolglot::json::Document;
use toolglot::mcpkg::rank::{Regression, compare};
use toolglot::mcpkg::testing::{TestCall, TestCase, TestOptions, TestReport, TestRun, Verdict};
use toolglot::mcpkg::{FORMAT, Manifest};
use toolglot::{Limits, Profile, ToolDescriptor};

use crate::package;
use console::input::Input;
use console::limits;
use console::output;
use console::problem::Style;
use console::terminal::{Failure, Terminal};
use documents::validate_args::ProfileName;

/// A test is slower when it takes so many times as long.
const SLOWER: f64 = 2.0;

/// Run the tests of an MCPKG package against its tool
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("how").required(true).args(["command", "http"]),
    after_help = "\
A program gets the input of a test as its last argument, and prints the result. No shell is
involved. Requests are sent with curl.

A package names the environment variable that its secret is in. It is sent only when --secret
names the same one: otherwise a package could ask for any secret there is.

Examples:
  toolglot test echo.mcpkg --command 'node ./echo.js'
  toolglot test echo.mcpkg --http --report today.json --baseline yesterday.json
  toolglot test echo.mcpkg --http --url http://localhost:8080/echo --junit report.xml

Exit codes: 0 all passed, 1 some failed or the package is invalid, 2 wrong usage or unreadable files"
)]
pub(crate) struct Args {
    /// The package; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Run this command line for each test
    #[arg(long, value_name = "LINE")]
    command: Option<String>,
    /// Send a request to the endpoint of the manifest for each test
    #[arg(long)]
    http: bool,
    /// Send requests to this URL in place of that of the manifest
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    url: Option<String>,
    /// The environment variable whose value may be sent to authenticate
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    secret: Option<String>,
    /// Whose behaviour to follow
    #[arg(long, value_name = "PROFILE", default_value = "spec")]
    profile: ProfileName,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
    /// A report to compare with; fail when a test got worse since
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Where to write the report as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Where to write the report as `JUnit` XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    output::distinct(args.report.iter().chain(&args.junit), terminal)?;
    let profile: Profile = args.profile.into();
    let limits = limits::usual();
    let baseline = args.baseline.as_deref().map(|path| load_report(path, terminal)).transpose()?;
    let input = package::load(&args.file, terminal)?;
    let content = package::open(&input, terminal)?;
    let findings = content.check(&package::options(profile, None));
    if !findings.is_valid() {
        package::show(&findings, &content, terminal);
        terminal.error(&format!("{} is not tested", input.shown()));
        return Err(Failure::Invalid);
    }
    let refuse = |diagnostic| refuse(&input, diagnostic, terminal);
    let document = content.document(&limits).map_err(refuse)?;
    let manifest = Manifest::read(&document);
    let tool = FORMAT.read_as(&document, 0).tools.into_iter().next().unwrap_or_default();
    let caller = Caller::new(args, tool, profile, &limits, terminal)?;
    let mut files = Vec::new();
    for name in &manifest.tests {
        let bytes = content.file(name).unwrap_or_default();
        let case = Document::parse(bytes, &limits).map_err(refuse)?;
        files.push((name.clone().into_owned(), case));
    }
    let cases = files.iter().map(|(name, case)| (name.clone(), TestCase::read(case)));
    let options = TestOptions { profile, ..TestOptions::default() };
    let mut run = TestRun::new(&manifest, cases.collect(), options);
    caller.go(&mut run, terminal);
    let report = run.finish();
    if let Some(path) = &args.report {
        output::write(path, &report.to_json(), terminal)?;
    }
    if let Some(path) = &args.junit {
        output::write_bytes(path, report.to_junit().as_bytes(), terminal)?;
    }
    terminal.print(&match args.format {
        Style::Text => text(&report),
        Style::Json => console::problem::json_line(&report),
    })?;
    let worse = baseline.is_some_and(|baseline| {
        let found = compare(&baseline, &report, SLOWER);
        terminal.say(&regression(&found));
        found.is_worse()
    });
    if report.is_success() && !worse { Ok(()) } else { Err(Failure::Invalid) }
}

/// A report that was written before.
fn load_report(path: &Path, terminal: &Terminal) -> Result<TestReport, Failure> {
    let limits = limits::catalog();
    let input = Input::read(path, limits.document_bytes, terminal)?;
    // Strict first: what serde lets through, such as a duplicate key, is refused here.
    input.parse(&limits).map_err(|report| input.refuse(&report, terminal))?;
    serde_json::from_slice(input.bytes()).map_err(|_| {
        terminal.error(&format!("{} is not a report of toolglot test", input.shown()));
        Failure::Invalid
    })
}

/// How a tool differs from what it was, a line for each kind of difference.
fn regression(found: &Regression<'_>) -> String {
    let lines = [
        ("broken", &found.broken),
        ("slower", &found.slower),
        ("missing", &found.missing),
        ("fixed", &found.fixed),
        ("added", &found.added),
    ];
    let lines = lines.iter().filter(|(_, names)| !names.is_empty()).map(|(word, names)| {
        let names: Vec<_> = names.iter().map(|name| printable(name, 64)).collect();
        format!("since the baseline, {word}: {}\n", names.join(", "))
    });
    lines.collect()
}

fn refuse(input: &Input, diagnostic: toolglot::Diagnostic, terminal: &Terminal) -> Failure {
    package::refuse(&input.shown(), &console::terminal::report_of(diagnostic), terminal)
}

/// Makes the calls of a run.
struct Caller<'a> {
    tool: ToolDescriptor<'a>,
    /// The value of the variable that may be sent, under its name.
    secret: Option<(&'a str, String)>,
    profile: Profile,
    limits: &'a Limits,
    host: Host,
    runtime: tokio::runtime::Runtime,
}

impl<'a> Caller<'a> {
    fn new(
        args: &'a Args,
        tool: ToolDescriptor<'a>,
        profile: Profile,
        limits: &'a Limits,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        let written = match tool.invocation.as_deref() {
            Some(Invocation::Http(http)) => Some(http.clone()),
            _ => None,
        };
        let call = match (&args.command, &args.url, written) {
            (Some(line), ..) => Invocation::CommandLine(line.as_str().into()),
            (None, Some(url), written) => {
                if let Err(error) = toolglot::core::url::check_http(url) {
                    return Err(terminal.trouble(&format!("--url: {error}")));
                }
                let method = written.map_or("POST".into(), |http| http.method);
                let (path, headers, url) = (None, <_>::default(), url.as_str().into());
                Invocation::Http(Http { method, url, path, headers, body: Body::Whole })
            }
            (None, None, Some(http)) => Invocation::Http(http),
            (None, None, None) => {
                let message = "the tool has no HTTP endpoint; use --url or --command";
                return Err(terminal.trouble(message));
            }
        };
        // The run checks inputs itself, where its profile asks for it.
        let tool = ToolDescriptor { invocation: Some(call.into()), input_schema: None, ..tool };
        let secret = args.secret.as_deref().map(|name| match std::env::var(name) {
            Ok(value) if !value.is_empty() && !value.chars().any(char::is_control) => {
                Ok((name, value))
            }
            _ => {
                let name = printable(name, 64);
                Err(terminal.trouble(&format!("{name} is not set, or cannot be sent")))
            }
        });
        // Who tests a tool says where it is, and that may be this machine.
        let mut options = Options { private_addresses: true, ..Options::default() };
        options.limits.answer_bytes = limits.document_bytes;
        let host = Host::new(options).map_err(|error| terminal.trouble(&error.to_string()))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| terminal.trouble(&error.to_string()))?;
        let secret = secret.transpose()?;
        Ok(Self { tool, secret, profile, limits, host, runtime })
    }

    /// Makes all calls of a run.
    fn go(&self, run: &mut TestRun<'_>, terminal: &Terminal) {
        let total = run.total();
        loop {
            let number = run.results().len() + 1;
            let Some(call) = run.next() else { break };
            terminal.progress(&format!("test {number} of {total}: {}", printable(call.name, 64)));
            let start = Instant::now();
            let outcome = self.call(&call);
            let latency = start.elapsed();
            run.resume(&outcome, latency);
        }
        terminal.progress("");
        if total == 0 {
            terminal.say("the manifest lists no tests\n");
        }
    }

    fn call(&self, call: &TestCall<'_>) -> Outcome {
        let (step, values) = match self.step(call) {
            Ok(made) => made,
            Err(message) => return Outcome::NotDone(message),
        };
        let origin = Origin::folder(".");
        let done = self.host.carry_out(&step, &origin, &values, call.timeout);
        self.seen(self.runtime.block_on(done))
    }

    /// What to run or send.
    fn step(&self, call: &TestCall<'_>) -> Result<(Step, Values), String> {
        let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
        let may_send = |name: &str| self.secret.as_ref().is_some_and(|(known, _)| *known == name);
        let facts =
            Facts { has: &may_send, implementation: None, installed: true, policy: &policy };
        let contract = (FORMAT.contract)(&self.tool);
        let made = call::plan(&self.tool, &contract, call.input, &facts, self.limits);
        let plan = made.map_err(|report| {
            report.diagnostics.first().map(|found| found.message.clone()).unwrap_or_default()
        })?;
        let mut values = Values::new();
        if let Some((name, value)) = &self.secret {
            values.set(name, value.as_str());
        }
        let step = match plan.step {
            // The program is one's own: it runs here, and gets one's own environment.
            Step::Run(program) => Step::Run(Program {
                base: Base::SearchPath,
                cwd: None,
                inherit: std::env::vars().map(|(name, _)| name).collect(),
                ..program
            }),
            // A credential that may not be sent is left out, as the published tool does.
            Step::Send(mut request) => {
                request.headers.retain(|(_, value)| value.variables().all(&may_send));
                Step::Send(request)
            }
            step => step,
        };
        Ok((step, values))
    }

    /// An outcome as the run is told about it. To the published tool, what a program prints is
    /// a body like any other.
    fn seen(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Exited { end: End::Exit(0), stdout, .. }
                if self.profile == Profile::Reference =>
            {
                Outcome::Responded { status: 200, body: stdout }
            }
            Outcome::Exited { end, stderr, .. } if end != End::Exit(0) => {
                let said = call::lossy(&stderr);
                let said = said.lines().find(|line| !line.trim().is_empty());
                let end = match end {
                    End::Exit(code) => format!("exit code {code}"),
                    End::Signal { .. } => "no exit code".to_owned(),
                };
                Outcome::NotDone(said.map_or(end.clone(), |said| format!("{end}: {said}")))
            }
            outcome => outcome,
        }
    }
}

fn text(report: &TestReport) -> String {
    let mut lines = Vec::new();
    for result in &report.results {
        let word = match result.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::TimedOut => "timed out",
            Verdict::NotRun => "not run",
            _ => "error",
        };
        let time = result.latency.map(|time| format!("  {} ms", time.as_millis()));
        let name = printable(&result.name, 64);
        lines.push(format!("{word:9}  {name}{}", time.unwrap_or_default()));
        for reason in &result.reasons {
            let place = reason.path.as_deref().filter(|path| !path.is_empty());
            let place = place.map(|path| format!("{path}: ")).unwrap_or_default();
            lines.push(format!("             {place}{}", reason.message));
        }
    }
    let summary = report.summary();
    let times = match (summary.average_latency_ms, summary.p95_latency_ms) {
        (Some(mean), Some(p95)) => {
            format!(", {mean:.0} ms on average, {p95:.0} ms at the 95th percentile")
        }
        _ => String::new(),
    };
    lines.push(format!("{} of {} passed{times}", summary.passed, summary.total));
    lines.join("\n") + "\n"
}
