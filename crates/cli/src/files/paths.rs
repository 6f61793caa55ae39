//! Finds the files of path arguments: names, folders and patterns.

use std::path::{Path, PathBuf};

use toolglot::json::Document;
use toolglot::{DetectError, Formats};

use crate::files::input::{Input, display_path, is_standard};
use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::summary::count_noun;

/// Returns the files of path arguments. For a folder, these are the manifests below it that
/// end in `.json`. A pattern that the shell has not expanded is expanded here.
pub(crate) fn expand(
    paths: &[PathBuf],
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
        match pattern {
            _ if is_standard(path) => files.push(path.clone()),
            _ if path.is_dir() => files.extend(manifests_below(path, formats, terminal)?),
            Some(pattern) if !path.exists() => files.extend(expand_pattern(pattern, terminal)?),
            _ => files.push(path.clone()),
        }
    }
    Ok(files)
}

/// Returns the manifests below a folder, and reports the number of other JSON files.
fn manifests_below(
    folder: &Path,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<Vec<PathBuf>, Failure> {
    let (mut files, left_out) = disk::files::manifests_below(folder);
    for left in &left_out {
        terminal.status(&format!("warning: {left}\n"));
    }
    let all = files.len();
    files.retain(|file| !is_no_manifest(file, formats));
    if files.is_empty() {
        let message = format!("there is no manifest below {}", display_path(folder));
        return Err(terminal.usage_error(&message));
    }
    if files.len() < all {
        let others = count_noun(all - files.len(), "file");
        let folder = display_path(folder);
        terminal.status(&format!("note: {others} below {folder} in no known format passed over\n"));
    }
    Ok(files)
}

/// Removes files that do not resemble a manifest.
pub(crate) fn retain_known(files: &mut Vec<PathBuf>, formats: Formats<'static>) {
    files.retain(|file| is_standard(file) || !is_no_manifest(file, formats));
}

/// Returns true if a file is JSON and does not resemble a manifest. Returns false for a
/// broken file, whose errors the verb reports.
fn is_no_manifest(file: &Path, formats: Formats<'static>) -> bool {
    let limits = limits::bundle();
    let Ok(input) = Input::open(file, limits.document_bytes) else { return false };
    let Ok(document) = Document::parse(input.bytes(), &limits) else { return false };
    match formats.detect(&document) {
        Ok(_) | Err(DetectError::Near(_) | DetectError::Ambiguous(_)) => false,
        Err(_) => true,
    }
}

fn expand_pattern(pattern: &str, terminal: &Terminal) -> Result<Vec<PathBuf>, Failure> {
    let wrong = |error: glob::PatternError| {
        terminal
            .usage_error(&format!("{} is no pattern: {error}", display_path(Path::new(pattern))))
    };
    let found = glob::glob(pattern).map_err(wrong)?;
    let found: Vec<PathBuf> = found.flatten().filter(|path| path.is_file()).collect();
    if found.is_empty() {
        let message = format!("there is no file {}", display_path(Path::new(pattern)));
        return Err(terminal.usage_error(&message));
    }
    Ok(found)
}
