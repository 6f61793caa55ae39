//! Tools of other formats, built by hand: a document is a list of descriptors.

use convert::{AcceptedLoss, RunMode};
use manifest_core::format::{
    Cardinality, Contract, Derivation, Reader, SafetyFeatures, ToolContext, ToolGroup, Writer,
};
use manifest_core::{Diagnostic, Format, sha256_hex};

use super::*;

/// A format that says everything that descriptors say.
static OTHER: Format = Format {
    name: "other",
    versions: &[],
    tables: &[],
    rules: &[],
    cardinality: Cardinality::Tools,
    catalog: None,
    keys: &[],
    safety_features: SafetyFeatures {
        disabled: true,
        approval: true,
        reach: true,
        payment: true,
        enforces_reach: true,
    },
    detect: |_| None,
    look_alike: |_| None,
    check: |_, options| options.new_report(),
    read: read_built,
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
    file_name: |_| "other".to_owned(),
    write_document: |_: &mut Writer<'_>, _: &ToolGroup<'_, '_>| Ok::<(), Diagnostic>(()),
    write_tool: |_: &mut Writer<'_>, _: &ToolContext<'_, '_>| Ok::<(), Diagnostic>(()),
};

fn read_built<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let text = reader.root().raw();
    LiftedDocument {
        tools: serde_json::from_str(text).unwrap(),
        is_list: true,
        ..LiftedDocument::default()
    }
}

/// The manifest that a tool becomes, and how it runs.
fn lower(tool: &Value) -> (Value, RunMode) {
    let text = json!([tool]).to_string();
    let options = Options { accept: [AcceptedLoss::Version].into(), ..Options::default() };
    let converted = convert(&open(&text), &OTHER, &FORMAT, &options);
    let converted = converted.unwrap_or_else(|report| {
        panic!("{:#?}", report.errors().map(ToString::to_string).collect::<Vec<_>>())
    });
    let [document] = converted.documents.as_slice() else { panic!() };
    let manifest = json(&document.text);
    assert_eq!(manifest["manifest_version"], "0.4");
    super::versions::published("0.4", &manifest);
    (manifest, converted.tools[0].runs.clone())
}

fn with(changes: &[(&str, Value)]) -> Value {
    let mut tool = json!({
        "id": "mail.send",
        "description": "Sends a message. At once.",
        "input_schema": {"type": "object", "properties": {"to": {"type": "string"}}},
        "invocation": {"command": {"argv": ["/usr/bin/mail", "send"], "input": "stdin"}},
    });
    for (name, value) in changes {
        tool[*name] = value.clone();
    }
    tool
}

#[test]
fn a_program_that_reads_standard_input() {
    let (manifest, runs) = lower(&with(&[]));
    assert_eq!(runs, RunMode::AsItIs);
    assert_eq!(
        manifest["runtime"],
        json!({
            "kind": "shell-binary",
            "install": {
                "method": "preinstalled",
                "locator": {"kind": "binary-on-path", "binary": "mail"},
            },
            "entrypoint": {"command": ["/usr/bin/mail", "send"]},
        })
    );
    let action = &manifest["actions"][0];
    assert_eq!(action["invocation"], json!({"kind": "stdin-json"}));
    assert_eq!(action["name"], "send");
    assert_eq!(action["summary"], "Sends a message.");
    assert_eq!(action["description"], "Sends a message. At once.");
    assert_eq!(action["side_effects"], "destructive");
    // The whole id, never its beginning.
    let digest = sha256_hex(b"mail.send");
    let id = format!("mail-send-{}", &digest[..8]);
    assert_eq!(manifest["tool"]["id"], id);
    assert_eq!(manifest["tool"]["version"], "0.0.0");
    assert_eq!(manifest["tool"]["homepage"], format!("https://example.invalid/{id}"));
    let smoke = json!({
        "kind": "shell",
        "command": ["which", "/usr/bin/mail"],
        "success": {"exit_code": 0},
    });
    assert_eq!(manifest["smoke"], smoke);
    assert_eq!(manifest["kill_switch"]["kind"], "manual");
}

#[test]
fn what_has_no_words_goes_through_the_bridge() {
    let calls = [
        // Relative to another folder in every format.
        json!({"command": {"argv": ["./tools/bin/mail"], "input": "stdin"}}),
        json!({"command": {"argv": ["/bin/mail"], "input": "argument"}}),
        json!({"command": {"argv": ["/bin/mail", "${x}"], "input": "stdin"}}),
        // Arguments follow what all actions begin with, and here nothing does.
        json!({"command": {"argv": ["/bin/mail"], "input": {"templates": ["${input.to}"]}}}),
        json!({"command": {"argv": ["/bin/mail"], "input": {"templates_and_stdin": ["x"]}}}),
        // It takes arguments, and gets none there.
        json!({"command": {"argv": ["/bin/mail", "x"], "input": "extra"}}),
        json!({"command_line": "mail send"}),
        json!({"python": "mail:send"}),
        json!({"node": {"main": "mail.mjs"}}),
        json!({"a2a": "https://example.com/a2a"}),
        json!({"registry_tool": {"registry": "https://example.com/r", "tool": "send"}}),
        json!({"http": {"method": "GET", "url": "https://example.com/x", "body": "whole"}}),
        json!({"http": {"method": "POST", "url": "https://example.com", "body": "whole"}}),
    ];
    for call in calls {
        let tool = with(&[("invocation", call.clone())]);
        let (manifest, runs) = lower(&tool);
        assert_eq!(runs, RunMode::ThroughTheBridge, "{call}");
        let seal = format!("sha256:{}", sha256_hex(json!([tool]).to_string().as_bytes()));
        let line = ["--for", "install-manifest", "--source", &seal, "--tool", "mail.send"];
        let command = |words: &[&str]| json!([words, &line].concat());
        let entrypoint = &manifest["runtime"]["entrypoint"];
        assert_eq!(*entrypoint, json!({"command": command(&["toolglot", "bridge"])}));
        assert_eq!(manifest["smoke"]["command"], command(&["toolglot", "bridge", "--check"]));
        assert_eq!(manifest["runtime"]["install"]["locator"]["binary"], "toolglot");
        assert_eq!(manifest["actions"][0]["invocation"], json!({"kind": "stdin-json"}));
    }
}

#[test]
fn a_program_that_takes_nothing() {
    let call = json!({"command": {"argv": ["/bin/uptime", "-p"], "input": "extra"}});
    let closed = json!({"type": "object", "additionalProperties": false});
    let (manifest, runs) =
        lower(&with(&[("invocation", call.clone()), ("input_schema", closed.clone())]));
    assert_eq!(runs, RunMode::AsItIs);
    assert_eq!(manifest["runtime"]["entrypoint"], json!({"command": ["/bin/uptime"]}));
    let invocation = json!({"kind": "subcommand", "argv_template": ["-p"]});
    assert_eq!(manifest["actions"][0]["invocation"], invocation);
    // It is given no variables elsewhere, and would be here.
    let package = json!({"env": [{"name": "TOKEN"}]});
    let (_, runs) =
        lower(&with(&[("invocation", call), ("input_schema", closed), ("package", package)]));
    assert_eq!(runs, RunMode::ThroughTheBridge);
}

fn request(scheme: &str, env: &[&str]) -> Value {
    let call = json!({"http": {
        "method": "POST",
        "url": "https://api.example.com/v1/send?now=1",
        "body": "whole",
    }});
    let env: Vec<Value> = env.iter().map(|name| json!({"name": name})).collect();
    let auth = json!({"scheme": scheme, "scopes": ["mail.send", "mail.all"]});
    with(&[("invocation", call), ("package", json!({"env": env})), ("auth", auth)])
}

#[test]
fn a_request_with_its_header() {
    let headers = [
        ("bearer", json!({"Authorization": "Bearer ${env.TOKEN}"})),
        ("api_key", json!({"X-API-Key": "${env.TOKEN}"})),
        ("none", Value::Null),
    ];
    for (scheme, header) in headers {
        let (manifest, runs) = lower(&request(scheme, &["TOKEN"]));
        assert_eq!(runs, RunMode::AsItIs);
        assert_eq!(manifest["runtime"]["endpoint_url"], "https://api.example.com");
        let invocation = &manifest["actions"][0]["invocation"];
        assert_eq!(invocation["method"], "POST");
        assert_eq!(invocation["path"], "/v1/send?now=1");
        assert_eq!(invocation["headers"], header);
        let variable = &manifest["env"][0];
        assert_eq!((&variable["name"], &variable["secret"]), (&json!("TOKEN"), &json!(true)));
        assert_eq!(variable["prompt"], "The value of TOKEN.");
        assert_eq!(variable["required"], json!(scheme != "none"));
    }
    // The first that has a value counts, and names have a grammar.
    for env in [&["TOKEN", "OTHER"][..], &["token"]] {
        let (manifest, runs) = lower(&request("bearer", env));
        assert_eq!(runs, RunMode::ThroughTheBridge);
        assert_eq!(manifest["env"].as_array().map_or(0, Vec::len), env.len());
    }
}

/// A secret is one under any name.
#[test]
fn names_of_variables_fit() {
    for (name, begins) in
        [("api-key", "API_KEY_"), ("_TOKEN", "TOKEN_"), ("9x", "V_9X_"), ("é", "V_")]
    {
        let (manifest, runs) = lower(&request("bearer", &[name]));
        assert_eq!(runs, RunMode::ThroughTheBridge);
        let variable = &manifest["env"][0];
        let digest = sha256_hex(name.as_bytes())[..8].to_uppercase();
        assert_eq!(variable["name"], format!("{begins}{digest}"));
        assert_eq!(variable["secret"], true);
    }
    // There is room for 32.
    let names: Vec<String> = (0..40).map(|number| format!("N{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (manifest, runs) = lower(&request("bearer", &names));
    assert_eq!(
        (manifest["env"].as_array().map(Vec::len), runs),
        (Some(32), RunMode::ThroughTheBridge)
    );
}

#[test]
fn permissions_and_scopes_become_scopes() {
    let permissions = json!({
        "network": "allowlist",
        "hosts": ["a.example.com", "b.example.com"],
        "filesystem": "write",
        "devices": ["camera"],
    });
    let auth = json!({"scheme": "oauth2", "scopes": ["mail.send", "mail.all"]});
    let (manifest, _) = lower(&with(&[("permissions", permissions), ("auth", auth)]));
    let scopes = manifest["scopes"].as_array().unwrap();
    let said: Vec<_> = scopes.iter().map(|one| (&one["resource"], &one["actions"])).collect();
    let expected = [
        (json!("net.outbound"), json!(["read", "send"])),
        (json!("fs.local"), json!(["read", "write"])),
        (json!("device.camera"), json!(["execute"])),
        (json!("mail.send"), json!(["send"])),
        (json!("mail.all"), json!(["admin"])),
    ];
    let expected: Vec<_> = expected.iter().map(|(resource, verbs)| (resource, verbs)).collect();
    assert_eq!(said, expected);
    let rationale =
        "The source's host lets it reach a.example.com, b.example.com, with sub-domains.";
    assert_eq!(scopes[0]["rationale"], rationale);
    assert_eq!(scopes[3]["provider_scope"], "mail.send");
    let used: Vec<_> = expected.iter().map(|(resource, _)| (*resource).clone()).collect();
    assert_eq!(manifest["actions"][0]["scopes_used"], json!(used));
}

/// What is denied is no word about what a tool does.
#[test]
fn what_is_denied_is_not_claimed() {
    let permissions = json!({"network": "deny", "filesystem": "none"});
    let (manifest, _) = lower(&with(&[("permissions", permissions)]));
    assert_eq!(manifest.get("scopes"), None);
}

#[test]
fn a_call_over_the_network_says_so() {
    let (manifest, _) = lower(&request("none", &[]));
    assert_eq!(manifest["scopes"][0]["resource"], "net.outbound");
    assert_eq!(manifest["scopes"][0]["rationale"], "Its call goes to api.example.com.");
}

#[test]
fn approval_is_destruction() {
    let effects = |changes: &[(&str, Value)]| {
        lower(&with(changes)).0["actions"][0]["side_effects"].as_str().unwrap().to_owned()
    };
    assert_eq!(effects(&[("side_effects", json!("read"))]), "read");
    assert_eq!(effects(&[("requires_approval", json!(true))]), "destructive");
    assert_eq!(effects(&[("requires_approval", json!(false))]), "destructive");
    let both = [("side_effects", json!("write")), ("requires_approval", json!(true))];
    assert_eq!(effects(&both), "destructive");
}

#[test]
fn what_costs_money_says_so() {
    let package = json!({"cost": {"payment": true}});
    let (manifest, _) = lower(&with(&[("package", package)]));
    assert_eq!(manifest["cost"], json!({"usage_model": "external"}));
}

/// Rows V06 and V07 of the catalogue of attacks.
#[test]
fn names_versions_and_texts_fit() {
    let package = json!({
        "version": "1.2.0-RC.1+build",
        "tags": ["mail", "Not One", "x-y"],
        "homepage": "not a page",
        "publisher": {"id": "p", "name": "P", "url": "nowhere", "email": "p@example.com"},
    });
    let long = "x".repeat(300);
    let tool = with(&[
        ("id", json!("9 Lives!")),
        ("title", json!(long)),
        ("summary", json!(long)),
        ("package", package),
    ]);
    let (manifest, _) = lower(&tool);
    let tool = &manifest["tool"];
    assert_eq!(tool["version"], "1.2.0-rc.1");
    assert_eq!(tool["tags"], json!(["mail", "x-y"]));
    assert_eq!(tool["name"], "x".repeat(80));
    assert_eq!(tool["summary"], "x".repeat(280));
    assert_eq!(manifest["actions"][0]["summary"], "x".repeat(280));
    assert_eq!(tool["author"], json!({"name": "P", "email": "p@example.com"}));
    assert!(tool["homepage"].as_str().unwrap().starts_with("https://example.invalid/9-lives-"));
    assert!(manifest["actions"][0]["name"].as_str().unwrap().starts_with("t_9_lives_"));
}

#[test]
fn publishers_and_labels_are_named() {
    let package = json!({
        "tags": ["mail"],
        "labels": ["mail", "Not One", "beta"],
        "publisher": {"id": "acme"},
    });
    let (manifest, _) = lower(&with(&[("package", package)]));
    assert_eq!(manifest["tool"]["author"], json!({"name": "acme"}));
    assert_eq!(manifest["tool"]["tags"], json!(["mail", "beta"]));
    let labels: Vec<String> = (0..20).map(|number| format!("l{number}")).collect();
    let (manifest, _) = lower(&with(&[("package", json!({"labels": labels}))]));
    assert_eq!(manifest["tool"]["tags"], json!(labels[..16]));
}

/// Without a schema, this format takes no arguments; the source takes any.
#[test]
fn arguments_that_nobody_describes() {
    let (manifest, _) = lower(&with(&[("input_schema", Value::Null)]));
    let any = json!({"type": "object", "additionalProperties": true});
    assert_eq!(manifest["actions"][0]["input"], any);
}

/// A schema that does not close itself is open elsewhere, and closed here.
#[test]
fn open_schemas_stay_open() {
    let input =
        |schema: Value| lower(&with(&[("input_schema", schema)])).0["actions"][0]["input"].clone();
    let schema = json!({"type": "object", "properties": {"to": {"type": "string"}}});
    let mut open = schema.clone();
    open["additionalProperties"] = json!(true);
    assert_eq!(input(schema), open);
    assert_eq!(input(json!({})), json!({"additionalProperties": true}));
    let spoken = [
        json!({"type": "object", "additionalProperties": false}),
        json!({"patternProperties": {"^x": {}}}),
        json!({"unevaluatedProperties": false}),
    ];
    for schema in spoken {
        assert_eq!(input(schema.clone()), schema);
    }
}

#[test]
fn before_0_4_no_program_is_there_already() {
    let text = json!([with(&[])]).to_string();
    let options = Options { version: Some("0.3".to_owned()), ..Options::default() };
    let report = convert(&open(&text), &OTHER, &FORMAT, &options).unwrap_err();
    let [error] = report.errors().collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!(error.rule.code, "convert/version");
    let message = "0.3 has no word for a program that is there already; convert to 0.4";
    assert_eq!(error.message, message);
}

/// Nothing that the source does not say counts as said.
#[test]
fn what_is_assumed_is_listed() {
    let text = json!([with(&[])]).to_string();
    let document = open(&text);
    let converted = convert(&document, &OTHER, &FORMAT, &Options::default()).unwrap();
    let account = converted.report();
    let assumed: Vec<&str> = account
        .target
        .iter()
        .filter(|leaf| leaf.how == Derivation::Assumed)
        .map(|leaf| leaf.target.pointer.as_str())
        .collect();
    let expected = [
        "/manifest_version",
        "/tool/version",
        "/runtime/kind",
        "/runtime/install/method",
        "/runtime/install/locator/kind",
        "/actions/0/invocation/kind",
        "/actions/0/input/additionalProperties",
        "/actions/0/output/format",
        "/actions/0/side_effects",
        "/smoke/kind",
        "/smoke/command/0",
        "/smoke/success/exit_code",
        "/kill_switch/kind",
    ];
    assert_eq!(assumed, expected);
}
