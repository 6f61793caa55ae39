//! Tools as OpenAI-compatible providers take them.

use manifest_core::json::Raw;
use serde::Serialize;

use crate::Manifest;

/// A tool for a model to call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OpenAiTool<'m> {
    /// Always `function`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The function that the model sees.
    pub function: OpenAiFunction<'m>,
}

/// The function of an [`OpenAiTool`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OpenAiFunction<'m> {
    /// The tool's name.
    pub name: &'m str,
    /// What it does. Absent when there is nothing to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<&'m str>,
    /// The tool's schema, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<&'m Raw<'m>>,
}

impl Manifest<'_> {
    /// The tools for a provider, in the order of the manifest.
    ///
    /// When there are none, a request should have no `tools` at all: that is
    /// what the reference sends, and providers refuse an empty list.
    ///
    /// ```
    /// use manifest_core::{Limits, Validate, json::Document};
    ///
    /// let text = br#"{"tools": [{
    ///     "name": "add",
    ///     "schema": { "maximum" : 1e2 },
    ///     "command": ["./tools/bin/add"]
    /// }]}"#;
    /// let document = Document::parse(text, &Limits::default())?;
    /// let manifest = tools_json::load(&document, &Validate::default()).expect("a valid manifest");
    /// assert_eq!(
    ///     serde_json::to_string(&manifest.openai_tools())?,
    ///     r#"[{"type":"function","function":{"name":"add","parameters":{ "maximum" : 1e2 }}}]"#,
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn openai_tools(&self) -> Vec<OpenAiTool<'_>> {
        let tools = self.tools.iter().map(|tool| OpenAiTool {
            kind: "function",
            function: OpenAiFunction {
                name: &tool.name,
                description: tool.description.as_deref().filter(|text| !text.is_empty()),
                parameters: tool.schema.as_ref(),
            },
        });
        tools.collect()
    }
}
