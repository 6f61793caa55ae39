//! The input of a call, and what is made of it.

use install_engine::invoke::{self, Schemas};
use install_engine::plan::{Server, Step};
use manifest_core::Limits;
use serde_json::{Value, json};

use crate::{base, changed, codes, values, with};

/// The input after checks, or the codes of what is wrong and where.
fn input(schema: Option<Value>, arguments: &str) -> Result<Value, Vec<(&'static str, String)>> {
    let mut manifest = base();
    match schema {
        Some(schema) => manifest["actions"][0]["input"] = schema,
        None => drop(manifest["actions"][0].as_object_mut().unwrap().remove("input")),
    }
    with(&manifest, |manifest| {
        let schemas = Schemas::compile(&manifest.actions[0], &Limits::default()).unwrap();
        match schemas.input(arguments) {
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
    assert_eq!(input(Some(schema.clone()), "").unwrap_err(), [("input", String::new())]);
    let wrong = input(Some(schema), r#"{"query": 1, "limit": 1.5}"#).unwrap_err();
    assert_eq!(wrong, [("input", "/limit".to_owned()), ("input", "/query".to_owned())]);
}

#[test]
fn unknown_properties_are_refused_unless_the_schema_permits_them() {
    let some = json!({"type": "object", "properties": {"a": {}}});
    let refused = |schema: Value| {
        let found = input(Some(schema), r#"{"a": 1, "b": 2}"#).unwrap_err();
        found.iter().map(|(code, _)| *code).collect::<Vec<_>>()
    };
    assert_eq!(refused(some.clone()), ["unknown-input"]);
    assert_eq!(
        refused(json!({"properties": {"a": {}}, "additionalProperties": false})),
        ["unknown-input"]
    );
    assert_eq!(
        refused(json!({"$ref": "#/$defs/x", "$defs": {"x": some.clone()}})),
        ["unknown-input"]
    );
    assert_eq!(refused(json!({"allOf": [some.clone()]})), ["unknown-input"]);
    assert_eq!(
        refused(json!({"anyOf": [some.clone(), {"properties": {"c": {}}}]})),
        ["unknown-input"]
    );
    assert_eq!(
        refused(json!({"$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {}}})),
        ["unknown-input"]
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
    assert_eq!(found, [("unknown-input", "/a~1b".to_owned())]);
}

#[test]
fn what_is_not_an_object() {
    for arguments in ["[]", "null", "5", "\"x\""] {
        assert_eq!(input(None, arguments).unwrap_err(), [("input", String::new())]);
    }
    assert_eq!(input(None, "{").unwrap_err()[0].0, "syntax");
    assert_eq!(input(None, r#"{"a":1,"a":2}"#).unwrap_err()[0].0, "duplicate-key");
}

fn plan(changes: &[(&str, Value)], arguments: &str) -> Result<invoke::Plan, Vec<&'static str>> {
    let limits = Limits::default();
    with(&changed(changes), |manifest| {
        let action = invoke::find(manifest, "act").unwrap();
        let input = Schemas::compile(action, &limits).unwrap().input(arguments).unwrap();
        invoke::plan(manifest, action, &input, &values(), &limits)
            .map_err(|problems| codes(&problems))
    })
}

#[test]
fn a_program() {
    let Step::Run(program) = plan(&[], "{}").unwrap().step else { panic!("a program") };
    assert_eq!(program.argv, ["notes", "--json", "act"]);
    assert_eq!(program.stdin, None);
    assert_eq!(program.env.get("API_KEY").unwrap().expose(), "hunter2");

    let stdin = ("/actions/0/invocation", json!({"kind": "stdin-json"}));
    let cwd = ("/runtime/entrypoint/cwd", json!("/srv"));
    let Step::Run(program) = plan(&[stdin, cwd], r#"{"a": "${env.API_KEY}"}"#).unwrap().step else {
        panic!("a program")
    };
    assert_eq!(program.argv, ["notes", "--json"]);
    assert_eq!(program.stdin.as_deref(), Some(r#"{"a": "${env.API_KEY}"}"#));
    assert_eq!(program.cwd.as_deref(), Some("/srv"));
}

#[test]
fn a_tool_gets_the_variables_it_declares_and_no_others() {
    let mut more = values();
    more.insert("OTHER", install_engine::env::Sensitive::public("x"));
    // Whoever passes a secret as public text is not believed.
    more.insert("API_KEY", install_engine::env::Sensitive::public("hunter2"));
    let limits = Limits::default();
    with(&base(), |manifest| {
        let input = invoke::Input::unchecked("", &limits).unwrap();
        let plan = invoke::plan(manifest, &manifest.actions[0], &input, &more, &limits).unwrap();
        let Step::Run(program) = &plan.step else { panic!("a program") };
        assert_eq!(program.env.get("OTHER"), None);
        crate::is_masked(&format!("{plan:?}"));
        crate::is_masked(&serde_json::to_string(&plan).unwrap());
    });
}

#[test]
fn an_mcp_tool() {
    let tool = ("/actions/0/invocation", json!({"kind": "mcp-tool", "tool_name": "do"}));
    assert_eq!(plan(std::slice::from_ref(&tool), "").unwrap_err(), ["action-runtime"]);
    let stdio = ("/runtime/kind", json!("mcp-stdio"));
    let Step::CallTool(call) = plan(&[tool.clone(), stdio], r#"{"a": 1}"#).unwrap().step else {
        panic!("a call")
    };
    assert_eq!((call.tool_name.as_str(), call.arguments.as_str()), ("do", r#"{"a": 1}"#));
    assert!(matches!(call.server, Server::Stdio(program) if program.argv == ["notes", "--json"]));
    let http = ("/runtime/kind", json!("mcp-http"));
    let Step::CallTool(call) = plan(&[tool, http], "").unwrap().step else { panic!("a call") };
    assert!(matches!(call.server, Server::Http { url } if url == "https://api.good.com/v1/"));
}

#[test]
fn what_the_runtime_lacks() {
    let http = json!({"kind": "http", "method": "GET", "path": "/x"});
    let mut manifest = changed(&[("/actions/0/invocation", http)]);
    manifest["runtime"].as_object_mut().unwrap().remove("endpoint_url");
    let limits = Limits::default();
    let input = invoke::Input::unchecked("", &limits).unwrap();
    let problems = |manifest: &Value| {
        with(manifest, |manifest| {
            let plan = invoke::plan(manifest, &manifest.actions[0], &input, &values(), &limits);
            codes(&plan.unwrap_err())
        })
    };
    assert_eq!(problems(&manifest), ["action-runtime"]);
    let mut manifest = base();
    manifest["runtime"].as_object_mut().unwrap().remove("entrypoint");
    assert_eq!(problems(&manifest), ["action-runtime"]);
    let command = json!(["notes", "${env.REGION}"]);
    assert_eq!(problems(&changed(&[("/runtime/entrypoint/command", command)])), ["template"]);
}

#[test]
fn advice_on_risk() {
    let careful = |effects: &str, idempotent: Value| {
        let changes =
            [("/actions/0/side_effects", json!(effects)), ("/actions/0/idempotent", idempotent)];
        let plan = plan(&changes, "").unwrap();
        (plan.needs_confirmation, plan.idempotent)
    };
    assert_eq!(careful("destructive", json!(false)), (true, false));
    assert_eq!(careful("write", json!(true)), (false, true));
    assert!(!plan(&[], "").unwrap().idempotent, "absent means no");
}

#[test]
fn an_action_that_is_not_there() {
    with(&base(), |manifest| {
        let problem = invoke::find(manifest, "acts").unwrap_err();
        assert_eq!(problem.rule.code, "install-manifest/unknown-action");
        assert_eq!(problem.help.as_deref(), Some("did you mean \"act\"?"));
    });
}
