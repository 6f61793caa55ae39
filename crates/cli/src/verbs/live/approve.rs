//! `toolglot approve`

use std::path::{Path, PathBuf};

use gateway::{Approval, Approvals, describe_calls};
use toolglot::Formats;
use toolglot::call::{Concern, Policy, Verdict, join_concerns};
use toolglot::core::{printable, sha256_hex};

use crate::files::input::display_path;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;
use crate::terminal::table::short_digest;
use crate::verbs::live::callable::{self, Callable, CallableManifest};

/// Approve tools before they are called
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot approve notes.install.json notes.delete
  toolglot approve --list
  toolglot approve --revoke notes.install.json

An approval is of the manifest as it is now: when its text changes, it is asked for again. It says
nothing about the programs that the manifest names. `call`, `mcp` and `serve` go by it. It is kept
in the user's state folder, $XDG_STATE_HOME/toolglot or ~/.local/state/toolglot.

Exit codes: 1 the manifest is wrong, 2 wrong usage or an unreadable file, 3 not approved")]
pub(crate) struct Args {
    /// The manifest
    #[arg(value_name = "FILE", required_unless_present = "list")]
    file: Option<PathBuf>,
    /// The tool: its id, or the name that callers use. Without it, all that need approval
    #[arg(value_name = "TOOL")]
    tool: Option<String>,
    /// Approve without asking
    #[arg(long)]
    yes: bool,
    /// Show what is approved
    #[arg(long, conflicts_with_all = ["file", "revoke", "yes"])]
    list: bool,
    /// Take approvals back, also those of earlier texts of the file
    #[arg(long, conflicts_with = "yes")]
    revoke: bool,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let Some(approvals) = Approvals::of_user() else {
        return Err(terminal.usage_error("there is no state folder: HOME is not set"));
    };
    match &args.file {
        None => list(&approvals, terminal),
        Some(file) if args.revoke => revoke(&approvals, file, args, terminal),
        Some(file) => callable::with_file(file, formats, terminal, |document| {
            approve(&approvals, document, file, args, terminal)
        }),
    }
}

fn list(approvals: &Approvals, terminal: &Terminal) -> Result<(), Failure> {
    let all = approvals.all().map_err(|error| storage_error(&error, terminal))?;
    let line = |one: &Approval| {
        let [tool, file, target] = [(&one.tool, 128), (&one.file, 256), (&one.target, 400)]
            .map(|(text, most)| printable(text, most));
        let digest = short_digest(&one.digest);
        format!("{tool}  {file} (sha256:{digest}…)  {target}\n")
    };
    if all.is_empty() {
        terminal.status("nothing is approved\n");
    }
    terminal.print(&all.iter().map(line).collect::<String>())
}

fn revoke(
    approvals: &Approvals,
    file: &Path,
    args: &Args,
    terminal: &Terminal,
) -> Result<(), Failure> {
    // A file that is gone, or cannot be read, is known by its path alone.
    let digest = std::fs::read(file).ok().map(|bytes| sha256_hex(&bytes));
    let name = approval_path(file);
    let is_chosen = |one: &Approval| {
        let is_it = args.tool.as_ref().is_none_or(|tool| one.tool == *tool);
        is_it && (digest.as_ref() == Some(&one.digest) || one.file == name)
    };
    let revoked = approvals.revoke(is_chosen).map_err(|error| storage_error(&error, terminal))?;
    if revoked.is_empty() {
        return Err(terminal.usage_error("nothing of that is approved: see --list"));
    }
    let lines = revoked.iter().map(|one| format!("revoked: {}\n", printable(&one.tool, 128)));
    terminal.print(&lines.collect::<String>())
}

fn approve(
    approvals: &Approvals,
    document: &CallableManifest<'_>,
    file: &Path,
    args: &Args,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let chosen = match &args.tool {
        Some(tool) => vec![document.choose(Some(tool), terminal)?],
        None => document.tools(),
    };
    let mut asked = Vec::new();
    for tool in &chosen {
        match Policy::default().judge(tool.tool, &tool.host_rules()) {
            Verdict::Allow => terminal.status(&format!("{} needs no approval\n", tool.quoted_id())),
            Verdict::Refuse(concerns) => {
                let why = join_concerns(&concerns);
                terminal.status(&format!("{} cannot be approved: {why}\n", tool.quoted_id()));
            }
            Verdict::Ask(concerns) => {
                show_concerns(tool, &concerns, terminal);
                asked.push(tool);
            }
        }
    }
    if asked.is_empty() {
        return Err(Failure::Refused);
    }
    if !(args.yes || person::confirm("Approve?", terminal)) {
        terminal.error("nothing is approved: nobody said yes (--yes does)");
        return Err(Failure::Refused);
    }
    let file = approval_path(file);
    let new: Vec<Approval> = asked
        .iter()
        .map(|tool| Approval::new(tool.digest(), &tool.tool.id, &file, &describe_calls(tool.tool)))
        .collect();
    approvals.add(&new).map_err(|error| storage_error(&error, terminal))?;
    let lines = new.iter().map(|one| format!("approved: {}\n", printable(&one.tool, 128)));
    terminal.print(&lines.collect::<String>())
}

/// Shows the call of a tool, and the concerns about it.
fn show_concerns(tool: &Callable<'_>, concerns: &[Concern], terminal: &Terminal) {
    terminal.status(&format!("{} {}\n", tool.quoted_id(), describe_calls(tool.tool)));
    for concern in concerns {
        terminal.status(&format!("  note: {}\n", concern.message()));
    }
}

/// Returns the canonical path of a file, under which its approvals are stored.
pub(crate) fn approval_path(file: &Path) -> String {
    file.canonicalize().map_or_else(|_| display_path(file), |path| display_path(&path))
}

fn storage_error(error: &std::io::Error, terminal: &Terminal) -> Failure {
    terminal.usage_error(&format!("approvals cannot be kept: {error}"))
}
