//! The life of a tool of an install manifest: installed, called, verified, revoked.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use toolglot::core::sha256_hex;

use crate::capabilities::capability;
use crate::program::{ECHO, Folder, Ran, TIME, command, workspace};

/// A user of their own: a home, a store, and programs before those of the system.
struct User {
    folder: Folder,
}

impl User {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        fs::create_dir_all(folder.path("bin")).unwrap();
        Self { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let rest = std::env::var_os("PATH").unwrap();
        let first = [PathBuf::from(self.folder.path("bin"))];
        let path = std::env::join_paths(first.into_iter().chain(std::env::split_paths(&rest)));
        let mut command = command(arguments);
        command
            .env("HOME", self.folder.path(""))
            .env("XDG_DATA_HOME", self.folder.path("data"))
            .env("PATH", path.unwrap());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// A program that comes before those of the system.
    fn program(&self, name: &str, script: &str) {
        write_program(&self.folder.path(&format!("bin/{name}")), &format!("#!/bin/sh\n{script}\n"));
    }

    /// Every file below the store, in order.
    fn kept(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut open = vec![PathBuf::from(self.folder.path("data/toolglot/tools"))];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() { open.push(path) } else { files.push(path) }
            }
        }
        files.retain(|path| path.file_name().unwrap() != ".lock");
        files.sort();
        files
    }

    /// The records of the store.
    fn records(&self) -> Vec<Value> {
        let ran = self.run(&["installed", "--format", "json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Another process writes it: a file that this one has open for writing, while another test starts
/// a program, cannot be run.
fn write_program(path: &str, text: &str) {
    let status = Command::new("/bin/sh")
        .args(["-c", r#"mkdir -p "${1%/*}" && printf '%s' "$2" > "$1" && chmod 755 "$1""#, "sh"])
        .args([path, text])
        .status();
    assert!(status.unwrap().success());
}

/// A manifest that runs `echo`, with some members replaced.
fn manifest(changes: &[(&str, Value)]) -> Value {
    let mut value = json!({
        "manifest_version": "0.4",
        "tool": {"id": "greeter", "version": "1.0.0", "name": "Greeter", "summary": "Greets.",
            "homepage": "https://example.com"},
        "runtime": {"kind": "shell-binary",
            "install": {"method": "preinstalled",
                "locator": {"kind": "binary-on-path", "binary": "echo"}},
            "entrypoint": {"command": ["echo", "hello"]}},
        "actions": [{"name": "greet", "summary": "Greets.", "side_effects": "none",
            "invocation": {"kind": "subcommand", "argv_template": ["${input.name}"]},
            "input": {"type": "object", "required": ["name"], "additionalProperties": false,
                "properties": {"name": {"type": "string"}}},
            "output": {"format": "text"}}],
        "smoke": {"kind": "action-call", "action": "greet", "arguments": {"name": "you"},
            "success": {"stdout_regex": "^hello you$"}},
        "kill_switch": {"kind": "manual", "instructions_url": "https://example.com/revoke"}
    });
    for (pointer, new) in changes {
        let (holder, name) = pointer.rsplit_once('/').unwrap();
        value.pointer_mut(holder).unwrap()[name] = new.clone();
    }
    value
}

#[test]
fn a_tool_that_is_there_already() {
    let user = User::new("life-preinstalled");
    let file = user.folder.write("greeter.json", manifest(&[]).to_string());
    // Nobody agreed: nothing is done.
    let ran = user.run(&["install", &file]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""));
    assert!(
        ran.err.contains("Install: Greeter v1.0.0") && ran.err.contains("--yes"),
        "{}",
        ran.err
    );
    assert!(user.kept().is_empty());

    let ran = user.run(&["install", &file, "--yes"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "installed greeter 1.0.0\n"), "{}", ran.err);
    let record = user.folder.path("data/toolglot/tools/greeter/1.0.0/install.json");
    assert_eq!(fs::metadata(record).unwrap().permissions().mode() & 0o777, 0o600);
    let [record] = &user.records()[..] else { panic!("one record") };
    assert_eq!(record["format"], "install-manifest");
    assert_eq!(record["method"], "preinstalled");
    assert_eq!(record["installed"], json!([{"name": "echo"}]));
    assert_eq!(record["test"]["passed"], true);

    let ran = user.run(&["call", &file, "greet", "--arg", "name=all"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "hello all\n"), "{}", ran.err);
    let ran = user.run(&["verify", "greeter", "--smoke"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for what in ["manifest", "files", "preinstalled", "smoke"] {
        assert!(ran.out.contains(&format!("holds    {what} ")), "{}", ran.out);
    }
    // Another text is not what was agreed to.
    let other = manifest(&[("/tool/summary", json!("Greets all."))]);
    let other = user.folder.write("other.json", other.to_string());
    let ran = user.run(&["verify", &other]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("broken   manifest "), "{}", ran.out);

    // What a person has to do is not done because nobody can be asked.
    let ran = user.run(&["revoke", "greeter"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("by hand: https://example.com/revoke"), "{}", ran.err);
    assert_eq!(user.records().len(), 1);
    let ran = user.run(&["revoke", &file, "--yes"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "revoked greeter 1.0.0\n"), "{}", ran.err);
    assert!(user.kept().is_empty());
    let ran = user.run(&["revoke", "greeter", "--yes"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("\"greeter\" is not installed"), "{}", ran.err);
}

fn git(folder: &str, arguments: &[&str]) -> String {
    let ran = Command::new("git")
        .args(["-C", folder, "-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap().trim().to_owned()
}

/// A repository of a program, which git finds in place of a server, and the manifest of it.
fn repository(user: &User) -> (String, String) {
    let script = "#!/bin/sh\necho \"hello $1\"\n";
    write_program(&user.folder.path("server/greeter.git/bin/greet"), script);
    let server = user.folder.path("server");
    let folder = format!("{server}/greeter.git");
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "-m", "A program"]);
    let commit = git(&folder, &["rev-parse", "HEAD"]);
    let rule = format!("[url \"file://{server}/\"]\n\tinsteadOf = https://git.example.com/\n");
    user.folder.write(".gitconfig", rule);
    let install =
        json!({"method": "git", "url": "https://git.example.com/greeter.git", "ref": commit});
    let manifest = manifest(&[
        ("/runtime/install", install),
        ("/runtime/entrypoint/command", json!(["bin/greet"])),
    ]);
    (user.folder.write("greeter.json", manifest.to_string()), commit)
}

#[test]
fn a_repository() {
    let user = User::new("life-git");
    let (file, commit) = repository(&user);
    let ran = user.run(&["call", &file, "--arg", "name=all"]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let ran = user.run(&["install", &file, "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(user.records()[0]["installed"][0]["version"], json!(commit));
    let ran = user.run(&["call", &file, "--arg", "name=all"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "hello all\n"), "{}", ran.err);
    assert_eq!(user.run(&["verify", &file]).code, Some(0));

    // A file that somebody changes is named.
    let kept = user.kept();
    let program = kept.iter().find(|path| path.ends_with("source/bin/greet")).unwrap();
    write_program(program.to_str().unwrap(), "#!/bin/sh\necho \"hello $1, and good-bye\"\n");
    let ran = user.run(&["verify", "greeter"]);
    assert_eq!(ran.code, Some(1));
    let expected = "source/bin/greet is not the file that was installed";
    assert!(ran.out.contains(expected), "{}", ran.out);
    // Installing again mends it.
    assert_eq!(user.run(&["install", &file, "--yes"]).code, Some(0));
    assert_eq!(user.run(&["verify", "greeter"]).code, Some(0));
    assert_eq!(user.records().len(), 1);
}

/// Whatever step fails, and whatever step this program is killed at: nothing counts as installed,
/// and the next run makes it whole.
#[test]
fn a_crash_at_every_step() {
    let user = User::new("life-crash");
    let (file, _) = repository(&user);
    let real = Command::new("sh").args(["-c", "command -v git"]).output().unwrap().stdout;
    let real = String::from_utf8(real).unwrap();
    // init, fetch, checkout, rev-parse, rev-parse for the record
    for step in 1..=5 {
        for how in ["exit 1", "kill -9 $PPID; sleep 1; exit 1"] {
            let count = user.folder.write("count", "");
            let script = format!(
                "echo step >> {count}\n\
                 if [ $(wc -l < {count}) -eq {step} ]; then {how}; fi\n\
                 exec {} \"$@\"",
                real.trim()
            );
            user.program("git", &script);
            let ran = user.run(&["install", &file, "--yes"]);
            let killed = how.starts_with("kill");
            // Without the listing, the record is only less exact.
            let listing = step == 5 && !killed;
            let code = if killed { None } else { Some(if listing { 0 } else { 4 }) };
            assert_eq!(ran.code, code, "{step} {how}: {}", ran.err);
            assert_eq!(user.records().len(), usize::from(listing), "{step} {how}");
            if listing {
                assert_eq!(user.run(&["revoke", "greeter", "--yes"]).code, Some(0));
            }
            if !killed {
                assert!(user.kept().is_empty(), "{step} {how}");
            }
        }
        fs::remove_file(user.folder.path("bin/git")).unwrap();
        let ran = user.run(&["install", &file, "--yes"]);
        assert_eq!(ran.code, Some(0), "{step}: {}", ran.err);
        let ran = user.run(&["call", &file, "--arg", "name=all"]);
        assert_eq!(ran.out, "hello all\n", "{step}: {}", ran.err);
        // One folder, that of the record: what the crash left is gone.
        let version = user.folder.path("data/toolglot/tools/greeter/1.0.0");
        assert_eq!(fs::read_dir(&version).unwrap().count(), 2, "{step}");
        assert_eq!(user.run(&["revoke", "greeter", "--yes"]).code, Some(0));
        assert!(!Path::new(&version).exists());
    }
}

/// A stand-in for a container program, which writes down its arguments.
#[test]
fn a_container() {
    let user = User::new("life-container");
    user.program("docker", "echo \"$@\" >> \"$HOME/docker.log\"\necho hello you");
    let image = format!("ghcr.example.com/greeter@sha256:{}", "a".repeat(64));
    let manifest = manifest(&[
        ("/runtime/kind", json!("container")),
        ("/runtime/install", json!({"method": "container", "image": image})),
        ("/runtime/entrypoint/command", json!(["docker", "run", "--rm", image])),
    ]);
    let file = user.folder.write("greeter.json", manifest.to_string());
    let ran = user.run(&["install", &file, "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let log = user.folder.read("docker.log");
    assert_eq!(log, format!("pull --quiet {image}\nrun --rm {image} you\n"));
    let version = &user.records()[0]["installed"][0]["version"];
    assert_eq!(*version, json!(format!("sha256:{}", "a".repeat(64))));
}

/// Answers every request for one of these paths, until the test ends.
fn server(files: Vec<(&'static str, String)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let own = address.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let path = line.split(' ').nth(1).unwrap_or_default();
            let found = files.iter().find(|(name, _)| *name == path);
            let (status, body) =
                found.map_or((404, String::new()), |(_, body)| (200, body.replace("SERVER", &own)));
            let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n", body.len());
            let _ = write!(stream, "{head}Connection: close\r\n\r\n{body}");
        }
    });
    address
}

/// Its SHA-256, as `sha256sum` has it, is the one below.
const SCRIPT: &str = "#!/bin/sh\necho \"hello $1\"\n";
const SHA256: &str = "e49c4fae119a078219fdf7465507b94b805a5fcd4f975dcba8f3265d211191d5";

fn download(address: &str, sha256: &str) -> Value {
    let url = format!("{address}/files/greet-1.0.0-linux");
    manifest(&[
        ("/runtime/install", json!({"method": "url", "url": url, "sha256": sha256})),
        ("/runtime/entrypoint/command", json!(["greet"])),
    ])
}

#[test]
fn a_download() {
    let user = User::new("life-download");
    let address = server(vec![("/files/greet-1.0.0-linux", SCRIPT.to_owned())]);
    let file = user.folder.write("greeter.json", download(&address, SHA256).to_string());
    // This machine is no place that a manifest may name, unless it is allowed.
    let ran = user.run(&["install", &file, "--yes"]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    let ran = user.run(&["install", &file, "--yes", "--allow", "private"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // The program is found under the name that the manifest starts it by.
    let ran = user.run(&["call", &file, "--arg", "name=all"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "hello all\n"), "{}", ran.err);
    assert_eq!(user.run(&["revoke", &file, "--yes"]).code, Some(0));
    assert_eq!(user.run(&["call", &file, "--arg", "name=all"]).code, Some(3));

    let other = download(&address, &SHA256.replace('e', "f")).to_string();
    let file = user.folder.write("greeter.json", other);
    let ran = user.run(&["install", &file, "--yes", "--allow", "private"]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.err.contains("its SHA-256 is another"), "{}", ran.err);
    assert!(user.kept().is_empty());
}

/// Three variables: one that is given, one of the environment, one with a default.
fn with_variables(command: &Value) -> Value {
    let variable =
        |name: &str, secret: bool| json!({"name": name, "prompt": "p", "secret": secret});
    let mut region = variable("REGION", false);
    region["default"] = json!("north");
    manifest(&[
        ("/env", json!([variable("API_KEY", true), variable("ACCOUNT", false), region])),
        ("/kill_switch", json!({"kind": "shell", "command": command})),
    ])
}

#[test]
fn values_are_used_and_never_kept() {
    let user = User::new("life-values");
    user.program("end-it", "echo \"$API_KEY $ACCOUNT $REGION\" > \"$HOME/ended\"");
    let file = user.folder.write("greeter.json", with_variables(&json!(["end-it"])).to_string());
    // The words are the reference's.
    let ran = user.run(&["install", &file, "--yes"]);
    assert_eq!(ran.code, Some(3));
    let words = "API_KEY: required and not provided in non-interactive mode";
    assert!(ran.err.contains(words), "{}", ran.err);
    assert!(user.kept().is_empty());

    let values = user.folder.write("values.env", "API_KEY=hunter2-and-more\n");
    fs::set_permissions(&values, fs::Permissions::from_mode(0o600)).unwrap();
    let install = ["install", &file, "--yes", "--values", &values];
    let ran: Ran = user.command(&install).env("ACCOUNT", "a-4711").output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let sources = json!([
        {"name": "ACCOUNT", "source": "environment"},
        {"name": "API_KEY", "source": "given"},
        {"name": "REGION", "source": "default"}
    ]);
    assert_eq!(user.records()[0]["variables"], sources);
    for path in user.kept() {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let shown = path.display();
        assert!(!text.contains("hunter2-and-more") && !text.contains("a-4711"), "{shown}");
    }

    let revoke = ["revoke", "greeter", "--values", &values];
    let ran: Ran = user.command(&revoke).env("ACCOUNT", "a-4711").output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(user.folder.read("ended"), "hunter2-and-more a-4711 north\n");
    assert!(ran.err.contains("API_KEY") && !ran.err.contains("hunter2"), "{}", ran.err);
}

/// The service that the actions send a key to gets it again, and no other does.
#[test]
fn a_request_that_revokes_is_authenticated() {
    let user = User::new("life-request");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let service = std::thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        let lines = BufReader::new(&stream).lines().map(Result::unwrap);
        let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        write!(stream, "HTTP/1.1 204 Gone\r\nConnection: close\r\n\r\n").unwrap();
        head
    });
    let offered = |url: &str| {
        let text = manifest(&[
            ("/env", json!([{"name": "API_KEY", "prompt": "Key?", "secret": true}])),
            (
                "/runtime",
                json!({"kind": "shell-binary", "endpoint_url": address,
                "install": {"method": "preinstalled",
                    "locator": {"kind": "binary-on-path", "binary": "echo"}}}),
            ),
            (
                "/actions/0/invocation",
                json!({"kind": "http", "method": "GET", "path": "/greet",
                "headers": {"X-Key": "key ${env.API_KEY}"}}),
            ),
            ("/smoke", json!({"kind": "shell", "command": ["true"], "success": {"exit_code": 0}})),
            ("/kill_switch", json!({"kind": "url", "url": url})),
        ]);
        let file = user.folder.write("greeter.json", text.to_string());
        let mut install = user.command(&["install", &file, "--yes", "--allow", "private"]);
        let ran: Ran = install.env("API_KEY", "hunter2-and-more").output().unwrap().into();
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    };
    let revoke = |more: &[&str]| -> Ran {
        let mut revoke =
            user.command(&[&["revoke", "greeter", "--allow", "private"], more].concat());
        revoke.env("API_KEY", "hunter2-and-more").output().unwrap().into()
    };
    // Nobody says how another service wants it: a person has to do it.
    offered("http://127.0.0.2:1/greeter");
    let ran = revoke(&[]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("the manifest does not say how they are sent"), "{}", ran.err);
    assert_eq!(user.records().len(), 1);
    assert_eq!(revoke(&["--yes"]).code, Some(0));
    offered(&format!("{address}/installs/greeter"));
    let ran = revoke(&[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let head = service.join().unwrap();
    assert_eq!(head[0], "DELETE /installs/greeter HTTP/1.1");
    assert!(head.iter().any(|line| line == "x-key: key hunter2-and-more"), "{head:?}");
    assert!(!ran.err.contains("hunter2"), "{}", ran.err);
    assert!(user.kept().is_empty());
}

#[test]
fn a_kill_switch_that_fails_leaves_the_tool() {
    let user = User::new("life-revoke");
    let text = manifest(&[("/kill_switch", json!({"kind": "shell", "command": ["false"]}))]);
    let file = user.folder.write("greeter.json", text.to_string());
    assert_eq!(user.run(&["install", &file, "--yes"]).code, Some(0));
    let ran = user.run(&["revoke", "greeter"]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("the exit code is 1"), "{}", ran.err);
    assert_eq!(user.records().len(), 1);
    assert_eq!(user.run(&["revoke", "greeter", "--force"]).code, Some(0));
    assert!(user.kept().is_empty());
}

#[test]
fn a_smoke_test_that_fails_leaves_nothing() {
    let user = User::new("life-smoke");
    let text = manifest(&[("/smoke/success", json!({"stdout_regex": "^good-bye$"}))]);
    let file = user.folder.write("greeter.json", text.to_string());
    let ran = user.run(&["install", &file, "--yes"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""));
    assert!(ran.err.contains("error[install-manifest/smoke-failed]"), "{}", ran.err);
    assert!(user.kept().is_empty());
}

/// What the manifest promises is held against twenty runs.
#[test]
fn what_a_manifest_asks_to_be_verified() {
    let user = User::new("life-verify");
    user.program("slow", "echo run >> \"$HOME/runs\"\nsleep 0.05\necho \"hello $2\"");
    let verify = |most: u64| {
        manifest(&[
            ("/runtime/install/locator/binary", json!("slow")),
            ("/runtime/entrypoint/command", json!(["slow", "hello"])),
            (
                "/verify",
                json!({"sla": {"p95_latency_ms": most},
                "suite": {"ref": "cases.jsonl", "format": "jsonl-cases"},
                "schedule": {"cadence": "weekly"}}),
            ),
        ])
    };
    let file = user.folder.write("slow.json", verify(60_000).to_string());
    assert_eq!(user.run(&["install", &file, "--yes"]).code, Some(0));
    let ran = user.run(&["verify", &file, "--smoke"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(user.folder.read("runs").lines().count(), 21, "one to install, twenty to verify");
    assert!(ran.out.contains("unknown  suite "), "{}", ran.out);
    assert!(ran.out.contains("holds    schedule "), "{}", ran.out);

    let file = user.folder.write("slow.json", verify(1).to_string());
    assert_eq!(user.run(&["install", &file, "--yes"]).code, Some(0));
    let ran = user.run(&["verify", &file, "--smoke"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("broken   sla           p95_latency_ms is 1, and was "),
        "{}",
        ran.out
    );
}

#[test]
fn an_index() {
    let user = User::new("life-index");
    let entry = |id: &str, path: &str, status: &str| {
        json!({"id": id, "manifest_url": format!("SERVER{path}"), "manifest_version": "0.4",
            "status": status, "summary": "Greets."})
    };
    let index = json!({
        "version": "1",
        "publisher": {"kind": "https", "id": "example.com", "display_name": "Acme"},
        "generated_at": "2026-01-01T00:00:00Z",
        "manifests": [entry("greeter", "/greeter.json", "active"),
            entry("another", "/greeter.json", "active"), entry("bad", "/bad.json", "quarantined")]
    });
    let address = server(vec![
        ("/index.json", index.to_string()),
        ("/broken.json", index.to_string().replace("quarantined", "lovely")),
        ("/greeter.json", manifest(&[]).to_string()),
    ]);
    let place = format!("{address}/index.json");
    let ran = user.run(&["index", &place]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], format!("greeter  active  {address}/greeter.json  Greets."));
    // Anybody can say that they are example.com.
    let home = "https://example.com/.well-known/install-manifests.json";
    assert!(ran.err.contains(home), "{}", ran.err);
    let ran = user.run(&["index", &format!("{address}/broken.json")]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));

    let install = |id: &str, more: &[&str]| {
        let place = format!("{place}#{id}");
        user.run(&[&["install", &place, "--yes"], more].concat())
    };
    let allowed = ["--allow", "private"];
    // The address was named by the index, and not by the person.
    assert_eq!(install("greeter", &[]).code, Some(2));
    let ran = install("bad", &allowed);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("\"bad\" is quarantined"), "{}", ran.err);
    let ran = install("another", &allowed);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("not the one that the index lists"), "{}", ran.err);
    let ran = install("greter", &allowed);
    assert!(ran.err.contains("did you mean greeter?"), "{}", ran.err);
    assert!(user.kept().is_empty());
    let ran = install("greeter", &allowed);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(user.records()[0]["id"], "greeter");
}

/// A package of a repository is built, which runs its code: that has to be allowed.
#[test]
fn code_of_strangers_is_not_run_unasked() {
    let user = User::new("life-build");
    let install = json!({"method": "git", "url": "https://git.example.com/greeter.git",
        "ref": "a".repeat(40), "layout": "package"});
    let text =
        manifest(&[("/runtime/kind", json!("python-module")), ("/runtime/install", install)]);
    let file = user.folder.write("greeter.json", text.to_string());
    let ran = user.run(&["install", &file, "--yes"]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("sdist"), "{}", ran.err);
    assert!(user.kept().is_empty());
}

/// One question for every format: is this still what was agreed to?
#[test]
fn every_format_is_held_against_what_was_agreed_to() {
    let user = User::new("life-formats");
    let run = |arguments: &[&str]| -> Ran {
        let mut command = user.command(arguments);
        command.env("XDG_STATE_HOME", user.folder.path("state")).output().unwrap().into()
    };
    for (name, text) in [
        ("mcpkg.json", workspace(ECHO)),
        ("tools.json", workspace(TIME)),
        ("capability.json", workspace("examples/manifests/count.capability.json")),
        ("install.json", workspace("examples/manifests/notes.install.json")),
        ("jumith.json", workspace("tests/fixtures/jumith/valid/bare.json")),
        ("manifest.json", workspace("tests/fixtures/mcpb/valid/notes.json")),
    ] {
        let file = user.folder.write(name, &text);
        let ran = run(&["verify", &file]);
        assert_eq!(ran.code, Some(3), "{name}: {}", ran.err);
        assert!(ran.err.contains("nothing of it was agreed to yet"), "{name}: {}", ran.err);
        assert_eq!(run(&["approve", &file, "--yes"]).code, Some(0), "{name}");
        let ran = run(&["verify", &file]);
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("holds    approval"), "{name}: {}", ran.out);
        // A blank is another text.
        user.folder.write(name, format!("{text} "));
        let ran = run(&["verify", &file, "--format", "json"]);
        assert_eq!(ran.code, Some(1), "{name}: {}{}", ran.out, ran.err);
        let first: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
        assert_eq!((&first["what"], &first["holds"]), (&json!("approval"), &json!(false)));
        let agreed = format!("sha256:{}", sha256_hex(text.as_bytes()));
        assert!(first["found"].as_str().unwrap().contains(&agreed), "{name}: {first}");
    }
    // What is not there was never agreed to, either.
    assert_eq!(run(&["verify", "no.such"]).code, Some(3));
}

/// A capability is held against what was installed, and its content against what it pins.
#[test]
fn a_capability_is_verified() {
    let user = User::new("life-capability");
    write_program(&user.folder.path("count"), "#!/bin/sh\necho 3\n");
    let pinned = sha256_hex(user.folder.read("count").as_bytes());
    let origin = json!({"source": "local", "path": "count", "digest": pinned});
    let text = capability(&[("origin", origin)]);
    let file = user.folder.write("count.json", &text);
    let ran = user.run(&["verify", &file]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.out.contains("holds    content"), "{}", ran.out);
    assert_eq!(user.run(&["catalog", "install", &file]).code, Some(0));
    for name in [file.as_str(), "files.count"] {
        let ran = user.run(&["verify", name]);
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("holds    files"), "{}", ran.out);
    }
    let other = user.folder.write("other.json", text.replace("0.2.0", "0.3.0"));
    let ran = user.run(&["verify", &other]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("declares another, of version 0.2.0"), "{}", ran.out);
    user.folder.write("count", "#!/bin/sh\necho 4\n");
    let ran = user.run(&["verify", &file]);
    assert!(ran.code == Some(1) && ran.out.contains("broken   content"), "{}", ran.out);
    let installed = user.folder.path("data/toolglot/capabilities/installed");
    let place = fs::read_dir(installed).unwrap().next().unwrap().unwrap().path();
    fs::write(place.join("content/count"), "#!/bin/sh\necho 5\n").unwrap();
    let ran = user.run(&["verify", "files.count"]);
    assert!(ran.code == Some(1) && ran.out.contains("broken   files"), "{}", ran.out);
}

#[test]
fn plans_say_what_is_missing_and_what_must_hold() {
    let user = User::new("life-plans");
    let mut text = with_variables(&json!(["true"]));
    text["env"][2].as_object_mut().unwrap().remove("default");
    let file = user.folder.write("greeter.json", text.to_string());
    let ran = user.run(&["plan", "invoke", &file, "greet", r#"{"name": "you"}"#]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let plan: Value = serde_json::from_str(&ran.out).unwrap();
    for name in ["API_KEY", "ACCOUNT", "REGION"] {
        assert!(ran.err.contains(&format!("missing: a value of {name}\n")), "{}", ran.err);
        let missing = plan["missing"].as_array().unwrap();
        assert!(missing.contains(&json!({"value": name})), "{missing:?}");
    }
    let plan: Value = serde_json::from_str(&user.run(&["plan", "smoke", &file]).out).unwrap();
    // The schema says that an exit code that is not there is 0.
    assert_eq!(plan["success"], json!({"stdout_regex": "^hello you$", "exit_code": 0}));
    assert_eq!(plan["step"]["do"], "run");
}
