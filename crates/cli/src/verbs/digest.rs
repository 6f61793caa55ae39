//! `toolglot digest`

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolglot::core::printable;
use toolglot::{Format, Formats, compare};

use crate::files::formats::{self, Candidates};
use crate::files::limits;
use crate::files::parallel::each_file;
use crate::files::parsed::{FileDescription, FileError, NamedFile};
use crate::files::paths;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, json_line};

/// Print what tells one tool from another, whatever its format
#[derive(clap::Args)]
#[command(after_help = "\
The digest is the same for the same tool, however its manifest is written. Keep it, and compare it
later: another digest is another tool. With --interface, only what models and hosts see counts: name,
description, schemas, side effects and approval. Formats that say the same of these agree on it.

Examples:
  toolglot digest tools.json
  toolglot digest --interface echo.mcpkg.json tools.json

With --format json each file is an object with its tools, or with its error or diagnostics.

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

/// The JSON output for one file.
#[derive(Serialize)]
struct FileDigests<'a> {
    #[serde(flatten)]
    about: FileDescription<'a>,
    tools: Vec<DigestRow<'a>>,
}

#[derive(Serialize)]
struct DigestRow<'a> {
    id: &'a str,
    version: Option<&'a str>,
    interface: String,
    whole: String,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let files = paths::expand(&args.files, formats, terminal)?;
    each_file(&files, terminal, |file, terminal| digest(file, args, formats, terminal))
}

fn digest(
    file: &Path,
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let limits = limits::catalog();
    let asked = NamedFile::read(file, &limits);
    let refuse = |unusable: &FileError<'_>| {
        if args.format == Style::Json {
            let digested = FileDigests { about: unusable.describe(), tools: Vec::new() };
            terminal.print(&json_line(&digested))?;
        }
        unusable.show(args.format, terminal);
        Err(unusable.failure())
    };
    let opened = match asked.open(Candidates { set: formats, explicit: args.from }, &limits) {
        Ok(opened) => opened,
        Err(unusable) => return refuse(&unusable),
    };
    let lifted = match opened.lift(&limits) {
        Ok(lifted) => lifted,
        Err(unusable) => return refuse(&unusable),
    };
    let digests = compare::digests(&lifted.tools);
    let tools = lifted.tools.iter().zip(digests).map(|(tool, digest)| {
        let compare::Digest { interface, whole, .. } = digest;
        let version = tool.package.version.as_ref();
        DigestRow {
            id: &tool.id,
            version: version.map(|version| version.as_ref()),
            interface,
            whole,
        }
    });
    terminal.print(&match args.format {
        Style::Json => json_line(&FileDigests { about: opened.describe(), tools: tools.collect() }),
        Style::Text => {
            let line = |tool: DigestRow<'_>| {
                let digest = if args.interface { tool.interface } else { tool.whole };
                let (id, file) = (printable(tool.id, 256), printable(&asked.name, 512));
                format!("{digest}  {id}  {file}\n")
            };
            tools.map(line).collect()
        }
    })
}
