//! What a target is given, and what not.

use std::collections::BTreeMap;

use diagnostic::Diagnostic;
use json_text::Raw;
use manifest_core::ToolDescriptor;

use crate::change::Compiled;
use crate::target::Target;

/// What a target is given of some tools.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Export<'t, 'a> {
    /// Who is given it.
    pub target: Target,
    /// The tools that it is given, in the order of the manifests.
    pub offers: Vec<Offer<'t, 'a>>,
    /// Those that it is not given, and why.
    pub left_out: Vec<LeftOut>,
    /// What concerns all of them together.
    pub notices: Vec<Diagnostic>,
    pub(super) by_name: BTreeMap<String, usize>,
}

/// One tool for a target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Offer<'t, 'a> {
    /// The tool.
    pub tool: &'t ToolDescriptor<'a>,
    /// Its place among the tools that were given, all sources together.
    pub index: usize,
    /// Which source it is of.
    pub source: usize,
    /// What the target calls it.
    pub name: String,
    /// The tool as the target takes it.
    pub json: Raw<'static>,
    /// Its input schema there.
    pub input: Compiled,
    /// Its output schema there, where the target has a place for one.
    pub output: Option<Compiled>,
    /// What is left out of it, though it is offered.
    pub notices: Vec<Diagnostic>,
}

/// A tool that a target is not given.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeftOut {
    /// Its place among the tools that were given, all sources together.
    pub index: usize,
    /// Which source it is of.
    pub source: usize,
    /// Its id.
    pub id: String,
    /// Why. A pointer begins with the field of the tool: `/input_schema`.
    pub why: Vec<Diagnostic>,
}

/// What stands for a schema that is not there: any object.
pub(super) const NO_SCHEMA: &str = r#"{"type":"object"}"#;

impl<'t, 'a> Export<'t, 'a> {
    /// The tool that the target calls by a name.
    pub fn offer(&self, name: &str) -> Option<&Offer<'t, 'a>> {
        self.offers.get(*self.by_name.get(name)?)
    }

    /// All tools, as a request or a listing of the target has them under `tools`.
    pub fn to_json(&self) -> String {
        let tools: Vec<&str> = self.offers.iter().map(|offer| offer.json.as_str()).collect();
        let tools = tools.join(",");
        match self.target {
            Target::Gemini if tools.is_empty() => "[]".to_owned(),
            Target::Gemini => format!(r#"[{{"functionDeclarations":[{tools}]}}]"#),
            _ => format!("[{tools}]"),
        }
    }
}

#[cfg(feature = "schema")]
impl Offer<'_, '_> {
    /// The way of its arguments from the model.
    pub fn call(&self, limits: &manifest_core::Limits) -> Result<crate::Call, Vec<Diagnostic>> {
        let written = self.tool.input_schema.as_ref().map_or(NO_SCHEMA, |schema| schema.as_str());
        // Arguments are objects, also where the schema does not say so.
        let schema = self.input.compared.as_ref().map_or(written, |(source, _)| source);
        crate::Call::new(schema, self.input.codec.clone(), limits)
    }

    /// The way of its results to the model, where their schema is told.
    pub fn result(
        &self,
        limits: &manifest_core::Limits,
    ) -> Option<Result<crate::Call, Vec<Diagnostic>>> {
        let (schema, output) = self.tool.output_schema.as_ref().zip(self.output.as_ref())?;
        Some(crate::Call::new(schema.as_str(), output.codec.clone(), limits))
    }
}
