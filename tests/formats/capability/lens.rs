//! What becomes of capabilities, and what becomes a capability.
//!
//! The sources are documents of a small format made up for these tests: each member is
//! one field of the descriptor.

use std::sync::Arc;

use capability::FORMAT;
use convert::{Class, Conversion, Options, RunMode, convert};
use manifest_core::descriptor::{
    Acquisition, Auth, Body, Command, CommandInput, EnvVar, Filesystem, Http, Invocation, Kind,
    Package, Permissions, Scope, Step,
};
use manifest_core::format::{Derivation, HostRules, OutcomeRules, ProgramSearch, Reader};
use manifest_core::json::{Document, Node, Number};
use manifest_core::{Format, KeyedList, LiftedDocument, Limits, Text, ToolDescriptor, sha256_hex};
use serde_json::{Value, json};

static MADE_UP: Format = Format { name: "made-up", read, ..toolglot_tests::MADE_UP };

fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let root = reader.root();
    let tools: Vec<Node<'a>> = match root.get("tools") {
        Some(list) => list.elements().collect(),
        None => vec![root],
    };
    LiftedDocument {
        tools: tools.into_iter().map(|tool| lift(reader, tool)).collect(),
        ..<_>::default()
    }
}

fn elements(node: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    node.into_iter().flat_map(Node::elements)
}

fn lift<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let scopes = elements(node.get("scopes")).map(|scope| Scope {
        resource: reader.text(scope.get("resource")).unwrap(),
        actions: reader.texts(scope.get("actions")),
        ..Scope::default()
    });
    let scopes = scopes.collect();
    let env = elements(node.get("env")).map(|variable| EnvVar {
        name: reader.text(variable.get("name")).unwrap(),
        secret: reader.boolean(variable.get("secret")),
        ..EnvVar::default()
    });
    let env = env.collect();
    let git = reader.text(node.get("git"));
    let git = git.map(|url| Acquisition::Git {
        url,
        reference: Text::Borrowed("main").into(),
        subpath: None,
        layout: None,
    });
    let chain = elements(node.get("steps"))
        .map(|step| Step { tool: reader.text(Some(step)).unwrap(), ..Step::default() });
    let chain = chain.collect();
    let kind = match node.get("kind").and_then(Node::text).as_deref() {
        Some("assumed") => Some(Kind::McpServer.into()),
        Some("nearly") => node.get("kind").map(|node| reader.derived(node, Kind::SkillPack)),
        _ => reader.word(node.get("kind"), |word| (word == "peer").then_some(Kind::A2aPeer)),
    };
    let files = |word: &str| match word {
        "read" => Some(Filesystem::Read),
        "write" => Some(Filesystem::Write),
        _ => None,
    };
    let permissions =
        Permissions { filesystem: reader.word(node.get("files"), files), ..<_>::default() };
    ToolDescriptor {
        kind,
        chain,
        permissions,
        id: reader.text(node.get("id")).unwrap(),
        summary: reader.text(node.get("summary")),
        description: reader.text(node.get("description")),
        input_schema: reader.raw(node.get("input")),
        invocation: call(reader, node).map(Into::into),
        timeout_ms: reader.number(node.get("timeout_ms")),
        scopes_used: reader.texts(node.get("uses")),
        auth: Auth { scheme: reader.text(node.get("scheme")), ..Auth::default() },
        enabled: reader.boolean(node.get("enabled")),
        package: Arc::new(Package {
            version: reader.text(node.get("version")),
            acquisition: git.map(Into::into),
            env,
            scopes,
            ..Package::default()
        }),
        ..ToolDescriptor::default()
    }
}

fn call<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Invocation<'a>> {
    if let Some(url) = reader.text(node.get("url")) {
        return Some(Invocation::Http(Http {
            method: Text::Borrowed("POST").into(),
            url,
            path: None,
            headers: KeyedList::default(),
            body: Body::Whole,
        }));
    }
    let argv = reader.texts(node.get("argv"));
    let input = match node.get("templates") {
        Some(_) => CommandInput::Templates(reader.texts(node.get("templates"))),
        None => CommandInput::Stdin,
    };
    let cwd = reader.text(node.get("cwd"));
    (!argv.is_empty()).then_some(Invocation::Command(Command { argv: argv.into(), cwd, input }))
}

fn converted(source: &Value) -> (Value, Conversion) {
    let text = source.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let conversion = convert(&document, &MADE_UP, &FORMAT, &Options::default()).unwrap();
    assert_eq!(conversion.documents.len(), 1);
    (serde_json::from_str(&conversion.documents[0].text).unwrap(), conversion)
}

/// A source of one tool, with these members besides its id.
#[allow(clippy::needless_pass_by_value)] // written out where it is called
fn tool(members: Value) -> Value {
    let mut tool = json!({"id": "demo", "description": "x"});
    tool.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    tool
}

/// How the value at a place of the only document came there.
fn how(conversion: &Conversion, place: &str) -> (Derivation, Vec<String>) {
    let account = conversion.report();
    let found = account.target.iter().find(|leaf| leaf.target.pointer.as_str() == place);
    let found = found.unwrap_or_else(|| panic!("nothing at {place}"));
    (found.how, found.source.iter().map(|from| from.pointer.as_str().to_owned()).collect())
}

#[test]
fn what_nobody_says_is_assumed_and_allows_nothing() {
    let source = json!({"id": "demo"});
    let (manifest, conversion) = converted(&source);
    let seal = sha256_hex(source.to_string().as_bytes());
    let expected = json!({
        "id": "demo", "type": "tool", "version": "0.0.0", "description": "demo",
        "origin": {"source": "local", "digest": seal},
        "interfaces": {"inputs": {"type": "object"}, "outputs": {"type": "object"}},
        "permissions": {"network": "deny", "filesystem": "none", "devices": []},
        "runtime": {"sandbox": "process", "resources": {"cpu": "default", "memory": "default"}},
        "trust_level": "untrusted"
    });
    assert_eq!(manifest, expected);
    assert_eq!(conversion.documents[0].name, "demo.capability.json");
    let places = [
        "/type",
        "/version",
        "/origin/source",
        "/interfaces/inputs/type",
        "/permissions/network",
        "/permissions/filesystem",
        "/permissions/devices",
        "/runtime/sandbox",
        "/runtime/resources/cpu",
        "/trust_level",
    ];
    for place in places {
        assert_eq!(how(&conversion, place), (Derivation::Assumed, vec![]), "{place}");
    }
    assert_eq!(how(&conversion, "/origin/digest").0, Derivation::Seal);
    assert_eq!(how(&conversion, "/id"), (Derivation::Native, vec!["/id".to_owned()]));
    let description = how(&conversion, "/description");
    assert_eq!(description, (Derivation::Approximated, vec!["/id".to_owned()]));
}

#[test]
fn a_kind_is_a_type() {
    let from = |place: &str| vec![place.to_owned()];
    for (members, word, expected) in [
        (json!({}), "tool", (Derivation::Assumed, vec![])),
        (json!({"kind": "peer"}), "a2a_peer", (Derivation::Equivalent, from("/kind"))),
        (json!({"kind": "nearly"}), "skill_pack", (Derivation::Approximated, from("/kind"))),
        (json!({"kind": "assumed"}), "mcp_server", (Derivation::Assumed, vec![])),
        (json!({"steps": ["a"]}), "agent_workflow", (Derivation::Approximated, from("/steps/0"))),
    ] {
        let source = tool(members);
        let (manifest, conversion) = converted(&source);
        assert_eq!(manifest["type"], word, "{source}");
        assert_eq!(how(&conversion, "/type"), expected, "{source}");
    }
}

#[test]
fn what_is_said_of_files_is_kept_and_never_less() {
    let scope = |action: &str| json!([{"resource": "fs.files", "actions": [action]}]);
    for (members, word, expected) in [
        (json!({"files": "read"}), "read", Derivation::Native),
        (json!({"files": "write"}), "write", Derivation::Native),
        (json!({"files": "write", "scopes": scope("read")}), "write", Derivation::Native),
        (json!({"files": "read", "scopes": scope("write")}), "write", Derivation::Approximated),
    ] {
        let source = tool(members);
        let (manifest, conversion) = converted(&source);
        assert_eq!(manifest["permissions"]["filesystem"], word, "{source}");
        assert_eq!(how(&conversion, "/permissions/filesystem").0, expected, "{source}");
    }
}

/// What the published host does around each kind of call.
#[test]
fn hosts_call_each_kind_in_its_own_way() {
    let whole = [Some(30_000), Some(300_000)];
    let request = [Some(15_000), Some(15_000)];
    let cases = [
        (
            json!({"command": {"argv": ["x"], "input": "extra"}}),
            OutcomeRules::Process,
            ProgramSearch::System,
            whole,
        ),
        (json!({"python": "a:b"}), OutcomeRules::Json, ProgramSearch::SearchPath, [None, None]),
        (
            json!({"a2a": "https://a.example"}),
            OutcomeRules::Json,
            ProgramSearch::SearchPath,
            request,
        ),
        (
            json!({"registry_tool": {"registry": "https://a.example", "tool": "x"}}),
            OutcomeRules::Json,
            ProgramSearch::SearchPath,
            request,
        ),
    ];
    let mut told = Vec::new();
    for (invocation, reading, base, [usual_ms, most_ms]) in cases {
        let text = json!({"id": "x", "invocation": invocation}).to_string();
        let tool: ToolDescriptor<'_> = serde_json::from_str(&text).unwrap();
        let contract = (FORMAT.contract)(&tool);
        let expected = HostRules {
            outcome_rules: reading,
            program_search: base,
            inherited_env: &["LANG", "LC_ALL", "TZ"],
            default_timeout_ms: usual_ms,
            max_timeout_ms: most_ms,
            variables_required: false,
            sign_in_prefix: Some("OAUTH_"),
        };
        assert_eq!(contract.host_rules, expected, "{invocation}");
        assert_eq!(contract.keeps_timeout, reading == OutcomeRules::Process);
        told.push([contract.environment, contract.timeout, contract.result, contract.failure]);
    }
    // No kind is told of in the words of another, but requests share most of theirs.
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        for (a, b) in told[one].iter().zip(told[other]) {
            assert_ne!(*a, b);
        }
    }
    assert_ne!(told[2][1], told[3][1]);
}

#[test]
fn network_that_is_used_is_never_denied() {
    let source = tool(json!({"scopes": [{"resource": "net.outbound", "actions": ["send"]}]}));
    let (manifest, conversion) = converted(&source);
    let permissions = &manifest["permissions"];
    assert_eq!(permissions["network"], "allowlist");
    assert_eq!(permissions["network_allowlist"], json!(["unknown.invalid"]));
    let from = (Derivation::Approximated, vec!["/scopes/0/resource".to_owned()]);
    assert_eq!(how(&conversion, "/permissions/network"), from);
    assert_eq!(how(&conversion, "/permissions/network_allowlist/0"), from);

    let source = tool(json!({"url": "https://API.example.com:8443/v1?q=1"}));
    let (manifest, conversion) = converted(&source);
    let permissions = &manifest["permissions"];
    assert_eq!(permissions["network"], "allowlist");
    assert_eq!(permissions["network_allowlist"], json!(["api.example.com"]));
    let from = (Derivation::Approximated, vec!["/url".to_owned()]);
    assert_eq!(how(&conversion, "/permissions/network_allowlist/0"), from);
    assert_eq!(manifest.get("implementation"), None);
    assert!(matches!(conversion.tools[0].runs, RunMode::Not(_)));

    // A URL that is not one before it is filled in, and a scope beside a URL.
    let source = tool(json!({"url": "${env.BASE}/x"}));
    let list = &converted(&source).0["permissions"]["network_allowlist"];
    assert_eq!(*list, json!(["unknown.invalid"]));
    let scopes = json!([{"resource": "net.outbound", "actions": ["send"]}]);
    let source = tool(json!({"url": "https://a.example/", "scopes": scopes}));
    let list = &converted(&source).0["permissions"]["network_allowlist"];
    assert_eq!(*list, json!(["a.example", "unknown.invalid"]));
}

#[test]
fn files_and_devices_are_the_widest_that_scopes_say() {
    for (actions, widest) in [(json!(["read"]), "read"), (json!(["read", "delete"]), "write")] {
        let source = tool(json!({"scopes": [{"resource": "fs.local", "actions": actions}]}));
        let (manifest, conversion) = converted(&source);
        assert_eq!(manifest["permissions"]["filesystem"], widest);
        assert_eq!(manifest["permissions"]["network"], "deny");
        assert_eq!(how(&conversion, "/permissions/filesystem").0, Derivation::Approximated);
    }
    let source = tool(json!({"scopes": [{"resource": "device.camera", "actions": ["read"]}]}));
    assert_eq!(converted(&source).0["permissions"]["devices"], json!(["camera"]));
}

/// The ledger names the places that decide. Where one repeats another, both are named, and
/// neither is said to be here: it moves nothing when it changes.
#[test]
fn what_decides_about_permissions_is_named() {
    let scope =
        |resource: &str, actions: &[&str]| json!({"resource": resource, "actions": actions});
    let from = |scopes: Value, uses: Value, place: &str| {
        let source = tool(json!({"scopes": scopes, "uses": uses}));
        let (_, conversion) = converted(&source);
        how(&conversion, place).1
    };
    let files = "/permissions/filesystem";
    let scopes = json!([scope("fs.home", &["read", "write"])]);
    assert_eq!(from(scopes, json!([]), files), ["/scopes/0/resource", "/scopes/0/actions/1"]);
    let scopes = json!([scope("fs.home", &["delete", "write"])]);
    // Both verbs say it, and neither decides: they are named together.
    let together = ["/scopes/0/resource", "/scopes/0/actions/0", "/scopes/0/actions/1"];
    assert_eq!(from(scopes, json!([]), files), together);
    let both = json!([scope("fs.home", &["write"]), scope("fs.tmp", &["write"])]);
    let all =
        ["/scopes/0", "/scopes/1"].map(|at| [format!("{at}/resource"), format!("{at}/actions/0")]);
    assert_eq!(from(both.clone(), json!([]), files), all.concat());
    let source = tool(json!({"scopes": both}));
    let (_, conversion) = converted(&source);
    let leaves = conversion.report().source.into_iter();
    let mut verbs = leaves.filter(|leaf| leaf.source.as_str().contains("/actions/"));
    assert!(verbs.all(|leaf| leaf.class == Class::Approximated));
    // What a tool says that it uses is used, whether or not it is declared.
    let one = ["/uses/0", "/scopes/1/actions/0"];
    assert_eq!(from(both.clone(), json!(["fs.tmp"]), files), one);
    assert_eq!(from(both, json!(["fs.other"]), files), ["/uses/0"]);

    let network = "/permissions/network";
    let both = json!([scope("net.outbound", &["send"]), scope("http.api", &["send"])]);
    let all = ["/scopes/0/resource", "/scopes/1/resource"];
    assert_eq!(from(both.clone(), json!([]), network), all);
    assert_eq!(from(both, json!(["http.api"]), network), ["/uses/0"]);
}

#[test]
fn secrets_are_names_and_places() {
    let source = tool(json!({"env": [
        {"name": "TOKEN", "secret": true}, {"name": "REGION", "secret": false}, {"name": "OTHER"}
    ]}));
    let (manifest, conversion) = converted(&source);
    let expected = json!([
        {"name": "TOKEN", "ref": "env://TOKEN"}, {"name": "OTHER", "ref": "env://OTHER"}
    ]);
    assert_eq!(manifest["secrets"], expected);
    let name = (Derivation::Native, vec!["/env/0/name".to_owned()]);
    assert_eq!(how(&conversion, "/secrets/0/name"), name);
    let from = vec!["/env/0/name".to_owned(), "/env/0/secret".to_owned()];
    assert_eq!(how(&conversion, "/secrets/0/ref"), (Derivation::Equivalent, from));
    // What is known to be no secret has no home here.
    let account = conversion.report();
    let region = account.source.iter().find(|leaf| leaf.source.as_str() == "/env/1/name");
    assert_eq!(region.unwrap().class, Class::ResidueOnly);
}

/// A reference has no white space.
#[test]
fn a_reference_to_a_name_with_a_space_is_escaped() {
    let source = tool(json!({"env": [{"name": "A B\u{a0}C", "secret": true}]}));
    assert_eq!(converted(&source).0["secrets"][0]["ref"], "env://A%20B%C2%A0C");
}

/// A secret whose name is none here is not named: what the tool gets instead is told by its call.
#[test]
fn a_secret_has_a_name_that_shows() {
    for name in ["", "A\u{7}B", "\u{202e}A"] {
        let text = tool(json!({"env": [{"name": name, "secret": true}]})).to_string();
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let tools = MADE_UP.lift_valid(&document, 0).tools;
        let unnamed: Vec<_> = (FORMAT.undeclared_secrets)(&tools[0]);
        assert_eq!(unnamed.len(), 1, "{name:?}");
    }
    let text = tool(json!({"env": [{"name": "KEY", "secret": true}]})).to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    assert!((FORMAT.undeclared_secrets)(&MADE_UP.lift_valid(&document, 0).tools[0]).is_empty());
}

/// Two verbs of a scope that say the same say it together: neither decides.
#[test]
fn what_two_verbs_say_is_said_together() {
    for (actions, joint) in [(json!(["delete"]), false), (json!(["delete", "write"]), true)] {
        let source = tool(json!({"scopes": [{"resource": "fs.local", "actions": actions}]}));
        let (_, conversion) = converted(&source);
        let account = conversion.report();
        let place = "/permissions/filesystem";
        let leaf = account.target.iter().find(|leaf| leaf.target.pointer.as_str() == place);
        assert_eq!(leaf.unwrap().joint, joint, "{source}");
    }
}

#[test]
fn a_scheme_needs_a_secret_or_a_sign_in() {
    for (scheme, name) in [("bearer", "BEARER_TOKEN"), ("api_key", "API_KEY")] {
        let (manifest, _) = converted(&tool(json!({"scheme": scheme})));
        let expected = json!([{"name": name, "ref": format!("env://{name}")}]);
        assert_eq!(manifest["secrets"], expected);
        // The scheme is about the variable that there is.
        let env = json!([{"name": "KEY"}]);
        let (manifest, _) = converted(&tool(json!({"scheme": scheme, "env": env})));
        assert_eq!(manifest["secrets"], json!([{"name": "KEY", "ref": "env://KEY"}]));
    }
    let (manifest, _) = converted(&tool(json!({"scheme": "oauth2"})));
    assert_eq!(manifest["requires_oauth"], true);
    assert_eq!(manifest.get("secrets"), None);
    let (manifest, _) = converted(&tool(json!({"scheme": "none"})));
    assert_eq!((manifest.get("requires_oauth"), manifest.get("secrets")), (None, None));
}

#[test]
fn what_is_switched_off_stays_off() {
    assert_eq!(converted(&tool(json!({"enabled": false}))).0["enabled"], false);
    assert_eq!(converted(&tool(json!({"enabled": true}))).0["enabled"], true);
    assert_eq!(converted(&tool(json!({}))).0.get("enabled"), None);
}

#[test]
fn texts_schemas_and_numbers() {
    let (manifest, _) = converted(&json!({"id": "demo", "summary": "Short."}));
    assert_eq!(manifest["description"], "Short.");
    let (manifest, _) = converted(&json!({"id": "demo", "summary": "Short.", "description": ""}));
    assert_eq!(manifest["description"], "Short.");
    for (written, expected) in [
        (json!({"maximum": 1.0}), json!({"maximum": 1.0})),
        (json!(true), json!({})),
        (json!(false), json!({"not": {}})),
    ] {
        let (manifest, _) = converted(&tool(json!({"input": written})));
        assert_eq!(manifest["interfaces"]["inputs"], expected);
    }
    for (ms, seconds) in
        [("1500", "1.5"), ("0.1", "0.0001"), ("9007199254740993000", "9007199254740993")]
    {
        let source = format!(r#"{{"id": "demo", "timeout_ms": {ms}}}"#);
        let document = Document::parse(source.as_bytes(), &Limits::default()).unwrap();
        let conversion = convert(&document, &MADE_UP, &FORMAT, &Options::default()).unwrap();
        let written = conversion.documents[0].open();
        let number = written.at("/runtime/timeout_seconds").and_then(Node::number);
        assert_eq!(number, Number::parse(seconds), "{ms}");
    }
    let git = "https://git.example/tool";
    let (manifest, _) = converted(&tool(json!({"git": git})));
    assert_eq!(manifest["origin"]["source"], "local");
    assert_eq!(manifest["origin"]["url"], git);
}

#[test]
fn versions_must_be_exact() {
    let text = tool(json!({"version": "latest"})).to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let report = convert(&document, &MADE_UP, &FORMAT, &Options::default()).unwrap_err();
    let error = &report.diagnostics[0];
    assert_eq!((error.rule.code, error.pointer.as_str()), ("capability/version", "/version"));
    assert_eq!(converted(&tool(json!({"version": "1.2.3-rc.1"}))).0["version"], "1.2.3-rc.1");
}

/// Unison gives a command nothing of a call: only one that takes nothing is the same.
#[test]
fn commands_are_written_only_where_they_are_the_same() {
    let nothing = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let exact = json!({"argv": ["/usr/bin/uptime"], "templates": ["-p", "-s"], "input": nothing});
    let (manifest, conversion) = converted(&tool(exact.clone()));
    let implementation =
        json!({"kind": "command", "command": {"argv": ["/usr/bin/uptime", "-p", "-s"]}});
    assert_eq!(manifest["implementation"], implementation);
    assert_eq!(conversion.tools[0].runs, RunMode::AsItIs);

    let others = [
        ("templates", json!(["${input.path}"])),
        ("templates", Value::Null),
        ("argv", json!(["uptime"])),
        ("argv", json!(["./bin/uptime"])),
        ("cwd", json!("/srv")),
        ("env", json!([{"name": "REGION", "secret": false}])),
        ("input", Value::Null),
        ("input", json!(false)),
        ("input", json!({"type": "object"})),
        (
            "input",
            json!({"type": "object", "properties": {"a": {}}, "additionalProperties": false}),
        ),
        ("input", json!({"patternProperties": {"a": {}}, "additionalProperties": false})),
        ("input", json!({"type": ["object", "null"], "additionalProperties": false})),
        ("input", json!({"additionalProperties": false, "$ref": "#/$defs/a", "$defs": {"a": {}}})),
    ];
    for (name, value) in others {
        let mut changed = tool(exact.clone());
        match value {
            Value::Null => drop(changed.as_object_mut().unwrap().remove(name)),
            value => changed[name] = value,
        }
        let (manifest, conversion) = converted(&changed);
        assert_eq!(manifest.get("implementation"), None, "{changed}");
        assert!(matches!(conversion.tools[0].runs, RunMode::Not(_)), "{changed}");
    }
}

#[test]
fn several_tools_are_a_catalog() {
    let (catalog, conversion) = converted(&json!({"tools": [{"id": "a b"}, {"id": "c"}]}));
    assert_eq!(catalog["catalog_version"], "catalog.v1");
    assert_eq!(catalog["capabilities"][0]["id"], "a b");
    assert_eq!(catalog["capabilities"][1]["id"], "c");
    assert_eq!(conversion.documents[0].name, "catalog.json");
    let (catalog, _) = converted(&json!({"tools": []}));
    assert_eq!(catalog, json!({"catalog_version": "catalog.v1", "capabilities": []}));
}

/// What is wrong with a tool or its package is shown at the capability.
#[test]
fn a_capability_is_a_tool_and_its_package() {
    let text = include_str!("../../fixtures/capability/valid/catalog.json");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    assert!(lifted.tools.len() > 1);
    for (number, tool) in lifted.tools.iter().enumerate() {
        for at in [tool.at, tool.package.at] {
            let pointer = document.node(at.unwrap().entry).unwrap().pointer();
            assert_eq!(pointer.as_str(), format!("/capabilities/{number}"));
        }
    }
}

/// A digest is read in one spelling, and is the source's own value where it is written so.
#[test]
fn digests_have_one_spelling() {
    let bare = sha256_hex(b"x");
    for (written, exact) in
        [(bare.clone(), true), (bare.to_uppercase(), false), (format!("sha256:{bare}"), false)]
    {
        let mut manifest: Value =
            serde_json::from_str(include_str!("../../fixtures/capability/valid/echo.json"))
                .unwrap();
        manifest["origin"]["digest"] = json!(written);
        let text = manifest.to_string();
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
        let digest = lifted.tools[0].origin.digest.as_ref().unwrap();
        assert_eq!((digest.value.as_ref(), digest.at.unwrap().exact), (bare.as_str(), exact));
    }
}

/// Every leaf that lifting marks comes back where it was, as it was spelled. The others
/// are those that the descriptor has no word for.
#[test]
fn what_was_read_is_written_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/capability/valid");
    let mut texts: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert!(texts.len() >= 4);
    let echo = texts.iter().find(|text| text.contains("demo.echo")).unwrap().clone();
    let one = echo
        .replace("\"trust_level\"", "\"requires_oauth\": false, \"execution\": {}, \"trust_level\"")
        .replace(
            "\"implementation\": {",
            "\"implementation\": { \"python\": { \"callable\": \"a:b\" },",
        )
        .replace("\"sandbox\": ", "\"timeout_seconds\": 0, \"sandbox\": ")
        .replace("demo.echo", "demo\\u002eecho");
    assert_ne!(one, echo);
    texts.push(one);
    let mut carried: Vec<String> = Vec::new();
    for text in &texts {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
        let written = FORMAT.lower_to_source(&lifted, &document).unwrap();
        let written = Document::parse(written[0].as_bytes(), &Limits::default()).unwrap();
        for (pointer, leaf) in document.root().leaves() {
            if lifted.marks.has_node(leaf) {
                let found = written.root().at(&pointer).map(Node::raw);
                assert_eq!(found, Some(leaf.raw()), "{}", pointer.as_str());
            } else {
                carried.push(format!("{} {}", pointer.as_str(), leaf.raw()));
            }
        }
    }
    carried.sort();
    carried.dedup();
    let expected = [
        "/capabilities/0/permissions/devices []",
        "/capabilities/1/permissions/devices []",
        "/catalog_version \"catalog.v1\"",
        "/execution {}",
        "/implementation/python/callable \"a:b\"",
        "/permissions/devices []",
        "/requires_oauth false",
        "/runtime/timeout_seconds 0",
    ];
    assert_eq!(carried, expected);
}
