//! The law of the same call: what the target's host asks for is what the source's host
//! asks for; or it is the bridge, pinned to the source; or the report says before that it
//! does not run.

use serde_json::{Map, Value, json};
use toolglot::core::sha256_hex;
use toolglot::json::Document;
use toolglot::testkit::{Rng, laws};
use toolglot::{FormatName, Limits, RunMode, convert};
use toolglot_tests::times;

use crate::asked::{Asked, asked, with_defaults};
use crate::{dangers, fixtures};

/// How many generated documents of each format are converted in a normal run.
const SEEDS: u64 = 100;

/// Arguments that a schema could take: a value for each property, by its type.
pub(crate) fn arguments(schema: &Value) -> Value {
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
pub(crate) fn schema(format: FormatName, document: &Value, tool: usize) -> &Value {
    match format {
        FormatName::ToolsJson => &document["tools"][tool]["schema"],
        FormatName::Mcpkg => &document["input_schema"],
        FormatName::Capability => match document.get("capabilities") {
            Some(list) => &list[tool]["interfaces"]["inputs"],
            None => &document["interfaces"]["inputs"],
        },
        FormatName::Jumith => &document["schema"]["input"],
        FormatName::InstallManifest => &document["actions"][tool]["input"],
        // What a tool takes is for its server to say.
        FormatName::Mcpb | FormatName::ServerJson => &Value::Null,
        FormatName::ToolList => crate::asked::list_schema(crate::asked::listed(document)[tool]),
        other => panic!("{other} is a new format"),
    }
}

use FormatName::{
    Capability, InstallManifest, Jumith, Mcpb, Mcpkg, ServerJson, ToolList, ToolsJson,
};

/// The calls that two hosts make alike. Between all other formats there are none: how the
/// arguments reach a tool differs, or only one of the two knows what is called.
const ALIKE: &[(FormatName, FormatName, Kind, &str)] = &[
    (ToolsJson, InstallManifest, Kind::Run, "arguments as JSON on standard input"),
    (InstallManifest, ToolsJson, Kind::Run, "arguments as JSON on standard input"),
    (Capability, InstallManifest, Kind::Run, "a program that takes no arguments"),
    (InstallManifest, Capability, Kind::Run, "a program that takes no arguments"),
    (Mcpkg, InstallManifest, Kind::Send, "a request with the arguments as its body"),
    (InstallManifest, Mcpkg, Kind::Send, "a request with the arguments as its body"),
    (Mcpb, InstallManifest, Kind::Mcp, "a server that needs no more than its command"),
    (ServerJson, InstallManifest, Kind::Mcp, "a server at a URL, or a package that is started"),
    (InstallManifest, ServerJson, Kind::Mcp, "a server at a URL"),
    (ToolList, InstallManifest, Kind::Mcp, "a server of which all is said"),
    (ToolList, ServerJson, Kind::Mcp, "a server at a URL"),
];

/// The pairs of formats whose hosts both look for a bare name on the search path. agentcli
/// wants a path, and Unison has no search path.
const BARE: &[(FormatName, FormatName)] = &[(InstallManifest, Mcpkg), (Mcpkg, InstallManifest)];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Run,
    Send,
    Mcp,
}

/// How often each answer was given.
#[derive(Debug, Default)]
struct Counts {
    run: usize,
    sent: usize,
    mcp: usize,
    bridged: usize,
    not: usize,
}

fn check(from: FormatName, to: FormatName, text: &str, counts: &mut Counts) {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let Ok(conversion) = convert(&source, from, to, &laws::accept_all()) else { return };
    let seal = format!("sha256:{}", sha256_hex(text.as_bytes()));
    // Some numbers are larger than the other reader takes.
    let Ok(before) = serde_json::from_str::<Value>(text) else { return };
    let accepted = dangers::accepted(from, to, &before);
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
            (RunMode::AsItIs, is) => {
                assert_eq!(&was, is, "{}", what());
                match is {
                    Asked::Run { argv, .. } => {
                        counts.run += 1;
                        assert!(is_found(&argv[0], (from, to)), "{}", what());
                    }
                    Asked::Send { .. } => counts.sent += 1,
                    Asked::Mcp(_) => counts.mcp += 1,
                    _ => panic!("no two hosts make this call: {}", what()),
                }
            }
            (RunMode::ThroughTheBridge, Asked::Bridge(words)) => {
                counts.bridged += 1;
                assert_ne!(was, Asked::Nothing, "{}", what());
                let line = ["--for", to.as_str(), "--source", &seal, "--tool"];
                assert_eq!(words[..line.len()], line, "{}", what());
                let (name, rest) = (&words[line.len()], &words[line.len() + 1..]);
                if to == Jumith {
                    // A file is named after the tool, and the file has the rest.
                    assert!(is_named_after(name, &tool.id), "{}", what());
                } else {
                    assert_eq!(name, &tool.id, "{}", what());
                    assert_eq!(rest, accepted[index], "{}", what());
                }
            }
            (RunMode::Not(why), is) => {
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

/// Whether two hosts start the same program: one with an absolute path, or one that both
/// look for in the same way. A relative path is relative to another folder in each.
fn is_found(program: &str, pair: (FormatName, FormatName)) -> bool {
    program.starts_with('/') || (!program.contains(['/', '\\']) && BARE.contains(&pair))
}

/// Whether a file is called as the tool or, where that is no name for a file, has eight
/// digits of its digest.
fn is_named_after(file: &str, id: &str) -> bool {
    file == id || file.ends_with(&sha256_hex(id.as_bytes())[..8])
}

#[test]
fn every_tool_is_called_as_it_was() {
    let fixtures = fixtures();
    for from in FormatName::ALL.iter().copied() {
        let generated = (0..SEEDS * times())
            .map(|seed| (from.testkit().unwrap().generate)(&mut Rng::new(seed), 3));
        let own = fixtures.iter().filter(|fixture| fixture.format == from);
        let texts: Vec<String> = generated.chain(own.map(|fixture| fixture.text.clone())).collect();
        for to in FormatName::ALL.iter().copied().filter(|to| *to != from) {
            let mut counts = Counts::default();
            for text in &texts {
                check(from, to, text, &mut counts);
            }
            println!("{from} to {to}: {counts:?}");
            // Whoever bridges everything is never wrong, and of no use.
            let alike =
                |kind| ALIKE.iter().any(|(a, b, one, _)| (*a, *b, *one) == (from, to, kind));
            assert_eq!(counts.run > 0, alike(Kind::Run), "{from} to {to}: {counts:?}");
            assert_eq!(counts.sent > 0, alike(Kind::Send), "{from} to {to}: {counts:?}");
            assert_eq!(counts.mcp > 0, alike(Kind::Mcp), "{from} to {to}: {counts:?}");
            // Only into Unison and for the MCP registry there is no bridge.
            let bridges = !matches!(to, Capability | ServerJson);
            assert_eq!(counts.bridged > 0, bridges, "{from} to {to}: {counts:?}");
        }
    }
}

/// Calls that are the same in both formats although they look otherwise at first, and calls
/// that are not although they look alike.
#[test]
fn calls_that_are_told_apart() {
    let request = |auth: Value| {
        json!({
            "toolId": "acme.web.find", "name": "Find", "version": "1.0.0", "description": "Finds.",
            "capabilities": ["find"], "input_schema": {"type": "object"},
            "output_schema": {"type": "object"}, "auth": auth,
            "endpoint": {"type": "http", "method": "POST", "url": "https://a.example/find"},
        })
    };
    let hints = |names: &[&str]| json!({"env": names});
    let cases = [
        // No variable is sent, however many are named.
        (request(json!({"type": "none", "configHints": hints(&["A", "B"])})), true),
        (request(json!({"type": "oauth2", "configHints": hints(&["a b", "B"])})), true),
        (request(json!({"type": "bearer", "configHints": hints(&["A"])})), true),
        (request(json!({"type": "api_key"})), true),
        // The first that has a value is sent: an action has no word for that.
        (request(json!({"type": "bearer", "configHints": hints(&["A", "B"])})), false),
        (request(json!({"type": "bearer", "configHints": hints(&["no name"])})), false),
    ];
    for (manifest, exact) in cases {
        let text = manifest.to_string();
        let mut counts = Counts::default();
        check(Mcpkg, InstallManifest, &text, &mut counts);
        assert_eq!((counts.sent, counts.bridged), (exact.into(), (!exact).into()), "{text}");
    }
}
