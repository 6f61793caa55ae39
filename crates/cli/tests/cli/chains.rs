//! Chains of MCPKG, and implementations that are chosen for the machine.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::calls::{converted_from, hosted, words};
use crate::program::{Folder, Ran, command, run};

/// Reads a "file": says what it was asked for.
const READ: &str = "#!/bin/sh\nprintf '{\"content\":\"hello\",\"asked\":%s}' \"$1\"\n";
/// Shouts the text that it is given.
const SHOUT: &str = "#!/bin/sh\ntext=$(printf %s \"$1\" | sed 's/.*\"text\":\"\\([^\"]*\\)\".*/\\1/')\n\
                     printf '{\"loud\":\"%s!\"}' \"$(printf %s \"$text\" | tr a-z A-Z)\"\n";
const FAIL: &str = "#!/bin/sh\necho broken >&2\nexit 3\n";

fn manifest(id: &str, call: &str) -> String {
    format!(
        r#"{{"toolId": "{id}", "capabilities": ["demo"], "version": "1.0.0", "name": "{id}",
            "description": "Does it.", "input_schema": {{"type": "object"}},
            "output_schema": {{"type": "object"}}, {call}}}"#
    )
}

fn local(id: &str, program: &str) -> String {
    manifest(id, &format!(r#""endpoint": {{"type": "local", "command": "./{program}"}}"#))
}

/// A chain that reads a file and shouts what is in it, and the tools that it calls.
fn chain(name: &str) -> Folder {
    let folder = Folder::new(name);
    for (program, text) in [("read.sh", READ), ("shout.sh", SHOUT), ("fail.sh", FAIL)] {
        let path = folder.write(program, text.as_bytes());
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder.write("read.json", local("demo.read", "read.sh").as_bytes());
    folder.write("shout.json", local("demo.shout", "shout.sh").as_bytes());
    folder.write("fail.json", local("demo.fail", "fail.sh").as_bytes());
    folder.write("chain.json", two_steps("demo.both", "demo.read", "demo.shout").as_bytes());
    folder
}

fn two_steps(id: &str, first: &str, second: &str) -> String {
    let steps = format!(
        r#""chain": [
          {{"step": "read", "tool": "{first}", "inputMapping": {{"path": "$.input.file"}}}},
          {{"step": "shout", "tool": "{second}", "inputMapping": {{"text": "$.read.content"}}}}]"#
    );
    let text = manifest(id, &steps);
    text.replacen(
        r#""input_schema": {"type": "object"}"#,
        r#""input_schema": {"type": "object", "required": ["file"],
            "properties": {"file": {"type": "string"}}}"#,
        1,
    )
}

fn call(folder: &Folder, file: &str, more: &[&str]) -> Ran {
    let (file, with) = (folder.path(file), folder.path(""));
    let mut arguments = vec!["call", file.as_str(), "--with", with.as_str()];
    arguments.extend(more);
    run(&arguments)
}

const FILE: &str = r#"{"file": "a.txt"}"#;

#[test]
fn a_chain_runs_step_by_step() {
    let folder = chain("chain");
    let ran = call(&folder, "chain.json", &["--args", FILE, "--yes", "--trace"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "{\"loud\":\"HELLO!\"}\n"), "{}", ran.err);
    let trace: Vec<&str> = ran.err.lines().filter(|line| line.contains("->")).collect();
    let read =
        r#"read: "demo.read" {"path":"a.txt"} -> {"content":"hello","asked":{"path":"a.txt"}}"#;
    let shout = r#"shout: "demo.shout" {"text":"hello"} -> {"loud":"HELLO!"}"#;
    assert_eq!(trace, [read, shout]);
}

#[test]
fn a_chain_of_chains_runs() {
    let folder = chain("chain-of-chains");
    let outer = two_steps("demo.outer", "demo.read", "demo.both2");
    let inner = manifest(
        "demo.both2",
        r#""chain": [{"step": "s", "tool": "demo.shout", "inputMapping": {"text": "$.input.text"}}]"#,
    );
    folder.write("inner.json", inner.as_bytes());
    folder.write("outer.json", outer.as_bytes());
    let ran = call(&folder, "outer.json", &["--args", FILE, "--yes"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "{\"loud\":\"HELLO!\"}\n"), "{}", ran.err);
}

/// All that speaks against a chain is said before its first step is made.
#[test]
fn nothing_of_a_chain_is_called_that_cannot_be_called_whole() {
    let folder = chain("chain-refused");
    let refused = |file: &str, more: &[&str], code: i32, why: &str| {
        let ran = call(&folder, file, more);
        assert_eq!(ran.code, Some(code), "{file}: {}", ran.err);
        assert!(ran.err.contains(why), "{file}: {}", ran.err);
        assert!(!ran.err.contains("->"), "{file}: {}", ran.err);
    };
    let yes: &[&str] = &["--args", FILE, "--yes", "--trace"];
    refused(
        "chain.json",
        &["--args", FILE, "--trace"],
        3,
        "of \"demo.read\": the manifest does not",
    );
    refused("chain.json", &["--args", "{}", "--yes", "--trace"], 1, "file");
    folder.write("unknown.json", two_steps("demo.un", "demo.read", "demo.nobody").as_bytes());
    refused("unknown.json", yes, 3, "\"demo.nobody\", which is not known here");
    folder.write("one.json", two_steps("demo.one", "demo.read", "demo.two").as_bytes());
    folder.write("two.json", two_steps("demo.two", "demo.read", "demo.one").as_bytes());
    refused("one.json", yes, 3, "leads back to it");
}

#[test]
fn a_step_that_fails_ends_the_chain() {
    let folder = chain("chain-fails");
    folder.write("fails.json", two_steps("demo.fails", "demo.read", "demo.fail").as_bytes());
    let ran = call(&folder, "fails.json", &["--args", FILE, "--yes"]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("step 2 (shout, \"demo.fail\")"), "{}", ran.err);
}

/// A chain of chains could come to any number of calls.
#[test]
fn a_chain_comes_to_so_many_calls() {
    let folder = chain("chain-many");
    let many = |id: &str, tool: &str| {
        let step = |n| format!(r#"{{"step": "s{n}", "tool": "{tool}", "inputMapping": {{}}}}"#);
        let steps: Vec<String> = (0..20).map(step).collect();
        manifest(id, &format!(r#""chain": [{}]"#, steps.join(",")))
    };
    folder.write("twenty.json", many("demo.twenty", "demo.read").as_bytes());
    folder.write("many.json", many("demo.many", "demo.twenty").as_bytes());
    let ran = call(&folder, "many.json", &["--args", "{}", "--yes"]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("more than 256 calls"), "{}", ran.err);
}

/// The plan of a chain is its first step.
#[test]
fn a_chain_is_planned() {
    let folder = chain("chain-plan");
    let file = folder.path("chain.json");
    for arguments in [
        vec!["plan", "invoke", &file, "demo.both", FILE],
        vec!["call", &file, "--args", FILE, "--dry-run"],
    ] {
        let ran = run(&arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let plan: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(plan["step"]["tool"], "demo.read");
        assert_eq!(plan["step"]["arguments"], r#"{"path":"a.txt"}"#);
    }
}

/// The bridge makes the call of a chain with the tools that are installed.
#[test]
fn a_converted_chain_runs() {
    let folder = chain("chain-bridge");
    let file = folder.path("chain.json");
    let (out, document) = converted_from(&file, &folder, "tools-json");
    for name in ["read.json", "read.sh", "shout.json", "shout.sh"] {
        let installed = out.inside(".mcp/tools").write(name, b"");
        fs::copy(folder.path(name), installed).unwrap();
    }
    let ran = hosted(&out, &words(&document["tools"][0]["command"]), Some(FILE));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "{\"loud\":\"HELLO!\"}\n"), "{}", ran.err);
}

/// Of several implementations, the one that fits this machine is called; if none does, each is
/// said to lack something.
#[test]
fn the_implementation_that_fits_is_called() {
    let folder = chain("implementations");
    let one = |id: &str, more: &str, program: &str| {
        format!(
            r#"{{"id": "{id}", {more}, "endpoint": {{"type": "local", "command": "./{program}"}}}}"#
        )
    };
    let other = one("other", r#""platforms": ["win-arm64"]"#, "fail.sh");
    let needs = one("needs", r#""requirements": {"tools": ["no-such-program-here"]}"#, "fail.sh");
    let fits = one("fits", r#""requirements": {"tools": ["sh"]}"#, "read.sh");
    let all = |list: &[&String]| {
        let list: Vec<&str> = list.iter().map(|one| one.as_str()).collect();
        manifest("demo.many", &format!(r#""implementations": [{}]"#, list.join(",")))
    };
    folder.write("several.json", all(&[&other, &needs, &fits]).as_bytes());
    let ran = call(&folder, "several.json", &["--args", "{}", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, "{\"content\":\"hello\",\"asked\":{}}\n");
    folder.write("none.json", all(&[&other, &needs]).as_bytes());
    let ran = call(&folder, "none.json", &["--args", "{}", "--yes"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("call/implementation"), "{}", ran.err);
    assert!(ran.err.contains("the platform is not one of those listed"), "{}", ran.err);
    assert!(ran.err.contains("there is no program \"no-such-program-here\""), "{}", ran.err);
}

/// A server has the chain as one tool.
#[test]
fn a_chain_is_served() {
    let folder = chain("chain-served");
    let line = |id: u32, method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
    };
    let hello = r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;
    let lines = [
        line(1, "initialize", hello),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        line(2, "tools/call", r#"{"name":"demo.both","arguments":{"file":"a.txt"}}"#),
    ];
    let mut child = command(&["mcp", &folder.path("")])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for text in lines {
        std::io::Write::write_all(&mut stdin, format!("{text}\n").as_bytes()).unwrap();
    }
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    let answer = loop {
        let mut text = String::new();
        assert!(std::io::BufRead::read_line(&mut stdout, &mut text).unwrap() > 0, "an answer");
        let message: serde_json::Value = serde_json::from_str(&text).unwrap();
        if message["id"] == 2 {
            break message;
        }
    };
    assert_eq!(answer["result"]["structuredContent"]["loud"], "HELLO!", "{answer}");
    drop(stdin);
    child.wait().unwrap();
}

/// A program that is not there, or an implementation that does not fit, is found before the first
/// step is made, too.
#[test]
fn nothing_of_a_chain_is_called_whose_programs_are_not_all_there() {
    let folder = chain("chain-lacks");
    let refused = |tool: &str, id: &str, why: &str| {
        folder.write("lacking.json", tool.as_bytes());
        folder.write("lacks.json", two_steps("demo.lacks", "demo.read", id).as_bytes());
        let ran = call(&folder, "lacks.json", &["--args", FILE, "--yes", "--trace"]);
        assert_eq!(ran.code, Some(3), "{}", ran.err);
        assert!(ran.err.contains(why) && !ran.err.contains("->"), "{}", ran.err);
    };
    refused(&local("demo.gone", "gone.sh"), "demo.gone", "gone.sh");
    let other = r#""implementations": [{"id": "other", "platforms": ["win-arm64"],
        "endpoint": {"type": "local", "command": "./read.sh"}}]"#;
    refused(&manifest("demo.other", other), "demo.other", "does not fit this machine");
}

/// Sections 11.5 and 11.6: chains are put together of tools, checked, run, and have versions.
#[test]
fn a_chain_is_put_together() {
    let folder = chain("chain-made");
    let text = |name: &str| {
        format!(
            r#"{{"type": "object", "required": ["{name}"],
                "properties": {{"{name}": {{"type": "string"}}}}}}"#
        )
    };
    let tool = |id: &str, program: &str, [input, output]: [&str; 2]| {
        let open = r#"{"type": "object"}"#;
        let manifest = local(id, program).replacen(open, &text(input), 1);
        manifest.replacen(open, &text(output), 1)
    };
    folder.write("read.json", tool("demo.text.read", "read.sh", ["path", "text"]));
    folder.write("shout.json", tool("demo.text.shout", "shout.sh", ["text", "loud"]));
    folder.write("read.sh", READ.replace("content", "text"));
    let (first, second) = (folder.path("read.json"), folder.path("shout.json"));
    let made = folder.path("made.json");
    let run_chain =
        |more: &[&str]| run(&[&["chain", "demo.text.both", &first, &second], more].concat());
    let ran = run_chain(&["-o", &made]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.err);
    assert_eq!(run_chain(&["-o", &made]).code, Some(2), "it is there already");
    assert_eq!(run(&["validate", &made]).code, Some(0));
    let ran = call(&folder, "made.json", &["--args", r#"{"path": "a.txt"}"#, "--yes"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "{\"loud\":\"HELLO!\"}\n"), "{}", ran.err);
    // Another order of steps is another version, and asks its caller for more.
    let ran = run(&["chain", "demo.text.both", &second, &first, "--version", "2.0.0"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("note: read.path comes from the caller"), "{}", ran.err);
    let other = folder.write("other.json", &ran.out);
    let ran = run(&["diff", &made, &other]);
    assert!(ran.out.contains("2.0.0"), "{}{}", ran.out, ran.err);
    // What a person maps is taken, and held against the tools.
    let ran = run_chain(&["--map", "shout.text=$.input.words"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("$.input.words"), "{}", ran.out);
    let ran = run_chain(&["--map", "shout.text=$.later.words"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for wrong in ["shout.text", "text=$.a", "none.text=$.input.a"] {
        assert_eq!(run_chain(&["--map", wrong]).code, Some(2), "{wrong}");
    }
    assert_eq!(run_chain(&["--version", "two"]).code, Some(1));
    assert_eq!(run(&["chain", "demo.text.both", "no.such.tool"]).code, Some(2));
}
