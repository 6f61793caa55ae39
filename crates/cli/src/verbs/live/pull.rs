//! `toolglot pull`

use std::path::PathBuf;

use toolglot::Diagnostic;
use toolglot::core::version::parse_exact;

use crate::files::input::display_path;
use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::remotes;

/// Fetch a Jumith tool from a registry, and install it below a folder
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot pull http://127.0.0.1:4000 tool:email.send -o installed/
  toolglot pull https://tools.example.com tool:email.send@1.2.0 -o installed/
  toolglot call installed/tool_email.send/1.2.0/tool.json

The folder of the version is printed. Its manifest is tool.json there, and beside it are the files
of its module. The bundle must be what the registry says of the tool, and have the digest that it
names. A version that was fetched from a registry before must be what it was then: what was seen
is kept in versions.jsonl of the user's state folder, and the last answers in the user's cache.

Exit codes: 0 it is there, 1 the answer is invalid, 2 wrong usage, no answer or a file trouble,
3 the version is not what it was")]
pub(crate) struct Args {
    /// The base URL of the registry, if not that of `REGISTRY_BASE_URL`, then the tool: ID or
    /// ID@VERSION; the latest version if none is named
    #[arg(required = true, num_args = 1..=2, value_names = ["URL", "ID[@VERSION]"])]
    words: Vec<String>,
    /// The folder that tools are installed in
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let (base, words) = remotes::split_registry(&args.words, terminal)?;
    let [tool] = words else {
        return Err(terminal.usage_error("say the URL of the registry, and one tool"));
    };
    let (id, version) = split_version(tool);
    let pulled = remotes::with_remote(&base, terminal, async |remote| {
        remote.pull(id, version, &args.output).await
    })?;
    let mut advice = pulled.report;
    advice.diagnostics.iter_mut().for_each(Diagnostic::clear_spans);
    terminal.show(&advice, None);
    if pulled.is_yanked {
        terminal.status("warning: this version is yanked: nobody should begin to use it\n");
    }
    if !pulled.is_new {
        terminal.status("note: it was there already\n");
    }
    terminal.print(&format!("{}\n", display_path(&pulled.folder)))
}

/// Splits `ID@VERSION` at the last `@`. The text is an id without a version if the rest is
/// not a valid version.
pub(crate) fn split_version(tool: &str) -> (&str, Option<&str>) {
    match tool.rsplit_once('@') {
        Some((id, version)) if parse_exact(version).is_ok() => (id, Some(version)),
        _ => (tool, None),
    }
}
