use crate::program::{ECHO, Folder, TIME, json, run, run_with_input, workspace};

/// A folder with a converted file and its residue.
fn converted(name: &str, source: &str, to: &str) -> (Folder, String, String) {
    let folder = Folder::new(name);
    // Several documents go to a folder.
    let name = if source == TIME { "target" } else { "target.json" };
    let (target, residue) = (folder.path(name), folder.path("residue.json"));
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
        assert!(ran.err.contains("\nchanged by edits: none\nleft out: none\n"), "{}", ran.err);
        let ran = run(&["restore", "--to", from, "--original", source, &target]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(ran.out, workspace(source));
    }
}

#[test]
fn the_residue_is_found() {
    let folder = Folder::new("restore-found");
    let target = folder.path("t.json");
    assert_eq!(run(&["convert", ECHO, "--to", "tools-json", "-o", &target, "-q"]).code, Some(0));
    let ran = run(&["restore", &target, "--to", "mcpkg", "-q"]);
    assert_eq!((ran.code, ran.out), (Some(0), workspace(ECHO)), "{}", ran.err);
    // In a folder there is one for all.
    let made = folder.path("made");
    assert_eq!(run(&["convert", TIME, "--to", "mcpkg", "-o", &made, "-q"]).code, Some(0));
    let ran = run(&["restore", &made, "--to", "tools-json", "-q"]);
    assert_eq!((ran.code, ran.out), (Some(0), workspace(TIME)), "{}", ran.err);
    let made = folder.inside("made");
    let names = made.names();
    for name in names.iter().filter(|name| !name.contains("residue")) {
        let ran = run(&["restore", &made.path(name), "--to", "tools-json", "-q"]);
        assert_eq!((ran.code, ran.out), (Some(0), workspace(TIME)), "{}", ran.err);
    }
    // Two files with a residue each are two sources.
    let other = folder.path("u.json");
    assert_eq!(run(&["convert", ECHO, "--to", "tools-json", "-o", &other, "-q"]).code, Some(0));
    let ran = run(&["restore", &target, &other, "--to", "mcpkg"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("these files have several residues"), "{}", ran.err);
    // Files of two formats are no target.
    let ran = run(&["restore", &target, ECHO, "--to", "mcpkg"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("this is mcpkg, and the files before it are tools-json"));
}

#[test]
fn the_format_of_the_source_is_known() {
    let folder = Folder::new("restore-known");
    let target = folder.path("t.json");
    assert_eq!(run(&["convert", ECHO, "--to", "tools-json", "-o", &target, "-q"]).code, Some(0));
    for by in [&[][..], &["--original", ECHO][..]] {
        let ran = run(&[&["restore", &target, "-q"], by].concat());
        assert_eq!((ran.code, ran.out), (Some(0), workspace(ECHO)), "{}", ran.err);
    }
    // A residue inside the file is not looked into before.
    let inside = folder.path("in.json");
    let convert = ["convert", ECHO, "--to", "tools-json", "--in-band", "-o", &inside, "-q"];
    assert_eq!(run(&convert).code, Some(0));
    let ran = run(&["restore", &inside]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("say with --to which format to come back to"), "{}", ran.err);
}

#[test]
fn some_of_several_documents() {
    let folder = Folder::new("restore-some");
    let output = folder.path("");
    assert_eq!(run(&["convert", TIME, "--to", "mcpkg", "-o", &output, "-q"]).code, Some(0));
    let names = folder.names();
    let edited = names.iter().find(|name| name.contains("search")).unwrap();
    let text = folder.read(edited);
    let says = json(&text)["description"].as_str().unwrap().to_owned();
    folder.write(edited, text.replace(&says, "Looks for text."));
    let expected = workspace(TIME).replace(&says, "Looks for text.");
    assert_ne!(expected, workspace(TIME));
    let ran = run(&["restore", &folder.path(edited), "--to", "tools-json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, expected);
    // What is not given is unchanged, unless it is to go.
    let arguments = ["restore", &folder.path(edited), "--to", "tools-json", "--delete-missing"];
    let ran = run(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let tools = &json(&ran.out)["tools"];
    assert_eq!(tools.as_array().unwrap().len(), 1);
    assert_eq!(tools[0]["name"], "fs_search");
    assert!(ran.err.contains("not in the document any more"), "{}", ran.err);
    assert!(ran.err.contains("\"get_time\", \"http_fetch\""), "{}", ran.err);
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

/// A tools.json has no word for the tags of a tool.
#[test]
fn what_the_format_cannot_say() {
    let folder = Folder::new("loss");
    let target = folder.path("target.json");
    let convert = ["convert", TIME, "--to", "mcpkg", "--tool", "get_time", "-o", &target, "-q"];
    assert_eq!(run(&convert).code, Some(0));
    let mut edited = json(&folder.read("target.json"));
    edited["capabilities"] = json("[\"clock\"]");
    edited["description"] = "Now.".into();
    folder.write("target.json", edited.to_string());
    let report = folder.path("report.json");
    let restore = ["restore", "--to", "tools-json", &target, "--report", &report];
    let ran = run(&restore);
    // It is not made, it is said, and the rest is there.
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let before = "Get the current time in an IANA time zone.";
    assert_eq!(ran.out, workspace(TIME).replace(before, "Now."));
    let lost = format!("left out: 1 edit\n  {target} at /capabilities");
    assert!(ran.err.contains(&lost), "{}", ran.err);
    let found = json(&folder.read("report.json"));
    let mut members: Vec<_> = found.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["edited", "from", "left_out", "removed", "report_version", "to"]);
    assert_eq!(found["from"], "mcpkg");
    assert_eq!(found["to"], "tools-json");
    assert_eq!(found["edited"], json("true"));
    assert_eq!(found["left_out"][0]["file"], target);
    let at = found["left_out"][0]["pointer"].as_str().unwrap();
    assert!(at.starts_with("/capabilities"), "{at}");
    // However quiet it is to be.
    let ran = run(&[&restore, &["--quiet"][..]].concat());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with(&lost), "{}", ran.err);
}

#[test]
fn a_residue_inside_the_file() {
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--in-band"]);
    assert_eq!(ran.code, Some(0));
    assert!(!ran.err.contains("not kept"), "{}", ran.err);
    let ran = run_with_input(&["restore", "--to", "mcpkg", "-"], ran.out.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out), json(&workspace(ECHO)));
    // What is inside a file is taken before what is beside it.
    let folder = Folder::new("restore-inside");
    let target = folder.path("t.json");
    assert_eq!(run(&["convert", ECHO, "--to", "tools-json", "-o", &target, "-q"]).code, Some(0));
    let arguments = ["convert", ECHO, "--to", "tools-json", "-o", &target, "-q", "--in-band"];
    assert_eq!(run(&arguments).code, Some(0));
    folder.write("t.json.residue.json", "{}");
    let ran = run(&["restore", "--to", "mcpkg", &target, "-q"]);
    assert_eq!((ran.code, ran.out), (Some(0), workspace(ECHO)), "{}", ran.err);
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

/// A document may speak of residues, and have one beside it.
#[test]
fn a_residue_beside_is_found_whatever_the_text_says() {
    let folder = Folder::new("restore-beside");
    let text = workspace(ECHO).replacen(
        "\"input_schema\": {",
        "\"input_schema\": {\"$comment\": \"no \\\"x-toolglot-residue\\\" here\", \
         \"default\": {\"x-toolglot-residue\": 1},",
        1,
    );
    assert_ne!(text, workspace(ECHO));
    let source = folder.write("source.json", &text);
    let target = folder.path("t.json");
    let convert = ["convert", &source, "--to", "tools-json", "-q", "-o", &target];
    let ran = run(&convert);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(folder.read("t.json").contains("\"x-toolglot-residue\""));
    let restore = ["restore", &target, "--to", "mcpkg", "-q"];
    let ran = run(&restore);
    assert_eq!((ran.code, ran.out), (Some(0), text.clone()), "{}", ran.err);
    // One that is carried inside counts, and not an old one beside it.
    let text = text.replace("Echos", "Says");
    folder.write("source.json", &text);
    assert_eq!(run(&[&convert, &["--in-band"][..]].concat()).code, Some(0));
    assert!(folder.names().contains(&"t.json.residue.json".to_owned()));
    let ran = run(&restore);
    assert_eq!((ran.code, ran.out), (Some(0), text), "{}", ran.err);
}

/// The tools after one that is gone have not changed.
#[test]
fn what_only_moved_is_no_change() {
    let folder = Folder::new("restore-moved");
    let output = folder.path("");
    assert_eq!(run(&["convert", TIME, "--to", "mcpkg", "-o", &output, "-q"]).code, Some(0));
    let names = folder.names();
    let gone = names.iter().find(|name| name.contains("time")).unwrap();
    std::fs::remove_file(folder.path(gone)).unwrap();
    let ran = run(&["restore", &output, "--to", "tools-json", "--delete-missing", "-v"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let was = json(&workspace(TIME));
    let at = was["tools"].as_array().unwrap().iter().position(|tool| tool["name"] == "get_time");
    let at = format!("/tools/{}/", at.unwrap());
    let changes = ran.err.lines().skip_while(|line| !line.starts_with("changed by edits"));
    let changes: Vec<_> = changes.skip(1).take_while(|line| line.starts_with("  ")).collect();
    assert!(!changes.is_empty(), "{}", ran.err);
    let is_its = |line: &&str| line.trim().starts_with(&at) && line.ends_with(" is gone");
    assert!(changes.iter().all(is_its), "{}", ran.err);
}

/// A folder is restored whatever else lies in it, and when all of its files are gone.
#[test]
fn a_folder_with_more_or_less_in_it() {
    let folder = Folder::new("restore-folder");
    let output = folder.path("");
    let report = folder.path("report.json");
    let convert = ["convert", TIME, "--to", "mcpkg", "-o", &output, "-q", "--report", &report];
    assert_eq!(run(&convert).code, Some(0));
    folder.write("notes.json", "{\"mine\": true}");
    let restore = ["restore", &output, "--to", "tools-json"];
    let ran = run(&restore);
    assert_eq!((ran.code, ran.out), (Some(0), workspace(TIME)), "{}", ran.err);
    for name in ["report.json", "notes.json"] {
        let said = format!("passed over, no mcpkg: {}\n", folder.path(name));
        assert!(ran.err.contains(&said), "{}", ran.err);
    }
    // A file that the conversion wrote is never passed over.
    let names = folder.names();
    let written = || names.iter().filter(|name| name.starts_with("local"));
    assert_eq!(written().count(), 3, "{names:?}");
    let first = written().next().unwrap();
    let text = folder.read(first);
    folder.write(first, "{\"mine\": true}");
    assert_eq!(run(&[&restore, &["--delete-missing"][..]].concat()).code, Some(1));
    folder.write(first, text);
    for name in written() {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    let ran = run(&restore);
    assert_eq!((ran.code, ran.out), (Some(0), workspace(TIME)), "{}", ran.err);
    let ran = run(&[&restore, &["--delete-missing"][..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out)["tools"], json("[]"));
}
