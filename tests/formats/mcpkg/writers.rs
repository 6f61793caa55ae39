//! Packages by ordinary writers of archives are read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use manifest_core::Limits;
use mcpkg::package::{CheckOptions, Package};

const MANIFEST: &str = include_str!("../../fixtures/mcpkg/spec/09_manifest.json");

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mcpkg/archives")
}

#[test]
fn archives_by_ordinary_writers_are_read() {
    let mut writers = BTreeMap::new();
    for entry in fs::read_dir(fixtures()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "mcpkg") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let package = Package::read(&bytes, &Limits::default())
            .unwrap_or_else(|report| panic!("{}: {}", path.display(), report.diagnostics[0]));
        assert_eq!(package.manifest(), MANIFEST.as_bytes(), "{}", path.display());
        let test = package.file("tests/echo.test.json").unwrap();
        assert_eq!(test, include_bytes!("../../fixtures/mcpkg/spec/09_test.json"));
        if !path.to_string_lossy().contains("infozip") {
            assert_eq!(package.file("examples/é.md"), Some("# Écho\n".as_bytes()));
        }
        assert!(package.check(&CheckOptions::default()).is_valid());
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let writer = name.split('-').next().unwrap().to_owned();
        writers.entry(writer).or_insert_with(Vec::new).push(package.digest());
    }
    let names: Vec<_> = writers.keys().map(String::as_str).collect();
    assert_eq!(names, ["go", "infozip", "node", "python"]);
    // The digest is that of the content, whoever packed it.
    assert_eq!(writers["go"][0], writers["python"][0]);
}
