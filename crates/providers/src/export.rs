//! Exports tools to a target.

use std::collections::BTreeMap;

use diagnostic::{Diagnostic, Pointer};
use json_text::Raw;
use manifest_core::ToolDescriptor;
use manifest_core::descriptor::RiskProfile;

use crate::catalog::{Catalog, Source};
use crate::compile::compile;
use crate::names::Names;
use crate::rules;
use crate::target::{Options, Target};

mod anthropic;
mod gemini;
mod mcp;
mod offer;
mod openai;

pub use offer::{Export, Offer, SkippedTool};
pub use openai::openai_function;

/// Exports tools to a target.
///
/// A tool that cannot be exported is left out, with the reason. That does not affect the
/// others.
pub fn export<'t, 'a>(tools: &'t [ToolDescriptor<'a>], options: &Options) -> Export<'t, 'a> {
    export_all(&[Source { tools, ..Source::default() }], options)
}

/// Exports the tools of several manifests to a target, as one list.
///
/// If two tools have the same name, both are left out, even if they are from different
/// manifests. A [prefix](Source::prefix) or [readable names](Options::readable_names) keep
/// their names apart.
///
/// ```
/// use manifest_core::{Text, ToolDescriptor};
/// use toolglot_providers::{Options, Source, Target, export_all};
///
/// let tools = [ToolDescriptor { id: Text::Borrowed("time").into(), ..ToolDescriptor::default() }];
/// let one = Source { label: "one.json", prefix: None, tools: &tools, ..Source::default() };
/// let other = Source { label: "other.json", ..one.clone() };
/// let options = Options::new(Target::OpenAiChat);
/// assert!(export_all(&[one.clone(), other.clone()], &options).offers.is_empty());
///
/// let other = Source { prefix: Some("other"), ..other };
/// let export = export_all(&[one, other], &options);
/// let names: Vec<&str> = export.offers.iter().map(|offer| offer.name.as_str()).collect();
/// assert_eq!(names, ["time", "other_time"]);
/// assert_eq!(export.offers[1].tool.id.value, "time");
/// ```
pub fn export_all<'t, 'a>(sources: &[Source<'t, 'a>], options: &Options) -> Export<'t, 'a> {
    let catalog = Catalog::of(sources);
    let files: Vec<String> = sources.iter().map(Source::short_name).collect();
    let grammar = options.name_grammar();
    let names = if options.readable_names {
        Names::readable(catalog.tools_of_files(&files), grammar)
    } else {
        Names::fit(catalog.ids.iter().map(AsRef::as_ref), grammar)
    };
    let mut export = Export {
        target: options.target,
        offers: Vec::with_capacity(catalog.tools.len()),
        skipped: Vec::new(),
        notices: Vec::new(),
        by_name: BTreeMap::new(),
    };
    for (index, (source, tool)) in catalog.tools.iter().enumerate() {
        let source = *source;
        let offered = match names.name(index) {
            Some(name) => build_offer((index, source, tool), name, options),
            None => Err(vec![catalog.name_clash(&names, index)]),
        };
        match offered {
            Ok(offer) => {
                export.by_name.insert(offer.name.clone(), export.offers.len());
                export.offers.push(offer);
            }
            Err(reasons) => {
                let id = tool.id.to_string();
                export.skipped.push(SkippedTool { index, source, id, reasons });
            }
        }
    }
    if options.target == Target::Anthropic && options.strict {
        export.notices = anthropic::request_limits(&export.offers);
    }
    export
}

fn build_offer<'t, 'a>(
    (index, source, tool): (usize, usize, &'t ToolDescriptor<'a>),
    name: &str,
    options: &Options,
) -> Result<Offer<'t, 'a>, Vec<Diagnostic>> {
    if !RiskProfile::of(tool).is_enabled() {
        let at = Pointer::root().push("enabled");
        return Err(vec![rules::SWITCHED_OFF.at_pointer(at, "this tool is switched off")]);
    }
    let schema = tool.input_schema.as_ref().map_or(offer::NO_SCHEMA, |schema| schema.as_str());
    let input = compile(schema, options.input_dialect(), options.sentences, &options.limits)
        .map_err(|found| move_to_field("input_schema", found))?;
    if options.target == Target::Mcp(crate::Revision::R20260728) {
        mcp::check_headers(schema, &options.limits)
            .map_err(|found| move_to_field("input_schema", found))?;
    }
    let mut output = None;
    let mut notices = Vec::new();
    if let (Some(schema), Some(dialect)) = (&tool.output_schema, options.output_dialect())
        && tool.non_json_output_reason().is_none()
    {
        match compile(schema.as_str(), dialect, options.sentences, &options.limits) {
            Ok(compiled) => output = Some(compiled),
            Err(found) => notices = move_to_field("output_schema", found),
        }
    }
    let mut offer = Offer {
        tool,
        index,
        source,
        name: name.to_owned(),
        json: Raw::from_static("null"),
        input,
        output,
        notices,
    };
    offer.json = Raw::from_trusted(match options.target {
        Target::Mcp(_) => mcp::tool(&offer),
        Target::OpenAiChat => openai::chat(&offer, options),
        Target::OpenAiResponses => openai::responses(&offer, options),
        Target::Anthropic => anthropic::tool(&offer, options),
        Target::Gemini => gemini::declaration(&offer, options),
    });
    Ok(offer)
}

/// Moves diagnostics of a schema to the field of its tool.
fn move_to_field(field: &str, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for diagnostic in &mut found {
        diagnostic.set_pointer(Pointer::root().push(field).join(&diagnostic.pointer));
        diagnostic.clear_spans();
    }
    found
}
