//! The law of the same call: what the target's host asks for is what the source's host
//! asks for; or it is the bridge, pinned to the source; or the report says before that it
//! does not run.

use serde_json::{Map, Value, json};
use toolglot::core::convert::sha256_hex;
use toolglot::json::Document;
use toolglot::testkit::{Rng, laws};
use toolglot::{FormatName, Limits, Runs, convert};

use crate::asked::{Asked, asked, with_defaults};
use crate::fixtures;

/// How many generated documents of each format are converted.
const SEEDS: u64 = 96;

/// Arguments that a schema could take: a value for each property, by its type.
fn arguments(schema: &Value) -> Value {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let value = |(name, schema): (&String, &Value)| {
        let value = match schema["type"].as_str() {
            Some("integer" | "number") => json!(7),
            Some("boolean") => json!(true),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => json!(format!("a value of {name}")),
        };
        (name.clone(), value)
    };
    Value::Object(properties.map(value).collect::<Map<_, _>>())
}

/// The schema of the arguments of a tool.
fn schema(format: FormatName, document: &Value, tool: usize) -> &Value {
    match format {
        FormatName::ToolsJson => &document["tools"][tool]["schema"],
        FormatName::Mcpkg => &document["input_schema"],
        FormatName::Capability => match document.get("capabilities") {
            Some(list) => &list[tool]["interfaces"]["inputs"],
            None => &document["interfaces"]["inputs"],
        },
        FormatName::Jumith => &document["schema"]["input"],
        FormatName::InstallManifest => &document["actions"][tool]["input"],
    }
}

/// How often each answer was given.
#[derive(Debug, Default)]
struct Counts {
    exact: usize,
    bridged: usize,
    not: usize,
}

fn check(from: FormatName, to: FormatName, text: &str, counts: &mut Counts) {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let Ok(conversion) = convert(&source, from, to, &laws::accepting()) else { return };
    let seal = format!("sha256:{}", sha256_hex(text.as_bytes()));
    // Some numbers are larger than the other reader takes.
    let Ok(before) = serde_json::from_str::<Value>(text) else { return };
    let mut in_document = vec![0; conversion.documents.len()];
    for (index, tool) in conversion.tools.iter().enumerate() {
        let after: Value = serde_json::from_str(&conversion.documents[tool.document].text).unwrap();
        let place = in_document[tool.document];
        in_document[tool.document] += 1;
        // Only what both hosts would send: the defaults are filled in.
        let schema = schema(from, &before, index);
        let input = with_defaults(schema, &arguments(schema));
        let (was, is) = (asked(from, &before, index, &input), asked(to, &after, place, &input));
        let what = || format!("{from} to {to}, {}: {was:?}\n{is:?}\n{text}", tool.id);
        match (&tool.runs, &is) {
            (Runs::AsItIs, is) => {
                counts.exact += 1;
                assert_eq!(&was, is, "{}", what());
                absolute(&was, &what());
            }
            (Runs::ThroughTheBridge, Asked::Bridge(words)) => {
                counts.bridged += 1;
                assert_ne!(was, Asked::Nothing, "{}", what());
                if to != FormatName::Jumith {
                    let wanted = ["--for", to.as_str(), "--source", &seal, "--tool", &tool.id];
                    assert_eq!(&words[..wanted.len()], wanted, "{}", what());
                }
            }
            (Runs::Not(why), is) => {
                counts.not += 1;
                assert!(!why.is_empty());
                // What says that it does not run must not run something else.
                let harmless = matches!(is, Asked::Nothing | Asked::Bridge(_));
                assert!(harmless, "{}", what());
            }
            _ => panic!("{}", what()),
        }
    }
}

/// A relative program is never exact across formats.
fn absolute(asked: &Asked, what: &str) {
    if let Asked::Run { argv, .. } = asked {
        let program = argv.first().map(String::as_str).unwrap_or_default();
        assert!(program.starts_with('/') || !program.contains('/'), "{what}");
    }
}

#[test]
fn every_tool_is_called_as_it_was() {
    let fixtures = fixtures();
    for from in FormatName::ALL.iter().copied() {
        let generated = (0..SEEDS).map(|seed| (from.testkit().generate)(&mut Rng::new(seed), 3));
        let own = fixtures.iter().filter(|fixture| fixture.format == from);
        let texts: Vec<String> = generated.chain(own.map(|fixture| fixture.text.clone())).collect();
        for to in FormatName::ALL.iter().copied().filter(|to| *to != from) {
            let mut counts = Counts::default();
            for text in &texts {
                check(from, to, text, &mut counts);
            }
            println!("{from} to {to}: {counts:?}");
            assert!(counts.exact + counts.bridged + counts.not > 0, "{from} to {to}");
        }
    }
}
