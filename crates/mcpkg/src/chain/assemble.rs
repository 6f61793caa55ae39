//! Putting a chain together of tools, by the names of what goes in and comes out.

use std::collections::{BTreeMap, BTreeSet};

use manifest_core::json::{Node, Raw};
use manifest_core::{Text, certain, quoted};
use serde::Serialize;

use super::types::allowed;
use crate::manifest::{INPUT, Manifest, Step};

/// What a chain is, beside its steps.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // whoever makes a chain writes it out
pub struct Start<'s> {
    /// Its id.
    pub tool_id: &'s str,
    /// What people call it.
    pub name: &'s str,
    /// Its version: another order of steps, or another step, is another version.
    pub version: &'s str,
    /// What it does.
    pub description: &'s str,
    /// Mappings that names do not give: step, argument, JSONPath.
    pub mappings: &'s [(String, String, String)],
}

/// A chain, and what its maker has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assembled {
    /// The manifest, as JSON.
    pub text: String,
    /// Arguments of later steps that no step before gives: whoever calls the chain gives them.
    pub asked: Vec<Argument>,
    /// Arguments that nothing gives: the input of the chain has another of this name.
    pub unmapped: Vec<Argument>,
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

/// Puts a chain together that calls tools in this order.
///
/// An argument is the output of that name and a fitting type of the nearest step before, or else
/// the input of that name of the chain. The result is that of the last step. Nothing else is looked
/// at: [`check_tools`] says whether it fits together.
///
/// [`check_tools`]: super::check_tools
///
/// ```
/// use manifest_core::{Limits, json::Document};
/// use mcpkg::Manifest;
/// use mcpkg::chain::{Start, assemble};
///
/// let document = |text| Document::parse(text, &Limits::default());
/// let read = document(br#"{"toolId": "tools.pdf.read", "capabilities": ["pdf"],
///   "input_schema": {"properties": {"path": {"type": "string"}}, "required": ["path"]},
///   "output_schema": {"properties": {"text": {"type": "string"}}}}"#)?;
/// let clean = document(br#"{"toolId": "tools.text.clean", "capabilities": ["text"],
///   "input_schema": {"properties": {"text": {"type": "string"}}, "required": ["text"]}}"#)?;
/// let start = Start {
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
pub fn assemble(start: &Start<'_>, tools: &[&Manifest<'_>]) -> Result<Assembled, String> {
    let Some(last) = tools.last() else { return Err("a chain has a step at least".to_owned()) };
    let names = step_names(tools);
    let strange = |(step, _, _): &&(String, String, String)| !names.contains(step);
    if let Some((step, _, _)) = start.mappings.iter().find(strange) {
        return Err(format!("there is no step {}: they are {}", quoted(step), names.join(", ")));
    }
    let mut maker = Maker::default();
    let mut chain = Vec::with_capacity(tools.len());
    for (tool, name) in tools.iter().zip(&names) {
        chain.push(maker.step(tool, name, start));
        maker.takes_outputs(tool, name);
    }
    let mut seen = BTreeSet::new();
    let capabilities = tools.iter().flat_map(|tool| &tool.capabilities);
    let is_new = |word: &&Text<'_>| seen.insert((*word).to_string());
    let capabilities = capabilities.filter(is_new).cloned().collect();
    let input_schema = maker.input_schema();
    let manifest = Manifest {
        tool_id: start.tool_id.into(),
        name: start.name.into(),
        version: start.version.into(),
        description: start.description.into(),
        capabilities,
        chain,
        input_schema: certain(Raw::parse(&input_schema)),
        output_schema: last.output_schema.clone(),
        ..Manifest::default()
    };
    let text = certain(serde_json::to_string_pretty(&manifest)).unwrap_or_default() + "\n";
    Ok(Assembled { text, asked: maker.asked, unmapped: maker.unmapped })
}

/// A name for each step, after the last part of the id of its tool. They are those of outputs, too.
fn step_names(tools: &[&Manifest<'_>]) -> Vec<String> {
    let mut taken = BTreeSet::from([INPUT.to_owned()]);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = Vec::with_capacity(tools.len());
    for tool in tools {
        let part = tool.tool_id.rsplit('.').next().unwrap_or_default();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let part: String = part.chars().map(plain).collect();
        let part = if part.starts_with(|c: char| c.is_ascii_alphabetic()) {
            part
        } else {
            format!("step_{part}")
        };
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

/// A property of the input of the chain.
struct Input {
    /// Its schema, as JSON.
    schema: String,
    types: u8,
    required: bool,
}

/// A chain that is being made.
#[derive(Default)]
struct Maker {
    /// The outputs so far, by name: where they are, and their types. Of equal types, the last.
    outputs: BTreeMap<String, Vec<(u8, String)>>,
    inputs: Vec<(String, Input)>,
    by_name: BTreeMap<String, usize>,
    asked: Vec<Argument>,
    unmapped: Vec<Argument>,
}

impl Maker {
    fn step<'a>(&mut self, tool: &Manifest<'a>, step: &str, start: &Start<'_>) -> Step<'a> {
        let document = tool.input_schema.as_ref().and_then(Raw::document);
        let schema = document.as_ref().map(|schema| schema.root());
        let required: BTreeSet<Text<'_>> = schema
            .and_then(|schema| schema.get("required"))
            .into_iter()
            .flat_map(Node::elements)
            .filter_map(Node::text)
            .collect();
        let own = start.mappings.iter().filter(|(own, _, _)| own == step);
        let own: BTreeMap<&str, &str> =
            own.map(|(_, name, path)| (name.as_str(), path.as_str())).collect();
        let mut paths: BTreeMap<String, String> =
            own.iter().map(|(name, path)| ((*name).to_owned(), (*path).to_owned())).collect();
        let properties = schema.and_then(|schema| schema.get("properties"));
        for member in properties.into_iter().flat_map(Node::members) {
            let name = member.name();
            if own.contains_key(name.as_ref()) {
                continue;
            }
            let needs = required.contains(&name) && member.value.get("default").is_none();
            let path = self.output(&name, allowed(Some(member.value)));
            let path = path.or_else(|| self.input(step, &name, member.value, needs));
            paths.extend(path.map(|path| (name.into_owned(), path)));
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

    /// Where the nearest output of a name and a fitting type is.
    fn output(&self, name: &str, types: u8) -> Option<String> {
        let outputs = self.outputs.get(name)?.iter().rev();
        outputs.filter(|(given, _)| given & types != 0).map(|(_, path)| path.clone()).next()
    }

    /// Where the input of a name is, which the chain asks its caller for.
    fn input(&mut self, step: &str, name: &str, schema: Node<'_>, needs: bool) -> Option<String> {
        let argument = || Argument { step: step.to_owned(), name: name.to_owned() };
        let types = allowed(Some(schema));
        match self.by_name.get(name).and_then(|at| self.inputs.get_mut(*at)) {
            Some((_, known)) if known.types & types == 0 => {
                self.unmapped.push(argument());
                return None;
            }
            Some((_, known)) => known.required |= needs,
            None => {
                let input = Input { schema: portable(schema), types, required: needs };
                self.by_name.insert(name.to_owned(), self.inputs.len());
                self.inputs.push((name.to_owned(), input));
                if !self.outputs.is_empty() {
                    self.asked.push(argument());
                }
            }
        }
        Some(format!("$.{INPUT}{}", selector(name)))
    }

    fn takes_outputs(&mut self, tool: &Manifest<'_>, step: &str) {
        let document = tool.output_schema.as_ref().and_then(Raw::document);
        let properties = document.as_ref().and_then(|schema| schema.root().get("properties"));
        for member in properties.into_iter().flat_map(Node::members) {
            let name = member.name();
            let (types, path) =
                (allowed(Some(member.value)), format!("$.{step}{}", selector(&name)));
            let known = self.outputs.entry(name.into_owned()).or_default();
            known.retain(|(other, _)| *other != types);
            known.push((types, path));
        }
    }

    fn input_schema(&self) -> String {
        let text = |name: &str| certain(serde_json::to_string(name)).unwrap_or_default();
        let properties = self.inputs.iter();
        let properties: Vec<String> =
            properties.map(|(name, input)| format!("{}:{}", text(name), input.schema)).collect();
        let required = self.inputs.iter().filter(|(_, input)| input.required);
        let required: Vec<String> = required.map(|(name, _)| text(name)).collect();
        format!(
            r#"{{"type":"object","properties":{{{}}},"required":[{}]}}"#,
            properties.join(","),
            required.join(",")
        )
    }
}

/// A name behind a JSONPath.
fn selector(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(plain) {
        return format!(".{name}");
    }
    format!("[{}]", certain(serde_json::to_string(name)).unwrap_or_default())
}

/// A schema that can stand elsewhere: one that refers to others is left with its type.
fn portable(schema: Node<'_>) -> String {
    let mut open = vec![schema];
    while let Some(node) = open.pop() {
        for member in node.members() {
            if ["$ref", "$dynamicRef", "$recursiveRef"].contains(&member.name().as_ref()) {
                let kind = schema.get("type").map(|kind| format!(r#""type":{}"#, kind.raw()));
                return format!("{{{}}}", kind.unwrap_or_default());
            }
            open.push(member.value);
        }
        open.extend(node.elements());
    }
    schema.raw().to_owned()
}
