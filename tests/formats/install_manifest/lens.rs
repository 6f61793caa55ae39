//! Lift and lower, without other formats.

use convert::{Conversion, Options, convert};
use install_manifest::FORMAT;
use manifest_core::descriptor::{
    Body, Command, CommandInput, Http, Invocation, Kind, RiskProfile, SideEffects,
};
use manifest_core::format::CallSupport;
use manifest_core::json::Document;
use manifest_core::{LiftedDocument, Limits, ToolDescriptor};
use serde_json::{Value, json};

mod built;
mod laws;
mod versions;

/// Every valid document that people wrote.
const VALID: [(&str, &str); 7] = [
    ("0.3", include_str!("../../fixtures/install-manifest/valid/0.3.json")),
    ("billing-0.2", include_str!("../../fixtures/install-manifest/valid/billing-0.2.json")),
    ("gmail-0.2", include_str!("../../fixtures/install-manifest/valid/gmail-0.2.json")),
    ("notes-0.3.1", include_str!("../../fixtures/install-manifest/valid/notes-0.3.1.json")),
    ("research-0.4", include_str!("../../fixtures/install-manifest/valid/research-0.4.json")),
    ("resize-0.4", include_str!("../../fixtures/install-manifest/valid/resize-0.4.json")),
    ("weather-0.1", include_str!("../../fixtures/install-manifest/valid/weather-0.1.json")),
];

fn valid(name: &str) -> &'static str {
    VALID.iter().find(|(known, _)| *known == name).unwrap().1
}

fn open(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

fn lift<'a>(document: &'a Document<'a>) -> LiftedDocument<'a> {
    FORMAT.lift(document, &Limits::default()).unwrap()
}

fn to_version(text: &str, version: &str) -> Result<Conversion, String> {
    let options = Options { version: Some(version.to_owned()), ..Options::default() };
    convert(&open(text), &FORMAT, &FORMAT, &options)
        .map_err(|report| report.errors().map(ToString::to_string).collect())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Words without their places.
fn words(words: &[manifest_core::Sourced<manifest_core::Text<'_>>]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn command<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> &'t Command<'a> {
    match tool.invocation.as_deref() {
        Some(Invocation::Command(command)) => command,
        other => panic!("{other:?}"),
    }
}

fn http<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> &'t Http<'a> {
    match tool.invocation.as_deref() {
        Some(Invocation::Http(http)) => http,
        other => panic!("{other:?}"),
    }
}

#[test]
fn actions_share_one_package() {
    let document = open(valid("gmail-0.2"));
    let lifted = lift(&document);
    let [list, send] = lifted.tools.as_slice() else { panic!() };
    assert_eq!(lifted.packages().count(), 1);
    assert_eq!(
        (list.id.as_ref(), send.id.as_ref()),
        ("gmail-yep.list_messages", "gmail-yep.send_message")
    );
    assert_eq!(list.name.as_deref().map(AsRef::as_ref), Some("list_messages"));
    let package = &list.package;
    assert_eq!(package.id.as_deref().map(AsRef::as_ref), Some("gmail-yep"));
    assert_eq!(package.title.as_deref().map(AsRef::as_ref), Some("Gmail"));
    assert_eq!(words(&package.command), ["python", "-m", "gmail_yep"]);
    assert_eq!(package.env.len(), 2);
    assert!(package.env[0].is_secret() && !package.env[1].is_secret());
    assert_eq!(words(&list.scopes_used), ["gmail.messages"]);
    assert_eq!(list.side_effects.as_deref(), Some(&SideEffects::Read));
    assert!(RiskProfile::of(send).declares_approval());
    assert_eq!(package.cost.usage_model.as_deref().map(AsRef::as_ref), Some("external"));
}

#[test]
fn templates_are_apart_from_the_program() {
    let document = open(valid("gmail-0.2"));
    let lifted = lift(&document);
    let list = command(&lifted.tools[0]);
    assert_eq!(words(&list.argv), ["python", "-m", "gmail_yep"]);
    let CommandInput::Templates(templates) = &list.input else { panic!("{list:?}") };
    assert_eq!(words(templates).last().unwrap(), "${input.limit}");
    // Fixed words before standard input are a part of the command.
    let send = command(&lifted.tools[1]);
    assert_eq!(words(&send.argv), ["python", "-m", "gmail_yep", "send"]);
    assert_eq!(send.input, CommandInput::Stdin);
}

#[test]
fn templates_and_standard_input() {
    let text = valid("gmail-0.2").replace(r#"["send"]"#, r#"["send", "${input.to}"]"#);
    let document = open(&text);
    let lifted = lift(&document);
    let send = command(&lifted.tools[1]);
    let CommandInput::TemplatesAndStdin(templates) = &send.input else { panic!("{send:?}") };
    assert_eq!(words(templates), ["send", "${input.to}"]);
}

#[test]
fn requests_have_their_path_and_headers() {
    let document = open(valid("billing-0.2"));
    let lifted = lift(&document);
    let Http { method, url, path, headers, body } = http(&lifted.tools[1]);
    assert_eq!(method.as_ref(), "POST");
    assert_eq!(url.as_ref(), "https://api.billing.example.com/v3");
    assert_eq!(path.as_deref().map(AsRef::as_ref), Some("/invoices/${input.id}/refund"));
    let header = headers.get("Authorization").unwrap();
    assert_eq!(header.as_ref(), "Bearer ${env.BILLING_TOKEN}");
    assert_eq!(*body, Body::Rest);
    let hosts = RiskProfile::of(&lifted.tools[1]).network;
    assert_eq!(hosts.value().unwrap().names, ["api.billing.example.com"]);
}

#[test]
fn mcp_tools_have_their_server() {
    let mut value = json(valid("resize-0.4"));
    value["runtime"]["kind"] = json!("mcp-stdio");
    value["actions"][0]["invocation"] = json!({"kind": "mcp-tool", "tool_name": "shrink"});
    let text = value.to_string();
    let document = open(&text);
    let lifted = lift(&document);
    let Some(Invocation::McpTool(server)) = lifted.tools[0].invocation.as_deref() else { panic!() };
    assert_eq!((server.tool.as_ref(), words(&server.argv)), ("shrink", vec!["resize".to_owned()]));
    assert_eq!((FORMAT.call_support)(&lifted.tools[0]), CallSupport::Exact);
}

#[test]
fn a_manifest_without_actions_is_one_tool() {
    let document = open(valid("weather-0.1"));
    let lifted = lift(&document);
    let [tool] = lifted.tools.as_slice() else { panic!() };
    assert_eq!(tool.id.as_ref(), "weather-mcp");
    assert_eq!(tool.id.at, tool.package.id.as_ref().unwrap().at);
    assert_eq!(tool.name, None);
    assert_eq!(tool.title.as_deref().map(AsRef::as_ref), Some("Weather"));
    assert_eq!(tool.package.title, None);
    assert_eq!(tool.kind.as_deref(), Some(&Kind::McpServer));
    // What starts the server is known, and how a tool of it is called is not.
    assert_eq!(words(&tool.package.command), ["npx", "weather-mcp"]);
    assert_eq!(tool.invocation, None);
}

/// The specification: an action without `input` takes none.
#[test]
fn an_action_without_input_takes_nothing() {
    let text = valid("0.3");
    let document = open(text);
    let lifted = lift(&document);
    assert!(!lifted.tools[0].takes_no_arguments());
    assert!(lifted.tools[1].takes_no_arguments());
    let schema = json(lifted.tools[1].input_schema.as_ref().unwrap().as_str());
    assert_eq!(schema, json!({"type": "object", "additionalProperties": false}));
    // It is not written where it was not.
    let written = FORMAT.lower_to_source(&lifted, &document).unwrap();
    assert_eq!(json(&written[0])["actions"][1].get("input"), None);
    let newer = to_version(text, "0.4").unwrap();
    assert_eq!(json(&newer.documents[0].text)["actions"][1].get("input"), None);
}

/// What a manifest says is what it says again, but for what descriptors have no word for.
#[test]
fn own_words_come_back() {
    for (name, text) in VALID {
        let document = open(text);
        let lifted = lift(&document);
        let written = FORMAT.lower_to_source(&lifted, &document).unwrap();
        let [written] = written.as_slice() else { panic!("{name}") };
        let mut expected = json(text);
        without_nothing(&mut expected);
        assert_eq!(json(written), expected, "{name}");
    }
}

/// Takes out what descriptors have no word for: texts for models, what was measured, and
/// empty lists.
fn without_nothing(value: &mut Value) {
    let root = value.as_object_mut().unwrap();
    root.retain(|_, member| *member != json!([]));
    for action in root.get_mut("actions").and_then(Value::as_array_mut).into_iter().flatten() {
        let action = action.as_object_mut().unwrap();
        action.remove("docs");
        action.remove("runtime_telemetry");
        action.retain(|_, member| *member != json!([]));
    }
}

#[test]
fn every_call_of_a_manifest_can_be_said() {
    for (name, text) in VALID {
        let document = open(text);
        for tool in lift(&document).tools {
            assert_eq!((FORMAT.call_support)(&tool), CallSupport::Exact, "{name}");
        }
    }
}

#[test]
fn a_document_is_one_manifest() {
    let text = format!("[{}]", valid("resize-0.4"));
    let document = open(&text);
    assert_eq!((FORMAT.detect)(document.root()), None);
    let report = FORMAT.validate(&document, &manifest_core::ValidateOptions::default());
    let found: Vec<_> = report.errors().collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule.code, "json/type");
    assert_eq!(found[0].message, "expected an object, found an array");
}

/// A program, a request and the tool of a server differ in what is taken for a result and for a
/// failure, and the standard error object is a failure where the manifest says so.
#[test]
fn each_kind_of_call_has_its_contract() {
    let contract = |invocation: Value, envelope: Option<&str>| {
        let text = json!({"id": "x", "invocation": invocation, "error_envelope": envelope});
        let text = text.to_string();
        (FORMAT.contract)(&serde_json::from_str::<ToolDescriptor<'_>>(&text).unwrap())
    };
    let calls = [
        json!({"command": {"argv": ["x"], "input": "stdin"}}),
        json!({"http": {"method": "GET", "url": "https://a.example", "body": "rest"}}),
        json!({"mcp_tool": {"tool": "x", "url": "https://a.example"}}),
        json!({"mcp_tool": {"tool": "x", "argv": ["y"]}}),
    ];
    let [program, request, remote, server] = calls.clone().map(|call| contract(call, None));
    assert_eq!(program.failure, "an exit code other than 0");
    assert_eq!(request.failure, "a status other than 2xx");
    assert_eq!([remote.failure, server.failure], ["a result that says it is an error"; 2]);
    assert!(program.result.starts_with("standard output"), "{}", program.result);
    assert!(request.result.starts_with("the body"), "{}", request.result);
    assert_eq!([remote.result, server.result], ["the content of the result"; 2]);
    // Nothing runs here for what is called elsewhere.
    for [here, away] in [[&program, &request], [&server, &remote]] {
        assert_eq!(here.environment, "the variables that are named");
        assert!(here.environment != away.environment && here.directory != away.directory);
    }
    for (call, plain) in calls.into_iter().zip([program, request, remote, server]) {
        let enveloped = contract(call, Some("standard"));
        assert_eq!(enveloped.failure, format!("{}, or the standard error object", plain.failure));
        assert!(
            plain.fills_defaults && plain.host_rules.variables_required && !plain.keeps_timeout
        );
    }
}

/// An action refuses arguments that its schema does not name, unless the schema lets them through.
#[test]
fn arguments_that_a_schema_does_not_name() {
    let unnamed = |tool: Value| {
        let text = tool.to_string();
        (FORMAT.contract)(&serde_json::from_str::<ToolDescriptor<'_>>(&text).unwrap())
            .extra_arguments
    };
    assert_eq!(unnamed(json!({"id": "x"})), "refused");
    for (schema, becomes) in [
        (json!({}), "refused"),
        (json!({"properties": {"a": {}}}), "refused"),
        (json!({"additionalProperties": false}), "refused"),
        (json!({"unevaluatedProperties": false}), "refused"),
        (json!(false), "refused"),
        (json!(true), "passed on"),
        (json!({"additionalProperties": true}), "passed on"),
        (json!({"additionalProperties": {"type": "string"}}), "passed on"),
        (json!({"patternProperties": {"^x-": true}}), "passed on"),
    ] {
        assert_eq!(unnamed(json!({"id": "x", "input_schema": schema})), becomes, "{schema}");
    }
}
