//! A small host for install manifests: the library says what to do, this program
//! does it. It starts a publisher's server of its own, and walks the whole way:
//! discover, consent, collect variables, install, check, call, revoke.
//!
//! ```sh
//! cargo build --examples --all-features
//! API_KEY=k-4711 cargo run --example install_flow -- notes-cli find '{"query": "tea"}'
//! API_KEY=k-4711 cargo run --example install_flow -- notes-api add '{"folder": "a/b c", "text": "x"}'
//! API_KEY=k-4711 cargo run --example install_flow -- notes-old   # fails its smoke test, and is revoked
//! ```
//!
//! A real host would ask its owner before it installs; this one prints what it
//! would ask, and goes on.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use toolglot::install_engine::acquire::{self, Step as Acquire};
use toolglot::install_engine::consent::Summary;
use toolglot::install_engine::env::{self, Collection, Next, Reply, Sensitive, Values};
use toolglot::install_engine::index::{WellKnown, validate_well_known};
use toolglot::install_engine::invoke::{self, Schemas};
use toolglot::install_engine::plan::{Outcome, Program, Request, Step};
use toolglot::install_engine::{revoke, smoke};
use toolglot::install_manifest::{Manifest, validate};
use toolglot::json::Document;
use toolglot::{Diagnostic, Limits, Validate};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// More than this is not kept of what a tool writes.
const LONGEST_OUTPUT: u64 = 64 << 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [tool] => walk(tool, None),
        [tool, action] => walk(tool, Some((action, ""))),
        [tool, action, input] => walk(tool, Some((action, input))),
        _ => Err("usage: install_flow TOOL [ACTION [INPUT]]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn walk(tool: &str, call: Option<(&str, &str)>) -> Result<()> {
    let publisher = Publisher::start()?;
    let options = Validate::default();

    let bytes = fetch(&format!("{}/.well-known/install-manifests.json", publisher.base))?;
    let document = Document::parse(&bytes, &options.limits)?;
    let report = validate_well_known(&document, &options);
    if !report.is_valid() {
        return Err(lines(&report.diagnostics).into());
    }
    let index = WellKnown::read(&document).ok_or("not an index")?;
    let entry = index.entry(tool).ok_or("the publisher has no such tool")?;
    println!("discovered {} of {}", entry.id, index.publisher.id);

    let bytes = fetch(&entry.manifest_url)?;
    let document = Document::parse(&bytes, &options.limits)?;
    let report = validate(&document, &options);
    if !report.is_valid() {
        return Err(lines(&report.diagnostics).into());
    }
    let manifest = Manifest::read(&document).ok_or("not a manifest")?;
    if !entry.lists(&manifest) {
        return Err("the manifest is not the one that the index lists".into());
    }
    print!("{}", Summary::of(&manifest).text());

    let values = collect(&manifest)?;
    println!("collected {values:?}");

    let folder = Folder::new(tool)?;
    let host = Host { manifest: &manifest, values: &values, folder: &folder.0 };
    let installed = host.install().and_then(|()| host.smoke());
    let called = installed.and_then(|()| match call {
        Some((action, input)) => host.call(action, input),
        None => Ok(()),
    });
    // Whatever happened, nothing stays behind. What happened first is what matters.
    let revoked = host.revoke();
    called.and(revoked)
}

fn lines(problems: &[Diagnostic]) -> String {
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    problems.join("\n")
}

/// Asks for what the environment does not have.
fn collect(manifest: &Manifest<'_>) -> Result<Values> {
    let environment = |name: &str| std::env::var(name).ok();
    let options = env::Options::default();
    let mut collection = Collection::new(&manifest.env, &|_| None, &environment, &options)?;
    loop {
        match collection.next()? {
            Next::Done(values) => return Ok(values),
            Next::Ask(prompt) => {
                print!("{prompt}");
                std::io::stdout().flush()?;
                let mut line = String::new();
                let read = std::io::stdin().read_line(&mut line)?;
                let text = line.trim_end_matches(['\r', '\n']);
                collection.reply(if read == 0 { Reply::Closed } else { Reply::Text(text) })?;
            }
        }
    }
}

/// What a host knows of an installation.
struct Host<'h> {
    manifest: &'h Manifest<'h>,
    values: &'h Values,
    folder: &'h Path,
}

impl Host<'_> {
    fn install(&self) -> Result<()> {
        let folder = self.folder.to_str().ok_or("the folder is not Unicode")?;
        let runtime = &self.manifest.runtime;
        let plan = acquire::plan(&runtime.install, runtime.kind, &acquire::Host::new(folder))
            .map_err(|problems| lines(&problems))?;
        for step in &plan.steps {
            match step {
                Acquire::Download { url, sha256, path } => {
                    let bytes = fetch(url)?;
                    if !acquire::is_download(&bytes, sha256) {
                        return Err("the download is not what the manifest promises".into());
                    }
                    std::fs::write(path, bytes)?;
                    executable(Path::new(path))?;
                }
                Acquire::FindServer { id } if *id == "notes-api" => {}
                step => return Err(format!("this host cannot do {step:?}").into()),
            }
        }
        println!("installed in {} step(s)", plan.steps.len());
        Ok(())
    }

    fn smoke(&self) -> Result<()> {
        let options = smoke::Options::default();
        let plan = smoke::plan(self.manifest, self.values, &options)
            .map_err(|problems| lines(&problems))?;
        let done = self.perform(&plan.step, Duration::from_secs(plan.timeout_seconds.into()));
        let verdict = smoke::judge(self.manifest, &done.outcome(), self.values, &options);
        if !verdict.passed() {
            return Err(lines(&verdict.failures).into());
        }
        println!("smoke test passed");
        Ok(())
    }

    fn call(&self, action: &str, input: &str) -> Result<()> {
        let limits = Limits::default();
        let action = invoke::find(self.manifest, action)?;
        let schemas = Schemas::compile(action, &limits).map_err(|problems| lines(&problems))?;
        let input = schemas.input(input).map_err(|problems| lines(&problems))?;
        let plan = invoke::plan(self.manifest, action, &input, self.values, &limits)
            .map_err(|problems| lines(&problems))?;
        if plan.needs_confirmation {
            return Err("this host does nothing that cannot be undone".into());
        }
        let done = self.perform(&plan.step, Duration::from_secs(30));
        let answer = schemas.judge(action, &done.outcome())?;
        println!("answered {answer:?}");
        Ok(())
    }

    fn revoke(&self) -> Result<()> {
        let manifest = self.manifest;
        let mut plan = revoke::plan(&manifest.kill_switch, &manifest.env, self.values)?;
        let limit = Duration::from_secs(30);
        let done = match &mut plan.step {
            revoke::Step::Nothing => None,
            revoke::Step::Tell { url, instructions } => {
                println!("please revoke it: {url:?} {instructions:?}");
                None
            }
            revoke::Step::Run(program) => Some(self.run(program, limit)),
            revoke::Step::Send(request) => {
                // How this service wants to see credentials.
                if let Some(key) = self.values.get("API_KEY") {
                    let bearer = Sensitive::secret(format!("Bearer {}", key.expose()));
                    request.headers.push(("Authorization".to_owned(), bearer));
                }
                Some(send(request))
            }
        };
        if let Some(done) = done {
            revoke::judge(&done.outcome())?;
        }
        println!("revoked, and forgot {:?}", plan.forget);
        Ok(())
    }

    fn perform(&self, step: &Step, limit: Duration) -> Ended {
        match step {
            Step::Run(program) => self.run(program, limit),
            Step::Send(request) => send(request),
            Step::CallTool(_) => Ended::NotDone("this host speaks no MCP".to_owned()),
        }
    }

    /// Runs a program in the folder of the tool.
    fn run(&self, program: &Program, limit: Duration) -> Ended {
        run(program, self.folder, limit).unwrap_or_else(|error| Ended::NotDone(error.to_string()))
    }
}

/// What came of a step, kept.
enum Ended {
    Exited { code: Option<i32>, stdout: Vec<u8>, stderr: Vec<u8> },
    Responded { status: u16, body: Vec<u8> },
    TimedOut,
    NotDone(String),
}

impl Ended {
    fn outcome(&self) -> Outcome<'_> {
        match self {
            Self::Exited { code, stdout, stderr } => {
                Outcome::Exited { code: *code, stdout, stderr }
            }
            Self::Responded { status, body } => Outcome::Responded { status: *status, body },
            Self::TimedOut => Outcome::TimedOut,
            Self::NotDone(reason) => Outcome::NotDone(reason),
        }
    }
}

fn run(program: &Program, folder: &Path, limit: Duration) -> Result<Ended> {
    let (name, arguments) = program.argv.split_first().ok_or("there is no program")?;
    // A path is one in the folder of the tool.
    let path = name.strip_prefix("./").map_or_else(|| name.into(), |name| folder.join(name));
    let mut child = Command::new(path)
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(program.env.iter().map(|(name, value)| (name, value.expose())))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdin = child.stdin.take();
    let input = program.stdin.clone().unwrap_or_default();
    // A tool need not read its input.
    std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_bytes())));
    let stdout = child.stdout.take().map(read);
    let stderr = child.stderr.take().map(read);
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(5)),
            None => {
                child.kill()?;
                child.wait()?;
                return Ok(Ended::TimedOut);
            }
        }
    };
    let kept = |output: Option<std::thread::JoinHandle<Vec<u8>>>| {
        output.and_then(|output| output.join().ok()).unwrap_or_default()
    };
    Ok(Ended::Exited { code: status.code(), stdout: kept(stdout), stderr: kept(stderr) })
}

fn read(output: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could be read is what there is.
        let _ = output.take(LONGEST_OUTPUT).read_to_end(&mut bytes);
        bytes
    })
}

fn send(request: &Request) -> Ended {
    let headers = request.headers.iter().map(|(name, value)| (name.as_str(), value.expose()));
    let body = request.body.as_ref().map_or("", Sensitive::expose);
    match exchange(request.method.word(), &request.url, headers, body.as_bytes()) {
        Ok((status, body)) => Ended::Responded { status, body },
        Err(error) => Ended::NotDone(error.to_string()),
    }
}

fn fetch(url: &str) -> Result<Vec<u8>> {
    match exchange("GET", url, std::iter::empty(), b"")? {
        (200, body) => Ok(body),
        (status, _) => Err(format!("{url}: status {status}").into()),
    }
}

/// As little HTTP as it takes: no encryption, no redirects, one request at a time.
fn exchange<'h>(
    method: &str,
    url: &str,
    headers: impl Iterator<Item = (&'h str, &'h str)>,
    body: &[u8],
) -> Result<(u16, Vec<u8>)> {
    let rest = url.strip_prefix("http://").ok_or("this host speaks plain HTTP only")?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let length = body.len();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n")?;
    for (name, value) in headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    stream.write_all(b"Connection: close\r\n\r\n")?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.take(LONGEST_OUTPUT).read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").ok_or("no HTTP")?;
    let body = answer.split_off(end + 4);
    let head = String::from_utf8_lossy(&answer);
    let status = head.split(' ').nth(1).ok_or("no status")?.parse()?;
    Ok((status, body))
}

/// The publisher: a process that ends with this one.
struct Publisher {
    base: String,
    process: Child,
}

impl Publisher {
    fn start() -> Result<Self> {
        let own = std::env::current_exe()?;
        let name = format!("install_flow_tool{}", std::env::consts::EXE_SUFFIX);
        let mut process = Command::new(own.with_file_name(name))
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut port = String::new();
        BufReader::new(process.stdout.take().ok_or("no output")?).read_line(&mut port)?;
        Ok(Self { base: format!("http://127.0.0.1:{}", port.trim_end()), process })
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        // It ends when its input does; waiting leaves nothing behind.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// A folder for a tool, which goes away with it.
struct Folder(PathBuf);

impl Folder {
    fn new(tool: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("install_flow-{tool}-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(unix)]
fn executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?)
}

#[cfg(not(unix))]
fn executable(_: &Path) -> Result<()> {
    Ok(())
}
