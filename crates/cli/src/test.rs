//! `toolglot test`

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use host::{Host, Options, Origin, Values};
use toolglot::call::{self, Base, Hole, Program, Request, Step, Template};
use toolglot::core::printable;
use toolglot::json::Document;
use toolglot::mcpkg::invoke::{self, Plan};
use toolglot::mcpkg::rank::{Regression, compare};
use toolglot::mcpkg::testing::{
    Outcome, TestCall, TestCase, TestOptions, TestReport, TestRun, Verdict,
};
use toolglot::mcpkg::{Endpoint, Manifest};
use toolglot::{Limits, Profile};

use crate::input::Input;
use crate::problem::Style;
use crate::terminal::{Failure, Terminal};
use crate::validate_args::ProfileName;
use crate::{output, package};

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
    let limits = Limits::default();
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
    let caller = Caller::new(args, &manifest, profile, &limits, terminal)?;
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
        Style::Json => crate::problem::json_line(&report),
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
    let limits = Limits::for_catalog();
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
    package::refuse(&input.shown(), &crate::terminal::report_of(diagnostic), terminal)
}

/// Makes the calls of a run.
struct Caller<'a> {
    manifest: &'a Manifest<'a>,
    endpoint: Endpoint<'a>,
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
        manifest: &'a Manifest<'a>,
        profile: Profile,
        limits: &'a Limits,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        let mut endpoint = manifest.endpoint.clone().unwrap_or_default();
        if let Some(line) = &args.command {
            endpoint.kind = Cow::Borrowed("local");
            endpoint.command = Some(Cow::Borrowed(line));
        } else if let Some(url) = &args.url {
            if let Err(error) = toolglot::core::url::check_http(url) {
                return Err(terminal.trouble(&format!("--url: {error}")));
            }
            endpoint.kind = Cow::Borrowed("http");
            endpoint.method.get_or_insert(Cow::Borrowed("POST"));
            endpoint.url = Some(Cow::Borrowed(url));
        } else if endpoint.kind != "http" {
            let message = "the tool has no HTTP endpoint; use --url or --command";
            return Err(terminal.trouble(message));
        }
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
        Ok(Self { manifest, endpoint, secret, profile, limits, host, runtime })
    }

    /// Makes all calls of a run.
    fn go(&self, run: &mut TestRun<'_>, terminal: &Terminal) {
        let total = run.total();
        loop {
            let number = run.results().len() + 1;
            let Some(call) = run.next() else { break };
            terminal.progress(&format!("test {number} of {total}: {}", printable(call.name, 64)));
            let start = Instant::now();
            let answer = self.call(&call);
            let latency = start.elapsed();
            match answer {
                Ok(Some(result)) => run.resume(Outcome::Returned(&result), latency),
                Ok(None) => run.resume(Outcome::TimedOut, latency),
                Err(message) => run.resume(Outcome::Failed(&message), latency),
            }
        }
        terminal.progress("");
        if total == 0 {
            terminal.say("the manifest lists no tests\n");
        }
    }

    fn call(&self, call: &TestCall<'_>) -> Result<Option<Vec<u8>>, String> {
        let (step, values) = self.step(call)?;
        let origin = Origin::folder(".");
        let done = self.host.carry_out(&step, &origin, &values, call.timeout);
        let outcome = self.runtime.block_on(done);
        self.judge(outcome)
    }

    /// What to run or send.
    fn step(&self, call: &TestCall<'_>) -> Result<(Step, Values), String> {
        let mut values = Values::new();
        match invoke::plan(self.manifest, &self.endpoint, call.input) {
            Err(error) => Err(error.to_string()),
            Ok(Plan::Command { argv }) => {
                let argv = argv.into_iter().map(Template::from).collect();
                let names = std::env::vars().map(|(name, _)| name);
                // The program is one's own, and gets one's own environment.
                let program = Program {
                    argv,
                    base: Base::SearchPath,
                    inherit: names.collect(),
                    ..Program::default()
                };
                Ok((Step::Run(program), values))
            }
            Ok(Plan::Http { method, url, body, credential }) => {
                let mut headers = vec![("Content-Type".to_owned(), "application/json".into())];
                if let Some((credential, (name, value))) = credential.zip(self.secret.as_ref())
                    && credential.env.contains(name)
                {
                    let mut header = Template::from(credential.prefix);
                    header.push_hole(name, Hole::Header);
                    headers.push((credential.header.to_owned(), header));
                    values.set(name, value.as_str());
                }
                let body = Some(body.to_owned());
                let request = Request { method, url: url.into(), headers, body };
                Ok((Step::Send(request), values))
            }
            Ok(_) => Err("this program cannot make such a call".to_owned()),
        }
    }

    /// The result in an outcome; nothing when it came too late.
    fn judge(&self, outcome: call::Outcome) -> Result<Option<Vec<u8>>, String> {
        use call::{End, Outcome};
        match outcome {
            Outcome::TimedOut => Ok(None),
            Outcome::Exited { end: End::Exit(0), stdout, .. } => {
                let result = invoke::answer(200, &stdout, self.profile, self.limits)?;
                Ok(Some(result.into_owned()))
            }
            Outcome::Exited { end, stderr, .. } => {
                let said = call::lossy(&stderr);
                let said = said.lines().find(|line| !line.trim().is_empty());
                let end = match end {
                    End::Exit(code) => format!("exit code {code}"),
                    End::Signal { .. } => "no exit code".to_owned(),
                };
                Err(said.map_or(end.clone(), |said| format!("{end}: {}", printable(said, 512))))
            }
            Outcome::Responded { status, body } => {
                let result = invoke::answer(status, &body, self.profile, self.limits)?;
                Ok(Some(result.into_owned()))
            }
            Outcome::TooMuch { limit } => Err(format!("there were more than {limit} bytes")),
            Outcome::NotDone(why) | Outcome::Lost(why) | Outcome::Threw(why) => Err(why),
            Outcome::Returned(_) | Outcome::Value(_) => Err("that is no answer".to_owned()),
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
