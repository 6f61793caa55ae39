//! What is found, as SARIF 2.1.0. [`conforms`] says what the specification asks of the objects that we
//! write, by their names in it.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::program::{ECHO, Folder, TIME, run, workspace};

/// The members that an object may have, and whether they must be there.
type Members = &'static [(&'static str, bool)];

fn members(object: &Value, section: &str, known: Members) {
    let object = object.as_object().unwrap_or_else(|| panic!("{section}: {object} is no object"));
    for name in object.keys() {
        assert!(known.iter().any(|(known, _)| known == name), "{section} has no {name}");
    }
    for (name, _) in known.iter().filter(|(_, required)| *required) {
        assert!(object.contains_key(*name), "{section} must have {name}");
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A place in a list, as a number.
fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap_or_else(|| panic!("{value} is no index"))).unwrap()
}

/// What holds of a log, and the run in it.
fn conforms(text: &str) -> Value {
    let log: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    members(&log, "sarifLog", &[("$schema", false), ("version", true), ("runs", true)]);
    assert_eq!(log["version"], "2.1.0", "sarifLog.version");
    assert_eq!(list(&log["runs"]).len(), 1);
    let run = &log["runs"][0];
    let known = &[
        ("tool", true),
        ("columnKind", false),
        ("invocations", false),
        ("artifacts", false),
        ("results", true),
    ];
    members(run, "run", known);
    assert_eq!(run["columnKind"], "unicodeCodePoints", "run.columnKind");
    for invocation in list(&run["invocations"]) {
        members(invocation, "invocation", &[("executionSuccessful", true)]);
        assert!(invocation["executionSuccessful"].is_boolean(), "invocation.executionSuccessful");
    }
    driver(&run["tool"]);
    artifacts(run);
    list(&run["results"]).iter().for_each(|one| result(one, run));
    run.clone()
}

fn driver(tool: &Value) {
    members(tool, "tool", &[("driver", true)]);
    let driver = &tool["driver"];
    let known = &[("name", true), ("version", false), ("informationUri", false), ("rules", false)];
    members(driver, "toolComponent", known);
    let rules = list(&driver["rules"]);
    for rule in rules {
        let known = &[
            ("id", true),
            ("shortDescription", false),
            ("fullDescription", false),
            ("defaultConfiguration", false),
        ];
        members(rule, "reportingDescriptor", known);
        assert!(rule["shortDescription"]["text"].is_string(), "shortDescription: {rule}");
        assert!(rule["fullDescription"]["text"].is_string(), "fullDescription: {rule}");
        if let Some(configuration) = rule.get("defaultConfiguration") {
            level(&configuration["level"]);
        }
    }
    let ids: BTreeSet<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(ids.len(), rules.len(), "no rule is there twice");
}

fn level(level: &Value) {
    let level = level.as_str().unwrap();
    assert!(["none", "note", "warning", "error"].contains(&level), "result.level: {level}");
}

fn artifacts(run: &Value) {
    let all = list(&run["artifacts"]);
    for (place, artifact) in all.iter().enumerate() {
        members(artifact, "artifact", &[("location", false), ("parentIndex", false)]);
        uri(&artifact["location"]["uri"]);
        if let Some(parent) = artifact.get("parentIndex") {
            assert!(index(parent) < all.len() && index(parent) != place, "artifact.parentIndex");
            let name = artifact["location"]["uri"].as_str().unwrap();
            assert!(name.starts_with('/'), "{name} is a path from the root of the archive");
        }
    }
}

/// RFC 3986 has these characters, and others after a percent sign.
fn uri(value: &Value) {
    let uri = value.as_str().unwrap_or_else(|| panic!("artifactLocation.uri: {value}"));
    let may = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    assert!(!uri.is_empty() && uri.chars().all(may), "artifactLocation.uri: {uri}");
}

fn location(value: &Value, run: &Value) {
    members(value, "artifactLocation", &[("uri", true), ("index", false)]);
    uri(&value["uri"]);
    if let Some(place) = value.get("index") {
        let artifact = &list(&run["artifacts"])[index(place)];
        assert_eq!(artifact["location"]["uri"], value["uri"], "artifactLocation.index");
    }
}

fn region(region: &Value) {
    let known =
        &[("startLine", true), ("startColumn", false), ("endLine", false), ("endColumn", false)];
    members(region, "region", known);
    let [from_line, from, to_line, to] =
        ["startLine", "startColumn", "endLine", "endColumn"].map(|name| index(&region[name]));
    assert!(from_line >= 1 && from >= 1, "counted from one");
    assert!((to_line, to) >= (from_line, from), "it ends before it begins: {region}");
}

fn result(result: &Value, run: &Value) {
    let known = &[
        ("ruleId", false),
        ("ruleIndex", false),
        ("level", false),
        ("message", true),
        ("locations", false),
        ("fixes", false),
    ];
    members(result, "result", known);
    let rule = &run["tool"]["driver"]["rules"][index(&result["ruleIndex"])];
    assert_eq!(rule["id"], result["ruleId"], "result.ruleIndex");
    level(&result["level"]);
    assert!(!result["message"]["text"].as_str().unwrap().is_empty(), "message.text");
    for one in list(&result["locations"]) {
        members(one, "location", &[("physicalLocation", false), ("logicalLocations", false)]);
        let place = &one["physicalLocation"];
        members(place, "physicalLocation", &[("artifactLocation", true), ("region", false)]);
        location(&place["artifactLocation"], run);
        place.get("region").into_iter().for_each(region);
        for logical in list(&one["logicalLocations"]) {
            assert!(
                logical["fullyQualifiedName"].is_string(),
                "logicalLocation.fullyQualifiedName"
            );
        }
    }
    for fix in list(&result["fixes"]) {
        members(fix, "fix", &[("artifactChanges", true)]);
        assert!(!list(&fix["artifactChanges"]).is_empty(), "fix.artifactChanges");
        for change in list(&fix["artifactChanges"]) {
            members(
                change,
                "artifactChange",
                &[("artifactLocation", true), ("replacements", true)],
            );
            location(&change["artifactLocation"], run);
            for replacement in list(&change["replacements"]) {
                members(
                    replacement,
                    "replacement",
                    &[("deletedRegion", true), ("insertedContent", false)],
                );
                region(&replacement["deletedRegion"]);
            }
        }
    }
}

/// A result: its rule, its level, the name of its file, and the line.
type Told<'a> = (&'a str, &'a str, &'a str, Option<u64>);

fn told<'a>(result: &'a Value) -> Told<'a> {
    let place = &result["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    let [rule, level] = ["ruleId", "level"].map(|name| result[name].as_str().unwrap());
    (rule, level, uri.rsplit('/').next().unwrap(), place["region"]["startLine"].as_u64())
}

fn all(run: &Value) -> Vec<Told<'_>> {
    list(&run["results"]).iter().map(told).collect()
}

#[test]
fn of_files() {
    let folder = Folder::new("sarif-files");
    folder.write(
        "bad é.json",
        "{\"tools\": [{\"name\": \"x\", \"description\": \"X.\",\n  \"command\": [7]}]}",
    );
    folder.write("misspelt.json", r#"{"tools": [{"name": "x", "comand": ["./tools/bin/x"]}]}"#);
    folder.write("good.json", workspace(ECHO));
    for verb in ["validate", "lint"] {
        let ran = run(&[verb, "--format", "sarif", &folder.path("")]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
        let found = conforms(&ran.out);
        let wrong = |one: &Told<'_>| one.1 == "error" && one.2 == "bad%20%C3%A9.json";
        let lines: Vec<_> = all(&found).into_iter().filter(wrong).map(|one| one.3).collect();
        assert_eq!(lines, [Some(2)], "{found}");
        assert!(all(&found).contains(&("mcpkg/tool-id-segments", "warning", "good.json", Some(2))));
        let ran = run(&[verb, "--format", "sarif", &folder.path("nothing.json")]);
        let unread = conforms(&ran.out);
        assert_eq!(unread["invocations"][0]["executionSuccessful"], false);
        assert_eq!((ran.code, all(&unread).len()), (Some(2), 0));
    }
    let spelt =
        ["validate", "--from", "tools-json", "--format", "sarif", &folder.path("misspelt.json")];
    let spelt = conforms(&run(&spelt).out);
    assert!(list(&spelt["results"]).iter().any(|one| !list(&one["fixes"]).is_empty()), "{spelt}");
}

#[test]
fn of_packages() {
    let folder = Folder::new("sarif-packages");
    let package = folder.path("echo.mcpkg");
    assert_eq!(run(&["pack", "examples/packages/echo", "-o", &package]).code, Some(0));
    let ran = run(&["inspect", "--format", "sarif", &package]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let found = conforms(&ran.out);
    // About the package, which has no lines; and about a line of a file in it.
    let name = ("mcpkg/file-name", "warning", "echo.mcpkg", None);
    let url = ("mcpkg/insecure-url", "warning", "manifest.json", Some(10));
    assert_eq!(all(&found), [name, url]);
    let within = &found["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"];
    let file = &list(&found["artifacts"])[index(&within["index"])];
    let archive = &list(&found["artifacts"])[index(&file["parentIndex"])];
    assert!(archive["location"]["uri"].as_str().unwrap().ends_with("/echo.mcpkg"));
    let ran = run(&["inspect", "--format", "sarif", ECHO]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    assert_eq!(all(&conforms(&ran.out)), [("zip/end", "error", "echo.mcpkg.json", None)]);
}

/// The first line that has a word, counted from one.
fn line(text: &str, word: &str) -> Option<u64> {
    text.lines().zip(1..).find_map(|(line, number)| line.contains(word).then_some(number))
}

#[test]
fn of_changes() {
    let folder = Folder::new("sarif-changes");
    let (old, new) = (folder.path("old.json"), folder.path("new.json"));
    // Of install manifests: what is gone is in the old file, all else in the new one.
    let notes = workspace("examples/manifests/notes.install.json");
    fs::write(&old, &notes).unwrap();
    let mut changed: Value = serde_json::from_str(&notes).unwrap();
    changed["actions"].as_array_mut().unwrap().remove(0);
    changed["tool"]["version"] = "2.0.0".into();
    fs::write(&new, serde_json::to_string_pretty(&changed).unwrap()).unwrap();
    let ran = run(&["diff", "--format", "sarif", &old, &new]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let found = conforms(&ran.out);
    // The action begins in the line above its name.
    let gone = line(&notes, "\"name\": \"find\"").map(|line| line - 1);
    assert!(all(&found).contains(&("action-removed", "error", "old.json", gone)), "{found}");
    let text = fs::read_to_string(&new).unwrap();
    let version = line(&text, "2.0.0");
    assert!(all(&found).contains(&("tool-version-bumped", "note", "new.json", version)), "{found}");
    // Of other formats.
    let time = workspace(TIME);
    fs::write(&old, &time).unwrap();
    let mut fewer: Value = serde_json::from_str(&time).unwrap();
    fewer["tools"].as_array_mut().unwrap().remove(1);
    fs::write(&new, fewer.to_string()).unwrap();
    let found = conforms(&run(&["diff", "--format", "sarif", &old, &new]).out);
    let of_old = all(&found).into_iter().filter(|one| one.2 == "old.json").count();
    assert_eq!(of_old, 1, "the tool that is gone: {found}");
    // One that cannot be compared is told of like `validate` does it.
    fs::write(&new, "{\"tools\": [").unwrap();
    let ran = run(&["diff", "--format", "sarif", &old, &new]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    assert_eq!(all(&conforms(&ran.out)), [("json/syntax", "error", "new.json", Some(1))]);
    let ran = run(&["diff", "--format", "sarif", &old, &folder.path("nothing.json")]);
    assert_eq!(conforms(&ran.out)["invocations"][0]["executionSuccessful"], false);
    assert_eq!(ran.code, Some(2));
}
