//! `toolglot convert`

use std::path::PathBuf;

use toolglot::json::Document;
use toolglot::{Conversion, Defaults, Format, Options, Report};

use crate::input::{self, Input, Loaded, is_standard, shown};
use crate::summary::{ConversionReport, of_conversion};
use crate::table::{self, Detail};
use crate::terminal::{Failure, Terminal};
use crate::{formats, output, problem, stream};

/// Convert a file to another format, and say what became of every value
#[derive(clap::Args)]
#[command(after_help = "\
What the target cannot say is the residue. Keep it with --residue, and `toolglot restore` gives
back the source to the byte, with the edits that were made to the target since.

Examples:
  toolglot convert echo.mcpkg.json --to tools-json
  toolglot convert echo.mcpkg.json --to tools-json -o tools.json --residue tools.residue.json
  toolglot restore tools.json --to mcpkg --residue tools.residue.json
  toolglot convert --jsonl big.tools.json --to mcpkg --residue residues.jsonl > mcpkg.jsonl

With --jsonl the input is a stream: JSON Lines, an array, or a catalog, however long. Each entry
becomes one line of the output, in order. One that cannot be converted becomes none, is reported
with its line, and does not stop the rest. Residue and report have one line for every entry, with
its number, and the residue has one more for what is around the list of a catalog.

Exit codes: 0 converted, 1 invalid or not convertible, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The file to convert; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The format of the file; without it, it is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    pub(crate) from: Option<&'static Format>,
    /// The format to convert to
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    pub(crate) to: &'static Format,
    /// Where to write the document; - is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Where to write what the target cannot say
    #[arg(long, value_name = "FILE")]
    pub(crate) residue: Option<PathBuf>,
    /// Carry what the target cannot say inside its input schemas, where models see it
    #[arg(long)]
    pub(crate) in_band: bool,
    /// Where to write what became of every value, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Fail when the target needs something that the source does not say
    #[arg(long)]
    strict: bool,
    /// The program that the target names when it cannot express the call
    #[arg(long, value_name = "PROGRAM")]
    bridge: Option<String>,
    #[command(flatten)]
    pub(crate) jsonl: stream::Jsonl,
    #[command(flatten)]
    pub(crate) detail: Detail,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let outputs = [Some(&args.output), args.residue.as_ref(), args.report.as_ref()];
    output::distinct(&outputs, terminal)?;
    let options = options(args);
    if args.jsonl.is_set() {
        return stream::convert::run(args, &options, terminal);
    }
    let input = Input::read(&args.file, options.limits.document_bytes, terminal)?;
    let refuse = |report: Report| input.refuse(&report, terminal);
    let source = input.parse(&options.limits).map_err(refuse)?;
    let (from, detected) = formats::of(&source, args.from).map_err(refuse)?;
    let loaded = Loaded { input: &input, document: &source, format: from };
    let conversion = toolglot::convert(&source, from, args.to, &options)
        .map_err(|report| input::refuse(&report, &[loaded], terminal))?;

    // A document in its own format needs no conversion: every byte stays.
    let same = from.name == args.to.name && !args.in_band;
    let text = if same { source.text() } else { &conversion.text };
    if let Some(path) = &args.residue {
        output::write(path, &conversion.residue.to_json(), terminal)?;
    }
    if let Some(path) = &args.report {
        let report = ConversionReport::new(&conversion, from, args.to);
        output::write(path, &problem::json_line(&report), terminal)?;
    }
    output::write(&args.output, text, terminal)?;
    if args.detail.quiet {
        return Ok(());
    }
    let title = formats::titled(from, detected.version.as_deref());
    terminal.say(&format!("{}: {title} → {}\n\n", input.shown(), args.to.name));
    let target = Document::parse(text.as_bytes(), &options.limits);
    let sections =
        target.map(|target| of_conversion(&conversion.ledger, (&source, from), (&target, args.to)));
    terminal.say(&table::text(&sections.unwrap_or_default(), args.detail.verbose, terminal));
    if let Some(hint) = hint(args, from, &conversion) {
        terminal.say(&format!("\n{hint}\n"));
    }
    Ok(())
}

fn options(args: &Args) -> Options {
    let defaults = Defaults::default();
    Options {
        strict: args.strict,
        in_band: args.in_band,
        defaults: Defaults { bridge: args.bridge.clone().unwrap_or(defaults.bridge), ..defaults },
        ..Options::default()
    }
}

/// How to get back to the source.
fn hint(args: &Args, from: &Format, conversion: &Conversion) -> Option<String> {
    let from = from.name;
    if let Some(residue) = &args.residue {
        let file = if is_standard(&args.output) { "FILE".to_owned() } else { shown(&args.output) };
        let residue = shown(residue);
        return Some(format!(
            "To come back: toolglot restore {file} --to {from} --residue {residue}"
        ));
    }
    let lost = !args.in_band && !conversion.residue.is_empty();
    lost.then(|| {
        format!("The residue was not kept. To come back to {from} later, add --residue FILE (or --in-band).")
    })
}
