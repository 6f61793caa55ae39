//! Lists of tools in the shapes of servers and requests.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use json_schema::Relation;
use json_text::{Document, Limits};
use manifest_core::ToolDescriptor;
use manifest_core::descriptor::{Caution, Invocation, SideEffects};
use providers::{Options, Revision, Server, Shape, Target, export, ingest};
use serde_json::Value;

fn read(text: &str) -> Vec<(Shape, ToolDescriptor<'static>)> {
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    let document =
        Box::leak(Box::new(Document::parse(text.as_bytes(), Limits::default()).unwrap()));
    let found = ingest(document, None).unwrap();
    assert!(found.left_out.is_empty(), "{:?}", found.left_out);
    found.tools
}

#[test]
fn every_shape_is_known() {
    for (text, shape) in [
        (
            r#"{"tools":[{"name":"f","description":"D","inputSchema":{"type":"object"}}],"nextCursor":"x"}"#,
            Shape::Mcp,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"f","description":"D","inputSchema":{"type":"object"}}]}}"#,
            Shape::Mcp,
        ),
        (
            r#"[{"type":"function","function":{"name":"f","description":"D","parameters":{"type":"object"}}}]"#,
            Shape::OpenAiChat,
        ),
        (
            r#"[{"type":"function","name":"f","description":"D","parameters":{"type":"object"},"strict":null}]"#,
            Shape::OpenAiResponses,
        ),
        (
            r#"{"model":"m","tools":[{"name":"f","description":"D","input_schema":{"type":"object"}}]}"#,
            Shape::Anthropic,
        ),
        (
            r#"[{"functionDeclarations":[{"name":"f","description":"D","parametersJsonSchema":{"type":"object"}}]}]"#,
            Shape::Gemini,
        ),
        (
            r#"{"tools":[{"function_declarations":[{"name":"f","description":"D","parameters":{"type":"OBJECT"}}]}]}"#,
            Shape::Gemini,
        ),
        (
            r#"{"functionDeclarations":[{"name":"f","description":"D","parameters":{"type":"OBJECT"}}]}"#,
            Shape::Gemini,
        ),
    ] {
        let tools = read(text);
        assert_eq!(tools.len(), 1, "{text}");
        let (found, tool) = &tools[0];
        assert_eq!(*found, shape, "{text}");
        assert_eq!(tool.id.value, "f");
        assert_eq!(tool.description.as_ref().unwrap().value, "D");
        assert_eq!(tool.input_schema.as_ref().unwrap().as_str(), r#"{"type":"object"}"#);
        assert!(tool.invocation.is_none());
    }
}

#[test]
fn what_a_provider_runs_itself_is_left_out() {
    let text = br#"[{"type":"web_search"},{"type":"function","name":"f","parameters":null},{"type":"mcp","server_label":"x"},7]"#;
    let document = Document::parse(text, Limits::default()).unwrap();
    let found = ingest(&document, None).unwrap();
    assert_eq!(found.tools.len(), 1);
    assert!(found.tools[0].1.input_schema.is_none());
    let left: Vec<_> = found.left_out.iter().map(|one| one.pointer.as_str()).collect();
    assert_eq!(left, ["/0", "/2", "/3"]);
    for text in [&b"7"[..], b"{}", br#"{"tools":{}}"#] {
        let document = Document::parse(text, Limits::default()).unwrap();
        assert_eq!(ingest(&document, None).unwrap_err().rule.code, "providers/shape");
    }
}

#[test]
fn a_server_makes_a_call() {
    let text = br#"{"tools":[{"name":"f","inputSchema":{"type":"object"}}]}"#;
    let document = Document::parse(text, Limits::default()).unwrap();
    let server = Server { argv: vec!["npx".to_owned(), "x".to_owned()], ..Server::default() };
    let found = ingest(&document, Some(&server)).unwrap();
    let Some(Invocation::McpTool(call)) = found.tools[0].1.invocation.as_deref() else { panic!() };
    assert_eq!(call.tool.value, "f");
    assert_eq!(call.argv.iter().map(|one| one.value.as_ref()).collect::<Vec<&str>>(), ["npx", "x"]);
}

#[test]
fn hints_are_claims_only_where_they_are_given() {
    for (hints, effects) in [
        ("{}", None),
        (r#"{"readOnlyHint":true}"#, Some(SideEffects::Read)),
        (r#"{"readOnlyHint":false}"#, None),
        (r#"{"destructiveHint":false}"#, Some(SideEffects::Write)),
        (r#"{"destructiveHint":true}"#, Some(SideEffects::Destructive)),
        (r#"{"readOnlyHint":true,"destructiveHint":true}"#, Some(SideEffects::Destructive)),
        // No yes and no no: nothing harmless is said.
        (r#"{"readOnlyHint":true,"destructiveHint":"true"}"#, None),
        (r#"{"readOnlyHint":"true"}"#, None),
    ] {
        let text = format!(
            r#"{{"tools":[{{"name":"f","inputSchema":{{"type":"object"}},"annotations":{hints}}}]}}"#
        );
        let tools = read(&text);
        assert_eq!(Caution::of(&tools[0].1).effects.value().copied(), effects, "{hints}");
    }
}

#[test]
fn gemini_schemas_become_json_schemas() {
    let tools = read(
        r#"[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{
            "type":{"type":"STRING","nullable":true,"enum":["a"]},
            "l":{"type":"ARRAY","items":{"type":"INTEGER"},"minItems":"1"},
            "u":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"}],"example":3}},
            "required":["l"],"propertyOrdering":["type","l","u"]}}]}]"#,
    );
    let schema: Value =
        serde_json::from_str(tools[0].1.input_schema.as_ref().unwrap().as_str()).unwrap();
    let expected = serde_json::json!({"type":"object","properties":{
        "type":{"type":["string","null"],"enum":["a",null]},
        "l":{"type":"array","items":{"type":"integer"},"minItems":1},
        "u":{"anyOf":[{"type":"string"},{"type":"number"}],"examples":[3]}},
        "required":["l"]});
    assert_eq!(schema, expected);
}

#[test]
fn gemini_may_be_spelled_in_two_ways() {
    let tools = read(
        r##"[{"function_declarations":[{"name":"f","parameters":{"type":"OBJECT","defs":{"Pet":{"type":"STRING","min_length":"2"}},
            "properties":{"p":{"ref":"#/defs/Pet"},"q":{"ref":"#/defs/Pet","nullable":true},
            "u":{"any_of":[{"type":"STRING"},{"type":"NUMBER"}],"nullable":true},
            "n":{"type":"NULL","nullable":true},"e":{"type":"STRING","example":1,"examples":[2]},
            "o":{"type":"OBJECT","additional_properties":{"type":"INTEGER"},"max_properties":3}}}}]}]"##,
    );
    let schema: Value =
        serde_json::from_str(tools[0].1.input_schema.as_ref().unwrap().as_str()).unwrap();
    let expected = serde_json::json!({"type":"object","$defs":{"Pet":{"type":"string","minLength":2}},
        "properties":{"p":{"$ref":"#/$defs/Pet"},
        "q":{"anyOf":[{"$ref":"#/$defs/Pet"},{"type":"null"}]},
        "u":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"null"}]},
        "n":{"type":"null"},"e":{"type":"string","examples":[2]},
        "o":{"type":"object","additionalProperties":{"type":"integer"},"maxProperties":3}}});
    assert_eq!(schema, expected);
    let tools = read(
        r#"[{"function_declarations":[{"name":"f","parameters_json_schema":{"type":"object"},"response_json_schema":{"type":"array"}}]}]"#,
    );
    assert_eq!(tools[0].1.input_schema.as_ref().unwrap().as_str(), r#"{"type":"object"}"#);
    assert_eq!(tools[0].1.output_schema.as_ref().unwrap().as_str(), r#"{"type":"array"}"#);
}

#[test]
fn a_count_is_digits_or_stays_what_it_is() {
    for count in [r#""x""#, r#""1},{""#, r#""""#, "{}"] {
        let text = format!(
            r#"[{{"functionDeclarations":[{{"name":"f","parameters":{{"anyOf":[{{"type":"ARRAY","minItems":{count}}}]}}}}]}}]"#
        );
        let tools = read(&text);
        let schema: Value =
            serde_json::from_str(tools[0].1.input_schema.as_ref().unwrap().as_str()).unwrap();
        let count: Value = serde_json::from_str(count).unwrap();
        assert_eq!(schema["anyOf"], serde_json::json!([{"type": "array", "minItems": count}]));
    }
}

#[test]
fn what_was_exported_is_read_again() {
    let text = r#"{"tools":[{"name":"f","title":"T","description":"D","inputSchema":{"type":"object",
        "properties":{"a":{"type":"string","minLength":2},"b":{"type":["integer","null"]}},"required":["a"]},
        "annotations":{"readOnlyHint":true,"idempotentHint":true}}]}"#;
    let tools: Vec<_> = read(text).into_iter().map(|(_, tool)| tool).collect();
    let ways = [
        Options::new(Target::Mcp(Revision::R20260728)),
        Options::new(Target::OpenAiChat),
        Options::new(Target::OpenAiResponses),
        Options::new(Target::Anthropic),
        Options::new(Target::Gemini),
        Options { gemini_schema: true, ..Options::new(Target::Gemini) },
    ];
    for options in ways {
        let export = export(&tools, &options);
        assert_eq!(export.offers[0].input.relation, Relation::Equal);
        let again = read(&export.to_json());
        let (_, tool) = &again[0];
        assert_eq!(tool.id, tools[0].id);
        assert_eq!(tool.description, tools[0].description);
        let schemas = [&tools[0], tool].map(|tool| tool.input_schema.clone().unwrap().value);
        let [before, after] = schemas
            .each_ref()
            .map(|schema| Document::parse(schema.as_str().as_bytes(), Limits::default()).unwrap());
        let limits = json_schema::Limits::default();
        assert_eq!(json_schema::relation(before.root(), after.root(), limits), Relation::Equal);
        if let Target::Mcp(_) = options.target {
            assert_eq!(
                (&tool.title, tool.side_effects, tool.idempotent),
                (&tools[0].title, tools[0].side_effects, tools[0].idempotent)
            );
        }
    }
}
