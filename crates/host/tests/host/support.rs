//! What the tests share: folders, steps, servers, and a look at what still runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use call::{Outcome, Program, Request, Step};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use toolglot_host::{Host, Limits, Options, Origin, Values};

/// Long enough for a busy machine; nothing is asserted to be faster.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A new folder of this name.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path.canonicalize().unwrap()
}

/// Writes a script that can be run. Another process writes it: a file that this one has open for
/// writing, while another thread starts a program, cannot be run.
pub(crate) fn script(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let status = std::process::Command::new("/bin/sh")
        .args(["-c", r#"printf '%s' "$2" > "$1" && chmod 755 "$1""#, "sh"])
        .arg(path)
        .arg(text)
        .status();
    assert!(status.unwrap().success());
}

/// A host that may reach this machine, and takes a mebibyte.
pub(crate) fn host() -> Host {
    let limits = Limits { answer_bytes: 1 << 20, ..Limits::default() };
    Host::new(Options { limits, private_addresses: true, ..Options::default() }).unwrap()
}

/// Processes of these tests sleep for 7391 seconds and a fraction that tells them apart. Those of
/// another run of the tests have another.
fn marked(text: &str) -> String {
    text.replace("7391.", &format!("7391.{}", std::process::id()))
}

/// A program with the search path, and nothing else of the environment.
pub(crate) fn program(argv: &[&str]) -> Program {
    Program {
        argv: argv.iter().map(|word| marked(word).into()).collect(),
        inherit: vec!["PATH".to_owned()],
        ..Program::default()
    }
}

pub(crate) fn sh(script: &str) -> Program {
    program(&["sh", "-c", script])
}

pub(crate) async fn run(program: Program) -> Outcome {
    done(&host(), &Step::Run(program)).await
}

/// Carries out a step that needs no folder and no values.
pub(crate) async fn done(host: &Host, step: &Step) -> Outcome {
    done_within(LONG, host, step).await
}

pub(crate) async fn done_within(time: Duration, host: &Host, step: &Step) -> Outcome {
    host.run_unchecked(step, &Origin::default(), &Values::new(), time).await
}

/// A step that gets this URL.
pub(crate) fn get(url: String) -> Request {
    Request { method: "GET".to_owned(), url: url.into(), headers: Vec::new(), body: None }
}

/// Whether a process runs that has this among its arguments.
pub(crate) fn runs(marker: &str) -> bool {
    let marker = marked(marker);
    let mut processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes.any(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == marker.as_bytes())
    })
}

/// Waits until something is so.
pub(crate) async fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LONG, "{what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// An HTTP server on loopback, and the requests that it got.
pub(crate) struct Server {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers each request with what a function makes of it.
    pub(crate) async fn answering(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let answer = Arc::new(answer);
        Self::handling(move |request, mut stream: TcpStream| {
            let answer = Arc::clone(&answer);
            async move {
                let _ = stream.write_all(answer(&request).as_bytes()).await;
            }
        })
        .await
    }

    /// Hands each request and its connection to a function.
    pub(crate) async fn handling<F, R>(handle: F) -> Self
    where
        F: Fn(String, TcpStream) -> R + Send + Sync + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (handle, seen) = (Arc::new(handle), Arc::clone(&requests));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (handle, seen) = (Arc::clone(&handle), Arc::clone(&seen));
                tokio::spawn(async move {
                    let request = request(&mut stream).await;
                    seen.lock().unwrap().push(request.clone());
                    handle(request, stream).await;
                });
            }
        });
        Self { port, requests }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// A whole answer.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    )
}

/// One request, as it came.
async fn request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok()
            });
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return text,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
        }
    }
}
