//! `toolglot catalog`

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use toolglot::capability::resolve::{self, MatchSource};
use toolglot::capability::{Layer, Layers, Removal};
use toolglot::core::{printable, quoted};
use toolglot::descriptor::Trust;

use self::files::{CatalogArgs, read_entry};
use self::grants::{TrustLevel, trust_policy};
use self::registries::RegistryArgs;
use crate::files::output;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, json_line};

mod call;
mod files;
mod grants;
mod install;
mod registries;

/// Work with capability catalogs: one that was shipped, and a local one over it
#[derive(clap::Args)]
#[command(after_help = "\
Entries of the local catalog replace those of the base, whole and by id. Only the local
catalog is ever written, for its owner alone. A file that does not exist is an empty catalog.

What is added is declared; what is installed is declared and in place, and can be called. Whatever
fails or crashes while something is installed, what could be called before still can, and nothing
half; what is left over is removed by the next who installs, calls or resets.

A registry over HTTPS is asked when its address is named, and nothing else is fetched. What it offers
is untrusted, whatever it says, unless --verified names it. A manifest that its index names is fetched
from there, or from a host of --egress, and must have the digest that the index pins.

Examples:
  toolglot catalog merge --base manifest.base.json --local manifest.local.json
  toolglot catalog add echo.json --base manifest.base.json --local manifest.local.json
  toolglot catalog resolve 'send mail' --base manifest.base.json --registry index.json
  toolglot catalog install count.json
  toolglot catalog install demo.echo --registry https://example.com/index.json --allow untrusted
  toolglot catalog call 'count files' --files read
  toolglot catalog reset

Exit codes: 0 done, 1 invalid, refused, not found, or an invalid entry was left out, 2 wrong usage
or unreadable files; of install, call and reset: 3 refused, 4 called, and failed")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Print both catalogs as one
    Merge {
        #[command(flatten)]
        files: CatalogArgs,
        /// Where to write the catalog; - is standard output
        #[arg(long, short, value_name = "FILE", default_value = "-")]
        output: PathBuf,
        /// Overwrite a catalog that is read
        #[arg(long)]
        force: bool,
    },
    /// List what the catalogs declare, and which of them
    List {
        #[command(flatten)]
        files: CatalogArgs,
        /// How to print the result
        #[arg(long, value_name = "STYLE", default_value = "text")]
        format: Style,
    },
    /// Add a manifest to the local catalog
    Add {
        /// The manifest; - is standard input
        #[arg(value_name = "FILE")]
        manifest: PathBuf,
        #[command(flatten)]
        files: CatalogArgs,
        /// A trust level to accept beside local and verified
        #[arg(long, value_name = "LEVEL")]
        allow: Vec<TrustLevel>,
    },
    /// Remove an entry from the local catalog, or switch off one that was shipped
    Remove {
        /// The id of the entry
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        files: CatalogArgs,
    },
    /// Find what fits an intent, best first
    Resolve {
        /// A word or more that are in an id or a description, in any order
        #[arg(value_name = "INTENT")]
        intent: String,
        #[command(flatten)]
        files: CatalogArgs,
        #[command(flatten)]
        registries: RegistryArgs,
        /// How to print the result
        #[arg(long, value_name = "STYLE", default_value = "text")]
        format: Style,
    },
    Install(install::InstallArgs),
    Call(call::Args),
    Reset(install::ResetArgs),
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    match &args.verb {
        Verb::Merge { files, output, force } => {
            let inputs = files.base.iter().chain(&files.local);
            output::check_overwrite(inputs, [output], *force, terminal)?;
            let read = files.read(terminal)?;
            output::write(output, &read.layers.to_catalog().render(), terminal)?;
            read.require_complete()
        }
        Verb::List { files, format } => {
            let read = files.read(terminal)?;
            print_entries(&read.layers, *format, terminal)?;
            read.require_complete()
        }
        Verb::Add { manifest, files, allow } => add(manifest, files, allow, terminal),
        Verb::Remove { id, files } => remove(id, files, terminal),
        Verb::Install(args) => install::install(args, terminal),
        Verb::Call(args) => call::run(args, terminal),
        Verb::Reset(args) => install::reset(args, terminal),
        Verb::Resolve { intent, files, registries, format } => {
            let mut read = files.read(terminal)?;
            let offers = registries.read(terminal)?;
            read.is_incomplete |= !offers.is_complete;
            print_matches(
                &resolve::resolve(intent, &read.layers, &offers.candidates),
                *format,
                terminal,
            )?;
            read.require_complete()
        }
    }
}

fn add(
    manifest: &Path,
    files: &CatalogArgs,
    allow: &[TrustLevel],
    terminal: &Terminal,
) -> Result<(), Failure> {
    let entry = read_entry(manifest, terminal)?;
    let policy = trust_policy(allow);
    if let Err(denial) = policy.may_install(entry.manifest()) {
        terminal.error(&denial.to_string());
        return Err(Failure::Invalid);
    }
    let mut read = files.read(terminal)?;
    let id = quoted(entry.id());
    let known = read.layers.get(entry.id()).is_some();
    read.layers.set(entry);
    files.write(&read, terminal)?;
    let what = if known { "replaced" } else { "added" };
    terminal.status(&format!("{what} {id}\n"));
    Ok(())
}

fn remove(id: &str, files: &CatalogArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut read = files.read(terminal)?;
    let what = match read.layers.remove(id) {
        Some(Removal::BaseVisible) => {
            "removed the local entry; the one that was shipped shows again"
        }
        Some(Removal::Disabled) => "switched off what was shipped",
        Some(_) => "removed",
        None => {
            let hint = "`toolglot catalog list` lists what is declared";
            terminal.error(&format!("no catalog declares {}: {hint}", quoted(id)));
            return Err(Failure::Invalid);
        }
    };
    files.write(&read, terminal)?;
    terminal.status(&format!("{}: {what}\n", quoted(id)));
    Ok(())
}

/// The JSON output for one entry.
#[derive(Serialize)]
struct CatalogLine<'a> {
    id: &'a str,
    version: &'a str,
    trust: Trust,
    enabled: bool,
    layer: Layer,
    replaces: Option<&'a str>,
}

fn print_entries(layers: &Layers, style: Style, terminal: &Terminal) -> Result<(), Failure> {
    let mut lines: Vec<CatalogLine<'_>> = layers
        .view()
        .map(|shown| {
            let manifest = shown.entry.manifest();
            CatalogLine {
                id: &manifest.id,
                version: &manifest.version,
                trust: manifest.trust_level,
                enabled: manifest.is_enabled(),
                layer: shown.layer,
                replaces: shown.replaces.map(|base| base.manifest().version.as_ref()),
            }
        })
        .collect();
    lines.sort_by_key(|line| line.id);
    let width = lines.iter().map(|line| printable(line.id, 64).len()).max().unwrap_or(0);
    let text = lines.iter().map(|line| match style {
        Style::Json => json_line(line),
        Style::Text => {
            let id = printable(line.id, 64);
            let version = printable(line.version, 32);
            let trust = format!("{:?}", line.trust).to_lowercase();
            let layer = if line.layer == Layer::Base { "base" } else { "local" };
            let off = if line.enabled { "" } else { "  off" };
            let over = match line.replaces {
                Some(old) => format!("  over {}", printable(old, 32)),
                None => String::new(),
            };
            format!("{id:width$}  {version}  {trust}  {layer}{over}{off}\n")
        }
    });
    terminal.print(&text.collect::<String>())
}

/// The JSON output for one match.
#[derive(Serialize)]
struct MatchLine<'a> {
    candidate: &'a str,
    id: &'a str,
    score: f64,
    trust: Trust,
    declared: bool,
}

fn print_matches(
    matches: &[resolve::Match<'_>],
    style: Style,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if matches.is_empty() {
        terminal.error("nothing fits");
        return Err(Failure::Invalid);
    }
    let text = matches.iter().map(|found| {
        let declared = matches!(found.source, MatchSource::Catalog(_));
        match style {
            Style::Json => json_line(&MatchLine {
                candidate: &found.candidate_id,
                id: found.entry.id(),
                score: found.score.points(),
                trust: found.trust,
                declared,
            }),
            Style::Text => {
                let note = if declared { "" } else { "  not installed" };
                let candidate = printable(&found.candidate_id, 200);
                format!("{:6.2}  {candidate}{note}\n", found.score.points())
            }
        }
    });
    terminal.print(&text.collect::<String>())
}
