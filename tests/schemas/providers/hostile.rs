//! Schemas, lists and refusals of strangers that would take for ever. Each ends soon, or the
//! test runner ends it: what is asserted is what comes out.

use std::fmt::Write as _;

use json_schema::Relation;
use manifest_core::descriptor::Example;
use manifest_core::json::Raw;
use manifest_core::{Limits, ToolDescriptor};
use providers::{Options, Target, export};

use super::{tool, ways};

/// What `n` gives for each number, with commas between.
fn list(count: usize, n: impl Fn(usize) -> String) -> String {
    (0..count).map(n).collect::<Vec<_>>().join(",")
}

#[test]
fn a_full_list_of_harmless_findings_hides_nothing() {
    let patterns = list(100, |n| format!(r#""p{n}":{{"pattern":"(?=a)"}}"#));
    for worse in [
        r#""z":{"$ref":"https://example.org/x"}"#,
        r##""z":{"$ref":"#/$defs/a"}},"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}"##,
    ] {
        let tools = tool(&format!(r#"{{"type":"object","properties":{{{patterns},{worse}}}}}"#));
        for options in ways() {
            assert!(export(&tools, &options).offers.is_empty(), "{options:?}");
        }
    }
}

#[test]
fn what_looks_like_an_anchor_in_data_is_none() {
    for (data, real) in [
        (
            r##""default":{"$anchor":"x","allOf":[{"$ref":"#x"},{"$ref":"#x"}]}"##,
            r#"{"$anchor":"x","type":"string"}"#,
        ),
        (r##""examples":[{"$id":"#x","type":"integer"}]"##, r#"{"$anchor":"x","type":"string"}"#),
    ] {
        let schema = format!(
            r##"{{"type":"object",{data},"additionalProperties":false,"required":["a"],
                 "properties":{{"a":{{"$ref":"#x"}}}},"$defs":{{"x":{real}}}}}"##
        );
        let tools = tool(&schema);
        for options in ways() {
            let export = export(&tools, &options);
            let offer = &export.offers[0];
            let open = options.gemini_schema;
            let relation = if open { Relation::Wider } else { Relation::Equal };
            assert_eq!(offer.input.relation, relation, "{options:?}");
            let call = offer.argument_converter(&options.limits).unwrap();
            assert!(call.decode(r#"{"a":"text"}"#).is_ok());
            assert!(call.decode(r#"{"a":7}"#).is_err());
        }
    }
}

#[test]
fn what_grows_when_it_is_said_in_other_words_is_refused() {
    // All of many parts, for each of many alternatives.
    let all = list(3000, |n| format!(r#"{{"minProperties":{n},"not":{{"required":["n{n}"]}}}}"#));
    let any = list(3000, |n| format!(r#"{{"required":["a{n}"]}}"#));
    let both = format!(r#"{{"type":"object","allOf":[{all}],"anyOf":[{any}]}}"#);
    // The same, one by one.
    let shared = list(2000, |n| format!(r#"{{"minLength":{n}}}"#));
    let each = list(2000, |n| {
        format!(r##""p{n}":{{"maxLength":{n},"allOf":[{{"$ref":"#/$defs/all"}}]}}"##)
    });
    let members = format!(
        r#"{{"type":"object","properties":{{{each}}},"$defs":{{"all":{{"allOf":[{shared}]}}}}}}"#
    );
    // A long list, written often.
    let listed = list(20_000, |n| format!("\"value {n}\""));
    let each = list(4000, |n| format!(r##""p{n}":{{"$ref":"#/$defs/e","maxLength":{n}}}"##));
    let often = format!(
        r#"{{"type":"object","properties":{{{each}}},"$defs":{{"e":{{"enum":[{listed}]}}}}}}"#
    );
    for schema in [both, members, often] {
        let tools = tool(&schema);
        for options in ways() {
            let export = export(&tools, &options);
            for left in &export.skipped {
                assert_eq!(left.reasons[0].rule.code, "providers/limit", "{options:?}");
            }
            if options.strict || options.gemini_schema {
                assert!(export.offers.is_empty(), "{options:?}");
            }
        }
    }
}

#[test]
fn places_are_no_longer_than_the_budget() {
    // The way to each of many members is long.
    let leaves = list(2000, |n| format!(r#""p{n}":{{}}"#));
    let name = "n".repeat(1000);
    let deep = (0..40).fold(format!(r#"{{"properties":{{{leaves}}}}}"#), |inner, _| {
        format!(r#"{{"properties":{{"{name}":{inner}}}}}"#)
    });
    let mut options = Options::new(Target::OpenAiChat);
    options.limits.schema_bytes = 1 << 20;
    options.limits.depth = 500;
    let tools = tool(&deep);
    let export = export(&tools, &options);
    assert_eq!(export.skipped[0].reasons[0].rule.code, "providers/limit");
}

#[test]
fn kinds_are_found_once() {
    // Two to the power of fifteen ways to one long list.
    let listed = list(20_000, |n| format!("\"value {n}\""));
    let mut definitions = format!(r#""l0":{{"enum":[{listed}]}}"#);
    for n in 1..15 {
        let below = n - 1;
        write!(
            definitions,
            r##","l{n}":{{"allOf":[{{"$ref":"#/$defs/l{below}"}},{{"$ref":"#/$defs/l{below}"}}]}}"##
        )
        .unwrap();
    }
    let names = list(3000, |n| format!(r##""p{n}":{{"$ref":"#/$defs/l14"}}"##));
    let tools =
        tool(&format!(r#"{{"type":"object","properties":{{{names}}},"$defs":{{{definitions}}}}}"#));
    for options in ways() {
        export(&tools, &options);
    }
}

#[test]
fn many_examples_have_one_schema() {
    let names = list(2000, |n| format!(r#""p{n}":{{"type":"string"}}"#));
    let [one] = tool(&format!(r#"{{"type":"object","properties":{{{names}}}}}"#));
    let example = || Example { input: Some(Raw::from_static("{}").into()), ..Example::default() };
    let tools = [ToolDescriptor { examples: (0..5000).map(|_| example()).collect(), ..one }];
    for strict in [false, true] {
        let options = Options { strict, ..Options::new(Target::Anthropic) };
        let export = export(&tools, &options);
        assert_eq!(export.offers[0].json.as_str().matches("{}").count(), 5000);
    }
}

#[test]
fn many_values_have_one_schema_for_each_alternative() {
    let options = Options { strict: true, ..Options::new(Target::OpenAiChat) };
    let more = list(100, |n| format!(r#","p{n}":{{"type":"string"}}"#)).replace(",,", ",");
    let schema = format!(
        r#"{{"type":"object","required":["l"],"properties":{{"l":{{"type":"array","items":{{"anyOf":[
            {{"type":"object","properties":{{"a":{{"type":"string"}}{more}}}}},
            {{"type":"object","properties":{{"a":{{"type":"integer"}}{more}}}}}]}}}}}}}}"#
    );
    let tools = tool(&schema);
    let export = export(&tools, &options);
    let call = export.offers[0].argument_converter(&Limits::default()).unwrap();
    let value = format!(r#"{{"l":[{}]}}"#, list(500, |n| format!(r#"{{"a":{n}}}"#)));
    let encoded = call.encode(&value).unwrap();
    assert_eq!(call.decode(&encoded).unwrap(), value);
    // Past the budget, it is said so.
    let limits = Limits { work: 10_000, ..Limits::default() };
    let refusal = export.offers[0].argument_converter(&limits).unwrap().encode(&value).unwrap_err();
    assert!(refusal.faults[0].message.contains("more than 10000 bytes"), "{refusal}");
}

#[test]
fn names_of_definitions_are_found_at_once() {
    let numbered = list(2500, |n| format!(r#""a_{}":{{"type":"string"}}"#, n + 2500));
    let nested = list(2500, |n| format!(r#""d{n}":{{"$defs":{{"a":{{"type":"integer"}}}}}}"#));
    let first = list(2500, |n| format!(r##""p{n}":{{"$ref":"#/$defs/a_{}"}}"##, n + 2500));
    let second = list(2500, |n| format!(r##""q{n}":{{"$ref":"#/$defs/d{n}/$defs/a"}}"##));
    let tools = tool(&format!(
        r#"{{"type":"object","properties":{{{first},{second},"l":{{"type":"array"}}}},
            "$defs":{{{numbered},{nested}}}}}"#
    ));
    let options =
        Options { limits: Limits { subschemas: 20_000, ..Limits::default() }, ..ways()[2].clone() };
    let export = export(&tools, &options);
    let sent: serde_json::Value =
        serde_json::from_str(export.offers[0].input.schema.as_str()).unwrap();
    assert_eq!(sent["$defs"].as_object().unwrap().len(), 5000);
}
