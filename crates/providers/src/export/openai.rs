//! Functions of OpenAI.

use super::fields::{Fields, description};
use super::offer::Offer;
use crate::target::Options;

pub(super) fn chat(offer: &Offer<'_, '_>, options: &Options) -> String {
    let mut function = Fields::default();
    function.text("name", &offer.name);
    function.perhaps("description", description(offer.tool));
    function.json("parameters", offer.input.schema.as_str());
    if options.strict {
        function.flag("strict", true);
    }
    let mut fields = Fields::default();
    fields.text("type", "function");
    fields.json("function", &function.finish());
    fields.finish()
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
