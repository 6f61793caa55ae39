//! Installed MCPKG packages: filtering, ranking, and printing them for a model.

use std::collections::BTreeMap;

use installer::packages::{Error, InstalledPackage, PackageInfo, PackageStore};
use serde::Serialize;
use toolglot::core::{printable, quoted};
use toolglot::json::Document;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::expose::{Shape, expose, render_list};
use toolglot::mcpkg::fit::chain_fit;
use toolglot::mcpkg::package::Package;
use toolglot::mcpkg::rank::{RankedTool, ToolRecord, Weights, rank};
use toolglot::mcpkg::testing::Summary;

use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, json_line};
use crate::terminal::table::short_digest;
use crate::verbs::live::package_query::PackageQueryArgs;
use crate::verbs::live::packages::show_error;

/// The limit for a tool's examples, and for its tests, in bytes.
const MAX_EXAMPLE_BYTES: usize = 64 << 10;

/// Which packages to list, and how.
#[derive(clap::Args)]
pub(crate) struct PackageListArgs {
    #[command(flatten)]
    wanted: PackageQueryArgs,
    /// List packages only, the best first: by capabilities, what came of their tests, and how they
    /// fit this machine
    #[arg(long)]
    rank: bool,
    /// Print packages as tools for a model, the best first, with their examples and tests
    #[arg(long)]
    tools: bool,
}

impl PackageListArgs {
    /// Returns true if only packages are listed.
    pub(crate) fn is_given(&self) -> bool {
        self.rank || self.tools || self.wanted.is_given()
    }
}

/// An installed package with the manifest that was agreed to, the archive, and the test
/// runs.
struct PackageData {
    held: InstalledPackage,
    manifest: Vec<u8>,
    package: Option<Vec<u8>>,
    runs: Vec<Summary>,
}

/// The JSON output for one package.
#[derive(Serialize)]
struct PackageLine<'a> {
    format: &'static str,
    #[serde(flatten)]
    info: &'a PackageInfo,
    versions: Vec<String>,
    tests: Option<&'a Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// The score of the fit to this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    fit: Option<f64>,
}

/// Formats the packages of the project.
pub(crate) fn format_packages(
    choice: &PackageListArgs,
    style: Style,
    terminal: &Terminal,
) -> Result<String, Failure> {
    let all =
        PackageStore::in_working_directory().all().map_err(|error| show_error(&error, terminal))?;
    if choice.is_given() {
        return Ok(format_ranked(choice, &read_packages(all, terminal), style, terminal));
    }
    let mut text = String::new();
    for held in &all {
        let runs = default_with_warning(held.metrics(), held, terminal).runs;
        text.push_str(&format_package(held, &runs, None, style, terminal));
    }
    Ok(text)
}

/// Returns what was read about a package. If it cannot be read, warns and returns the default
/// value, because the package is listed all the same.
fn default_with_warning<T: Default>(
    read: Result<T, Error>,
    held: &InstalledPackage,
    terminal: &Terminal,
) -> T {
    match read {
        Ok(value) => value,
        Err(error) => {
            terminal.status(&format!("warning: {}: {error}\n", quoted(&held.info.tool_id)));
            T::default()
        }
    }
}

/// Reads the packages. Leaves out unreadable ones with a warning.
fn read_packages(all: Vec<InstalledPackage>, terminal: &Terminal) -> Vec<PackageData> {
    let known = |held: &InstalledPackage| {
        let (manifest, package) = (held.approved_manifest()?, held.approved_package()?);
        let (runs, held) = (held.metrics()?.runs, held.clone());
        Ok::<_, Error>(PackageData { held, manifest, package, runs })
    };
    let mut found = Vec::new();
    for held in all {
        match known(&held) {
            Ok(known) => found.push(known),
            Err(error) => {
                let id = quoted(&held.info.tool_id);
                terminal.status(&format!("warning: {id} is left out: {error}\n"));
            }
        }
    }
    found
}

/// Formats the packages that match, the best first.
fn format_ranked(
    choice: &PackageListArgs,
    all: &[PackageData],
    style: Style,
    terminal: &Terminal,
) -> String {
    let limits = limits::document();
    let parsed = all.iter().map(|one| (one, Document::parse(&one.manifest, &limits)));
    let parsed: Vec<(&PackageData, Document<'_>)> =
        parsed.filter_map(|(one, document)| Some((one, document.ok()?))).collect();
    let read: Vec<(&PackageData, Manifest<'_>)> =
        parsed.iter().map(|(one, document)| (*one, Manifest::read(document))).collect();
    let fits =
        parsed.iter().map(|(one, document)| gateway::fit_score(document, Some(&one.held.folder())));
    let alone: BTreeMap<&str, (&Manifest<'_>, f64)> = read
        .iter()
        .zip(fits)
        .map(|((_, manifest), fit)| (manifest.tool_id.as_ref(), (manifest, fit)))
        .collect();
    let wanted = choice.wanted.to_query();
    let by_id: BTreeMap<&str, (&PackageData, &Manifest<'_>)> = read
        .iter()
        .filter(|(_, manifest)| wanted.matches(manifest))
        .map(|(one, manifest)| (manifest.tool_id.as_ref(), (*one, manifest)))
        .collect();
    let fit = |manifest: &Manifest<'_>| {
        if !manifest.chain.is_empty() {
            return chain_fit(manifest, &alone);
        }
        alone.get(manifest.tool_id.as_ref()).map_or(0.0, |(_, fit)| *fit)
    };
    let records: Vec<ToolRecord<'_>> = by_id
        .values()
        .map(|found| ToolRecord { manifest: found.1, runs: &found.0.runs, fit: fit(found.1) })
        .collect();
    let words: Vec<&str> = wanted.capabilities.iter().map(String::as_str).collect();
    let ranked = rank(&words, &records, &Weights::default());
    let ranked = ranked.iter().filter_map(|one| Some((by_id.get(one.tool_id)?, one)));
    if choice.tools {
        return tools_for_model(&ranked.map(|(found, _)| *found).collect::<Vec<_>>());
    }
    ranked
        .map(|((known, _), one)| {
            format_package(&known.held, &known.runs, Some(one), style, terminal)
        })
        .collect()
}

/// Formats a package as one line.
fn format_package(
    held: &InstalledPackage,
    runs: &[Summary],
    ranked: Option<&RankedTool<'_>>,
    style: Style,
    terminal: &Terminal,
) -> String {
    let (info, score) = (&held.info, ranked.map(|ranked| ranked.score));
    if style == Style::Json {
        let stored = default_with_warning(held.stored_packages(), held, terminal);
        let versions = stored.into_iter().map(|kept| kept.version);
        let (versions, tests) = (versions.collect(), runs.last());
        return json_line(&PackageLine {
            format: "mcpkg",
            info,
            versions,
            tests,
            score,
            fit: ranked.map(|ranked| ranked.fit),
        });
    }
    let [id, version] = [&info.tool_id, &info.version].map(|text| printable(text, 128));
    let digest = short_digest(&info.digest);
    let tests = runs.last().map_or("not tested".to_owned(), |run| {
        format!("{} of {} tests passed", run.passed, run.total)
    });
    let score = score.map_or(String::new(), |score| format!("  {score:.2}"));
    let unfit = ranked.is_some_and(|ranked| ranked.fit <= 0.0);
    let unfit = if unfit { "  does not fit this machine" } else { "" };
    format!("{id} {version}  mcpkg, package  sha256:{digest}…  {tests}{score}{unfit}\n")
}

/// Formats packages as tools for a model, as in section 8.3 of the specification.
fn tools_for_model(ranked: &[(&PackageData, &Manifest<'_>)]) -> String {
    let limits = limits::document();
    let mut packages = Vec::new();
    for (known, _) in ranked {
        // A tool without a package that can be read is shown without examples.
        packages
            .push(known.package.as_deref().and_then(|bytes| Package::read(bytes, &limits).ok()));
    }
    let tools = ranked.iter().zip(&packages).map(|((known, manifest), package)| {
        let mut tool = expose(manifest, Shape::Tools);
        if let Some(package) = package {
            tool = tool.with_examples(manifest, package, MAX_EXAMPLE_BYTES);
            tool = tool.with_calls(manifest, package, MAX_EXAMPLE_BYTES);
        }
        match known.runs.last() {
            Some(run) => tool.with_summary(run),
            None => tool,
        }
    });
    render_list(&tools.collect::<Vec<_>>())
}
