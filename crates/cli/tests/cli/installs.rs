//! The verbs for install manifests.

use std::io::{Read, Write};

use crate::program::{Folder, command, json, run, run_with_input, workspace};

const NOTES: &str = "examples/manifests/notes.install.json";
const NOTES_2: &str = "examples/manifests/notes-2.install.json";

#[test]
fn programs_are_told_what_nobody_can_consent_to() {
    let folder = Folder::new("no-consent");
    for (text, code) in [("{", "json/syntax"), (r#"{"manifest_version": "0.4"}"#, "json/required")]
    {
        let file = folder.write("a.json", text);
        let ran = run(&["consent", "--format", "json", &file]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        let said = json(&ran.out);
        assert_eq!(said["valid"], false);
        assert_eq!(said["diagnostics"][0]["code"], code);
    }
}

#[test]
fn consent() {
    let ran = run(&["consent", NOTES]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.starts_with("Install: Notes v1.0.0\n  Keeps notes.\n"), "{}", ran.out);
    assert!(ran.out.contains("\nPermissions:\n  fs.local (read, write): Notes are files.\n"));
    let ran = run(&["consent", "--format", "markdown", NOTES]);
    assert!(
        ran.out.starts_with("## Install: Notes v1\\.0\\.0\n\n- Keeps notes\\.\n"),
        "{}",
        ran.out
    );
    let ran = run(&["consent", "--format", "json", NOTES]);
    assert_eq!(json(&ran.out)["side_effects"], "destructive");

    let ran = run_with_input(&["consent", "-"], b"{\"manifest_version\": \"0.4\"}");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error[json/required]"), "{}", ran.err);
    assert_eq!(run(&["consent", "no/such/file"]).code, Some(2));
}

#[test]
fn plans() {
    let ran = run(&["plan", "install", NOTES, "--folder", "/srv/notes"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let plan = json(&ran.out);
    assert_eq!(plan["plans"][0]["step"]["argv"][0], "python3");
    let argv = plan["plans"][1]["step"]["argv"].as_array().unwrap();
    assert_eq!(argv.first().unwrap(), "/srv/notes/venv/bin/python");
    assert_eq!(argv.last().unwrap(), "notes==1.0.0");

    let ran = command(&["plan", "invoke", NOTES, "find", r#"{"query": "-x"}"#])
        .env("API_KEY", "hunter2")
        .output()
        .unwrap();
    let out = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(ran.status.code(), Some(0));
    let plan = json(&out);
    let argv = ["notes", "find", "--limit", "25", "--", "-x"];
    assert_eq!(plan["step"]["argv"], json(&serde_json::to_string(&argv).unwrap()));
    assert_eq!(plan["step"]["variables"][0], "API_KEY");
    assert!(!out.contains("hunter2"));

    let ran =
        run_with_input(&["plan", "invoke", NOTES, "find", "--input-file", "-"], br#"{"query": 5}"#);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("error[call/arguments]"), "{}", ran.err);
    let ran = run(&["plan", "invoke", NOTES, "fnd"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("help: did you mean \"find\"?"), "{}", ran.err);

    let plan = json(&run(&["plan", "smoke", NOTES]).out);
    assert_eq!((&plan["step"]["do"], &plan["timeout_ms"]), (&json("\"run\""), &json("30000")));
    let plan = json(&run(&["plan", "revoke", NOTES]).out);
    assert_eq!(plan["plan"]["step"]["argv"][1], "revoke");
    assert_eq!(plan["forget"][0], "API_KEY");
}

/// A tool of any format is planned, and nothing is done.
#[test]
fn plans_of_every_format() {
    for (file, tool, arguments, step) in [
        (NOTES, "find", r#"{"query": "tea"}"#, "run"),
        ("examples/manifests/get_time.tools.json", "get_time", r#"{"timezone": "UTC"}"#, "run"),
        ("examples/manifests/echo.mcpkg.json", "demo.echo", r#"{"message": "hi"}"#, "send"),
        ("examples/manifests/count.capability.json", "files.count", "{}", "run"),
        ("tests/fixtures/jumith/valid/bare.json", "text.count", "{}", "node"),
    ] {
        let ran = run(&["plan", "invoke", file, tool, arguments]);
        assert_eq!(ran.code, Some(0), "{file}: {}", ran.err);
        assert_eq!(json(&ran.out)["step"]["do"], step, "{file}");
    }
}

#[test]
fn diff() {
    let ran = run(&["diff", NOTES, NOTES]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "no changes\n"));
    let ran = run(&["diff", NOTES, NOTES_2]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.out,
        "\
breaking  input-now-required at /actions/0/input/properties/limit: \"limit\" must be given now
additive  install-version-changed at /runtime/install: a newer version is installed
additive  scope-added (ask) at /scopes/1: \"net.outbound\" is new
cosmetic  tool-version-bumped at /tool/version: \"1.0.0\" to \"1.1.0\"
the owner must agree anew
"
    );
    assert_eq!(run(&["diff", "--upgrade-safe", NOTES, NOTES_2]).code, Some(1));
    assert_eq!(run(&["diff", "--upgrade-safe", NOTES, NOTES]).code, Some(0));
    let found = json(&run(&["diff", "--format", "json", NOTES, NOTES_2]).out);
    assert_eq!(found["upgrade_safe"], json("false"));
    assert_eq!(found["changes"][0]["class"], "cosmetic");
    assert_eq!(run(&["diff", "-", "-"]).code, Some(2));
}

#[test]
fn lint() {
    let ran = run(&["lint", NOTES]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("warning[install-manifest/no-verify]"), "{}", ran.err);
    assert!(ran.out.ends_with(" remarks\n"), "{}", ran.out);
    assert_eq!(run(&["lint", "--strict", NOTES]).code, Some(1));
    let ran = run(&[
        "lint",
        "--strict",
        "--allow",
        "LM001",
        "--allow",
        "install-manifest/no-goal",
        "--allow",
        "LM010",
        NOTES,
    ]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "examples/manifests/notes.install.json: nothing to say\n")
    );
    assert_eq!(run(&["lint", "--allow", "LM999", NOTES]).code, Some(2));
    let ran = run(&["lint", crate::program::ECHO]);
    assert_eq!(ran.code, Some(0), "any format can be linted: {}", ran.err);
    let ran = run(&["explain", "LM005"]);
    assert!(ran.out.starts_with("install-manifest/no-goal "), "{}", ran.out);
    let ran = run(&["explain", "call/missing-argument"]);
    assert_eq!(ran.code, Some(0));
}

#[test]
fn init() {
    let folder = Folder::new("init");
    let path = folder.path("install.json");
    let ran = run(&["init", "my-tool", "--name", "My tool", "--kind", "node-module", "-o", &path]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(json(&folder.read("install.json"))["runtime"]["install"]["method"], "npm");
    assert_eq!(run(&["consent", &path]).code, Some(0));
    let ran = run(&["init", "my-tool", "-o", &path]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("is there already"), "{}", ran.err);
    assert_eq!(run(&["init", "my-tool", "--force", "-o", &path]).code, Some(0));
    assert_eq!(json(&run(&["init", "my-tool"]).out)["tool"]["name"], "my-tool");
    assert_eq!(run(&["init", "My Tool"]).code, Some(2));
    assert_eq!(run(&["init", "my-tool", "--kind", "magic"]).code, Some(2));
}

/// `cost.estimate_url` answers with an amount and what it is based on.
#[test]
fn an_estimate_is_asked_for() {
    let folder = Folder::new("estimate");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/estimate", listener.local_addr().unwrap());
    let mut manifest = json(&workspace(NOTES));
    manifest["cost"] = serde_json::json!({"usage_model": "per-call", "estimate_url": url});
    let file = folder.write("notes.json", manifest.to_string());
    let bodies = [
        r#"{"monthly_estimate_cents": 1250, "basis": "500 calls a day"}"#,
        r#"{"monthly_estimate_cents": 99}"#,
        r#"{"monthly_estimate_cents": "much"}"#,
    ];
    let server = std::thread::spawn(move || {
        for body in bodies {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = [0; 4096];
            let count = stream.read(&mut head).unwrap();
            assert!(head[..count].starts_with(b"GET /estimate HTTP/1.1\r\n"));
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            )
            .unwrap();
        }
    });
    let ran = run(&["consent", &file]);
    assert!(ran.out.contains("estimate at") && ran.out.contains(&url), "{}", ran.out);
    let ran = run(&["consent", &file, "--estimate"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "a private address: {}", ran.err);
    let asked = |more: &[&str]| {
        run(&[&["consent", &file, "--estimate", "--allow", "private"], more].concat())
    };
    let ran = asked(&[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains(r#"estimate: $12.50 a month, on the basis of "500 calls a day""#),
        "{}",
        ran.out
    );
    let ran = asked(&["--format", "json"]);
    assert_eq!(json(&ran.out)["estimate"]["monthly_estimate_cents"], 99.0, "{}", ran.out);
    let ran = asked(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{}", ran.err);
    server.join().unwrap();
    assert_eq!(run(&["consent", NOTES, "--estimate"]).code, Some(3), "it names no URL");
}
