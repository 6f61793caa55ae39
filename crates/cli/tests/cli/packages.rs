//! The life of an MCPKG package: packed, signed, verified, installed, tested, called as a step of a
//! chain, upgraded, removed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::program::{Folder, Ran, command, json};

const READ: &str = "#!/bin/sh\nprintf '{\"content\":\"hello\",\"asked\":%s}' \"$1\"\n";
const SHOUT: &str = "#!/bin/sh\ntext=$(printf %s \"$1\" | sed 's/.*\"text\": *\"\\([^\"]*\\)\".*/\\1/')\n\
                     printf '{\"loud\":\"%s!\"}' \"$(printf %s \"$text\" | tr a-z A-Z)\"\n";
const LOCAL: &str = r#""endpoint": {"type": "local", "command": "./run.sh"}"#;
const CHAIN: &str = r#""chain": [
    {"step": "read", "tool": "acme.text.read", "inputMapping": {"path": "$.input.file"}},
    {"step": "shout", "tool": "acme.text.shout", "inputMapping": {"text": "$.read.content"}}]"#;
const OPEN: &str = r#"{"type": "object"}"#;

/// A project, and its user.
struct Project(Folder);

impl Project {
    fn new(name: &str) -> Self {
        Self(Folder::new(name))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.current_dir(self.0.path(""));
        for (name, folder) in [("HOME", ""), ("XDG_STATE_HOME", "state"), ("XDG_DATA_HOME", "data")]
        {
            command.env(name, self.0.path(folder));
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// Runs what must come to this, and gives what was printed and said.
    fn ends(&self, code: i32, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}{}", ran.out, ran.err);
        ran.out + &ran.err
    }

    /// A package `NAME.mcpkg` of a tool `acme.text.TOOL`.
    fn packed(&self, name: &str, tool: &str, version: &str, call: &str, input: &str) -> String {
        let source = self.0.inside(&format!("{name}-source"));
        let manifest = format!(
            r#"{{"toolId": "acme.text.{tool}", "name": "{tool}", "version": "{version}",
                "description": "Does it.", "capabilities": ["text", "{tool}"], {call},
                "input_schema": {input}, "output_schema": {{"type": "object",
                "properties": {{"content": {{"type": "string"}}}}}},
                "tests": ["tests/a.test.json"], "examples": ["examples/a.md"]}}"#
        );
        source.write("manifest.json", manifest);
        let text = if tool == "shout" { SHOUT } else { READ };
        let program = source.write("run.sh", text);
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        source.write(
            "tests/a.test.json",
            r#"{"name": "a", "input": {"path": "x", "text": "x", "file": "x", "mode": "x"},
                "assertions": [{"path": "$", "exists": true}]}"#,
        );
        source.write("examples/a.md", "# Reading");
        let target = self.0.path(&format!("{name}.mcpkg"));
        self.ends(0, &["pack", &source.path(""), "-o", &target]);
        target
    }

    fn signed(&self, name: &str, tool: &str, version: &str, call: &str, input: &str) -> String {
        let package = self.packed(name, tool, version, call, input);
        self.ends(0, &["sign", &package, "--key", "acme.key"]);
        package
    }

    fn listed(&self) -> Vec<Value> {
        let ran = self.run(&["installed", "--format", "json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out.lines().map(json).collect()
    }
}

#[test]
fn a_package_from_the_folder_to_the_upgrade() {
    let project = Project::new("package-life");
    project.ends(0, &["keygen", "acme.key"]);
    let read = project.signed("read", "read", "1.0.0", LOCAL, OPEN);
    let shout = project.signed("shout", "shout", "1.0.0", LOCAL, OPEN);
    let both = project.signed("both", "both", "1.0.0", CHAIN, OPEN);

    // Nobody is trusted yet: that is said, and asked.
    let said = project.ends(0, &["verify", &read]);
    assert!(said.starts_with("unknown  signature     signed, but no key is trusted"), "{said}");
    let said = project.ends(3, &["install", &read]);
    assert!(said.contains("no key is trusted") && said.contains("--yes"), "{said}");
    assert!(project.listed().is_empty());
    let said = project.ends(0, &["verify", &read, "--key", "acme.key.pub"]);
    assert!(said.starts_with("holds    signature     signed by \"acme\""), "{said}");
    project.ends(0, &["trust", "acme", "acme.key.pub"]);
    let said = project.ends(0, &["inspect", &read]);
    assert!(said.contains("\nsigned    signed by \"acme\" with the key "), "{said}");

    for package in [&read, &shout, &both] {
        let said = project.ends(0, &["install", package]);
        assert!(said.contains("installed acme.text."), "{said}");
    }
    let source = project.0.read("read-source/manifest.json");
    assert_eq!(project.0.read(".mcp/tools/acme.text.read/manifest.json"), source);
    assert_eq!(project.listed().len(), 3);

    let said = project.ends(0, &["test", "acme.text.read"]);
    assert!(said.contains("1 of 1 passed"), "{said}");
    assert_eq!(project.listed()[1]["tests"]["passed"], 1);
    let line = "toolglot call acme.text.both --yes --args";
    let line = line.replace("toolglot", env!("CARGO_BIN_EXE_toolglot"));
    let said = project.ends(0, &["test", "acme.text.both", "--command", &line]);
    assert!(said.contains("1 of 1 passed"), "{said}");

    let call = ["call", "acme.text.both", "--args", r#"{"file": "a.txt"}"#, "--yes"];
    let ran = project.run(&call);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "{\"loud\":\"HELLO!\"}\n"), "{}", ran.err);
    assert!(ran.err.contains("note: acme.text.both 1.0.0 is signed by \"acme\""), "{}", ran.err);

    // An upgrade that breaks callers is shown, and asked for; one that does not is made.
    let option = r#"{"type": "object", "properties": {"mode": {"type": "string"}}}"#;
    let newer = project.signed("newer", "read", "1.1.0", LOCAL, option);
    let said = project.ends(0, &["install", &newer]);
    assert!(said.contains("in the place of 1.0.0") && said.contains("additive"), "{said}");
    let must = option.replace("}}}", r#"}}, "required": ["mode"]}"#);
    let breaking = project.signed("breaking", "read", "2.0.0", LOCAL, &must);
    let said = project.ends(3, &["install", &breaking]);
    assert!(said.contains("breaking   input-now-required"), "{said}");
    assert_eq!(project.listed()[1]["version"], "1.1.0");
    project.ends(0, &["install", &breaking, "--yes"]);
    assert_eq!(project.listed()[1]["version"], "2.0.0");
    // The chain calls the version that is there.
    assert_ne!(project.run(&call).code, Some(0));
    // And back.
    project.ends(3, &["install", "acme.text.read@1.0.0"]);
    project.ends(0, &["install", "acme.text.read@1.0.0", "--yes"]);
    assert_eq!(project.run(&call).out, "{\"loud\":\"HELLO!\"}\n");
    assert_eq!(project.listed()[1]["versions"], serde_json::json!(["1.0.0", "1.1.0", "2.0.0"]));

    project.ends(0, &["verify", "acme.text.read"]);
    let said = project.ends(1, &["verify", &breaking]);
    assert!(said.contains("broken   package       agreed to was sha256:"), "{said}");
    project.ends(0, &["revoke", "acme.text.read"]);
    assert_eq!(project.listed().len(), 2);
    project.ends(3, &["verify", "acme.text.read"]);
}

#[test]
fn a_tool_that_was_changed_is_not_called() {
    let project = Project::new("package-changed");
    project.ends(0, &["keygen", "acme.key"]);
    project.ends(0, &["trust", "acme", "acme.key.pub"]);
    for (tool, call) in [("read", LOCAL), ("shout", LOCAL), ("both", CHAIN)] {
        let package = project.signed(tool, tool, "1.0.0", call, OPEN);
        project.ends(0, &["install", &package]);
    }
    project.ends(0, &["verify", "acme.text.shout@1.0.0"]);
    project.0.write(".mcp/tools/acme.text.shout/run.sh", "#!/bin/sh\necho '{}'\n");
    let said = project.ends(1, &["verify", "acme.text.shout"]);
    assert!(said.contains("broken   files         run.sh is not the file"), "{said}");
    assert!(said.contains("holds    signature"), "{said}");
    for (tool, arguments) in [("shout", "{}"), ("both", r#"{"file": "a"}"#)] {
        let id = format!("acme.text.{tool}");
        let said = project.ends(3, &["call", &id, "--args", arguments, "--yes"]);
        assert!(said.contains("\"acme.text.shout\" is not what was agreed to: files"), "{said}");
    }
    project.ends(3, &["test", "acme.text.shout"]);
    // Installed again, it is.
    project.ends(0, &["install", "shout.mcpkg"]);
    project.ends(0, &["verify", "acme.text.shout"]);
    // A key that is not trusted any more says nothing.
    project.ends(0, &["trust", "--remove", "acme"]);
    let said = project.ends(0, &["verify", "acme.text.shout"]);
    assert!(said.contains("unknown  signature"), "{said}");
    project.ends(3, &["trust", "--remove", "acme"]);
}

#[test]
fn a_signature_that_does_not_hold_is_refused() {
    let project = Project::new("package-broken");
    project.ends(0, &["keygen", "acme.key"]);
    project.ends(0, &["keygen", "other.key"]);
    project.ends(0, &["trust", "acme", "acme.key.pub"]);
    let good = project.signed("good", "read", "1.0.0", LOCAL, OPEN);
    // A file of it is changed; it is signed by somebody else.
    project.ends(0, &["unpack", &good, "--to", "changed"]);
    project.0.write("changed/run.sh", "#!/bin/sh\nrm -rf /\n");
    project.ends(0, &["pack", "changed", "-o", "changed.mcpkg"]);
    project.ends(0, &["sign", &good, "--key", "other.key", "-o", "other.mcpkg"]);
    for broken in ["changed.mcpkg", "other.mcpkg"] {
        let said = project.ends(1, &["verify", broken]);
        assert!(said.starts_with("broken   signature     the signature does not hold"), "{said}");
        let said = project.ends(1, &["inspect", broken]);
        assert!(said.contains("\nsigned    the signature does not hold"), "{said}");
        let ran = project.run(&["inspect", broken, "--format", "json"]);
        assert_eq!(json(&ran.out)["signature"]["standing"], "broken");
        let said = project.ends(3, &["install", broken, "--yes"]);
        assert!(said.contains("the signature does not hold"), "{said}");
        assert!(project.listed().is_empty());
    }
    // One that is not signed is installed by who says so.
    let plain = project.packed("plain", "read", "1.0.0", LOCAL, OPEN);
    let said = project.ends(0, &["verify", &plain]);
    assert!(said.starts_with("unknown  signature     not signed"), "{said}");
    let said = project.ends(3, &["install", &plain]);
    assert!(said.contains("note: the package is not signed"), "{said}");
    project.ends(0, &["install", &plain, "--yes"]);
}

#[test]
fn a_private_key_is_its_owners_alone() {
    let project = Project::new("package-keys");
    let said = project.ends(0, &["keygen", "acme.key"]);
    let text = project.0.read("acme.key");
    let secret = text.lines().nth(1).unwrap();
    assert!(text.starts_with("-----BEGIN PRIVATE KEY-----") && !said.contains(secret));
    let mode = |name: &str| fs::metadata(project.0.path(name)).unwrap().permissions().mode();
    assert_eq!(mode("acme.key") & 0o777, 0o600);
    // A key is never replaced.
    project.ends(2, &["keygen", "acme.key"]);
    assert_eq!(project.0.read("acme.key"), text);
    let package = project.packed("read", "read", "1.0.0", LOCAL, OPEN);
    let said = project.ends(0, &["sign", &package, "--key", "acme.key"]);
    assert!(!said.contains(secret));
    let once = fs::read(&package).unwrap();
    project.ends(0, &["sign", &package, "--key", "acme.key"]);
    assert_eq!(fs::read(&package).unwrap(), once, "the same package and key, the same bytes");
    // One that others can read, and files that are no keys.
    fs::set_permissions(project.0.path("acme.key"), fs::Permissions::from_mode(0o644)).unwrap();
    let said = project.ends(2, &["sign", &package, "--key", "acme.key"]);
    assert!(said.contains("chmod 600") && !said.contains(secret), "{said}");
    let said = project.ends(2, &["trust", "acme", "acme.key"]);
    assert!(said.contains("no Ed25519 public key") && !said.contains(secret), "{said}");
    project.ends(2, &["trust", "acme.text", "acme.key.pub"]);
    project.ends(0, &["trust", "acme", "acme.key.pub"]);
    assert_eq!(mode("state/toolglot/trusted-keys") & 0o777, 0o600);
    let said = project.ends(0, &["trust"]);
    assert!(said.starts_with("acme ") && said.len() == "acme \n".len() + 32, "{said}");
}

#[test]
fn packages_are_chosen_and_ranked() {
    let project = Project::new("package-ranked");
    let both = r#""implementations": [
        {"id": "js", "language": "javascript", "runtime": "node", "endpoint":
            {"type": "local", "command": "./run.sh"}},
        {"id": "py", "language": "python", "runtime": "python3.11", "endpoint":
            {"type": "local", "command": "./run.sh"}}]"#;
    for (tool, call) in [("read", LOCAL), ("shout", LOCAL), ("many", both)] {
        let package = project.packed(tool, tool, "1.0.0", call, OPEN);
        project.ends(0, &["install", &package, "--yes"]);
    }
    // A folder of packages is a registry.
    let said = project.ends(0, &["search", ".", "--language", "python", "--capability", "many"]);
    assert!(
        said.starts_with("acme.text.many  1.0.0  Does it.") && said.lines().count() == 1,
        "{said}"
    );
    project.ends(0, &["search", ".", "does", "--runtime", "node"]);
    project.ends(1, &["search", ".", "--language", "javascript", "--runtime", "python"]);
    project.ends(1, &["search", ".", "nothing", "--language", "python"]);
    let ids = |arguments: &[&str]| -> Vec<String> {
        let ran = project.run(&[&["installed"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
    };
    let all = ["acme.text.many", "acme.text.read", "acme.text.shout"];
    assert_eq!(ids(&[]), all);
    assert_eq!(ids(&["--language", "JavaScript"]), ["acme.text.many"]);
    assert_eq!(ids(&["--language", "javascript", "--runtime", "python"]), [""; 0]);
    assert_eq!(ids(&["--runtime", "python@3.11.2"]), ["acme.text.many"]);
    assert_eq!(ids(&["--runtime", "python@3.12"]), [""; 0]);
    assert_eq!(ids(&["--capability", "shout"]), ["acme.text.shout"]);
    // Who passes its tests comes before who was not tested, and who fails comes no higher.
    project.ends(0, &["test", "acme.text.shout"]);
    assert_eq!(ids(&["--rank"])[0], "acme.text.shout");
    project.ends(1, &["test", "acme.text.read", "--command", "false"]);
    assert_eq!(ids(&["--rank", "--capability", "text"])[0], "acme.text.shout");
    let ran = project.run(&["installed", "--tools"]);
    let tools = json(&ran.out);
    assert_eq!(tools[0]["name"], "acme.text.shout");
    assert_eq!(tools[0]["test_summary"]["passed"], 1);
    assert_eq!(tools[0]["examples"][0], "# Reading");
    assert_eq!(tools[0]["calls"][0]["name"], "a");
    assert_eq!(tools[0]["calls"][0]["input"]["path"], "x");
    assert_eq!(tools[0]["input_schema"]["type"], "object");
    // What cannot be called on this machine comes last, whatever it can do, and so does a chain of it.
    let elsewhere = r#""implementations": [{"id": "win", "platforms": ["plan9-vax"],
        "endpoint": {"type": "local", "command": "./run.sh"}}]"#;
    let chain = r#""chain": [{"step": "a", "tool": "acme.text.alien"}]"#;
    for (tool, call) in [("alien", elsewhere), ("after", chain)] {
        let package = project.packed(tool, tool, "1.0.0", call, OPEN);
        project.ends(0, &["install", &package, "--yes"]);
    }
    assert_eq!(ids(&["--rank"])[3..], ["acme.text.after", "acme.text.alien"]);
    let said = project.ends(0, &["installed", "--rank"]);
    assert_eq!(said.matches("does not fit this machine").count(), 2, "{said}");
    assert_eq!(ids(&["--platform", "plan9-vax", "--capability", "alien"]), ["acme.text.alien"]);
    assert_eq!(ids(&["--platform", "linux-x64", "--capability", "alien"]), [""; 0]);
    project.ends(0, &["search", ".", "--platform", "plan9-vax", "--capability", "alien"]);
    project.ends(1, &["search", ".", "--platform", "linux-x64", "--capability", "alien"]);
    // What is installed is served as it is.
    let ran = project.run(&["mcp", ".mcp/tools"]);
    assert!(!ran.err.contains("package-info.json"), "{}", ran.err);
}

/// A list warns of a package whose test results it cannot read.
#[test]
fn unreadable_test_results_cause_a_warning() {
    let project = Project::new("package-results");
    let package = project.packed("shout", "shout", "1.0.0", LOCAL, OPEN);
    project.ends(0, &["install", &package, "--yes"]);
    project.ends(0, &["test", "acme.text.shout"]);
    let whole = project.run(&["installed"]);
    assert!(whole.out.contains("1 of 1 tests passed") && whole.err.is_empty(), "{}", whole.err);
    let results = project.0.path(".mcp/tools/acme.text.shout/metadata.json");
    assert!(fs::exists(&results).unwrap());
    fs::write(results, "{").unwrap();
    let broken = project.run(&["installed"]);
    assert_eq!(broken.code, Some(0));
    assert!(broken.out.contains("acme.text.shout 1.0.0"), "{}", broken.out);
    assert!(broken.err.contains("metadata.json"), "{}", broken.err);
}

/// A result must be what `output_schema` says: its `content` is a text.
#[test]
fn a_result_that_breaks_its_schema_fails_the_test() {
    let project = Project::new("package-output");
    let package = project.packed("read", "read", "1.0.0", LOCAL, OPEN);
    project.0.write("right.sh", "#!/bin/sh\necho '{\"content\": \"a\"}'\n");
    project.ends(0, &["test", &package, "--command", "sh right.sh"]);
    project.0.write("wrong.sh", "#!/bin/sh\necho '{\"content\": 1}'\n");
    let said = project.ends(1, &["test", &package, "--command", "sh wrong.sh"]);
    assert!(said.contains("/content: the result does not match output_schema"), "{said}");
    project.ends(2, &["test", &package]);
}

/// Whenever the program is killed: the old or the new version is there, whole.
#[test]
fn an_upgrade_that_is_killed() {
    let project = Project::new("package-killed");
    let old = project.packed("old", "read", "1.0.0", LOCAL, OPEN);
    let new = project.packed("new", "read", "1.0.1", LOCAL, OPEN);
    project.ends(0, &["install", &old, "--yes"]);
    for step in 0..16 {
        let package = if step % 2 == 0 { &new } else { &old };
        let mut child = project
            .command(&["install", package, "--yes"])
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(step * 2));
        let _ = child.kill();
        child.wait().unwrap();
        project.ends(0, &["verify", "acme.text.read"]);
    }
    project.ends(0, &["install", &new, "--yes"]);
    project.ends(0, &["verify", "acme.text.read@1.0.1"]);
}
