//! A small host for install manifests: the library says what to do, this program
//! does it. It starts a publisher's server of its own, and walks the whole way:
//! discover, consent, collect variables, install, check, call, revoke.
//!
//! ```sh
//! cargo build --examples --all-features
//! API_KEY=k-4711 cargo run -p toolglot-examples --example install_flow -- notes-cli find '{"query": "tea"}'
//! API_KEY=k-4711 cargo run -p toolglot-examples --example install_flow -- notes-api add '{"folder": "a/b c", "text": "x"}'
//! API_KEY=k-4711 cargo run -p toolglot-examples --example install_flow -- notes-old   # fails its smoke test, and is revoked
//! ```
//!
//! A real host would ask its owner before it installs; this one prints what it
//! would ask, and goes on.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use toolglot::call::{
    self, Concern, End, FindKind, FindTarget, HostFacts, Outcome, PlaceholderPosition, Planned,
    Policy, Program, Request, Step, Template,
};
use toolglot::install_engine::acquire;
use toolglot::install_engine::consent::Summary;
use toolglot::install_engine::env::{self, Collection, Next, Reply, Sensitive, Values};
use toolglot::install_engine::index::{PublisherIndex, validate_publisher_index};
use toolglot::install_engine::{revoke, smoke};
use toolglot::install_manifest::{FORMAT, Manifest, validate};
use toolglot::json::Document;
use toolglot::{Limits, ToolDescriptor, ValidateOptions};

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
    let options = ValidateOptions::default();

    let bytes = fetch(&format!("{}/.well-known/install-manifests.json", publisher.base))?;
    let document = Document::parse(&bytes, &options.limits)?;
    let report = validate_publisher_index(&document, &options);
    if !report.is_valid() {
        return Err(toolglot::Error::from(report).into());
    }
    let index = PublisherIndex::read(&document).ok_or("not an index")?;
    let entry = index.entry(tool).ok_or("the publisher has no such tool")?;
    println!("discovered {} of {}", entry.id, index.publisher.id);

    let bytes = fetch(&entry.manifest_url)?;
    let document = Document::parse(&bytes, &options.limits)?;
    let report = validate(&document, &options);
    if !report.is_valid() {
        return Err(toolglot::Error::from(report).into());
    }
    let manifest = Manifest::read(&document).ok_or("not a manifest")?;
    if !entry.matches(&manifest) {
        return Err("the manifest is not the one that the index lists".into());
    }
    print!("{}", Summary::new(&manifest).text());

    let values = collect(&manifest)?;
    println!("collected {values:?}");

    let folder = Folder::new(tool)?;
    let tools = FORMAT.lift_valid(&document, 0).tools;
    let host = Host { manifest: &manifest, tools: &tools, values: &values, folder: &folder.0 };
    let installed = host.install().and_then(|()| host.smoke());
    let called = installed.and_then(|()| match call {
        Some((action, input)) => host.call(action, input),
        None => Ok(()),
    });
    // Whatever happened, nothing stays behind. What happened first is what matters.
    let revoked = host.revoke();
    called.and(revoked)
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
    /// The actions of the manifest.
    tools: &'h [ToolDescriptor<'h>],
    values: &'h Values,
    folder: &'h Path,
}

impl Host<'_> {
    fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(Sensitive::expose)
    }

    fn install(&self) -> Result<()> {
        let folder = self.folder.to_str().ok_or("the folder is not Unicode")?;
        let installation = acquire::plan(self.manifest, &acquire::InstallHost::new(folder))
            .map_err(toolglot::Error::from)?;
        for plan in &installation.plans {
            match &plan.step {
                Step::Fetch(file) => {
                    let bytes = fetch(&file.url)?;
                    if !file.matches(&bytes) {
                        return Err("the download is not what the manifest promises".into());
                    }
                    std::fs::write(&file.path, bytes)?;
                    executable(Path::new(&file.path))?;
                }
                Step::Find(FindTarget { what: FindKind::Server, name }) if name == "notes-api" => {}
                step => return Err(format!("this host cannot do {step:?}").into()),
            }
        }
        println!("installed in {} step(s)", installation.plans.len());
        Ok(())
    }

    fn smoke(&self) -> Result<()> {
        let options = smoke::Options::default();
        let has = |name: &str| self.value(name).is_some();
        let plan = smoke::plan(self.manifest, self.tools, &has, &options)
            .map_err(toolglot::Error::from)?;
        let outcome = self.perform(&plan.step, plan.timeout_ms);
        let verdict = smoke::judge(self.manifest, &outcome, &|name| self.value(name), &options);
        if !verdict.passed() {
            return Err(toolglot::Error::from(verdict.failures).into());
        }
        println!("smoke test passed");
        Ok(())
    }

    fn call(&self, action: &str, input: &str) -> Result<()> {
        let (limits, policy) = (Limits::default(), Policy::default());
        let tool = call::find_tool(self.tools, action)?;
        let has = |name: &str| self.value(name).is_some();
        let facts = HostFacts { has_value: &has, ..HostFacts::new(&policy) };
        let plan = match call::plan(tool, &(FORMAT.contract)(tool), input, &facts, &limits) {
            Planned::Ready(plan) => plan,
            Planned::Ask(ask) if ask.concerns().contains(&Concern::Destructive) => {
                return Err("this host does nothing that cannot be undone".into());
            }
            // Consent to the installation covers other calls.
            Planned::Ask(ask) => ask.approve(),
            Planned::Refused(refused) => return Err(refused.into()),
        };
        let outcome = self.perform(&plan.step, plan.timeout_ms);
        match plan.next(&outcome, &limits) {
            call::Next::Done(answer) => println!("answered {:?}", answer?),
            call::Next::Go(_) => return Err("actions are calls of one step".into()),
        }
        Ok(())
    }

    fn revoke(&self) -> Result<()> {
        let has = |name: &str| self.value(name).is_some();
        let revocation = revoke::plan(self.manifest, self.tools, &has)?;
        match revocation.plan.map(|plan| plan.step) {
            None => {}
            Some(Step::Ask(instructions)) => println!("please revoke it: {instructions:?}"),
            Some(mut step) => {
                if let Step::Send(request) = &mut step
                    && has("API_KEY")
                {
                    // How this service wants to see credentials.
                    let mut bearer = Template::from("Bearer ");
                    bearer.push_placeholder("API_KEY", PlaceholderPosition::Header);
                    request.headers.push(("Authorization".to_owned(), bearer));
                }
                revoke::judge(&self.perform(&step, None))?;
            }
        }
        println!("revoked, and forgot {:?}", revocation.forget);
        Ok(())
    }

    fn perform(&self, step: &Step, timeout_ms: Option<u64>) -> Outcome {
        let limit = Duration::from_millis(timeout_ms.unwrap_or(30_000));
        let done = match step {
            Step::Run(program) => self.run(program, limit),
            Step::Send(request) => self.send(request),
            _ => Err("this host runs programs and sends requests".into()),
        };
        done.unwrap_or_else(|error| Outcome::NotDone(error.to_string()))
    }

    /// Runs a program in the folder of the tool.
    fn run(&self, program: &Program, limit: Duration) -> Result<Outcome> {
        let words: Vec<String> = program
            .argv
            .iter()
            .map(|word| word.fill(&|name| self.value(name)))
            .collect::<std::result::Result<_, _>>()?;
        let (name, arguments) = words.split_first().ok_or("there is no program")?;
        // A path is one in the folder of the tool.
        let path =
            name.strip_prefix("./").map_or_else(|| name.into(), |name| self.folder.join(name));
        let mut child = Command::new(path)
            .args(arguments)
            .current_dir(self.folder)
            .env_clear()
            // This host passes on nothing of its own.
            .envs(program.environment(&|_| None, &|name| self.value(name)))
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
                    return Ok(Outcome::TimedOut);
                }
            }
        };
        let kept = |output: Option<std::thread::JoinHandle<Vec<u8>>>| {
            output.and_then(|output| output.join().ok()).unwrap_or_default()
        };
        let end = End::Exit(status.code().unwrap_or(-1));
        Ok(Outcome::Exited { end, stdout: kept(stdout), stderr: kept(stderr) })
    }

    fn send(&self, request: &Request) -> Result<Outcome> {
        let value = |name: &str| self.value(name);
        let url = request.fill_url(&value)?;
        let mut headers = Vec::new();
        for (name, template) in &request.headers {
            headers.push((name.as_str(), template.fill(&value)?));
        }
        let body = request.body.as_ref().map(|body| body.fill(&value)).transpose()?;
        let headers = headers.iter().map(|(name, value)| (*name, value.as_str()));
        let body = body.unwrap_or_default();
        let (status, body) = exchange(&request.method, &url, headers, &body)?;
        Ok(Outcome::Responded { status, body })
    }
}

fn read(output: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could be read is what there is.
        let _ = output.take(LONGEST_OUTPUT).read_to_end(&mut bytes);
        bytes
    })
}

fn fetch(url: &str) -> Result<Vec<u8>> {
    match exchange("GET", url, std::iter::empty(), "")? {
        (200, body) => Ok(body),
        (status, _) => Err(format!("{url}: status {status}").into()),
    }
}

/// Sends a request, and takes the answer.
fn exchange<'h>(
    method: &str,
    url: &str,
    headers: impl Iterator<Item = (&'h str, &'h str)>,
    body: &str,
) -> Result<(u16, Vec<u8>)> {
    let step = Step::Send(Request {
        method: method.to_owned(),
        url: url.into(),
        headers: headers.map(|(name, value)| (name.to_owned(), value.into())).collect(),
        body: Some(body.into()).filter(|_| !body.is_empty()),
    });
    // The publisher is on this machine.
    let options = host::Options { private_addresses: true, ..host::Options::default() };
    let sender = host::Host::new(options)?;
    let (origin, values) = (host::Origin::default(), host::Values::new());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let sent =
        async { sender.run_unchecked(&step, &origin, &values, Duration::from_secs(30)).await };
    match runtime.block_on(sent) {
        Outcome::Responded { status, body } => Ok((status, body)),
        other => Err(format!("{url}: {other:?}").into()),
    }
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
