//! Searching for MCPKG packages.

use std::path::Path;

use toolglot::Limits;
use toolglot::core::printable;
use toolglot::json::Document;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::package::Package;
use toolglot::mcpkg::registry::{Page, Search, parse_software};
use toolglot::mcpkg::select::Criteria;

use crate::files::input::display_path;
use crate::files::limits;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, json_line};
use crate::verbs::live::remotes;

/// What a package must have.
#[derive(clap::Args)]
pub(crate) struct PackageQueryArgs {
    /// Only packages that have this capability; may be given several times
    #[arg(long, value_name = "WORD")]
    capability: Vec<String>,
    /// Only packages with an implementation in this language
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
    /// Only packages with an implementation for this runtime: node, python@3.11
    #[arg(long, value_name = "NAME[@VERSION]")]
    runtime: Option<String>,
    /// Only packages with an implementation for this platform, such as linux-x64, or for any
    #[arg(long, value_name = "PLATFORM")]
    platform: Option<String>,
}

/// The JSON output for one package.
#[derive(serde::Serialize)]
struct FoundPackage {
    /// The file, if a folder was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    tool_id: String,
    version: String,
    description: String,
    /// The digest that a registry declares for the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

impl PackageQueryArgs {
    /// Returns true if any option is given.
    pub(crate) const fn is_given(&self) -> bool {
        !self.capability.is_empty()
            || self.language.is_some()
            || self.runtime.is_some()
            || self.platform.is_some()
    }

    pub(crate) fn to_query(&self) -> Criteria {
        let runtime = self.runtime.as_deref().map(parse_software);
        Criteria {
            capabilities: self.capability.clone(),
            language: self.language.clone(),
            runtime,
            platform: self.platform.clone(),
        }
    }
}

/// Lists the packages of a folder or a registry that match the search.
pub(crate) fn search(
    place: &str,
    search: &Search,
    style: Style,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let found = if remotes::is_address(place) {
        search_registry(place, search, terminal)?
    } else {
        search_folder(Path::new(place), search, terminal)?
    };
    let lines = found.iter().map(|one| match style {
        Style::Json => json_line(one),
        Style::Text => format_package(one),
    });
    terminal.print(&lines.collect::<String>())?;
    if found.is_empty() { Err(Failure::Invalid) } else { Ok(()) }
}

fn search_folder(
    folder: &Path,
    search: &Search,
    terminal: &Terminal,
) -> Result<Vec<FoundPackage>, Failure> {
    let trouble =
        |error| terminal.usage_error(&format!("cannot read {}: {error}", display_path(folder)));
    let entries = std::fs::read_dir(folder).map_err(trouble)?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "mcpkg") && file.is_file());
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let input = package::load(&file, terminal)?;
        let Ok(package) = Package::read(input.bytes(), &limits::document()) else {
            terminal.status(&format!("warning: {} is no package\n", input.display_name()));
            continue;
        };
        let Ok(document) = package.document(&limits::document()) else { continue };
        let manifest = Manifest::read(&document);
        if search.matches(&manifest) {
            found.push(FoundPackage {
                file: Some(display_path(&file)),
                ..FoundPackage::new(&manifest, None)
            });
        }
    }
    let total = found.len();
    let page: Vec<FoundPackage> =
        found.into_iter().skip(search.offset).take(search.limit).collect();
    if page.len() < total {
        terminal.status(&format!("{} of {total} packages\n", page.len()));
    }
    Ok(page)
}

/// Searches a registry. Its answer may contain unrelated packages: a warning counts them,
/// and they are left out.
fn search_registry(
    base: &str,
    search: &Search,
    terminal: &Terminal,
) -> Result<Vec<FoundPackage>, Failure> {
    let limits = Limits::for_catalog();
    let url = search.url(base).map_err(|why| terminal.usage_error(&why))?;
    let (status, body) = remotes::with_remote(base, terminal, async |remote| {
        remote.get(&url, limits.document_bytes).await
    })?;
    let strange = |why: &str| terminal.usage_error(&format!("no such answer from {url}: {why}"));
    if status != 200 {
        return Err(strange(&format!("HTTP {status}")));
    }
    let document = Document::parse(&body, &limits).map_err(|found| strange(&found.message))?;
    let page = Page::read(&document, search).map_err(|why| strange(&why))?;
    if page.rejected > 0 {
        let count = page.rejected;
        terminal
            .status(&format!("warning: {count} packages were not asked for, and are left out\n"));
    }
    terminal.status(&format!("{} of {} packages\n", page.packages.len(), page.total));
    Ok(page
        .packages
        .iter()
        .map(|one| FoundPackage::new(&one.manifest, one.digest.as_deref()))
        .collect())
}

impl FoundPackage {
    fn new(manifest: &Manifest<'_>, digest: Option<&str>) -> Self {
        Self {
            file: None,
            tool_id: manifest.tool_id.to_string(),
            version: manifest.version.to_string(),
            description: manifest.description.to_string(),
            digest: digest.map(str::to_owned),
        }
    }
}

fn format_package(found: &FoundPackage) -> String {
    let FoundPackage { file, tool_id, version, description, digest: _ } = found;
    let [id, version, about] = [tool_id, version, description].map(|text| printable(text, 200));
    let file = file.as_ref().map_or(String::new(), |file| format!("  {file}"));
    format!("{id}  {version}  {about}{file}\n")
}
