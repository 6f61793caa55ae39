//! Conflicts between tools with the same name. None of them is served.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use toolglot::core::{quoted, version};

use crate::left_out::{LeftOut, shown};
use crate::tool::Tool;

/// Returns the tools with unique names, and adds the others to `left_out`. The first of
/// several does not win, because their order depends on the names of files.
pub(crate) fn settled(
    tools: Vec<Tool>,
    left_out: &mut Vec<LeftOut>,
) -> BTreeMap<String, Arc<Tool>> {
    let mut by_name: BTreeMap<String, Vec<Tool>> = BTreeMap::new();
    for tool in tools {
        by_name.entry(tool.name().to_owned()).or_default().push(tool);
    }
    let mut settled = BTreeMap::new();
    for (name, mut tools) in by_name {
        if tools.len() > 1
            && let Some(latest) = latest(&tools)
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
                format!("{} of {}", quoted(other.id()), shown(other.manifest().path()))
            });
            let others = others.collect::<Vec<_>>().join(" and ");
            let why = format!("{} would be the name of {others}, too", quoted(&name));
            left_out.push(LeftOut::tool(tool.manifest().path(), tool.id(), why));
        }
    }
    settled
}

/// Returns the index of the latest version, if all tools are versions of one Jumith tool in
/// the layout of a registry: `<tool>/<version>/manifest.json`.
fn latest(tools: &[Tool]) -> Option<usize> {
    let first = tools.first()?;
    let mut versions = Vec::with_capacity(tools.len());
    for tool in tools {
        let is_one =
            tool.id() == first.id() && folder(tool).is_some() && folder(tool) == folder(first);
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
fn folder(tool: &Tool) -> Option<&Path> {
    let path = tool.manifest().path();
    let is_kept = tool.manifest().format().name == "jumith" && path.ends_with("manifest.json");
    path.parent().filter(|_| is_kept)?.parent()
}
