//! `toolglot pack`

use std::fs;
use std::path::{Path, PathBuf};

use toolglot::Profile;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::archive::Entry;
use toolglot::mcpkg::package::{self as mcpkg, Package};

use crate::files::input::{display_path, is_standard};
use crate::files::limits;
use crate::files::output;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal};

/// Pack a folder as an MCPKG package, the same bytes every time
#[derive(clap::Args)]
#[command(after_help = "\
Every file in the folder goes into the package. It is checked first, and nothing is written when
it is invalid.

Examples:
  toolglot pack my-tool
  toolglot pack my-tool -o dist/my-tool.mcpkg

Exit codes: 0 packed, 1 invalid, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The folder, with a manifest.json in it
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Where to write the package; without it, <toolId>-<version>.mcpkg; - is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Pack the folder whatever is in the manifest
    #[arg(long)]
    no_check: bool,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let limits = limits::document();
    let entries = read_folder(&args.folder, args.output.as_deref(), terminal);
    terminal.progress("");
    let refuse = |report| package::refuse(&display_path(&args.folder), &report, terminal);
    let content = Package::new(entries?).map_err(refuse)?;
    if !args.no_check {
        let findings = content.check(&package::check_options(Profile::Spec, None));
        package::show_findings(&findings, &content, terminal);
        if !findings.is_valid() {
            terminal.error(&format!("{} is not packed", display_path(&args.folder)));
            return Err(Failure::Invalid);
        }
    }
    let path = match &args.output {
        Some(path) => path.clone(),
        None => default_name(&content, terminal)?,
    };
    let bytes = content.write(&limits).map_err(refuse)?;
    output::write_bytes(&path, &bytes, terminal)?;
    if !is_standard(&path) {
        let (files, size) = (content.entries().len(), bytes.len());
        let line = format!("{}: {files} files, {size} bytes\n", display_path(&path));
        terminal.print(&format!("{line}sha256:{}\n", content.digest()))?;
    }
    Ok(())
}

/// Returns the file name that the specification gives to a package. Fails if the manifest
/// does not provide a plain name.
fn default_name(content: &Package<'_>, terminal: &Terminal) -> Result<PathBuf, Failure> {
    let unnamed = || terminal.usage_error("the manifest does not name the package; use --output");
    let document = content.document(&limits::document()).map_err(|_| unnamed())?;
    let name = mcpkg::file_name(&Manifest::read(&document));
    // With `--no-check`, the id and the version may contain anything.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
    let is_plain = name.chars().all(plain) && !name.starts_with(['.', '-']);
    if is_plain { Ok(PathBuf::from(name)) } else { Err(unnamed()) }
}

/// Reads the files of a folder, except the package that will be written.
fn read_folder(
    folder: &Path,
    output: Option<&Path>,
    terminal: &Terminal,
) -> Result<Vec<Entry<'static>>, Failure> {
    let limits = limits::document();
    let trouble = |path: &Path, what: &dyn std::fmt::Display| {
        terminal.usage_error(&format!("cannot read {}: {what}", display_path(path)))
    };
    let mut entries = Vec::new();
    let mut room = limits.expanded_bytes;
    let mut pending = vec![(folder.to_owned(), String::new())];
    while let Some((folder, inside)) = pending.pop() {
        let listing = fs::read_dir(&folder).map_err(|error| trouble(&folder, &error))?;
        for entry in listing {
            let entry = entry.map_err(|error| trouble(&folder, &error))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(|error| trouble(&path, &error))?;
            let name = entry.file_name();
            let name = name.to_str().ok_or_else(|| trouble(&path, &"the name is not UTF-8"))?;
            let name = format!("{inside}{name}");
            if kind.is_dir() {
                pending.push((path, name + "/"));
                continue;
            }
            if !kind.is_file() {
                return Err(trouble(&path, &"it is a link or a device, which no package holds"));
            }
            if output.is_some_and(|output| package::is_same_file(output, &path)) {
                continue;
            }
            terminal.progress(&format!("packing {}", display_path(&path)));
            let metadata = entry.metadata().map_err(|error| trouble(&path, &error))?;
            let size = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
            room = room.checked_sub(size).ok_or_else(|| trouble(&path, &"too many bytes"))?;
            if entries.len() >= limits.archive_entries {
                return Err(trouble(&path, &"there are too many files"));
            }
            let data = fs::read(&path).map_err(|error| trouble(&path, &error))?;
            let executable = is_executable(&metadata);
            entries.push(Entry { executable, ..Entry::new(name, data) });
        }
    }
    Ok(entries)
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}
