//! `toolglot unpack`

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toolglot::Profile;
use toolglot::mcpkg::archive::Entry;
use toolglot::mcpkg::package::Package;

use crate::input::{Input, shown};
use crate::terminal::{Failure, Terminal};
use crate::{mcpb, package};

/// Unpack an MCPKG package or an MCP bundle into a new folder, if it is safe to
#[derive(clap::Args)]
#[command(after_help = "\
Archives that lead out of the folder, hide files, or expand beyond bounds are refused, and so are
packages with an invalid manifest. The folder appears whole, or not at all.

Examples:
  toolglot unpack echo.mcpkg --to echo
  toolglot unpack notes.mcpb --to notes

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
        terminal.error(&format!("{} is not unpacked", input.shown()));
        return Err(Failure::Invalid);
    }
    write(&args.to, content.entries(), terminal).map_err(|error| {
        terminal.progress("");
        terminal.trouble(&format!("cannot unpack to {}: {error}", shown(&args.to)))
    })?;
    terminal.progress("");
    terminal.print(&format!("{}: {} files\n", shown(&args.to), content.entries().len()))
}

/// Whether a package or a bundle is valid. What is wrong with it is shown.
fn is_valid(input: &Input, content: &Package<'_>, terminal: &Terminal) -> bool {
    if let Some(bundle) = mcpb::open(input) {
        return mcpb::is_valid(&bundle, terminal);
    }
    let findings = content.check(&package::options(Profile::Spec, None));
    if !findings.is_valid() {
        package::show(&findings, content, terminal);
    }
    findings.is_valid()
}

/// Writes the files to a folder beside the new one, and renames it.
fn write(folder: &Path, entries: &[Entry<'_>], terminal: &Terminal) -> io::Result<()> {
    match fs::read_dir(folder).map(|mut found| found.next().is_none()) {
        Ok(true) => fs::remove_dir(folder)?,
        Ok(false) => return Err(io::Error::other("it is there, and not empty")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let name = folder.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside = folder.with_file_name(beside);
    if let Some(parent) = beside.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::create_dir(&beside)?;
    let written = write_all(&beside, entries, terminal).and_then(|()| fs::rename(&beside, folder));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_dir_all(&beside);
    }
    written
}

fn write_all(folder: &Path, entries: &[Entry<'_>], terminal: &Terminal) -> io::Result<()> {
    for (index, entry) in entries.iter().enumerate() {
        terminal.progress(&format!("unpacking {} of {}", index + 1, entries.len()));
        // The names are relative, have no `..`, and mean the same everywhere.
        let path = entry.name.split('/').fold(folder.to_owned(), |path, part| path.join(part));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = File::create_new(&path)?;
        file.write_all(&entry.data)?;
        make_executable(&file, entry.executable)?;
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(file: &File, executable: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if !executable {
        return Ok(());
    }
    // Whoever may read it may run it.
    let mode = file.metadata()?.permissions().mode();
    file.set_permissions(fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

#[cfg(not(unix))]
fn make_executable(_: &File, _: bool) -> io::Result<()> {
    Ok(())
}
