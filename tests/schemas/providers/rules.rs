//! Every rule that no other test breaks.

use manifest_core::json::Raw;
use manifest_core::{Limits, Sourced, ToolDescriptor};
use providers::{Options, Target, export};

fn tool(id: &'static str, schema: &'static str) -> ToolDescriptor<'static> {
    ToolDescriptor {
        id: id.into(),
        input_schema: Some(Sourced::from(Raw::from_static(schema))),
        ..ToolDescriptor::default()
    }
}

/// Why a tool is not offered.
fn left_out(schema: &'static str, options: &Options) -> (&'static str, String) {
    let tools = [tool("t", schema)];
    let export = export(&tools, options);
    let why = &export.skipped[0].reasons[0];
    (why.rule.code, why.pointer.to_string())
}

#[test]
fn schemas_that_no_target_can_be_given() {
    let strict = Options { strict: true, ..Options::new(Target::OpenAiChat) };
    // A schema that is known by an address of its own cannot be moved.
    let inner =
        r#"{"type":"object","properties":{"a":{"$id":"https://a.example/a","type":"string"}}}"#;
    assert_eq!(left_out(inner, &strict).0, "providers/schema");
    let nothing = r#"{"type":"object","allOf":[{"type":"string"}]}"#;
    assert_eq!(left_out(nothing, &strict).0, "providers/unsatisfiable");
}

#[test]
fn properties_that_would_have_one_name() {
    let anthropic = Options::new(Target::Anthropic);
    // The first would be called as the second is: `a_b_` and eight digits of its SHA-256.
    let schema = r#"{"type":"object","properties":{"a b":{"type":"string"},
        "a_b_c8687a08":{"type":"string"}}}"#;
    let at = "/input_schema/properties/a b";
    assert_eq!(left_out(schema, &anthropic), ("providers/property", at.to_owned()));
    // A pattern could mean it, too.
    let schema = r#"{"type":"object","properties":{"a b":{"type":"string"}},
        "patternProperties":{"^a":{"type":"string"}}}"#;
    let at = "/input_schema/patternProperties";
    assert_eq!(left_out(schema, &anthropic), ("providers/property", at.to_owned()));
}

#[test]
fn values_that_the_source_does_not_take() {
    let tool = ToolDescriptor {
        output_schema: Some(Sourced::from(Raw::from_static(r#"{"type":"object"}"#))),
        ..tool("t", r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#)
    };
    let options = Options::new(Target::Mcp(providers::Revision::R20251125));
    let tools = [tool];
    let export = export(&tools, &options);
    let offer = &export.offers[0];
    let refusal =
        offer.argument_converter(&Limits::default()).unwrap().decode(r#"{"n":"x"}"#).unwrap_err();
    assert_eq!(refusal.rule.code, "providers/arguments");
    assert_eq!(refusal.faults[0].pointer.as_str(), "/n");
    let refusal =
        offer.result_converter(&Limits::default()).unwrap().unwrap().encode("[]").unwrap_err();
    assert_eq!(refusal.rule.code, "providers/result");
}
