//! Conflicts between tools with the same name. None of them is served.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use toolglot::core::{quoted, version};

use crate::skipped::{SkippedItem, display_path};
use crate::tool::Tool;

/// The most other tools that are named in the message about one.
const MAX_NAMED: usize = 3;

/// Returns the tools with unique names, and adds the others to `skipped`. The first of
/// several does not win, because their order depends on the names of files.
pub(crate) fn resolve_conflicts(
    tools: Vec<Tool>,
    skipped: &mut Vec<SkippedItem>,
) -> BTreeMap<String, Arc<Tool>> {
    let mut by_name: BTreeMap<String, Vec<Tool>> = BTreeMap::new();
    for tool in tools {
        by_name.entry(tool.name().to_owned()).or_default().push(tool);
    }
    let mut unique = BTreeMap::new();
    for (name, mut tools) in by_name {
        let winner = if tools.len() == 1 { Some(0) } else { latest_version(&tools) };
        match winner {
            Some(index) => {
                unique.insert(name, Arc::new(tools.swap_remove(index)));
            }
            None => skipped.extend(tools.iter().map(|tool| conflict(&name, tool, &tools))),
        }
    }
    unique
}

/// Describes why a tool is not served: other tools have the same name.
fn conflict(name: &str, tool: &Tool, tools: &[Tool]) -> SkippedItem {
    let mut others = Vec::new();
    for other in tools.iter().filter(|other| !std::ptr::eq(*other, tool)).take(MAX_NAMED) {
        let file = display_path(other.manifest().path());
        others.push(format!("{} of {file}", quoted(other.id())));
    }
    let why = format!("{} would be the name of {}, too", quoted(name), others.join(" and "));
    SkippedItem::tool(tool.manifest().path(), tool.id(), why)
}

/// Returns the index of the latest version, if all tools are versions of one Jumith tool in
/// the layout of a registry: `<tool>/<version>/manifest.json`.
fn latest_version(tools: &[Tool]) -> Option<usize> {
    let first = tools.first()?;
    let folder = versions_folder(first)?;
    let mut versions = Vec::with_capacity(tools.len());
    for tool in tools {
        if tool.id() != first.id() || versions_folder(tool) != Some(folder) {
            return None;
        }
        let version = version::parse_exact(tool.version()?).ok()?;
        if versions.contains(&version) {
            return None;
        }
        versions.push(version);
    }
    let (latest, _) = versions.iter().enumerate().max_by_key(|(_, version)| *version)?;
    Some(latest)
}

/// Returns the folder with all versions of a tool, if its manifest has the file name that
/// registries use.
fn versions_folder(tool: &Tool) -> Option<&Path> {
    let manifest = tool.manifest();
    let is_published =
        manifest.format().name == "jumith" && manifest.path().ends_with("manifest.json");
    if is_published { manifest.path().parent()?.parent() } else { None }
}
