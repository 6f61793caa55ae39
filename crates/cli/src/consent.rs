//! `toolglot consent`

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use host::{Host, Options, Origin, Values};
use toolglot::Report;
use toolglot::install_engine::consent::Summary;
use toolglot::install_engine::estimate::{self, Estimate};
use toolglot::install_manifest::Manifest;

use crate::{installs, values};
use console::input::Input;
use console::limits;
use console::problem::{Refused, json_line};
use console::terminal::{Failure, Terminal};

/// Show what one agrees to by installing a tool
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot consent install.json
  toolglot consent --format markdown install.json
  toolglot consent --estimate install.json

Exit codes: 0 shown, 1 not a valid install manifest, 2 wrong usage or an unreadable file, 3 there is no
URL to ask for an estimate, 4 nothing came of asking")]
pub(crate) struct Args {
    /// The install manifest; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Rendering,
    /// Ask the provider what use will cost: cost.estimate_url of the manifest
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
    let input = Input::read(&args.file, limits::validate().limits.document_bytes, terminal)?;
    let refuse = |report: &Report| {
        if args.format == Rendering::Json
            && let Err(failure) = terminal.print(&json_line(&Refused::new(report, &input.source())))
        {
            return failure;
        }
        input.refuse(report, terminal)
    };
    installs::or(&input, terminal, refuse, |found| {
        let mut summary = Summary::of(found.manifest);
        if args.estimate {
            let private = args.allow.contains(&Allow::Private);
            summary.estimate = Some(estimated(found.manifest, private, terminal)?);
        }
        terminal.print(&match args.format {
            Rendering::Text => summary.text(),
            Rendering::Markdown => summary.markdown(),
            Rendering::Json => json_line(&summary),
        })
    })
}

/// What the provider of a tool estimates.
fn estimated(
    manifest: &Manifest<'_>,
    private: bool,
    terminal: &Terminal,
) -> Result<Estimate, Failure> {
    /// Nobody waits longer for an estimate.
    const LONGEST: Duration = Duration::from_secs(15);
    let refused = |why: &str| {
        terminal.error(why);
        Failure::Refused
    };
    let step = estimate::step(manifest).map_err(|found| refused(&found.message))?;
    let step = step.ok_or_else(|| refused("the manifest names no cost.estimate_url"))?;
    let options = Options { private_addresses: private, ..Options::default() };
    let host = Host::new(options).map_err(|error| terminal.trouble(&error.to_string()))?;
    let outcome = values::hosted(host, terminal, async |host| {
        Ok(host.carry_out(&step, &Origin::default(), &Values::new(), LONGEST).await)
    })?;
    estimate::judge(&outcome).map_err(|why| {
        terminal.error(&format!("there is no estimate: {why}"));
        Failure::Failed
    })
}
