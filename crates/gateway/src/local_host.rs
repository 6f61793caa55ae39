//! Selects the implementation of a tool that fits this machine.

use std::collections::BTreeMap;
use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use disk::files;
use host::{Origin, has_program, program_output};
use serde_json::Value;
use toolglot::call::rules::IMPLEMENTATION;
use toolglot::core::{Pointer, quoted};
use toolglot::json::{Document, Node};
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::fit;
use toolglot::mcpkg::select::{Host, Software, select};
use toolglot::{Format, Limits, Profile, Report, ToolDescriptor};

/// The names of runtimes, and the programs that print their versions. No other program is
/// run to detect a runtime, because the author of a manifest would choose it.
const RUNTIMES: [(&str, &str); 5] = [
    ("node", "node"),
    ("python", "python3"),
    ("dotnet", "dotnet"),
    ("deno", "deno"),
    ("bun", "bun"),
];
/// Prints the name and the version of each package, and imports none of them.
const PYTHON_PACKAGES: &str = "import importlib.metadata as m\n\
                               for d in m.distributions(): print(d.metadata['Name'], d.version)";
/// The most Node packages that are read.
const MAX_PACKAGES: usize = 2_000;
/// The largest `package.json` that is read, in bytes.
const MAX_PACKAGE_JSON_BYTES: usize = 1 << 20;

/// Returns the index of the implementation that fits this machine best, or `None` unless it
/// is an MCPKG tool that has implementations and no call of its own. Blocks the first time,
/// while runtimes print their versions.
///
/// Fails if none fits. The report lists the reasons for each.
pub fn select_implementation(
    tool: &ToolDescriptor<'_>,
    format: &Format,
    origin: &Origin,
) -> Result<Option<usize>, Report> {
    let Some(text) = &origin.manifest else { return Ok(None) };
    let has_own_call = tool.invocation.is_some();
    if has_own_call || tool.implementations.is_empty() || format.name != "mcpkg" {
        return Ok(None);
    }
    let limits = Limits::default();
    let document = Document::parse(text.as_bytes(), &limits)?;
    let manifest = Manifest::read(&document);
    let host = describe_host(document.root(), origin.folder.as_deref());
    let selection = select(&manifest, &host, &limits);
    if let Some(best) = selection.best() {
        return Ok(Some(best.index));
    }
    let mut report = Report::new(Profile::Spec, limits.diagnostics);
    for refused in &selection.refused {
        let name = refused.id.clone().unwrap_or_else(|| refused.index.to_string());
        let why: Vec<String> = refused.reasons.iter().map(ToString::to_string).collect();
        let message = format!("{} does not fit this machine: {}", quoted(&name), why.join("; "));
        report.push(IMPLEMENTATION.at_pointer(Pointer::root(), message));
    }
    Err(report)
}

/// Rates how well the tool of a manifest fits this machine, from 0 to 1. Blocks the first
/// time, while runtimes print their versions.
pub fn fit_score(document: &Document<'_>, folder: Option<&Path>) -> f64 {
    let manifest = Manifest::read(document);
    let is_needed = !manifest.implementations.is_empty();
    let host = if is_needed { describe_host(document.root(), folder) } else { Host::default() };
    fit::fit(&manifest, &host, &Limits::default())
}

/// Describes this machine, as far as the manifest's requirements need it.
fn describe_host(manifest: Node<'_>, folder: Option<&Path>) -> Host {
    let mut host = Host {
        platform: platform(),
        runtimes: RUNTIMES.into_iter().filter_map(runtime).collect(),
        gpu: has_gpu(),
        ..Host::default()
    };
    for list in ["tools", "commands", "binaries"] {
        for program in requirements(manifest, list) {
            let Some(text) = program.text() else { continue };
            let name = text.split_once(">=").map_or(&*text, |(name, _)| name).trim();
            if has_program(name) {
                host.tools.push(Software { name: name.to_owned(), version: None });
            }
        }
    }
    if !requirements(manifest, "packages").is_empty() {
        host.python_packages = python_packages();
        host.node_packages = folder.map_or(Vec::new(), node_packages);
    }
    host
}

/// Returns the entries of one list of requirements, of all implementations.
fn requirements<'d>(manifest: Node<'d>, list: &str) -> Vec<Node<'d>> {
    let mut all = Vec::new();
    if let Some(implementations) = manifest.get("implementations") {
        for implementation in implementations.elements() {
            if let Some(requirements) = implementation.get("requirements")
                && let Some(list) = requirements.get(list)
            {
                all.extend(list.elements());
            }
        }
    }
    all
}

/// Returns true if there is a GPU for computing: a device of the drivers of NVIDIA or AMD,
/// or the one in every Mac with an ARM processor.
fn has_gpu() -> bool {
    let has_device = ["/dev/nvidiactl", "/dev/kfd"].iter().any(|path| Path::new(path).exists());
    has_device || (OS == "macos" && ARCH == "aarch64")
}

/// Returns the platform as MCPKG names it, for example `linux-x64`.
fn platform() -> Option<String> {
    let os = match OS {
        "macos" => "darwin",
        "windows" => "win",
        os => os,
    };
    let arch = match ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "x86" => "x86",
        _ => return None,
    };
    Some(format!("{os}-{arch}"))
}

fn runtime((name, program): (&str, &str)) -> Option<Software> {
    let output = cached_output(program, &["--version"])?;
    // `v20.11.1`, `Python 3.11.2`, `8.0.100`, `deno 2.0.0 (…)`
    let mut words = output.split_whitespace();
    let version = words.find(|word| word.trim_start_matches('v').starts_with(char::is_numeric));
    Some(Software { name: name.to_owned(), version: version.map(str::to_owned) })
}

fn python_packages() -> Vec<Software> {
    // `-I` excludes packages of the working directory.
    let Some(output) = cached_output("python3", &["-I", "-c", PYTHON_PACKAGES]) else {
        return Vec::new();
    };
    let pairs = output.lines().filter_map(|line| line.rsplit_once(' '));
    pairs.map(|(name, version)| Software::new(name, version)).collect()
}

/// Returns the packages that are installed beside a manifest.
fn node_packages(folder: &Path) -> Vec<Software> {
    let (mut packages, mut scopes) = (Vec::new(), Vec::new());
    for path in entries(&folder.join("node_modules")) {
        match path.file_name() {
            Some(name) if name.as_encoded_bytes().starts_with(b"@") => scopes.push(path),
            _ => packages.push(path),
        }
    }
    for scope in scopes {
        packages.extend(entries(&scope));
    }
    packages.truncate(MAX_PACKAGES);
    packages.iter().filter_map(|package| node_package(package)).collect()
}

/// Returns the paths in a folder. A folder that cannot be read is empty.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.take(MAX_PACKAGES).map(|entry| entry.path()).collect()
}

fn node_package(folder: &Path) -> Option<Software> {
    let text = files::read(&folder.join("package.json"), MAX_PACKAGE_JSON_BYTES).ok()?;
    let about: Value = serde_json::from_slice(&text).ok()?;
    Some(Software::new(about.get("name")?.as_str()?, about.get("version")?.as_str()?))
}

/// Returns the output of a program, which is run only once.
fn cached_output(program: &str, arguments: &[&str]) -> Option<String> {
    static OUTPUTS: Mutex<BTreeMap<String, Option<String>>> = Mutex::new(BTreeMap::new());
    let key = format!("{program} {}", arguments.join(" "));
    let mut outputs = OUTPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    outputs.entry(key).or_insert_with(|| program_output(program, arguments)).clone()
}
