//! Folders, patterns and many files at once.

use std::fs;

use serde_json::Value;

use crate::program::{Folder, run, workspace};

/// Manifests of two formats, one that is broken, and a file that is none.
fn mixed(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("a/echo.json", workspace("examples/manifests/echo.mcpkg.json"));
    folder.write("b/time.json", workspace("examples/manifests/get_time.tools.json"));
    folder.write("package.json", r#"{"name": "x", "dependencies": {"left-pad": "1"}}"#);
    folder
}

#[test]
fn a_folder_is_its_manifests() {
    let folder = mixed("folder");
    let ran = run(&["validate", &folder.path("")]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("a/echo.json: valid (mcpkg"), "{}", ran.out);
    assert!(lines[1].contains("b/time.json: valid (tools-json"), "{}", ran.out);
    assert!(ran.err.contains("1 file below"), "{}", ran.err);
    // A file that is named is looked at, whatever it is.
    assert_eq!(run(&["validate", &folder.path("package.json")]).code, Some(1));
    let empty = Folder::new("folder-empty");
    let ran = run(&["validate", &empty.path("")]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no manifest below"), "{}", ran.err);
}

#[test]
fn a_pattern_that_no_shell_resolved() {
    let folder = mixed("pattern");
    let ran = run(&["detect", &folder.path("*/*.json")]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 2), "{}", ran.err);
    let ran = run(&["detect", &folder.path("*.toml")]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("there is no file"), "{}", ran.err);
}

/// What is said of many files comes in their order, on both streams.
#[test]
fn many_files_in_order() {
    let folder = Folder::new("many");
    let names: Vec<String> = (0..100).map(|index| format!("{index:03}.json")).collect();
    for (index, name) in names.iter().enumerate() {
        let valid =
            r#"{"tools": [{"name": "x", "description": "X.", "command": ["./tools/bin/x"]}]}"#;
        folder.write(name, if index % 3 == 0 { "{" } else { valid });
    }
    let ran = run(&["validate", &folder.path("")]);
    assert_eq!(ran.code, Some(1));
    let named =
        |line: &str| line.split(": ").next().unwrap().rsplit('/').next().unwrap().to_owned();
    let said: Vec<String> = ran.out.lines().map(named).collect();
    assert_eq!(said, names);
    let broken: Vec<&String> = names.iter().step_by(3).collect();
    let shown: Vec<&str> = ran.err.lines().filter(|line| line.contains("-->")).collect();
    assert_eq!(shown.len(), broken.len());
    assert!(shown.iter().zip(broken).all(|(line, name)| line.contains(name.as_str())));
}

#[test]
fn advice_for_programs() {
    let folder = mixed("lint-json");
    let ran = run(&["lint", "--format", "json", &folder.path("a/echo.json")]);
    let line: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&line["format"], &line["valid"]), (&"mcpkg".into(), &true.into()));
    assert_eq!(line["version"], "0.1");
    let ran = run(&["lint", "--format", "json", &folder.path("none.json")]);
    let line: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(line["error"].as_str().unwrap().contains("cannot read"), "{line}");
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_folder_is_converted() {
    let folder = mixed("convert-folder");
    let out = folder.path("out");
    let ran = run(&["convert", &folder.path(""), "--to", "jumith", "-o", &out]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for name in ["echo", "time"] {
        let below = fs::read_dir(format!("{out}/{name}")).unwrap();
        assert!(below.count() > 1, "{name} and its residue");
    }
    // Each has its own way back.
    let back = folder.path("back.json");
    let ran = run(&["restore", &format!("{out}/echo"), "--to", "mcpkg", "-o", &back]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(fs::read_to_string(back).unwrap(), workspace("examples/manifests/echo.mcpkg.json"));
    let ran = run(&["convert", &folder.path(""), "--to", "jumith"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("name it with -o"), "{}", ran.err);
}
