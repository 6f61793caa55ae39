//! Assembles a chain from tools, by the names of their inputs and outputs.

use std::collections::{BTreeMap, BTreeSet};

use manifest_core::json::{Node, Raw, to_json};
use manifest_core::{Text, ok_or_bug, quoted};
use serde::Serialize;

use super::types::allowed_types;
use crate::manifest::{INPUT, Manifest, Step};
use crate::text::to_pretty_json;

/// The properties of a new chain, except its steps.
#[derive(Clone, Copy, Debug)]
pub struct ChainInfo<'s> {
    /// The id.
    pub tool_id: &'s str,
    /// The display name.
    pub name: &'s str,
    /// The version. A chain with other steps, or another order of steps, is another
    /// version.
    pub version: &'s str,
    /// The description.
    pub description: &'s str,
    /// Explicit mappings, used instead of those by name: step, argument, JSONPath.
    pub mappings: &'s [(String, String, String)],
}

/// A new chain, and the arguments that need attention.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AssembledChain {
    /// The manifest, as JSON.
    pub text: String,
    /// Arguments of later steps that no earlier step gives, so the caller of the chain
    /// gives them.
    pub caller_arguments: Vec<Argument>,
    /// Arguments without a mapping, because the chain's input of this name has another
    /// type.
    pub unmapped_arguments: Vec<Argument>,
}

/// An argument of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Argument {
    /// The name of the step.
    pub step: String,
    /// The name of the argument.
    pub name: String,
}

/// Assembles a chain that calls tools in this order.
///
/// An argument is mapped to the output of the same name and a fitting type in the nearest
/// earlier step, or else to the chain's input of that name. The result is that of the last
/// step. Fails if there are no tools, or if a mapping names an unknown step. No other
/// checks are made: [`check_tools`] reports mappings that do not fit.
///
/// [`check_tools`]: super::check_tools
///
/// ```
/// use manifest_core::{Limits, json::Document};
/// use toolglot_mcpkg::Manifest;
/// use toolglot_mcpkg::chain::{ChainInfo, assemble};
///
/// let document = |text| Document::parse(text, &Limits::default());
/// let read = document(br#"{"toolId": "tools.pdf.read", "capabilities": ["pdf"],
///   "input_schema": {"properties": {"path": {"type": "string"}}, "required": ["path"]},
///   "output_schema": {"properties": {"text": {"type": "string"}}}}"#)?;
/// let clean = document(br#"{"toolId": "tools.text.clean", "capabilities": ["text"],
///   "input_schema": {"properties": {"text": {"type": "string"}}, "required": ["text"]}}"#)?;
/// let start = ChainInfo {
///     tool_id: "tools.pdf.clean", name: "Clean text of a PDF", version: "1.0.0",
///     description: "Reads a PDF, and cleans its text.", mappings: &[],
/// };
/// let chain = assemble(&start, &[&Manifest::read(&read), &Manifest::read(&clean)])?;
/// let chain: serde_json::Value = serde_json::from_str(&chain.text)?;
/// assert_eq!(chain["chain"][0]["inputMapping"]["path"], "$.input.path");
/// assert_eq!(chain["chain"][1]["inputMapping"]["text"], "$.read.text");
/// assert_eq!(chain["input_schema"]["required"][0], "path");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assemble(start: &ChainInfo<'_>, tools: &[&Manifest<'_>]) -> Result<AssembledChain, String> {
    let Some(last) = tools.last() else { return Err("a chain has a step at least".to_owned()) };
    let names = step_names(tools);
    for (step, _, _) in start.mappings {
        if !names.contains(step) {
            return Err(format!(
                "there is no step {}: they are {}",
                quoted(step),
                names.join(", ")
            ));
        }
    }
    let mut builder = ChainBuilder::default();
    let mut chain = Vec::with_capacity(tools.len());
    let mut seen = BTreeSet::new();
    let mut capabilities = Vec::new();
    for (tool, name) in tools.iter().zip(&names) {
        chain.push(builder.build_step(tool, name, start));
        builder.add_outputs(tool, name);
        for capability in &tool.capabilities {
            if seen.insert(capability.as_ref()) {
                capabilities.push(capability.clone());
            }
        }
    }
    let input_schema = builder.input_schema();
    let manifest = Manifest {
        tool_id: start.tool_id.into(),
        name: start.name.into(),
        version: start.version.into(),
        description: start.description.into(),
        capabilities,
        chain,
        input_schema: ok_or_bug(Raw::parse(&input_schema)),
        output_schema: last.output_schema.clone(),
        ..Manifest::default()
    };
    Ok(AssembledChain {
        text: to_pretty_json(&manifest),
        caller_arguments: builder.asked,
        unmapped_arguments: builder.unmapped,
    })
}

/// Returns a name for each step and its output, from the last segment of the tool's id.
fn step_names(tools: &[&Manifest<'_>]) -> Vec<String> {
    let mut taken = BTreeSet::from([INPUT.to_owned()]);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = Vec::with_capacity(tools.len());
    for tool in tools {
        let (_, last) = tool.tool_id.rsplit_once('.').unwrap_or(("", tool.tool_id.as_ref()));
        let mut part = last.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        if !part.starts_with(|c: char| c.is_ascii_alphabetic()) {
            part.insert_str(0, "step_");
        }
        let mut name = part.clone();
        while !taken.insert(name.clone()) {
            let count = counts.entry(part.clone()).or_insert(1);
            *count += 1;
            name = format!("{part}_{count}");
        }
        names.push(name);
    }
    names
}

/// A property of the chain's input.
struct InputProperty {
    /// The schema of the property, as JSON.
    schema: String,
    types: u8,
    required: bool,
}

/// A chain under construction.
#[derive(Default)]
struct ChainBuilder {
    /// The types and paths of the outputs so far, by name. Only the last of equal types is
    /// kept.
    outputs: BTreeMap<String, Vec<(u8, String)>>,
    inputs: Vec<(String, InputProperty)>,
    by_name: BTreeMap<String, usize>,
    asked: Vec<Argument>,
    unmapped: Vec<Argument>,
}

impl ChainBuilder {
    fn build_step<'a>(
        &mut self,
        tool: &Manifest<'a>,
        step: &str,
        start: &ChainInfo<'_>,
    ) -> Step<'a> {
        let document = tool.input_schema.as_ref().and_then(Raw::document);
        let schema = document.as_ref().map(|schema| schema.root());
        let required = schema.and_then(|schema| schema.get("required"));
        let required: BTreeSet<Text<'_>> =
            required.into_iter().flat_map(Node::elements).filter_map(Node::text).collect();
        let mut paths: BTreeMap<String, String> = BTreeMap::new();
        for (mapped_step, name, path) in start.mappings {
            if mapped_step == step {
                paths.insert(name.clone(), path.clone());
            }
        }
        let properties = schema.and_then(|schema| schema.get("properties"));
        for member in properties.into_iter().flat_map(Node::members) {
            let name = member.name();
            if paths.contains_key(name.as_ref()) {
                continue;
            }
            let needs = required.contains(&name) && member.value.get("default").is_none();
            let path = match self.find_output(&name, allowed_types(Some(member.value))) {
                Some(path) => Some(path),
                None => self.map_to_input(step, &name, member.value, needs),
            };
            if let Some(path) = path {
                paths.insert(name.into_owned(), path);
            }
        }
        let input_mapping =
            paths.into_iter().map(|(name, path)| (name.into(), path.into())).collect();
        Step {
            step: Some(step.to_owned().into()),
            tool: tool.tool_id.clone(),
            input_mapping,
            ..Step::default()
        }
    }

    /// Returns the path of the nearest output of this name with a fitting type.
    fn find_output(&self, name: &str, types: u8) -> Option<String> {
        let mut outputs = self.outputs.get(name)?.iter().rev();
        let (_, path) = outputs.find(|(given, _)| given & types != 0)?;
        Some(path.clone())
    }

    /// Returns the path of the chain's input of this name, and adds the input if it is new.
    /// Returns `None` if the existing input has another type.
    fn map_to_input(
        &mut self,
        step: &str,
        name: &str,
        schema: Node<'_>,
        needs: bool,
    ) -> Option<String> {
        let argument = Argument { step: step.to_owned(), name: name.to_owned() };
        let types = allowed_types(Some(schema));
        match self.by_name.get(name).and_then(|at| self.inputs.get_mut(*at)) {
            Some((_, known)) if known.types & types == 0 => {
                self.unmapped.push(argument);
                return None;
            }
            Some((_, known)) => known.required |= needs,
            None => {
                let input =
                    InputProperty { schema: to_portable_schema(schema), types, required: needs };
                self.by_name.insert(name.to_owned(), self.inputs.len());
                self.inputs.push((name.to_owned(), input));
                if !self.outputs.is_empty() {
                    self.asked.push(argument);
                }
            }
        }
        Some(format!("$.{INPUT}{}", selector(name)))
    }

    fn add_outputs(&mut self, tool: &Manifest<'_>, step: &str) {
        let document = tool.output_schema.as_ref().and_then(Raw::document);
        let properties = document.as_ref().and_then(|schema| schema.root().get("properties"));
        for member in properties.into_iter().flat_map(Node::members) {
            let name = member.name();
            let (types, path) =
                (allowed_types(Some(member.value)), format!("$.{step}{}", selector(&name)));
            let known = self.outputs.entry(name.into_owned()).or_default();
            known.retain(|(other, _)| *other != types);
            known.push((types, path));
        }
    }

    fn input_schema(&self) -> String {
        let (mut properties, mut required) = (Vec::new(), Vec::new());
        for (name, input) in &self.inputs {
            properties.push(format!("{}:{}", to_json(name), input.schema));
            if input.required {
                required.push(to_json(name));
            }
        }
        format!(
            r#"{{"type":"object","properties":{{{}}},"required":[{}]}}"#,
            properties.join(","),
            required.join(",")
        )
    }
}

/// Returns the JSONPath selector of a name.
fn selector(name: &str) -> String {
    let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if is_plain && name.starts_with(|c: char| !c.is_ascii_digit()) {
        return format!(".{name}");
    }
    format!("[{}]", to_json(name))
}

/// Returns a schema that can be moved to another document. If it has references, only its
/// type is left.
fn to_portable_schema(schema: Node<'_>) -> String {
    let mut open = vec![schema];
    while let Some(node) = open.pop() {
        for member in node.members() {
            if ["$ref", "$dynamicRef", "$recursiveRef"].contains(&member.name().as_ref()) {
                return match schema.get("type") {
                    Some(kind) => format!(r#"{{"type":{}}}"#, kind.raw()),
                    None => "{}".to_owned(),
                };
            }
            open.push(member.value);
        }
        open.extend(node.elements());
    }
    schema.raw().to_owned()
}
