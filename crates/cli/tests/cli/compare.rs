//! The verbs that compare files of any formats.

use crate::program::{ECHO, Folder, TIME, json, run, run_with_input, workspace};

const OLD: &str = r#"{"tools": [
    {"name": "find", "description": "Finds.", "command": ["./tools/bin/find"],
     "schema": {"type": "object", "properties": {"query": {"type": "string"}}}},
    {"name": "old", "command": ["./tools/bin/old"]}]}"#;
const NEW: &str = r#"{"tools": [
    {"name": "find", "description": "Finds.", "command": ["./tools/bin/find2"],
     "schema": {"type": "object", "required": ["query"],
       "properties": {"query": {"type": ["string", "null"]}, "limit": {"type": "integer"}}}},
    {"name": "new", "command": ["./tools/bin/new"]},
    {"name": "newer", "command": ["./tools/bin/newer"]}]}"#;

#[test]
fn diff() {
    let folder = Folder::new("compare-diff");
    let (old, new) = (folder.write("old.json", OLD), folder.write("new.json", NEW));
    let ran = run(&["diff", &old, &new]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(
        ran.out,
        "\
breaking   input-now-required in find at /tools/0/schema/properties/query: \"query\" must be there now
breaking   tool-removed in old at /tools/1 of the old file: \"old\" is gone
undecided  program-changed (ask) in find at /tools/0/command: something else is run
additive   input-added in find at /tools/0/schema/properties/limit: \"limit\" is new
additive   input-widened in find at /tools/0/schema/properties/query: \"query\" has more values
additive   tool-added (ask) in new at /tools/1: \"new\" is new
additive   tool-added (ask) in newer at /tools/2: \"newer\" is new
the owner must agree anew
"
    );
    assert_eq!(run(&["diff", "--upgrade-safe", &old, &new]).code, Some(1));
    let ran = run(&["diff", "--upgrade-safe", &old, &old]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "no changes\n"));
    let found = json(&run(&["diff", "--format", "json", &old, &new]).out);
    assert_eq!(found["upgrade_safe"], json("false"));
    let query = found["changes"].as_array().unwrap();
    let query = query.iter().find(|change| change["kind"] == "input-now-required").unwrap();
    assert_eq!(query["tool"], "find");
    assert_eq!(query["field"], "/input_schema/properties/query");
    assert_eq!(query["old"], "/tools/0/schema/properties/query");

    // Files in two formats, and one that is in none.
    let ran = run(&["diff", ECHO, TIME]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("breaking   tool-removed in demo.echo"), "{}", ran.out);
    let converted = run(&["convert", ECHO, "--to", "tools-json"]);
    let converted = folder.write("echo.json", converted.out);
    let ran = run(&["diff", ECHO, &converted]);
    assert!(ran.out.contains("\nundecided  not said: tools-json has no word for "), "{}", ran.out);
    assert!(!ran.out.contains("description"), "{}", ran.out);
    let ran = run_with_input(&["diff", &old, "-"], b"{}");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("error[cli/unknown-format]"), "{}", ran.err);
    let ran = run_with_input(&["diff", &old, "-", "--from-new", "tools-json"], b"{}");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error[json/required]"), "{}", ran.err);
}

#[test]
fn digest() {
    let folder = Folder::new("compare-digest");
    let old = folder.write("old.json", OLD);
    let other = folder
        .write("other.json", OLD.replace(' ', "\n  ").replace("\"Finds.\"", "\"Find\\u0073.\""));
    let digests = |arguments: &[&str]| -> Vec<String> {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        ran.out.lines().map(|line| line.split("  ").next().unwrap().to_owned()).collect()
    };
    let here = digests(&["digest", &old]);
    assert_eq!(here.len(), 2);
    assert!(here.iter().all(|digest| digest.starts_with("sha256:") && digest.len() == 71));
    assert_eq!(here, digests(&["digest", &other]));
    let edited = folder.write("edited.json", OLD.replace("Finds.", "Finds all."));
    let there = digests(&["digest", &edited]);
    assert_ne!(here[0], there[0]);
    assert_eq!(here[1], there[1]);
    assert_ne!(here, digests(&["digest", "--interface", &old]));
    let file = json(&run(&["digest", "--format", "json", &old]).out);
    assert_eq!(
        (file["format"].as_str(), file["tools"].as_array().unwrap().len()),
        (Some("tools-json"), 2)
    );
    let tool = &file["tools"][0];
    assert_eq!((tool["id"].as_str(), tool["whole"].as_str()), (Some("find"), Some(&*here[0])));
    assert_eq!(run(&["digest", "no/such/file"]).code, Some(2));
}

#[test]
fn duplicates() {
    let folder = Folder::new("compare-duplicates");
    let (old, new) = (folder.write("old.json", OLD), folder.write("new.json", NEW));
    let copy = OLD.replace("\"old\"", "\"other\"").replace("\"find\"", "\"evil.find\"");
    let copy = folder.write("copy.json", copy);
    let ran = run(&["duplicates", &old, &new, &copy]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    assert!(ran.out.starts_with("conflict\n  find in "), "{}", ran.out);
    assert!(
        ran.out.contains("\n    undecided  program-changed (ask) at /tools/0/command: "),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("\ncopy\n  find in "), "{}", ran.out);
    assert!(ran.out.ends_with("1 conflict, 1 copy, 0 exact duplicates\n"), "{}", ran.out);
    let ran = run(&["duplicates", "--format", "json", &old, &old]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(json(&ran.out)["groups"][0]["likeness"], "exact");
    let ran = run(&["duplicates", &old]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "no duplicates\n"));

    let merged = folder.path("all.json");
    let ran =
        run(&["duplicates", &old, &new, "--merge", "first", "--to", "tools-json", "-o", &merged]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.err.contains("(kept)") && ran.err.ends_with("4 tools, 1 conflict\n"),
        "{}",
        ran.err
    );
    let tools = json(&folder.read("all.json"));
    let names: Vec<_> =
        tools["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["find", "old", "new", "newer"]);
    assert_eq!(tools["tools"][0]["command"][0], "./tools/bin/find");
    for which in ["newest", "none"] {
        let ran = run(&["duplicates", &old, &new, "--merge", which, "--to", "tools-json"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{which}");
    }
    // A format without lists has a document for each tool.
    let arguments = ["duplicates", ECHO, &old, "--merge", "none", "--to", "mcpkg"];
    let ran = run(&arguments);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("there are 3 documents") && ran.err.contains("-o FOLDER"));
    let documents = folder.path("documents");
    let ran = run(&[&arguments, &["-o", &documents][..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let documents = folder.inside("documents");
    assert_eq!(documents.names().len(), 3);
    let one = |name: &String| json(&documents.read(name))["toolId"] == "demo.echo";
    assert!(documents.names().iter().any(one), "{:?}", documents.names());
    // Where the target cannot say what is written, merging asks as converting does.
    let off = workspace("examples/manifests/count.capability.json");
    let off = folder.write("off.json", off.replacen('{', "{\"enabled\": false,", 1));
    let arguments = ["duplicates", &off, &old, "--merge", "none", "--to", "tools-json"];
    let ran = run(&arguments);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("error[convert/disabled]"), "{}", ran.err);
    let ran = run(&[&arguments, &["--accept", "disabled"][..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out)["tools"].as_array().unwrap().len(), 3);
    assert_eq!(run(&["duplicates", &old, "--merge", "first"]).code, Some(2));
}

/// Programs get an object for every file, or for the files that are compared, also when
/// one of them is invalid or cannot be read.
#[test]
fn objects_for_programs() {
    let folder = Folder::new("compare-objects");
    let (good, bad) =
        (folder.write("good.json", OLD), folder.write("bad.json", "{\"tools\": [{}]}"));
    let (broken, gone) = (folder.write("broken.json", "{"), folder.path("gone.json"));
    for verb in ["validate", "detect", "digest"] {
        for (file, code) in [(&good, 0), (&bad, 1), (&broken, 1), (&gone, 2)] {
            let ran = run(&[verb, "--format", "json", file]);
            let object = json(&ran.out);
            assert_eq!((ran.code, object["file"].as_str()), (Some(code), Some(&**file)), "{verb}");
            let error = object["error"].as_str().unwrap_or_default();
            assert_eq!(error.starts_with("cannot read "), code == 2, "{verb} {object}");
            let found = object["diagnostics"].as_array().map_or(0, Vec::len);
            assert_eq!(found > 0, code == 1, "{verb} {object}");
        }
    }
    let ran = run(&["digest", "--format", "json", &good, &bad, &gone, &good]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(2), 4));
    for verb in ["diff", "duplicates"] {
        let verdict = if verb == "diff" { "upgrade_safe" } else { "groups" };
        let object = |old: &str, new: &str, code| {
            let ran = run(&[verb, "--format", "json", old, new]);
            assert_eq!(ran.code, Some(code), "{verb} {}", ran.err);
            json(&ran.out)
        };
        let found = object(&good, &good, 0);
        assert!(
            !found[verdict].is_null() && found["files"][1]["format"] == "tools-json",
            "{found}"
        );
        for (file, code) in [(&bad, 1), (&broken, 1), (&gone, 2)] {
            let found = object(&good, file, code);
            assert!(found[verdict].is_null(), "{found}");
            assert_eq!(found["files"].as_array().unwrap().len(), 2);
            assert!(found["files"][0].get("diagnostics").is_none(), "{found}");
            let told = if code == 2 { "error" } else { "diagnostics" };
            assert!(found["files"][1].get(told).is_some(), "{found}");
        }
        let both = object(&bad, &gone, 2);
        assert!(both["files"][0].get("diagnostics").is_some(), "{both}");
        assert!(both["files"][1].get("error").is_some(), "{both}");
    }
    let ran = run(&["validate", "--jsonl", "--format", "json", &gone]);
    assert_eq!((ran.code, json(&ran.out)["valid"].as_bool()), (Some(2), Some(false)));
}
