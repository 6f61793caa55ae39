use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::program::{Folder, command, json, run, run_with_input, workspace};

const ECHO: &str = "examples/packages/echo";
const PIPELINE: &str = "examples/packages/pdf-embed";

/// A package of a folder of the workspace.
fn packed(folder: &Folder, source: &str) -> String {
    let target = folder.path("packed.mcpkg");
    let ran = run(&["pack", source, "-o", &target]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    target
}

#[test]
fn a_folder_is_packed_and_unpacked() {
    let folder = Folder::new("pack-and-unpack");
    let package = packed(&folder, ECHO);
    let bytes = fs::read(&package).unwrap();
    assert_eq!(fs::read(packed(&folder, ECHO)).unwrap(), bytes, "same files, same bytes");

    let to = folder.path("deep/echo");
    let ran = run(&["unpack", &package, "--to", &to]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for name in ["manifest.json", "tests/simple.test.json", "examples/hello.md", "README.md"] {
        let unpacked = fs::read_to_string(format!("{to}/{name}")).unwrap();
        assert_eq!(unpacked, workspace(&format!("{ECHO}/{name}")));
    }
    // What was unpacked packs to what it was unpacked from.
    let again = folder.path("again.mcpkg");
    assert_eq!(run(&["pack", &to, "-o", &again]).code, Some(0));
    assert_eq!(fs::read(&again).unwrap(), bytes);
    // A folder with something in it is left alone.
    let ran = run(&["unpack", &package, "--to", &to]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("it is there, and not empty"), "{}", ran.err);
}

#[test]
fn a_package_is_named_after_its_tool() {
    let folder = Folder::new("pack-name");
    let source = format!("{}/../../{ECHO}", env!("CARGO_MANIFEST_DIR"));
    let ran: crate::program::Ran =
        command(&["pack", &source]).current_dir(folder.path("")).output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(folder.names(), ["demo.text.echo-0.1.0.mcpkg"]);
    assert!(ran.out.starts_with("demo.text.echo-0.1.0.mcpkg: 5 files, "), "{}", ran.out);
    assert!(ran.out.contains("\nsha256:"), "{}", ran.out);
}

#[test]
fn a_package_in_its_own_folder_is_not_packed() {
    let folder = Folder::new("pack-inside");
    folder.write("manifest.json", workspace("examples/packages/pdf-embed/manifest.json"));
    let target = folder.path("out.mcpkg");
    for _ in 0..2 {
        let ran = run(&["pack", &folder.path(""), "-o", &target]);
        assert!(ran.out.contains(": 1 files, "), "{}", ran.out);
    }
}

#[test]
fn an_invalid_folder_is_not_packed() {
    let folder = Folder::new("pack-invalid");
    folder.write("manifest.json", "{\"toolId\": 1}");
    let target = folder.path("out.mcpkg");
    let ran = run(&["pack", &folder.path(""), "-o", &target]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error[json/type]: "), "{}", ran.err);
    assert!(ran.err.contains("--> manifest.json:1:12"), "{}", ran.err);
    assert_eq!(folder.names(), ["manifest.json"]);
    let ran = run(&["pack", &folder.path(""), "-o", &target, "--no-check"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // Unpacking checks too.
    let to = folder.path("to");
    assert_eq!(run(&["unpack", &target, "--to", &to]).code, Some(1));
    assert!(fs::metadata(&to).is_err());

    let empty = Folder::new("pack-empty");
    let ran = run(&["pack", &empty.path("")]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[zip/no-manifest]: "), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_programs_stay_programs() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new("pack-links");
    fs::create_dir(folder.path("source")).unwrap();
    folder.write("source/manifest.json", workspace("examples/packages/pdf-embed/manifest.json"));
    let tool = folder.write("source/run.sh", "#!/bin/sh\n");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let package = packed(&folder, &folder.path("source"));
    let to = folder.path("to");
    assert_eq!(run(&["unpack", &package, "--to", &to]).code, Some(0));
    let mode =
        |name: &str| fs::metadata(format!("{to}/{name}")).unwrap().permissions().mode() & 0o111;
    assert_ne!(mode("run.sh"), 0);
    assert_eq!(mode("manifest.json"), 0);

    symlink("/etc/passwd", folder.path("source/link")).unwrap();
    let ran = run(&["pack", &folder.path("source"), "-o", &folder.path("x.mcpkg")]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("it is a link or a device"), "{}", ran.err);
}

#[test]
fn what_is_no_package_is_refused() {
    let folder = Folder::new("no-package");
    let file = folder.write("a.mcpkg", "PK, or so");
    for verb in [
        &["inspect", &file][..],
        &["unpack", &file, "--to", &folder.path("to")],
        &["test", &file, "--http"],
    ] {
        let ran = run(verb);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.starts_with("error[zip/end]: "), "{}", ran.err);
    }
    assert_eq!(folder.names(), ["a.mcpkg"]);
}

#[test]
fn programs_are_told_what_is_no_package() {
    let folder = Folder::new("no-package-json");
    let file = folder.write("a.json", r#"{"tools": []}"#);
    let ran = run(&["inspect", "--format", "json", &file]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let said = json(&ran.out);
    assert_eq!(said["valid"], false);
    assert_eq!(said["file"], file);
    assert_eq!(said["diagnostics"][0]["code"], "zip/end");
    let help = said["diagnostics"][0]["help"].as_str().unwrap();
    assert!(help.starts_with("this is JSON: `toolglot validate` reads"), "{help}");
    assert_eq!(ran.err, "");
}

#[test]
fn a_package_is_inspected() {
    let folder = Folder::new("inspect");
    let package = packed(&folder, ECHO);
    let ran = run(&["inspect", &package]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let head = "demo.text.echo 0.1.0\nEcho Tool\nEchoes back whatever message it receives.\n\n\
                calls     POST http://echo.example/mcp/echo\ndigest    sha256:";
    assert!(ran.out.starts_with(head), "{}", ran.out);
    assert!(ran.out.contains("\n  tests/simple.test.json"), "{}", ran.out);
    assert!(ran.err.contains("warning[mcpkg/insecure-url]"), "{}", ran.err);

    let bytes = fs::read(&package).unwrap();
    let ran = run_with_input(&["inspect", "--format", "json", "-"], &bytes);
    let found = json(&ran.out);
    assert_eq!(found["tool_id"], "demo.text.echo");
    assert_eq!(found["valid"], true);
    assert_eq!(found["signed"], false);
    assert_eq!(found["files"][2]["role"], "manifest");
    assert_eq!(found["diagnostics"][0]["code"], "mcpkg/file-name");
    assert_eq!(found["diagnostics"][1]["file"], "manifest.json");
    assert!(found["diagnostics"][1]["line"].is_number());

    let ran = run(&["validate", &package]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("`toolglot inspect` reads it"), "{}", ran.err);

    let ran = run(&["inspect", "--mermaid", &package]);
    assert_eq!(ran.code, Some(1), "there is no chain");
    let ran = run(&["inspect", "--mermaid", &packed(&folder, PIPELINE)]);
    assert!(ran.out.starts_with("flowchart TD\n  input([input])\n"), "{}", ran.out);
}

/// A script that answers as the tool would.
#[cfg(unix)]
fn script(folder: &Folder, name: &str, body: &str) -> String {
    use std::os::unix::fs::PermissionsExt;

    let path = folder.write(name, format!("#!/bin/sh\n{body}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[cfg(unix)]
#[test]
fn tests_run_against_a_program() {
    let folder = Folder::new("test-command");
    let package = packed(&folder, ECHO);
    let echo = script(&folder, "echo.sh", "printf '%s' \"$1\"");
    let (report, junit) = (folder.path("report.json"), folder.path("junit.xml"));
    let ran = run(&["test", &package, "--command", &echo, "--report", &report, "--junit", &junit]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("passed     simple_echo  "), "{}", ran.out);
    assert!(ran.out.contains("\n2 of 2 passed, "), "{}", ran.out);
    assert_eq!(json(&folder.read("report.json"))["summary"]["passed"], 2);
    assert!(folder.read("junit.xml").contains("<testsuite name=\"demo.text.echo\" tests=\"2\""));

    let wrong = script(&folder, "wrong.sh", "echo '{\"message\": \"no\"}'");
    let ran = run(&["test", &package, "--command", &wrong, "--baseline", &report]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err, "since the baseline, broken: simple_echo, unicode_echo\n");
    let ran = run(&["test", &package, "--command", &wrong, "--baseline", &junit]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[json/syntax]"), "{}", ran.err);
    let ran = run(&["test", &package, "--command", &wrong]);
    assert!(ran.out.contains("/message: expected \"hello\", found \"no\""), "{}", ran.out);

    let broken = script(&folder, "broken.sh", "echo 'it is broken' >&2; exit 3");
    let ran = run(&["test", &package, "--command", &broken, "--format", "json"]);
    assert_eq!(ran.code, Some(1));
    let message = json(&ran.out)["results"][0]["reasons"][0]["message"].clone();
    assert!(message.as_str().unwrap().ends_with("exit code 3: it is broken"), "{message}");

    let ran = run(&["test", &package, "--command", "cat a | sort"]);
    assert!(ran.out.contains("the command needs a shell, and is not run"), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn a_program_that_hangs_is_stopped() {
    let folder = Folder::new("test-timeout");
    fs::create_dir_all(folder.path("source/tests")).unwrap();
    let manifest = workspace(&format!("{ECHO}/manifest.json"));
    let manifest = manifest
        .replace(", \"tests/unicode.test.json\"", "")
        .replace("[\"examples/hello.md\"]", "[]");
    folder.write("source/manifest.json", manifest);
    let test = workspace(&format!("{ECHO}/tests/simple.test.json"));
    let test = test.replace("\"name\"", "\"timeoutMs\": 100, \"name\"");
    folder.write("source/tests/simple.test.json", test);
    let package = packed(&folder, &folder.path("source"));
    let slow = script(&folder, "slow.sh", "exec sleep 3600");
    let ran = run(&["test", &package, "--command", &slow]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("timed out  simple_echo"), "{}", ran.out);
}

/// A server that answers each request with its body, and keeps what it was sent.
fn server(answers: usize) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp/echo", listener.local_addr().unwrap());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    thread::spawn(move || {
        for stream in listener.incoming().take(answers) {
            let mut stream = stream.unwrap();
            let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
            let body = loop {
                let count = stream.read(&mut buffer).unwrap();
                request.extend(buffer.iter().take(count));
                let text = String::from_utf8_lossy(&request).into_owned();
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                // Names of headers are the same in any case.
                let head = head.to_ascii_lowercase();
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                if body.len() >= length.unwrap().parse().unwrap() {
                    break body.to_owned();
                }
            };
            kept.lock().unwrap().push(String::from_utf8(request).unwrap());
            let head = format!(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all((head + &body).as_bytes()).unwrap();
        }
    });
    (url, seen)
}

#[test]
fn tests_run_over_http() {
    let folder = Folder::new("test-http");
    let package = packed(&folder, ECHO);
    let (url, seen) = server(2);
    let ran = run(&["test", &package, "--http", "--url", &url]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let seen = seen.lock().unwrap();
    assert!(seen[0].starts_with("POST /mcp/echo HTTP/1.1\r\n"), "{}", seen[0]);
    assert!(seen[0].to_lowercase().contains("content-type: application/json\r\n"), "{}", seen[0]);
    assert!(seen[0].ends_with("{ \"message\": \"hello\" }"), "{}", seen[0]);
    assert!(seen[1].contains("Grüße, 世界"), "{}", seen[1]);
}

#[test]
fn a_secret_is_sent_only_when_it_is_named() {
    let folder = Folder::new("test-secret");
    fs::create_dir_all(folder.path("source/tests")).unwrap();
    let manifest = workspace(&format!("{ECHO}/manifest.json"))
        .replace(", \"tests/unicode.test.json\"", "")
        .replace("[\"examples/hello.md\"]", "[]")
        .replace(
            "\"meta\"",
            "\"auth\": {\"type\": \"bearer\", \"configHints\": {\"env\": [\"ECHO_TOKEN\"]}}, \"meta\"",
        );
    folder.write("source/manifest.json", manifest);
    let test = workspace(&format!("{ECHO}/tests/simple.test.json"));
    folder.write("source/tests/simple.test.json", test);
    let package = packed(&folder, &folder.path("source"));
    let sent = |arguments: &[&str]| {
        let (url, seen) = server(1);
        let all = [&["test", &package, "--http", "--url", &url][..], arguments].concat();
        let mut command = command(&all);
        let command = command.env("ECHO_TOKEN", "s3cret\"x").env("OTHER", "other");
        let ran: crate::program::Ran = command.output().unwrap().into();
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(!(ran.out + &ran.err).contains("s3cret"));
        let seen = seen.lock().unwrap();
        let mut lines = seen[0].lines().filter_map(|line| line.split_once(": "));
        let header = lines.find(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        header.map(|(_, value)| value.to_owned())
    };
    assert_eq!(sent(&[]), None);
    assert_eq!(sent(&["--secret", "OTHER"]), None, "the package does not name it");
    assert_eq!(sent(&["--secret", "ECHO_TOKEN"]).as_deref(), Some("Bearer s3cret\"x"));
    let ran = run(&["test", &package, "--http", "--secret", "NOT_SET_ANYWHERE"]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn wrong_usage() {
    let folder = Folder::new("package-usage");
    let pipeline = packed(&folder, PIPELINE);
    for arguments in [
        &["pack"][..],
        &["unpack", &pipeline],
        &["inspect"],
        &["test", &pipeline],
        &["test", &pipeline, "--http", "--command", "x"],
        &["test", &pipeline, "--command", "x", "--url", "http://localhost/"],
        &["test", &pipeline, "--http", "--url", "ftp://localhost/"],
        &["test", &pipeline, "--http"],
    ] {
        assert_eq!(run(arguments).code, Some(2), "{arguments:?}");
    }
}

/// A ZIP archive of stored files, by the writer of packages.
fn bundle(folder: &Folder, manifest: &str, files: &[&str]) -> String {
    use toolglot::mcpkg::archive::{Entry, write};
    let manifest = Entry::new("manifest.json", manifest.as_bytes());
    let others = files.iter().map(|name| Entry::new(*name, b"x".as_slice()));
    let entries: Vec<Entry<'_>> = std::iter::once(manifest).chain(others).collect();
    let bytes = write(&entries, &toolglot::Limits::default()).unwrap();
    folder.write("notes.mcpb", &bytes)
}

#[test]
fn a_bundle_is_unpacked() {
    let folder = Folder::new("bundle");
    let manifest = workspace("tests/fixtures/mcpb/valid/notes.json");
    let file = bundle(&folder, &manifest, &["server/index.js"]);
    let to = folder.path("notes");
    let ran = run(&["unpack", &file, "--to", &to]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(format!("{to}/manifest.json")).unwrap(), manifest);
    let ran = run(&["validate", &format!("{to}/manifest.json")]);
    assert!(ran.out.ends_with(": valid (mcpb 0.3)\n"), "{}", ran.out);
}

#[test]
fn a_bundle_without_its_server_is_not_unpacked() {
    let folder = Folder::new("bundle-short");
    let manifest = workspace("tests/fixtures/mcpb/valid/notes.json");
    let file = bundle(&folder, &manifest, &[]);
    let ran = run(&["unpack", &file, "--to", &folder.path("short")]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error[mcpb/file-missing]"), "{}", ran.err);
}

#[test]
fn a_bundle_is_taken_for_its_manifest() {
    let folder = Folder::new("bundle-read");
    let manifest = workspace("tests/fixtures/mcpb/valid/notes.json");
    let file = bundle(&folder, &manifest, &["server/index.js"]);
    let ran = run(&["detect", &file]);
    assert!(ran.out.contains("notes.mcpb: mcpb 0.3, because "), "{}", ran.out);
    let ran = run(&["validate", &file]);
    assert!(ran.out.ends_with("notes.mcpb: valid (mcpb 0.3)\n"), "{}", ran.out);
    // The same as from the manifest.
    let plain = folder.write("manifest.json", &manifest);
    let converted = |file: &str| {
        let ran = run(&["convert", "--to", "tools-json", file]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    };
    assert_eq!(converted(&file), converted(&plain));
    let ran = run(&["inspect", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for line in ["notes 1.2.0\n", "\ntools     find\n", "\nfiles     2, ", " server/index.js\n"] {
        assert!(ran.out.contains(line), "{line:?} in {}", ran.out);
    }
    let inspected = json(&run(&["inspect", "--format", "json", &file]).out);
    assert_eq!(inspected["files"], json(r#"["manifest.json", "server/index.js"]"#));
}

#[test]
fn a_bundle_is_checked_for_its_files() {
    let folder = Folder::new("bundle-files");
    let manifest = workspace("tests/fixtures/mcpb/valid/notes.json");
    let file = bundle(&folder, &manifest, &[]);
    for verb in ["validate", "inspect"] {
        let ran = run(&[verb, &file]);
        assert_eq!(ran.code, Some(1), "{verb}");
        assert!(ran.err.contains("error[mcpb/file-missing]"), "{}", ran.err);
    }
    // An archive that the strict reader refuses is no bundle.
    let whole = std::fs::read(&file).unwrap();
    let cut = folder.write("cut.mcpb", &whole[..whole.len() - 3]);
    assert_eq!(run(&["validate", &cut]).code, Some(1));
    assert_eq!(run(&["inspect", &cut]).code, Some(1));
}
