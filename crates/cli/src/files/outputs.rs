//! The files that a conversion writes: one document, or several in a folder, and the
//! residue.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use toolglot::convert::OutputDocument;
use toolglot::core::quoted;

use crate::files::input::{display_path, is_standard};
use crate::files::limits;
use crate::files::output;
use crate::files::residues;
use crate::terminal::console::{Failure, Terminal};

/// The files that a conversion reads and writes.
pub(crate) struct Destination<'a> {
    /// The files that are read, which must not be overwritten.
    pub(crate) inputs: Vec<&'a PathBuf>,
    /// The file or the folder of the documents.
    pub(crate) output: &'a Path,
    /// The file of the residue, if it is named.
    pub(crate) residue: Option<&'a PathBuf>,
    /// True if no residue is kept.
    pub(crate) no_residue: bool,
    /// True if the documents contain the residue.
    pub(crate) in_band: bool,
    /// The file of the report, if it is named.
    pub(crate) report: Option<&'a PathBuf>,
    /// True if files may be overwritten that are otherwise kept.
    pub(crate) force: bool,
}

/// The files to write.
pub(crate) struct Outputs {
    /// One for each document.
    pub(crate) documents: Vec<PathBuf>,
    /// The folder that contains them, if one was named.
    pub(crate) folder: Option<PathBuf>,
    /// The file of the residue, if it is kept.
    pub(crate) residue: Option<PathBuf>,
    /// True if the residue has its default place, where `restore` finds it.
    pub(crate) has_default_residue: bool,
}

/// Decides where to write, and creates the folder if there is one. Fails if a file that
/// must be kept would be overwritten.
pub(crate) fn plan(
    destination: &Destination<'_>,
    documents: &[OutputDocument],
    source: &str,
    terminal: &Terminal,
) -> Result<Outputs, Failure> {
    let names: Vec<&str> = documents.iter().map(|document| &*document.name).collect();
    let (folder, paths) = output_paths(destination.output, &names, ALTERNATIVES, terminal)?;
    let same = matches!(documents, [document] if document.text == source);
    let beside = default_residue(destination, folder.as_deref()).filter(|_| !same);
    let is_beside = destination.residue.is_none();
    let beside = beside.map(|path| refuse_link(path, terminal)).transpose()?;
    let residue = destination.residue.cloned().or(beside);
    let outputs = Outputs { documents: paths, folder, residue, has_default_residue: is_beside };
    let all = || outputs.documents.iter().chain(&outputs.residue).chain(destination.report);
    output::check_distinct(all(), terminal)?;
    let inputs = destination.inputs.iter().copied();
    output::check_overwrite(inputs, all(), destination.force, terminal)?;
    check_residue_overwrite(destination.force, &outputs, documents, terminal)?;
    create_folder(outputs.folder.as_deref(), terminal)?;
    Ok(outputs)
}

/// The alternatives to a folder for several documents, as the end of an error message.
const ALTERNATIVES: &str = ", pick one with --tool ID, or write them as lines with --jsonl";

/// Returns a path for each of these names, and the folder of the documents if the output is
/// one. Without a folder, there is only one path.
pub(crate) fn output_paths(
    output: &Path,
    names: &[&str],
    alternatives: &str,
    terminal: &Terminal,
) -> Result<(Option<PathBuf>, Vec<PathBuf>), Failure> {
    let folder = folder(output, names.len(), alternatives, terminal)?;
    let paths = match &folder {
        Some(folder) => names
            .iter()
            .map(|name| refuse_link(folder.join(check_name(name, terminal)?), terminal))
            .collect::<Result<Vec<_>, Failure>>()?,
        None => names.iter().take(1).map(|_| output.to_owned()).collect(),
    };
    Ok((folder, paths))
}

/// Creates the folder, if there is one.
pub(crate) fn create_folder(folder: Option<&Path>, terminal: &Terminal) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| {
        terminal.usage_error(&format!("cannot make the folder {}: {error}", display_path(folder)))
    })
}

/// Returns the folder to write to, if the output is one. Fails if several documents would
/// go to one file.
fn folder(
    path: &Path,
    count: usize,
    alternatives: &str,
    terminal: &Terminal,
) -> Result<Option<PathBuf>, Failure> {
    let ends =
        path.as_os_str().to_str().is_some_and(|text| text.ends_with(std::path::is_separator));
    // A name with an extension is that of a file, not of a new folder.
    let new = count > 1 && !path.exists() && path.extension().is_none();
    if !is_standard(path) && (ends || path.is_dir() || new) {
        return Ok(Some(path.to_owned()));
    }
    if count <= 1 {
        return Ok(None);
    }
    let place = if is_standard(path) { "standard output".to_owned() } else { display_path(path) };
    Err(terminal.usage_error(&format!(
        "there are {count} documents, and {place} takes one: name a folder for them with -o \
         FOLDER{alternatives}"
    )))
}

/// Returns the path of a file that we name. Fails if it is a link, because the user did not
/// ask to write to the link's target.
pub(crate) fn refuse_link(path: PathBuf, terminal: &Terminal) -> Result<PathBuf, Failure> {
    let is_link = std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
    if is_link {
        return Err(
            terminal.usage_error(&format!("{} is a link: remove it first", display_path(&path)))
        );
    }
    Ok(path)
}

/// Returns the name if it is a plain file name, which leads to no other folder.
fn check_name<'n>(name: &'n str, terminal: &Terminal) -> Result<&'n str, Failure> {
    if is_plain_name(name) {
        return Ok(name);
    }
    Err(terminal.usage_error(&format!("{} is no name for a file", quoted(name))))
}

fn is_plain_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_one = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '@' | '+');
    is_one && !name.starts_with('.') && name.chars().all(plain)
}

/// Returns the default path of the residue.
fn default_residue(destination: &Destination<'_>, folder: Option<&Path>) -> Option<PathBuf> {
    if destination.no_residue || destination.in_band {
        return None;
    }
    match folder {
        Some(folder) => Some(residues::folder_path(folder)),
        None => residue_of_output(destination.output),
    }
}

/// Returns the path of a file's residue. Standard output, devices and pipes have none.
fn residue_of_output(path: &Path) -> Option<PathBuf> {
    output::is_regular_or_new(path).then(|| residues::file_path(path))
}

/// Fails if the residue would overwrite a file that is not a residue, or the residue of a
/// folder that other documents in it still need. A path that was named, or `--force`,
/// permits both.
fn check_residue_overwrite(
    force: bool,
    outputs: &Outputs,
    documents: &[OutputDocument],
    terminal: &Terminal,
) -> Result<(), Failure> {
    let Some(path) = outputs.residue.as_ref().filter(|path| path.exists()) else { return Ok(()) };
    if force || !outputs.has_default_residue {
        return Ok(());
    }
    let Some(old) = residues::parse(path, &limits::document()) else {
        return Err(terminal.usage_error(&format!(
            "{} is there, and no residue that can be read: keep this residue elsewhere with \
             --residue, or overwrite it with --force",
            display_path(path)
        )));
    };
    let Some(folder) = &outputs.folder else { return Ok(()) };
    let ours: BTreeSet<&String> = documents.iter().map(|document| &document.name).collect();
    let mut needed = old.documents.keys().filter(|name| !ours.contains(name));
    match needed.find(|name| is_plain_name(name) && folder.join(name).is_file()) {
        Some(name) => Err(terminal.usage_error(&format!(
            "{} is the residue of {} as well: write to another folder, keep this residue elsewhere \
             with --residue, or overwrite it with --force",
            display_path(path),
            quoted(name)
        ))),
        None => Ok(()),
    }
}
