//! What each fixture becomes in each format, and where every value went: files to be read
//! in review. A test for each format that is the source.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolglot::json::Document;
use toolglot::testkit::laws;
use toolglot::{FormatName, Limits, convert};
use toolglot_tests::{entries, fixtures as folder_of, root};

/// The documents and the account of one conversion, or why it is refused.
fn page(fixture: &Path, from: FormatName, to: FormatName) -> String {
    let text = std::fs::read(fixture).unwrap();
    let source = Document::parse(&text, &Limits::default()).unwrap();
    match convert(&source, from, to, &laws::accept_all()) {
        Ok(conversion) => {
            let mut page = String::new();
            for document in &conversion.documents {
                page.extend(["== ", &document.name, "\n", &document.text]);
            }
            page + "== account\n" + &conversion.report().text()
        }
        Err(report) => format!("== refused\n{report}\n"),
    }
}

/// The valid documents of a format that people wrote.
fn fixtures(format: FormatName) -> Vec<PathBuf> {
    let mut fixtures = entries(&folder_of(format.as_str()).join("valid"));
    fixtures.retain(|path| path.extension() == Some("json".as_ref()));
    assert!(fixtures.len() >= 4, "{format} has {} fixtures", fixtures.len());
    fixtures
}

/// Compares the pages of a pair. Gives their files.
fn pair(from: FormatName, to: FormatName) -> BTreeSet<PathBuf> {
    let bless = std::env::var_os("TOOLGLOT_BLESS").is_some();
    let compare = |fixture: &PathBuf| {
        let folder = root().join("tests/laws/golden").join(from.as_str());
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

/// Compares the pages of a format with those of its fixtures in every other.
fn hold(own: FormatName) {
    let others = FormatName::ALL.iter().copied().filter(|format| *format != own);
    let expected: BTreeSet<PathBuf> = others.flat_map(|to| pair(own, to)).collect();
    // No file stays behind when a fixture goes.
    let folders = entries(&root().join("tests/laws/golden").join(own.as_str()));
    for path in folders.iter().flat_map(|folder| entries(folder)) {
        assert!(expected.contains(&path), "{} is of no fixture", path.display());
    }
}

macro_rules! formats {
    ($($name:ident: $format:ident;)*) => {
        $(#[test] fn $name() { hold(FormatName::$format); })*

        #[test]
        fn no_format_is_missing() {
            assert_eq!([$(FormatName::$format),*].len(), FormatName::ALL.len());
        }
    };
}

formats! {
    from_capability: Capability;
    from_install_manifest: InstallManifest;
    from_jumith: Jumith;
    from_mcpb: Mcpb;
    from_mcpkg: Mcpkg;
    from_server_json: ServerJson;
    from_tool_list: ToolList;
    from_tools_json: ToolsJson;
}

/// A format takes its own fixtures for its own, and none of another.
#[test]
fn fixtures_are_known_by_their_format() {
    for format in FormatName::ALL {
        for path in fixtures(*format) {
            let text = std::fs::read(&path).unwrap();
            let document = Document::parse(&text, &Limits::default()).unwrap();
            for own in FormatName::ALL {
                let detected = (own.format().unwrap().detect)(document.root());
                assert_eq!(detected.is_some(), format == own, "{}", path.display());
                assert_eq!(
                    (own.format().unwrap().look_alike)(document.root()),
                    None,
                    "{}",
                    path.display()
                );
            }
        }
    }
}
