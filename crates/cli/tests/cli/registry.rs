//! `search`, `bundle` and `serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::program::{Folder, Ran, command, json, run, run_with_input};

const TOOLS: &str = "examples/tools";
const ADD: &str = "examples/tools/math.add/1.1.0";

/// A server that ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--listen", "127.0.0.1:0"]);
        let mut child = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().trim_end_matches(['/', '\n']);
        Self { address: address.to_owned(), child }
    }

    /// The status line, and the rest of the answer.
    fn get(&self, target: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("GET {target} HTTP/1.1\r\nHost: {}\r\nConnection: close", self.address);
        write!(stream, "{head}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (line, rest) = answer.split_once("\r\n").unwrap();
        (line.to_owned(), rest.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_folder_is_searched() {
    let ran = run(&["search", TOOLS, "emial"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.out,
        "\
tool:email.send  1.2.0  Send transactional email
tool:text.count  0.3.0  Count the words of a message
"
    );
    assert_eq!(ran.err, "2 of 2 tools\n");
    let ran = run(&["search", TOOLS, "--tag", "smtp", "--format", "json", "email"]);
    assert_eq!(json(&ran.out)["total"], 1);
    let ran = run(&["search", TOOLS, "zebra"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(run(&["search", TOOLS, "--limit", "0", "x"]).code, Some(2));
    assert_eq!(run(&["search", "no/such/folder", "x"]).code, Some(2));
}

#[test]
fn a_folder_is_served_and_searched_over_http() {
    let server = Server::start(&["serve", TOOLS]);
    assert!(server.address.starts_with("127.0.0.1:"), "loopback");
    let (line, page) = server.get("/");
    assert_eq!(line, "HTTP/1.1 200 OK");
    assert!(page.contains("<title>Tools</title>"));
    let (line, body) = server.get("/v1/tools/tool%3Amath.add/versions/1.0.0/bundle");
    assert_eq!(line, "HTTP/1.1 200 OK");
    assert!(body.contains("\"path\":\"dist/index.js\""));
    let base = format!("http://{}", server.address);
    let ran = run(&["search", &base, "numbers"]);
    assert_eq!(ran.out, "tool:math.add  1.1.0  Add two numbers\n");
    assert_eq!(ran.code, Some(0));
    assert_eq!(run(&["search", "https://127.0.0.1:1", "x"]).code, Some(2), "no TLS here");
}

#[test]
fn tools_that_are_wrong_are_not_served() {
    let folder = Folder::new("bad-tools");
    let path = folder.path("x/1.0.0");
    std::fs::create_dir_all(&path).unwrap();
    folder.write("x/1.0.0/manifest.json", r#"{"id": "tool:x", "name": "x"}"#);
    let ran = run(&["serve", &folder.path(""), "--listen", "127.0.0.1:0"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error[json/required]"), "{}", ran.err);
    assert!(ran.err.contains("manifest"), "{}", ran.err);
    let empty = Folder::new("no-tools");
    assert_eq!(run(&["serve", &empty.path("")]).code, Some(2));
}

#[test]
fn a_bundle_is_packed_checked_and_unpacked() {
    let folder = Folder::new("bundle");
    let bundle = folder.path("add.json");
    let ran = run(&["bundle", "pack", ADD, "-o", &bundle]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let ran = run(&["bundle", "check", &bundle]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.ends_with(": a valid bundle of 1 file\n"), "{}", ran.out);
    let manifest = format!("{ADD}/manifest.json");
    assert_eq!(run(&["bundle", "check", &bundle, "--describe", &manifest]).code, Some(0));
    let other = "examples/tools/math.add/1.0.0/manifest.json";
    let ran = run(&["bundle", "check", &bundle, "--describe", other]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error[jumith/describe-mismatch]"), "{}", ran.err);

    let target = folder.path("installed");
    let ran = run(&["bundle", "unpack", &bundle, "-o", &target]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.trim_end().ends_with("1.1.0"), "{}", ran.out);
    let module = folder.read("installed/tool_math.add/1.1.0/dist/index.js");
    assert!(module.contains("exports.tool"));
    let ran = run(&["bundle", "unpack", &bundle, "-o", &target]);
    assert_eq!(ran.code, Some(2), "it is there already");

    // A folder of bundles is a registry too.
    std::fs::create_dir_all(folder.path("only")).unwrap();
    folder.write("only/add.json", folder.read("add.json"));
    let ran = run(&["search", &folder.path("only"), "add"]);
    assert_eq!(ran.out, "tool:math.add  1.1.0  Add two numbers\n");
}

#[test]
fn a_hostile_bundle_is_refused() {
    let folder = Folder::new("hostile-bundle");
    let bundle = br#"{
      "manifest": {"id": "tool:x", "name": "x", "version": "1.0.0", "summary": "s",
        "description": "d", "entry": {"runtime": "node", "main": "x.js"}},
      "files": [{"path": "x.js", "content": ""}, {"path": "../../up.js", "content": ""}]
    }"#;
    let target = folder.path("installed");
    let ran = run_with_input(&["bundle", "unpack", "-", "-o", &target], bundle);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error[jumith/file-path]"), "{}", ran.err);
    assert!(ran.err.contains("<stdin>:4:"), "{}", ran.err);
    assert!(folder.names().is_empty(), "nothing was written");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_target_is_not_followed() {
    let folder = Folder::new("linked");
    let bundle = folder.path("add.json");
    assert_eq!(run(&["bundle", "pack", ADD, "-o", &bundle]).code, Some(0));
    std::fs::create_dir_all(folder.path("installed")).unwrap();
    std::fs::create_dir_all(folder.path("elsewhere")).unwrap();
    let link = folder.path("installed/tool_math.add");
    std::os::unix::fs::symlink(folder.path("elsewhere"), link).unwrap();
    let ran = run(&["bundle", "unpack", &bundle, "-o", &folder.path("installed")]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("is not a folder"), "{}", ran.err);
    assert_eq!(std::fs::read_dir(folder.path("elsewhere")).unwrap().count(), 0);
}

/// Runs the program with a state folder of its own.
fn run_in(folder: &Folder, arguments: &[&str]) -> Ran {
    let mut command = command(arguments);
    command.env("XDG_STATE_HOME", folder.path("state"));
    command.env("XDG_CACHE_HOME", folder.path("cache"));
    command.output().unwrap().into()
}

/// Who set the registry once need not name it again; what is named comes first.
#[test]
fn the_environment_names_the_registry() {
    let folder = Folder::new("registry-environment");
    let server = Server::start(&["serve", TOOLS]);
    let run_with = |base: &str, arguments: &[&str]| -> Ran {
        let mut command = command(arguments);
        command.env("XDG_STATE_HOME", folder.path("state"));
        command.env("XDG_CACHE_HOME", folder.path("cache"));
        command.env("REGISTRY_BASE_URL", base).output().unwrap().into()
    };
    let base = format!("http://{}", server.address);
    let ran = run_with(&base, &["search", "numbers"]);
    assert_eq!(ran.out, "tool:math.add  1.1.0  Add two numbers\n", "{}", ran.err);
    let into = folder.path("installed");
    let ran = run_with(&base, &["pull", "tool:math.add@1.0.0", "-o", &into]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let nobody = "http://127.0.0.1:1";
    assert_eq!(run_with(nobody, &["search", "numbers"]).code, Some(2));
    assert_eq!(run_with(nobody, &["search", &base, "numbers"]).code, Some(0));
    assert_eq!(run_with(nobody, &["search", TOOLS, "numbers"]).code, Some(0));
    assert_eq!(run_with(nobody, &["pull", &base, "tool:math.add", "-o", &into]).code, Some(0));
    // Nothing is named, and nothing was set.
    let ran = run_with("", &["pull", "tool:math.add", "-o", &into]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn a_tool_is_published_pulled_and_yanked() {
    let folder = Folder::new("publish");
    let shelf = folder.path("shelf");
    let published = run(&["publish", &shelf, ADD]);
    assert_eq!(published.code, Some(0), "{}", published.err);
    assert_eq!(published.out, format!("{shelf}/tool_math.add/1.1.0\n"));
    let again = run(&["publish", &shelf, ADD]);
    assert_eq!((again.code, again.err.as_str()), (Some(0), "note: it was there already\n"));
    let bundle = folder.path("old.json");
    let old = "examples/tools/math.add/1.0.0";
    assert_eq!(run(&["bundle", "pack", old, "-o", &bundle]).code, Some(0));
    assert_eq!(run(&["publish", &shelf, &bundle]).code, Some(0));
    let changed = folder.read("old.json").replace("Add two numbers", "Add numbers");
    let changed = folder.write("changed.json", changed);
    let refused = run(&["publish", &shelf, &changed]);
    assert_eq!(refused.code, Some(3), "{}", refused.err);
    assert!(refused.err.contains("error[jumith/immutable-version]"), "{}", refused.err);
    assert_eq!(run(&["publish", &shelf, "examples/manifests"]).code, Some(2));

    let server = Server::start(&["serve", &shelf]);
    let (base, into) = (format!("http://{}", server.address), folder.path("installed"));
    let pull = |tool: &str| run_in(&folder, &["pull", &base, tool, "-o", &into]);
    let pulled = pull("tool:math.add");
    assert_eq!(pulled.out, format!("{into}/tool_math.add/1.1.0\n"), "{}", pulled.err);
    assert!(folder.read("installed/tool_math.add/1.1.0/dist/index.js").contains("exports.tool"));
    assert_eq!(pull("tool:math.add").err, "note: it was there already\n");
    assert_eq!(pull("tool:math.add@1.0.0").code, Some(0));
    for unknown in ["tool:none", "tool:math.add@7.0.0", "a/b"] {
        let refused = pull(unknown);
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{unknown}");
    }
    // What was asked before is kept, and nobody else can read it.
    let mode = std::fs::metadata(folder.path("cache/toolglot/registry")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777, 0o700);

    assert_eq!(run(&["yank", &shelf, "tool:math.add@1.1.0"]).code, Some(0));
    assert_eq!(run(&["search", &shelf, "add"]).out, "tool:math.add  1.0.0  Add two numbers\n");
    assert_eq!(run(&["yank", &shelf, "tool:math.add@1.1.0", "--undo"]).code, Some(0));
    assert_eq!(run(&["search", &shelf, "add"]).out, "tool:math.add  1.1.0  Add two numbers\n");
    assert_eq!(run(&["yank", &shelf, "tool:math.add"]).code, Some(2), "which version?");
    assert_eq!(run(&["yank", &shelf, "tool:math.add@7.0.0"]).code, Some(2));
}

/// A registry that gives a version other content than it did.
///
/// Row B13 of the catalogue of attacks.
#[test]
fn a_version_that_has_changed_is_not_pulled() {
    let folder = Folder::new("changed");
    let (shelf, into) = (folder.path("shelf"), folder.path("installed"));
    assert_eq!(run(&["publish", &shelf, ADD]).code, Some(0));
    let server = Server::start(&["serve", &shelf]);
    let base = format!("http://{}", server.address);
    let pull = |into: &str| run_in(&folder, &["pull", &base, "tool:math.add", "-o", into]);
    assert_eq!(pull(&into).code, Some(0));
    let address = server.address.clone();
    drop(server);
    // The same registry again, and somebody has taken the digest away.
    let manifest = folder.read("shelf/tool_math.add/1.1.0/manifest.json");
    let start = manifest.rfind(",\n  \"sha256\"").unwrap();
    folder.write("shelf/tool_math.add/1.1.0/manifest.json", format!("{}}}", &manifest[..start]));
    folder.write("shelf/tool_math.add/1.1.0/files/dist/index.js", "exports.tool = {};");
    let mut child = command(&["serve", &shelf, "--listen", &address]);
    let mut child = child.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let server = Server { child, address };
    let refused = pull(&folder.path("other"));
    assert_eq!(refused.code, Some(3), "{}", refused.err);
    assert!(refused.err.contains("error[jumith/immutable-version]"), "{}", refused.err);
    assert!(!std::path::Path::new(&folder.path("other")).exists());
    drop(server);
}
