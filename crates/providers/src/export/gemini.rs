//! Function declarations of Gemini.

use json_text::{Document, Limits};

use super::offer::Offer;
use crate::json::ObjectText;
use crate::target::Options;

pub(super) fn declaration(offer: &Offer<'_, '_>, options: &Options) -> String {
    let (input, output) = if options.gemini_schema {
        ("parameters", "response")
    } else {
        ("parametersJsonSchema", "responseJsonSchema")
    };
    let mut fields = ObjectText::default();
    fields.text("name", &offer.name);
    fields.optional_text("description", offer.description());
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
    let Ok(document) = Document::parse(schema.as_bytes(), Limits::none()) else { return false };
    match document.root().get("properties") {
        Some(properties) => properties.members().next().is_none(),
        None => true,
    }
}
