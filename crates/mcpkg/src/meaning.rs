//! Checks of meaning: what a table cannot say.
//!
//! A value of the wrong type has been reported, and is passed over here.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::path::{self, PathLimits};
use manifest_core::table::entries;
use manifest_core::{Depth, Limits, Report, Text, has_control, quoted, schema};

use crate::table::{IMPLEMENTATION, MANIFEST};
use crate::{id, rules};

mod chain;
mod endpoint;

/// Checks a manifest.
pub(crate) fn check(root: Node<'_>, limits: &Limits, report: &mut Report) {
    let [
        tool_id,
        name,
        version,
        description,
        capabilities,
        endpoint,
        // The same member, as 0.2 has it.
        _,
        implementations,
        chain,
        input,
        output,
        // Its words are in the table.
        _auth,
        tests,
        examples,
        meta,
    ] = entries(root, &MANIFEST);
    for node in [input, output].into_iter().flatten() {
        check_schema(node, limits, report);
    }
    check_texts(name, description, capabilities, report);
    check_id(tool_id, report);
    check_version(version, report);
    let endpoint = endpoint.filter(|endpoint| endpoint.is_object());
    let ways = [
        endpoint.is_some(),
        elements(implementations).next().is_some(),
        elements(chain).next().is_some(),
    ];
    if ways.into_iter().filter(|way| *way).count() > 1 {
        let message = "there is more than one way to call the tool";
        report.add(&rules::SEVERAL_ENDPOINTS, root, message);
    }
    if let Some(endpoint) = endpoint {
        endpoint::check(endpoint, report);
    }
    check_implementations(implementations, report);
    chain::check(tool_id, chain, limits, report);
    check_files(tests, limits, report);
    check_files(examples, limits, report);
    if elements(tests).next().is_none() {
        report.add(&rules::NO_TESTS, tests.unwrap_or(root), "there are no tests");
    }
    if elements(examples).next().is_none() {
        report.add(&rules::NO_EXAMPLES, examples.unwrap_or(root), "there are no examples");
    }
    if !meta.is_some_and(Node::is_object) {
        report.add(&rules::NO_META, root, "there is no \"meta\"");
    }
}

fn elements(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    list.into_iter().flat_map(Node::elements)
}

/// A value, and what it says.
fn text(node: Option<Node<'_>>) -> Option<(Node<'_>, Text<'_>)> {
    node.and_then(|node| Some((node, node.text()?)))
}

fn check_schema(node: Node<'_>, limits: &Limits, report: &mut Report) {
    if !node.is_object() && node.bool().is_none() {
        return;
    }
    for diagnostic in schema::check(node, limits) {
        report.push(diagnostic);
    }
    if report.wants(Depth::Advice) && node.get("type").is_none() {
        report.add(&rules::UNTYPED_SCHEMA, node, "the schema has no type");
    }
}

/// Texts that must say something.
fn check_texts(
    name: Option<Node<'_>>,
    description: Option<Node<'_>>,
    capabilities: Option<Node<'_>>,
    report: &mut Report,
) {
    for (member, node) in [("name", name), ("description", description)] {
        if let Some(node) = node.filter(|node| is_blank(*node)) {
            report.add(&rules::BLANK, node, format!("{} is blank", quoted(member)));
        }
    }
    if let Some((node, _)) = text(name).filter(|(_, name)| has_control(name)) {
        report.add(&rules::CONTROL_CHARACTER, node, "the name holds a control character");
    }
    for node in elements(capabilities).filter(|node| is_blank(*node)) {
        report.add(&rules::BLANK, node, "a capability is blank");
    }
}

/// Whether a text is white space, if anything. Most begin with a letter.
fn is_blank(node: Node<'_>) -> bool {
    node.text().is_some_and(|text| {
        !text.bytes().next().is_some_and(|b| b.is_ascii_graphic()) && text.trim().is_empty()
    })
}

fn check_id(node: Option<Node<'_>>, report: &mut Report) {
    let Some((node, id)) = text(node) else { return };
    let segments = id::segments(&id);
    if !id::is_valid(&id) {
        report.add(&rules::TOOL_ID, node, format!("{} is not a tool id", quoted(&id)));
    } else if !(3..=4).contains(&segments) {
        let message = format!("the id has {segments} segments");
        report.add(&rules::TOOL_ID_SEGMENTS, node, message);
    }
}

fn check_version(node: Option<Node<'_>>, report: &mut Report) {
    let Some((node, version)) = text(node) else { return };
    if let Err(error) = manifest_core::version::parse_exact(&version) {
        report.add(&rules::VERSION, node, format!("{}: {error}", quoted(&version)));
    }
}

fn check_implementations(list: Option<Node<'_>>, report: &mut Report) {
    let mut ids = BTreeSet::new();
    for node in elements(list) {
        let [id, _language, _runtime, platforms, endpoint, _requirements] =
            entries(node, &IMPLEMENTATION);
        if let Some((node, id)) = text(id) {
            if ids.contains(&id) {
                let message = format!("the id {} is taken", quoted(&id));
                report.add(&rules::DUPLICATE_IMPLEMENTATION, node, message);
            }
            ids.insert(id);
        }
        if let Some(endpoint) = endpoint.filter(|endpoint| endpoint.is_object()) {
            endpoint::check(endpoint, report);
        }
        for (node, platform) in elements(platforms).filter_map(|node| text(Some(node))) {
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

/// Paths of files in the package, each of them once.
fn check_files(list: Option<Node<'_>>, limits: &Limits, report: &mut Report) {
    let limits = PathLimits {
        bytes: limits.path_bytes,
        segment_bytes: limits.path_segment_bytes,
        segments: limits.path_segments,
    };
    let files: Vec<(Node<'_>, Text<'_>)> =
        elements(list).filter_map(|node| text(Some(node))).collect();
    // A few plain names are compared at sight.
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
