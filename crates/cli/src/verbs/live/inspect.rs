//! `toolglot inspect`

use std::path::PathBuf;

use serde::Serialize;
use serde_json::json;
use toolglot::core::{SourceText, printable};
use toolglot::mcpb::Bundle;
use toolglot::mcpkg::meta::ed25519::SignatureStatus;
use toolglot::mcpkg::package::{Role, SIGNATURE};
use toolglot::mcpkg::{Endpoint, Manifest, chain};
use toolglot::{Profile, Report, ValidateOptions};

use crate::files::input::Input;
use crate::files::limits;
use crate::files::mcpb;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{FileReport, FindingStyle, Problem, json_line};
use crate::terminal::sarif;
use crate::verbs::live::packages;
use crate::verbs::validate_args::ProfileName;

/// Show what is in an MCPKG package or an MCP bundle, and what is wrong with it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot inspect echo.mcpkg
  toolglot inspect --format json echo.mcpkg
  toolglot inspect --format sarif echo.mcpkg > found.sarif
  toolglot inspect --mermaid pipeline.mcpkg > pipeline.mmd

Whether a package is signed is told by the keys that are trusted: `toolglot trust`.

Exit codes: 0 valid, 1 invalid, or its signature does not hold, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The package; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Whose behaviour to follow
    #[arg(long, value_name = "PROFILE", default_value = "spec")]
    profile: ProfileName,
    /// A file with a public key of the publisher, to trust beside those of `toolglot trust`
    #[arg(long = "key", value_name = "FILE")]
    keys: Vec<PathBuf>,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: FindingStyle,
    /// Print the chain as a Mermaid flowchart, and nothing else
    #[arg(long, conflicts_with = "format")]
    mermaid: bool,
}

#[derive(Serialize)]
struct Inspection<'a> {
    file: &'a str,
    tool_id: &'a str,
    name: &'a str,
    version: &'a str,
    description: &'a str,
    capabilities: &'a [std::borrow::Cow<'a, str>],
    calls: Vec<String>,
    digest: String,
    signed: bool,
    signature: SignatureStatus,
    files: Vec<FileEntry<'a>>,
    valid: bool,
    diagnostics: Vec<LocatedProblem<'a>>,
}

#[derive(Serialize)]
struct FileEntry<'a> {
    name: &'a str,
    role: Role,
    bytes: usize,
    executable: bool,
}

#[derive(Serialize)]
struct LocatedProblem<'a> {
    file: &'a str,
    #[serde(flatten)]
    problem: Problem<'a>,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let input = package::load(&args.file, terminal)?;
    let profile: Profile = args.profile.into();
    let limits = limits::document();
    if let Some(bundle) = Bundle::detect(input.bytes(), &limits) {
        return inspect_mcpb(&bundle, &input.name, (profile, args.format), terminal);
    }
    let content = match package::read(&input) {
        Ok(content) => content,
        Err(report) => return Err(refuse(args.format, &input, &report, terminal)?),
    };
    let findings = content.check(&package::check_options(profile, Some(&args.file)));
    let document = content.document(&limits);
    // If the manifest is not JSON, the findings contain the error.
    let manifest = document.as_ref().map_or_else(|_| Manifest::default(), Manifest::read);
    if args.mermaid {
        return print_flowchart(&manifest, &input, terminal);
    }
    let files = content.roles(&manifest).into_iter().map(|(entry, role)| FileEntry {
        name: &entry.name,
        role,
        bytes: entry.data.len(),
        executable: entry.executable,
    });
    let diagnostics = findings.iter().map(|(file, found)| {
        let source = package::source_text(&content, file);
        LocatedProblem { file, problem: Problem::new(found, &source) }
    });
    let keys = packages::trusted_keys(&args.keys, &manifest.tool_id, terminal)?;
    let inspection = Inspection {
        file: &input.name,
        tool_id: &manifest.tool_id,
        name: &manifest.name,
        version: &manifest.version,
        description: &manifest.description,
        capabilities: &manifest.capabilities,
        calls: describe_calls(&manifest),
        digest: format!("sha256:{}", content.digest()),
        signed: content.file(SIGNATURE).is_some(),
        signature: keys.signature_status(&content, &limits),
        files: files.collect(),
        valid: findings.is_valid(),
        diagnostics: diagnostics.collect(),
    };
    match args.format {
        FindingStyle::Json => terminal.print(&json_line(&inspection))?,
        FindingStyle::Sarif => {
            let found = findings.files.iter().flat_map(|found| {
                let file = package::source_text(&content, &found.file);
                sarif::findings_within(&input.name, &found.report, &file)
            });
            terminal.print(&sarif::log(&found.collect::<Vec<_>>(), true))?;
        }
        FindingStyle::Text => {
            package::show_findings(&findings, &content, terminal);
            terminal.print(&format_inspection(&inspection))?;
        }
    }
    let is_broken = matches!(inspection.signature, SignatureStatus::Broken { .. });
    if inspection.valid && !is_broken { Ok(()) } else { Err(Failure::Invalid) }
}

/// Prints a chain as a flowchart.
fn print_flowchart(
    manifest: &Manifest<'_>,
    input: &Input,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if manifest.chain.is_empty() {
        terminal.error(&format!("{} has no chain", input.display_name()));
        return Err(Failure::Invalid);
    }
    terminal.print(&chain::mermaid(manifest, &limits::document()))
}

/// Reports why a file is not a package, in this style.
fn refuse(
    style: FindingStyle,
    input: &Input,
    report: &Report,
    terminal: &Terminal,
) -> Result<Failure, Failure> {
    let whole = SourceText { name: "", bytes: &[] };
    match style {
        FindingStyle::Text => return Ok(package::refuse(&input.display_name(), report, terminal)),
        FindingStyle::Json => {
            terminal.print(&json_line(&FileReport::new(report, &input.source())))?;
        }
        FindingStyle::Sarif => {
            let found = sarif::findings_within(&input.name, report, &whole);
            terminal.print(&sarif::log(&found, true))?;
        }
    }
    Ok(Failure::Invalid)
}

/// Describes each way to call the tool, and the steps of a chain.
pub(crate) fn describe_calls(manifest: &Manifest<'_>) -> Vec<String> {
    let endpoint = |endpoint: &Endpoint<'_>| match (&endpoint.method, &endpoint.url) {
        (Some(method), Some(url)) => format!("{method} {url}"),
        _ => endpoint.command.as_deref().unwrap_or("").to_owned(),
    };
    let own = manifest.endpoint.iter().map(endpoint);
    let implementations = manifest.implementations.iter().map(|implementation| {
        let id = implementation.id.as_deref().unwrap_or("unnamed");
        let platforms = implementation.platforms.join(", ");
        let call = implementation.endpoint.as_ref().map_or(String::new(), endpoint);
        if platforms.is_empty() {
            format!("{id}: {call}")
        } else {
            format!("{id} ({platforms}): {call}")
        }
    });
    let steps = manifest
        .chain
        .iter()
        .enumerate()
        .map(|(index, step)| format!("step {}: {}", index + 1, step.tool));
    own.chain(implementations).chain(steps).collect()
}

fn format_inspection(inspection: &Inspection<'_>) -> String {
    let plain = |text: &str| printable(text, 256);
    let id = format!("{} {}", plain(inspection.tool_id), plain(inspection.version));
    let mut lines = vec![id, plain(inspection.name), plain(inspection.description), String::new()];
    let mut row = |name: &str, value: &str| lines.push(format!("{name:8}  {value}"));
    for (index, call) in inspection.calls.iter().enumerate() {
        row(if index == 0 { "calls" } else { "" }, &plain(call));
    }
    row("digest", &inspection.digest);
    row("signed", &inspection.signature.to_string());
    row("valid", if inspection.valid { "yes" } else { "no" });
    let total: usize = inspection.files.iter().map(|file| file.bytes).sum();
    row("files", &format!("{}, {total} bytes", inspection.files.len()));
    let names = || inspection.files.iter().map(|file| plain(file.name));
    let width = names().map(|name| name.chars().count()).max().unwrap_or(0);
    for (file, name) in inspection.files.iter().zip(names()) {
        let role = match file.role {
            Role::Manifest => "manifest",
            Role::OpenApi => "openapi",
            Role::Test => "test",
            Role::Example => "example",
            Role::Meta => "meta",
            Role::Readme => "readme",
            _ => "",
        };
        let program = if file.executable { "  program" } else { "" };
        let line = format!("  {name:width$}  {:>9}  {role}{program}", file.bytes);
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n") + "\n"
}

/// Prints the content of a bundle and its problems.
fn inspect_mcpb(
    bundle: &Bundle<'_>,
    file: &str,
    (profile, style): (Profile, FindingStyle),
    terminal: &Terminal,
) -> Result<(), Failure> {
    let report = bundle.check(&ValidateOptions { profile, ..ValidateOptions::default() });
    let names: Vec<&str> = bundle.entries().iter().map(|entry| entry.name.as_ref()).collect();
    let source = mcpb::manifest_source(bundle);
    let found: Vec<_> = report.diagnostics.iter().map(|one| Problem::new(one, &source)).collect();
    terminal.print(&match style {
        FindingStyle::Text => {
            terminal.show(&report, Some(&source));
            bundle.describe(&limits::document()).join("\n") + "\n"
        }
        FindingStyle::Sarif => sarif::log(&sarif::findings_within(file, &report, &source), true),
        FindingStyle::Json => json_line(&json!({
            "file": file, "files": names, "valid": report.is_valid(), "diagnostics": found,
        })),
    })?;
    if report.is_valid() { Ok(()) } else { Err(Failure::Invalid) }
}
