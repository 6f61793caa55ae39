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
    if pending.is_empty() {
        return None;
    }
    let mut worst = SideEffects::None;
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        // The effects of a tool whose own ones are unknown.
        let mut effects = SideEffects::Destructive;
        if let Some(tool) = tools.get(id) {
            pending.extend(tool.manifest.chain.iter().map(|step| step.tool.as_ref()));
            if !tool.manifest.chain.is_empty() {
                effects = SideEffects::None;
            }
            effects = tool.side_effects.unwrap_or(effects);
        }
        worst = worst.max(effects);
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
        if seen.insert(id)
            && let Some(tool) = tools.get(id)
        {
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
    let schema = schema.root();
    let mapping = node.get("inputMapping").unwrap_or(node);
    for required in schema.get("required").into_iter().flat_map(Node::elements) {
        let Some(name) = required.text() else { continue };
        let has_default =
            property(schema, &name).is_some_and(|property| property.get("default").is_some());
        if step.input_mapping.get(&name).is_none() && !has_default {
            let message = format!("{} requires {}", quoted(&step.tool), quoted(&name));
            report.push(rules::CHAIN_INPUT.at(mapping, message));
        }
    }
    let closed = schema.get("additionalProperties").and_then(Node::bool) == Some(false)
        && schema.get("patternProperties").is_none();
    for (name, path) in step.input_mapping.iter() {
        let at = mapping.get(name).unwrap_or(mapping);
        let property = property(schema, name);
        if closed && property.is_none() {
            let message = format!("{} does not take {}", quoted(&step.tool), quoted(name));
            report.push(rules::CHAIN_INPUT.at(at, message));
            continue;
        }
        let given = source_types(manifest, index, path, tools, limits);
        let wanted = allowed_types(property);
        if given & wanted == 0 {
            let (given, wanted) = (type_names(given), type_names(wanted));
            let message = format!("{} takes {wanted} here, and gets {given}", quoted(&step.tool));
            report.push(rules::CHAIN_INPUT.at(at, message));
        }
    }
}

fn property<'s>(schema: Node<'s>, name: &str) -> Option<Node<'s>> {
    schema.get("properties")?.get(name)
}

/// Returns the types that a mapping may give. Unknown types are all types.
fn source_types(
    manifest: &Manifest<'_>,
    index: usize,
    path: &str,
    tools: &Tools<'_>,
    limits: &Limits,
) -> u8 {
    let Ok(query) = Query::parse(path, limits) else { return u8::MAX };
    let Some(name) = query.first_name() else { return u8::MAX };
    let schema = if name == INPUT {
        &manifest.input_schema
    } else {
        let earlier = manifest.chain.iter().take(index).find(|step| step.key() == Some(name));
        let Some(step) = earlier else { return u8::MAX };
        let Some(tool) = tools.get(step.tool.as_ref()) else { return u8::MAX };
        &tool.manifest.output_schema
    };
    let Some(schema) = schema else { return u8::MAX };
    let Ok(schema) = Document::parse(schema.as_str().as_bytes(), limits) else { return u8::MAX };
    allowed_types(schema_at(schema.root(), &query))
}
