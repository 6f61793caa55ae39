//! Semantic checks, which a table cannot express.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::path::{self, PathLimits};
use manifest_core::read::string_elements;
use manifest_core::table::member_values;
use manifest_core::{Limits, Report, Text, has_control, quoted, schema, version};

use crate::node_map::{NodeKey, NodeMap};
use crate::table::IMPLEMENTATION;
use crate::{id, rules};

mod chain;
mod endpoint;

pub(crate) use endpoint::INVALID_TIMEOUT;

/// Checks a manifest.
pub(crate) fn check(parts: &NodeMap<'_>, limits: &Limits, report: &mut Report) {
    for node in [parts.get(NodeKey::Input), parts.get(NodeKey::Output)].into_iter().flatten() {
        if node.is_object() || node.bool().is_some() {
            for found in schema::check(node, limits) {
                report.push(found);
            }
        }
    }
    texts(parts, report);
    tool_id(parts, report);
    if let Some((node, text)) = parts.text(NodeKey::Version)
        && let Err(error) = version::parse_exact(&text)
    {
        let found = rules::VERSION.at(node, format!("{}: {error}", quoted(&text)));
        report.push(version::with_version_fix(found, node));
    }
    if let Some(node) = parts.get(NodeKey::Endpoint) {
        endpoint::check(node, report);
    }
    implementations(parts, report);
    chain::check(parts, limits, report);
    files(parts.get(NodeKey::Tests), limits, report);
    files(parts.get(NodeKey::Examples), limits, report);
}

/// Checks that texts are not blank, and that the name contains no control character.
fn texts(parts: &NodeMap<'_>, report: &mut Report) {
    for (part, name) in [(NodeKey::Name, "name"), (NodeKey::Description, "description")] {
        if let Some(node) = parts.get(part).filter(|node| is_blank(*node)) {
            report.add(&rules::BLANK, node, format!("{} is blank", quoted(name)));
        }
    }
    if let Some((node, _)) = parts.text(NodeKey::Name).filter(|(_, name)| has_control(name)) {
        report.add(&rules::CONTROL_CHARACTER, node, "the name holds a control character");
    }
    for node in string_elements(parts.get(NodeKey::Capabilities)).filter(|node| is_blank(*node)) {
        report.add(&rules::BLANK, node, "a capability is blank");
    }
}

/// Returns true if a value is a blank string. Most texts begin with a letter, so that is
/// checked first.
fn is_blank(node: Node<'_>) -> bool {
    let first = node.plain_bytes().and_then(<[u8]>::first);
    !first.is_some_and(u8::is_ascii_graphic)
        && node.text().is_some_and(|text| text.trim().is_empty())
}

fn tool_id(parts: &NodeMap<'_>, report: &mut Report) {
    let Some((node, id)) = parts.text(NodeKey::ToolId) else { return };
    let segments = id::segments(&id);
    if !id::is_valid(&id) {
        report.add(&rules::TOOL_ID, node, format!("{} is not a tool id", quoted(&id)));
    } else if !(3..=4).contains(&segments) {
        let message = format!("the id has {segments} segments");
        report.add(&rules::TOOL_ID_SEGMENTS, node, message);
    }
}

fn implementations(parts: &NodeMap<'_>, report: &mut Report) {
    let mut ids = BTreeSet::new();
    for node in parts.objects(NodeKey::Implementations) {
        let [id, _language, _runtime, platforms, endpoint, _requirements] =
            member_values(node, &IMPLEMENTATION);
        if let Some((node, id)) = id.and_then(|node| Some((node, node.text()?)))
            && !ids.insert(id.clone())
        {
            let message = format!("the id {} is taken", quoted(&id));
            report.add(&rules::DUPLICATE_IMPLEMENTATION, node, message);
        }
        if let Some(endpoint) = endpoint {
            endpoint::check(endpoint, report);
        }
        for node in string_elements(platforms) {
            let platform = node.text().unwrap_or_default();
            if !is_platform(&platform) {
                let message = format!("{} is not <os>-<architecture>", quoted(&platform));
                report.add(&rules::UNKNOWN_PLATFORM, node, message);
            }
        }
    }
}

fn is_platform(text: &str) -> bool {
    let known = |(os, architecture): (&str, &str)| {
        matches!(os, "linux" | "win" | "darwin") && !architecture.is_empty()
    };
    text == "browser" || text.split_once('-').is_some_and(known)
}

/// Checks that the paths of files are portable, and that no file is listed twice.
fn files(list: Option<Node<'_>>, limits: &Limits, report: &mut Report) {
    let limits = PathLimits {
        bytes: limits.path_bytes,
        segment_bytes: limits.path_segment_bytes,
        segments: limits.path_segments,
    };
    let files: Vec<(Node<'_>, Text<'_>)> =
        string_elements(list).filter_map(|node| Some((node, node.text()?))).collect();
    // A few ASCII names are compared directly.
    let few = files.len() <= 8 && files.iter().all(|(_, file)| file.is_ascii());
    let mut seen = BTreeSet::new();
    let mut is_listed = |index: usize, file: &str| {
        if few {
            files.iter().take(index).any(|(_, earlier)| earlier.eq_ignore_ascii_case(file))
        } else {
            !seen.insert(path::collision_key(file))
        }
    };
    for (index, (node, file)) in files.iter().enumerate() {
        if let Err(error) = path::check_portable(file, &limits) {
            report.add(&rules::FILE_PATH, *node, format!("{}: {error}", quoted(file)));
        } else if is_listed(index, file) {
            let message = format!("{} is listed twice", quoted(file));
            report.add(&rules::DUPLICATE_FILE, *node, message);
        }
    }
}
