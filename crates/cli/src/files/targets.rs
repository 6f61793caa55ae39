//! The files that a conversion wrote.

use std::path::{Path, PathBuf};

use toolglot::core::rules::UNRELATED;
use toolglot::core::{printable, some_or_bug};
use toolglot::json::Document;
use toolglot::{Format, Formats, Limits, Pointer, Residue, Target};

use crate::files::formats::Candidates;
use crate::files::input::{Input, display_path};
use crate::files::residues;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::terminal::report;
use crate::terminal::table;

/// Returns the files of path arguments. For a folder, these are all `.json` files except
/// residues. If the folder's residue is known, files that do not belong to the conversion
/// are skipped.
pub(crate) fn files(
    paths: &[PathBuf],
    residue: Option<&Path>,
    formats: Formats<'static>,
    limits: &Limits,
    terminal: &Terminal,
) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let trouble =
            |error| terminal.usage_error(&format!("cannot read {}: {error}", display_path(path)));
        let before = files.len();
        let residue = residue.map_or_else(|| residues::folder_path(path), Path::to_owned);
        let residue = residues::parse(&residue, limits);
        for entry in std::fs::read_dir(path).map_err(trouble)? {
            let file = entry.map_err(trouble)?.path();
            let named = file.extension().is_some_and(|extension| extension == "json");
            if !named || !file.is_file() || residues::is_residue(&file, limits) {
                continue;
            }
            let other =
                residue.as_ref().filter(|residue| is_unrelated(&file, residue, formats, limits));
            if let Some(residue) = other {
                let (to, file) = (printable(&residue.to, 64), display_path(&file));
                terminal.status(&format!("passed over, no {to}: {file}\n"));
                continue;
            }
            files.push(file);
        }
        some_or_bug(files.get_mut(before..)).sort();
    }
    Ok(files)
}

/// Returns true if a file in a folder does not belong to the conversion: its name is
/// unknown, and it is in another format or one of our reports. A file that is not JSON may
/// be a broken edit, and is refused later.
fn is_unrelated(
    file: &Path,
    residue: &Residue,
    formats: Formats<'static>,
    limits: &Limits,
) -> bool {
    let name = file.file_name().and_then(|name| name.to_str());
    if name.is_some_and(|name| residue.documents.contains_key(name)) {
        return false;
    }
    let Ok(input) = Input::open(file, limits.document_bytes) else { return false };
    let Ok(document) = input.parse(limits) else { return false };
    let format = formats.detect(&document).ok().map(|(format, _)| format.name);
    format != Some(&residue.to) || report::is_report(document.root())
}

/// Reads the files.
pub(crate) fn read(
    files: &[PathBuf],
    limits: &Limits,
    terminal: &Terminal,
) -> Result<Vec<Input>, Failure> {
    files.iter().map(|file| Input::read(file, limits.document_bytes, terminal)).collect()
}

/// Parses the texts, and returns the documents and their format. Fails if the formats
/// differ.
pub(crate) fn open<'i>(
    inputs: &'i [Input],
    candidates: Candidates,
    limits: &Limits,
    terminal: &Terminal,
) -> Result<(Vec<Document<'i>>, Option<&'static Format>), Failure> {
    let mut documents = Vec::new();
    let mut format = candidates.explicit;
    for input in inputs {
        let document = input.parse(limits).map_err(|report| input.refuse(&report, terminal))?;
        let (own, _) =
            candidates.detect(&document).map_err(|report| input.refuse(&report, terminal))?;
        let expected = *format.get_or_insert(own);
        if own.name != expected.name {
            let message =
                format!("this is {}, and the files before it are {}", own.name, expected.name);
            let found = UNRELATED.at_pointer(Pointer::root(), message);
            return Err(input.refuse(&single_report(found), terminal));
        }
        documents.push(document);
    }
    Ok((documents, format))
}

/// Returns the documents with the names of their files.
pub(crate) fn with_names<'t>(
    inputs: &'t [Input],
    documents: &'t [Document<'t>],
) -> Vec<Target<'t>> {
    let named = inputs.iter().zip(documents);
    named.map(|(input, document)| Target { name: base_name(&input.name), document }).collect()
}

/// Returns the names of the files, for people.
pub(crate) fn title(inputs: &[Input]) -> String {
    if inputs.is_empty() {
        return "no file".to_owned();
    }
    table::list_names(inputs.iter().map(|input| &input.name), 4)
}

fn base_name(name: &str) -> Option<&str> {
    Path::new(name).file_name().and_then(|name| name.to_str())
}
