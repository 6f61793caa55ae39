//! Functions of OpenAI.

use json_text::Raw;

use super::offer::Offer;
use crate::json::ObjectText;
use crate::target::Options;

/// Returns a function of chat completions, made of the given parts without changes.
///
/// This is for hosts that send manifests as they are. [`export`](crate::export()) instead
/// fits names and schemas to what OpenAI accepts, and lists the changes.
///
/// ```
/// let function = toolglot_providers::openai_function("add", None, Some("{ \"maximum\" : 1e2 }"));
/// assert_eq!(
///     function.as_str(),
///     r#"{"type":"function","function":{"name":"add","parameters":{ "maximum" : 1e2 }}}"#,
/// );
/// ```
pub fn openai_function(
    name: &str,
    description: Option<&str>,
    parameters: Option<&str>,
) -> Raw<'static> {
    Raw::from_trusted(function(name, description, parameters, false))
}

fn function(
    name: &str,
    description: Option<&str>,
    parameters: Option<&str>,
    strict: bool,
) -> String {
    let mut function = ObjectText::default();
    function.text("name", name);
    function.optional_text("description", description);
    if let Some(parameters) = parameters {
        function.json("parameters", parameters);
    }
    if strict {
        function.flag("strict", true);
    }
    let mut fields = ObjectText::default();
    fields.text("type", "function");
    fields.json("function", &function.finish());
    fields.finish()
}

pub(super) fn chat(offer: &Offer<'_, '_>, options: &Options) -> String {
    let parameters = Some(offer.input.schema.as_str());
    function(&offer.name, offer.description(), parameters, options.strict)
}

/// Always writes `strict`: without it, Responses would try the strict mode.
pub(super) fn responses(offer: &Offer<'_, '_>, options: &Options) -> String {
    let mut fields = ObjectText::default();
    fields.text("type", "function");
    fields.text("name", &offer.name);
    fields.optional_text("description", offer.description());
    fields.json("parameters", offer.input.schema.as_str());
    fields.flag("strict", options.strict);
    if let Some(output) = &offer.output {
        fields.json("output_schema", output.schema.as_str());
    }
    fields.finish()
}
