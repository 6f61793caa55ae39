//! `toolglot compat`

use serde_json::{Value, json};
use toolglot::Formats;
use toolglot::core::{ok_or_bug, some_or_bug};
use toolglot::providers::compat;

use crate::files::limits;
use crate::files::manifests::ManifestArgs;
use crate::files::parsed::FileDescription;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, json_line};

/// Tell which tools can be given to which model providers
#[derive(clap::Args)]
#[command(after_help = "\
✓ the same arguments can be sent, ≈ others (narrower, wider, incomparable or undecided), ✗ the tool
would be left out, with the reason below. `toolglot export` says what is changed.

Examples:
  toolglot compat tools.json
  toolglot compat a.json b.json --prefix b.json=b --format json

Exit codes: 0 every tool can be given to every target, 1 some cannot, or a file is invalid, 2 wrong
usage or an unreadable file")]
pub(crate) struct Args {
    #[command(flatten)]
    manifests: ManifestArgs,
    /// How to print what was found
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let Args { manifests, format } = args;
    // `tools` is null if a file cannot be read or is invalid.
    let json =
        |files: &[FileDescription<'_>], tools| json_line(&json!({"files": files, "tools": tools}));
    let nothing = |files: Vec<FileDescription<'_>>| json(&files, Value::Null);
    manifests.with_tools(*format, formats, nothing, terminal, |sources, files| {
        let found = compat(sources, &limits::document());
        let tools = || some_or_bug(ok_or_bug(serde_json::from_str(&found.to_json(sources))));
        terminal.print(&match format {
            Style::Json => json(&files, tools()),
            Style::Text => found.text(sources),
        })?;
        if found.is_complete() { Ok(()) } else { Err(Failure::Invalid) }
    })
}
