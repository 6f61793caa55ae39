//! `toolglot consent`

use std::path::PathBuf;

use clap::ValueEnum;
use toolglot::Report;
use toolglot::install_engine::consent::Summary;

use crate::installs;
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

Exit codes: 0 shown, 1 not a valid install manifest, 2 wrong usage or an unreadable file")]
pub(crate) struct Args {
    /// The install manifest; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Rendering,
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
        let summary = Summary::of(found.manifest);
        terminal.print(&match args.format {
            Rendering::Text => summary.text(),
            Rendering::Markdown => summary.markdown(),
            Rendering::Json => json_line(&summary),
        })
    })
}
