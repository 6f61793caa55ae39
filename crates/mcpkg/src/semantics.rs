//! Semantic checks, which a table cannot express, and advice.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::path::{self, PathLimits};
use manifest_core::read::string_elements;
use manifest_core::table::member_values;
use manifest_core::{Limits, Report, has_control, quoted, schema, version};

use crate::manifest::object_elements;
use crate::structure::{ManifestNodes, text_node};
use crate::table::IMPLEMENTATION;
use crate::{id, rules};

mod chain;
mod endpoint;

pub(crate) use endpoint::check_command_line;

/// Checks a manifest.
pub(crate) fn check(nodes: &ManifestNodes<'_>, limits: &Limits, report: &mut Report) {
    for node in nodes.schemas.into_iter().flatten() {
        if is_schema(node) {
            for found in schema::check(node, limits) {
                report.push(found);
            }
        }
    }
    check_texts(nodes, report);
    if let Some((node, id)) = text_node(nodes.tool_id) {
        check_tool_id(node, &id, report);
    }
    if let Some((node, text)) = text_node(nodes.version)
        && let Err(error) = version::parse_exact(&text)
    {
        let found = rules::VERSION.at(node, format!("{}: {error}", quoted(&text)));
        report.push(version::with_version_fix(found, node));
    }
    if let Some(node) = nodes.endpoint {
        endpoint::check(node, report);
    }
    check_implementations(nodes.implementations, report);
    chain::check(nodes, limits, report);
    check_files(nodes.tests, limits, report);
    check_files(nodes.examples, limits, report);
}

/// Gives advice about a manifest. The checks of an endpoint give the advice about calls.
pub(crate) fn advise(nodes: &ManifestNodes<'_>, report: &mut Report) {
    for node in nodes.schemas.into_iter().flatten() {
        if is_schema(node) && node.get("type").is_none() {
            report.add(&rules::UNTYPED_SCHEMA, node, "the schema has no type");
        }
    }
    let ways = [
        nodes.endpoint.is_some_and(Node::is_object),
        object_elements(nodes.implementations).next().is_some(),
        object_elements(nodes.chain).next().is_some(),
    ];
    if ways.iter().filter(|way| **way).count() > 1 {
        let message = "there is more than one way to call the tool";
        report.add(&rules::SEVERAL_ENDPOINTS, nodes.manifest, message);
    }
    if string_elements(nodes.tests).next().is_none() {
        let node = nodes.tests.unwrap_or(nodes.manifest);
        report.add(&rules::NO_TESTS, node, "there are no tests");
    }
    if string_elements(nodes.examples).next().is_none() {
        let node = nodes.examples.unwrap_or(nodes.manifest);
        report.add(&rules::NO_EXAMPLES, node, "there are no examples");
    }
    if !nodes.meta.is_some_and(Node::is_object) {
        report.add(&rules::NO_META, nodes.manifest, "there is no \"meta\"");
    }
}

fn is_schema(node: Node<'_>) -> bool {
    node.is_object() || node.bool().is_some()
}

/// Checks that texts are not blank, and that the name contains no control character.
fn check_texts(nodes: &ManifestNodes<'_>, report: &mut Report) {
    for (node, name) in [(nodes.name, "name"), (nodes.description, "description")] {
        if let Some(node) = node
            && is_blank(node)
        {
            report.add(&rules::BLANK, node, format!("{} is blank", quoted(name)));
        }
    }
    if let Some((node, name)) = text_node(nodes.name)
        && has_control(&name)
    {
        report.add(&rules::CONTROL_CHARACTER, node, "the name holds a control character");
    }
    for node in string_elements(nodes.capabilities) {
        if is_blank(node) {
            report.add(&rules::BLANK, node, "a capability is blank");
        }
    }
}

/// Returns true if a value is a blank string. Most texts begin with a letter, so that is
/// checked first.
fn is_blank(node: Node<'_>) -> bool {
    if let Some([first, ..]) = node.plain_bytes()
        && first.is_ascii_graphic()
    {
        return false;
    }
    node.text().is_some_and(|text| text.trim().is_empty())
}

fn check_tool_id(node: Node<'_>, id: &str, report: &mut Report) {
    let segments = id::segments(id);
    if !id::is_valid(id) {
        report.add(&rules::TOOL_ID, node, format!("{} is not a tool id", quoted(id)));
    } else if !(3..=4).contains(&segments) {
        let message = format!("the id has {segments} segments");
        report.add(&rules::TOOL_ID_SEGMENTS, node, message);
    }
}

fn check_implementations(list: Option<Node<'_>>, report: &mut Report) {
    let mut ids = BTreeSet::new();
    for node in object_elements(list) {
        let [id, _language, _runtime, platforms, endpoint, _requirements] =
            member_values(node, &IMPLEMENTATION);
        if let Some((node, id)) = text_node(id)
            && !ids.insert(id.clone())
        {
            let message = format!("the id {} is taken", quoted(&id));
            report.add(&rules::DUPLICATE_IMPLEMENTATION, node, message);
        }
        if let Some(endpoint) = endpoint {
            endpoint::check(endpoint, report);
        }
        for node in string_elements(platforms) {
            if let Some(platform) = node.text()
                && !is_platform(&platform)
            {
                let message = format!("{} is not <os>-<architecture>", quoted(&platform));
                report.add(&rules::UNKNOWN_PLATFORM, node, message);
            }
        }
    }
}

fn is_platform(text: &str) -> bool {
    match text.split_once('-') {
        Some(("linux" | "win" | "darwin", architecture)) => !architecture.is_empty(),
        _ => text == "browser",
    }
}

/// Checks that the paths of files are portable, and that no file is listed twice.
fn check_files(list: Option<Node<'_>>, limits: &Limits, report: &mut Report) {
    let limits = PathLimits::from(limits);
    let mut seen = BTreeSet::new();
    for node in string_elements(list) {
        let Some(file) = node.text() else { continue };
        if let Err(error) = path::check_portable(&file, &limits) {
            report.add(&rules::FILE_PATH, node, format!("{}: {error}", quoted(&file)));
        } else if !seen.insert(path::collision_key(&file)) {
            let message = format!("{} is listed twice", quoted(&file));
            report.add(&rules::DUPLICATE_FILE, node, message);
        }
    }
}
