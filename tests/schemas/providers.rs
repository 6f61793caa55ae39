//! Tests of `providers`.

mod claims;
mod config;
mod export;
mod gemini;
mod hostile;
mod laws;
mod names;
mod rules;

use manifest_core::json::Raw;
use manifest_core::{Text, ToolDescriptor};
use providers::{Options, Revision, Target};

fn tool(schema: &str) -> [ToolDescriptor<'static>; 1] {
    [ToolDescriptor {
        id: Text::Borrowed("t").into(),
        input_schema: Some(Raw::parse(schema).unwrap().into_owned().into()),
        ..ToolDescriptor::default()
    }]
}

/// Every way to give tools that treats schemas differently.
fn ways() -> Vec<Options> {
    let strict = |target| Options { strict: true, ..Options::new(target) };
    vec![
        Options::new(Target::Mcp(Revision::R20250618)),
        Options::new(Target::Mcp(Revision::R20260728)),
        Options::new(Target::OpenAiChat),
        strict(Target::OpenAiChat),
        Options::new(Target::Anthropic),
        strict(Target::Anthropic),
        Options { sentences: true, ..strict(Target::Anthropic) },
        Options::new(Target::Gemini),
        Options { gemini_schema: true, ..Options::new(Target::Gemini) },
    ]
}
