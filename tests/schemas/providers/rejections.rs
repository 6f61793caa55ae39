//! Refusals as providers word them, quoted from public reports, brought back to the tool.

use json_text::Document;
use manifest_core::json::Raw;
use manifest_core::{Place, Sourced, Text, ToolDescriptor};
use providers::{Options, Target, export, find_rejections};

fn tools(names: &[&'static str], schema: &'static str) -> Vec<ToolDescriptor<'static>> {
    let tool = |name: &&'static str| ToolDescriptor {
        id: Text::Borrowed(*name).into(),
        input_schema: Some(Raw::parse(schema).unwrap().into()),
        ..ToolDescriptor::default()
    };
    names.iter().map(tool).collect()
}

/// Where a refusal points.
fn found(options: &Options, tools: &[ToolDescriptor<'_>], text: &str) -> Vec<(String, String)> {
    let export = export(tools, options);
    assert!(export.skipped.is_empty());
    let found = find_rejections(text, &export);
    found.iter().map(|one| (one.id.clone(), one.pointer.as_str().to_owned())).collect()
}

fn pair(id: &str, at: &str) -> (String, String) {
    (id.to_owned(), at.to_owned())
}

const PLAIN: &str = r#"{"type":"object","properties":{"value":{"type":"object"},
    "questions":{"type":"array","items":{"type":"object","properties":{"multiple":{"type":"boolean"}}}},
    "configs":{"type":"array"}}}"#;

#[test]
fn anthropic_counts_tools() {
    let options = Options::new(Target::Anthropic);
    let tools = tools(&["a", "b", "c"], PLAIN);
    for (text, at) in [
        (
            r#"API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"tools.1.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"}}"#,
            "/id",
        ),
        (
            r#"{\"type\":\"error\",\"error\":{\"message\":\"tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level\"}}"#,
            "/input_schema",
        ),
        (
            "ValidationException: tools.1.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
            "/input_schema/properties",
        ),
        (
            "HTTP 400: tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
            "/input_schema",
        ),
        (
            "tools.1.FrontendRemoteMcpToolDefinition.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
            "/id",
        ),
    ] {
        assert_eq!(found(&options, &tools, text), [pair("b", at)], "{text}");
    }
    assert!(found(&options, &tools, "tools.9.custom.name: String should match").is_empty());
    assert!(found(&options, &tools, "overloaded").is_empty());
}

#[test]
fn openai_names_functions_and_contexts() {
    let options = Options { strict: true, ..Options::new(Target::OpenAiChat) };
    let tools = tools(&["question", "json_edit_tool", "x"], PLAIN);
    for (text, id, at) in [
        (
            "Error code: 400 - {'error': {'message': \"Invalid schema for function 'json_edit_tool': In context=('properties', 'value'), 'additionalProperties' is required to be supplied and to be false.\", 'type': 'invalid_request_error', 'param': 'tools[2].parameters', 'code': 'invalid_function_parameters'}}",
            "json_edit_tool",
            "/input_schema/properties/value",
        ),
        (
            "Invalid schema for function 'question': In context=('properties', 'questions', 'items'), 'required' is required to be supplied and to be an array including every key in properties. Missing 'multiple'.",
            "question",
            "/input_schema/properties/questions/items",
        ),
        (
            "Invalid schema for function 'question': In context=(), 'required' is required to be supplied",
            "question",
            "/input_schema",
        ),
        (
            "Invalid schema for function 'x': In context=('properties', 'configs'), array schema missing items. (type: invalid_request_error)",
            "x",
            "/input_schema/properties/configs",
        ),
        (
            "{'error': {'message': \"Invalid 'tools[2].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.\", 'param': 'tools[2].function.name'}}",
            "x",
            "/id",
        ),
    ] {
        assert_eq!(found(&options, &tools, text), [pair(id, at)], "{text}");
    }
}

#[test]
fn gemini_has_paths_of_fields() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string"},"includeTags":{"type":"array"},
        "n":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}"#;
    let options = Options { gemini_schema: true, ..Options::new(Target::Gemini) };
    let tools = tools(&["f", "g"], schema);
    for (text, expected) in [
        (
            r#"{\"message\":\"* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[includeTags].items: missing field.\\n* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with"#,
            vec![pair("g", "/input_schema/properties/includeTags"), pair("f", "/id")],
        ),
        (
            "Invalid JSON payload received. Unknown name \"exclusiveMinimum\" at\n'tools[0].function_declarations[1].parameters.properties[2].value.any_of[0]': Cannot find field.",
            vec![pair("g", "/input_schema/properties/n/anyOf/0")],
        ),
        (
            "Invalid JSON payload received. Unknown name \"const\" at 'request.tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field.",
            vec![pair("f", "/input_schema/properties/a/const")],
        ),
        (
            "The GenerateContentRequest proto is invalid:\\n  * tools[0].function_declarations[1].name: [FIELD_INVALID] Invalid function name.",
            vec![pair("g", "/id")],
        ),
    ] {
        assert_eq!(found(&options, &tools, text), expected, "{text}");
    }
}

#[test]
fn names_of_properties_are_no_fields() {
    let schema = r#"{"type":"object","properties":{"max_results":{"type":"integer"},"min_price":{"type":"number"},
        "value":{"type":"array","items":{"type":"string"}}}}"#;
    let options = Options { gemini_schema: true, ..Options::new(Target::Gemini) };
    let tools = tools(&["f"], schema);
    for (path, at) in [
        ("properties[max_results]", "/input_schema/properties/max_results"),
        ("properties[min_price].type", "/input_schema/properties/min_price/type"),
        ("properties[value].items", "/input_schema/properties/value/items"),
        ("properties[2].value.items", "/input_schema/properties/value/items"),
        ("properties[0].value", "/input_schema/properties/max_results"),
    ] {
        let text = format!("* tools[0].function_declarations[0].parameters.{path}: wrong");
        assert_eq!(found(&options, &tools, &text), [pair("f", at)], "{path}");
    }
}

#[test]
fn other_fields_are_not_the_name() {
    let mut tools = tools(&["f"], PLAIN);
    tools[0].output_schema = Some(Raw::parse(r#"{"type":"object"}"#).unwrap().into());
    for (field, at) in [
        ("name", "/id"),
        ("description", "/description"),
        ("output_schema", "/output_schema"),
        ("input_examples.0", ""),
        ("strict", ""),
    ] {
        let text = format!("tools.0.custom.{field}: wrong");
        let options = Options::new(Target::Anthropic);
        assert_eq!(found(&options, &tools, &text), [pair("f", at)], "{field}");
    }
}

#[test]
fn a_definition_that_was_made_leads_to_its_place() {
    let schema = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/odd name"},"b":{"$ref":"#/$defs/odd name"}},
        "$defs":{"odd name":{"type":"object","properties":{"deep":{"type":"string"}}}}}"##;
    let options = Options { strict: true, ..Options::new(Target::OpenAiChat) };
    let tools = tools(&["f"], schema);
    let sent = export(&tools, &options).offers[0].input.schema.as_str().to_owned();
    assert!(sent.contains("#/$defs/odd_name"), "{sent}");
    let text = "Invalid schema for function 'f': In context=('$defs', 'odd_name', 'properties', 'deep'), wrong";
    let at = "/input_schema/$defs/odd name/properties/deep";
    assert_eq!(found(&options, &tools, text), [pair("f", at)]);
}

#[test]
fn each_refusal_has_a_fix_of_its_own() {
    let tools = tools(&["f"], PLAIN);
    let export = export(&tools, &Options::new(Target::Anthropic));
    for (words, fix) in [
        ("Property keys should match pattern '^x$'", "rename the property"),
        ("String should match pattern '^[a-zA-Z0-9_-]{1,64}$'", "the name that the export gave"),
        (
            "input_schema does not support oneOf, allOf, or anyOf at the top level",
            "an object at its root",
        ),
        ("JSON schema is invalid. It must match JSON Schema draft 2020-12", "JSON Schema 2020-12"),
        ("something new", "change what the message names"),
    ] {
        let found = find_rejections(&format!("tools.0.custom.input_schema: {words}"), &export);
        assert!(found[0].fix.contains(fix), "{words}: {}", found[0].fix);
    }
    for (words, fix) in [
        ("In context=(), 'required' is required to be supplied", "require every property"),
        (
            "In context=(), 'additionalProperties' is required to be supplied",
            "refuse other members",
        ),
        ("In context=('properties', 'configs'), array schema missing items.", "`items`"),
        (
            "In context=('properties', 'value'), 'minLength' is not permitted.",
            "leave the keyword out",
        ),
        (
            "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'.",
            "an object at its root",
        ),
    ] {
        let found = find_rejections(&format!("Invalid schema for function 'f': {words}"), &export);
        assert!(found[0].fix.contains(fix), "{words}: {}", found[0].fix);
    }
    for (words, fix) in [
        ("parameters.properties[a].items: missing field.", "`items`"),
        ("name: Invalid function name. Must start with a letter", "begins with a letter"),
        ("parameters.properties[a].type: must be specified", "name a type"),
    ] {
        let found =
            find_rejections(&format!("* tools[0].function_declarations[0].{words}"), &export);
        assert!(found[0].fix.contains(fix), "{words}: {}", found[0].fix);
    }
}

#[test]
fn a_place_in_what_was_sent_is_one_in_the_source() {
    // The root is wrapped, and the property renamed.
    let schema = r#"{"type":"object","properties":{"a b":{"type":"array"}},"anyOf":[{"required":["a b"]},{}]}"#;
    let options = Options::new(Target::Anthropic);
    let tools = tools(&["f"], schema);
    let sent = export(&tools, &options).offers[0].input.schema.as_str().to_owned();
    let name = sent.split('"').find(|word| word.starts_with("a_b_")).unwrap();
    let text =
        format!("tools.0.custom.input_schema.properties.arguments.properties.{name}.items: wrong");
    assert_eq!(found(&options, &tools, &text), [pair("f", "/input_schema/properties/a b/items")]);
}

#[test]
fn the_line_of_the_source_is_known() {
    let text = "{\"name\": \"f\",\n\"schema\": {\"type\": \"object\", \"properties\": {\n\"a\": {\"type\": \"array\"}}}}";
    let document = Document::parse(text.as_bytes(), json_text::Limits::default()).unwrap();
    let schema = document.root().get("schema").unwrap();
    let at = Some(Place::at(0, schema));
    let tools = [ToolDescriptor {
        id: Text::Borrowed("f").into(),
        input_schema: Some(Sourced { value: Raw::from_node(schema), at }),
        ..ToolDescriptor::default()
    }];
    let export = export(&tools, &Options::new(Target::OpenAiChat));
    let refusal = "Invalid schema for function 'f': In context=('properties', 'a'), array schema missing items.";
    let found = find_rejections(refusal, &export);
    let span = found[0].span(&document).unwrap();
    assert_eq!(document.position(span.start).line, 3);
    assert_eq!(&text[span.start..span.end], r#"{"type": "array"}"#);
    // A tool that was built has no place.
    let built: Vec<_> = tools
        .iter()
        .map(|tool| ToolDescriptor {
            input_schema: tool.input_schema.clone().map(|schema| schema.value.into()),
            ..tool.clone()
        })
        .collect();
    let export = providers::export(&built, &Options::new(Target::OpenAiChat));
    assert_eq!(find_rejections(refusal, &export)[0].span(&document), None);
}
