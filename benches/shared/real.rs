//! Documents that people wrote: the valid fixtures, and the example manifests.

use std::path::{Path, PathBuf};

use toolglot::json::Document;
use toolglot::{Format, FormatName, Limits};

pub(crate) struct Real {
    pub(crate) format: &'static Format,
    /// Its file, from the root of the repository.
    #[allow(dead_code)] // only some print it
    pub(crate) name: String,
    pub(crate) text: String,
}

pub(crate) fn documents() -> Vec<Real> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().find(|folder| folder.join("crates").is_dir());
    let root = root.expect("the root of the repository");
    let mut files: Vec<PathBuf> = Vec::new();
    let fixtures = FormatName::ALL.iter().map(|name| format!("tests/fixtures/{name}/valid"));
    for folder in fixtures.chain(["examples/manifests".to_owned()]) {
        let entries = std::fs::read_dir(root.join(&folder)).expect(&folder);
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|path| path.extension() == Some("json".as_ref()));
    files.sort();
    files.into_iter().map(|path| read(root, &path)).collect()
}

fn read(root: &Path, path: &Path) -> Real {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let document = Document::parse(text.as_bytes(), &Limits::default()).expect("JSON");
    let (format, _) = toolglot::detect(&document).expect("a known format");
    let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
    drop(document);
    Real { format, name, text }
}
