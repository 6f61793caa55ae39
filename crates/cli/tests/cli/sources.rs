//! Sources that are kept beside converted manifests or in the store, with the files that their
//! calls name.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::program::{Folder, Ran, command, run};

/// A tool whose program is beside its manifest.
const TIME: &str = r#"{"tools": [{
  "name": "greet", "description": "Greets.",
  "schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
  "command": ["./tools/bin/greet", "--polite"]
}]}"#;

const PROGRAM: &str = "#!/bin/sh\nprintf 'hello %s ' \"$1\"; cat\n";
const ARGUMENTS: &str = r#"{"name": "Ada Lovelace"}"#;
const ANSWER: &str = "hello --polite {\"name\": \"Ada Lovelace\"}";

fn greet(folder: &Folder) -> String {
    let program = folder.write("tools/bin/greet", PROGRAM.as_bytes());
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    folder.write("tools.json", TIME.as_bytes())
}

/// Runs the line of a converted MCPKG manifest in some folder, with the store in another.
fn bridged(manifest: &str, at: &str, store: &str) -> Ran {
    let manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(manifest).unwrap()).unwrap();
    let line = manifest.pointer("/endpoint/command").and_then(serde_json::Value::as_str).unwrap();
    let words: Vec<&str> = line.split(' ').skip(1).chain([ARGUMENTS]).collect();
    command(&words).current_dir(at).env("XDG_DATA_HOME", store).output().unwrap().into()
}

fn document(folder: &Folder) -> String {
    let files = fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().path());
    let mut files = files.map(|path| path.to_str().unwrap().to_owned());
    files.find(|path| path.ends_with(".mcpkg.json")).unwrap()
}

#[test]
fn a_program_beside_the_source_goes_along() {
    let folder = Folder::new("sources-beside");
    let file = greet(&folder);
    let (out, nowhere) = (folder.inside("out"), folder.path("nowhere"));
    let ran = run(&["convert", &file, "--to", "mcpkg", "-o", &out.path("")]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("/tools/bin/greet  for the bridge"), "{}", ran.err);
    let ran = bridged(&document(&out), &out.path(""), &nowhere);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer, ANSWER);
    // Elsewhere there is no source, and nothing is called.
    let elsewhere = folder.inside("elsewhere");
    elsewhere.write("tools/bin/greet", b"#!/bin/sh\necho evil\n");
    let ran = bridged(&document(&out), &elsewhere.path(""), &nowhere);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
}

#[test]
fn what_is_in_the_store_is_found_from_everywhere() {
    let folder = Folder::new("sources-store");
    let file = greet(&folder);
    let (out, data) = (folder.inside("out"), folder.path("data"));
    let words = ["convert", &file, "--to", "mcpkg", "--store", "-o", &out.path("")];
    let ran: Ran = command(&words).env("XDG_DATA_HOME", &data).output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let mode = fs::metadata(format!("{data}/toolglot/sources")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    // Neither the working directory nor what is in it counts, and there is a file of the same
    // name and another program beside it.
    let elsewhere = folder.inside("elsewhere");
    elsewhere.write("tools/bin/greet", b"#!/bin/sh\necho evil\n");
    let digest = toolglot::core::sha256_hex(TIME.as_bytes());
    elsewhere.write(&format!(".toolglot/sources/{digest}.json"), TIME.as_bytes());
    elsewhere
        .write(&format!(".toolglot/sources/{digest}/tools/bin/greet"), b"#!/bin/sh\necho evil");
    let ran = bridged(&document(&out), &elsewhere.path(""), &data);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer, ANSWER);
}

#[test]
fn a_source_with_a_secret_is_not_kept() {
    let folder = Folder::new("sources-secret");
    let key = format!("ghp_{}", "a1B2c3D4e5".repeat(4).split_at(36).0);
    let text = TIME.replace("--polite", &key);
    let file = folder.write("tools.json", text.as_bytes());
    let (out, data) = (folder.inside("out"), folder.path("data"));
    let words = ["convert", &file, "--to", "mcpkg", "--store", "-o", &out.path("")];
    let ran: Ran = command(&words).env("XDG_DATA_HOME", &data).output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let (warning, report) = (ran.err.find("is not copied"), ran.err.find("tools-json → mcpkg"));
    assert!(warning.unwrap() < report.unwrap(), "{}", ran.err);
    assert!(!fs::exists(&data).unwrap() && !fs::exists(out.path(".toolglot")).unwrap());
}

/// A person who calls a converted tool is asked about the tool that is called in the end.
#[test]
fn a_call_of_a_converted_tool_is_one_of_its_source() {
    let folder = Folder::new("sources-pin");
    let file = greet(&folder);
    let out = folder.inside("out");
    let ran = run(&["convert", &file, "--to", "mcpkg", "-o", &out.path("")]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let converted = document(&out);
    // Nobody knows what the source does, whatever the converted manifest says.
    let ran = run(&["call", &converted, "--args", ARGUMENTS]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
    assert!(ran.err.contains("runs ./tools/bin/greet --polite"), "{}", ran.err);
    let ran = run(&["call", &converted, "--args", ARGUMENTS, "--yes"]);
    assert_eq!((ran.code, ran.out.trim_end()), (Some(0), ANSWER), "{}", ran.err);
}

#[test]
fn a_check_sees_that_a_program_is_missing() {
    let folder = Folder::new("sources-check");
    let file = greet(&folder);
    let out = folder.inside("out");
    run(&["convert", &file, "--to", "mcpkg", "-o", &out.path("")]);
    let digest = toolglot::core::sha256_hex(TIME.as_bytes());
    let source = format!("sha256:{digest}");
    let path = out.path("");
    let line = ["bridge", "--for", "mcpkg", "--source", &source, "--tool", "greet", "--check"];
    let line = [&line[..], &["--folder", &path]].concat();
    assert_eq!(run(&line).code, Some(0));
    fs::remove_file(out.path(&format!(".toolglot/sources/{digest}/tools/bin/greet"))).unwrap();
    let ran = run(&line);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("tools/bin/greet, which the source names, is not there"),
        "{}",
        ran.err
    );
}

/// An interpreter looks for its script where it runs. A script that is kept with the source is
/// the one that is run, whatever the working directory has of that name.
#[test]
fn a_script_of_the_working_directory_is_not_run() {
    let folder = Folder::new("sources-script");
    let manifest = serde_json::json!({
        "manifest_version": "0.4",
        "tool": {"id": "demo", "version": "1.0.0", "name": "Demo", "summary": "Greets.",
            "homepage": "https://example.com"},
        "runtime": {"kind": "shell-binary", "install": {"method": "preinstalled",
            "locator": {"kind": "binary-on-path", "binary": "sh"}},
            "entrypoint": {"command": ["sh", "greet.sh"]}},
        "actions": [{"name": "greet", "summary": "Greets.", "side_effects": "read",
            "invocation": {"kind": "subcommand", "argv_template": ["${input.name}"]},
            "input": {"type": "object", "required": ["name"],
                "properties": {"name": {"type": "string"}}},
            "output": {"format": "text"}}],
        "smoke": {"kind": "shell", "command": ["sh", "-c", "true"], "success": {"exit_code": 0}},
        "kill_switch": {"kind": "manual", "instructions_url": "https://example.com"},
    });
    let file = folder.write("install.json", manifest.to_string().as_bytes());
    folder.write("greet.sh", b"echo \"hello $1\"\n");
    let (out, data) = (folder.inside("out"), folder.path("data"));
    let words = ["convert", &file, "--to", "mcpkg", "--store", "-o", &out.path("")];
    let ran: Ran = command(&words).env("XDG_DATA_HOME", &data).output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let elsewhere = folder.inside("elsewhere");
    elsewhere.write("greet.sh", b"echo evil\n");
    let ran = bridged(&document(&out), &elsewhere.path(""), &data);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer, "hello Ada Lovelace\n", "{}", ran.err);
    // The same for a person who calls it from elsewhere.
    let call = ["call", &file, "--args", ARGUMENTS];
    let ran: Ran = command(&call).current_dir(elsewhere.path("")).output().unwrap().into();
    assert_eq!(ran.out, "hello Ada Lovelace\n", "{}", ran.err);
    // Where the script was not kept, nothing is run.
    let digest = toolglot::core::sha256_hex(manifest.to_string().as_bytes());
    fs::remove_file(format!("{data}/toolglot/sources/{digest}/greet.sh")).unwrap();
    let ran = bridged(&document(&out), &elsewhere.path(""), &data);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
}
