//! Tools of Anthropic.

use diagnostic::{Diagnostic, Pointer};
use manifest_core::Limits;

use super::fields::{ObjectText, description};
use super::offer::Offer;
use crate::budget::Budget;
use crate::load::load;
use crate::rules;
use crate::target::Options;

pub(super) fn tool(offer: &Offer<'_, '_>, options: &Options) -> String {
    let mut fields = ObjectText::default();
    fields.text("name", &offer.name);
    fields.optional_text("description", description(offer.tool));
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
    let inputs = || offer.tool.examples.iter().filter_map(|example| example.input.as_ref());
    if inputs().next().is_none() {
        return Vec::new();
    }
    let Ok(call) = offer.argument_converter(&options.limits) else { return Vec::new() };
    let sent = offer.input.comparison.as_ref().map(|(_, sent)| {
        crate::ValueConverter::new(sent, crate::Codec::default(), &options.limits).ok()
    });
    let taken = |text: &String| match &sent {
        Some(Some(sent)) => sent.decode(text).is_ok(),
        Some(None) => false,
        None => true,
    };
    let inputs = inputs().map(|input| input.as_str().to_owned()).filter(taken);
    let encoded = inputs.filter_map(|input| call.encode(&input).ok());
    encoded.filter(|text| text.starts_with('{')).collect()
}

#[cfg(not(feature = "schema"))]
fn examples(_: &Offer<'_, '_>, _: &Options) -> Vec<String> {
    Vec::new()
}

/// The limits on strict tools in one request.
const LIMITS: [(usize, &str); 3] =
    [(20, "strict tools"), (24, "optional parameters"), (16, "parameters of several types")];

/// Reports the tools at which a request exceeds a limit.
pub(super) fn request_limits(offers: &[Offer<'_, '_>], limits: &Limits) -> Vec<Diagnostic> {
    let mut counts = [0; 3];
    let mut found = Vec::new();
    for offer in offers {
        let before = counts;
        let [tools, optional, unions] = &mut counts;
        *tools += 1;
        let document = offer.input.schema.document();
        let mut budget = Budget::new(limits);
        let graph = document.and_then(|schema| load(schema.root(), &mut budget).ok());
        let graph = graph.unwrap_or_default();
        for part in &graph.parts {
            let required = part.required();
            let names = part.map("properties").iter();
            *optional += names.filter(|(name, _)| !required.contains(name)).count();
            let several = part.declared_types().names().len() > 1 && part.keyword("type").is_some();
            *unions += usize::from(several || part.keyword("anyOf").is_some());
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
