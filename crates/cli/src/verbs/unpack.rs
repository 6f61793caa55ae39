//! `toolglot unpack`

use std::io;
use std::path::PathBuf;

use disk::{Access, Folder};
use toolglot::mcpb::Bundle;
use toolglot::mcpkg::archive::Entry;
use toolglot::mcpkg::package::Package;
use toolglot::{Profile, ValidateOptions};

use crate::files::input::{Input, display_path};
use crate::files::limits;
use crate::files::mcpb;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal};

/// Unpack an MCPKG package or an MCP bundle into a new folder, if it is safe to
#[derive(clap::Args)]
#[command(after_help = "\
Archives that lead out of the folder, hide files, or expand beyond bounds are refused, and so are
packages with an invalid manifest. The folder appears whole, or not at all.

Examples:
  toolglot unpack echo.mcpkg --to echo

Exit codes: 0 unpacked, 1 refused, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The package; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder to make; it must not be there, or be empty
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Unpack whatever is in the manifest; the archive is checked all the same
    #[arg(long)]
    no_check: bool,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let input = package::load(&args.file, terminal)?;
    let content = package::open(&input, terminal)?;
    if !args.no_check && !is_valid(&input, &content, terminal) {
        terminal.error(&format!("{} is not unpacked", input.display_name()));
        return Err(Failure::Invalid);
    }
    let write = |folder: &Folder| write_all(folder, content.entries(), terminal);
    Folder::create_with(&args.to, Access::Shared, write).map_err(|error| {
        terminal.progress("");
        terminal.usage_error(&format!("cannot unpack to {}: {error}", display_path(&args.to)))
    })?;
    terminal.progress("");
    terminal.print(&format!("{}: {} files\n", display_path(&args.to), content.entries().len()))
}

/// Returns true if a package or a bundle is valid. Shows its errors otherwise.
fn is_valid(input: &Input, content: &Package<'_>, terminal: &Terminal) -> bool {
    if let Some(bundle) = Bundle::detect(input.bytes(), &limits::document()) {
        let report = bundle.check(&ValidateOptions::default());
        terminal.show(&report, Some(&mcpb::manifest_source(&bundle)));
        return report.is_valid();
    }
    let findings = content.check(&package::check_options(Profile::Spec, None));
    if !findings.is_valid() {
        package::show_findings(&findings, content, terminal);
    }
    findings.is_valid()
}

fn write_all(folder: &Folder, entries: &[Entry<'_>], terminal: &Terminal) -> io::Result<()> {
    for (index, entry) in entries.iter().enumerate() {
        terminal.progress(&format!("unpacking {} of {}", index + 1, entries.len()));
        // The names are relative, have no `..`, and mean the same on every platform.
        if entry.executable {
            folder.write_program(&*entry.name, &entry.data)?;
        } else {
            folder.write(&*entry.name, &entry.data)?;
        }
    }
    Ok(())
}
