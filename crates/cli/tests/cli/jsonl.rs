use std::io::Write;
use std::process::Stdio;

use crate::program::{ECHO, Folder, Ran, TIME, command, json, run, run_with_input, workspace};

/// A list of tools, of which the second is broken and the fourth has a name twice.
const TOOLS: &str = r#"{
  "x-note": "ours",
  "tools": [
    {"name": "a", "command": ["./tools/bin/a"], "timeoutSec": 5},
    {"name": "b", "command": },
    {
      "name": "c",
      "command": ["./tools/bin/c"],
      "x-more": 1e2
    },
    {"name": "a", "command": ["./tools/bin/a"]}
  ]
}
"#;

fn lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(json).collect()
}

/// A line for each of some ids, as MCPKG.
fn manifests(ids: &[&str]) -> String {
    let echo = json(&workspace(ECHO));
    let line = |id: &&str| {
        let mut echo = echo.clone();
        let members = echo.as_object_mut().unwrap();
        members.extend(["toolId", "x-id"].map(|name| (name.to_owned(), (*id).into())));
        echo.to_string() + "\n"
    };
    ids.iter().map(line).collect()
}

#[test]
fn an_error_in_one_entry_does_not_stop_the_rest() {
    let folder = Folder::new("jsonl-errors");
    let (residue, report) = (folder.path("r.jsonl"), folder.path("report.jsonl"));
    let arguments =
        ["convert", "--jsonl", "-", "--to", "mcpkg", "--residue", &residue, "--report", &report];
    let ran = run_with_input(&arguments, TOOLS.as_bytes());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let out = lines(&ran.out);
    let ids: Vec<_> = out.iter().map(|line| line["toolId"].as_str().unwrap()).collect();
    // The ends are the first digits of SHA-256 of "a" and of "c".
    assert_eq!(ids, ["local.a.ca978112", "local.c.2e7d2c03"]);
    assert_eq!(
        ran.err,
        r#"error[json/syntax]: expected a value, found "}"
 --> <stdin>:5:30, at /tools/1/command
  |
5 | {"name": "b", "command": }
  |                          ^
help: JSON has no trailing commas

error[tools-json/duplicate-name]: tool[3] "a": duplicate name
 --> <stdin>:11:14, at /tools/3/name
   |
11 | {"name": "a", "command": ["./tools/bin/a"]}
   |          ^^^
help: two tools must not have the same name

safety: 4 notices
  the source does not say what it changes (2 tools)
  the source does not say what it does with files (2 tools)
  the source does not say whether it uses devices (2 tools)
  the source does not say whether it uses the network (2 tools)
does not run: none
calls the bridge: 2 tools
  needs `toolglot` on the search path, and a copy of the source where the bridge looks: `convert -o FOLDER` writes it (2 tools)
  needs a host that runs local commands, in the folder of the output or with the source in the user's store (`convert --store`): the published runner sends requests only (2 tools)
  needs the files that the call of the source names: `convert -o FOLDER` copies them, and not what they load (2 tools)
runs as it is: none
<stdin>: tools-json → mcpkg, 4 entries: 2 converted, 2 failed
"#
    );
    let residues = lines(&folder.read("r.jsonl"));
    let entries: Vec<_> = residues.iter().map(|line| line["entry"].as_u64()).collect();
    assert_eq!(entries, [Some(0), Some(1), Some(2), Some(3), None]);
    assert_eq!(residues[1]["failed"], true);
    // A source of several lines is no part of a line.
    assert_eq!(residues[0]["residue"]["from"], "tools-json");
    assert_eq!(json(residues[2]["residue"].as_str().unwrap())["from"], "tools-json");
    let envelope = json(residues[4]["envelope"].as_str().unwrap());
    assert_eq!(envelope, json(r#"{"x-note": "ours", "tools": []}"#));
    let report = lines(&folder.read("report.jsonl"));
    assert_eq!(report[0]["score"]["values"], 3);
    let failed = (&report[1]["entry"], &report[1]["line"], &report[1]["failed"][0]["column"]);
    assert_eq!(failed, (&1.into(), &5.into(), &30.into()));
    assert_eq!(report.len(), 4);
}

/// What concerns safety and what does not run is said of a stream, too: once, and whole.
#[test]
fn safety_of_many_entries() {
    let list: Vec<_> = (0..40)
        .map(|n| format!(r#"{{"name": "tool_{n}", "command": ["./tools/bin/a"]}}"#))
        .collect();
    let list = format!("{{\"tools\": [{}]}}", list.join(","));
    let arguments = ["convert", "--jsonl", "-", "--to", "capability"];
    let ran = run_with_input(&arguments, list.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.starts_with("safety: "), "{}", ran.err);
    let said = "\n  the source does not say what it changes (40 tools)\n";
    assert!(ran.err.contains(said), "{}", ran.err);
    // A Unison command is given no arguments.
    let at = ran.err.lines().position(|line| line == "does not run: 40 tools").unwrap();
    assert!(ran.err.lines().nth(at + 1).unwrap().ends_with(" (40 tools)"), "{}", ran.err);
    let ran = run_with_input(&[&arguments, &["-q"][..]].concat(), list.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

/// A fault of what a line would have become has no place in the line.
#[test]
fn a_fault_of_the_target_has_no_place_in_the_source() {
    // A version is what the target needs and the source does not say.
    let line = json(&workspace(TIME)).to_string();
    let arguments =
        ["convert", "--jsonl=lines", "-", "--to", "mcpkg", "--strict", "--accept", "bridge"];
    let ran = run_with_input(&arguments, line.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[convert/assumed]: "), "{}", ran.err);
    assert!(ran.err.contains("\n --> <stdin>:1:1\n"), "{}", ran.err);
    // One of the source has.
    let off = workspace("examples/manifests/count.capability.json");
    let off = json(&off.replacen('{', "{\"enabled\": false,", 1)).to_string();
    let at = off.find("\"enabled\":").unwrap() + "\"enabled\":".len() + 1;
    let arguments = ["convert", "--jsonl=lines", "-", "--to", "tools-json"];
    let ran = run_with_input(&arguments, off.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(&format!("\n --> <stdin>:1:{at}, at /enabled\n")), "{}", ran.err);
}

#[test]
fn lines_come_back_to_the_byte() {
    let folder = Folder::new("jsonl-lines");
    let odd = manifests(&["demo.a", "demo.b", "demo.c"]).replace(":5000", ": 5.0e3");
    let source = folder.write("source.jsonl", &odd);
    let (target, residue) = (folder.path("target.jsonl"), folder.path("residue.jsonl"));
    let ran = run(&[
        "convert",
        "--jsonl",
        &source,
        "--to",
        "tools-json",
        "-o",
        &target,
        "--residue",
        &residue,
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert!(ran.err.ends_with(": mcpkg → tools-json, 3 entries: 3 converted, 0 failed\n"));
    let arguments = ["restore", "--jsonl", &target, "--to", "mcpkg", "--residue", &residue];
    let ran = run(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, odd);
    assert!(ran.err.ends_with(": → mcpkg, 3 entries: 3 restored (0 edited), 0 failed\n"));
    assert_eq!(folder.names(), ["residue.jsonl", "source.jsonl", "target.jsonl"]);

    // An edit, of one line.
    let edited = folder.read("target.jsonl").replacen("\"timeoutSec\":5", "\"timeoutSec\":7", 1);
    folder.write("target.jsonl", edited);
    let ran = run(&arguments);
    assert_eq!(ran.out, odd.replacen("5.0e3", "7000", 1), "{}", ran.err);
    assert!(ran.err.contains("3 restored (1 edited)"), "{}", ran.err);
}

#[test]
fn each_line_finds_its_residue() {
    let folder = Folder::new("jsonl-pairs");
    let ids = ["demo.a", "demo.b", "demo.c", "demo.d", "demo.e"];
    let source = folder.write("source.jsonl", manifests(&ids));
    let (target, residue) = (folder.path("target.jsonl"), folder.path("residue.jsonl"));
    let to = ["--to", "capability", "-o", &target, "--residue", &residue];
    let ran = run(&[&["convert", "--jsonl", &source], &to[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let whole = folder.read("target.jsonl");
    let whole: Vec<_> = whole.lines().collect();
    let with = |lines: &[&str], more: &[&str]| {
        let input = lines.join("\n");
        let arguments = ["restore", "--jsonl", "-", "--to", "mcpkg", "--residue", &residue];
        let ran = run_with_input(&[&arguments, more].concat(), input.as_bytes());
        let pair = |line: serde_json::Value| {
            let id = |name: &str| line[name].as_str().unwrap().to_owned();
            (id("toolId"), id("x-id"))
        };
        (ran.code, self::lines(&ran.out).into_iter().map(pair).collect::<Vec<_>>(), ran.err)
    };
    let restore = |lines: &[&str]| with(lines, &[]);
    let same = |ids: &[&str]| -> Vec<_> {
        ids.iter().map(|id| ((*id).to_owned(), (*id).to_owned())).collect()
    };
    // An entry whose line is gone is unchanged, unless it is to go.
    let (code, found, err) = restore(&[whole[1], whole[4]]);
    assert_eq!((code, found), (Some(0), same(&ids)), "{err}");
    let delete = |lines: &[&str]| with(lines, &["--delete-missing"]);
    let (code, found, err) = delete(&[whole[1], whole[4]]);
    assert_eq!((code, found), (Some(0), same(&["demo.b", "demo.e"])), "{err}");
    assert!(err.contains("removed, without a document: 3 entries\n"), "{err}");
    let (code, found, err) = delete(&[whole[4], whole[2], whole[3]]);
    assert_eq!((code, found), (Some(0), same(&["demo.e", "demo.c", "demo.d"])), "{err}");
    // A copy of a line is a copy of its source.
    let (code, found, err) = delete(&[whole[3], whole[3]]);
    assert_eq!((code, found), (Some(0), same(&["demo.d", "demo.d"])), "{err}");
    // A tool that is called something else now is not guessed by its neighbours. It is reported
    // with its line, and its entry as not restored.
    for at in [1, 4] {
        let renamed = whole[at].replace(ids[at], "demo.other");
        let mut all = whole.clone();
        all[at] = &renamed;
        let (code, found, err) = restore(&all);
        let mut expected = same(&ids);
        expected.remove(at);
        assert_eq!((code, found), (Some(1), expected.clone()), "{err}");
        assert!(err.contains("no residue belongs to \"demo.other\"\n"), "{err}");
        assert!(err.contains(&format!(" --> <stdin>:{}:1", at + 1)), "{err}");
        assert!(err.contains("4 restored (0 edited), 1 failed\n"), "{err}");
        assert!(err.contains("not restored, without a document: 1 entry\n"), "{err}");
        // It is not removed either: the renamed line may be its own.
        let (code, found, err) = delete(&all);
        assert_eq!((code, found), (Some(1), expected), "{err}");
        assert!(err.contains("not restored, without a document: 1 entry\n"), "{err}");
    }
    // A residue that cannot be read costs its line.
    let residues = folder.read("residue.jsonl");
    folder.write("residue.jsonl", residues.replacen("{\"entry\":1,", "{\"entry\":1,,", 1));
    let (code, found, err) = restore(&whole);
    let rest = same(&["demo.a", "demo.c", "demo.d", "demo.e"]);
    assert_eq!((code, found), (Some(1), rest), "{err}");
    assert!(err.contains("residue.jsonl:2:12"), "{err}");
    folder.write("residue.jsonl", residues);
    // A line that no residue belongs to gets none.
    let new = whole[1].replace("demo.b", "demo.new");
    let (code, found, err) = restore(&[whole[0], &new, whole[1]]);
    assert_eq!((code, found), (Some(1), same(&["demo.a", "demo.b"])), "{err}");
    assert!(err.contains("error[convert/residue]: no residue belongs to \"demo.new\"\n"), "{err}");
}

#[test]
fn arrays_and_catalogs() {
    let list = format!("[{}]", manifests(&["demo.a", "demo.b"]).trim_end().replace('\n', ",\n  "));
    let ran = run_with_input(&["convert", "--jsonl", "-", "--to", "tools-json"], list.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let out = lines(&ran.out);
    let says = json(&workspace(ECHO))["description"].clone();
    assert_eq!((out.len(), &out[1]["tools"][0]["description"]), (2, &says));
    assert!(ran.err.contains("add --residue FILE"), "{}", ran.err);

    let entry = workspace("examples/manifests/count.capability.json");
    let catalog = format!("{{\"catalog_version\": \"catalog.v1\", \"capabilities\": [{entry}]}}");
    let arguments = ["convert", "--jsonl", "-", "--to", "mcpkg", "--quiet"];
    let ran = run_with_input(&arguments, catalog.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(lines(&ran.out).len(), 1);
    // What is around the entries counts, too.
    let time = workspace(TIME).trim_end().strip_suffix('}').unwrap().to_owned();
    let ran = run_with_input(&arguments, format!("{time}, \"Tools\": []}}").as_bytes());
    assert_eq!(ran.code, Some(1));
    assert_eq!(lines(&ran.out).len(), 3);
    assert!(ran.err.contains("error[json/key-case]"), "{}", ran.err);
    assert!(ran.err.contains(", at /Tools\n"), "{}", ran.err);
}

#[test]
fn the_same_format_and_a_named_shape() {
    let odd = "{ \"tools\":[{\"name\": \"a\",  \"command\":[\"./tools/bin/a\"] } ] }\r\n";
    let arguments = ["convert", "--jsonl=lines", "-", "--to", "tools-json", "--quiet"];
    let ran = run_with_input(&arguments, odd.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), odd.replace('\r', "").as_str()));
    let ran = run_with_input(&["validate", "--jsonl=array", "-"], odd.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.ends_with(":1:1: the stream: invalid, 1 error\n"), "{}", ran.out);
}

#[test]
fn a_verdict_for_each_entry() {
    let ran = run_with_input(&["validate", "--jsonl", "-"], TOOLS.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.out,
        "<stdin>:4:5: entry 0: valid (tools-json)
<stdin>:5:5: entry 1: invalid (tools-json), 1 error
<stdin>:6:5: entry 2: valid (tools-json), 1 warning
<stdin>:11:5: entry 3: invalid (tools-json), 1 error
<stdin>:2:3: the stream: valid, 1 warning
"
    );
    assert!(ran.err.contains(" --> <stdin>:9:7, at /tools/2/x-more\n"), "{}", ran.err);
    assert!(ran.err.ends_with("<stdin>: 4 entries, 2 invalid\n"), "{}", ran.err);

    let arguments = ["validate", "--jsonl", "--format", "json", "-"];
    let ran = run_with_input(&arguments, TOOLS.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let out = lines(&ran.out);
    assert_eq!(out.len(), 5);
    assert_eq!(out[3]["entry"], 3);
    assert_eq!(out[3]["diagnostics"][0]["line"], 11);
    assert_eq!(out[3]["diagnostics"][0]["pointer"], "/tools/3/name");

    // Lines of different formats.
    let time = json(&workspace(TIME)).to_string();
    let mixed = format!("{}{time}\n{{}}\n", manifests(&["demo.a"]));
    let ran = run_with_input(&["validate", "--jsonl", "--format", "json", "-"], mixed.as_bytes());
    let formats: Vec<_> = lines(&ran.out).iter().map(|line| line["format"].clone()).collect();
    assert_eq!(formats, ["mcpkg".into(), "tools-json".into(), serde_json::Value::Null]);
}

#[test]
fn there_are_only_so_many_entries() {
    let ran = run_with_input(&["validate", "--jsonl", "--entries", "1", "-"], TOOLS.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("error[stream/entries]: there are more than 1 entries\n"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains(" --> <stdin>:5:5\n"), "{}", ran.err);
    assert_eq!(run(&["validate", "--entries", "1", TIME]).code, Some(2));
}

/// More bytes than a pipe holds, from a program that never stops.
#[test]
fn an_endless_stream_and_a_reader_that_goes_away() {
    for arguments in [
        &["convert", "--jsonl", "-", "--to", "tools-json", "-q"][..],
        &["validate", "--jsonl", "-", "--format", "json"],
    ] {
        let mut child = command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let block = manifests(&["demo.a"]).repeat(256);
        while stdin.write_all(block.as_bytes()).is_ok() {}
        drop(stdin);
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    }
}

#[test]
fn what_cannot_be_read_or_written() {
    let ran = run(&["convert", "--jsonl", "no-such-file", "--to", "mcpkg"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: cannot read no-such-file: "), "{}", ran.err);
    let folder = Folder::new("jsonl-files");
    let (out, residue) = (folder.path("out.jsonl"), folder.path("missing/r.jsonl"));
    let ran =
        run(&["convert", "--jsonl", TIME, "--to", "mcpkg", "-o", &out, "--residue", &residue]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(folder.names(), [""; 0], "{}", ran.err);
    let residue = folder.write("r.jsonl", "{\"entry\": 0}\n");
    let ran = run(&[
        "restore",
        "--jsonl",
        ECHO,
        "--from",
        "mcpkg",
        "--to",
        "tools-json",
        "--residue",
        &residue,
    ]);
    assert_eq!(ran.code, Some(1));
    let ran = run(&["restore", "--jsonl", ECHO, "--to", "tools-json", "--original", TIME]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
}

/// A list of words is no catalog, whatever it is called.
#[test]
fn one_document_is_one_entry() {
    let folder = Folder::new("jsonl-one");
    let line = manifests(&["demo.a"]);
    for (arguments, input) in [
        (["validate", "--jsonl", "-"], workspace(ECHO)),
        (["validate", "--jsonl", "-"], line.clone()),
        (["validate", "--jsonl", "-"], line.clone() + &line),
        (["validate", "--jsonl=array", "-"], format!("[{line}]")),
    ] {
        let ran = run_with_input(&arguments, input.as_bytes());
        assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
        assert!(ran.out.contains("entry 0: valid (mcpkg 0.1)"), "{}", ran.out);
    }
    let ran = run(&["convert", "--jsonl", ECHO, "--to", "tools-json", "-q"]);
    assert_eq!((ran.code, lines(&ran.out).len()), (Some(0), 1), "{}", ran.err);
    let ran = run(&["convert", "--jsonl", ECHO, "--to", "mcpkg", "-q"]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1), "{}", ran.err);
    let ran = run(&["validate", "--jsonl=catalog", ECHO]);
    assert_eq!(ran.code, Some(1));
    // A stream of one line comes back, whatever its file is called.
    let (out, residue) = (folder.path("out"), folder.path("residue"));
    let source = folder.write("source", &line);
    let ran = run(&[
        "convert",
        "--jsonl",
        &source,
        "--to",
        "tools-json",
        "-o",
        &out,
        "--residue",
        &residue,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = run(&["restore", "--jsonl", &out, "--to", "mcpkg", "--residue", &residue]);
    assert_eq!((ran.code, ran.out), (Some(0), line), "{}", ran.err);
}

#[test]
fn an_array_of_documents_with_lists() {
    let time = json(&workspace(TIME)).to_string();
    let array = format!("[{time}, {time}, {{\"tools\": [{{}}]}}]");
    let ran =
        run_with_input(&["validate", "--jsonl", "--from", "tools-json", "-"], array.as_bytes());
    let verdicts: Vec<_> = ran.out.lines().map(|line| line.contains(": valid ")).collect();
    assert_eq!((ran.code, verdicts), (Some(1), vec![true, true, false]), "{}", ran.out);
    assert!(ran.err.contains(", at /2/tools/0\n"), "{}", ran.err);
    let arguments = ["convert", "--jsonl", "-", "--to", "tools-json", "-q"];
    let ran = run_with_input(&arguments, format!("[{time}, {time}]").as_bytes());
    assert_eq!((ran.code, ran.out), (Some(0), format!("{time}\n{time}\n")), "{}", ran.err);
}

/// Two versions of one tool: an edited line may be either.
#[test]
fn an_edited_line_gets_no_residue_of_another() {
    let folder = Folder::new("jsonl-versions");
    let line = |version: &str, says: &str| {
        let text = manifests(&["demo.a"]).replace("Echos", says);
        text.replace("\"x-id\":\"demo.a\"", &format!("\"x-id\":\"{version}\""))
    };
    let lines = ["One", "Two", "Three"].map(|version| line(version, version)).to_vec();
    let source = folder.write("source.jsonl", lines.concat());
    let (target, residue) = (folder.path("target.jsonl"), folder.path("residue.jsonl"));
    let beside = ["-o", &target, "--residue", &residue];
    let ran = run(&[&["convert", "--jsonl", &source, "--to", "tools-json"], &beside[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let whole = folder.read("target.jsonl");
    let whole: Vec<_> = whole.lines().collect();
    let edited: Vec<_> = whole.iter().map(|line| line.replace("back", "forth")).collect();
    assert_ne!(edited[0], whole[0]);
    let restore = |lines: &[&str]| {
        let input = folder.write("input.jsonl", lines.join("\n"));
        let ran = run(&["restore", "--jsonl", &input, "--to", "mcpkg", "--residue", &residue]);
        let versions =
            ran.out.lines().map(json).map(|line| line["x-id"].as_str().unwrap().to_owned());
        (ran.code, versions.collect::<Vec<_>>().join(" "), ran.err)
    };
    let unclear = "it cannot be told which residue belongs to ";
    // One is left over on both sides.
    let (code, found, err) = restore(&[&edited[1], whole[2], whole[0]]);
    assert_eq!((code, &*found), (Some(0), "Two Three One"), "{err}");
    // One line, and two residues; two lines, and two residues.
    let (code, found, err) = restore(&[&edited[1], whole[2]]);
    assert_eq!((code, &*found), (Some(1), "Three"), "{err}");
    assert!(err.contains(unclear) && err.contains("restore this one by itself"), "{err}");
    let (code, found, err) = restore(&[&edited[1], &edited[0], whole[2]]);
    assert_eq!((code, &*found, err.matches(unclear).count()), (Some(1), "Three", 2), "{err}");

    // A Jumith manifest names its source by the path of the bridge's module: what differs in
    // the sources only is told apart, and the entry of a line that is gone is still there.
    let lines = ["One", "Two", "Three"].map(|version| line(version, "Says")).to_vec();
    folder.write("source.jsonl", lines.concat());
    let ran = run(&[&["convert", "--jsonl", &source, "--to", "jumith"], &beside[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let whole = folder.read("target.jsonl");
    let whole: Vec<_> = whole.lines().collect();
    let (code, found, err) = restore(&whole);
    assert_eq!((code, &*found), (Some(0), "One Two Three"), "{err}");
    let (code, found, err) = restore(&whole[1..]);
    assert_eq!((code, &*found), (Some(0), "One Two Three"), "{err}");
}

/// An entry of several tools becomes several lines, and they become one again.
#[test]
fn an_entry_of_several_documents() {
    let folder = Folder::new("jsonl-several");
    let time = json(&workspace(TIME)).to_string();
    let empty = "{\"tools\": [] }";
    let other = r#"{"tools": [{"name": "one", "command": ["./tools/bin/one"]}]}"#;
    let source = folder.write("source.jsonl", format!("{time}\n{empty}\n{other}\n"));
    let target = folder.path("target.jsonl");
    let ran = run(&["convert", "--jsonl", &source, "--to", "mcpkg", "-o", &target]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let count = "3 entries: 3 converted to 4 documents, 0 failed\n";
    assert!(ran.err.contains(count), "{}", ran.err);
    let residues = lines(&folder.read("target.jsonl.residue.jsonl"));
    let documents = residues.iter().map(|line| line["residue"]["documents"].as_object().unwrap());
    assert_eq!(documents.map(serde_json::Map::len).collect::<Vec<_>>(), [3, 0, 1]);
    // The residue is found beside the lines.
    let restore = ["restore", "--jsonl", &target, "--to", "tools-json"];
    let ran = run(&restore);
    assert_eq!((ran.code, ran.out), (Some(0), folder.read("source.jsonl")), "{}", ran.err);
    // An edit of one of the lines, which are in another order.
    let text = folder.read("target.jsonl");
    let mut all: Vec<_> = text.lines().collect();
    let before = "Get the current time in an IANA time zone.";
    let at = all.iter().position(|line| line.contains(before)).unwrap();
    let edited = all[at].replace(before, "Now.");
    all[at] = &edited;
    all.reverse();
    folder.write("target.jsonl", all.join("\n"));
    let ran = run(&restore);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let mut restored: Vec<_> = ran.out.lines().collect();
    restored.sort_unstable();
    let time = time.replace(before, "Now.");
    let mut expected = [time.as_str(), empty, other];
    expected.sort_unstable();
    assert_eq!(restored, expected);
    // What is gone is unchanged, unless it is to go.
    let one = all.iter().find(|line| line.contains("Now.")).unwrap();
    folder.write("target.jsonl", one);
    let ran = run(&restore);
    assert_eq!((ran.code, ran.out.lines().next()), (Some(0), Some(time.as_str())), "{}", ran.err);
    let ran = run(&[&restore, &["--delete-missing"][..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let first = json(ran.out.lines().next().unwrap());
    assert_eq!(first["tools"].as_array().unwrap().len(), 1, "{}", ran.out);
    // What the source has no word for is left out, and that is said.
    let tagged = one.replace("\"capabilities\":[\"tool\"]", "\"capabilities\":[\"clock\"]");
    assert_ne!(&tagged, one);
    folder.write("target.jsonl", tagged);
    let ran = run(&restore);
    assert_eq!((ran.code, ran.out.lines().next()), (Some(1), Some(time.as_str())), "{}", ran.err);
    let lost = format!("left out: {target}:1 at /capabilities");
    assert!(ran.err.contains(&lost), "{}", ran.err);
}

/// A line that says something else than what was written is no edit of it.
#[test]
fn an_unrelated_line_gets_nobodys_residue() {
    let folder = Folder::new("jsonl-unrelated");
    let source = folder.write("source.jsonl", manifests(&["demo.a", "demo.b", "demo.c"]));
    let target = folder.path("target.jsonl");
    let ran = run(&["convert", "--jsonl", &source, "--to", "tools-json", "-o", &target, "-q"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = folder.read("target.jsonl");
    let mut all: Vec<_> = text.lines().collect();
    all[1] = r#"{"tools":[{"name":"quite_another","command":["./tools/bin/x"],"timeoutSec":9}]}"#;
    folder.write("target.jsonl", all.join("\n"));
    let ran = run(&["restore", "--jsonl", &target, "--to", "mcpkg"]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 2), "{}", ran.err);
    assert!(!ran.out.contains("quite_another"), "{}", ran.out);
    let refused = "error[convert/residue]: no residue belongs to \"quite_another\"\n";
    assert!(ran.err.contains(refused), "{}", ran.err);
    assert!(ran.err.contains(&format!(" --> {target}:2:1")), "{}", ran.err);
    assert!(ran.err.contains("not restored, without a document: 1 entry\n"), "{}", ran.err);
}

/// The first line of an entry carries the residue, those after it name it.
#[test]
fn a_residue_inside_the_lines() {
    let time = json(&workspace(TIME)).to_string();
    let stream = format!("{time}\n{time}\n");
    let arguments = ["convert", "--jsonl", "-", "--to", "mcpkg", "--in-band", "-q"];
    let ran = run_with_input(&arguments, stream.as_bytes());
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 6), "{}", ran.err);
    let arguments = ["restore", "--jsonl", "-", "--to", "tools-json", "-q"];
    let ran = run_with_input(&arguments, ran.out.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), stream.as_str()), "{}", ran.err);
}

/// The help for an array names the flag for streams.
#[test]
fn an_array_of_documents_needs_the_flag() {
    for (format, help) in [
        ("mcpkg", "a document is one manifest; an array of them is a stream: --jsonl"),
        ("jumith", "an array of documents is a stream: use --jsonl"),
        ("install-manifest", "an array of documents is a stream: use --jsonl"),
    ] {
        let ran = run_with_input(&["validate", "--from", format, "-"], b"[]");
        assert_eq!(ran.code, Some(1), "{format}: {}", ran.err);
        assert!(ran.err.contains(&format!("help: {help}\n")), "{format}: {}", ran.err);
    }
}
