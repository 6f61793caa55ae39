//! A small host: packs folders, installs the packages into a store in memory, runs
//! the tests of one of them against an HTTP server on this machine, and runs a chain.
//!
//! ```sh
//! cargo run -p toolglot-examples --example mcpkg_host
//! ```
//!
//! The library decides what is to be done, and judges what came of it. The host sends; files and
//! the clock are here, and a server that stands in for that of the tool.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ::host::{Host, Options, Origin, Values};
use toolglot::Limits;
use toolglot::call::{self, Grant, HostFacts, Outcome, Plan, Policy, Request, Step};
use toolglot::json::{Document, Node};
use toolglot::mcpkg::archive::Entry;
use toolglot::mcpkg::chain::{ChainAction, ChainOptions, ChainOutcome, ChainRun};
use toolglot::mcpkg::package::{CheckOptions, Package};
use toolglot::mcpkg::testing::{TestCase, TestOptions, TestReport, TestRun};
use toolglot::mcpkg::{FORMAT, Manifest, chain};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[allow(dead_code)] // a test takes this file as a module
fn main() -> Result<()> {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("packages");
    let mut store = Store::default();
    for name in ["echo", "pdf-embed"] {
        let bytes = pack(&packages.join(name))?;
        let id = store.install(bytes)?;
        println!("installed {id}");
    }

    let server = EchoServer::start()?;
    let report = store.test("demo.text.echo", server.address)?;
    print!("\n{}", report.to_json());

    let outcome = store.run_chain("tools.pdf.pipeline.embed", r#"{"pdfPath": "/docs/a.pdf"}"#)?;
    println!();
    for step in &outcome.trace {
        println!("{}: {} → {}", step.name, step.input, step.output.as_deref().unwrap_or("nothing"));
    }
    print!("\n{}", store.picture("tools.pdf.pipeline.embed")?);
    Ok(())
}

/// The package of a folder.
pub(crate) fn pack(folder: &Path) -> Result<Vec<u8>> {
    let mut entries = Vec::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(inside) = pending.pop() {
        for entry in fs::read_dir(folder.join(&inside))? {
            let entry = entry?;
            let path = inside.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                pending.push(path);
                continue;
            }
            let name: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
            entries.push(Entry::new(name.join("/"), fs::read(entry.path())?));
        }
    }
    Ok(Package::new(entries)?.write(&Limits::default())?)
}

/// Packages in memory, by the id of their tool.
#[derive(Default)]
pub(crate) struct Store(BTreeMap<String, Vec<u8>>);

impl Store {
    /// Installs a package, unless something is wrong with it.
    pub(crate) fn install(&mut self, bytes: Vec<u8>) -> Result<String> {
        let package = Package::read(&bytes, &Limits::default())?;
        let findings = package.check(&CheckOptions::default());
        if let Some((file, problem)) = findings.errors().next() {
            return Err(format!("{file}: {problem}").into());
        }
        let document = package.document(&Limits::default())?;
        let id = Manifest::read(&document).tool_id.into_owned();
        drop(document);
        self.0.insert(id.clone(), bytes);
        Ok(id)
    }

    fn package(&self, id: &str) -> Result<Package<'_>> {
        let bytes = self.0.get(id).ok_or_else(|| format!("{id} is not installed"))?;
        Ok(Package::read(bytes, &Limits::default())?)
    }

    /// Runs the tests of a tool against a server, whatever host its URL names.
    pub(crate) fn test(&self, id: &str, server: SocketAddr) -> Result<TestReport> {
        let limits = Limits::default();
        let package = self.package(id)?;
        let document = package.document(&limits)?;
        let manifest = Manifest::read(&document);
        let tool = FORMAT.lift_valid(&document, 0).tools.remove(0);
        // Whoever runs the tests of a tool agrees to its calls.
        let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
        let contract = (FORMAT.contract)(&tool);
        let facts = HostFacts::new(&policy);
        let files: Vec<_> = manifest
            .tests
            .iter()
            .map(|name| {
                let bytes = package.file(name).unwrap_or_default();
                Ok((name.to_string(), Document::parse(bytes, &limits)?))
            })
            .collect::<Result<_>>()?;
        let cases = files.iter().map(|(name, case)| (name.clone(), TestCase::read(case)));
        let mut run = TestRun::new(&manifest, cases.collect(), TestOptions::default());
        while let Some(call) = run.next() {
            let plan = call::plan(&tool, &contract, call.input, &facts, &limits).ready()?;
            let start = Instant::now();
            let outcome = send(&plan, server, call.timeout)?;
            run.resume(&outcome, start.elapsed());
        }
        Ok(run.finish())
    }

    /// Runs a chain with tools that stand in for the real ones.
    pub(crate) fn run_chain(&self, id: &str, input: &str) -> Result<ChainOutcome> {
        let package = self.package(id)?;
        let document = package.document(&Limits::default())?;
        let manifest = Manifest::read(&document);
        let mut run = ChainRun::new(&manifest, input.as_bytes(), ChainOptions::default())?;
        while let ChainAction::Call(call) = run.next()? {
            let output = stand_in(&call.call.tool, &call.call.arguments)?;
            run.resume(output.as_bytes())?;
        }
        run.finish().ok_or_else(|| "the chain did not come to its end".into())
    }

    /// A chain as a picture.
    pub(crate) fn picture(&self, id: &str) -> Result<String> {
        let package = self.package(id)?;
        let document = package.document(&Limits::default())?;
        Ok(chain::mermaid(&Manifest::read(&document), &Limits::default()))
    }
}

/// What the tools of the chain would do, more or less.
fn stand_in(tool: &str, input: &str) -> Result<String> {
    let document = Document::parse(input.as_bytes(), &Limits::default())?;
    let argument = |name: &str| document.root().get(name).and_then(Node::text);
    let quote = toolglot::json::quote;
    match tool {
        "tools.pdf.read_local" => {
            let path = argument("path").ok_or("no path")?;
            Ok(format!("{{\"content\": {}}}", quote(&format!("  Text   of {path} "))))
        }
        "tools.text.clean" => {
            let text = argument("text").ok_or("no text")?;
            let words: Vec<_> = text.split_whitespace().collect();
            Ok(format!("{{\"result\": {}}}", quote(&words.join(" "))))
        }
        "tools.embeddings.generate" => {
            let (text, model) = (argument("text"), argument("model"));
            let (text, model) = (text.ok_or("no text")?, model.ok_or("no model")?);
            Ok(format!("{{\"embeddings\": [{}, {}]}}", text.len(), model.len()))
        }
        other => Err(format!("{other} is not installed").into()),
    }
}

/// Sends the request of a plan to a server, and takes the answer.
fn send(plan: &Plan, server: SocketAddr, timeout: Duration) -> Result<Outcome> {
    let Step::Send(request) = &plan.step else {
        return Err("this host makes HTTP calls only".into());
    };
    let url = request.url.to_string();
    let (_, rest) = url.split_once("://").ok_or("not a URL")?;
    let (_, path) = rest.split_once('/').unwrap_or((rest, ""));
    let url = format!("http://{server}/{path}").into();
    let step = Step::Send(Request { url, ..request.clone() });
    let host = Host::new(Options { private_addresses: true, ..Options::default() })?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let sent =
        async { host.run_unchecked(&step, &Origin::default(), &Values::new(), timeout).await };
    Ok(runtime.block_on(sent))
}

/// An HTTP server on this machine that sends back what it is sent.
pub(crate) struct EchoServer {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl EchoServer {
    /// Starts the server, on any port that is free.
    pub(crate) fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                // A client that goes away is its own problem.
                let _ = echo(stream);
            }
        });
        Ok(Self { address, stop, thread: Some(thread) })
    }
}

impl Drop for EchoServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // One last connection, so that the server sees it.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn echo(mut stream: TcpStream) -> Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    let body = loop {
        let count = stream.read(&mut buffer)?;
        request.extend(buffer.get(..count).unwrap_or_default());
        let end = request.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(request.get(..end).unwrap_or_default());
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            });
            let body = request.get(end + 4..).unwrap_or_default();
            if body.len() >= length.unwrap_or(0) {
                break body;
            }
        }
        if count == 0 {
            return Err("the request is cut off".into());
        }
    };
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)?;
    Ok(())
}
