//! Tools of Anthropic.

use diagnostic::{Diagnostic, Pointer};

use super::offer::Offer;
use crate::json::ObjectText;
use crate::rules;
use crate::target::Options;

pub(super) fn tool(offer: &Offer<'_, '_>, options: &Options) -> String {
    let mut fields = ObjectText::default();
    fields.text("name", &offer.name);
    fields.optional_text("description", offer.description());
    fields.json("input_schema", offer.input.schema.as_str());
    if options.strict {
        fields.flag("strict", true);
    }
    let examples = examples(offer, options);
    if !examples.is_empty() {
        fields.json("input_examples", &format!("[{}]", examples.join(",")));
    }
    fields.finish()
}

/// Returns the examples that the schema accepts: the API refuses a tool with any other.
#[cfg(feature = "schema")]
fn examples(offer: &Offer<'_, '_>, options: &Options) -> Vec<String> {
    let mut examples = Vec::new();
    let inputs = offer.tool.examples.iter().filter_map(|example| example.input.as_ref());
    let mut inputs = inputs.peekable();
    if inputs.peek().is_none() {
        return examples;
    }
    let Ok(converter) = offer.argument_converter(&options.limits) else { return examples };
    let mut meant = None;
    if let Some((_, schema)) = &offer.input.comparison {
        match crate::ValueConverter::new(schema, crate::Codec::default(), &options.limits) {
            Ok(converter) => meant = Some(converter),
            Err(_) => return examples,
        }
    }
    for input in inputs {
        let is_meant = meant.as_ref().is_none_or(|meant| meant.decode(input.as_str()).is_ok());
        if is_meant
            && let Ok(encoded) = converter.encode(input.as_str())
            && encoded.starts_with('{')
        {
            examples.push(encoded);
        }
    }
    examples
}

#[cfg(not(feature = "schema"))]
fn examples(_: &Offer<'_, '_>, _: &Options) -> Vec<String> {
    Vec::new()
}

/// The limits on strict tools in one request.
const LIMITS: [(usize, &str); 3] =
    [(20, "strict tools"), (24, "optional parameters"), (16, "parameters of several types")];

/// Reports the tools at which a request exceeds a limit.
pub(super) fn request_limits(offers: &[Offer<'_, '_>]) -> Vec<Diagnostic> {
    let mut counts = [0; 3];
    let mut found = Vec::new();
    for offer in offers {
        let before = counts;
        let [tools, optional, unions] = &mut counts;
        *tools += 1;
        if let Some(schema) = &offer.input.parts {
            for id in schema.reachable(0) {
                let part = schema.get(id);
                let required = part.required();
                for (name, _) in part.properties() {
                    if !required.contains(name) {
                        *optional += 1;
                    }
                }
                let has_types = part.has("type") && part.declared_types().names().len() > 1;
                if has_types || part.has("anyOf") {
                    *unions += 1;
                }
            }
        }
        for ((limit, what), (before, after)) in LIMITS.iter().zip(before.iter().zip(counts)) {
            if (*before..after).contains(limit) {
                let at = Pointer::root().push_index(offer.index);
                let message = format!("with this tool, there are more than {limit} {what}");
                found.push(rules::REQUEST_LIMIT.at_pointer(at, message));
            }
        }
    }
    found
}
