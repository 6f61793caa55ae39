//! Lift and lower, judged without other formats of the workspace.

#![allow(clippy::needless_pass_by_value)] // values are written where they are passed

use std::collections::BTreeSet;
use std::sync::Arc;

use convert::{Class, Conversion, ConversionReport, Options, RunMode, convert};
use jumith::FORMAT;
use manifest_core::descriptor::{
    Auth, Command, CommandInput, Cost, EnvVar, Invocation, Package, Publisher, RiskProfile,
    SideEffects,
};
use manifest_core::format::{CallSupport, Derivation, Reader};
use manifest_core::json::{Document, Node};
use manifest_core::{
    Defaults, Format, LiftedDocument, Limits, Report, Sourced, Text, ToolDescriptor,
    ValidateOptions,
};
use serde_json::{Value, json};

/// A format with the few words that these tests need.
static SOURCE: Format = Format {
    name: "source",
    read: |reader| {
        let tools: Vec<Node<'_>> = reader.root().elements().collect();
        let tools = tools.into_iter().map(|tool| lift(reader, tool)).collect();
        LiftedDocument { tools, is_list: true, ..LiftedDocument::default() }
    },
    call_support: |_| CallSupport::Exact,
    ..toolglot_tests::MADE_UP
};

fn lift<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let env = node.get("env").into_iter().flat_map(Node::elements).map(|variable| EnvVar {
        name: reader.text(variable.get("name")).unwrap(),
        secret: reader.boolean(variable.get("secret")),
        required: reader.boolean(variable.get("required")),
        ..EnvVar::default()
    });
    let env = env.collect();
    let argv = reader.texts(node.get("argv"));
    let call = Command { argv: argv.into(), cwd: None, input: CommandInput::Stdin };
    let package = Package {
        id: reader.text(node.get("package")),
        version: reader.text(node.get("version")),
        tags: reader.texts(node.get("tags")),
        publisher: Publisher {
            id: reader.text(node.get("publisher_id")),
            name: reader.text(node.get("publisher")),
            ..Publisher::default()
        },
        env,
        cost: Cost {
            monthly_fee_cents: reader.number(node.get("fee")),
            usage_model: reader.text(node.get("model")),
            payment: reader.boolean(node.get("payment")),
            ..Cost::default()
        },
        ..Package::default()
    };
    ToolDescriptor {
        at: Some(reader.place(node)),
        id: reader.text(node.get("id")).unwrap(),
        name: reader.text(node.get("name")),
        summary: reader.text(node.get("summary")),
        description: reader.text(node.get("description")),
        input_schema: reader.raw(node.get("input")),
        output_schema: reader.raw(node.get("output")),
        invocation: Some(Invocation::Command(call).into()),
        auth: Auth { scheme: reader.text(node.get("scheme")), ..Auth::default() },
        side_effects: reader.word(node.get("effects"), SideEffects::from_word),
        requires_approval: reader.boolean(node.get("approval")),
        package: Arc::new(package),
        ..ToolDescriptor::default()
    }
}

struct Converted {
    manifest: Value,
    name: String,
    account: ConversionReport,
    conversion: Conversion,
}

impl Converted {
    /// How a member came to be there, and from where.
    fn how(&self, pointer: &str) -> (Derivation, Vec<String>) {
        let mut leaves = self.account.target.iter();
        let leaf = leaves.find(|leaf| leaf.target.pointer.as_str() == pointer).unwrap();
        (leaf.how, leaf.source.iter().map(|from| from.pointer.to_string()).collect())
    }

    fn class(&self, pointer: &str) -> Class {
        self.account.source.iter().find(|leaf| leaf.source.as_str() == pointer).unwrap().class
    }
}

fn attempt(tool: &Value, options: &Options) -> Result<Converted, Report> {
    let text = json!([tool]).to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let conversion = convert(&document, &SOURCE, &FORMAT, options)?;
    let [written] = conversion.documents.as_slice() else { panic!("one document") };
    Ok(Converted {
        manifest: serde_json::from_str(&written.text).unwrap(),
        name: written.name.clone(),
        account: conversion.report(),
        conversion: conversion.clone(),
    })
}

fn converted(tool: Value) -> Converted {
    attempt(&tool, &Options::default()).unwrap_or_else(|report| panic!("{tool}: {report:?}"))
}

/// A tool that says little, and what is given.
fn tool(more: Value) -> Value {
    let mut tool = json!({"id": "acme.files.read", "argv": ["/bin/cat"]});
    tool.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    tool
}

fn from<const N: usize>(how: Derivation, places: [&str; N]) -> (Derivation, Vec<String>) {
    (how, places.map(str::to_owned).to_vec())
}

/// Every leaf that lifting marked comes back where it was, as it was spelled, and
/// nothing else does.
fn tree_fidelity(text: &str) -> Vec<String> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    let written = FORMAT.lower_to_source(&lifted, &document).unwrap();
    let [written] = written.as_slice() else { panic!("one document") };
    let written = Document::parse(written.as_bytes(), &Limits::default()).unwrap();
    let (mut marked, mut carried) = (0, Vec::new());
    for (pointer, leaf) in document.root().leaves() {
        if !lifted.marks.has_node(leaf) {
            carried.push(pointer.to_string());
            continue;
        }
        let own = written.root().at(&pointer).unwrap_or_else(|| panic!("{pointer} is gone"));
        assert_eq!(own.raw(), leaf.raw(), "{pointer}");
        marked += 1;
    }
    assert_eq!(written.root().leaves().count(), marked, "{}", written.text());
    carried
}

#[test]
fn fixtures_come_back() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/jumith/valid");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let carried = tree_fidelity(&std::fs::read_to_string(&path).unwrap());
            let pizza = path.ends_with("order_pizza.json");
            assert_eq!(carried, if pizza { vec!["/sha256"] } else { vec![] }, "{path:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 5);
}

#[test]
fn every_spelling_comes_back() {
    let text = r#"{"tags": ["a", "a", "\u00e9"], "usesPayment": false, "requiresApproval": false,
        "entry": {"export": "\u0074ool", "main": "a b\/c.js", "runtime": "nod\u0065", "x": 1},
        "schema": {"output": true, "input": {"x": [1.0, 1e2, {}, []], "": null}, "y": 2},
        "requiredSecrets": ["b", "\u0061"], "provider": "", "description": "D\n",
        "summary": " s", "version": "1.0.0-rc.1+b", "name": "N M", "id": "é ~", "z": {}}"#;
    assert_eq!(tree_fidelity(text), ["/entry/x", "/schema/y", "/z"]);
    let bare = r#"{"id": "a", "name": "a", "version": "1.0.0", "summary": "s", "description": "d",
        "entry": {"runtime": "node", "main": "a.js"}, "tags": [], "schema": {},
        "requiredSecrets": []}"#;
    assert_eq!(tree_fidelity(bare), ["/tags", "/schema", "/requiredSecrets"]);
}

/// What is absent is absent: only `RiskProfile` says what that means.
#[test]
fn absence_is_absence() {
    let text = include_str!("../../fixtures/jumith/valid/bare.json");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    assert_eq!(lifted.tools[0].requires_approval, None);
    let caution = RiskProfile::of(&lifted.tools[0]);
    assert!(caution.approval.is_unknown() && caution.needs_approval());
    assert!(caution.payment.is_unknown());
}

#[test]
fn secrets_are_secret_and_required() {
    let text = include_str!("../../fixtures/jumith/valid/order_pizza.json");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    let [one, two] = lifted.tools[0].package.env.as_slice() else { panic!("two secrets") };
    for (variable, name) in [(one, "dominos_password"), (two, "payment.card_number")] {
        assert_eq!(variable.name.value, name);
        let said = |value: &Option<Sourced<bool>>| value.map(|value| (value.value, value.at));
        assert_eq!(said(&variable.secret), Some((true, None)));
        assert_eq!(said(&variable.required), Some((true, None)));
    }
    assert_eq!(lifted.tools[0].package.cost.payment.as_deref(), Some(&true));
}

#[test]
fn arrays_are_no_documents() {
    for text in ["[]", r#"[{"id": "a", "entry": {"main": "a.js"}}]"#] {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!((FORMAT.detect)(document.root()), None);
        let report = jumith::validate(&document, &ValidateOptions::default());
        let [found] = report.diagnostics.as_slice() else { panic!("{report:?}") };
        assert_eq!(found.rule.code, "json/type");
        assert_eq!(found.message, "expected an object, found an array");
        assert!(found.help.is_some());
    }
}

/// `true` unless the source says that the tool only reads: what is written, what
/// follows from it, and what nobody says.
#[test]
fn approval() {
    let cases = [
        (json!({}), true, from(Derivation::Assumed, [])),
        (json!({"effects": "none"}), false, from(Derivation::Approximated, ["/0/effects"])),
        (json!({"effects": "read"}), false, from(Derivation::Approximated, ["/0/effects"])),
        (json!({"effects": "write"}), true, from(Derivation::Approximated, ["/0/effects"])),
        (json!({"effects": "destructive"}), true, from(Derivation::Approximated, ["/0/effects"])),
        (json!({"approval": true}), true, from(Derivation::Native, ["/0/approval"])),
        (json!({"approval": false}), false, from(Derivation::Native, ["/0/approval"])),
        (
            json!({"approval": true, "effects": "read"}),
            true,
            from(Derivation::Native, ["/0/approval"]),
        ),
        (
            json!({"approval": false, "effects": "write"}),
            false,
            from(Derivation::Native, ["/0/approval"]),
        ),
    ];
    for (said, asks, how) in cases {
        let converted = converted(tool(said.clone()));
        assert_eq!(converted.manifest["requiresApproval"], asks, "{said}");
        assert_eq!(converted.how("/requiresApproval"), how, "{said}");
    }
}

#[test]
fn secrets() {
    let env = json!([
        {"name": "API_KEY"},
        {"name": "TOKEN", "secret": true, "required": true},
        {"name": "OPTIONAL", "secret": true, "required": false},
        {"name": "PUBLIC", "secret": false},
        {"name": "A=B"},
        {"name": ""},
    ]);
    let found = converted(tool(json!({"env": env, "scheme": "bearer"})));
    assert_eq!(found.manifest["requiredSecrets"], json!(["API_KEY", "TOKEN", "OPTIONAL"]));
    let places = ["/0/env/1/name", "/0/env/1/secret"];
    // Nobody says that it is a secret.
    assert_eq!(found.how("/requiredSecrets/0"), from(Derivation::Approximated, ["/0/env/0/name"]));
    assert_eq!(found.how("/requiredSecrets/1"), from(Derivation::Equivalent, places));
    assert_eq!(found.how("/requiredSecrets/2").0, Derivation::Approximated);
    for carried in ["/0/env/1/required", "/0/env/3/name", "/0/env/3/secret", "/0/scheme"] {
        assert_eq!(found.class(carried), Class::ResidueOnly, "{carried}");
    }
    for (scheme, secret) in
        [("bearer", "bearer_token"), ("api_key", "api_key"), ("oauth2", "oauth_token")]
    {
        let public = json!([{"name": "PUBLIC", "secret": false}]);
        for env in [json!([]), public] {
            let found = converted(tool(json!({"env": env, "scheme": scheme})));
            assert_eq!(found.manifest["requiredSecrets"], json!([secret]));
            assert_eq!(
                found.how("/requiredSecrets/0"),
                from(Derivation::Approximated, ["/0/scheme"])
            );
        }
    }
    for said in [json!({}), json!({"scheme": "none"}), json!({"scheme": "basic"})] {
        assert_eq!(converted(tool(said)).manifest.get("requiredSecrets"), None);
    }
}

#[test]
fn payment() {
    let cases = [
        (json!({"payment": true}), Some((true, from(Derivation::Native, ["/0/payment"])))),
        (json!({"payment": false}), Some((false, from(Derivation::Native, ["/0/payment"])))),
        (json!({"fee": 100}), Some((true, from(Derivation::Approximated, ["/0/fee"])))),
        (
            json!({"fee": 0, "model": "none"}),
            Some((false, from(Derivation::Approximated, ["/0/fee", "/0/model"]))),
        ),
        (
            json!({"fee": 0, "model": "per-call"}),
            Some((true, from(Derivation::Approximated, ["/0/model"]))),
        ),
        // Both say so: neither alone can change it.
        (
            json!({"fee": 1, "model": "per-call"}),
            Some((true, from(Derivation::Approximated, ["/0/fee", "/0/model"]))),
        ),
        (json!({}), None),
    ];
    for (said, wanted) in cases {
        let found = converted(tool(said.clone()));
        let (pays, how) = wanted.unzip();
        assert_eq!(found.manifest.get("usesPayment"), pays.map(Value::from).as_ref(), "{said}");
        if let Some(how) = how {
            assert_eq!(found.how("/usesPayment"), how, "{said}");
        }
    }
}

/// Row W14 of the catalogue of attacks.
#[test]
fn texts_stand_for_each_other() {
    let both = converted(tool(json!({"summary": "S", "description": "D"})));
    assert_eq!(
        (&both.manifest["summary"], &both.manifest["description"]),
        (&json!("S"), &json!("D"))
    );
    assert_eq!(both.how("/summary"), from(Derivation::Native, ["/0/summary"]));
    for (said, text, place) in [
        (json!({"summary": "S"}), "S", "/0/summary"),
        (json!({"description": "D"}), "D", "/0/description"),
        (json!({"description": "D", "summary": "\u{feff} "}), "D", "/0/description"),
        (json!({"name": "read"}), "read", "/0/name"),
        (json!({}), "read", "/0/id"),
    ] {
        let found = converted(tool(said.clone()));
        for member in ["summary", "description"] {
            assert_eq!(found.manifest[member], text, "{said}");
            let (how, places) = found.how(&format!("/{member}"));
            assert_eq!(places, [place], "{said}");
            let own = place.ends_with(member);
            assert_eq!(
                how,
                if own { Derivation::Native } else { Derivation::Approximated },
                "{said}"
            );
        }
    }
}

#[test]
fn names() {
    let found = converted(tool(json!({"name": "read file"})));
    assert_eq!(found.manifest["name"], "read file");
    assert_eq!(found.how("/name"), from(Derivation::Native, ["/0/name"]));
    assert_eq!(found.how("/id"), from(Derivation::Native, ["/0/id"]));
    // The last part of the id.
    let found = converted(tool(json!({})));
    assert_eq!(found.manifest["name"], "read");
    assert_eq!(found.how("/name"), from(Derivation::Approximated, ["/0/id"]));
    // A tool of a package has its id from both.
    let found = converted(tool(json!({"package": "acme.files"})));
    assert_eq!(found.how("/id"), from(Derivation::Equivalent, ["/0/id", "/0/package"]));
    // No name can be made of these.
    for said in [json!({"name": "a\u{1b}[2J", "id": "a. "}), json!({"id": "a.\u{1}"})] {
        let found = converted(tool(said));
        assert_eq!(found.how("/name"), from(Derivation::Approximated, ["/0/id"]));
    }
}

/// Any text becomes an id that the specification's examples could have, or stays.
#[test]
fn ids_fit() {
    let stems =
        ["a", "a/b", "A B", "a?b", "..", ".", "é/", "%41", "\\", "\u{200b}", "CON", "-", " "];
    let mut ids: BTreeSet<String> = stems.map(str::to_owned).into();
    for stem in stems {
        ids.extend((0..20).map(|number| format!("{stem}{number}")));
        ids.extend([64, 600, 1024, 1025].map(|length| stem.repeat(length)));
    }
    let (mut found, mut files) = (BTreeSet::new(), BTreeSet::new());
    for id in &ids {
        let converted = converted(tool(json!({"id": id})));
        let written = converted.manifest["id"].as_str().unwrap().to_owned();
        if written != *id {
            let name = written.strip_prefix("tool:").unwrap_or_else(|| panic!("{written}"));
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
            assert!(name.chars().all(plain) && written.len() <= 1024, "{id:?} {written:?}");
        }
        assert!(found.insert(written), "{id:?}");
        let name = converted.name.strip_suffix(".jumith.json").unwrap();
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        assert!(name.starts_with(|c: char| c.is_ascii_alphanumeric()), "{name:?}");
        assert!(name.chars().all(plain) && name.len() <= 100 && name != "CON", "{name:?}");
        assert!(files.insert(name.to_lowercase()), "{id:?}");
    }
    assert!(found.contains("A B") && found.len() > 200);
}

#[test]
fn versions() {
    let found = converted(tool(json!({"version": "1.2.3"})));
    assert_eq!(found.how("/version"), from(Derivation::Native, ["/0/version"]));
    let found = converted(tool(json!({})));
    assert_eq!(found.manifest["version"], "0.0.0");
    assert_eq!(found.how("/version"), from(Derivation::Assumed, []));
    let refused = attempt(&tool(json!({"version": "1.2"})), &Options::default()).err().unwrap();
    assert_eq!(refused.diagnostics[0].rule.code, "jumith/version");
    assert_eq!(refused.diagnostics[0].pointer.as_str(), "/0/version");
    let defaults = Defaults { version: "latest".to_owned(), ..Defaults::default() };
    let options = Options { defaults, ..Options::default() };
    assert!(attempt(&tool(json!({})), &options).is_err());
}

/// A module of ours that is written beside the manifest, and nothing else.
#[test]
fn other_calls_go_through_the_bridge() {
    let found = converted(tool(json!({})));
    let main = found.manifest["entry"]["main"].as_str().unwrap();
    // The digest of the source, and a name that is made from the id.
    let digits = main.strip_prefix("toolglot-bridge/").unwrap().find('/').unwrap();
    assert_eq!(digits, 64, "{main}");
    assert!(main.strip_suffix(".mjs").is_some(), "{main}");
    assert_eq!(found.how("/entry/runtime"), from(Derivation::Bridge, []));
    assert_eq!(found.how("/entry/main"), from(Derivation::Seal, ["/0/id"]));
    assert_eq!(found.class("/0/argv/0"), Class::ResidueOnly);
    assert_eq!(found.conversion.tools[0].runs, RunMode::ThroughTheBridge);
}

#[test]
fn the_rest() {
    let found = converted(tool(json!({
        "tags": ["a", "b\u{7}", "é"], "publisher": "Acme Inc", "input": {"type": "object"},
        "output": true
    })));
    assert_eq!(found.manifest["tags"], json!(["a", "é"]));
    assert_eq!(found.manifest["provider"], "Acme Inc");
    assert_eq!(found.how("/provider"), from(Derivation::Approximated, ["/0/publisher"]));
    assert_eq!(found.manifest["schema"], json!({"input": {"type": "object"}, "output": true}));
    let found = converted(tool(json!({
        "publisher": "Acme Inc", "publisher_id": "acme", "input": [], "output": null
    })));
    assert_eq!(found.manifest["provider"], "acme");
    assert_eq!(found.class("/0/publisher"), Class::ResidueOnly);
    assert_eq!(found.manifest.get("schema"), None);
    assert_eq!(found.manifest.get("sha256"), None);
}

/// An edit that asks for another kind of call is refused: nothing becomes a bridge on
/// the way back.
#[test]
fn the_own_format_has_no_bridge() {
    let text = include_str!("../../fixtures/jumith/valid/bare.json");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let mut lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    lifted.tools[0].invocation = Some(Invocation::Python(Text::from("a:b").into()).into());
    let refused = FORMAT.lower_to_source(&lifted, &document).unwrap_err();
    assert_eq!(refused.rule.code, "convert/bridge");
}

/// What says that it costs money is told as it is.
#[test]
fn why_it_costs_money_or_nothing() {
    for (said, pays, why) in [
        (json!({"fee": 100}), true, "a fee is asked"),
        (json!({"fee": 100, "model": "none"}), true, "a fee is asked"),
        (
            json!({"fee": 100, "model": "per-call"}),
            true,
            "a fee is asked, and the model of use says so",
        ),
        (json!({"fee": 0}), false, "no fee is asked"),
        (json!({"model": "per-call"}), true, "the model of use says so"),
        (json!({"model": "none"}), false, "the model of use says so"),
        (json!({"fee": 0, "model": "per-call"}), true, "the model of use says so"),
        (
            json!({"fee": 0, "model": "none"}),
            false,
            "no fee is asked, and the model of use is none",
        ),
    ] {
        let found = converted(tool(said.clone()));
        let mut leaves = found.account.target.iter();
        let leaf = leaves.find(|leaf| leaf.target.pointer.as_str() == "/usesPayment").unwrap();
        assert_eq!(
            (leaf.value.as_str(), leaf.why.as_ref()),
            (pays.to_string().as_str(), why),
            "{said}"
        );
    }
}

/// What a registry and its bundles have is no manifest, and is told apart.
#[test]
fn what_looks_like_a_manifest() {
    for (text, word) in [
        (r#"{"manifest": {}, "files": []}"#, Some("bundle")),
        (r#"{"manifest": {}, "files": {}}"#, None),
        (r#"{"files": []}"#, None),
        (r#"{"results": [], "total": 0}"#, Some("search results")),
        (r#"{"results": []}"#, None),
        (r#"{"error": {"code": "x"}}"#, Some("error")),
        (r#"{"error": "x"}"#, None),
        ("{}", None),
    ] {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let found = (FORMAT.look_alike)(document.root());
        assert_eq!(found.is_some(), word.is_some(), "{text}");
        assert!(found.is_none_or(|found| found.contains(word.unwrap())), "{text}: {found:?}");
        assert!((FORMAT.detect)(document.root()).is_none(), "{text}");
    }
}
