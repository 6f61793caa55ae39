//! `toolglot publish` and `toolglot yank`

use std::path::{Path, PathBuf};

use gateway::registry::{self, PublishError};
use toolglot::Diagnostic;
use toolglot::core::{SourceText, quoted};

use crate::files::input::display_path;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::verbs::live::pull::split_version;

/// Put a version of a Jumith tool into the folder of a registry
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot publish tools/ email.json
  toolglot publish tools/ work/email.send
  toolglot serve tools/

Whoever serves the folder has the new version within a second or two. The digest of the files is
written into the manifest: files that change later are not served. What holds a secret is not
published.

Exit codes: 0 it is there, 1 it is invalid or holds a secret, 2 wrong usage or a file trouble,
3 this version is there with other content")]
pub(crate) struct Args {
    /// The folder of the registry; it is made if it is not there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// A bundle, or a folder with manifest.json and files/
    #[arg(value_name = "WHAT")]
    what: PathBuf,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let published = registry::publish(&args.folder, &args.what)
        .map_err(|refused| show_refusal(&refused, &args.what, terminal))?;
    if !published.is_new {
        terminal.status("note: it was there already\n");
    }
    terminal.print(&format!("{}\n", display_path(&published.path)))
}

/// Shows why a version is not published.
fn show_refusal(refused: &PublishError, what: &Path, terminal: &Terminal) -> Failure {
    match refused {
        PublishError::Invalid(manifest, report) => {
            let name = display_path(what);
            let source = SourceText { name: &name, bytes: manifest.as_bytes() };
            let mut report = report.clone();
            // The user has not seen the text in the bundle that the spans refer to.
            report.diagnostics.iter_mut().for_each(Diagnostic::clear_spans);
            terminal.show(&report, Some(&source));
            Failure::Invalid
        }
        PublishError::Changed(diagnostic) => {
            terminal.show(&single_report(diagnostic.clone()), None);
            Failure::Refused
        }
        PublishError::Secret => {
            terminal.document_error(&format!("{}: {refused}", display_path(what)))
        }
        refused => terminal.usage_error(&format!("cannot publish: {refused}")),
    }
}

/// Hide a version of a Jumith tool from searches, and from those who want the latest
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot yank tools/ tool:email.send@1.2.0
  toolglot yank tools/ tool:email.send@1.2.0 --undo

Who names this very version still gets it, and is warned.

Exit codes: 0 done, 2 wrong usage, a file trouble, or no such version")]
pub(crate) struct YankArgs {
    /// The folder of the registry
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The version
    #[arg(value_name = "ID@VERSION")]
    tool: String,
    /// Show it again
    #[arg(long)]
    undo: bool,
}

pub(crate) fn yank(args: &YankArgs, terminal: &Terminal) -> Result<(), Failure> {
    let (id, Some(version)) = split_version(&args.tool) else {
        return Err(terminal.usage_error("say which version: ID@VERSION"));
    };
    let found = registry::yank(&args.folder, id, version, !args.undo).map_err(|error| {
        terminal.usage_error(&format!("cannot change {}: {error}", display_path(&args.folder)))
    })?;
    let Some(path) = found else {
        let message = format!("there is no version {} of {}", quoted(version), quoted(id));
        return Err(terminal.usage_error(&message));
    };
    let done = if args.undo { "not yanked any more" } else { "yanked" };
    terminal.print(&format!("{}: {done}\n", display_path(&path)))
}
