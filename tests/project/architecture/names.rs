//! The names of types.

use std::path::Path;

/// The types that the files below a folder define for all of the file: the file, and the name.
pub(crate) fn types(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let of_path = |path: std::path::PathBuf| {
        if path.is_dir() {
            return types(&path);
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let names = text.lines().filter_map(defined);
        names.map(|name| (path.display().to_string(), name.to_owned())).collect()
    };
    paths.flat_map(of_path).collect()
}

/// The name of the type that a line begins to define.
fn defined(line: &str) -> Option<&str> {
    let public = line.strip_prefix("pub").map(|rest| {
        let inside = rest.strip_prefix('(').and_then(|rest| Some(rest.split_once(')')?.1));
        inside.unwrap_or(rest).trim_start()
    });
    let line = public.unwrap_or(line);
    let rest = line.strip_prefix("struct ").or_else(|| line.strip_prefix("enum "))?;
    rest.split(|c: char| !c.is_alphanumeric()).next()
}
