//! A Jumith tool, from publishing it over finding and fetching it to calling it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::folder;

const MODULE: &str = "
export const tool = {
  name: 'mail.send',
  description: 'Sends a message.',
  requiredSecrets: ['token'],
  requiresApproval: true,
  getApprovalMessage(input) { return `Send to ${input.to}?`; },
  async execute(input, context) {
    return { to: input.to, tool: context.toolName, keys: Object.keys(context.env),
             same: context.env['mail.send-token'] === 't0ken-of-mail' };
  },
};
";

/// What came of a run.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A person's folders, and a registry that is served.
struct Person(PathBuf);

impl Person {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolglot"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.0.join("cache"));
        command.env("XDG_STATE_HOME", self.0.join("state"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let ran = self.command(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { code: ran.status.code(), out: text(ran.stdout), err: text(ran.stderr) }
    }

    fn well(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        ran.out
    }

    /// Writes a version of the tool.
    fn version(&self, number: &str, module: &str, change: impl FnOnce(&mut Value)) -> String {
        let name = format!("work-{number}");
        let mut manifest = json!({
            "id": "tool:mail.send", "name": "mail.send", "version": number,
            "summary": "Sends a message", "description": "Sends a message.",
            "entry": {"runtime": "node", "main": "index.mjs"},
            "schema": {"input": {"type": "object", "required": ["to"],
                "properties": {"to": {"type": "string"}}}},
            "requiresApproval": true, "requiredSecrets": ["token"],
        });
        change(&mut manifest);
        fs::create_dir_all(self.0.join(&name).join("files")).unwrap();
        fs::write(self.0.join(&name).join("manifest.json"), manifest.to_string()).unwrap();
        fs::write(self.0.join(&name).join("files/index.mjs"), module).unwrap();
        name
    }
}

struct Serving(Child, String);

impl Serving {
    fn start(person: &Person) -> Self {
        let mut command = person.command(&["serve", "registry", "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let at = line.split("http://").nth(1).unwrap().trim_end_matches(['/', '\n']);
        Self(child, format!("http://{at}"))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn from_publishing_to_calling() {
    let person = Person(folder("flow"));
    let first = person.version("1.0.0", MODULE, |_| ());
    person.well(&["publish", "registry", &first]);
    let serving = Serving::start(&person);
    let base = serving.1.as_str();
    let found = person.well(&["search", base, "message"]);
    assert_eq!(found, "tool:mail.send  1.0.0  Sends a message\n");
    let pulled = person.well(&["pull", base, "tool:mail.send", "-o", "installed"]);
    let tool = format!("{}/tool.json", pulled.trim());
    assert_eq!(tool, "installed/tool_mail.send/1.0.0/tool.json");

    let values = person.0.join("values.json");
    fs::write(&values, r#"{"mail.send-token": "t0ken-of-mail", "token": "of-another"}"#).unwrap();
    fs::set_permissions(&values, fs::Permissions::from_mode(0o600)).unwrap();
    let call = ["call", &tool, "--arg", "to=bob", "--values", "values.json"];
    let refused = person.run(&call);
    assert_eq!((refused.code, refused.out.as_str()), (Some(3), ""), "{}", refused.err);
    let called = person.run(&[&call[..], &["--yes"]].concat());
    assert_eq!(called.code, Some(0), "{}", called.err);
    let expected =
        json!({"to": "bob", "tool": "mail.send", "keys": ["mail.send-token"], "same": true});
    assert_eq!(serde_json::from_str::<Value>(&called.out).unwrap(), expected);
    let asked = "note: Allow mail.send to run? It says: Send to bob?";
    assert!(called.err.contains(asked), "{}", called.err);
    assert!(!called.err.contains("t0ken"), "{}", called.err);

    later(&person, base);
}

/// A newer version, one that is yanked, and one that has changed.
fn later(person: &Person, base: &str) {
    let second = person.version("1.1.0", MODULE, |_| ());
    person.well(&["publish", "registry", &second]);
    let latest = |expected: &str| {
        let start = Instant::now();
        while !person.well(&["search", base, "message"]).contains(expected) {
            assert!(start.elapsed() < Duration::from_secs(20), "{expected} is not the latest");
            std::thread::sleep(Duration::from_millis(200));
        }
    };
    latest("1.1.0");
    person.well(&["yank", "registry", "tool:mail.send@1.1.0"]);
    latest("1.0.0");
    let named = person.run(&["pull", base, "tool:mail.send@1.1.0", "-o", "installed"]);
    assert_eq!(named.code, Some(0), "{}", named.err);
    assert!(named.err.contains("yanked"), "{}", named.err);
    // Under a version that is there, nothing else is published.
    let other = person.version("1.0.0", &MODULE.replace("Send to", "Sent to"), |_| ());
    let refused = person.run(&["publish", "registry", &other]);
    assert_eq!(refused.code, Some(3), "{}", refused.err);
    assert!(refused.err.contains("jumith/immutable-version"), "{}", refused.err);
}

fn written(person: &Person, number: &str, module: &str, change: impl FnOnce(&mut Value)) -> String {
    let name = person.version(number, module, change);
    let bundle = format!("{name}.json");
    person.well(&["bundle", "pack", &name, "-o", &bundle]);
    bundle
}

/// The module is held against what people have read.
#[test]
fn a_module_that_is_not_what_the_manifest_says_is_not_called() {
    let person = Person(folder("contract"));
    let made = person.0.join("made");
    let mark = format!("(await import('node:fs')).writeFileSync('{}', '')", made.display());
    let acts = MODULE.replace("return {", &format!("{mark};\n    return {{"));
    let cases = [
        (acts.replace("['token']", "['token', 'card']"), "jumith/undeclared-secret"),
        (acts.replace("export const tool", "export const other"), "jumith/export-missing"),
        (acts.replace("description:", "says:"), "jumith/tool-contract"),
        (acts.replace("async execute(", "async run("), "jumith/tool-contract"),
    ];
    for (number, (module, code)) in cases.iter().enumerate() {
        let bundle = written(&person, &format!("1.0.{number}"), module, |_| ());
        let call = ["call", &bundle, "--arg", "to=bob", "--yes"];
        let ran = person.command(&call).env("token", "t").output().unwrap();
        let err = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{code}: {err}");
        assert!(err.contains(code), "{err}");
        assert!(!made.exists(), "{code}");
    }
    // A manifest that needs no approval, and only reads, of a module that asks for it.
    let quiet =
        written(&person, "2.0.0", &acts, |manifest| manifest["requiresApproval"] = json!(false));
    let run = |more: &[&str]| {
        let call = [&["call", &quiet, "--arg", "to=bob"][..], more].concat();
        let ran = person.command(&call).env("token", "t").output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    let (code, err) = run(&[]);
    assert_eq!(code, Some(3), "{err}");
    assert!(!made.exists());
    let (code, err) = run(&["--yes"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("jumith/undeclared-approval"), "{err}");
    assert!(made.exists());
}
