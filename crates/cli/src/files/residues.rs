//! The places of residues.
//!
//! The residue of a file is beside it: `tools.json.residue.json`. That of a folder is in
//! it: `toolglot.residue.json`. That of a stream has a line for each entry:
//! `out.jsonl.residue.jsonl`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolglot::core::secret;
use toolglot::json::Document;
use toolglot::{Limits, Residue};

use crate::files::input::{Input, display_path, is_standard};
use crate::files::output;
use crate::terminal::console::{Failure, Terminal, single_report};

/// The file name of a folder's residue.
const FOLDER_NAME: &str = "toolglot.residue.json";
const SUFFIX: &str = ".residue.json";

/// Returns the path of a file's residue.
pub(crate) fn file_path(file: &Path) -> PathBuf {
    with_suffix(file, SUFFIX)
}

/// Returns the path of a stream's residues.
pub(crate) fn stream_path(file: &Path) -> PathBuf {
    with_suffix(file, ".residue.jsonl")
}

/// Returns the path of the residue for the documents in a folder.
pub(crate) fn folder_path(folder: &Path) -> PathBuf {
    folder.join(FOLDER_NAME)
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Returns true if a file is a residue, by its name and by its content.
pub(crate) fn is_residue(path: &Path, limits: &Limits) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.ends_with(SUFFIX)) && parse(path, limits).is_some()
}

/// Returns the residue in a file, if it is one.
pub(crate) fn parse(path: &Path, limits: &Limits) -> Option<Residue> {
    let input = Input::open(path, max_bytes(limits)).ok()?;
    Residue::parse(input.bytes(), limits).ok()
}

/// Reads a residue, and shows the error if that fails.
pub(crate) fn read(path: &Path, limits: &Limits, terminal: &Terminal) -> Result<Residue, Failure> {
    let input = Input::read(path, max_bytes(limits), terminal)?;
    Residue::parse(input.bytes(), limits)
        .map_err(|diagnostic| input.refuse(&single_report(diagnostic), terminal))
}

/// The maximum size of a residue file: a residue contains the source and more.
/// [`Residue::parse`] limits it further.
const fn max_bytes(limits: &Limits) -> usize {
    limits.document_bytes.saturating_mul(16)
}

/// Writes the residue of a source. If the source contains a secret, only the owner may read
/// the file, and the result is true. Standard output is not restricted.
pub(crate) fn write(
    path: &Path,
    residue: &Residue,
    source: &Document<'_>,
    terminal: &Terminal,
) -> Result<bool, Failure> {
    let private = contains_secret(source) && !is_standard(path);
    if private {
        output::write_private(path, &residue.to_json(), terminal)?;
    } else {
        output::write(path, &residue.to_json(), terminal)?;
    }
    Ok(private)
}

/// Returns true if a document contains a known kind of secret.
pub(crate) fn contains_secret(document: &Document<'_>) -> bool {
    !secret::scan(document.root(), 1).is_empty()
}

/// Returns the note about a residue that contains a secret.
pub(crate) fn private_note(path: &Path) -> String {
    format!("{} holds a secret of the source: only its owner may read it\n", display_path(path))
}

/// Returns the advice for restoring a format later, when no residue was kept.
pub(crate) fn hint(from: &str, no_residue: bool, output: &Path) -> String {
    let how = match (no_residue, output::is_regular_or_new(output)) {
        (true, true) => "leave out --no-residue, or add --in-band",
        (true, false) => "write to a file with -o and without --no-residue, or add --in-band",
        (false, _) => "write to a file with -o, or add --residue FILE (or --in-band)",
    };
    format!("The residue was not kept. To come back to {from} later, {how}.")
}

/// Returns the path of the residue in a folder, if only one folder is given and contains a
/// residue.
pub(crate) fn find_in_folders(folders: &[PathBuf]) -> Option<PathBuf> {
    match folders {
        [folder] => Some(folder_path(folder)).filter(|residue| residue.is_file()),
        _ => None,
    }
}

/// Returns the path of the residue beside some files, or `None` if there is none. Fails if
/// there are several.
pub(crate) fn find(files: &[PathBuf], terminal: &Terminal) -> Result<Option<PathBuf>, Failure> {
    let beside = |file: &PathBuf| {
        let folder = folder_path(file.parent().unwrap_or(Path::new("")));
        [file_path(file), folder].into_iter().find(|residue| residue.is_file())
    };
    let files = files.iter().filter(|file| !is_standard(file));
    let found: BTreeSet<PathBuf> = files.filter_map(beside).collect();
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(one), Some(other)) => {
            let (one, other) = (display_path(&one), display_path(&other));
            Err(terminal.usage_error(&format!(
                "these files have several residues, such as {one} and {other}: restore them one by \
                 one, or name one with --residue"
            )))
        }
        (found, _) => Ok(found),
    }
}
