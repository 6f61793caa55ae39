//! The input of a call, and what is made of it.

use call::{Arguments, Concern, Missing, OutcomeUse, Plan, Policy, Server, Step};
use install_manifest::FORMAT;
use manifest_core::Limits;
use manifest_core::format::HostRules;
use manifest_core::json::Document;
use serde_json::{Value, json};

use super::{base, called, changed, codes, value, with_tools};

/// The input after checks, or the codes of what is wrong and where.
fn input(schema: Option<Value>, arguments: &str) -> Result<Value, Vec<(&'static str, String)>> {
    let mut manifest = base();
    match schema {
        Some(schema) => manifest["actions"][0]["input"] = schema,
        None => drop(manifest["actions"][0].as_object_mut().unwrap().remove("input")),
    }
    with_tools(&manifest, |_, tools| {
        let contract = (FORMAT.contract)(&tools[0]);
        match Arguments::validate(&tools[0], &contract, arguments, &Limits::default()) {
            Ok(input) => Ok(serde_json::from_str(input.as_str()).unwrap()),
            Err(problems) => {
                let places = problems.iter().map(|found| found.pointer.to_string());
                Err(codes(&problems).into_iter().zip(places).collect())
            }
        }
    })
}

#[test]
fn defaults_are_filled_in() {
    let schema = json!({"type": "object", "required": ["query"], "properties": {
        "query": {"type": "string"}, "limit": {"type": "integer", "default": 25},
        "dry": {"type": "boolean", "default": false}}});
    let filled = input(Some(schema.clone()), r#"{"query": "x"}"#).unwrap();
    assert_eq!(filled, json!({"query": "x", "limit": 25, "dry": false}));
    assert_eq!(input(Some(schema.clone()), "").unwrap_err(), [("arguments", String::new())]);
    let wrong = input(Some(schema), r#"{"query": 1, "limit": 1.5}"#).unwrap_err();
    assert_eq!(wrong, [("arguments", "/limit".to_owned()), ("arguments", "/query".to_owned())]);
}

/// Row S21 of the catalogue of attacks.
#[test]
fn unknown_properties_are_refused_unless_the_schema_permits_them() {
    let some = json!({"type": "object", "properties": {"a": {}}});
    let refused = |schema: Value| {
        let found = input(Some(schema), r#"{"a": 1, "b": 2}"#).unwrap_err();
        found.iter().map(|(code, _)| *code).collect::<Vec<_>>()
    };
    assert_eq!(refused(some.clone()), ["unknown-argument"]);
    assert_eq!(
        refused(json!({"properties": {"a": {}}, "additionalProperties": false})),
        ["unknown-argument"]
    );
    assert_eq!(
        refused(json!({"$ref": "#/$defs/x", "$defs": {"x": some.clone()}})),
        ["unknown-argument"]
    );
    assert_eq!(refused(json!({"allOf": [some.clone()]})), ["unknown-argument"]);
    assert_eq!(
        refused(json!({"anyOf": [some.clone(), {"properties": {"c": {}}}]})),
        ["unknown-argument"]
    );
    assert_eq!(
        refused(json!({"$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {}}})),
        ["unknown-argument"]
    );

    let accepted = |schema: Value| input(Some(schema), r#"{"a": 1, "b": 2}"#).is_ok();
    assert!(accepted(json!({"allOf": [some.clone(), {"properties": {"b": {}}}]})));
    assert!(accepted(json!({"properties": {"a": {}}, "additionalProperties": true})));
    assert!(accepted(json!({"properties": {"a": {}}, "patternProperties": {"^b$": {}}})));
    assert!(accepted(
        json!({"properties": {"a": {}}, "unevaluatedProperties": {"type": "integer"}})
    ));
    assert!(accepted(json!({"allOf": [{"additionalProperties": true}]})));
    assert!(!accepted(
        json!({"properties": {"a": {}}, "unevaluatedProperties": {"type": "string"}})
    ));
}

#[test]
fn an_action_without_a_schema_takes_nothing() {
    assert_eq!(input(None, " "), Ok(json!({})));
    assert_eq!(input(None, "{}"), Ok(json!({})));
    let found = input(None, r#"{"a/b": 1}"#).unwrap_err();
    assert_eq!(found, [("unknown-argument", "/a~1b".to_owned())]);
}

#[test]
fn what_is_not_an_object() {
    for arguments in ["[]", "null", "5", "\"x\""] {
        assert_eq!(input(None, arguments).unwrap_err(), [("arguments", String::new())]);
    }
    assert_eq!(input(None, "{").unwrap_err()[0].0, "syntax");
    assert_eq!(input(None, r#"{"a":1,"a":2}"#).unwrap_err()[0].0, "duplicate-key");
}

fn plan(changes: &[(&str, Value)], arguments: &str) -> Result<Plan, Vec<&'static str>> {
    called(&changed(changes), arguments, &|name| value(name).is_some())
        .map_err(|problems| codes(&problems))
}

fn words(program: &call::Program) -> Vec<String> {
    program.argv.iter().map(ToString::to_string).collect()
}

#[test]
fn a_program() {
    let Step::Run(program) = plan(&[], "{}").unwrap().step else { panic!("a program") };
    assert_eq!(words(&program), ["notes", "--json", "act"]);
    assert_eq!(program.stdin, None);
    let env = program.environment(&|_| None, &value);
    assert_eq!(env.get("API_KEY"), Some(&"hunter2"));

    let stdin = ("/actions/0/invocation", json!({"kind": "stdin-json"}));
    let cwd = ("/runtime/entrypoint/cwd", json!("/srv"));
    let Step::Run(program) = plan(&[stdin, cwd], r#"{"a": "${env.API_KEY}"}"#).unwrap().step else {
        panic!("a program")
    };
    assert_eq!(words(&program), ["notes", "--json"]);
    assert_eq!(program.stdin.as_deref(), Some(r#"{"a": "${env.API_KEY}"}"#));
    assert_eq!(program.cwd.as_deref(), Some("/srv"));
}

#[test]
fn a_tool_gets_the_variables_it_declares_and_no_others() {
    let Step::Run(program) = plan(&[], "").unwrap().step else { panic!("a program") };
    assert_eq!(program.variables, ["API_KEY", "REGION"]);
    let any = |_: &str| Some("x");
    let given: Vec<&str> = program.environment(&|_| None, &any).into_keys().collect();
    assert_eq!(given, ["API_KEY", "REGION"]);
}

#[test]
fn an_mcp_tool() {
    let tool = ("/actions/0/invocation", json!({"kind": "mcp-tool", "tool_name": "do"}));
    // A manifest whose runtime is no server is refused as a whole.
    let text = changed(std::slice::from_ref(&tool)).to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let refused = FORMAT.lift(&document, &Limits::default()).unwrap_err();
    assert!(codes(&refused.diagnostics).contains(&"action-runtime"));

    let stdio = changed(&[tool.clone(), ("/runtime/kind", json!("mcp-stdio"))]);
    let Step::CallTool(call) = called(&stdio, r#"{"a": 1}"#, &|_| true).unwrap().step else {
        panic!("a call")
    };
    assert_eq!((call.tool.as_str(), call.arguments.as_str()), ("do", r#"{"a": 1}"#));
    assert!(matches!(call.server, Server::Stdio(run) if words(&run) == ["notes", "--json"]));
    let http = ("/runtime/kind", json!("mcp-http"));
    let Step::CallTool(call) = plan(&[tool, http], "").unwrap().step else { panic!("a call") };
    assert!(matches!(call.server, Server::Http { url } if url == "https://api.good.com/v1/"));
}

/// Row T33 of the catalogue of attacks.
#[test]
fn what_the_runtime_lacks() {
    let http = json!({"kind": "http", "method": "GET", "path": "/x"});
    let mut manifest = changed(&[("/actions/0/invocation", http)]);
    manifest["runtime"].as_object_mut().unwrap().remove("endpoint_url");
    let problems = |manifest: &Value| codes(&called(manifest, "", &|_| true).unwrap_err());
    assert_eq!(problems(&manifest), ["url"]);
    let mut manifest = base();
    manifest["runtime"].as_object_mut().unwrap().remove("entrypoint");
    assert_eq!(problems(&manifest), ["no-call"]);
    let command = json!(["notes", "${env.REGION}"]);
    assert_eq!(problems(&changed(&[("/runtime/entrypoint/command", command)])), ["template"]);
}

#[test]
fn advice_on_risk() {
    let careful = |effects: &str, idempotent: Value| {
        let changes =
            [("/actions/0/side_effects", json!(effects)), ("/actions/0/idempotent", idempotent)];
        with_tools(&changed(&changes), |_, tools| {
            let concerns = Policy::default().concerns(&tools[0], &HostRules::PLAIN);
            let OutcomeUse::Judge(judge) = plan(&changes, "").unwrap().then else {
                panic!("a judge")
            };
            (concerns.contains(&Concern::Destructive), judge.idempotent)
        })
    };
    assert_eq!(careful("destructive", json!(false)), (true, false));
    assert_eq!(careful("write", json!(true)), (false, true));
    let OutcomeUse::Judge(judge) = plan(&[], "").unwrap().then else { panic!("a judge") };
    assert!(!judge.idempotent, "absent means no");
}

#[test]
fn an_action_that_is_not_there() {
    with_tools(&base(), |_, tools| {
        assert_eq!(*call::find_tool(tools, "act").unwrap().id, "notes.act");
        let problem = call::find_tool(tools, "acts").unwrap_err();
        assert_eq!(problem.rule.code, "call/unknown-tool");
        assert_eq!(problem.help.as_deref(), Some("did you mean \"act\"?"));
    });
}

/// A value that nobody collected is missing, and nothing is done before it is there.
#[test]
fn values_that_are_missing() {
    let invocation = json!({"kind": "subcommand", "argv_template": ["${env.REGION}"]});
    let manifest = changed(&[("/actions/0/invocation", invocation)]);
    let plan = called(&manifest, "", &|_| false).unwrap();
    assert!(plan.missing.contains(&Missing::Value("REGION".to_owned())), "{:?}", plan.missing);
}
