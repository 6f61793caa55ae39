//! What each fixture becomes in each format, and where every value went: files to be read
//! in review.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolglot::json::Document;
use toolglot::testkit::laws;
use toolglot::{FormatName, Limits, convert};

use crate::{Fixture, fixtures};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The documents and the account of one conversion, or why it is refused.
fn page(fixture: &Fixture, to: FormatName) -> String {
    let source = Document::parse(fixture.text.as_bytes(), &Limits::default()).unwrap();
    match convert(&source, fixture.format, to, &laws::accepting()) {
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

#[test]
fn every_fixture_in_every_format() {
    let bless = std::env::var_os("TOOLGLOT_BLESS").is_some();
    let mut expected = BTreeSet::new();
    for fixture in fixtures() {
        let folder = folder().join(fixture.format.as_str()).join(&fixture.name);
        for to in FormatName::ALL.iter().copied().filter(|to| *to != fixture.format) {
            let text = page(&fixture, to);
            let path = folder.join(format!("{to}.txt"));
            if bless {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &text).unwrap();
            }
            let golden = std::fs::read_to_string(&path).unwrap_or_default();
            let what = path.display();
            assert!(golden == text, "{what}: run with TOOLGLOT_BLESS=1, and read the diff");
            expected.insert(path);
        }
    }
    // No file stays behind when a fixture goes.
    for format in std::fs::read_dir(folder()).unwrap() {
        for fixture in std::fs::read_dir(format.unwrap().path()).unwrap() {
            for file in std::fs::read_dir(fixture.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                assert!(expected.contains(&path), "{} is of no fixture", path.display());
            }
        }
    }
}
