//! Checks of a chain: the names of its steps, their tools, and the references between them.

use std::collections::{BTreeMap, BTreeSet};

use manifest_core::json::Node;
use manifest_core::{Limits, Report, Rule, Text, quoted};

use crate::jsonpath::Query;
use crate::manifest::{INPUT, Step, object_elements};
use crate::structure::ManifestNodes;
use crate::{id, rules};

/// Checks the chain of a tool.
pub(super) fn check(nodes: &ManifestNodes<'_>, limits: &Limits, report: &mut Report) {
    let Some(chain) = nodes.chain else { return };
    // Steps refer to each other, so no step is checked if one of them is not an object.
    let steps: Vec<(Node<'_>, Step<'_>)> =
        object_elements(nodes.chain).map(|node| (node, Step::read(node))).collect();
    let limit = limits.chain_steps;
    if steps.len() > limit {
        let message = format!("{} steps, more than the {limit} allowed", steps.len());
        report.add(&rules::CHAIN_LENGTH, chain, message);
        return;
    }
    // A missing id is reported elsewhere. It equals only a tool that is empty too.
    let own_id = nodes.tool_id.and_then(Node::text).unwrap_or(Text::Borrowed(""));
    let mut keys: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, (_, step)) in steps.iter().enumerate() {
        if let Some(key) = step.key() {
            keys.entry(key).or_insert(index);
        }
    }
    let mut names = BTreeSet::new();
    let mut outputs = BTreeSet::from([INPUT]);
    for (index, (node, step)) in steps.iter().enumerate() {
        if let Some(name) = step.step.as_deref()
            && !names.insert(name)
        {
            let message = format!("there is a step {} already", quoted(name));
            report.add(&rules::CHAIN_NAME, member(*node, "step"), message);
        }
        check_tool(*node, &step.tool, &own_id, report);
        for mapping in node.get("inputMapping").into_iter().flat_map(Node::members) {
            if let Some(path) = mapping.value.text()
                && let Err((rule, message)) = check_path(&path, index, &keys, limits)
            {
                report.add(rule, mapping.value, message);
            }
        }
        let message = match step.key() {
            Some(key) if outputs.insert(key) => continue,
            Some(INPUT) => "\"input\" is the tool's own input".to_owned(),
            Some(key) => format!("there is an output {} already", quoted(key)),
            None => "the step has neither outputKey nor step".to_owned(),
        };
        let place = if step.output_key.is_some() { "outputKey" } else { "step" };
        report.add(&rules::CHAIN_NAME, member(*node, place), message);
    }
}

/// Returns a member, or the object if it lacks that member.
fn member<'a>(node: Node<'a>, name: &str) -> Node<'a> {
    node.get(name).unwrap_or(node)
}

fn check_tool(node: Node<'_>, tool: &str, own_id: &str, report: &mut Report) {
    if !tool.is_empty() && !id::is_valid(tool) {
        let message = format!("{} is not a tool id", quoted(tool));
        report.add(&rules::TOOL_ID, member(node, "tool"), message);
    } else if tool == own_id {
        report.add(&rules::CHAIN_CYCLE, member(node, "tool"), "the chain calls its own tool");
    }
}

/// Checks that a path names one place, and that its value exists when step `index` runs.
fn check_path(
    path: &str,
    index: usize,
    keys: &BTreeMap<&str, usize>,
    limits: &Limits,
) -> Result<(), (&'static Rule, String)> {
    let query = Query::parse(path, limits)
        .map_err(|error| (&rules::CHAIN_PATH, format!("{}: {error}", quoted(path))))?;
    if !query.is_singular() {
        let message = format!("{} can match more than one place", quoted(path));
        return Err((&rules::CHAIN_PATH, message));
    }
    let message = match query.first_name() {
        Some(INPUT) => return Ok(()),
        None => format!("{} does not say whose value it takes", quoted(path)),
        Some(name) => match keys.get(name) {
            Some(step) if *step < index => return Ok(()),
            Some(step) if *step == index => format!("{} is this step's own output", quoted(name)),
            Some(_) => format!("{} is the output of a later step", quoted(name)),
            None => format!("there is no output {}", quoted(name)),
        },
    };
    Err((&rules::CHAIN_REFERENCE, message))
}
