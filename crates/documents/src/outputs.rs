//! Where a conversion writes: one file, or several in a folder, and the residue.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use toolglot::convert::Emitted;
use toolglot::core::quoted;

use crate::convert_args::Args;
use crate::residues;
use console::input::{is_standard, shown};
use console::limits;
use console::output;
use console::terminal::{Failure, Terminal};

/// The files that are written.
pub struct Outputs {
    /// One for each document.
    pub documents: Vec<PathBuf>,
    /// The folder that they are in, if one was named.
    pub folder: Option<PathBuf>,
    /// The residue, if it is kept.
    pub residue: Option<PathBuf>,
    /// Whether the residue is where it is looked for.
    pub is_beside: bool,
}

/// Decides where to write, makes the folder if there is to be one, and refuses to
/// overwrite what must stay.
pub fn plan(
    args: &Args,
    documents: &[Emitted],
    source: &str,
    terminal: &Terminal,
) -> Result<Outputs, Failure> {
    let names: Vec<&str> = documents.iter().map(|document| &*document.name).collect();
    let (folder, paths) = places(&args.output, &names, ALTERNATIVES, terminal)?;
    let same = matches!(documents, [document] if document.text == source);
    let beside = beside(args, folder.as_deref()).filter(|_| !same);
    let is_beside = args.residue.is_none();
    let beside = beside.map(|path| no_link(path, terminal)).transpose()?;
    let residue = args.residue.clone().or(beside);
    let outputs = Outputs { documents: paths, folder, residue, is_beside };
    let all = || outputs.documents.iter().chain(&outputs.residue).chain(&args.report);
    output::distinct(all(), terminal)?;
    output::keep(args.inputs(), all(), args.force, terminal)?;
    keep_residue(args, &outputs, documents, terminal)?;
    make(outputs.folder.as_deref(), terminal)?;
    Ok(outputs)
}

/// What else can be done with several documents.
const ALTERNATIVES: &str = ", pick one with --tool ID, or write them as lines with --jsonl";

/// The folder to write documents of these names to, if it is one, and a path for each.
pub fn places(
    output: &Path,
    names: &[&str],
    alternatives: &str,
    terminal: &Terminal,
) -> Result<(Option<PathBuf>, Vec<PathBuf>), Failure> {
    let folder = folder(output, names.len(), alternatives, terminal)?;
    let paths = match &folder {
        Some(folder) => names
            .iter()
            .map(|name| no_link(folder.join(safe(name, terminal)?), terminal))
            .collect::<Result<Vec<_>, Failure>>()?,
        None => names.iter().take(1).map(|_| output.to_owned()).collect(),
    };
    Ok((folder, paths))
}

/// Makes the folder, if there is to be one.
pub fn make(folder: Option<&Path>, terminal: &Terminal) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| {
        terminal.trouble(&format!("cannot make the folder {}: {error}", shown(folder)))
    })
}

/// The folder to write to, if it is one.
fn folder(
    path: &Path,
    count: usize,
    alternatives: &str,
    terminal: &Terminal,
) -> Result<Option<PathBuf>, Failure> {
    let ends =
        path.as_os_str().to_str().is_some_and(|text| text.ends_with(std::path::is_separator));
    // A name with an extension is that of a file: nobody wants a folder tools.json.
    let new = count > 1 && !path.exists() && path.extension().is_none();
    if !is_standard(path) && (ends || path.is_dir() || new) {
        return Ok(Some(path.to_owned()));
    }
    if count <= 1 {
        return Ok(None);
    }
    let place = if is_standard(path) { "standard output".to_owned() } else { shown(path) };
    Err(terminal.trouble(&format!(
        "there are {count} documents, and {place} takes one: name a folder for them with -o \
         FOLDER{alternatives}"
    )))
}

/// A file that we name ourselves. Where a link is, nobody said that the file that it
/// leads to is to be written.
pub fn no_link(path: PathBuf, terminal: &Terminal) -> Result<PathBuf, Failure> {
    let is_link = std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
    if is_link {
        return Err(terminal.trouble(&format!("{} is a link: remove it first", shown(&path))));
    }
    Ok(path)
}

/// A name that is a name and leads nowhere else.
fn safe<'n>(name: &'n str, terminal: &Terminal) -> Result<&'n str, Failure> {
    if is_safe(name) {
        return Ok(name);
    }
    Err(terminal.trouble(&format!("{} is no name for a file", quoted(name))))
}

fn is_safe(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_one = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '@' | '+');
    is_one && !name.starts_with('.') && name.chars().all(plain)
}

/// Where the residue is kept when nothing is said.
fn beside(args: &Args, folder: Option<&Path>) -> Option<PathBuf> {
    if args.no_residue || args.in_band {
        return None;
    }
    match folder {
        Some(folder) => Some(residues::of_folder(folder)),
        None => of_output(&args.output),
    }
}

/// The residue of a file. Standard output, devices and pipes have none.
fn of_output(path: &Path) -> Option<PathBuf> {
    output::is_file(path).then(|| residues::of_file(path))
}

/// Refuses to overwrite a file that is no residue, and the residue of a folder that other
/// documents in it still need.
fn keep_residue(
    args: &Args,
    outputs: &Outputs,
    documents: &[Emitted],
    terminal: &Terminal,
) -> Result<(), Failure> {
    let Some(path) = outputs.residue.as_ref().filter(|path| path.exists()) else { return Ok(()) };
    if args.force || !outputs.is_beside {
        return Ok(());
    }
    let Some(old) = residues::parse(path, &limits::usual()) else {
        return Err(terminal.trouble(&format!(
            "{} is there, and no residue that can be read: keep this residue elsewhere with \
             --residue, or overwrite it with --force",
            shown(path)
        )));
    };
    let Some(folder) = &outputs.folder else { return Ok(()) };
    let ours: BTreeSet<&String> = documents.iter().map(|document| &document.name).collect();
    let mut needed = old.documents.keys().filter(|name| !ours.contains(name));
    match needed.find(|name| is_safe(name) && folder.join(name).is_file()) {
        Some(name) => Err(terminal.trouble(&format!(
            "{} is the residue of {} as well: write to another folder, keep this residue elsewhere \
             with --residue, or overwrite it with --force",
            shown(path),
            quoted(name)
        ))),
        None => Ok(()),
    }
}
