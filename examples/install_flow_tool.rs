//! A tool to install with `install_flow`, and the server of those who publish it.
//!
//! ```sh
//! install_flow_tool serve   # prints its port, and serves until its input ends
//! install_flow_tool status  # what the installed program does
//! ```

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;

use serde_json::{Value, json};
use toolglot::core::sha256_hex;

/// The credential that the service knows.
const KEY: &str = "k-4711";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["serve"] => serve(),
        ["status"] => answer(&json!({"ok": true})),
        ["find", "--limit", limit, "--", query] => answer(
            &json!({"query": query, "limit": limit, "key": std::env::var("API_KEY").is_ok()}),
        ),
        ["add"] => add(),
        ["revoke"] => Ok(()),
        _ => Err("not a command".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn answer(value: &Value) -> Result<(), Box<dyn Error>> {
    Ok(writeln!(io::stdout(), "{value}")?)
}

fn add() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let note: Value = serde_json::from_str(&text)?;
    let text = note.get("text").ok_or("a note has a text")?;
    if text == "" {
        let error = json!({"code": "empty_note", "message": "A note needs a text."});
        return answer(&json!({"error": error}));
    }
    answer(&json!({"id": 1, "text": text}))
}

/// Serves until standard input ends, so that it does not outlive its host.
fn serve() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    println!("{port}");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that goes away is its own problem.
            let _ = handle(stream, port);
        }
    });
    io::copy(&mut io::stdin().lock(), &mut io::sink())?;
    Ok(())
}

fn handle(stream: TcpStream, port: u16) -> Result<(), Box<dyn Error>> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ');
    let request = format!("{} {}", words.next().unwrap_or(""), words.next().unwrap_or(""));
    let (mut length, mut allowed) = (0, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        match header.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse()?;
            }
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                allowed = value == format!("Bearer {KEY}");
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let (status, body) = respond(&request, &body, allowed, port)?;
    let head = format!(
        "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = stream;
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)?;
    Ok(())
}

fn respond(
    request: &str,
    body: &[u8],
    allowed: bool,
    port: u16,
) -> Result<(u16, Vec<u8>), Box<dyn Error>> {
    let base = format!("http://127.0.0.1:{port}");
    let json = |status, value: Value| Ok((status, value.to_string().into_bytes()));
    match request {
        "GET /.well-known/install-manifests.json" => json(200, index(&base)),
        "GET /manifests/notes-cli.json" => json(200, program(&base, "notes-cli", true)?),
        "GET /manifests/notes-api.json" => json(200, service(&base)),
        // The same, with a smoke test that fails.
        "GET /manifests/notes-old.json" => json(200, program(&base, "notes-old", false)?),
        "GET /artifact" => Ok((200, artifact()?.into_bytes())),
        _ if !allowed => json(401, json!({"error": {"code": "who", "message": "Who are you?"}})),
        "GET /v1/status" => json(200, json!({"ok": true, "region": "eu"})),
        "POST /v1/folders/a%2Fb%20c/notes" => {
            let note: Value = serde_json::from_slice(body)?;
            json(201, json!({"id": 2, "sent": note}))
        }
        "DELETE /v1/installs/notes-api" => Ok((204, Vec::new())),
        _ => json(404, json!({"error": {"code": "what", "message": "There is no such thing."}})),
    }
}

fn index(base: &str) -> Value {
    let entry = |id: &str| {
        json!({"id": id, "manifest_url": format!("{base}/manifests/{id}.json"),
            "manifest_version": "0.4", "status": "active"})
    };
    json!({
        "version": "1",
        "publisher": {"kind": "https", "id": "notes.example", "display_name": "Notes"},
        "generated_at": "2026-01-01T00:00:00Z",
        "manifests": [entry("notes-cli"), entry("notes-api"), entry("notes-old")]
    })
}

fn key() -> Value {
    json!({"name": "API_KEY", "prompt": "The key of your account", "secret": true,
        "validation_regex": "^k-[0-9]+$"})
}

/// What is downloaded: a script that starts this program, which is large.
fn artifact() -> Result<String, Box<dyn Error>> {
    let program = std::env::current_exe()?;
    let program = program.to_str().ok_or("the path of this program is not Unicode")?;
    Ok(format!("#!/bin/sh\nexec '{}' \"$@\"\n", program.replace('\'', r"'\''")))
}

/// A program, which is downloaded.
fn program(base: &str, id: &str, ok: bool) -> Result<Value, Box<dyn Error>> {
    let sha256 = sha256_hex(artifact()?.as_bytes());
    let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
    Ok(json!({
        "manifest_version": "0.4",
        "tool": {"id": id, "version": "1.0.0", "name": "Notes", "summary": "Keeps notes.",
            "homepage": "https://notes.example"},
        "runtime": {"kind": "shell-binary",
            "install": {"method": "url", "url": format!("{base}/artifact"), "sha256": sha256},
            "entrypoint": {"command": ["./tool"]}},
        "env": [key()],
        "scopes": [{"resource": "fs.local", "actions": ["read", "write"], "rationale": "Notes are files."}],
        "actions": [
            {"name": "find", "summary": "Finds notes.", "side_effects": "read", "idempotent": true,
                "invocation": {"kind": "subcommand",
                    "argv_template": ["find", "--limit", "${input.limit}", "--", "${input.query}"]},
                "input": object(json!({"query": {"type": "string"}, "limit": {"type": "integer", "default": 25}}),
                    json!(["query"])),
                "output": {"format": "json", "schema": {"type": "object", "required": ["query"]}}},
            {"name": "add", "summary": "Adds a note.", "side_effects": "write",
                "invocation": {"kind": "stdin-json", "argv_template": ["add"]},
                "input": object(json!({"text": {"type": "string"}}), json!(["text"])),
                "output": {"format": "json"}, "error_envelope": "standard"}
        ],
        "smoke": {"kind": "shell", "command": ["./tool", "status"],
            "success": {"json_pointer_equals": {"/ok": ok}, "stdout_regex": "^\\{.*\\}$"}},
        "kill_switch": {"kind": "shell", "command": ["./tool", "revoke"]}
    }))
}

/// A service, which is called.
fn service(base: &str) -> Value {
    let headers = json!({"Authorization": "Bearer ${env.API_KEY}"});
    json!({
        "manifest_version": "0.4",
        "tool": {"id": "notes-api", "version": "1.0.0", "name": "Notes online",
            "summary": "Keeps notes elsewhere.", "homepage": "https://notes.example"},
        "runtime": {"kind": "mcp-http",
            "install": {"method": "preinstalled", "locator": {"kind": "mcp-server-id", "server_id": "notes-api"}},
            "endpoint_url": format!("{base}/v1")},
        "env": [key(), {"name": "REGION", "prompt": "Region", "secret": false, "default": "eu"}],
        "actions": [
            {"name": "status", "summary": "Says how it is.", "side_effects": "none",
                "invocation": {"kind": "http", "method": "GET", "path": "/status", "headers": headers},
                "output": {"format": "json"}},
            {"name": "add", "summary": "Adds a note.", "side_effects": "write",
                "invocation": {"kind": "http", "method": "POST", "path": "/folders/${input.folder}/notes",
                    "headers": headers},
                "input": {"type": "object", "required": ["folder", "text"], "additionalProperties": false,
                    "properties": {"folder": {"type": "string"}, "text": {"type": "string"}}},
                "output": {"format": "json"}, "error_envelope": "standard"}
        ],
        "smoke": {"kind": "action-call", "action": "status",
            "success": {"http_status": 200, "json_pointer_equals": {"/region": "${REGION}"}}},
        "kill_switch": {"kind": "url", "url": format!("{base}/v1/installs/notes-api")}
    })
}
