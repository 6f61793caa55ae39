use crate::program::{ECHO, Folder, TIME, json, run, run_with_input, workspace};

const COUNT: &str = "examples/manifests/count.capability.json";

#[test]
fn the_first_command_of_the_readme() {
    let ran = run(&["convert", ECHO, "--to", "tools-json"]);
    assert_eq!(ran.code, Some(0));
    let echo = json(&workspace(ECHO));
    assert_eq!(json(&ran.out)["tools"][0]["description"], echo["description"]);
    assert_eq!(json(&ran.out)["tools"][0]["schema"], echo["input_schema"]);
    assert_eq!(ran.err, include_str!("convert_echo.stderr"));
}

#[test]
fn several_documents_go_to_a_folder() {
    let folder = Folder::new("convert-several");
    let target = folder.path("made");
    let ran = run(&["convert", TIME, "--to", "mcpkg", "-o", &target]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, "");
    assert_eq!(ran.err.replace(&target, "FOLDER"), include_str!("convert_time.stderr"));
    let made = folder.inside("made");
    let names = made.names();
    assert_eq!(names.len(), 4, "{names:?}");
    assert_eq!(names.last().map(String::as_str), Some("toolglot.residue.json"));
    let ids: Vec<_> =
        names.iter().take(3).map(|name| json(&made.read(name))["toolId"].clone()).collect();
    assert!(ids.iter().all(|id| id.as_str().unwrap().starts_with("local.")), "{ids:?}");
    // A folder that is there, and one that is named as one, take a single document, too.
    for output in [folder.path("made"), folder.path("more/")] {
        let ran = run(&["convert", TIME, "--to", "mcpkg", "--tool", "get_time", "-o", &output]);
        assert_eq!(ran.code, Some(if output.ends_with('/') { 0 } else { 2 }), "{}", ran.err);
    }
    assert_eq!(folder.inside("more").names().len(), 2);
}

#[test]
fn a_file_name_makes_no_folder() {
    let folder = Folder::new("convert-file-name");
    let target = folder.path("out.json");
    let ran = run(&["convert", TIME, "--to", "mcpkg", "-o", &target]);
    assert_eq!((ran.code, folder.names()), (Some(2), Vec::new()), "{}", ran.err);
    let said = format!("there are 3 documents, and {target} takes one: name a folder");
    assert!(ran.err.contains(&said), "{}", ran.err);
    // One that is named as a folder is one, whatever it is called.
    let ran = run(&["convert", TIME, "--to", "mcpkg", "-o", &format!("{target}/")]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

/// The residue of three documents is no residue of one of them alone.
#[test]
fn a_residue_that_others_need_stays() {
    let folder = Folder::new("convert-residue-stays");
    let output = folder.path("");
    assert_eq!(run(&["convert", TIME, "--to", "mcpkg", "-o", &output, "-q"]).code, Some(0));
    let residue = folder.read("toolglot.residue.json");
    let one = ["convert", TIME, "--to", "mcpkg", "--tool", "get_time", "-q", "-o", &output];
    let ran = run(&one);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("toolglot.residue.json is the residue of "), "{}", ran.err);
    assert_eq!(folder.read("toolglot.residue.json"), residue);
    // The same again loses nothing, and a named residue is somewhere else.
    assert_eq!(run(&["convert", TIME, "--to", "mcpkg", "-o", &output, "-q"]).code, Some(0));
    let elsewhere = folder.path("one.residue.json");
    assert_eq!(run(&[&one, &["--residue", &elsewhere][..]].concat()).code, Some(0));
    assert_eq!(run(&[&one, &["--force"][..]].concat()).code, Some(0));
    assert_ne!(folder.read("toolglot.residue.json"), residue);
}

#[test]
fn several_documents_do_not_fit_into_one_place() {
    let folder = Folder::new("convert-no-place");
    let file = folder.write("file.json", "mine");
    for output in ["-", &file] {
        let ran = run(&["convert", TIME, "--to", "mcpkg", "-o", output]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        assert!(ran.err.starts_with("error: there are 3 documents, and "), "{}", ran.err);
        for way in ["-o FOLDER", "--tool ID", "--jsonl"] {
            assert!(ran.err.contains(way), "{}", ran.err);
        }
    }
    assert_eq!(folder.read("file.json"), "mine");
    let ran = run(&["convert", TIME, "--to", "mcpkg", "--tool", "fs_search", "-q"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(json(&ran.out)["auth"], serde_json::Value::Null);
    let ran = run(&["convert", TIME, "--to", "mcpkg", "--tool", "no_such"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[convert/no-tool]: "), "{}", ran.err);
    assert!(ran.err.contains("\"get_time\""), "{}", ran.err);
}

#[test]
fn no_tool_is_no_document() {
    let folder = Folder::new("convert-none");
    let empty = b"{\"tools\": []}\n";
    let residue = folder.path("r.json");
    let arguments = ["convert", "-", "--to", "mcpkg", "--residue", &residue];
    let ran = run_with_input(&arguments, empty);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert!(ran.err.contains("\nThere is no tool to convert: no document was written.\n"));
    let ran = run(&["restore", "--to", "tools-json", "--residue", &residue, "-q"]);
    assert_eq!((ran.code, ran.out.as_bytes()), (Some(0), &empty[..]), "{}", ran.err);
}

#[test]
fn quiet_says_nothing() {
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--quiet"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.err, "");
}

#[test]
fn a_long_account_is_cut_unless_asked() {
    let members: Vec<_> = (0..30).map(|i| format!("\"x-{i}\": {i}")).collect();
    let text = workspace(ECHO).replacen('{', &format!("{{ {},", members.join(",")), 1);
    let ran = run_with_input(&["convert", "-", "--to", "tools-json"], text.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // Thirty members more than the six that stay behind anyway, and four are shown.
    assert!(ran.err.contains("\n  … and 32 more (--verbose shows all)\n"), "{}", ran.err);
    let ran = run_with_input(&["convert", "-", "--to", "tools-json", "-v"], text.as_bytes());
    assert!(ran.err.contains("\n  x-29 "), "{}", ran.err);
    assert!(!ran.err.contains("--verbose"), "{}", ran.err);
}

/// What concerns safety comes first, and is never cut.
#[test]
fn safety_comes_first_and_whole() {
    let tool = |i: usize| format!(r#"{{"name": "tool_{i}", "command": ["./tools/bin/t"]}}"#);
    let tools: Vec<_> = (0..40).map(tool).collect();
    let text = format!("{{\"tools\": [{}]}}", tools.join(","));
    let ran = run_with_input(&["convert", "-", "--to", "capability"], text.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines: Vec<_> = ran.err.lines().collect();
    assert!(lines[2].starts_with("safety: "), "{}", ran.err);
    let names: Vec<_> = (0..40).map(|n| format!("tool_{n}")).collect();
    let first = format!("the source does not say what it changes ({})", names.join(", "));
    assert_eq!(lines[3].trim(), first);
    // A Unison command is given no arguments: none of these runs, and each is named.
    let at = lines.iter().position(|line| *line == "does not run: 40 tools").unwrap();
    assert!(lines[at + 1].contains("tool_0, ") && lines[at + 1].contains(", tool_39)"));
}

#[test]
fn what_is_switched_off_or_needs_approval_is_refused() {
    let off = workspace(COUNT).replacen('{', "{\"enabled\": false,", 1);
    let convert = |more: &[&str]| {
        let arguments = [&["convert", "-", "--to", "tools-json"], more].concat();
        run_with_input(&arguments, off.as_bytes())
    };
    let ran = convert(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.starts_with("error[convert/disabled]: "), "{}", ran.err);
    assert!(ran.err.contains("\n --> <stdin>:1:13, at /enabled\n"), "{}", ran.err);
    assert!(ran.err.contains("--accept disabled"), "{}", ran.err);
    assert_eq!(convert(&["--accept", "approval"]).code, Some(1));
    let ran = convert(&["--accept", "disabled,approval"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let notice = "\n  switched off in the source, callable in tools-json (files.count)\n";
    assert!(ran.err.contains(notice), "{}", ran.err);
    let ran = convert(&["--without", "disabled"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out), json("{\"tools\": []}"));
}

#[test]
fn the_same_format_is_the_same_bytes() {
    let odd = "{ \"tools\":[\r\n{\"name\": \"a\",\t\"timeoutSec\": 10, \
               \"x\": 1e1, \"command\":[\"./tools/bin/a\"] } ] }\n\n";
    let ran = run_with_input(&["convert", "-", "--to", "tools-json"], odd.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, odd);
}

#[test]
fn an_invalid_source() {
    let ran =
        run_with_input(&["convert", "-", "--to", "mcpkg"], br#"{"tools": [{"command": []}]}"#);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("error[tools-json/"), "{}", ran.err);
    assert!(ran.err.contains("\n --> <stdin>:1:"), "{}", ran.err);
    assert!(ran.err.contains("1 | {\"tools\": [{\"command\": []}]}"), "{}", ran.err);
}

#[test]
fn a_source_that_is_not_json() {
    let ran = run_with_input(&["convert", "-", "--to", "mcpkg"], b"{'tools': []}");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[json/syntax]: "), "{}", ran.err);
}

#[test]
fn strict_refuses_to_assume_and_the_bridge() {
    let folder = Folder::new("strict");
    let target = folder.path("tools.json");
    let strict = ["convert", ECHO, "--to", "tools-json", "--strict", "-o", &target];
    let ran = run(&strict);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[convert/bridge]: "), "{}", ran.err);
    assert!(folder.names().is_empty());
    // The bridge is all that this conversion needs.
    let ran = run(&[&strict, &["--accept", "bridge"][..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = run(&["convert", TIME, "--to", "mcpkg", "--strict", "--accept", "bridge"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[convert/assumed]: "), "{}", ran.err);
    assert!(ran.err.contains("\n --> /version\n"), "{}", ran.err);
}

#[test]
fn files_are_written() {
    let folder = Folder::new("convert-files");
    let (target, residue) = (folder.path("t.json"), folder.path("r.json"));
    let report = folder.path("report.json");
    let beside = ["-o", &target, "--residue", &residue, "--report", &report];
    let ran = run(&[&["convert", ECHO, "--to", "tools-json"], &beside[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, "");
    let hint =
        format!("\nTo come back: toolglot restore {target} --to mcpkg --residue {residue}\n");
    assert!(ran.err.ends_with(&hint), "{}", ran.err);
    assert_eq!(folder.names(), ["r.json", "report.json", "t.json"]);
    assert_eq!(json(&folder.read("r.json"))["source"], json(&workspace(ECHO)));

    let report = json(&folder.read("report.json"));
    let mut members: Vec<_> = report.as_object().unwrap().keys().collect();
    members.sort();
    let expected = [
        "documents",
        "from",
        "implied",
        "needs",
        "report_version",
        "safety",
        "score",
        "source",
        "target",
        "to",
        "tools",
    ];
    assert_eq!(members, expected);
    assert_eq!((&report["from"], &report["to"]), (&"mcpkg".into(), &"tools-json".into()));
    assert_eq!(report["documents"], json("[\"tools.json\"]"));
    // Every value of the source is there once: there are seventeen that hold no others.
    let source = report["source"].as_array().unwrap();
    assert_eq!(source.len(), 17);
    let description = source.iter().find(|leaf| leaf["source"] == "/description").unwrap();
    assert_eq!(description["class"], "native");
    assert_eq!(description["target"][0]["pointer"], "/tools/0/description");
    let score = &report["score"];
    let sum =
        ["native", "equivalent", "approximated", "residue_only"].map(|class| score[class].as_u64());
    assert_eq!(sum.iter().flatten().sum::<u64>(), 17);
    assert_eq!(score["values"], 17);
    // The launcher and its arguments, but for the digest of the source.
    assert_eq!((&score["assumed"], &score["bridge"]), (&0.into(), &6.into()));
    assert_eq!(report["tools"][0]["runs"], "through-the-bridge");
}

#[test]
fn the_residue_is_kept_beside_the_file() {
    let folder = Folder::new("convert-beside");
    let target = folder.path("t.json");
    let convert = ["convert", ECHO, "--to", "tools-json", "-o", &target];
    let ran = run(&convert);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let hint = format!("\nTo come back: toolglot restore {target} --to mcpkg\n");
    assert!(ran.err.ends_with(&hint), "{}", ran.err);
    assert_eq!(folder.names(), ["t.json", "t.json.residue.json"]);
    let folder = Folder::new("convert-not-beside");
    let target = folder.path("t.json");
    let convert = ["convert", ECHO, "--to", "tools-json", "-o", &target];
    let ran = run(&[&convert, &["--no-residue"][..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let hint = "\nThe residue was not kept. To come back to mcpkg later, leave out --no-residue, \
                or add --in-band.\n";
    assert!(ran.err.ends_with(hint), "{}", ran.err);
    assert_eq!(folder.names(), ["t.json"]);
    // What is inside need not be beside, and what is the same needs none.
    assert_eq!(run(&[&convert, &["--in-band"][..]].concat()).code, Some(0));
    assert_eq!(run(&["convert", ECHO, "--to", "mcpkg", "-o", &target]).code, Some(0));
    assert_eq!(folder.names(), ["t.json"]);
    assert_eq!(folder.read("t.json"), workspace(ECHO));
}

/// What stands where a residue is to be, and is none, may be somebody's.
#[test]
fn what_is_no_residue_stays() {
    let folder = Folder::new("convert-no-residue");
    let target = folder.path("t.json");
    folder.write("t.json.residue.json", "{\"residue\": 99}");
    std::fs::create_dir(folder.path("made")).unwrap();
    let made = folder.inside("made");
    made.write("toolglot.residue.json", "precious");
    let (to, output) = (made.path(""), made.path("toolglot.residue.json"));
    for (source, target, residue) in
        [(ECHO, &target, &folder.path("t.json.residue.json")), (TIME, &to, &output)]
    {
        let before = std::fs::read_to_string(residue).unwrap();
        let format = if source == ECHO { "tools-json" } else { "mcpkg" };
        let convert = ["convert", source, "--to", format, "-q", "-o", target];
        let ran = run(&convert);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("residue.json is there, and no residue"), "{}", ran.err);
        assert_eq!(std::fs::read_to_string(residue).unwrap(), before);
        assert_eq!(run(&[&convert, &["--no-residue"][..]].concat()).code, Some(0));
        assert_eq!(run(&[&convert, &["--force"][..]].concat()).code, Some(0));
        assert_ne!(std::fs::read_to_string(residue).unwrap(), before);
    }
}

#[cfg(unix)]
#[test]
fn a_residue_with_a_secret_is_its_owners() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    let mode = |path: &str| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = Folder::new("convert-secret");
    let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let secret = workspace(ECHO).replacen('{', &format!("{{\"x-note\": \"{token}\","), 1);
    for (name, text, expected) in [("open", workspace(ECHO), 0), ("secret", secret, 0o600)] {
        let source = folder.write(&format!("{name}.json"), text);
        let target = folder.path(&format!("{name}.tools.json"));
        let ran = run(&["convert", &source, "--to", "tools-json", "-o", &target]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let residue = format!("{target}.residue.json");
        assert!(expected == 0 || mode(&residue) == expected, "{:o}", mode(&residue));
        let said = format!("{residue} holds a secret of the source: only its owner may read it\n");
        assert_eq!(ran.err.contains(&said), name == "secret", "{}", ran.err);
        assert!(!ran.err.contains(token));
        let ran = run(&["convert", &source, "--to", "tools-json", "-o", &target, "-q"]);
        assert_eq!(ran.err, if name == "secret" { said } else { String::new() });
        // The same for a stream.
        let target = folder.path(&format!("{name}.jsonl"));
        let ran = run(&["convert", "--jsonl", &source, "--to", "tools-json", "-o", &target]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let residue = format!("{target}.residue.jsonl");
        assert!(expected == 0 || mode(&residue) == expected, "{:o}", mode(&residue));
        // Without a secret, it is a file as any.
        assert!(expected != 0 || mode(&residue) == mode(&target), "{:o}", mode(&residue));
        assert_eq!(ran.err.contains("holds a secret"), name == "secret", "{}", ran.err);
        // That is said however quiet it is to be.
        let ran = run(&["convert", "--jsonl", &source, "--to", "tools-json", "-o", &target, "-q"]);
        assert_eq!(ran.err.contains("holds a secret"), name == "secret", "{}", ran.err);
    }
    assert!(folder.names().iter().all(|name| !name.contains("tmp")), "{:?}", folder.names());
}

#[test]
fn a_source_is_not_overwritten() {
    let folder = Folder::new("convert-over");
    let source = folder.write("source.json", workspace(ECHO));
    let arguments = ["convert", &source, "--to", "tools-json", "-o", &source];
    for more in [&[][..], &["--jsonl"], &["--no-residue"]] {
        let ran = run(&[&arguments, more].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("source.json is what is read: "), "{}", ran.err);
        assert_eq!(folder.names(), ["source.json"]);
    }
    let beside = ["--report", &source];
    assert_eq!(run(&[&arguments[..4], &beside[..]].concat()).code, Some(2));
    assert_eq!(folder.read("source.json"), workspace(ECHO));
    let ran = run(&[&arguments, &["--force"][..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // It can be had again.
    let ran = run(&["restore", &source, "--to", "mcpkg", "-q"]);
    assert_eq!((ran.code, ran.out), (Some(0), workspace(ECHO)), "{}", ran.err);
}

#[test]
fn two_outputs_need_two_places() {
    let ran = run(&["convert", ECHO, "--to", "tools-json", "-o", "x", "--residue", "x"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err, "error: two outputs would go to x\n");
    // However it is spelled, and whether it is there or not.
    let folder = Folder::new("two-outputs");
    let (one, other) = (folder.path("x.json"), folder.path("../two-outputs/./x.json"));
    for _ in 0..2 {
        let convert = ["convert", ECHO, "--to", "tools-json", "-o", &one, "--report", &other];
        let ran = run(&convert);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert_eq!(ran.err, format!("error: two outputs would go to {other}\n"));
        folder.write("x.json", "{}");
    }
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--report", "-"]);
    assert_eq!(ran.code, Some(2));
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--report", "-", "-o", "/no/such/x"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("error: cannot write /no/such/x"), "{}", ran.err);
}

/// What was converted before says all that its source does, with the edits made to it.
#[test]
fn onwards_with_the_residue() {
    let folder = Folder::new("convert-onwards");
    let middle = folder.path("tools.json");
    let ran = run(&["convert", ECHO, "--to", "tools-json", "-o", &middle, "-q"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let residue = folder.path("tools.json.residue.json");
    let onwards = ["convert", &middle, "--residue-of", &residue, "--to", "capability"];
    let ran = run(&onwards);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let direct = run(&["convert", ECHO, "--to", "capability", "-q"]);
    assert_eq!(json(&ran.out), json(&direct.out));
    assert!(ran.err.contains(": mcpkg → tools-json → capability\n"), "{}", ran.err);
    // An edit goes along, and comes back to the first source.
    let edited = folder.read("tools.json").replace("Echos back", "Repeats");
    folder.write("tools.json", edited);
    let last = folder.path("count.json");
    let ran = run(&[&onwards, &["-o", &last][..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let says = "Repeats whatever input it receives.";
    assert_eq!(json(&folder.read("count.json"))["description"], says);
    let ran = run(&["restore", &last, "--to", "mcpkg", "-q"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, workspace(ECHO).replace("Echos back", "Repeats"));
    // The way back has a verb of its own, and a residue belongs to a format.
    let ran = run(&["convert", &middle, "--residue-of", &residue, "--to", "mcpkg"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("toolglot restore --to mcpkg"), "{}", ran.err);
    let ran = run(&["convert", ECHO, "--residue-of", &residue, "--to", "jumith"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[convert/unrelated]: "), "{}", ran.err);
}

const LIST: &str = r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "notes.find",
  "description": "Finds notes.", "inputSchema": {"type": "object"},
  "annotations": {"readOnlyHint": true}}]}}"#;

/// A list does not tell how its server is reached: who says it beside the list gets calls, and who
/// does not is told that there are none.
#[test]
fn a_list_of_tools_is_converted_with_its_server() {
    let folder = Folder::new("convert-server");
    let list = folder.write("list.json", LIST);
    for format in ["tools-json", "install-manifest", "mcpkg", "capability", "jumith"] {
        let ran = run(&["convert", &list, "--to", format, "--no-residue"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.contains("does not run: 1 tool"), "{format}: {}", ran.err);
        assert!(ran.err.contains("no call could be read from the source"), "{format}: {}", ran.err);
    }
    let (start, url) = ("npx -y '@example/my notes'", "https://example.com/mcp");
    for (server, wanted) in [
        (start, serde_json::json!(["npx", "-y", "@example/my notes"])),
        (url, serde_json::json!(url)),
    ] {
        let to = ["--to", "install-manifest", "--no-residue"];
        let ran = run(&[&["convert", &list, "--server", server], &to[..]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.contains("runs as it is: 1 tool"), "{}", ran.err);
        let made = json(&ran.out);
        let runtime = &made["runtime"];
        let reached = runtime.get("endpoint_url").unwrap_or(&runtime["entrypoint"]["command"]);
        assert_eq!(*reached, wanted, "{}", ran.out);
        let call = &made["actions"][0]["invocation"];
        assert_eq!((&call["kind"], &call["tool_name"]), (&"mcp-tool".into(), &"notes.find".into()));
    }
    // What is restored has the server, and all else is as it was.
    let output = folder.path("made/");
    let to = ["--to", "jumith", "-o", &output, "-q"];
    let ran = run(&[&["convert", &list, "--server", url], &to[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = run(&["restore", &output, "--to", "tool-list", "-q"]);
    let served = LIST.replace("}]}}", "}]}, \"server\": {\"url\": \"https://example.com/mcp\"}}");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), served.as_str()), "{}", ran.err);
    // It is for lists, and for commands that end.
    let ran = run(&["convert", &list, "--server", "npx 'a", "--to", "mcpkg"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let ran = run(&["convert", TIME, "--server", url, "--to", "mcpkg"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("--server is for lists of tools"), "{}", ran.err);
}

/// A server of the registry gets the tools of a list, and is called at its URL.
#[test]
fn a_server_gets_the_tools_of_a_list() {
    let folder = Folder::new("convert-server-tools");
    let list = folder.write("list.json", LIST);
    let file = folder.write(
        "server.json",
        r#"{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "com.example/notes", "version": "1.0.0", "description": "Notes.",
  "_meta": {"com.example/x": 1},
  "remotes": [{"type": "streamable-http", "url": "https://notes.example.com/mcp"}]}"#,
    );
    let to = ["--to", "install-manifest", "--no-residue"];
    let ran = run(&[&["convert", file.as_str(), "--tools", &list], &to[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let manifest = json(&ran.out);
    assert_eq!(manifest["runtime"]["endpoint_url"], "https://notes.example.com/mcp");
    assert_eq!(manifest["actions"][0]["invocation"]["tool_name"], "notes.find");
    assert!(ran.err.contains("runs as it is: 1 tool"), "{}", ran.err);
}

/// A bundle that does not list its tools gets those of a list.
#[test]
fn a_bundle_gets_the_tools_of_a_list() {
    let folder = Folder::new("convert-tools");
    let list = folder.write("list.json", LIST);
    let bundle = |tools: &str| {
        format!(
            r#"{{"manifest_version": "0.3", "name": "notes", "version": "1.0.0",
  "description": "Notes.", "author": {{"name": "Ann"}}, "server": {{"type": "node",
  "entry_point": "a.js", "mcp_config": {{"command": "node", "args": ["${{__dirname}}/a.js"]}}}}{tools}}}"#
        )
    };
    let convert = |text: &str| {
        let file = folder.write("manifest.json", text);
        run(&["convert", &file, "--tools", &list, "--to", "mcpb", "--no-residue", "-q"])
    };
    let found = serde_json::json!({"name": "notes.find", "description": "Finds notes."});
    let ran = convert(&bundle(""));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out)["tools"], serde_json::json!([found]));
    let ran = convert(&bundle(r#", "tools_generated": true, "tools": [{"name": "a"}]"#));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out)["tools"], serde_json::json!([{"name": "a"}, found]));
    // One that lists them is not asked.
    let ran = convert(&bundle(r#", "tools": [{"name": "a"}]"#));
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("it lists its tools"), "{}", ran.err);
    let ran = run(&["convert", TIME, "--tools", &list, "--to", "mcpkg"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(
        ran.err.contains("--tools is for manifests of MCP servers (mcpb, server-json)"),
        "{}",
        ran.err
    );
}
