//! Tools in the form that agentcli sends.

use manifest_core::json::Raw;
use providers::openai_function;

use crate::Manifest;

impl Manifest<'_> {
    /// Returns the tools as the reference sends them to OpenAI-compatible providers, in the
    /// order of the manifest. Schemas are sent as written, even if a provider refuses them.
    /// `providers::export` fixes such schemas.
    ///
    /// If there are no tools, a request should not contain `tools`, because providers
    /// refuse an empty list. The reference omits it, too.
    ///
    /// ```
    /// use manifest_core::{Limits, ValidateOptions, json::Document};
    ///
    /// let text = br#"{"tools": [{
    ///     "name": "add",
    ///     "schema": { "maximum" : 1e2 },
    ///     "command": ["./tools/bin/add"]
    /// }]}"#;
    /// let document = Document::parse(text, &Limits::default())?;
    /// let manifest = tools_json::load(&document, &ValidateOptions::default()).expect("a valid manifest");
    /// assert_eq!(
    ///     serde_json::to_string(&manifest.openai_tools())?,
    ///     r#"[{"type":"function","function":{"name":"add","parameters":{ "maximum" : 1e2 }}}]"#,
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn openai_tools(&self) -> Vec<Raw<'static>> {
        let tools = self.tools.iter().map(|tool| {
            let description = tool.description.as_deref().filter(|text| !text.is_empty());
            openai_function(&tool.name, description, tool.schema.as_ref().map(Raw::as_str))
        });
        tools.collect()
    }
}
