//! Lift and lower, judged without other formats of the workspace.

#![allow(clippy::needless_pass_by_value)] // values are written where they are passed

use std::collections::BTreeSet;
use std::sync::Arc;

use convert::{Class, Conversion, Options, RunMode, convert};
use manifest_core::descriptor::{Command, CommandInput, EnvVar, Invocation, Package};
use manifest_core::format::{
    CallSupport, Cardinality, Contract, Derivation, Reader, SafetyFeatures,
};
use manifest_core::json::{Document, Node};
use manifest_core::sha256_hex;
use manifest_core::{Format, LiftedDocument, Limits, Text, ToolDescriptor};
use serde_json::{Value, json};
use tools_json::FORMAT;

/// A format with the few words that these tests need.
static SOURCE: Format = Format {
    name: "source",
    versions: &[],
    tables: &[],
    rules: &[],
    cardinality: Cardinality::Tools,
    catalog: None,
    keys: &["id"],
    safety_features: SafetyFeatures {
        disabled: true,
        approval: true,
        reach: true,
        payment: true,
        enforces_reach: false,
    },
    detect: |_| None,
    look_alike: |_| None,
    check: |_, options| options.new_report(),
    read: |reader| {
        let tools: Vec<Node<'_>> = reader.root().elements().collect();
        let tools = tools.into_iter().map(|tool| lift(reader, tool)).collect();
        LiftedDocument { tools, is_list: true, ..LiftedDocument::default() }
    },
    call_support: |_| CallSupport::Exact,
    undeclared_secrets: |_| Vec::new(),
    bridge_needs: "",
    host_needs: "",
    contract: |_| Contract {
        extra_arguments: "",
        examples: "",
        fills_defaults: false,
        keeps_timeout: false,
        environment: "",
        directory: "",
        timeout: "",
        result: "",
        failure: "",
        host_rules: manifest_core::format::HostRules::PLAIN,
    },
    file_name: |_| "source".to_owned(),
    write_document: |_, _| Ok(()),
    write_tool: |_, _| Ok(()),
};

fn lift<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let input = match node.get("input").and_then(Node::text).as_deref() {
        Some("argument") => CommandInput::Argument,
        Some("extra") => CommandInput::Extra,
        _ => CommandInput::Stdin,
    };
    let argv = reader.texts(node.get("argv"));
    let call = Command { argv: argv.into(), cwd: reader.text(node.get("cwd")), input };
    let env = node.get("env").into_iter().flat_map(Node::elements).map(|variable| EnvVar {
        name: reader.text(variable.get("name")).unwrap(),
        default: reader.text(variable.get("default")),
        ..EnvVar::default()
    });
    let env = env.collect();
    ToolDescriptor {
        at: Some(reader.place(node)),
        id: reader.text(node.get("id")).unwrap(),
        input_schema: reader.raw(node.get("schema")),
        invocation: Some(Invocation::Command(call).into()),
        timeout_ms: reader.number(node.get("ms")),
        package: Arc::new(Package { env, ..Package::default() }),
        ..ToolDescriptor::default()
    }
}

fn converted(source: &Value) -> (Value, Conversion) {
    let text = source.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let conversion = convert(&document, &SOURCE, &FORMAT, &Options::default()).unwrap();
    let written = serde_json::from_str(&conversion.documents[0].text).unwrap();
    (written, conversion)
}

/// The only tool of a conversion, and how it runs.
fn one(source: Value) -> (Value, RunMode) {
    let (mut written, conversion) = converted(&json!([source]));
    (written["tools"][0].take(), conversion.tools[0].runs.clone())
}

/// Every leaf that lifting marked comes back where it was, as it was spelled. What
/// comes back besides was marked too.
fn tree_fidelity(text: &str) -> usize {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    let written = FORMAT.lower_to_source(&lifted, &document).unwrap();
    assert_eq!(written.len(), 1);
    let written = Document::parse(written[0].as_bytes(), &Limits::default()).unwrap();
    let mut marked = 0;
    for (pointer, leaf) in document.root().leaves() {
        if lifted.marks.has_node(leaf) {
            let own = written.root().at(&pointer).unwrap_or_else(|| panic!("{pointer} is gone"));
            assert_eq!(own.raw().replace(' ', ""), leaf.raw().replace(' ', ""), "{pointer}");
            marked += 1;
        }
    }
    assert_eq!(written.root().leaves().count(), marked, "{}", written.text());
    marked
}

#[test]
fn fixtures_come_back() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/tools-json/valid");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            assert!(tree_fidelity(&std::fs::read_to_string(&path).unwrap()) > 1, "{path:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 5);
}

#[test]
fn every_spelling_comes_back() {
    let text = r#"{"x": 1, "tools": [{
        "envPassthrough": ["tz", "\u0048OME", " Path "], "timeoutSec": 9223372036854775807,
        "schema": {"type": "obj\u0065ct", "x": [1.0, 1e2, {}, []], "": null},
        "name": "\u0061 b", "command": ["./tools/bin/a", "", "\/"], "description": ""
    }]}"#;
    // Three variables, a number, six leaves of the schema, a name, three words, a text.
    assert_eq!(tree_fidelity(text), 15);
    let none = Document::parse(br#"{"tools": [ ]}"#, &Limits::default()).unwrap();
    let lifted = FORMAT.lift(&none, &Limits::default()).unwrap();
    let written = FORMAT.lower_to_source(&lifted, &none).unwrap();
    let written: Value = serde_json::from_str(&written[0]).unwrap();
    assert_eq!(written, json!({"tools": []}));
}

/// The specification trims names, puts them into upper case and takes the first of
/// equal ones.
#[test]
fn variables_are_those_that_the_host_passes() {
    let text = r#"{"tools": [{"name": "a", "command": ["./tools/bin/a"], "timeoutSec": 0,
        "envPassthrough": ["tz", "HOME", "TZ", " tz "]}, {"name": "b",
        "command": ["./tools/bin/b"], "envPassthrough": [], "timeoutSec": 5, "x-note": 1}]}"#;
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    let names = |tool: &ToolDescriptor<'_>| {
        tool.package.env.iter().map(|variable| variable.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(&lifted.tools[0]), ["TZ", "HOME"]);
    assert_eq!(lifted.tools[0].timeout_ms, None);
    assert_eq!(lifted.tools[1].timeout_ms.as_ref().unwrap().as_str(), "5000");
    let carried = document.root().leaves().filter(|(_, leaf)| !lifted.marks.has_node(*leaf));
    let carried: Vec<String> = carried.map(|(pointer, _)| pointer.to_string()).collect();
    assert_eq!(
        carried,
        [
            "/tools/0/timeoutSec",
            "/tools/0/envPassthrough/2",
            "/tools/0/envPassthrough/3",
            "/tools/1/envPassthrough",
            "/tools/1/x-note",
        ]
    );
}

/// What OpenAI takes: `^[A-Za-z0-9_-]{1,64}$`.
#[test]
fn names_are_those_that_providers_take() {
    let stems = [
        "get_time", "-", "a.b", "a/b", "A b", "a:b", "é", "日本", "~", "a_b", "a-b", "\n", "a..b",
        "%41", "\"", "\\", "🦀",
    ];
    let long = |stem: &str, length: usize| stem.repeat(length);
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for stem in stems {
        ids.extend([1, 2, 7, 63, 64, 65, 200].map(|length| long(stem, length)));
        ids.extend((0..12).map(|number| format!("{stem}.{number}")));
        ids.extend((0..12).map(|number| format!("{}{number}", long(stem, 64))));
    }
    assert!(ids.len() > 400, "{}", ids.len());
    let tools: Vec<Value> = ids.iter().map(|id| json!({"id": id, "argv": ["/bin/a"]})).collect();
    let (written, conversion) = converted(&json!(tools));
    let mut names = BTreeSet::new();
    for (id, tool) in ids.iter().zip(written["tools"].as_array().unwrap()) {
        let name = tool["name"].as_str().unwrap();
        let taken = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        let fits = |name: &str| (1..=64).contains(&name.len()) && name.bytes().all(taken);
        assert!(fits(name), "{id:?} became {name:?}");
        assert_eq!(fits(id), name == id, "{id:?} became {name:?}");
        assert!(names.insert(name.to_owned()), "{id:?} became {name:?} too");
    }
    assert_eq!(conversion.tools.len(), ids.len());
}

#[test]
fn only_absolute_programs_on_standard_input_are_exact() {
    let exact = [
        json!({"id": "a", "argv": ["/usr/bin/env"]}),
        json!({"id": "a", "argv": ["/usr//bin/../bin/env", "", "a b", "line\nbreak"]}),
        json!({"id": "a", "argv": ["/bin/a"], "env": [{"name": "TZ"}, {"name": "_"}]}),
    ];
    for source in exact {
        let (tool, runs) = one(source.clone());
        assert_eq!(runs, RunMode::AsItIs, "{source}");
        assert_eq!(tool["command"], source["argv"]);
    }
    let others = [
        json!({"id": "a", "argv": ["env"]}),
        json!({"id": "a", "argv": ["./tools/bin/env"]}),
        json!({"id": "a", "argv": ["../env"]}),
        json!({"id": "a", "argv": ["C:\\env.exe"]}),
        json!({"id": "a", "argv": ["/bin/a\u{202e}b"]}),
        json!({"id": "a", "argv": ["/bin/a."]}),
        json!({"id": "a", "argv": ["/bin/a", "a\0b"]}),
        json!({"id": "a", "argv": vec!["/bin/a"; 1025]}),
        json!({"id": "a", "argv": ["/bin/a"], "cwd": "/tmp"}),
        json!({"id": "a", "argv": ["/bin/a"], "input": "argument"}),
        json!({"id": "a", "argv": ["/bin/a"], "input": "extra"}),
        json!({"id": "a", "argv": ["/bin/a"], "env": [{"name": "api-key"}]}),
        json!({"id": "a", "argv": ["/bin/a"], "env": [{"name": "api_key"}]}),
        json!({"id": "a", "argv": ["/bin/a"], "env": [{"name": "TZ", "default": "UTC"}]}),
    ];
    for source in others {
        let (tool, runs) = one(source.clone());
        assert_eq!(runs, RunMode::ThroughTheBridge, "{source}");
        assert_eq!(tool["command"][0], "./tools/bin/toolglot-bridge", "{source}");
    }
}

#[test]
fn the_line_of_the_bridge() {
    let source =
        json!([{"id": "tool:a b", "argv": ["env"], "env": [{"name": "api_key"}, {"name": "TZ"}]}]);
    let (written, conversion) = converted(&source);
    let text = source.to_string();
    let digest = format!("sha256:{}", sha256_hex(text.as_bytes()));
    assert_eq!(
        written["tools"][0]["command"],
        json!([
            "./tools/bin/toolglot-bridge",
            "--for",
            "tools-json",
            "--source",
            digest,
            "--tool",
            "tool:a b",
        ])
    );
    // The host would look for API_KEY, which is another variable: the name is made to fit.
    let names = written["tools"][0]["envPassthrough"].as_array().unwrap();
    assert!(names[0].as_str().unwrap().starts_with("API_KEY_"), "{names:?}");
    assert_eq!(names[1..], [json!("TZ")]);
    let account = conversion.report();
    let how = |pointer: &str| {
        let mut leaves = account.target.iter();
        leaves.find(|leaf| leaf.target.pointer.as_str() == pointer).unwrap().how
    };
    assert_eq!(how("/tools/0/command/4"), Derivation::Seal);
    assert_eq!(how("/tools/0/command/6"), Derivation::Bridge);
    let class = |pointer: &str| {
        account.source.iter().find(|leaf| leaf.source.as_str() == pointer).unwrap().class
    };
    assert_eq!(class("/0/id"), Class::Approximated);
    assert_eq!(class("/0/argv/0"), Class::ResidueOnly);
    assert_eq!(class("/0/env/0/name"), Class::Approximated);
    assert_eq!(class("/0/env/1/name"), Class::Native);
}

#[test]
fn seconds_are_whole() {
    for (ms, seconds) in [("5000", "5"), ("1", "1"), ("1500.5", "2"), ("1e3", "1"), ("30001", "31")]
    {
        let ms: Value = serde_json::from_str(ms).unwrap();
        let (tool, _) = one(json!({"id": "a", "argv": ["/bin/a"], "ms": ms}));
        assert_eq!(tool["timeoutSec"].to_string(), seconds);
    }
    // Another time would be written the same, also where this one is whole.
    let source = json!([{"id": "a", "argv": ["/bin/a"], "ms": 5000}]);
    let (_, conversion) = converted(&source);
    let account = conversion.report();
    let ms = account.source.iter().find(|leaf| leaf.source.as_str() == "/0/ms").unwrap();
    assert_eq!(ms.class, Class::Approximated);
    // More seconds than fit, and none.
    for ms in ["1e30", "0"] {
        let ms: Value = serde_json::from_str(ms).unwrap();
        let (tool, _) = one(json!({"id": "a", "argv": ["/bin/a"], "ms": ms}));
        assert_eq!(tool.get("timeoutSec"), None);
    }
}

#[test]
fn schemas_are_objects() {
    for (schema, written) in [
        (json!({"type": "object"}), json!({"type": "object"})),
        (json!({}), json!({})),
        // The booleans have an object each that says the same.
        (json!(true), json!({})),
        (json!(false), json!({"not": {}})),
    ] {
        let (tool, _) = one(json!({"id": "a", "argv": ["/bin/a"], "schema": schema}));
        assert_eq!(tool.get("schema"), Some(&written));
    }
}

/// An edit that asks for another kind of call is refused: nothing becomes a bridge on
/// the way back.
#[test]
fn the_own_format_has_no_bridge() {
    let text = include_str!("../../fixtures/tools-json/valid/bare.json");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let calls = [
        Invocation::Python(Text::from("a:b").into()),
        Invocation::Command(Command {
            argv: vec![Text::from("/bin/a").into()].into(),
            cwd: None,
            input: CommandInput::Argument,
        }),
    ];
    for call in calls {
        let mut lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
        lifted.tools[0].invocation = Some(call.into());
        let refused = FORMAT.lower_to_source(&lifted, &document).unwrap_err();
        assert_eq!(refused.rule.code, "convert/bridge");
    }
}
