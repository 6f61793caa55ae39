//! The arguments of `toolglot restore`.

use std::path::PathBuf;

use toolglot::{Format, RestoreOptions};

use crate::files::formats;
use crate::files::jsonl::Jsonl;
use crate::files::limits;
use crate::files::output;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::table::Detail;

/// Give back the source of a conversion, with the edits made to its target
#[derive(clap::Args)]
#[command(after_help = "\
The residue that `toolglot convert` kept is found beside the files: tools.json.residue.json, or
toolglot.residue.json in their folder. It can be named as well, or be inside a file; the original
file does, too. Residue and original together are for edits on both sides.

Of several documents that a conversion wrote, one or all can be given. One that is not given is
unchanged, unless --delete-missing says that its tools are to go. One that the conversion did not
write is new. An edit that the source has no word for is not made, and listed.

Examples:
  toolglot restore tools.json
  toolglot restore manifests/ -o tools.json
  toolglot restore tools.json --original echo.mcpkg.json -o echo.mcpkg.json
  toolglot restore tools.json --residue tools.residue.json --original echo.mcpkg.json
  toolglot restore --jsonl mcpkg.jsonl --to tools-json

With --jsonl the lines that came of one entry are restored to one line of the output. A line finds
its residue by what it says or, when it was edited, by the ids of its tools: lines may be
in another order. An entry whose line is gone is unchanged, unless --delete-missing says that it is
to go. A line without a certain residue fails, and is shown: an edited line, when others of its id
were edited or are gone, and one whose id is another now. Restore such a line by itself, with a
file of its own residue.

Exit codes: 0 restored, 1 invalid, not related, in conflict, or an edit was left out, 2 wrong usage
or unreadable files")]
pub(crate) struct Args {
    /// The converted files, edited or not; a folder means all of its .json files but residues, - is
    /// standard input
    #[arg(value_name = "FILE", num_args = 1.., required_unless_present = "residue")]
    pub(crate) files: Vec<PathBuf>,
    /// The format to come back to; without it, the residue or the original tells
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    pub(crate) to: Option<&'static Format>,
    /// The format of the files; without it, it is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    pub(crate) from: Option<&'static Format>,
    /// The residue of the conversion; without it, it is looked for beside the files and inside
    #[arg(long, value_name = "FILE")]
    pub(crate) residue: Option<PathBuf>,
    /// The source, instead of a residue; with one, the source as it is now: edits on both sides
    /// are kept, and refused where they contradict each other
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    pub(crate) original: Option<PathBuf>,
    /// Remove the tools of documents that are not given
    #[arg(long)]
    delete_missing: bool,
    /// Where to write the document; - is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Where to write what was restored and what was left out, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Overwrite the converted files, or their residue
    #[arg(long)]
    pub(crate) force: bool,
    /// Whether files are streams.
    #[command(flatten)]
    pub(crate) jsonl: Jsonl,
    /// How much to say.
    #[command(flatten)]
    pub(crate) detail: Detail,
}

impl Args {
    /// Fails if an output would overwrite an input: the files, the residue beside them, or
    /// the named residue. The output may overwrite the original, but the report may not.
    pub(crate) fn check_overwrite(
        &self,
        files: &[PathBuf],
        beside: Option<&PathBuf>,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        let inputs = files.iter().chain(beside).chain(&self.residue);
        output::check_overwrite(inputs.clone(), [&self.output], self.force, terminal)?;
        output::check_overwrite(inputs.chain(&self.original), &self.report, self.force, terminal)
    }

    /// Returns the options of the restore.
    pub(crate) fn options(&self) -> RestoreOptions {
        RestoreOptions { delete_missing: self.delete_missing, limits: limits::document() }
    }
}
