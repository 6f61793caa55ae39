//! Packages of the real registries: installed, called, verified, revoked.

// A test that cannot go on fails.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

/// A user with a store of their own.
struct User(PathBuf);

impl User {
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Exit code, standard output, and standard error.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let ran = Command::new(env!("CARGO_BIN_EXE_toolglot"))
            .args(arguments)
            .current_dir(&self.0)
            .env("XDG_DATA_HOME", self.0.join("data"))
            .env("XDG_STATE_HOME", self.0.join("state"))
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (ran.status.code(), text(ran.stdout), text(ran.stderr))
    }

    /// The whole life of a tool: what its call answers, and what was installed.
    fn lives(&self, manifest: &Value, arguments: &str) -> (String, Vec<Value>) {
        fs::write(self.0.join("tool.json"), manifest.to_string()).unwrap();
        let call = ["call", "tool.json", "--args", arguments];
        assert_eq!(self.run(&call).0, Some(3), "nothing is installed yet");
        let (code, out, err) = self.run(&["install", "tool.json", "--yes"]);
        assert_eq!(code, Some(0), "{out}{err}");
        let (_, out, _) = self.run(&["installed", "--format", "json"]);
        let record: Value = serde_json::from_str(&out).unwrap();
        let (code, answer, err) = self.run(&call);
        assert_eq!(code, Some(0), "{err}");
        // Calling it must not look like a change.
        let (code, out, err) = self.run(&["verify", "tool.json", "--smoke"]);
        assert_eq!(code, Some(0), "{out}{err}");
        assert_eq!(self.run(&["revoke", "tool.json", "--yes"]).0, Some(0));
        assert_eq!(self.run(&call).0, Some(3), "nothing is installed any more");
        assert_eq!(self.run(&["installed"]).1, "");
        (answer, record["installed"].as_array().unwrap().clone())
    }
}

fn manifest(install: &Value, command: &Value, argv: &Value, smoke: &Value) -> Value {
    json!({
        "manifest_version": "0.4",
        "tool": {"id": "from-registry", "version": "1.0.0", "name": "From a registry",
            "summary": "A package of a registry.", "homepage": "https://example.com"},
        "runtime": {"kind": "shell-binary", "install": install, "entrypoint": {"command": command}},
        "actions": [{"name": "act", "summary": "Acts.", "side_effects": "none",
            "invocation": {"kind": "subcommand", "argv_template": argv},
            "input": {"type": "object", "required": ["text"], "additionalProperties": false,
                "properties": {"text": {"type": "string"}}},
            "output": {"format": "text"}}],
        "smoke": smoke,
        "kill_switch": {"kind": "manual", "instructions_url": "https://example.com/revoke"}
    })
}

/// cowsay draws a cow that says something.
#[test]
fn a_package_of_pip() {
    let smoke = json!({"kind": "shell", "command": ["python", "-c", "import cowsay; print('OK')"],
        "success": {"exit_code": 0, "stdout_regex": "^OK$"}});
    let install = json!({"method": "pip", "package": "cowsay", "version_spec": "==6.1"});
    let manifest = manifest(&install, &json!(["cowsay"]), &json!(["-t", "${input.text}"]), &smoke);
    let (answer, installed) = User::new("net-pip").lives(&manifest, r#"{"text": "moo"}"#);
    assert!(answer.contains("| moo |") && answer.contains("^__^"), "{answer}");
    assert!(installed.contains(&json!({"name": "cowsay", "version": "6.1"})), "{installed:?}");
}

/// The versions that `semver` prints are those of the SemVer specification.
#[test]
fn a_package_of_npm() {
    let smoke = json!({"kind": "action-call", "action": "act", "arguments": {"text": "1.2.3"},
        "success": {"stdout_regex": "^1\\.3\\.0$"}});
    let install = json!({"method": "npm", "package": "semver", "version_spec": "7.6.3"});
    let argv = json!(["-i", "minor", "${input.text}"]);
    let manifest = manifest(&install, &json!(["semver"]), &argv, &smoke);
    let (answer, installed) = User::new("net-npm").lives(&manifest, r#"{"text": "2.0.5"}"#);
    assert_eq!(answer, "2.1.0\n");
    assert_eq!(installed, [json!({"name": "semver", "version": "7.6.3"})]);
}

/// A document as the registry of MCP servers has it, with the tools that its server has.
fn server(kind: &str, name: &str, version: &str, tool: &str) -> Value {
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "com.example/server", "description": "A server.", "version": "1.0.0",
        "packages": [{
            "registryType": kind, "identifier": name, "version": version,
            "transport": {"type": "stdio"},
        }],
        "_meta": {"io.modelcontextprotocol.registry/publisher-provided": {
            "invalid.toolglot/tools": [{"name": tool, "calls": tool}],
        }},
    })
}

#[test]
fn a_server_of_the_registry_is_started_and_called() {
    let user = User::new("server-json");
    let name = "@modelcontextprotocol/server-everything";
    let document = server("npm", name, "2026.8.31", "echo").to_string();
    fs::write(user.0.join("server.json"), document).unwrap();
    let arguments = ["--args", r#"{"message": "hello"}"#, "--yes"];
    let (code, answer, err) = user.run(&[&["call", "server.json"][..], &arguments].concat());
    assert_eq!((code, answer.trim()), (Some(0), "Echo: hello"), "{err}");
    let (code, _, err) = user.run(&["convert", "server.json", "--to", "mcpkg", "-o", "converted/"]);
    assert_eq!(code, Some(0), "{err}");
    let file = fs::read_dir(user.0.join("converted")).unwrap().map(|entry| entry.unwrap().path());
    let mut file = file.into_iter();
    let file = file.find(|path| path.to_str().unwrap().ends_with(".mcpkg.json"));
    let file = file.unwrap().to_str().unwrap().to_owned();
    let (code, answer, err) = user.run(&[&["call", &file][..], &arguments].concat());
    assert_eq!((code, answer.trim()), (Some(0), "Echo: hello"), "{err}");
}
