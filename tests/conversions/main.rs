//! Every valid fixture of every format, converted to every format.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use toolglot::FormatName;

mod account;
mod asked;
mod budget;
mod calls;
mod dangers;
mod edits;
mod files;
mod gateway;
mod implied;
mod mutation;
mod notices;
mod plans;
mod published;
mod reasons;
mod said;

/// A document that a person wrote.
struct Fixture {
    format: FormatName,
    /// The name of its file, without the ending.
    name: String,
    text: String,
}

fn fixtures() -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for format in FormatName::ALL.iter().copied() {
        let root = toolglot_tests::root();
        let folder = root.join(format!("tests/fixtures/{format}/valid"));
        let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            entries.filter(|path| path.extension() == Some("json".as_ref())).collect();
        files.sort();
        assert!(files.len() >= 4, "{} has {} files", folder.display(), files.len());
        fixtures.extend(files.into_iter().map(|path| Fixture {
            format,
            name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            text: std::fs::read_to_string(&path).unwrap(),
        }));
    }
    fixtures
}
