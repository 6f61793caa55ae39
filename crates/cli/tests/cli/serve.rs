//! `toolglot serve`, as MCP clients, hosts of other formats and strangers see it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rmcp::model::CallToolRequestParams;
use rmcp::service::{ClientLifecycleMode, serve_client_with_lifecycle};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

use crate::capabilities::capability;
use crate::mcp::{Client, newest, notes, until};
use crate::program::{Folder, Ran, command};

/// The program, which ends with the test.
struct Server {
    child: Child,
    address: String,
    token: String,
}

/// What was answered.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Server {
    fn start(folder: &Folder) -> Self {
        Self::start_with(folder, &[])
    }

    fn start_with(folder: &Folder, more: &[&str]) -> Self {
        let (tools, token) = (folder.path("tools"), folder.path("token"));
        let line = ["serve", &tools, "--listen", "127.0.0.1:0", "--token-file", &token];
        let mut command = command(&[&line, more].concat());
        command.env("XDG_STATE_HOME", folder.path("state"));
        let err = fs::File::create(folder.path("err")).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(err).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().trim_end_matches(['/', '\n']);
        let token = fs::read_to_string(token).unwrap().trim().to_owned();
        Self { address: address.to_owned(), token, child }
    }

    /// Sends a request with these lines in its head.
    fn send(&self, request: &str, lines: &[&str], body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let host = format!("Host: {}", self.address);
        let named = lines.iter().any(|line| line.starts_with("Host:"));
        let mut all = vec![format!("{request} HTTP/1.1"), "Connection: close".to_owned()];
        all.extend(Some(host).filter(|_| !named));
        all.extend(lines.iter().map(ToString::to_string));
        all.push(format!("Content-Length: {}\r\n\r\n", body.len()));
        let head = all.join("\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        // It may be refused before it is read.
        let _ = stream.write_all(body.as_bytes());
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    fn bearer(&self) -> String {
        format!("Authorization: Bearer {}", self.token)
    }

    /// Sends a request with the token.
    fn keyed(&self, request: &str, body: &str) -> Answer {
        self.send(request, &[&self.bearer()], body)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn served(name: &str) -> (Folder, Server) {
    let folder = Folder::new(name);
    folder.write("tools/notes.json", notes("read"));
    folder.write("tools/risky.json", notes("destructive").replace("\"notes\"", "\"risky\""));
    let server = Server::start(&folder);
    (folder, server)
}

const CALL: &str = "POST /tools/notes.find";

#[test]
fn a_tool_is_called_with_the_token_alone() {
    let (folder, server) = served("serve-token");
    let arguments = r#"{"query": "tea"}"#;
    let answer = server.keyed(CALL, arguments);
    assert_eq!((answer.status, answer.json()), (200, json!({"found": "tea"})), "{answer:?}");
    let wrong = format!("Authorization: Bearer {}", "0".repeat(64));
    for lines in [vec![], vec![wrong.as_str()], vec!["Authorization: Basic eDp5"]] {
        for request in [CALL, "POST /mcp", "GET /api/tools", "GET /unison", "POST /a2a"] {
            let answer = server.send(request, &lines, arguments);
            assert_eq!(answer.status, 401, "{request}: {answer:?}");
        }
    }
    // It is the owner's alone, and stays the same.
    let mode = fs::metadata(folder.path("token")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let token = server.token.clone();
    drop(server);
    let err = fs::read_to_string(folder.path("err")).unwrap();
    assert!(!err.contains(&token), "{err}");
    assert_eq!(Server::start(&folder).token, token);
    fs::set_permissions(folder.path("token"), fs::Permissions::from_mode(0o644)).unwrap();
    let (tools, file) = (folder.path("tools"), folder.path("token"));
    let ran =
        command(&["serve", &tools, "--listen", "127.0.0.1:0", "--token-file", &file]).output();
    assert_eq!(ran.unwrap().status.code(), Some(2), "others can read it");
}

/// A page from elsewhere, and a name that was made to lead here.
#[test]
fn other_hosts_and_origins_are_refused() {
    let (_folder, server) = served("serve-hosts");
    let bearer = server.bearer();
    for host in [
        "evil.example",
        "evil.example:4000",
        "127.0.0.1.evil.example",
        "192.168.0.1",
        "localhost:80@evil.example",
        "localhost@evil.example",
        "[::1]evil.example",
        "",
    ] {
        let line = format!("Host: {host}");
        for request in ["GET /", "GET /v1/tools", CALL] {
            let answer = server.send(request, &[&line, &bearer], "{}");
            assert!(matches!(answer.status, 400 | 421), "{host}: {answer:?}");
        }
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://localhost:1"] {
        let line = format!("Origin: {origin}");
        let answer = server.send(CALL, &[&line, &bearer], r#"{"query": "x"}"#);
        assert_eq!(answer.status, 403, "{origin}: {answer:?}");
    }
    let own = format!("Origin: http://{}", server.address);
    assert_eq!(server.send(CALL, &[&own, &bearer], r#"{"query": "x"}"#).status, 200);
    let port = server.address.split(':').nth(1).unwrap();
    let local = format!("Host: localhost:{port}");
    assert_eq!(server.send("GET /", &[&local], "").status, 200);
}

#[test]
fn what_is_wrong_is_told() {
    let (folder, server) = served("serve-wrong");
    let code = |answer: &Answer| answer.json()["error"]["code"].as_str().unwrap().to_owned();
    let answer = server.keyed(CALL, r#"{"query": 1}"#);
    assert_eq!((answer.status, code(&answer).as_str()), (400, "arguments"), "{answer:?}");
    assert!(answer.body.contains("/query"), "{answer:?}");
    assert_eq!(server.keyed("POST /tools/no.such", "{}").status, 404);
    assert_eq!(server.keyed(CALL, "{").status, 400);
    assert_eq!(server.keyed(CALL, &" ".repeat(5 << 20)).status, 413);
    let answer = server.keyed("POST /tools/risky.find", r#"{"query": "x"}"#);
    assert_eq!((answer.status, code(&answer).as_str()), (403, "not-approved"), "{answer:?}");
    let file = folder.path("tools/risky.json");
    let ran =
        command(&["approve", &file, "--yes"]).env("XDG_STATE_HOME", folder.path("state")).output();
    assert_eq!(ran.unwrap().status.code(), Some(0));
    assert_eq!(server.keyed("POST /tools/risky.find", r#"{"query": "x"}"#).status, 200);
}

/// Over HTTP nobody can be asked, and what nobody granted is refused.
#[test]
fn a_channel_has_to_be_granted() {
    let folder = Folder::new("serve-channel");
    let id = |name: &str| ("id", json!(name));
    let desktop = ("execution", json!({"channel": "vdi_vpn"}));
    folder.write("tools/desktop.json", capability(&[id("a.desktop"), desktop]));
    folder.write("tools/oauth.json", capability(&[id("a.oauth"), ("requires_oauth", json!(true))]));
    let server = Server::start(&folder);
    let code = |answer: &Answer| answer.json()["error"]["code"].as_str().unwrap().to_owned();
    for tool in ["a.desktop", "a.oauth"] {
        let answer = server.keyed(&format!("POST /tools/{tool}"), "{}");
        assert_eq!((answer.status, code(&answer).as_str()), (403, "not-granted"), "{answer:?}");
    }
    drop(server);
    let server = Server::start_with(&folder, &["--allow", "vdi_vpn"]);
    assert_eq!(server.keyed("POST /tools/a.desktop", "{}").status, 200);
    assert_eq!(server.keyed("POST /tools/a.oauth", "{}").status, 403);
}

/// Unison asks a registry for servers, then posts to one of them; it sends no header.
#[test]
fn unison_finds_and_calls_tools_by_a_token_in_the_path() {
    let (_folder, server) = served("serve-unison");
    let registry = server.send(&format!("GET /{}/unison", server.token), &[], "").json();
    let entry = &registry["servers"][0];
    let tools: Vec<_> =
        entry["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(tools, ["notes.find", "risky.find"]);
    let base = entry["base_url"].as_str().unwrap();
    let path = base.strip_prefix(&format!("http://{}", server.address)).unwrap();
    let request = format!("POST {path}/tools/notes.find");
    let answer = server.send(&request, &[], r#"{"arguments": {"query": "tea"}}"#);
    assert_eq!((answer.status, answer.json()), (200, json!({"found": "tea"})));
    let envelope =
        json!({"type": "a2a.request", "capability_id": "notes.find", "args": {"query": "b"}});
    let answer = server.send(&format!("POST /{}/a2a", server.token), &[], &envelope.to_string());
    assert_eq!((answer.status, answer.json()), (200, json!({"found": "b"})));
    // A token in the path opens nothing else, and a wrong one opens nothing.
    let token = &server.token;
    for request in [
        format!("POST /{token}/mcp"),
        format!("POST /{token}/tools/notes.find"),
        format!("GET /{token}/api/tools"),
        format!("GET /{}/unison", "0".repeat(64)),
        format!("POST /{}/a2a", "0".repeat(64)),
    ] {
        assert_eq!(server.send(&request, &[], "{}").status, 404, "{request}");
    }
}

#[test]
fn the_page_may_do_nothing_but_ask_its_server() {
    let (folder, server) = served("serve-page");
    let page = server.send("GET /", &[], "");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("referrer-policy: no-referrer"), "{}", page.head);
    let policy =
        page.head.lines().find(|line| line.starts_with("content-security-policy:")).unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        assert!(!page.body.contains(sink), "{sink}");
    }
    let tools = server.keyed("GET /api/tools", "").json();
    let ids: Vec<_> = tools["tools"].as_array().unwrap().iter().map(|tool| &tool["id"]).collect();
    assert_eq!(ids, ["notes.find", "risky.find"]);
    assert!(tools["tools"][0]["target"].as_str().unwrap().contains("/bin/echo"));
    // It is read again when files change.
    fs::remove_file(folder.path("tools/risky.json")).unwrap();
    let start = Instant::now();
    while server.keyed("GET /api/tools", "").json()["tools"].as_array().unwrap().len() > 1 {
        assert!(start.elapsed() < Duration::from_secs(20), "it is still there");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_bundle_with_a_secret_is_not_served() {
    let folder = Folder::new("serve-secret");
    folder.write("tools/notes.json", notes("read"));
    for (name, module) in [("a", "export const tool = 1;"), ("b", "const key = 'ghp_KEY';")] {
        let key = "Zq8Lw3Rt6Yp1Xc9Vb4Nm7Kj2Hg5Fd0SaUeIo";
        let manifest = json!({"id": format!("tool:{name}"), "name": name, "version": "1.0.0",
            "summary": "s", "description": "d", "entry": {"runtime": "node", "main": "x.js"}});
        folder.write(&format!("tools/{name}/1.0.0/manifest.json"), manifest.to_string());
        folder.write(&format!("tools/{name}/1.0.0/files/x.js"), module.replace("KEY", key));
    }
    let server = Server::start(&folder);
    let status = |name| server.send(&format!("GET /v1/tools/tool%3A{name}"), &[], "").status;
    assert_eq!((status("a"), status("b")), (200, 404));
    assert!(folder.read("err").contains("holds a secret"), "{}", folder.read("err"));
}

/// A registry of packages is asked by capability, language, runtime and platform.
#[tokio::test]
async fn packages_are_searched_for_over_http() {
    let folder = Folder::new("serve-packages");
    let pack = |tool: &str, language: &str, platform: &str, about: &str| {
        let manifest = json!({"toolId": format!("acme.pdf.{tool}"), "name": tool, "version": "1.0.0",
            "description": about, "capabilities": ["pdf", "local"],
            "implementations": [{"id": "one", "language": language, "runtime": language,
                "platforms": [platform], "endpoint": {"type": "local", "command": "./run.sh"}}],
            "input_schema": {"type": "object"}, "output_schema": {"type": "object"}});
        folder.write(&format!("{tool}/manifest.json"), manifest.to_string());
        folder.write("tools/.keep", "");
        let target = folder.path(&format!("tools/{tool}.mcpkg"));
        let packed = command(&["pack", &folder.path(tool), "-o", &target]).output().unwrap();
        assert!(packed.status.success(), "{packed:?}");
    };
    pack("read", "javascript", "linux-x64", "Reads it.");
    pack("write", "python", "win-x64", "Writes it.");
    let key = "ghp_Zq8Lw3Rt6Yp1Xc9Vb4Nm7Kj2Hg5Fd0SaUeIo";
    pack("leak", "javascript", "linux-x64", &format!("Use {key}."));
    folder.write("tools/broken.mcpkg", "no archive");
    let server = Server::start(&folder);
    let base = format!("http://{}", server.address);
    let search = |arguments: &[&str]| -> Ran {
        let mut command = command(&[&["search", &base], arguments].concat());
        command.env("XDG_STATE_HOME", folder.path("state")).output().unwrap().into()
    };
    let found = search(&["--capability", "pdf", "--language", "JavaScript"]);
    assert_eq!(found.out, "acme.pdf.read  1.0.0  Reads it.\n", "{}", found.err);
    assert_eq!((found.code, found.err.as_str()), (Some(0), "1 of 1 packages\n"));
    assert_eq!(search(&["--platform", "win-x64"]).out, "acme.pdf.write  1.0.0  Writes it.\n");
    assert_eq!(search(&["--language", "python", "--platform", "linux-x64"]).code, Some(1));
    assert_eq!(search(&["--runtime", "python", "--capability", "cloud"]).code, Some(1));
    assert_eq!(search(&["reads", "--capability", "local"]).out.lines().count(), 1);
    let found = search(&["--capability", "pdf", "--limit", "1", "--offset", "1"]);
    assert_eq!(found.out, "acme.pdf.write  1.0.0  Writes it.\n");
    assert_eq!(found.err, "1 of 2 packages\n");
    let found = search(&["--capability", "pdf", "--language", "python", "--format", "json"]);
    let found: Value = serde_json::from_str(&found.out).unwrap();
    assert_eq!(found["tool_id"], "acme.pdf.write");
    assert!(found["digest"].as_str().unwrap().starts_with("sha256:"), "{found}");
    // Whoever misspells a filter hears of it, and what is not offered is told to who serves.
    let asked = |query: &str| server.send(&format!("GET /mcpkg/v1/packages?{query}"), &[], "");
    assert_eq!(asked("langauge=python").status, 400);
    assert!(!asked("").body.contains("ghp_"), "{}", asked("").body);
    let said = folder.read("err");
    assert!(said.contains("leak.mcpkg is left out: it holds a secret"), "{said}");
    assert!(said.contains("broken.mcpkg is left out: it is no package"), "{said}");
    // The folder is looked at again.
    fs::remove_file(folder.path("tools/write.mcpkg")).unwrap();
    until("the change", || asked("language=python").json()["total"] == 0).await;
}

/// Clients that hold connections, and clients that do not read, keep nobody else waiting.
#[test]
fn idle_connections_and_slow_readers_starve_nobody() {
    let (_folder, server) = served("serve-idle");
    let idle: Vec<TcpStream> =
        (0..200).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    let mut begun: Vec<TcpStream> = Vec::new();
    for _ in 0..50 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(b"GET / HT").unwrap();
        begun.push(stream);
    }
    for _ in 0..50 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
        stream.write_all(head.repeat(50).as_bytes()).unwrap();
        begun.push(stream);
    }
    let start = Instant::now();
    for _ in 0..20 {
        assert_eq!(server.keyed(CALL, r#"{"query": "tea"}"#).status, 200);
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    // Who says nothing loses its place.
    for mut stream in idle {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut rest = Vec::new();
        assert!(stream.read_to_end(&mut rest).is_ok(), "it is still open");
    }
}

/// Who asks for much and takes nothing is cut off, and so is what was held for it.
#[test]
fn clients_that_do_not_read_are_cut_off() {
    let folder = Folder::new("serve-slow");
    folder.write("tools/notes.json", notes("read"));
    let manifest = json!({"id": "tool:big", "name": "big", "version": "1.0.0", "summary": "s",
        "description": "d", "entry": {"runtime": "node", "main": "x.js"}});
    folder.write("tools/big/1.0.0/manifest.json", manifest.to_string());
    folder.write("tools/big/1.0.0/files/x.js", "// line\n".repeat(400_000));
    let server = Server::start(&folder);
    let bundle = "GET /v1/tools/tool%3Abig/versions/1.0.0/bundle";
    let whole = server.send(bundle, &[], "");
    assert_eq!(whole.status, 200);
    // More than the system holds for a connection.
    let request = format!("{bundle} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).repeat(3);
    let slow: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(40) {
        assert_eq!(server.keyed(CALL, r#"{"query": "tea"}"#).status, 200);
        std::thread::sleep(Duration::from_secs(1));
    }
    for mut stream in slow {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(rest.len() < whole.body.len() * 3, "it took all {} bytes", rest.len());
    }
}

#[tokio::test]
async fn mcp_clients_are_served_over_http() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (folder, server) = served("serve-mcp");
    for mode in [ClientLifecycleMode::Initialize, newest()] {
        let client = Client::new(Some(true));
        let url = format!("http://{}/mcp", server.address);
        let config = StreamableHttpClientTransportConfig::with_uri(url).auth_header(&*server.token);
        let transport = StreamableHttpClientTransport::from_config(config);
        let service =
            serve_client_with_lifecycle(client.clone(), transport, mode.clone()).await.unwrap();
        let tools = service.list_all_tools().await.unwrap();
        assert_eq!(tools.len(), 2);
        for tool in ["notes.find", "risky.find"] {
            let mut params = CallToolRequestParams::new(tool);
            params.arguments = json!({"query": "tea"}).as_object().cloned();
            let result = service.call_tool(params).await.unwrap();
            assert_eq!(result.structured_content, Some(json!({"found": "tea"})), "{result:?}");
        }
        assert!(client.heard("cannot be undone"), "it was asked");
        if mode == ClientLifecycleMode::Initialize {
            folder.write("tools/more.json", notes("read").replace("\"notes\"", "\"more\""));
            until("the change", || client.heard("changed")).await;
            fs::remove_file(folder.path("tools/more.json")).unwrap();
            tokio::time::sleep(Duration::from_secs(3)).await;
        }
    }
}
