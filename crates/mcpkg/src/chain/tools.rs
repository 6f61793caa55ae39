//! Checks of a chain against the tools that it calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::jsonpath::Query;
use manifest_core::descriptor::SideEffects;
use manifest_core::json::{Document, Node};
use manifest_core::{Limits, Report, ValidateOptions, quoted};

use super::types::{allowed_types, schema_at, type_names};
use crate::manifest::{INPUT, Manifest};
use crate::package::rules;
use crate::rules::CHAIN_CYCLE;

/// A tool that the host knows.
#[derive(Clone, Copy, Debug)]
pub struct KnownTool<'t> {
    /// Its manifest.
    pub manifest: &'t Manifest<'t>,
    /// Its side effects, if they are known. A manifest cannot declare them.
    pub side_effects: Option<SideEffects>,
}

/// The tools that the host knows, by id.
type Tools<'t> = BTreeMap<&'t str, KnownTool<'t>>;

/// Checks a chain against the tools that it calls, in addition to
/// [`validate`](crate::validate). Reports unknown tools, mappings that do not match the
/// input of their tool, and chains that call themselves through other chains. Also reports
/// if the `declared` side effects are less than those of the steps.
pub fn check_tools(
    document: &Document<'_>,
    tools: &BTreeMap<&str, KnownTool<'_>>,
    declared: Option<SideEffects>,
    options: &ValidateOptions,
) -> Report {
    let mut report = options.new_report();
    let manifest = Manifest::read(document);
    let root = document.root();
    let steps: Vec<Node<'_>> = root.get("chain").into_iter().flat_map(Node::elements).collect();
    for (index, (step, node)) in manifest.chain.iter().zip(&steps).enumerate() {
        let at = node.get("tool").unwrap_or(*node);
        let Some(tool) = tools.get(step.tool.as_ref()) else {
            let message = format!("{} is not known", quoted(&step.tool));
            report.push(rules::CHAIN_TOOL.at(at, message));
            continue;
        };
        if step.tool != manifest.tool_id && leads_to(&step.tool, &manifest.tool_id, tools) {
            let message = format!("{} leads back to this chain", quoted(&step.tool));
            report.push(CHAIN_CYCLE.at(at, message));
        }
        check_inputs(&manifest, index, *node, tool, tools, &options.limits, &mut report);
    }
    let needed = risk(&manifest, tools);
    if let (Some(declared), Some(needed)) = (declared, needed)
        && declared < needed
    {
        let message = format!("the chain is declared {declared:?}, and a step is {needed:?}");
        let at = root.get("chain").unwrap_or(root);
        report.push(rules::CHAIN_RISK.at(at, message.to_lowercase()));
    }
    report
}

/// Returns the side effects of a chain: those of its riskiest step, also through other
/// chains. A tool counts as destructive if the tool or its side effects are unknown.
/// Returns `None` if the tool is not a chain.
pub fn risk(manifest: &Manifest<'_>, tools: &BTreeMap<&str, KnownTool<'_>>) -> Option<SideEffects> {
    let mut seen = BTreeSet::new();
    let mut pending: Vec<&str> = manifest.chain.iter().map(|step| step.tool.as_ref()).collect();
    let mut worst = (!pending.is_empty()).then_some(SideEffects::None)?;
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        let tool = tools.get(id);
        let chain = tool.map(|tool| &tool.manifest.chain).filter(|chain| !chain.is_empty());
        match (chain, tool.and_then(|tool| tool.side_effects)) {
            (Some(chain), own) => {
                pending.extend(chain.iter().map(|step| step.tool.as_ref()));
                worst = worst.max(own.unwrap_or(SideEffects::None));
            }
            (None, own) => worst = worst.max(own.unwrap_or(SideEffects::Destructive)),
        }
    }
    Some(worst)
}

/// Returns true if a call of one tool leads to a call of another.
fn leads_to(from: &str, to: &str, tools: &Tools<'_>) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(id) = pending.pop() {
        if id == to {
            return true;
        }
        if let Some(tool) = tools.get(id).filter(|_| seen.insert(id)) {
            pending.extend(tool.manifest.chain.iter().map(|step| step.tool.as_ref()));
        }
    }
    false
}

/// Checks that a step gives its tool the required input, and of the right types.
fn check_inputs(
    manifest: &Manifest<'_>,
    index: usize,
    node: Node<'_>,
    tool: &KnownTool<'_>,
    tools: &Tools<'_>,
    limits: &Limits,
    report: &mut Report,
) {
    let Some(step) = manifest.chain.get(index) else { return };
    let Some(schema) = &tool.manifest.input_schema else { return };
    let Ok(schema) = Document::parse(schema.as_str().as_bytes(), limits) else { return };
    let (schema, properties) = (schema.root(), schema.root().get("properties"));
    let property = |name: &str| properties.and_then(|properties| properties.get(name));
    let mapping = node.get("inputMapping").unwrap_or(node);
    for required in schema.get("required").into_iter().flat_map(Node::elements) {
        let Some(name) = required.text() else { continue };
        let has_default = property(&name).is_some_and(|found| found.get("default").is_some());
        if step.input_mapping.get(&name).is_none() && !has_default {
            let message = format!("{} requires {}", quoted(&step.tool), quoted(&name));
            report.push(rules::CHAIN_INPUT.at(mapping, message));
        }
    }
    let closed = schema.get("additionalProperties").and_then(Node::bool) == Some(false)
        && schema.get("patternProperties").is_none();
    for (name, path) in step.input_mapping.iter() {
        let at = mapping.get(name).unwrap_or(mapping);
        if closed && property(name).is_none() {
            let message = format!("{} does not take {}", quoted(&step.tool), quoted(name));
            report.push(rules::CHAIN_INPUT.at(at, message));
            continue;
        }
        let given = source_types(manifest, index, path, tools, limits);
        let wanted = allowed_types(property(name));
        if given & wanted == 0 {
            let (given, wanted) = (type_names(given), type_names(wanted));
            let message = format!("{} takes {wanted} here, and gets {given}", quoted(&step.tool));
            report.push(rules::CHAIN_INPUT.at(at, message));
        }
    }
}

/// Returns the types that a mapping may give.
fn source_types(
    manifest: &Manifest<'_>,
    index: usize,
    path: &str,
    tools: &Tools<'_>,
    limits: &Limits,
) -> u8 {
    let Ok(query) = Query::parse(path, limits) else { return u8::MAX };
    let name = query.first_name().unwrap_or_default();
    let earlier = manifest.chain.iter().take(index).find(|step| step.key() == Some(name));
    let schema = match earlier {
        _ if name == INPUT => manifest.input_schema.as_ref(),
        Some(step) => {
            tools.get(step.tool.as_ref()).and_then(|tool| tool.manifest.output_schema.as_ref())
        }
        None => None,
    };
    let Some(schema) = schema else { return u8::MAX };
    let Ok(schema) = Document::parse(schema.as_str().as_bytes(), limits) else { return u8::MAX };
    schema_at(schema.root(), &query).map_or(u8::MAX, |found| allowed_types(Some(found)))
}
