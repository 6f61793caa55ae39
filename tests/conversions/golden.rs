//! What each fixture becomes in each format, and where every value went: files to
//! be read in review.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolglot::json::Document;
use toolglot::{FormatName, Limits, Options, convert, restore};

use crate::{Fixture, fixtures};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The target and the ledger, and whether the way back gives the source.
fn converted(fixture: &Fixture, to: FormatName) -> [String; 2] {
    let (limits, options) = (Limits::default(), Options::default());
    let source = Document::parse(fixture.text.as_bytes(), &limits).unwrap();
    let conversion = convert(&source, fixture.format, to, &options)
        .unwrap_or_else(|report| panic!("{} to {to}: {report}", fixture.name));
    let target = Document::parse(conversion.text.as_bytes(), &limits).unwrap();
    let back = restore(&target, Some(&conversion.residue), fixture.format, to, &options).unwrap();
    assert!(back.text == fixture.text, "{} to {to} and back is another", fixture.name);
    [conversion.text, conversion.ledger.text()]
}

#[test]
fn every_fixture_in_every_format() {
    let bless = std::env::var_os("TOOLGLOT_BLESS").is_some();
    let mut expected = BTreeSet::new();
    for fixture in fixtures() {
        let folder = folder().join(fixture.format.as_str()).join(&fixture.name);
        for to in FormatName::ALL.iter().copied().filter(|to| *to != fixture.format) {
            let texts = converted(&fixture, to);
            for (text, ending) in texts.into_iter().zip(["json", "txt"]) {
                let path = folder.join(format!("{to}.{ending}"));
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
