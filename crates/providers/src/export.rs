//! Tools for a target.

use std::collections::BTreeMap;

use diagnostic::{Diagnostic, Pointer, quoted};
use json_text::Raw;
use manifest_core::ToolDescriptor;
use manifest_core::descriptor::Caution;

use crate::compile::compile;
use crate::names::Names;
use crate::rules;
use crate::target::{Options, Target};

mod anthropic;
mod fields;
mod gemini;
mod mcp;
mod offer;
mod openai;

pub use offer::{Export, LeftOut, Offer};

/// Gives tools to a target.
///
/// A tool that it cannot be given is left out, with the reason. The others stand as they
/// would without it.
pub fn export<'t, 'a>(tools: &'t [ToolDescriptor<'a>], options: &Options) -> Export<'t, 'a> {
    let names = Names::fit(tools.iter().map(|tool| tool.id.as_ref()), options.names());
    let mut export = Export {
        target: options.target,
        offers: Vec::with_capacity(tools.len()),
        left_out: Vec::new(),
        notices: Vec::new(),
        by_name: BTreeMap::new(),
    };
    for (index, tool) in tools.iter().enumerate() {
        match offer(tools, index, &names, options) {
            Ok(offer) => {
                export.by_name.insert(offer.name.clone(), export.offers.len());
                export.offers.push(offer);
            }
            Err(why) => {
                let id = tool.id.to_string();
                export.left_out.push(LeftOut { index, id, why });
            }
        }
    }
    if options.target == Target::Anthropic && options.strict {
        export.notices = anthropic::request_limits(&export.offers, &options.limits);
    }
    export
}

fn offer<'t, 'a>(
    tools: &'t [ToolDescriptor<'a>],
    index: usize,
    names: &Names<'_>,
    options: &Options,
) -> Result<Offer<'t, 'a>, Vec<Diagnostic>> {
    let Some(tool) = tools.get(index) else { return Err(Vec::new()) };
    let id = || Pointer::root().push("id");
    let Some(name) = names.name(index) else {
        let clashes = names.clashes(index).iter().filter(|other| **other != index).take(3);
        let others = clashes.filter_map(|other| tools.get(*other)).map(|tool| quoted(&tool.id));
        let wanted = quoted(names.wanted(index));
        let others = others.collect::<Vec<_>>().join(" and ");
        let message = format!("{wanted} would be the name of {others}, too");
        return Err(vec![rules::NAME_CLASH.at_pointer(id(), message)]);
    };
    if !Caution::of(tool).is_enabled() {
        let at = Pointer::root().push("enabled");
        return Err(vec![rules::SWITCHED_OFF.at_pointer(at, "this tool is switched off")]);
    }
    let within = |field: &'static str| move |found: Vec<Diagnostic>| inside(field, found);
    let schema = tool.input_schema.as_ref().map_or(offer::NO_SCHEMA, |schema| schema.as_str());
    let input = compile(schema, options.input(), options.sentences, &options.limits)
        .map_err(within("input_schema"))?;
    if options.target == Target::Mcp(crate::Revision::R20260728) {
        mcp::check_headers(schema, &options.limits).map_err(within("input_schema"))?;
    }
    let mut notices = Vec::new();
    let output = tool.output_schema.as_ref().filter(|_| tool.output_is_no_json().is_none());
    let output = output.zip(options.output()).and_then(|(schema, dialect)| {
        compile(schema.as_str(), dialect, options.sentences, &options.limits)
            .map_err(|found| notices.extend(inside("output_schema", found)))
            .ok()
    });
    let mut offer = Offer {
        tool,
        index,
        name: name.to_owned(),
        json: Raw::constant("null"),
        input,
        output,
        notices,
    };
    offer.json = Raw::from_built(match options.target {
        Target::Mcp(_) => mcp::tool(&offer),
        Target::OpenAiChat => openai::chat(&offer, options),
        Target::OpenAiResponses => openai::responses(&offer, options),
        Target::Anthropic => anthropic::tool(&offer, options),
        Target::Gemini => gemini::declaration(&offer, options),
    });
    Ok(offer)
}

/// Problems of a schema, as problems of the tool that it is a field of.
fn inside(field: &str, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for diagnostic in &mut found {
        diagnostic.set_pointer(Pointer::root().push(field).join(&diagnostic.pointer));
        diagnostic.clear_spans();
    }
    found
}
