//! Conflicts between tools with the same name. None of them is served.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use toolglot::core::{quoted, version};

use crate::skipped::{SkippedItem, display_path};
use crate::tool::Tool;

/// Returns the tools with unique names, and adds the others to `left_out`. The first of
/// several does not win, because their order depends on the names of files.
pub(crate) fn resolve_conflicts(
    tools: Vec<Tool>,
    left_out: &mut Vec<SkippedItem>,
) -> BTreeMap<String, Arc<Tool>> {
    let mut by_name: BTreeMap<String, Vec<Tool>> = BTreeMap::new();
    for tool in tools {
        by_name.entry(tool.name().to_owned()).or_default().push(tool);
    }
    let mut settled = BTreeMap::new();
    for (name, mut tools) in by_name {
        if tools.len() > 1
            && let Some(latest) = latest_version(&tools)
        {
            let tool = tools.swap_remove(latest);
            tools = vec![tool];
        }
        if let [_] = tools.as_slice() {
            settled.extend(tools.pop().map(|tool| (name, Arc::new(tool))));
            continue;
        }
        for tool in &tools {
            let is_other = |other: &&Tool| !std::ptr::eq(*other, tool);
            let others = tools.iter().filter(is_other).take(3);
            let others = others.map(|other| {
                format!("{} of {}", quoted(other.id()), display_path(other.manifest().path()))
            });
            let others = others.collect::<Vec<_>>().join(" and ");
            let why = format!("{} would be the name of {others}, too", quoted(&name));
            left_out.push(SkippedItem::tool(tool.manifest().path(), tool.id(), why));
        }
    }
    settled
}

/// Returns the index of the latest version, if all tools are versions of one Jumith tool in
/// the layout of a registry: `<tool>/<version>/manifest.json`.
fn latest_version(tools: &[Tool]) -> Option<usize> {
    let first = tools.first()?;
    let mut versions = Vec::with_capacity(tools.len());
    for tool in tools {
        let is_one = tool.id() == first.id()
            && versions_folder(tool).is_some()
            && versions_folder(tool) == versions_folder(first);
        let version = version::parse_exact(tool.version()?).ok().filter(|_| is_one)?;
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
    let path = tool.manifest().path();
    let is_kept = tool.manifest().format().name == "jumith" && path.ends_with("manifest.json");
    path.parent().filter(|_| is_kept)?.parent()
}
