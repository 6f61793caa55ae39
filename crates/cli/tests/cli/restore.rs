use crate::program::{ECHO, Folder, TIME, json, run, run_with_input, workspace};

/// A folder with a converted file and its residue.
fn converted(name: &str, source: &str, to: &str) -> (Folder, String, String) {
    let folder = Folder::new(name);
    let (target, residue) = (folder.path("target.json"), folder.path("residue.json"));
    let ran = run(&["convert", source, "--to", to, "-o", &target, "--residue", &residue]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    (folder, target, residue)
}

#[test]
fn the_very_bytes() {
    for (source, from, to) in [(ECHO, "mcpkg", "tools-json"), (TIME, "tools-json", "mcpkg")] {
        let (folder, target, residue) = converted(&format!("bytes-{from}"), source, to);
        let restored = folder.path("restored.json");
        let ran = run(&["restore", "--to", from, "--residue", &residue, "-o", &restored, &target]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(folder.read("restored.json"), workspace(source));
        assert!(ran.err.contains("\nchanged by edits: none\n"), "{}", ran.err);
        let ran = run(&["restore", "--to", from, "--original", source, &target]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(ran.out, workspace(source));
    }
}

#[test]
fn an_edit_survives() {
    let (folder, target, residue) = converted("edit", ECHO, "tools-json");
    let text = folder.read("target.json");
    folder.write("target.json", text.replace("\"timeoutSec\": 5", "\"timeoutSec\": 7"));
    let edited = workspace(ECHO).replace("5000", "7000");
    let expected = format!(
        "{target}: tools-json → mcpkg

changed by edits: 1 value
  /endpoint/timeoutMs  5000 → 7000
assumed: none
left out: none
"
    );
    let ran = run(&["restore", "--to", "mcpkg", "--residue", &residue, &target]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, edited);
    assert_eq!(ran.err, expected);
    let ran = run(&["restore", "--to", "mcpkg", "--original", ECHO, &target, "--quiet"]);
    assert_eq!(ran.out, edited);
    assert_eq!(ran.err, "");
}

#[test]
fn what_the_format_cannot_say() {
    let (folder, target, residue) = converted("loss", TIME, "mcpkg");
    let text = folder.read("target.json");
    let needle = "\"name\": \"get_time\",";
    folder.write("target.json", text.replace(needle, "\"name\": \"The time\","));
    let report = folder.path("report.json");
    let ran = run(&[
        "restore",
        "--to",
        "tools-json",
        "--residue",
        &residue,
        &target,
        "--report",
        &report,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, workspace(TIME));
    let lost = "\nleft out: 1 value that tools-json cannot say\n  /title  \"The time\"\n";
    assert!(ran.err.ends_with(lost), "{}", ran.err);
    let report = json(&folder.read("report.json"));
    assert_eq!(report["from"], "mcpkg");
    assert_eq!(report["to"], "tools-json");
    assert_eq!(report["edited"], json("true"));
    assert_eq!(report["residue_entries"][0]["at"], "/title");
}

#[test]
fn a_residue_inside_the_file() {
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--in-band"]);
    assert_eq!(ran.code, Some(0));
    assert!(!ran.err.contains("not kept"), "{}", ran.err);
    let ran = run_with_input(&["restore", "--to", "mcpkg", "-"], ran.out.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out), json(&workspace(ECHO)));
}

#[test]
fn no_residue_at_all() {
    let ran = run(&["restore", "--to", "mcpkg", TIME]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out, "");
    assert_eq!(
        ran.err,
        "error[convert/residue]: there is no residue, neither beside the document nor inside\n\
         help: name it with --residue, or the source with --original\n\n"
    );
}

#[test]
fn a_residue_of_something_else() {
    let (folder, target, residue) = converted("unrelated", ECHO, "tools-json");
    let ran = run(&["restore", "--to", "mcpkg", "--residue", &residue, TIME]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[convert/unrelated]: "), "{}", ran.err);
    let broken = folder.write("broken.json", "{\"residue\": 1,}");
    let ran = run(&["restore", "--to", "mcpkg", "--residue", &broken, &target]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(&format!(" --> {broken}:1:15\n")), "{}", ran.err);
    let ran = run(&["restore", "--to", "mcpkg", "--residue", TIME, &target]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[convert/residue]: not a residue: "), "{}", ran.err);
}

#[test]
fn an_invalid_document_or_original() {
    let (folder, target, residue) = converted("invalid", ECHO, "tools-json");
    let bad = folder.write("bad.json", "{\"tools\": [{\"command\": [\"./tools/bin/a\"]}]}");
    let ran = run(&["restore", "--to", "mcpkg", "--residue", &residue, &bad]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(&format!("\n --> {bad}:1:12, at /tools/0")), "{}", ran.err);
    let original = folder.write("original.json", "{\n  \"toolId\": 7\n}");
    let ran = run(&["restore", "--to", "mcpkg", "--original", &original, &target]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(&format!(" --> {original}:2:13, at /toolId\n")), "{}", ran.err);
}

#[test]
fn edits_on_both_sides() {
    let (folder, target, residue) = converted("both", ECHO, "tools-json");
    let text = folder.read("target.json");
    folder.write("target.json", text.replace("\"timeoutSec\": 5", "\"timeoutSec\": 7"));
    let newer = workspace(ECHO).replace("0.1.0", "0.2.0");
    let original = folder.write("original.json", &newer);
    let restore =
        ["restore", "--to", "mcpkg", "--residue", &residue, "--original", &original, &target];
    let ran = run(&restore);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, newer.replace("5000", "7000"));

    folder.write("original.json", newer.replace("5000", "6000"));
    let ran = run(&restore);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    let message = "error[convert/conflict]: both sides changed this: it was 5000, and is 6000 here \
                   and 7000 in the target\n";
    assert!(ran.err.starts_with(message), "{}", ran.err);
    assert!(ran.err.contains(", at /endpoint/timeoutMs\n"), "{}", ran.err);
}

#[test]
fn one_standard_input() {
    let ran = run(&["restore", "--to", "mcpkg", "--residue", "-", "-"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err, "error: standard input (-) can be read only once\n");
}
