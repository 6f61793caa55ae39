//! `toolglot test`

use std::path::{Path, PathBuf};

use host::Origin;
use installer::packages::{InstalledPackage, PackageStore};
use toolglot::Profile;
use toolglot::core::printable;
use toolglot::json::Document;
use toolglot::mcpkg::rank::{Regression, compare};
use toolglot::mcpkg::testing::{TestCase, TestOptions, TestReport, TestRun, Verdict};
use toolglot::mcpkg::{FORMAT, Manifest};

use crate::files::input::{Input, is_standard};
use crate::files::limits;
use crate::files::output;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::Style;
use crate::verbs::live::packages;
use crate::verbs::live::tester::{InvocationArgs, TestCaller};
use crate::verbs::validate_args::ProfileName;

/// A test counts as slower if it takes more than this many times as long.
const SLOWDOWN_FACTOR: f64 = 2.0;

/// Run the tests of an MCPKG package against its tool
#[derive(clap::Args)]
#[command(after_help = "\
A program gets the input of a test as its last argument, and prints the result. No shell is
involved. Requests are sent with curl.

A package names the environment variable that its secret is in. It is sent only when --secret
names the same one: otherwise a package could ask for any secret there is.

A package that is installed is tested where it is, by the call of its manifest, unless --command or
--http say otherwise. What came of it is recorded: `toolglot installed --rank` goes by it.

Examples:
  toolglot test echo.mcpkg --command 'node ./echo.js'
  toolglot test echo.mcpkg --http --report today.json --baseline yesterday.json
  toolglot test acme.crm.search
  toolglot test echo.mcpkg --http --url http://localhost:8080/echo --junit report.xml

Exit codes: 0 all passed, 1 some failed or the package is invalid, 2 wrong usage or unreadable files,
3 an installed package is not what was agreed to")]
pub(crate) struct Args {
    /// The package, or the id of one that is installed; - is standard input
    #[arg(value_name = "FILE|ID")]
    file: PathBuf,
    #[command(flatten)]
    how: InvocationArgs,
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
    output::check_distinct(args.report.iter().chain(&args.junit), terminal)?;
    let profile: Profile = args.profile.into();
    let limits = limits::document();
    let baseline = args.baseline.as_deref().map(|path| load_report(path, terminal)).transpose()?;
    let (input, held) = open_package(args, terminal)?;
    let content = package::open(&input, terminal)?;
    let findings = content.check(&package::check_options(profile, None));
    if !findings.is_valid() {
        package::show_findings(&findings, &content, terminal);
        terminal.error(&format!("{} is not tested", input.display_name()));
        return Err(Failure::Invalid);
    }
    let refuse = |diagnostic| refuse(&input, diagnostic, terminal);
    let document = content.document(&limits).map_err(refuse)?;
    let manifest = Manifest::read(&document);
    let tool = FORMAT.lift_valid(&document, 0).tools.into_iter().next().unwrap_or_default();
    let origin = held.as_ref().filter(|_| !args.how.is_given()).map(|held| {
        let manifest = String::from_utf8_lossy(content.manifest()).into_owned();
        Origin { manifest: Some(manifest), ..Origin::folder(held.folder()) }
    });
    let caller = TestCaller::new(&args.how, tool, origin, terminal)?;
    let mut files = Vec::new();
    for name in &manifest.tests {
        let bytes = content.file(name).unwrap_or_default();
        let case = Document::parse(bytes, &limits).map_err(refuse)?;
        files.push((name.clone().into_owned(), case));
    }
    let cases = files.iter().map(|(name, case)| (name.clone(), TestCase::read(case)));
    let options = TestOptions { profile, ..TestOptions::default() };
    let mut run = TestRun::new(&manifest, cases.collect(), options);
    caller.run_all(&mut run, terminal);
    let report = run.finish();
    if let Some(held) = &held {
        let recorded =
            PackageStore::in_working_directory().record_tests(&held.info.tool_id, report.summary());
        recorded.map_err(|error| packages::show_error(&error, terminal))?;
    }
    print_report(args, &report, terminal)?;
    let worse = baseline.is_some_and(|baseline| {
        let found = compare(&baseline, &report, SLOWDOWN_FACTOR);
        terminal.status(&format_regression(&found));
        found.is_worse()
    });
    if report.is_success() && !worse { Ok(()) } else { Err(Failure::Invalid) }
}

/// Returns the package in a file or an installed one. Fails if an installed package differs
/// from the agreed one.
fn open_package(
    args: &Args,
    terminal: &Terminal,
) -> Result<(Input, Option<InstalledPackage>), Failure> {
    let name = args.file.to_str().filter(|_| !is_standard(&args.file) && !args.file.exists());
    let held = name.map(|name| packages::find_installed(name, terminal)).transpose()?.flatten();
    let Some(held) = held else {
        if !args.how.is_given() {
            return Err(terminal.usage_error("say how the tool is called: --command or --http"));
        }
        return Ok((package::load(&args.file, terminal)?, None));
    };
    packages::verify_installed(&held, terminal)?;
    let bytes = held.approved_package().map_err(|error| packages::show_error(&error, terminal))?;
    Ok((Input::new(&args.file, bytes.unwrap_or_default()), Some(held)))
}

/// Writes and prints the report of a run.
fn print_report(args: &Args, report: &TestReport, terminal: &Terminal) -> Result<(), Failure> {
    if let Some(path) = &args.report {
        output::write(path, &report.to_json(), terminal)?;
    }
    if let Some(path) = &args.junit {
        output::write_bytes(path, report.to_junit().as_bytes(), terminal)?;
    }
    terminal.print(&match args.format {
        Style::Text => format_report(report),
        Style::Json => crate::terminal::problem::json_line(report),
    })
}

/// Reads the report of an earlier run.
fn load_report(path: &Path, terminal: &Terminal) -> Result<TestReport, Failure> {
    let limits = limits::catalog();
    let input = Input::read(path, limits.document_bytes, terminal)?;
    // Parse strictly first, because serde accepts, for example, duplicate keys.
    input.parse(&limits).map_err(|report| input.refuse(&report, terminal))?;
    serde_json::from_slice(input.bytes()).map_err(|_| {
        terminal.error(&format!("{} is not a report of toolglot test", input.display_name()));
        Failure::Invalid
    })
}

/// Formats the differences from the baseline, with a line for each kind.
fn format_regression(found: &Regression<'_>) -> String {
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
    package::refuse(
        &input.display_name(),
        &crate::terminal::console::single_report(diagnostic),
        terminal,
    )
}

fn format_report(report: &TestReport) -> String {
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
