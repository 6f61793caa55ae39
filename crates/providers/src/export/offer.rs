//! The exported tools, and the tools that were left out.

use std::collections::BTreeMap;

use diagnostic::Diagnostic;
#[cfg(feature = "schema")]
use diagnostic::Report;
use json_text::Raw;
use manifest_core::ToolDescriptor;
use serde::{Serialize, Serializer};

use crate::change::CompiledSchema;
use crate::target::Target;

/// Tools exported to a target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Export<'t, 'a> {
    /// The target.
    pub target: Target,
    /// The exported tools, in the order of the manifests.
    pub offers: Vec<Offer<'t, 'a>>,
    /// The tools that were left out, with the reasons.
    pub skipped: Vec<SkippedTool>,
    /// Diagnostics about all tools together.
    pub notices: Vec<Diagnostic>,
    pub(super) by_name: BTreeMap<String, usize>,
}

/// One exported tool.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Offer<'t, 'a> {
    /// The tool.
    pub tool: &'t ToolDescriptor<'a>,
    /// The index among all given tools, across all sources.
    pub index: usize,
    /// The index of its source.
    pub source: usize,
    /// The name that the target calls it by.
    pub name: String,
    /// The tool in the target's JSON.
    pub json: Raw<'static>,
    /// The input schema for the target.
    pub input: CompiledSchema,
    /// The output schema for the target, if there is one and the target supports it.
    pub output: Option<CompiledSchema>,
    /// Diagnostics about an output schema that was left out.
    pub notices: Vec<Diagnostic>,
}

/// A tool that was left out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SkippedTool {
    /// The index among all given tools, across all sources.
    pub index: usize,
    /// The index of its source.
    pub source: usize,
    /// Its id.
    pub id: String,
    /// The reasons. A pointer begins with the field of the tool, such as `/input_schema`.
    pub reasons: Vec<Diagnostic>,
}

/// The schema of a tool without one: any object.
pub(super) const NO_SCHEMA: &str = r#"{"type":"object"}"#;

impl<'t, 'a> Export<'t, 'a> {
    /// Returns the tool that the target calls by a name.
    pub fn offer(&self, name: &str) -> Option<&Offer<'t, 'a>> {
        self.offers.get(*self.by_name.get(name)?)
    }

    /// Returns all tools as the value of `tools` in a request or listing of the target.
    pub fn to_json(&self) -> String {
        let tools: Vec<&str> = self.offers.iter().map(|offer| offer.json.as_str()).collect();
        let tools = tools.join(",");
        if self.target == Target::Gemini && !tools.is_empty() {
            return format!(r#"[{{"functionDeclarations":[{tools}]}}]"#);
        }
        format!("[{tools}]")
    }
}

/// Serializes as [`Export::to_json`].
///
/// ```
/// use manifest_core::ToolDescriptor;
/// use toolglot_providers::{Target, export};
///
/// let tools = [ToolDescriptor { id: "time".into(), ..ToolDescriptor::default() }];
/// let request = serde_json::json!({ "tools": export(&tools, &Target::OpenAiResponses.into()) });
/// assert_eq!(request["tools"][0]["name"], "time");
/// ```
impl Serialize for Export<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Raw::from_trusted(self.to_json()).serialize(serializer)
    }
}

/// Serializes as the tool in the target's JSON.
impl Serialize for Offer<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

impl<'t> Offer<'t, '_> {
    /// Returns the text for the model: the description or, if that is missing or blank, the
    /// summary.
    pub(super) fn description(&self) -> Option<&'t str> {
        for text in [&self.tool.description, &self.tool.summary].into_iter().flatten() {
            if !text.value.trim().is_empty() {
                return Some(&text.value);
            }
        }
        None
    }
}

#[cfg(feature = "schema")]
impl Offer<'_, '_> {
    /// Returns the conversion of its arguments from the model.
    pub fn argument_converter(
        &self,
        limits: &manifest_core::Limits,
    ) -> Result<crate::ValueConverter, Report> {
        let schema = match (&self.input.comparison, &self.tool.input_schema) {
            // Arguments are objects, even if the schema declares no type.
            (Some((source, _)), _) => source,
            (None, Some(schema)) => schema.as_str(),
            (None, None) => NO_SCHEMA,
        };
        crate::ValueConverter::new(schema, self.input.codec.clone(), limits)
    }

    /// Returns the conversion of its results to the model, if the target has their schema.
    pub fn result_converter(
        &self,
        limits: &manifest_core::Limits,
    ) -> Option<Result<crate::ValueConverter, Report>> {
        let schema = self.tool.output_schema.as_ref()?.as_str();
        let codec = self.output.as_ref()?.codec.clone();
        Some(crate::ValueConverter::new(schema, codec, limits))
    }
}
