//! An HTTP server on loopback: the tool of MCPKG, the registry and the agent of Unison.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

pub(crate) struct Server {
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let own = url.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let own = own.clone();
                std::thread::spawn(move || answer(stream.unwrap(), &own));
            }
        });
        Self { url }
    }
}

/// Greets.
fn greeted(arguments: &Value) -> Value {
    json!({
        "greeting": format!("hello {}", arguments["name"].as_str().unwrap()),
        "count": arguments["count"],
    })
}

fn answer(mut stream: TcpStream, url: &str) {
    let (head, body) = message(&mut stream);
    let json = || serde_json::from_slice::<Value>(&body).unwrap();
    let line = head.lines().next().unwrap();
    let answer = match line.rsplit_once(' ').unwrap().0 {
        "POST /greet" => greeted(&json()),
        "GET /registry" => json!({"servers": [
            {"id": "other", "base_url": "http://127.0.0.1:9", "tools": [{"name": "greet"}]},
            {"id": "greeter", "base_url": url, "tools": [{"name": "greet"}]},
        ]}),
        "POST /tools/greet" => greeted(&json()["arguments"]),
        "POST /agent" => {
            let request = json();
            assert_eq!(request["type"], "a2a.request");
            assert_eq!(request["capability_id"], "demo.greet");
            greeted(&request["args"])
        }
        other => panic!("{other}"),
    };
    let answer = answer.to_string();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n", answer.len());
    let _ =
        write!(stream, "{head}Content-Type: application/json\r\nConnection: close\r\n\r\n{answer}");
}

/// The head and the body of a message.
pub(crate) fn message(stream: &mut TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok()
            });
            let length: usize = length.unwrap_or(0);
            if bytes.len() >= end + 4 + length {
                return (head, bytes[end + 4..end + 4 + length].to_vec());
            }
        }
        let count = stream.read(&mut chunk).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&chunk[..count]);
    }
}

/// Sends a request, and gives the status and the JSON of the answer.
pub(crate) fn request(method: &str, url: &str, body: Option<&Value>) -> (u16, Value) {
    request_with(method, url, "", body)
}

/// The same with one more header.
pub(crate) fn request_with(
    method: &str,
    url: &str,
    more: &str,
    body: Option<&Value>,
) -> (u16, Value) {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!("{method} /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    let about = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{more}{about}{body}").as_bytes()).unwrap();
    let (head, body) = message(&mut stream);
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let json = serde_json::from_slice(&body);
    (status, json.unwrap_or_else(|_| panic!("{head}\n{}", String::from_utf8_lossy(&body))))
}
