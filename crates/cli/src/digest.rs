//! `toolglot digest`

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolglot::core::printable;
use toolglot::{Format, Limits, compare};

use crate::formats;
use crate::input::{Input, Loaded, each_file, refuse};
use crate::problem::{Style, json_line};
use crate::terminal::{Failure, Terminal};

/// Print what tells one tool from another, whatever its format
#[derive(clap::Args)]
#[command(after_help = "\
The digest is the same for the same tool, however its manifest is written. Keep it, and compare it
later: another digest is another tool. With --interface, only what models and hosts see counts: name,
description, schemas, side effects and approval. Formats that say the same of these agree on it.

Examples:
  toolglot digest tools.json
  toolglot digest --interface echo.mcpkg.json tools.json

Exit codes: 0 all digested, 1 some invalid, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The files to read; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format of the files; without it, each is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    from: Option<&'static Format>,
    /// Only what models and hosts see
    #[arg(long)]
    interface: bool,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    id: &'a str,
    version: Option<&'a str>,
    interface: &'a str,
    whole: &'a str,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    each_file(&args.files, terminal, |file| digest(file, args, terminal))
}

fn digest(file: &Path, args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let limits = Limits::for_catalog();
    let input = Input::read(file, limits.document_bytes, terminal)?;
    let document = input.parse(&limits).map_err(|report| input.refuse(&report, terminal))?;
    let (format, _) =
        formats::of(&document, args.from).map_err(|report| input.refuse(&report, terminal))?;
    let loaded = Loaded { input: &input, document: &document, format };
    let lifted =
        format.lift(&document, &limits).map_err(|report| refuse(&report, &[loaded], terminal))?;
    let lines: String = lifted
        .tools
        .iter()
        .map(|tool| {
            let found = compare::digest(tool);
            let digest = if args.interface { &found.interface } else { &found.whole };
            match args.format {
                Style::Text => {
                    format!("{digest}  {}  {}\n", printable(&tool.id, 256), input.shown())
                }
                Style::Json => json_line(&Line {
                    file: &input.name,
                    id: &tool.id,
                    version: tool.version.as_deref(),
                    interface: &found.interface,
                    whole: &found.whole,
                }),
            }
        })
        .collect();
    terminal.print(&lines)
}
