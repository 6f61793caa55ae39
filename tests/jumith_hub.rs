//! The example registry and the example client, over loopback.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(dead_code)] // each example has a `main`
#![allow(clippy::duplicate_mod)] // and both share the modules of the command line
#![cfg(feature = "jumith")]

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;

use toolglot::jumith::cache::Seen;
use toolglot::jumith::client::Client;
use toolglot::jumith::server::Registry;

#[path = "../examples/jumith_client.rs"]
mod client;
#[path = "../examples/jumith_hub.rs"]
mod hub;

/// Starts the example registry, and says where it is.
fn start() -> String {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tools");
    let registry: Registry = hub::load(&tools).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || hub::serve(&listener, &registry).unwrap());
    base
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

/// Every file below a folder, in order.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let path = path.strip_prefix(folder).unwrap();
                found.push(path.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

fn get(base: &str, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let timeout = std::time::Duration::from_secs(10);
    let url = format!("{base}{path}");
    let (status, body) = client::registry::fetch::get(&url, headers, timeout, 1 << 20).unwrap();
    (status, String::from_utf8(body).unwrap())
}

#[test]
fn a_tool_is_found_and_installed() {
    let client = Client::new(&start()).unwrap();
    let found = client::search(&client, "emial").unwrap();
    assert_eq!(found, ["tool:email.send", "tool:text.count"], "the name counts for more");

    let folder = folder("installed");
    let mut seen = Seen::default();
    let installed = client::install(&client, "tool:email.send", &folder, &mut seen).unwrap();
    assert_eq!(
        files(&folder),
        [
            "tool_email.send/1.2.0/dist/index.js",
            "tool_email.send/1.2.0/tool.json",
            "tool_email.send/active.json",
        ]
    );
    let source = "examples/tools/email.send/1.2.0/files/dist/index.js";
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let module = fs::read(installed.join("dist/index.js")).unwrap();
    assert_eq!(module, fs::read(source).unwrap());

    let again = client::install(&client, "tool:email.send", &folder, &mut seen);
    assert!(again.unwrap_err().to_string().contains("is there already"));
}

#[test]
fn the_latest_version_is_served() {
    let base = start();
    let (status, body) = get(&base, "/v1/tools/tool%3Amath.add", &[]);
    assert_eq!(status, 200);
    assert!(body.contains("\"version\":\"1.1.0\""), "{body}");
    let (status, body) = get(&base, "/v1/tools/tool%3Amath.add/versions", &[]);
    assert_eq!(status, 200);
    assert!(body.contains("\"total\":2"), "{body}");
}

#[test]
fn there_is_a_page_for_people() {
    let base = start();
    for (path, sign) in
        [("/", "<title>Tools</title>"), ("/page.js", "fetch("), ("/page.css", "main")]
    {
        let (status, body) = get(&base, path, &[]);
        assert_eq!(status, 200);
        assert!(body.contains(sign), "{path}");
    }
}

/// A page from elsewhere that has this machine's address behind its own name.
#[test]
fn a_stranger_is_sent_away() {
    use std::io::{Read, Write};
    let base = start();
    let address = base.strip_prefix("http://").unwrap();
    let ask = |request: &str| {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.lines().next().unwrap_or_default().to_owned()
    };
    let line = ask("GET /v1/tools HTTP/1.1\r\nHost: rebound.example\r\n\r\n");
    assert_eq!(line, "HTTP/1.1 421 Misdirected Request");
    assert_eq!(ask("GET /v1/tools HTTP/1.1\r\nHost: localhost\r\n\r\n"), "HTTP/1.1 200 OK");
    assert_eq!(ask("nonsense\r\n\r\n"), "HTTP/1.1 400 Bad Request");
    assert_eq!(
        ask("DELETE /v1/tools HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        "HTTP/1.1 405 Method Not Allowed"
    );
}

/// A registry that answers with one manifest, and with one bundle whatever is
/// asked.
fn hostile(manifest: &str, bundle: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (manifest, bundle) = (manifest.to_owned(), bundle.to_owned());
    thread::spawn(move || {
        hub::registry::http::serve(&listener, |request| {
            let body = if request.target.ends_with("/bundle") { &bundle } else { &manifest };
            hub::registry::http::Answer::text(200, body)
        })
    });
    base
}

#[test]
fn a_hostile_bundle_is_refused_and_nothing_is_written() {
    let manifest = r#"{"id":"tool:x","name":"x","version":"1.0.0","summary":"s","description":"d","entry":{"runtime":"node","main":"x.js"}}"#;
    let bundle = |file: &str| {
        format!(r#"{{"manifest":{manifest},"files":[{{"path":"x.js","content":"x"}},{file}]}}"#)
    };
    let cases = [
        (bundle(r#"{"path":"../../evil.js","content":"x"}"#), "jumith/file-path"),
        (bundle(r#"{"path":"/etc/cron.d/evil","content":"x"}"#), "jumith/file-path"),
        (bundle(r#"{"path":"C:\\evil.js","content":"x"}"#), "jumith/file-path"),
        (bundle(r#"{"path":"X.JS","content":"x"}"#), "jumith/file-collision"),
        (bundle(r#"{"path":"a","content":"eA","encoding":"base64"}"#), "jumith/base64"),
        (bundle(r#"{"path":"tool.json","content":"{}"}"#), "jumith/file-collision"),
        (
            bundle(r#"{"path":"a","content":"x"}"#).replace("\"d\"", "\"other\""),
            "jumith/describe-mismatch",
        ),
        (bundle(r#"{"path":"a","content":"x"}"#).replace("1.0.0", "1.0.1"), "jumith/identity"),
    ];
    for (number, (bundle, code)) in cases.iter().enumerate() {
        let folder = folder(&format!("hostile{number}"));
        let client = Client::new(&hostile(manifest, bundle)).unwrap();
        let refused = client::install(&client, "tool:x", &folder, &mut Seen::default());
        let message = refused.expect_err(bundle).to_string();
        assert!(message.contains(code), "{message}");
        assert!(files(&folder).is_empty(), "{bundle}");
    }
}

#[test]
fn a_version_that_changes_is_noticed() {
    let manifest = r#"{"id":"tool:x","name":"x","version":"1.0.0","summary":"s","description":"d","entry":{"runtime":"node","main":"x.js"}}"#;
    let bundle = |content: &str| {
        format!(r#"{{"manifest":{manifest},"files":[{{"path":"x.js","content":"{content}"}}]}}"#)
    };
    let mut seen = Seen::default();
    let install = |name: &str, content: &str, seen: &mut Seen| {
        let client = Client::new(&hostile(manifest, &bundle(content))).unwrap();
        client::install(&client, "tool:x", &folder(name), seen).map_err(|error| error.to_string())
    };
    install("first", "one", &mut seen).unwrap();
    install("again", "one", &mut seen).unwrap();
    let changed = install("changed", "two", &mut seen).unwrap_err();
    assert!(changed.contains("jumith/immutable-version"), "{changed}");
}
