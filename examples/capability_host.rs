//! A small host for capabilities: it installs what it is told to, finds what fits
//! an intent, and runs it. The library decides; this program only does.
//!
//! ```sh
//! cargo run -p toolglot-examples --example capability_host -- STORE install examples/manifests/count.capability.json
//! cargo run -p toolglot-examples --example capability_host -- STORE run 'count files'
//! ```
//!
//! The catalog that was shipped is `examples/catalogs/manifest.base.json`; the local
//! one, and what is installed, are in the folder STORE.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use toolglot::call::{End, Judge, Outcome, Plan, Step};
use toolglot::capability::install::{self, Rollback, StagingState, StorePath};
use toolglot::capability::resolve::resolve;
use toolglot::capability::run;
use toolglot::capability::{Catalog, CatalogEntry, Channel, Layers, Policy, ReadCatalog};
use toolglot::core::format::OutcomeRules;
use toolglot::descriptor::Filesystem;
use toolglot::json::Document;
use toolglot::{Limits, Report, ValidateOptions};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [store, "install", manifest] => Host::open(store).and_then(|host| host.install(manifest)),
        [store, "run", intent] => Host::open(store).and_then(|host| host.run(intent)),
        _ => Err("usage: capability_host STORE install FILE | STORE run INTENT".into()),
    };
    match done {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

pub(crate) struct Host {
    store: PathBuf,
    layers: Layers,
    policy: Policy,
}

impl Host {
    /// Reads the catalogs, and cleans up what a crash may have left.
    pub(crate) fn open(store: &str) -> Result<Self> {
        let store = PathBuf::from(store);
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogs/manifest.base.json");
        let layers = Layers::new(catalog(&base)?, catalog(&store.join("manifest.local.json"))?);
        // This host lets capabilities read files. It gives them nothing else.
        let policy = Policy { filesystem: Filesystem::Read, ..Policy::default() };
        let host = Self { store, layers, policy };
        let mut places = Vec::new();
        for folder in ["staging", "installed"] {
            let entries = fs::read_dir(host.store.join(folder)).into_iter().flatten();
            let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
            places.extend(names.map(|name| format!("{folder}/{name}")));
        }
        host.discard(&install::leftover_paths(&host.layers, places));
        Ok(host)
    }

    fn path(&self, place: &StorePath) -> PathBuf {
        self.store.join(place.as_str())
    }

    fn discard(&self, rollback: &Rollback) {
        for place in &rollback.discard {
            // What is not there need not go.
            let _ = fs::remove_dir_all(self.path(place));
        }
    }

    /// Stage, validate, promote, declare. Whatever fails, nothing half can run.
    pub(crate) fn install(self, manifest: &str) -> Result<String> {
        let options = ValidateOptions::default();
        let entry = CatalogEntry::parse(&fs::read_to_string(manifest)?, &options)
            .map_err(|report| words(&report))?;
        let id = entry.id().to_owned();

        let staging = StagingState::begin(entry, &self.policy)?;
        let place = self.path(&staging.path());
        let stored = fs::create_dir_all(&place)
            .and_then(|()| fs::write(place.join("manifest.json"), staging.manifest()));
        if let Err(error) = stored {
            self.discard(&staging.roll_back(&self.layers));
            return Err(error.into());
        }
        let read = fs::read(place.join("manifest.json")).unwrap_or_default();
        let checked = staging.finish().validate(&read, None, &self.layers, &options);
        let promoting = checked.map_err(|(rollback, report)| {
            self.discard(&rollback);
            words(&report)
        })?;

        let (from, to) = (self.path(&promoting.source_path()), self.path(&promoting.target_path()));
        let moved = if to.exists() {
            // The same thing is there already.
            fs::remove_dir_all(&from)
        } else {
            fs::create_dir_all(self.store.join("installed")).and_then(|()| fs::rename(&from, &to))
        };
        if let Err(error) = moved {
            self.discard(&promoting.roll_back(&self.layers));
            return Err(error.into());
        }
        let committing = promoting.finish(&self.layers);
        let local = self.store.join("manifest.local.json");
        let beside = self.store.join("manifest.local.json.new");
        let written = fs::write(&beside, committing.local().render())
            .and_then(|()| fs::rename(&beside, &local));
        if let Err(error) = written {
            self.discard(&committing.roll_back(&self.layers));
            return Err(error.into());
        }
        if let Some(old) = committing.finish(&self.layers).obsolete {
            let _ = fs::remove_dir_all(self.path(&old));
        }
        Ok(format!("installed {id}"))
    }

    /// Runs what fits best, if it may.
    pub(crate) fn run(self, intent: &str) -> Result<String> {
        let found = resolve(intent, &self.layers, []);
        let best = found.first().ok_or("nothing fits")?;
        let id = best.entry.id();
        if !install::is_runnable(&self.layers, id, |place| self.path(place).exists()) {
            return Err(format!("{id} is not installed").into());
        }
        let channel = Channel::Programmatic;
        let run = run::plan_by_id(&self.layers, id, "{}", channel, &self.policy)?;
        let outcome = call(&run.plan)?;
        // The programs of this host print JSON, and that is what it hands on.
        let answer = Judge::for_reading(OutcomeRules::Json).judge(&outcome, &Limits::default());
        let answer = answer.map_err(|failure| format!("{id} failed: {failure}"))?;
        Ok(answer.text().unwrap_or_default())
    }
}

/// Does what the plan says. A host that can do more has more arms.
fn call(plan: &Plan) -> Result<Outcome> {
    let Step::Run(program) = &plan.step else {
        return Err("this host runs commands only".into());
    };
    let argv: Vec<String> = program.argv.iter().map(ToString::to_string).collect();
    let [name, arguments @ ..] = argv.as_slice() else {
        return Err("there is no program".into());
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut child = Command::new(name)
        .args(arguments)
        .env_clear()
        .env("PATH", path)
        .envs(program.environment(&|name| std::env::var_os(name), &|_| None))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let end = Instant::now() + Duration::from_millis(plan.timeout_ms.unwrap_or(30_000));
    while child.try_wait()?.is_none() {
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            return Ok(Outcome::TimedOut);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output()?;
    let end = End::Exit(output.status.code().unwrap_or(-1));
    Ok(Outcome::Exited { end, stdout: output.stdout, stderr: Vec::new() })
}

/// A catalog in a file. One that is not there is empty.
fn catalog(file: &Path) -> Result<Catalog> {
    let Ok(bytes) = fs::read(file) else {
        return Ok(Catalog::default());
    };
    let document = Document::parse(&bytes, &Limits::for_catalog())?;
    let (catalog, report) =
        Catalog::read(&document, &ReadCatalog::default()).map_err(|report| words(&report))?;
    for diagnostic in report.errors() {
        eprintln!("{}: {diagnostic}", file.display());
    }
    Ok(catalog)
}

fn words(report: &Report) -> Box<dyn Error> {
    let lines: Vec<String> = report.errors().map(ToString::to_string).collect();
    lines.join("\n").into()
}
