//! `toolglot index`

use toolglot::core::printable;

use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{FindingStyle, json_line};
use crate::terminal::sarif;
use crate::verbs::live::fetch;

/// List the install manifests of an index
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot index https://example.com/.well-known/install-manifests.json
  toolglot install https://example.com/.well-known/install-manifests.json#notes

An index is that of a publisher, at a well-known address, or that of a registry. It is checked first:
one that is not valid lists nothing.

Exit codes: 0 listed, 1 not a valid index, 2 wrong usage, or it cannot be read")]
pub(crate) struct Args {
    /// The index: a file or an address
    #[arg(value_name = "FILE|URL")]
    place: String,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: FindingStyle,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let index = fetch::index(&args.place, args.format, terminal)?;
    match args.format {
        FindingStyle::Text => {}
        FindingStyle::Json => return terminal.print(&json_line(&index)),
        FindingStyle::Sarif => return terminal.print(&sarif::log(&[], true)),
    }
    let mut out = String::new();
    for entry in &index.entries {
        let summary = entry.summary.as_deref().unwrap_or("");
        let line = [entry.id.as_str(), entry.status, &entry.manifest_url, summary];
        out.push_str(line.map(|text| printable(text, 300)).join("  ").trim_end());
        out.push('\n');
    }
    terminal.print(&out)
}
