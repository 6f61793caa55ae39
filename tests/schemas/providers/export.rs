//! Tools in the shapes of the targets. What is expected is what the published schemas and
//! types of the targets say.

use json_schema::Relation;
use manifest_core::descriptor::SideEffects;
use manifest_core::json::Raw;
use manifest_core::{Sourced, Text, ToolDescriptor};
use providers::{Export, Options, Revision, Target, export};
use serde_json::{Value, json};

fn tool(id: &'static str, schema: &'static str) -> ToolDescriptor<'static> {
    ToolDescriptor {
        id: Text::Borrowed(id).into(),
        description: Some(Text::Borrowed("Does it.").into()),
        input_schema: Some(Raw::parse(schema).unwrap().into()),
        ..ToolDescriptor::default()
    }
}

fn only(export: &Export<'_, '_>) -> Value {
    assert!(export.skipped.is_empty(), "{:?}", export.skipped);
    assert_eq!(export.offers.len(), 1);
    serde_json::from_str(export.offers[0].json.as_str()).unwrap()
}

const TARGETS: [Target; 5] = [
    Target::Mcp(Revision::R20260728),
    Target::OpenAiChat,
    Target::OpenAiResponses,
    Target::Anthropic,
    Target::Gemini,
];

#[test]
fn each_target_has_its_shape() {
    let tools = [tool("get_time", r#"{"type":"object","properties":{"zone":{"type":"string"}}}"#)];
    let schema = json!({"type":"object","properties":{"zone":{"type":"string"}}});
    let hints = json!({"readOnlyHint": false, "destructiveHint": true,
                       "idempotentHint": false, "openWorldHint": true});
    let expected = [
        json!({"name":"get_time","description":"Does it.","inputSchema":schema,"annotations":hints}),
        json!({"type":"function","function":
               {"name":"get_time","description":"Does it.","parameters":schema}}),
        json!({"type":"function","name":"get_time","description":"Does it.","parameters":schema,
               "strict":false}),
        json!({"name":"get_time","description":"Does it.","input_schema":schema}),
        json!({"name":"get_time","description":"Does it.","parametersJsonSchema":schema}),
    ];
    for (target, expected) in TARGETS.into_iter().zip(expected) {
        let export = export(&tools, &Options::new(target));
        assert_eq!(only(&export), expected, "{target:?}");
        assert_eq!(export.offers[0].input.relation, Relation::Equal);
        assert!(export.offers[0].input.codec.is_identity());
    }
}

#[test]
fn a_schema_that_fits_stays_as_it_is_written() {
    let tools = [tool("a", r#"{ "type":"object", "properties":{"n":{"maximum": 1e2}} }"#)];
    for target in TARGETS {
        let export = export(&tools, &Options::new(target));
        assert!(
            export
                .to_json()
                .contains(r#"{ "type":"object", "properties":{"n":{"maximum": 1e2}} }"#)
        );
    }
}

#[test]
fn strict_of_openai_requires_all_and_closes() {
    let tools = [tool(
        "a",
        r#"{"type":"object","properties":{"a":{"type":"string","minLength":1},
            "b":{"type":"integer"},"c":{"type":["string","null"]}},"required":["a"]}"#,
    )];
    let options = Options { strict: true, ..Options::new(Target::OpenAiChat) };
    let export = export(&tools, &options);
    let schema = &only(&export)["function"]["parameters"];
    assert_eq!(schema["required"], json!(["a", "b", "c"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(schema["properties"]["b"]["type"], json!(["integer", "null"]));
    assert_eq!(schema["properties"]["c"]["type"], json!(["string", "null"]));
    assert_eq!(schema["properties"]["a"], json!({"type": "string"}));
    let codes: Vec<_> = export.offers[0]
        .input
        .changes
        .iter()
        .map(|change| (change.at.as_str(), change.kind.name()))
        .collect();
    assert_eq!(
        codes,
        [
            ("", "closed"),
            ("/properties/a/minLength", "dropped"),
            ("/properties/b", "null-for-absent"),
            ("/properties/c", "required"),
        ]
    );
    // The empty text is new, a member without a name is gone.
    assert_eq!(export.offers[0].input.relation, Relation::Incomparable);
}

#[test]
fn what_is_lost_can_be_told() {
    let tools = [tool(
        "a",
        r#"{"type":"object","additionalProperties":false,"required":["a"],
            "properties":{"a":{"type":"string","description":"A name.","minLength":3}}}"#,
    )];
    let options = Options { strict: true, sentences: true, ..Options::new(Target::Anthropic) };
    let export = export(&tools, &options);
    let schema = &only(&export)["input_schema"];
    assert_eq!(schema["properties"]["a"]["description"], json!("A name. At least 3 characters."));
    assert_eq!(export.offers[0].input.relation, Relation::Wider);
}

#[test]
fn gemini_has_words_of_its_own() {
    let tools = [tool(
        "a",
        r##"{"type":"object","$defs":{"n":{"type":"integer","exclusiveMinimum":0}},
            "properties":{"n":{"$ref":"#/$defs/n"},"s":{"type":["string","null"],"format":"uri"},
            "k":{"const":"x"},"many":{"type":"array"}},"required":["n"],
            "additionalProperties":false}"##,
    )];
    let options = Options { gemini_schema: true, ..Options::new(Target::Gemini) };
    let export = export(&tools, &options);
    let schema = &only(&export)["parameters"];
    assert_eq!(schema["type"], json!("OBJECT"));
    assert_eq!(schema["properties"]["n"], json!({"type":"INTEGER","minimum":1}));
    assert_eq!(schema["properties"]["s"], json!({"type":"STRING","nullable":true}));
    assert_eq!(schema["properties"]["k"], json!({"type":"STRING","enum":["x"]}));
    assert!(schema["properties"]["many"]["items"].is_object());
    assert_eq!(schema["required"], json!(["n"]));
    // Every word is a field of the published message.
    let known = "anyOf default description enum example format items maxItems minItems maxLength \
        minLength maxProperties minProperties maximum minimum nullable pattern properties \
        propertyOrdering required title type";
    let known: Vec<&str> = known.split(' ').collect();
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        for (word, value) in schema.as_object().unwrap() {
            assert!(known.contains(&word.as_str()), "{word}");
            match word.as_str() {
                "properties" => pending.extend(value.as_object().unwrap().values()),
                "items" => pending.push(value),
                "anyOf" => pending.extend(value.as_array().unwrap()),
                _ => {}
            }
        }
    }
}

#[test]
fn roots_that_are_no_objects_are_wrapped() {
    for (schema, value) in [
        (r#"{"type":"array","items":{"type":"integer"}}"#, "[1,2]"),
        (r#"{"type":["object","null"],"properties":{"a":{"type":"string"}}}"#, "null"),
        (r#"{"anyOf":[{"type":"string"},{"type":"boolean"}]}"#, "true"),
    ] {
        let tools = [tool("a", schema)];
        for target in TARGETS {
            let options = Options::new(target);
            let export = export(&tools, &options);
            let offer = &export.offers[0];
            assert_eq!(offer.input.relation, Relation::Equal, "{target:?} {schema}");
            let sent: Value = serde_json::from_str(offer.input.schema.as_str()).unwrap();
            assert_eq!(sent["type"], json!("object"));
            let call = offer.argument_converter(&options.limits).unwrap();
            let sent = call.encode(value).unwrap();
            assert_eq!(sent, format!(r#"{{"arguments":{value}}}"#));
            assert_eq!(call.decode(&sent).unwrap(), value);
        }
    }
}

#[test]
fn a_root_that_is_a_choice_is_wrapped_where_it_must() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},
                     "anyOf":[{"required":["a"]},{"required":["b"]}]}"#;
    let tools = [tool("t", schema)];
    for (target, wrapped) in TARGETS.into_iter().zip([false, true, true, true, false]) {
        let export = export(&tools, &Options::new(target));
        let offer = &export.offers[0];
        assert_eq!(offer.input.relation, Relation::Equal, "{target:?}");
        assert_eq!(!offer.input.codec.is_identity(), wrapped, "{target:?}");
    }
}

#[test]
fn properties_get_names_that_fit_and_come_back() {
    let schema = r#"{"type":"object","properties":{"a b":{"type":"string"},
        "deep":{"type":"object","properties":{"$top":{"type":"integer"}},"required":["$top"]}},
        "required":["a b"]}"#;
    let tools = [tool("t", schema)];
    for (target, strict) in
        [(Target::Anthropic, false), (Target::Anthropic, true), (Target::Gemini, false)]
    {
        let options = Options { strict, ..Options::new(target) };
        let export = export(&tools, &options);
        let call = export.offers[0].argument_converter(&options.limits).unwrap();
        let value = r#"{"a b":"x","deep":{"$top":1}}"#;
        let sent = call.encode(value).unwrap();
        assert!(!sent.contains('$') && !sent.contains("a b"), "{sent}");
        let parsed: Value = serde_json::from_str(&sent).unwrap();
        let schema: Value = serde_json::from_str(export.offers[0].input.schema.as_str()).unwrap();
        for name in parsed.as_object().unwrap().keys() {
            assert!(schema["properties"].get(name).is_some(), "{name}");
        }
        assert_eq!(call.decode(&sent).unwrap(), value);
        let refusal = call.decode(&sent.replace(":1", ":\"1\"")).unwrap_err();
        let at = refusal.faults[0].pointer.as_str();
        assert!(parsed.pointer(at).is_some(), "{at} is no place of what was sent");
    }
}

#[test]
fn outputs_are_objects_where_they_must() {
    let mut listed = tool("t", r#"{"type":"object"}"#);
    listed.output_schema = Some(Raw::parse(r#"{"type":"array"}"#).unwrap().into());
    let tools = [listed];
    for (revision, wrapped) in
        [(Revision::R20250618, true), (Revision::R20251125, true), (Revision::R20260728, false)]
    {
        let options = Options::new(Target::Mcp(revision));
        let export = export(&tools, &options);
        let schema = &only(&export)["outputSchema"];
        let kind = if wrapped { "object" } else { "array" };
        assert_eq!(schema["type"], json!(kind), "{revision:?}");
        let result = export.offers[0].result_converter(&options.limits).unwrap().unwrap();
        let encoded: Value = serde_json::from_str(&result.encode("[7]").unwrap()).unwrap();
        assert_eq!(encoded, if wrapped { json!({"result":[7]}) } else { json!([7]) });
        assert!(result.encode("{}").is_err());
    }
}

#[test]
fn an_output_schema_is_an_object_also_where_it_says_nothing() {
    let mut listed = tool("t", r#"{"type":"object"}"#);
    listed.output_schema = Some(Raw::parse("true").unwrap().into());
    let tools = [listed];
    let mcp = export(&tools, &Options::new(Target::Mcp(Revision::R20260728)));
    assert_eq!(only(&mcp)["outputSchema"], json!({}));
    assert_eq!(mcp.offers[0].output.as_ref().unwrap().relation, Relation::Equal);
    let responses = export(&tools, &Options::new(Target::OpenAiResponses));
    assert_eq!(only(&responses)["output_schema"], json!({}));
}

#[test]
fn hints_are_never_safer_than_the_tool() {
    let effects = [
        None,
        Some(SideEffects::None),
        Some(SideEffects::Read),
        Some(SideEffects::Write),
        Some(SideEffects::Destructive),
    ];
    for effects in effects {
        for approval in [None, Some(false), Some(true)] {
            for idempotent in [None, Some(false), Some(true)] {
                let mut one = tool("t", r#"{"type":"object"}"#);
                one.side_effects = effects.map(Sourced::from);
                one.requires_approval = approval.map(Sourced::from);
                one.idempotent = idempotent.map(Sourced::from);
                let tools = [one];
                let hints = only(&export(&tools, &Options::new(Target::Mcp(Revision::default()))))
                    ["annotations"]
                    .clone();
                let harmless = hints["readOnlyHint"] == json!(true);
                assert!(
                    !harmless || matches!(effects, Some(SideEffects::None | SideEffects::Read))
                );
                assert!(!harmless || approval != Some(true));
                let mild = hints["destructiveHint"] == json!(false);
                assert!(!mild || effects.is_some_and(|effects| effects < SideEffects::Destructive));
                assert!(!mild || approval != Some(true));
                assert_eq!(hints["idempotentHint"], json!(idempotent == Some(true)));
                assert_eq!(hints["openWorldHint"], json!(true));
            }
        }
    }
}

#[test]
fn what_cannot_be_offered_is_left_out_with_its_reason() {
    let mut off = tool("off", r#"{"type":"object"}"#);
    off.enabled = Some(Sourced::from(false));
    let tools = [
        tool("twin", r#"{"type":"object"}"#),
        off,
        tool("remote", r#"{"type":"object","properties":{"a":{"$ref":"https://example.org/x"}}}"#),
        tool("twin", r#"{"type":"object"}"#),
        tool("good", r#"{"type":"object"}"#),
    ];
    for target in TARGETS {
        let export = export(&tools, &Options::new(target));
        let names: Vec<_> = export.offers.iter().map(|offer| offer.name.as_str()).collect();
        assert_eq!(names, ["good"]);
        let why: Vec<_> =
            export.skipped.iter().map(|left| (left.index, left.reasons[0].rule.code)).collect();
        assert_eq!(
            why,
            [
                (0, "providers/name-clash"),
                (1, "providers/switched-off"),
                (2, "schema/remote-ref"),
                (3, "providers/name-clash"),
            ]
        );
        assert_eq!(
            export.skipped[2].reasons[0].pointer.as_str(),
            "/input_schema/properties/a/$ref"
        );
    }
}

#[test]
fn headers_of_mcp_must_be_plain() {
    let good = r#"{"type":"object","properties":{"t":{"type":"string","x-mcp-header":"Tenant"}}}"#;
    let bad = [
        r#"{"type":"object","properties":{"t":{"type":"string","x-mcp-header":""}}}"#,
        r#"{"type":"object","properties":{"t":{"type":"string","x-mcp-header":"a b"}}}"#,
        r#"{"type":"object","properties":{"t":{"type":"number","x-mcp-header":"T"}}}"#,
        r#"{"type":"object","properties":{"t":{"type":"string","x-mcp-header":"T"},
            "u":{"type":"string","x-mcp-header":"t"}}}"#,
        r#"{"type":"object","properties":{"l":{"type":"array",
            "items":{"type":"string","x-mcp-header":"T"}}}}"#,
    ];
    let newest = Options::new(Target::Mcp(Revision::R20260728));
    assert_eq!(export(&[tool("t", good)], &newest).offers.len(), 1);
    for schema in bad {
        let tools = [tool("t", schema)];
        assert_eq!(export(&tools, &newest).skipped[0].reasons[0].rule.code, "providers/mcp-header");
        let older = Options::new(Target::Mcp(Revision::R20251125));
        assert_eq!(export(&tools, &older).offers.len(), 1);
    }
}

#[test]
fn limits_of_openai_name_the_place() {
    let deep = (0..11).fold("{\"type\":\"string\"}".to_owned(), |inner, _| {
        format!(r#"{{"type":"object","properties":{{"a":{inner}}}}}"#)
    });
    let names: Vec<String> = (0..5001).map(|n| format!(r#""p{n}":{{"type":"string"}}"#)).collect();
    let wide = format!(r#"{{"type":"object","properties":{{{}}}}}"#, names.join(","));
    let values: Vec<String> = (0..1001).map(|n| n.to_string()).collect();
    let listed =
        format!(r#"{{"type":"object","properties":{{"e":{{"enum":[{}]}}}}}}"#, values.join(","));
    let long: Vec<String> = (0..251).map(|n| format!("\"{n:0>60}\"")).collect();
    let long =
        format!(r#"{{"type":"object","properties":{{"e":{{"enum":[{}]}}}}}}"#, long.join(","));
    let options = Options { strict: true, ..Options::new(Target::OpenAiChat) };
    for (schema, place) in [
        (
            deep,
            "/input_schema/properties/a/properties/a/properties/a/properties/a/properties/a\
                /properties/a/properties/a/properties/a/properties/a/properties/a",
        ),
        (wide, "/input_schema/properties/p5000"),
        (listed, "/input_schema/properties/e/enum"),
        (long, "/input_schema/properties/e/enum"),
    ] {
        let mut one = tool("t", "{}");
        one.input_schema = Some(Raw::parse(&schema).unwrap().into_owned().into());
        let tools = [one];
        let export = export(&tools, &options);
        let why = &export.skipped[0].reasons[0];
        assert_eq!((why.rule.code, why.pointer.as_str()), ("providers/limit", place));
    }
}

#[test]
fn limits_of_a_request_of_anthropic() {
    let tools: Vec<_> = (0..21)
        .map(|n| ToolDescriptor {
            id: Text::Owned(format!("t{n}")).into(),
            ..tool(
                "t",
                r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#,
            )
        })
        .collect();
    let options = Options { strict: true, ..Options::new(Target::Anthropic) };
    let found = export(&tools, &options).notices;
    assert!(found.iter().all(|found| found.rule.code == "providers/request-limit"));
    let found: Vec<_> = found.iter().map(|found| found.pointer.as_str()).collect();
    assert_eq!(found, ["/12", "/20"], "the optional parameters, and the tools");
}

#[test]
fn older_revisions_of_mcp_have_objects_for_properties() {
    let tools = [tool("t", r#"{"type":"object","properties":{"any":true,"none":false}}"#)];
    for revision in [Revision::R20250618, Revision::R20251125, Revision::R20260728] {
        let export = export(&tools, &Options::new(Target::Mcp(revision)));
        let schema = only(&export)["inputSchema"].clone();
        let newest = revision == Revision::R20260728;
        for property in ["any", "none"] {
            assert_eq!(schema["properties"][property].is_object(), !newest, "{revision:?}");
        }
        assert_eq!(export.offers[0].input.relation, Relation::Equal);
    }
}

#[test]
fn anthropic_reads_the_newest_dialect() {
    let schema = r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object",
        "properties":{"l":{"type":"array","items":[{"type":"string"}],"additionalItems":false}}}"#;
    let tools = [tool("t", schema)];
    let export = export(&tools, &Options::new(Target::Anthropic));
    let sent = only(&export)["input_schema"].clone();
    assert_eq!(
        sent,
        json!({"type":"object","properties":{"l":{"type":"array","prefixItems":[{"type":"string"}],
               "items":false}}})
    );
    assert_eq!(export.offers[0].input.relation, Relation::Equal);
}

#[test]
fn anthropic_is_given_the_examples_that_it_takes() {
    let example = |input: &'static str| manifest_core::descriptor::Example {
        input: Some(Raw::parse(input).unwrap().into()),
        ..Default::default()
    };
    let schema = r#"{"type":"object","properties":{"a b":{"type":"integer"}},"required":["a b"]}"#;
    let tools = [ToolDescriptor {
        examples: vec![example(r#"{"a b":1}"#), example(r#"{"a b":"1"}"#), example("[]")],
        ..tool("t", schema)
    }];
    let export = export(&tools, &Options::new(Target::Anthropic));
    let json = only(&export);
    let name = json["input_schema"]["required"][0].as_str().unwrap();
    assert_eq!(json["input_examples"], json!([{ name: 1 }]));
}

#[test]
fn the_same_tools_give_the_same_bytes() {
    let schema = r##"{"type":"object","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}},
        "properties":{"list":{"$ref":"#/$defs/n"},"z":{"oneOf":[{"type":"string"},{"type":"integer"}]}}}"##;
    let tools = [tool("b", schema), tool("a", schema)];
    for target in TARGETS {
        for strict in [false, true] {
            let options = Options { strict, ..Options::new(target) };
            let first = export(&tools, &options);
            assert_eq!(first.to_json(), export(&tools, &options).to_json());
            // In the order of the manifest, and no other tool changes one.
            assert_eq!(first.offers[0].name, "b");
            let alone = export(&tools[1..], &options);
            assert_eq!(alone.offers[0].json, first.offers[1].json);
        }
    }
}
