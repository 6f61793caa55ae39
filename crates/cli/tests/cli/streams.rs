use std::process::Stdio;

use crate::program::{ECHO, Folder, Ran, TIME, command, json, run, run_with_input};

#[test]
fn a_reader_that_goes_away() {
    for arguments in [
        &["explain"][..],
        &["completions", "bash"],
        &["convert", ECHO, "--to", "tools-json"],
        &["validate", "--format", "json", ECHO],
        &["--help"],
    ] {
        let mut child =
            command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(0), "{arguments:?}");
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(&["validate", TIME]).stdout(full).output().unwrap();
    let ran = Ran::from(output);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("error: cannot write to standard output: "), "{}", ran.err);
}

#[test]
fn colour_only_when_asked() {
    assert!(!run(&["convert", ECHO, "--to", "tools-json"]).err.contains('\u{1b}'));
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--color", "always"]);
    assert!(ran.err.contains("\u{1b}[1;32mkept\u{1b}[0m: "), "{}", ran.err);
    assert!(!ran.out.contains('\u{1b}'));
    let ran = run(&["--color", "always", "validate", ECHO]);
    assert!(ran.err.contains("\u{1b}[1;33mwarning["), "{}", ran.err);
    let ran = run(&["validate", "--color", "never", ECHO]);
    assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
}

/// Names and values of the input, in every verb that repeats them.
///
/// Row W07 of the catalogue of attacks.
#[test]
fn nothing_of_the_input_acts_on_the_terminal() {
    let evil = "\u{9b}2J\u{202e}\u{7f}\u{200b}\\u001b[2J";
    let text = format!(
        r#"{{"tools": [{{"name": "{evil}", "{evil}": "{evil}", "command": ["./tools/bin/{evil}"],
            "description": "{evil}"}}], "{evil}": ["{evil}"]}}"#
    );
    let valid = text.replacen(&format!("\"name\": \"{evil}\""), "\"name\": \"a\"", 1);
    let valid = valid.replacen(&format!("bin/{evil}"), "bin/a", 1);
    let check = |arguments: &[&str], text: &str, both: bool| {
        let ran = run_with_input(arguments, text.as_bytes());
        let shown = if both { ran.err.clone() + &ran.out } else { ran.err.clone() };
        let plain = |c: char| c == '\n' || toolglot::core::is_plain(c);
        assert!(shown.chars().all(plain), "{arguments:?}: {shown}");
        assert!(!shown.is_empty());
        ran.code
    };
    check(&["detect", "-"], &text, true);
    check(&["detect", "-"], &format!("{{\"{evil}\": 1}}"), true);
    assert_eq!(check(&["validate", "-"], &text, true), Some(1));
    assert_eq!(check(&["validate", "--format", "json", "-"], &text, true), Some(1));
    assert_eq!(check(&["validate", "-"], &valid, true), Some(0));
    assert_eq!(check(&["convert", "-", "--to", "mcpkg"], &text, true), Some(1));
    assert_eq!(check(&["convert", "-v", "-", "--to", "mcpkg"], &valid, false), Some(0));
    check(&["detect", &format!("no-{evil}")], "", true);
    check(&["explain", evil], "", true);
}

#[test]
fn a_file_name_is_whole_for_programs_and_plain_for_people() {
    let folder = Folder::new("names");
    let path = folder.write("a\u{202e}b.json", "{}");
    let ran = run(&["validate", "--format", "json", &path]);
    assert_eq!(json(&ran.out)["file"], path);
    assert!(!ran.out.contains('\u{202e}'), "{}", ran.out);
    let ran = run(&["validate", &path]);
    assert!(ran.out.contains("a\\u{202e}b.json: invalid"), "{}", ran.out);
}
