//! `toolglot diff`

use std::path::PathBuf;

use serde::Serialize;
use toolglot::Limits;
use toolglot::core::printable;
use toolglot::install_manifest::diff::{Change, Class, diff};

use crate::input::read_once;
use crate::installs;
use crate::problem::{Style, json_line};
use crate::terminal::{Failure, Terminal};

/// Say what changed between two install manifests, and what it means
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot diff old.json new.json
  toolglot diff --upgrade-safe old.json new.json

Exit codes: 0 compared, 1 invalid or, with --upgrade-safe, something breaks,
2 wrong usage or an unreadable file")]
pub(crate) struct Args {
    /// The old manifest; - is standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new manifest; - is standard input
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Fail if what worked may not work any more
    #[arg(long)]
    upgrade_safe: bool,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

#[derive(Serialize)]
struct Comparison<'a> {
    upgrade_safe: bool,
    needs_consent: bool,
    changes: &'a [Change],
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    read_once([&args.old, &args.new], terminal)?;
    let found = installs::with(&args.old, terminal, |old| {
        installs::with(&args.new, terminal, |new| {
            Ok(diff(old.manifest, new.manifest, &Limits::default()))
        })
    })?;
    let (upgrade_safe, needs_consent) = (found.is_upgrade_safe(), found.needs_consent());
    terminal.print(&match args.format {
        Style::Text => {
            let mut changes: Vec<&Change> = found.changes.iter().collect();
            changes.sort_by_key(|change| change.class);
            let mut text: String = changes.into_iter().map(line).collect();
            if found.changes.is_empty() {
                text.push_str("no changes\n");
            }
            if needs_consent {
                text.push_str("the owner must agree anew\n");
            }
            text
        }
        Style::Json => {
            json_line(&Comparison { upgrade_safe, needs_consent, changes: &found.changes })
        }
    })?;
    if args.upgrade_safe && !upgrade_safe { Err(Failure::Invalid) } else { Ok(()) }
}

fn line(change: &Change) -> String {
    let class = match change.class {
        Class::Breaking => "breaking",
        Class::Additive => "additive",
        Class::Cosmetic => "cosmetic",
    };
    let consent = if change.consent { " (ask)" } else { "" };
    let at = printable(change.pointer.as_str(), 256);
    format!("{class}  {}{consent} at {at}: {}\n", change.kind, change.message)
}
