//! `toolglot restore`

use std::path::{Path, PathBuf};

use serde::Serialize;
use toolglot::core::convert::rules::{CONFLICT, RESIDUE};
use toolglot::core::quoted;
use toolglot::{Format, Options, Report, Residue, Restored};

use crate::input::{self, Input, Loaded};
use crate::summary::{ResidueEntry, residue_entries};
use crate::table::{self, Detail};
use crate::terminal::{Failure, Terminal, report_of};
use crate::{changes, formats, output, problem, stream};

/// Give back the source of a conversion, with the edits made to its target
#[derive(clap::Args)]
#[command(after_help = "\
The residue that `toolglot convert` wrote says what the target could not. It is in a file of its
own, or inside the target; the original file does as well. An edit to the target always wins,
unless residue and original are both given: then the original may have been edited as well.

Examples:
  toolglot restore tools.json --to mcpkg --residue tools.residue.json
  toolglot restore tools.json --to mcpkg --original echo.mcpkg.json -o echo.mcpkg.json
  toolglot restore tools.json --to mcpkg --residue tools.residue.json --original echo.mcpkg.json
  toolglot restore --jsonl mcpkg.jsonl --to tools-json --residue residues.jsonl

With --jsonl each line of the input is restored to a line of the output. A line finds its residue
by what it says or, when it was edited, by the ids of its tools: lines may be missing or in another
order. One that may have any of several residues fails: an edited line, when others of its id were
edited or are gone. A line whose id is another now is known by the lines around it.

Exit codes: 0 restored, 1 invalid, not related or in conflict, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The converted file, edited or not; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The format to come back to
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    pub(crate) to: &'static Format,
    /// The format of the file; without it, it is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    pub(crate) from: Option<&'static Format>,
    /// The residue that the conversion wrote; without it, it must be inside the file
    #[arg(long, value_name = "FILE")]
    pub(crate) residue: Option<PathBuf>,
    /// The source, instead of a residue; with one, the source as it is now: edits on both sides
    /// are kept, and refused where they contradict each other
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    original: Option<PathBuf>,
    /// Where to write the document; - is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Where to write what the restored document cannot say, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) jsonl: stream::Jsonl,
    #[command(flatten)]
    pub(crate) detail: Detail,
}

#[derive(Serialize)]
pub(crate) struct RestoreReport<'a> {
    from: &'static str,
    to: &'static str,
    edited: bool,
    /// The tools that are not in the document any more.
    removed: &'a [String],
    residue_entries: Vec<ResidueEntry<'a>>,
}

impl<'a> RestoreReport<'a> {
    pub(crate) fn new(restored: &'a Restored, from: &Format, to: &Format) -> Self {
        Self {
            from: from.name,
            to: to.name,
            edited: restored.edited,
            removed: &restored.removed,
            residue_entries: residue_entries(&restored.residue),
        }
    }
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    output::distinct(&[Some(&args.output), args.report.as_ref()], terminal)?;
    let inputs = [Some(&args.file), args.residue.as_ref(), args.original.as_ref()];
    input::read_once(inputs.into_iter().flatten(), terminal)?;
    if args.jsonl.is_set() {
        return stream::restore::run(args, terminal);
    }
    let options = Options::default();
    let input = Input::read(&args.file, options.limits.document_bytes, terminal)?;
    let refuse = |report: Report| input.refuse(&report, terminal);
    let target = input.parse(&options.limits).map_err(refuse)?;
    let (format, _) = formats::of(&target, args.from).map_err(refuse)?;
    let target = Loaded { input: &input, document: &target, format };
    let (restored, before) = match &args.original {
        Some(path) => {
            let residue = args.residue.as_deref();
            by_original(path, residue, target, args.to, &options, terminal)?
        }
        None => by_residue(args.residue.as_deref(), target, args.to, &options, terminal)?,
    };

    if let Some(path) = &args.report {
        let report = RestoreReport::new(&restored, format, args.to);
        output::write(path, &problem::json_line(&report), terminal)?;
    }
    output::write(&args.output, &restored.text, terminal)?;
    if !args.detail.quiet {
        let (from, to) = (format.name, args.to.name);
        terminal.say(&format!("{}: {from} → {to}\n\n", input.shown()));
        let edits = changes::by_edits(&restored, before.as_deref(), &options.limits);
        let [assumed, lost] = changes::by_formats(&restored, format, args.to);
        let sections = [edits, assumed, lost];
        terminal.say(&table::text(&sections, args.detail.verbose, terminal));
        if !restored.removed.is_empty() {
            let names: Vec<_> = restored.removed.iter().map(|name| quoted(name)).collect();
            let names = names.join(", ");
            terminal.say(&format!(
                "not in the document any more, with all that was said of it: {names}\n"
            ));
        }
    }
    Ok(())
}

/// A restored document, and the text of the source before the edit, if known.
type Outcome = Result<(Restored, Option<String>), Failure>;

fn by_original(
    path: &Path,
    residue: Option<&Path>,
    target: Loaded<'_>,
    format: &'static Format,
    options: &Options,
    terminal: &Terminal,
) -> Outcome {
    let input = Input::read(path, options.limits.document_bytes, terminal)?;
    let original =
        input.parse(&options.limits).map_err(|report| input.refuse(&report, terminal))?;
    let residue = residue.map(|path| read_residue(path, options, terminal)).transpose()?;
    let (document, from) = (target.document, target.format);
    let restored = match &residue {
        Some(residue) => toolglot::reconcile(document, residue, &original, format, from, options),
        None => toolglot::merge_back(document, &original, format, from, options),
    };
    let restored = restored.map_err(|report| {
        // Conflicts have their place in the original.
        if report.diagnostics.iter().any(|d| d.rule == &CONFLICT) {
            return input.refuse(&report, terminal);
        }
        let original = Loaded { input: &input, document: &original, format };
        input::refuse(&report, &[target, original], terminal)
    })?;
    Ok((restored, Some(original.text().to_owned())))
}

fn by_residue(
    path: Option<&Path>,
    target: Loaded<'_>,
    format: &'static Format,
    options: &Options,
    terminal: &Terminal,
) -> Outcome {
    let residue = path.map(|path| read_residue(path, options, terminal)).transpose()?;
    let restored =
        toolglot::restore(target.document, residue.as_ref(), format, target.format, options)
            .map_err(|mut report| {
                for diagnostic in &mut report.diagnostics {
                    if residue.is_none() && diagnostic.rule == &RESIDUE {
                        let help = "name it with --residue, or the source with --original";
                        diagnostic.help = Some(help.to_owned());
                    }
                }
                input::refuse(&report, &[target], terminal)
            })?;
    Ok((restored, residue.and_then(|residue| residue.source.text)))
}

fn read_residue(path: &Path, options: &Options, terminal: &Terminal) -> Result<Residue, Failure> {
    // It holds the source and more; parsing it checks how much more.
    let limit = options.limits.document_bytes.saturating_mul(16);
    let input = Input::read(path, limit, terminal)?;
    Residue::parse(input.bytes(), &options.limits)
        .map_err(|diagnostic| input.refuse(&report_of(diagnostic), terminal))
}
