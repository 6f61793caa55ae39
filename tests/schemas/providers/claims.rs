//! What is claimed of a schema that was changed: relations, changes, refusals. What is expected
//! follows from JSON Schema and from what the targets publish.

use json_schema::Relation;
use manifest_core::descriptor::{Filesystem, Permissions, SideEffects};
use manifest_core::{Limits, Sourced};
use providers::{Export, Options, Revision, Target, export};
use serde_json::{Value, json};

use super::tool;

fn strict(target: Target) -> Options {
    Options { strict: true, ..Options::new(target) }
}

fn gemini_schema() -> Options {
    Options { gemini_schema: true, ..Options::new(Target::Gemini) }
}

fn schema(export: &Export<'_, '_>) -> Value {
    assert!(export.skipped.is_empty(), "{:?}", export.skipped);
    serde_json::from_str(export.offers[0].input.schema.as_str()).unwrap()
}

fn changes(export: &Export<'_, '_>) -> Vec<(String, &'static str)> {
    let changes = export.offers[0].input.changes.iter();
    changes.map(|change| (change.at.as_str().to_owned(), change.kind.name())).collect()
}

fn change(at: &str, code: &'static str) -> (String, &'static str) {
    (at.to_owned(), code)
}

#[test]
fn a_function_of_gemini_without_parameters_takes_none() {
    for (schema, relation, expected) in [
        (r#"{"type":"object"}"#, Relation::Narrower, change("", "closed")),
        (
            r#"{"type":"object","additionalProperties":{"type":"string"}}"#,
            Relation::Narrower,
            change("/additionalProperties", "map-closed"),
        ),
    ] {
        let tools = tool(schema);
        let export = export(&tools, &gemini_schema());
        let json: Value = serde_json::from_str(export.offers[0].json.as_str()).unwrap();
        assert!(json.get("parameters").is_none());
        assert_eq!(export.offers[0].input.relation, relation, "{schema}");
        assert_eq!(changes(&export), [expected]);
    }
    let tools = tool(r#"{"type":"object","additionalProperties":false}"#);
    let closed = export(&tools, &gemini_schema());
    assert_eq!(closed.offers[0].input.relation, Relation::Equal);
    assert!(changes(&closed).is_empty());
    // No call could be made.
    let tools = tool(r#"{"type":"object","minProperties":1}"#);
    let export = export(&tools, &gemini_schema());
    assert_eq!(export.skipped[0].reasons[0].rule.code, "providers/unsatisfiable");
}

#[test]
fn a_tool_that_writes_files_is_not_hinted_to_read_only() {
    let [mut one] = tool(r#"{"type":"object"}"#);
    one.side_effects = Some(Sourced::from(SideEffects::Read));
    for (files, harmless) in [(Filesystem::Read, true), (Filesystem::Write, false)] {
        let filesystem = Some(Sourced::from(files));
        one.permissions = Permissions { filesystem, ..Permissions::default() };
        let tools = [one.clone()];
        let export = export(&tools, &Options::new(Target::Mcp(Revision::default())));
        let json: Value = serde_json::from_str(export.offers[0].json.as_str()).unwrap();
        assert_eq!(json["annotations"]["readOnlyHint"], json!(harmless));
    }
}

#[test]
fn a_name_that_something_else_has_is_no_new_name() {
    let anthropic = Options::new(Target::Anthropic);
    // `a b` would become `a_b_` and the first digits of its SHA-256.
    for said in [
        r#""required":["a_b_c8687a08"]"#,
        r#""dependentRequired":{"x":["a_b_c8687a08"]}"#,
        r#""dependentRequired":{"a_b_c8687a08":["x"]}"#,
        r#""dependentSchemas":{"a_b_c8687a08":false}"#,
    ] {
        let tools = tool(&format!(r#"{{"type":"object","properties":{{"a b":{{}}}},{said}}}"#));
        let export = export(&tools, &anthropic);
        assert_eq!(export.skipped[0].reasons[0].rule.code, "providers/property", "{said}");
    }
    // As a member of an open object it cannot be sent.
    let tools = tool(r#"{"type":"object","properties":{"a b":{}}}"#);
    let export = export(&tools, &anthropic);
    let call = export.offers[0].argument_converter(&Limits::default()).unwrap();
    assert_eq!(call.encode(r#"{"a b":1}"#).unwrap(), r#"{"a_b_c8687a08":1}"#);
    assert!(call.encode(r#"{"a_b_c8687a08":1}"#).is_err());
    assert!(call.encode(r#"{"a b":1,"a_b_c8687a08":1}"#).is_err());
}

#[test]
fn arguments_are_objects_also_where_nobody_says_so() {
    let tools = tool("{}");
    for options in [
        Options::new(Target::Mcp(Revision::default())),
        Options::new(Target::OpenAiChat),
        strict(Target::OpenAiChat),
        Options::new(Target::Anthropic),
        Options::new(Target::Gemini),
    ] {
        let export = export(&tools, &options);
        let call = export.offers[0].argument_converter(&options.limits).unwrap();
        assert_eq!(call.decode("{}").unwrap(), "{}");
        for wrong in ["[1]", "7", "null"] {
            assert!(call.decode(wrong).is_err(), "{options:?} takes {wrong}");
        }
    }
}

#[test]
fn what_takes_nothing_is_left_out_where_it_is_not_needed() {
    let never = r#"{"type":"object","properties":{"y":false},"required":["y"]}"#;
    let holds = |inner: &str| {
        format!(
            r#"{{"type":"object","additionalProperties":false,"required":["a"],
                "properties":{{"a":{{"type":"string"}},"x":{inner}}}}}"#
        )
    };
    for inner in [
        never.to_owned(),
        format!(
            r#"{{"anyOf":[{never},{{"type":"object","properties":{{"x":{never}}},"required":["x"]}}]}}"#
        ),
        r#"{"enum":[1],"allOf":[{"enum":[2]}]}"#.to_owned(),
        format!(r#"{{"type":"array","minItems":1,"items":{never}}}"#),
    ] {
        let tools = tool(&holds(&inner));
        for options in [strict(Target::OpenAiChat), strict(Target::Anthropic)] {
            let export = export(&tools, &options);
            let schema = schema(&export);
            let names: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
            assert_eq!(names, ["a"], "{inner}");
            let relation = export.offers[0].input.relation;
            // No value is lost, though the prover does not see that all of it is kept.
            let kept = matches!(relation, Relation::Equal | Relation::Narrower);
            assert!(kept, "{relation:?} {inner}");
        }
        // Where other members are taken, that one is now.
        let export = export(&tools, &gemini_schema());
        assert!(changes(&export).contains(&change("/properties/x", "dropped")), "{inner}");
    }
    // Other kinds of values are taken still.
    let tools =
        tool(&holds(r#"{"type":["object","null"],"properties":{"y":false},"required":["y"]}"#));
    let made = export(&tools, &strict(Target::Anthropic));
    assert_eq!(schema(&made)["properties"]["x"], json!({"type": "null"}));
    // The empty list is a list.
    let tools = tool(&holds(&format!(r#"{{"type":"array","items":{never}}}"#)));
    let made = export(&tools, &strict(Target::OpenAiChat));
    assert_eq!(schema(&made)["properties"]["x"]["maxItems"], json!(0));
    // Where it is needed, nothing is left.
    let tools =
        tool(&format!(r#"{{"type":"object","properties":{{"x":{never}}},"required":["x"]}}"#));
    let made = export(&tools, &strict(Target::Anthropic));
    assert_eq!(made.skipped[0].reasons[0].rule.code, "providers/unsatisfiable");
}

#[test]
fn older_revisions_of_mcp_have_no_choice_at_the_root() {
    let tools = tool(r#"{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}"#);
    for revision in Revision::ALL {
        let export = export(&tools, &Options::new(Target::Mcp(*revision)));
        let schema = schema(&export);
        let newest = *revision == Revision::R20260728;
        assert_eq!(schema.get("anyOf").is_some(), newest, "{revision:?}");
        assert_eq!(schema["type"], json!("object"));
        assert_eq!(export.offers[0].input.relation, Relation::Equal);
        assert_eq!(changes(&export).is_empty(), newest);
    }
}

#[test]
fn gemini_finds_what_is_required_among_the_properties() {
    let tools = tool(
        r#"{"type":"object","required":["a","b c"],"properties":{"l":{"anyOf":[
            {"type":"object","required":["d"],"additionalProperties":{"type":"string"}}]}}}"#,
    );
    for options in [Options::new(Target::Gemini), gemini_schema()] {
        let export = export(&tools, &options);
        let mut pending = vec![schema(&export)];
        let mut seen = 0;
        while let Some(part) = pending.pop() {
            let none = json!({});
            let properties = part.get("properties").unwrap_or(&none).as_object().unwrap();
            for name in part.get("required").into_iter().flat_map(|list| list.as_array().unwrap()) {
                assert!(properties.contains_key(name.as_str().unwrap()), "{part}");
                seen += 1;
            }
            pending.extend(properties.values().cloned());
            let any = part.get("anyOf").and_then(Value::as_array);
            pending.extend(any.into_iter().flatten().cloned());
        }
        assert_eq!(seen, 3);
        if !options.gemini_schema {
            assert_eq!(export.offers[0].input.relation, Relation::Equal);
            assert!(changes(&export).contains(&change("/required", "named")));
        }
    }
}

#[test]
fn the_elements_of_a_tuple_can_be_sent() {
    let point = r#"{"type":"object","properties":{"x":{"type":"number"}},"required":["x"],"additionalProperties":false}"#;
    for (more, bounded) in [
        (r#""minItems":1,"maxItems":1"#, Some(1)),
        (r#""items":false"#, Some(1)),
        (r#""items":false,"maxItems":9"#, Some(1)),
        (r#""minItems":1"#, None),
    ] {
        let tools = tool(&format!(
            r#"{{"type":"object","required":["t"],"additionalProperties":false,
                "properties":{{"t":{{"type":"array","prefixItems":[{point}],{more}}}}}}}"#
        ));
        for target in [Target::OpenAiChat, Target::Anthropic] {
            let export = export(&tools, &strict(target));
            let list = schema(&export)["properties"]["t"].clone();
            if target == Target::OpenAiChat {
                assert_eq!(list.get("maxItems").and_then(Value::as_u64), bounded, "{more}");
            }
            let call = export.offers[0].argument_converter(&Limits::default()).unwrap();
            let value = r#"{"t":[{"x":1}]}"#;
            assert_eq!(call.decode(&call.encode(value).unwrap()).unwrap(), value);
            let relation = export.offers[0].input.relation;
            let taken = !matches!(relation, Relation::Narrower | Relation::Incomparable);
            assert!(taken || bounded.is_none(), "{relation:?} {more}");
        }
    }
}

#[test]
fn a_change_is_where_something_was_changed() {
    let source = r##"{"type":"object","additionalProperties":false,"$defs":{"n":{"type":"integer","exclusiveMinimum":0}},
        "properties":{"n":{"$ref":"#/$defs/n"},"e":{"enum":[[1]],"allOf":[{"enum":[[1],[2]]}]},
        "c":{"type":"array","items":{"type":"string"},"contains":{"const":"x"},"minContains":2,"maxContains":3}}}"##;
    let tools = tool(source);
    let parsed: Value = serde_json::from_str(source).unwrap();
    for options in [gemini_schema(), strict(Target::OpenAiChat), strict(Target::Anthropic)] {
        let export = export(&tools, &options);
        let changes = changes(&export);
        for (at, code) in &changes {
            assert!(parsed.pointer(at).is_some(), "{at} {code} is no place of the source");
        }
        let expected = [
            "/properties/e/enum",
            "/properties/e/allOf/0/enum",
            "/properties/c/contains",
            "/properties/c/minContains",
            "/properties/c/maxContains",
        ];
        for at in expected {
            assert!(changes.contains(&change(at, "dropped")), "{at} in {changes:?}");
        }
        if options.gemini_schema {
            assert!(changes.contains(&change("/$defs/n/exclusiveMinimum", "reworded")));
        }
    }
}

#[test]
fn what_a_schema_does_not_say_is_told() {
    let tools = tool(
        r#"{"type":"object","additionalProperties":false,"required":["a"],"properties":{
            "a":{"type":"string","description":"A.","not":{"const":"x"}},
            "b":{"type":"object","properties":{"c":{"type":"string"}},"patternProperties":{"^x-":{"type":"integer"}},
                 "if":{"required":["c"]},"then":{"minProperties":2}},
            "c":{"oneOf":[{"type":"string"},{"type":"integer"}]},
            "d":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}}}"#,
    );
    for options in [strict(Target::OpenAiChat), strict(Target::Anthropic), gemini_schema()] {
        let told = export(&tools, &Options { sentences: true, ..options.clone() });
        let told = schema(&told);
        let says = |name: &str, words: &[&str]| {
            let text = told["properties"][name]["description"].as_str().unwrap_or_default();
            for word in words {
                assert!(text.contains(word), "{name}: {text:?} has no {word}");
            }
        };
        says("a", &["A. ", r#""const":"x""#]);
        says("b", &["^x-", r#""required":["c"]"#, "then", "minProperties"]);
        says("c", &["one of"]);
        says("d", &[r#"[{"type":"string"},{"type":"integer"}]"#]);
        let silent = export(&tools, &options);
        assert!(!silent.offers[0].json.as_str().contains("minProperties"));
    }
}

#[test]
fn a_call_keeps_to_the_limits_of_the_caller() {
    let [one] = tool(r#"{"type":"object","properties":{"a b":{"type":"string"}}}"#);
    let tools = [one];
    let export = export(&tools, &Options::new(Target::Anthropic));
    let long = format!(r#"{{"a b":"{}"}}"#, "x".repeat(300 << 10));
    let refusal =
        export.offers[0].argument_converter(&Limits::default()).unwrap().decode(&long).unwrap_err();
    assert!(refusal.faults[0].message.contains("no JSON that can be read"), "{refusal}");
    let limits = Limits { string_bytes: 1 << 20, ..Limits::default() };
    let call = export.offers[0].argument_converter(&limits).unwrap();
    assert_eq!(call.decode(&call.encode(&long).unwrap()).unwrap(), long);
}

#[test]
fn the_sizes_are_those_of_what_is_sent() {
    // Ten levels, and one more for the wrapping.
    let nested = |levels: usize| {
        (1..levels).fold(r#"{"type":"object","properties":{}}"#.to_owned(), |inner, _| {
            format!(r#"{{"type":"object","properties":{{"a":{inner}}}}}"#)
        })
    };
    let options = strict(Target::OpenAiChat);
    for (schema, fits) in [
        (nested(10), true),
        (nested(11), false),
        (format!(r#"{{"anyOf":[{},{{"type":"null"}}]}}"#, nested(9)), true),
        (format!(r#"{{"anyOf":[{},{{"type":"null"}}]}}"#, nested(10)), false),
    ] {
        let tools = tool(&schema);
        assert_eq!(export(&tools, &options).offers.len(), usize::from(fits), "{schema}");
    }
    // Names of definitions count: 2,500 of 48 characters are 120,000.
    let names: Vec<String> = (0..2500).map(|n| format!("{n:a>48}")).collect();
    let each = |with: &dyn Fn(usize, &String) -> String| {
        names.iter().enumerate().map(|(n, name)| with(n, name)).collect::<Vec<_>>().join(",")
    };
    let definitions = each(&|_, name| format!(r#""{name}":{{"type":"string"}}"#));
    let properties = each(&|n, name| format!(r##""{n}":{{"$ref":"#/$defs/{name}"}}"##));
    let tools = tool(&format!(
        r#"{{"type":"object","properties":{{{properties}}},"$defs":{{{definitions}}}}}"#
    ));
    let export = export(&tools, &options);
    assert_eq!(export.skipped[0].reasons[0].rule.code, "providers/limit");
}

#[test]
fn headers_are_known_by_name_and_not_by_spelling() {
    let newest = Options::new(Target::Mcp(Revision::R20260728));
    let escaped =
        r#"{"type":"object","properties":{"t":{"type":"string","x-mcp-\u0068eader":""}}}"#;
    assert_eq!(
        export(&tool(escaped), &newest).skipped[0].reasons[0].rule.code,
        "providers/mcp-header"
    );
    let told = r#"{"type":"object","properties":{"t":{"$id":"https://a.example/t","description":"no x-mcp-header"}}}"#;
    assert_eq!(export(&tool(told), &newest).offers.len(), 1);
}

#[test]
fn words_of_other_dialects_are_not_sent() {
    let tools = tool(
        r#"{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,
            "type":"object","properties":{"a":{"type":"string"},"l":{"type":"array","prefixItems":[false]}}}"#,
    );
    let export = export(&tools, &Options::new(Target::Anthropic));
    assert_eq!(
        schema(&export),
        json!({"type":"object","properties":{"a":{"type":"string"},"l":{"type":"array"}}})
    );
    assert_eq!(export.offers[0].input.relation, Relation::Equal);
}
