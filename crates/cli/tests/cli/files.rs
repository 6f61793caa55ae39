use crate::program::{ECHO, Folder, TIME, json, run, workspace};

/// The description in the manifest that is converted.
const ECHOS: &str = "Echos back whatever input it receives.";

#[test]
fn a_failed_run_leaves_the_old_file() {
    let folder = Folder::new("old-file");
    let target = folder.write("target.json", "old");
    let source = folder.write("source.json", "{\"toolId\": 1}");
    let ran = run(&["convert", &source, "--from", "mcpkg", "--to", "tools-json", "-o", &target]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(folder.read("target.json"), "old");
    assert_eq!(folder.names(), ["source.json", "target.json"]);
}

#[test]
fn a_file_is_replaced_whole() {
    let folder = Folder::new("replace");
    let target = folder.write("target.json", "x".repeat(100_000));
    let ran = run(&["convert", ECHO, "--to", "tools-json", "-o", &target]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&folder.read("target.json"))["tools"][0]["description"], ECHOS);
    assert_eq!(folder.names(), ["target.json", "target.json.residue.json"]);
}

#[test]
fn a_folder_is_no_file() {
    let folder = Folder::new("is-a-folder");
    let target = folder.path("");
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--report", &target]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: cannot write "), "{}", ran.err);
    let ran = run(&["inspect", &target]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: cannot read "), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new("links");
    let real = folder.write("real.json", "old");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path("link.json");
    symlink("real.json", &link).unwrap();
    let ran = run(&["convert", ECHO, "--to", "tools-json", "-o", &link]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(json(&folder.read("real.json"))["tools"][0]["description"], ECHOS);
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_written_to() {
    let ran = run(&["convert", ECHO, "--to", "tools-json", "-o", "/dev/stdout"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out)["tools"][0]["description"], ECHOS);
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_not_read_to_its_end() {
    let ran = run(&["validate", "/dev/zero"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[json/size]: "), "{}", ran.err);
    let ran = run(&["restore", "--to", "mcpkg", "--residue", "/dev/zero", ECHO]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[json/size]: "), "{}", ran.err);
}

/// What is read is not written over, whichever verb it is.
#[test]
fn inputs_stay() {
    let folder = Folder::new("inputs-stay");
    let source = folder.write("source.json", workspace(ECHO));
    let (target, residue) = (folder.path("t.json"), folder.path("t.json.residue.json"));
    let ran = run(&["convert", &source, "--to", "tools-json", "-o", &target, "-q"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let tools = folder.write("tools.json", workspace(TIME));
    let base =
        folder.write("base.json", "{\"catalog_version\": \"catalog.v1\", \"capabilities\": []}");
    let restore = ["restore", &target, "--to", "mcpkg"];
    let before: Vec<_> = folder.names().iter().map(|name| folder.read(name)).collect();
    for (arguments, over) in [
        ([&restore, &["-o", &target][..]].concat(), "t.json"),
        ([&restore, &["-o", &residue][..]].concat(), "t.json.residue.json"),
        ([&restore, &["--residue", &residue, "--report", &residue][..]].concat(), "residue.json"),
        ([&restore, &["--original", &source, "--report", &source][..]].concat(), "source.json"),
        (
            vec!["duplicates", &tools, "--merge", "first", "--to", "tools-json", "-o", &tools],
            "tools.json",
        ),
        (vec!["catalog", "merge", "--base", &base, "-o", &base], "base.json"),
    ] {
        let ran = run(&arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(&format!("{over} is what is read: ")), "{}", ran.err);
        let after: Vec<_> = folder.names().iter().map(|name| folder.read(name)).collect();
        assert_eq!(after, before);
        let ran = run(&[&arguments[..], &["--force"][..]].concat());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        for (name, text) in folder.names().iter().zip(&before) {
            folder.write(name, text);
        }
    }
    // The original becomes what it is with the edits.
    let ran = run(&[&restore, &["--original", &source, "-o", &source][..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(folder.read("source.json"), workspace(ECHO));
}

/// What we name inside a folder, or beside a file, is no link to somewhere else.
#[cfg(unix)]
#[test]
fn no_link_leads_out_of_a_folder() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new("links-out");
    let made = folder.path("made");
    let convert = ["convert", TIME, "--to", "mcpkg", "-q", "-o", &made];
    assert_eq!(run(&convert).code, Some(0));
    let names = folder.inside("made").names();
    let outside = folder.write("outside.json", "precious");
    for name in &names {
        let path = folder.inside("made").path(name);
        let text = folder.inside("made").read(name);
        std::fs::remove_file(&path).unwrap();
        symlink(&outside, &path).unwrap();
        let ran = run(&[&convert, &["--force"][..]].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(&format!("{name} is a link")), "{}", ran.err);
        std::fs::remove_file(&path).unwrap();
        folder.inside("made").write(name, text);
    }
    for (target, suffix, more) in
        [("t.json", ".residue.json", &[][..]), ("t.jsonl", ".residue.jsonl", &["--jsonl"])]
    {
        let target = folder.path(target);
        symlink(&outside, format!("{target}{suffix}")).unwrap();
        let convert = ["convert", ECHO, "--to", "tools-json", "-q", "--force", "-o", &target];
        let ran = run(&[&convert, more].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(" is a link"), "{}", ran.err);
    }
    assert_eq!(folder.read("outside.json"), "precious");
}
