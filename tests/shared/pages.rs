//! What each fixture becomes in each format, and where every value went: files to be read
//! in review. Each format's package looks at those that it is the source or the target of.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolglot::json::Document;
use toolglot::testkit::laws;
use toolglot::{FormatName, Limits, convert};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The documents and the account of one conversion, or why it is refused.
fn page(fixture: &Path, from: FormatName, to: FormatName) -> String {
    let text = std::fs::read(fixture).unwrap();
    let source = Document::parse(&text, &Limits::default()).unwrap();
    match convert(&source, from, to, &laws::accepting()) {
        Ok(conversion) => {
            let mut page = String::new();
            for document in &conversion.documents {
                page.extend(["== ", &document.name, "\n", &document.text]);
            }
            page + "== account\n" + &conversion.account(&source).text()
        }
        Err(report) => format!("== refused\n{report}\n"),
    }
}

/// The valid documents of a format that people wrote.
fn fixtures(format: FormatName) -> Vec<PathBuf> {
    let mut fixtures = files(&root().join(format!("crates/{format}/tests/fixtures/valid")));
    fixtures.retain(|path| path.extension() == Some("json".as_ref()));
    assert!(fixtures.len() >= 4, "{format} has {} fixtures", fixtures.len());
    fixtures
}

/// Compares the pages of a pair. Gives their files.
fn pair(from: FormatName, to: FormatName) -> BTreeSet<PathBuf> {
    let bless = std::env::var_os("TOOLGLOT_BLESS").is_some();
    let compare = |fixture: &PathBuf| {
        let folder = root().join("tests/golden").join(from.as_str());
        let folder = folder.join(fixture.file_stem().unwrap());
        let (text, path) = (page(fixture, from, to), folder.join(format!("{to}.txt")));
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default();
        let what = path.display();
        assert!(golden == text, "{what}: run with TOOLGLOT_BLESS=1, and read the diff");
        path
    };
    fixtures(from).iter().map(compare).collect()
}

/// A format takes its own fixtures for its own, and none of another.
pub(crate) fn detects(own: FormatName) {
    for format in FormatName::ALL {
        for path in fixtures(*format) {
            let text = std::fs::read(&path).unwrap();
            let document = Document::parse(&text, &Limits::default()).unwrap();
            let detected = (own.format().detect)(document.root());
            assert_eq!(detected.is_some(), *format == own, "{}", path.display());
            assert_eq!((own.format().look_alike)(document.root()), None, "{}", path.display());
        }
    }
}

/// Compares all pages of a format.
pub(crate) fn hold(own: FormatName) {
    let others = || FormatName::ALL.iter().copied().filter(|format| *format != own);
    let expected: BTreeSet<PathBuf> = others().flat_map(|to| pair(own, to)).collect();
    others().for_each(|from| drop(pair(from, own)));
    // No file stays behind when a fixture goes.
    let folders = files(&root().join("tests/golden").join(own.as_str()));
    for path in folders.iter().flat_map(|folder| files(folder)) {
        assert!(expected.contains(&path), "{} is of no fixture", path.display());
    }
}
