//! Functions of OpenAI.

use json_text::Raw;

use super::fields::{Fields, description};
use super::offer::Offer;
use crate::target::Options;

/// A function of chat completions, of parts that are sent as they are written.
///
/// [`export`](crate::export()) fits names and schemas to what OpenAI takes, and says what that
/// changes. This is for hosts that send what a manifest says, whatever it is.
///
/// ```
/// let function = providers::openai_function("add", None, Some("{ \"maximum\" : 1e2 }"));
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
    Raw::from_built(function(name, description, parameters, false))
}

fn function(
    name: &str,
    description: Option<&str>,
    parameters: Option<&str>,
    strict: bool,
) -> String {
    let mut function = Fields::default();
    function.text("name", name);
    function.perhaps("description", description);
    if let Some(parameters) = parameters {
        function.json("parameters", parameters);
    }
    if strict {
        function.flag("strict", true);
    }
    let mut fields = Fields::default();
    fields.text("type", "function");
    fields.json("function", &function.finish());
    fields.finish()
}

pub(super) fn chat(offer: &Offer<'_, '_>, options: &Options) -> String {
    let parameters = Some(offer.input.schema.as_str());
    function(&offer.name, description(offer.tool), parameters, options.strict)
}

/// Without a word on it, Responses would try the strict mode by itself.
pub(super) fn responses(offer: &Offer<'_, '_>, options: &Options) -> String {
    let mut fields = Fields::default();
    fields.text("type", "function");
    fields.text("name", &offer.name);
    fields.perhaps("description", description(offer.tool));
    fields.json("parameters", offer.input.schema.as_str());
    fields.flag("strict", options.strict);
    if let Some(output) = &offer.output {
        fields.json("output_schema", output.schema.as_str());
    }
    fields.finish()
}
