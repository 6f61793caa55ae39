//! Registries over HTTPS: a server of ours, with a certificate that the program is told to trust.
//!
//! Nobody has the key that signed it, so that it vouches for nothing but these tests.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json as value;
use toolglot::capability;

use crate::capabilities::capability;
use crate::program::{Folder, Ran, command, json};

const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/tls/ca.pem");

/// A server with these texts, and what it was asked for.
struct Server {
    base: String,
    texts: Arc<Mutex<BTreeMap<String, String>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start() -> Self {
        let certificate = CertificateDer::from_pem_slice(include_bytes!("tls/localhost.pem"));
        let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/localhost.key.pem"));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.unwrap()], key.unwrap())
            .unwrap();
        let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").unwrap());
        let base = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let (texts, asked) = (Arc::<Mutex<BTreeMap<_, _>>>::default(), Arc::default());
        let server = Self { base, texts: Arc::clone(&texts), asked: Arc::clone(&asked) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that does not trust us hangs up.
                let _ = answer(stream, &config, &texts, &asked);
            }
        });
        server
    }

    fn serves(&self, path: &str, text: String) -> String {
        self.texts.lock().unwrap().insert(path.to_owned(), text);
        format!("{}{path}", self.base)
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

fn answer(
    stream: TcpStream,
    config: &Arc<ServerConfig>,
    texts: &Mutex<BTreeMap<String, String>>,
    asked: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let connection = ServerConnection::new(Arc::clone(config)).map_err(std::io::Error::other)?;
    let mut stream = StreamOwned::new(connection, stream);
    let (mut head, mut chunk) = (Vec::new(), [0; 1024]);
    while !head.ends_with(b"\r\n\r\n") {
        let count = stream.read(&mut chunk)?;
        if count == 0 {
            return Ok(());
        }
        head.extend_from_slice(&chunk[..count]);
    }
    let head = String::from_utf8_lossy(&head);
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let text = texts.lock().unwrap().get(&path).cloned();
    asked.lock().unwrap().push(path);
    let (status, body) = text.map_or(("404 Not Found", String::new()), |text| ("200 OK", text));
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )?;
    stream.conn.send_close_notify();
    stream.flush()
}

/// The program, which trusts our authority, or whoever the machine trusts.
fn catalog(folder: &Folder, trusting: bool, verb: &[&str]) -> Ran {
    let store = folder.path("store");
    let mut command = command(&[&["catalog"], verb, &["--store", &store, "--private"]].concat());
    if trusting {
        command.env("SSL_CERT_FILE", AUTHORITY);
    }
    command.env_remove("SSL_CERT_DIR").output().unwrap().into()
}

/// The SHA-256 of a manifest in its canonical form, as indexes pin it.
fn pin(manifest: &str) -> String {
    let limits = toolglot::Limits::default();
    let document = toolglot::json::Document::parse(manifest.as_bytes(), &limits).unwrap();
    capability::digest(document.root())
}

#[test]
fn a_registry_over_https_is_searched_and_installed_from() {
    let (folder, server) = (Folder::new("https-registry"), Server::start());
    let whole = json(&capability(&[("id", value!("a.whole"))]));
    let elsewhere = capability(&[("id", value!("a.elsewhere"))]);
    let address = server.serves("/elsewhere.json", elsewhere.clone());
    let mut known = json(&elsewhere);
    known["origin"]["digest"] = pin(&elsewhere).into();
    let index = value!({"items": [
        {"manifest": whole}, {"manifest_url": address, "candidate_manifest": known}
    ]});
    let index = server.serves("/index.json", index.to_string());

    // Nothing is said to a server that nobody vouches for.
    let ran = catalog(&folder, false, &["resolve", "count", "--registry", &index]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    assert_eq!(server.asked(), [""; 0]);

    let ran = catalog(&folder, true, &["resolve", "count", "--registry", &index]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for id in ["a.whole@0.2.0:http", "a.elsewhere@0.2.0:http"] {
        assert!(ran.out.contains(id), "{}", ran.out);
    }
    assert_eq!(server.asked(), ["/index.json"]);

    let install = |id: &str, more: &[&str]| {
        catalog(&folder, true, &[&["install", id, "--registry", &index], more].concat())
    };
    let ran = install("a.whole", &[]);
    assert_eq!(ran.code, Some(3), "a registry is not trusted on its own word: {}", ran.err);
    let verified = format!("{}/", server.base);
    server.asked();
    let ran = install("a.elsewhere", &["--verified", &verified]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(server.asked(), ["/index.json", "/elsewhere.json"]);
    let listed = folder.read("store/manifest.local.json");
    assert!(listed.contains("a.elsewhere"), "{listed}");
    // Another manifest than the one that the index pins.
    server.serves("/elsewhere.json", elsewhere.replace("Counts files.", "Counts more."));
    let ran = install("a.elsewhere", &["--verified", &verified]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert_eq!(folder.read("store/manifest.local.json"), listed, "nothing was installed");
}
