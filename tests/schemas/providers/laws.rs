//! Laws, over random schemas and values. The judge is the engine that checks instances.

use std::sync::LazyLock;
use toolglot_tests::seeds;

use json_schema::{Limits, Relation, Schema};
use json_text::Document;
use manifest_core::json::Raw;
use manifest_core::{Text, ToolDescriptor};
use providers::{CompiledSchema, Offer, Options, Target, export};
use serde_json::{Map, Value, json};

mod generate;

use super::{tool, ways};
use generate::{Rng, instance, schema};

static LIMITS: LazyLock<manifest_core::Limits> = LazyLock::new(manifest_core::Limits::default);

fn compile(schema: &str) -> Option<Schema> {
    let document = Document::parse(schema.as_bytes(), json_text::Limits::none()).unwrap();
    Schema::compile(document.root(), Limits::default()).ok()
}

fn takes(schema: &Schema, value: &Value) -> bool {
    let text = value.to_string();
    let document = Document::parse(text.as_bytes(), json_text::Limits::none()).unwrap();
    schema.validate(document.root()).unwrap().is_valid()
}

/// What Gemini's own schemas say, in the words of JSON Schema.
fn from_gemini(schema: &Value) -> Value {
    let Some(words) = schema.as_object() else { return schema.clone() };
    let mut out = Map::new();
    let nullable = words.get("nullable") == Some(&json!(true));
    for (word, value) in words {
        let value = match word.as_str() {
            "type" if nullable => json!([value.as_str().unwrap().to_lowercase(), "null"]),
            "type" => json!(value.as_str().unwrap().to_lowercase()),
            "nullable" | "propertyOrdering" => continue,
            "items" => from_gemini(value),
            "anyOf" => value.as_array().unwrap().iter().map(from_gemini).collect(),
            "properties" => Value::Object(
                value
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(|(n, s)| (n.clone(), from_gemini(s)))
                    .collect(),
            ),
            _ => value.clone(),
        };
        out.insert(word.clone(), value);
    }
    Value::Object(out)
}

/// The schemas of arguments and of results that the target is given, as the engine reads them.
fn sent(offer: &Offer<'_, '_>, options: &Options) -> [Value; 2] {
    let json = parse(offer.json.as_str());
    let own = if options.target == Target::OpenAiChat { &json["function"] } else { &json };
    let [input, output] = match options.target {
        Target::Mcp(_) => ["inputSchema", "outputSchema"],
        Target::Anthropic => ["input_schema", ""],
        Target::Gemini if options.gemini_schema => ["parameters", "response"],
        Target::Gemini => ["parametersJsonSchema", "responseJsonSchema"],
        _ => ["parameters", "output_schema"],
    };
    // A function without parameters takes no arguments.
    let none = json!({"type": "object", "additionalProperties": false});
    let read = |schema: &Value| {
        if options.gemini_schema { from_gemini(schema) } else { schema.clone() }
    };
    [own.get(input).map_or(none, read), own.get(output).map_or(Value::Null, read)]
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// All schemas inside a schema, with the names of their members left out.
fn parts(schema: &Value) -> Vec<&Value> {
    let mut found = vec![schema];
    let mut next = 0;
    while let Some(schema) = found.get(next).copied() {
        next += 1;
        for (word, value) in schema.as_object().into_iter().flatten() {
            match word.as_str() {
                "properties" | "$defs" => found.extend(value.as_object().unwrap().values()),
                "items" => found.push(value),
                "anyOf" => found.extend(value.as_array().unwrap()),
                _ => {}
            }
        }
    }
    found
}

/// What the strict mode of a target says that every schema has.
fn keeps_to_the_strict_mode(schema: &Value, target: Target) {
    let mut known = "type title description enum anyOf $ref $defs items properties required \
        additionalProperties format minItems"
        .to_owned();
    if target == Target::OpenAiChat {
        known +=
            " const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern maxItems";
    }
    let known: Vec<&str> = known.split(' ').collect();
    assert_eq!(schema["type"], json!("object"), "{schema}");
    assert!(schema.get("anyOf").is_none(), "{schema}");
    for part in parts(schema) {
        for word in part.as_object().unwrap().keys() {
            assert!(known.contains(&word.as_str()), "{word} in {schema}");
        }
        if part.get("$ref").is_some() {
            assert_eq!(part.as_object().unwrap().len(), 1, "{part}");
        }
        let kinds = part.get("type").map(Value::to_string).unwrap_or_default();
        if kinds.contains("object") {
            assert_eq!(part["additionalProperties"], json!(false), "{part}");
            if target == Target::OpenAiChat {
                let mut names: Vec<&String> =
                    part["properties"].as_object().unwrap().keys().collect();
                names.sort();
                let mut required: Vec<String> =
                    serde_json::from_value(part["required"].clone()).unwrap();
                required.sort();
                assert_eq!(names, required.iter().collect::<Vec<_>>(), "{part}");
            }
        }
        if kinds.contains("array") && target == Target::OpenAiChat {
            assert!(part.get("items").is_some(), "{part}");
        }
    }
}

/// One schema on its way to one target.
struct Case<'c> {
    source: &'c Value,
    /// Whether values are arguments: objects, where nobody says otherwise.
    arguments: bool,
    engine: &'c Schema,
    input: &'c CompiledSchema,
    sent: Value,
    target: Schema,
    about: String,
}

impl Case<'_> {
    fn decode(&self, sent: &Value) -> Option<Value> {
        let decoded = self.input.codec.decode(&sent.to_string(), &LIMITS);
        decoded.ok().map(|text| parse(&text))
    }

    fn is_meant(&self, value: &Value) -> bool {
        !self.arguments || value.is_object() || self.source.get("type").is_some()
    }

    /// What the source takes can be sent where the relation says so, and comes back.
    fn goes_there(&self, value: Value) {
        if !self.is_meant(&value) || !takes(self.engine, &value) {
            return;
        }
        let (about, relation) = (&self.about, self.input.relation);
        let encoded = self.input.codec.encode(&value.to_string(), &LIMITS);
        let encoded = encoded.ok().map(|text| parse(&text));
        let taken = encoded.as_ref().is_some_and(|encoded| takes(&self.target, encoded));
        if matches!(relation, Relation::Equal | Relation::Wider) {
            assert!(taken, "{value} cannot be sent: {relation:?}\n{encoded:?}\n{about}");
        }
        if let Some(encoded) = encoded.filter(|_| taken) {
            assert_eq!(self.decode(&encoded), Some(value), "{encoded}\n{about}");
        }
    }

    /// What can be sent is what the source takes, where the relation says so.
    fn comes_back(&self, value: &Value) {
        let (about, relation) = (&self.about, self.input.relation);
        let decoded = self.decode(value);
        let taken = decoded.as_ref().is_some_and(|decoded| takes(self.engine, decoded));
        if takes(&self.target, value) && matches!(relation, Relation::Equal | Relation::Narrower) {
            assert!(taken, "{value} is new: {relation:?}\n{decoded:?}\n{about}");
        }
    }
}

fn hold(seed: u64) {
    let mut rng = Rng(seed);
    let source = schema(&mut rng);
    let text = source.to_string();
    let Some(engine) = compile(&text) else { return };
    let schema = || Some(Raw::parse(&text).unwrap().into());
    let tools = [ToolDescriptor {
        id: Text::Borrowed("t").into(),
        input_schema: schema(),
        output_schema: schema().filter(|_| seed.is_multiple_of(2)),
        ..ToolDescriptor::default()
    }];
    for options in ways() {
        let export = export(&tools, &options);
        let Some(offer) = export.offers.first() else { continue };
        let [input, output] = sent(offer, &options);
        if options.strict {
            keeps_to_the_strict_mode(&input, options.target);
        }
        let compiled = [(&offer.input, input, true)].into_iter();
        let compiled = compiled.chain(offer.output.as_ref().map(|given| (given, output, false)));
        for (input, sent, arguments) in compiled {
            let way = (options.target, options.strict, arguments);
            let about = format!("seed {seed}, {way:?}\n{source:#}\nsent {sent}");
            let target = compile(&sent.to_string()).expect(&about);
            let source = &source;
            let case = Case { source, arguments, engine: &engine, input, sent, target, about };
            for _ in 0..12 {
                case.goes_there(instance(source, source, &mut rng));
                case.comes_back(&instance(&case.sent, &case.sent, &mut rng));
            }
            // This takes long.
            if seed.is_multiple_of(8) {
                is_called(offer, &case, &mut rng);
            }
        }
    }
}

/// A call takes what the source takes, and a result is told where it can be.
fn is_called(offer: &Offer<'_, '_>, case: &Case<'_>, rng: &mut Rng) {
    let about = &case.about;
    if case.arguments {
        let call = offer.argument_converter(&LIMITS).unwrap();
        let value = instance(&case.sent, &case.sent, rng);
        let decoded = case.decode(&value);
        if decoded.as_ref().is_some_and(|decoded| !case.is_meant(decoded)) {
            return;
        }
        let taken = decoded.is_some_and(|decoded| takes(case.engine, &decoded));
        assert_eq!(call.decode(&value.to_string()).is_ok(), taken, "{value}\n{about}");
    } else {
        let call = offer.result_converter(&LIMITS).unwrap().unwrap();
        let value = instance(case.source, case.source, rng);
        let encoded = call.encode(&value.to_string());
        assert_eq!(encoded.is_ok(), takes(case.engine, &value), "{value}\n{about}");
        if let Ok(encoded) = encoded {
            assert_eq!(case.decode(&parse(&encoded)), Some(value), "{encoded}\n{about}");
        }
    }
}

#[test]
fn the_relation_is_never_contradicted() {
    seeds(128).for_each(hold);
}

#[test]
fn the_laws_see_something() {
    // Values that are sent, and relations of every sort.
    let (mut sent, mut relations) = (0, std::collections::BTreeSet::new());
    for seed in 0..300 {
        let mut rng = Rng(seed);
        let source = schema(&mut rng);
        let text = source.to_string();
        let Some(engine) = compile(&text) else { continue };
        sent += (0..4).filter(|_| takes(&engine, &instance(&source, &source, &mut rng))).count();
        let tools = tool(&text);
        for options in ways() {
            let export = export(&tools, &options);
            relations
                .extend(export.offers.iter().map(|offer| format!("{:?}", offer.input.relation)));
        }
    }
    assert!(sent > 200, "{sent}");
    assert_eq!(relations.len(), 5, "{relations:?}");
}
