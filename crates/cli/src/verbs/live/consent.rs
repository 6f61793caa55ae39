//! `toolglot consent`

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use gateway::describe_calls;
use host::{Host, Options, Origin, Values};
use serde::Serialize;
use toolglot::call::{Policy, Verdict};
use toolglot::core::quoted;
use toolglot::install_engine::consent::Summary;
use toolglot::install_engine::estimate::{self, Estimate};
use toolglot::install_manifest::{self, Manifest};
use toolglot::{FORMATS, Report};

use crate::files::input::Input;
use crate::files::installable;
use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{FindingStyle, json_line};
use crate::verbs::live::callable::{self, Callable};
use crate::verbs::live::values;

/// Show what one agrees to by installing a tool
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot consent install.json
  toolglot consent --format markdown install.json
  toolglot consent --estimate install.json
  toolglot consent --format json tools.json

Of an install manifest, it is what installing means. Other formats do not say that: of their tools it
is what a call does, and what speaks against it, as `toolglot approve` shows it.

Exit codes: 0 shown, 1 not a valid manifest, 2 wrong usage or an unreadable file, 3 there is no URL to
ask for an estimate, 4 nothing came of asking")]
pub(crate) struct Args {
    /// The manifest; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Rendering,
    /// Ask the provider what use will cost, at `cost.estimate_url` of the manifest
    #[arg(long)]
    estimate: bool,
    /// Grant what is not granted otherwise
    #[arg(long, value_name = "WHAT", requires = "estimate")]
    allow: Vec<Allow>,
}

/// What can be granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Allow {
    /// Requests to this machine and to private networks
    Private,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rendering {
    /// For people, on a terminal
    Text,
    /// For people, as Markdown
    Markdown,
    /// For programs: one JSON object
    Json,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let input =
        Input::read(&args.file, limits::validate_options().limits.document_bytes, terminal)?;
    if has_other_format(&input) {
        if args.estimate {
            terminal.error(NO_ESTIMATE);
            return Err(Failure::Refused);
        }
        return print_other_format(args, &input, terminal);
    }
    let refuse = |report: &Report| {
        if args.format != Rendering::Json {
            return input.refuse(report, terminal);
        }
        input.print_report(report, FindingStyle::Json, terminal).err().unwrap_or(Failure::Invalid)
    };
    installable::with_manifest_input_or(&input, terminal, refuse, |found| {
        let mut summary = Summary::new(found.manifest);
        if args.estimate {
            let private = args.allow.contains(&Allow::Private);
            summary.estimate = Some(fetch_estimate(found.manifest, private, terminal)?);
        }
        terminal.print(&match args.format {
            Rendering::Text => summary.text(),
            Rendering::Markdown => summary.markdown(),
            Rendering::Json => json_line(&summary),
        })
    })
}

const NO_ESTIMATE: &str = "the manifest names no cost.estimate_url";

/// The JSON output for a manifest of another format: the calls of its tools.
#[derive(Serialize)]
struct CallConsents<'a> {
    file: &'a str,
    format: &'a str,
    tools: Vec<CallConsent<'a>>,
}

#[derive(Serialize)]
struct CallConsent<'a> {
    id: &'a str,
    call: String,
    /// The verdict of the default policy: `allowed`, `asked` or `refused`.
    verdict: &'static str,
    concerns: Vec<&'static str>,
}

impl<'a> CallConsent<'a> {
    fn new(callable: &Callable<'a>) -> Self {
        let (verdict, concerns) =
            match Policy::default().judge(callable.tool, &callable.host_rules()) {
                Verdict::Allow => ("allowed", Vec::new()),
                Verdict::Ask(concerns) => ("asked", concerns),
                Verdict::Refuse(concerns) => ("refused", concerns),
            };
        let concerns = concerns.iter().map(|concern| concern.message()).collect();
        Self { id: &callable.tool.id.value, call: describe_calls(callable.tool), verdict, concerns }
    }

    /// Formats a line for the call and one for each concern, each after its prefix.
    fn text(&self, mark: &str, note: &str) -> String {
        let mut text = format!("{mark}{} {}\n", quoted(self.id), self.call);
        for why in &self.concerns {
            text.extend([note, why, "\n"]);
        }
        text
    }
}

fn has_other_format(input: &Input) -> bool {
    let Ok(document) = input.parse(&limits::document()) else { return false };
    FORMATS.detect(&document).is_ok_and(|(format, _)| format.name != install_manifest::FORMAT.name)
}

fn print_other_format(args: &Args, input: &Input, terminal: &Terminal) -> Result<(), Failure> {
    callable::with_entry(input, None, terminal, |document| {
        let all = document.tools();
        let tools: Vec<CallConsent<'_>> = all.iter().map(CallConsent::new).collect();
        let text = |mark, note| tools.iter().map(|tool| tool.text(mark, note)).collect();
        terminal.print(&match args.format {
            Rendering::Text => text("", "  note: "),
            Rendering::Markdown => text("- ", "  - "),
            Rendering::Json => {
                json_line(&CallConsents { file: &input.name, format: document.format.name, tools })
            }
        })
    })
}

/// Asks the provider of a tool for an estimate of its cost.
fn fetch_estimate(
    manifest: &Manifest<'_>,
    private: bool,
    terminal: &Terminal,
) -> Result<Estimate, Failure> {
    /// The time limit for an estimate.
    const ESTIMATE_TIMEOUT: Duration = Duration::from_secs(15);
    let refused = |why: &str| {
        terminal.error(why);
        Failure::Refused
    };
    let step = estimate::step(manifest).map_err(|found| refused(&found.message))?;
    let step = step.ok_or_else(|| refused(NO_ESTIMATE))?;
    let options = Options { private_addresses: private, ..Options::default() };
    let host = Host::new(options).map_err(|error| terminal.usage_error(&error.to_string()))?;
    let outcome = values::with_host(host, terminal, async |host| {
        Ok(host.run_unchecked(&step, &Origin::default(), &Values::new(), ESTIMATE_TIMEOUT).await)
    })?;
    estimate::judge(&outcome).map_err(|why| {
        terminal.error(&format!("there is no estimate: {why}"));
        Failure::Failed
    })
}
