//! Function declarations of Gemini.

use json_text::{Document, Limits};

use super::fields::{ObjectText, description};
use super::offer::Offer;
use crate::target::Options;

pub(super) fn declaration(offer: &Offer<'_, '_>, options: &Options) -> String {
    let (input, output) = if options.gemini_schema {
        ("parameters", "response")
    } else {
        ("parametersJsonSchema", "responseJsonSchema")
    };
    let mut fields = ObjectText::default();
    fields.text("name", &offer.name);
    fields.optional_text("description", description(offer.tool));
    let schema = offer.input.schema.as_str();
    // The API refuses `parameters` without properties.
    if !(options.gemini_schema && is_empty(schema)) {
        fields.json(input, schema);
    }
    if let Some(schema) = &offer.output {
        fields.json(output, schema.schema.as_str());
    }
    fields.finish()
}

fn is_empty(schema: &str) -> bool {
    let document = Document::parse(schema.as_bytes(), Limits::none());
    document.is_ok_and(|document| {
        let properties = document.root().get("properties");
        properties.is_none_or(|properties| properties.members().next().is_none())
    })
}
