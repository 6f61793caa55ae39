//! Lists of tools in the shapes of servers and requests.

use manifest_core::descriptor::{Invocation, RiskProfile, SideEffects};
use manifest_core::json::{Document, Raw};
use manifest_core::{Limits, ToolDescriptor, ValidateOptions};
use mcp::tool_list::{FORMAT, Server, with_server};
use serde_json::{Value, json};

fn read(text: &str) -> Vec<ToolDescriptor<'static>> {
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    let limits = Limits::default();
    let document = Box::leak(Box::new(Document::parse(text.as_bytes(), &limits).unwrap()));
    assert!((FORMAT.detect)(document.root()).is_some(), "{text}");
    FORMAT.lift(document, &limits).unwrap().tools
}

#[test]
fn every_shape_is_known() {
    for text in [
        r#"{"tools":[{"name":"f","description":"D","inputSchema":{"type":"object"}}],"nextCursor":"x"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"f","description":"D","inputSchema":{"type":"object"}}]}}"#,
        r#"{"tools":[{"type":"function","function":{"name":"f","description":"D","parameters":{"type":"object"}}}]}"#,
        r#"{"tools":[{"type":"function","name":"f","description":"D","parameters":{"type":"object"},"strict":null}]}"#,
        r#"{"model":"m","tools":[{"name":"f","description":"D","input_schema":{"type":"object"}}]}"#,
        r#"{"tools":[{"functionDeclarations":[{"name":"f","description":"D","parametersJsonSchema":{"type":"object"}}]}]}"#,
        r#"{"tools":[{"function_declarations":[{"name":"f","description":"D","parameters":{"type":"OBJECT"}}]}]}"#,
        r#"{"contents":[],"tools":[{"functionDeclarations":[{"name":"f","description":"D","parameters_json_schema":{"type":"object"}}]}]}"#,
    ] {
        let tools = read(text);
        assert_eq!(tools.len(), 1, "{text}");
        assert_eq!(tools[0].id.value, "f");
        assert_eq!(tools[0].description.as_ref().unwrap().value, "D");
        assert_eq!(tools[0].input_schema.as_ref().unwrap().as_str(), r#"{"type":"object"}"#);
        assert!(tools[0].invocation.is_none());
    }
}

#[test]
fn what_is_no_list_of_tools_is_told() {
    for (text, code) in [
        (r#"{"tools":[{"type":"web_search"}]}"#, "tool-list/shape"),
        (r#"{"tools":[{"inputSchema":{}}]}"#, "tool-list/shape"),
        (r#"{"result":{}}"#, "json/required"),
        (r#"{"tools":{}}"#, "json/type"),
        (r#"{"tools":[{"functionDeclarations":[{}]}]}"#, "json/required"),
    ] {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let report = FORMAT.validate(&document, &ValidateOptions::default());
        let codes: Vec<_> = report.diagnostics.iter().map(|found| found.rule.code).collect();
        assert_eq!(codes, [code], "{text}");
    }
    // What Gemini means is checked by what it is read as.
    let text =
        r#"{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"THING"}}]}]}"#;
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let report = FORMAT.validate(&document, &ValidateOptions::default());
    assert!(!report.is_valid());
    let at = report.diagnostics[0].pointer.as_str();
    assert_eq!(at, "/tools/0/functionDeclarations/0/parameters");
}

/// Only tools of MCP are called on a server.
#[test]
fn a_server_makes_a_call() {
    let text = r#"{"tools":[{"name":"f","inputSchema":{}},{"name":"g","input_schema":{}}]}"#;
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let server: Server = "npx x".parse().unwrap();
    let tools = read(&with_server(&document, &server).unwrap());
    let Some(Invocation::McpTool(call)) = tools[0].invocation.as_deref() else { panic!() };
    assert_eq!(call.tool.value, "f");
    assert_eq!(call.argv.iter().map(|one| one.value.as_ref()).collect::<Vec<&str>>(), ["npx", "x"]);
    assert!(tools[1].invocation.is_none());
}

#[test]
fn hints_are_claims_only_where_they_are_given() {
    for (hints, effects) in [
        ("{}", None),
        (r#"{"readOnlyHint":true}"#, Some(SideEffects::Read)),
        (r#"{"readOnlyHint":false}"#, None),
        (r#"{"destructiveHint":false}"#, Some(SideEffects::Write)),
        (r#"{"destructiveHint":true}"#, Some(SideEffects::Destructive)),
        (r#"{"readOnlyHint":true,"destructiveHint":false}"#, Some(SideEffects::Read)),
        (r#"{"readOnlyHint":true,"destructiveHint":true}"#, Some(SideEffects::Destructive)),
    ] {
        let text =
            format!(r#"{{"tools":[{{"name":"f","inputSchema":{{}},"annotations":{hints}}}]}}"#);
        let tools = read(&text);
        assert_eq!(RiskProfile::of(&tools[0]).effects.value().copied(), effects, "{hints}");
    }
}

/// Any schema says what comes back, the booleans too.
#[test]
fn schemas_of_results_are_written_as_they_are() {
    for schema in ["true", "false", "{}", r#"{"type":"array"}"#] {
        let text = format!(
            r#"{{"tools":[{{"name":"f","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}]}}"#
        );
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        assert!(FORMAT.validate(&document, &ValidateOptions::default()).is_valid(), "{text}");
        let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
        let written = FORMAT.lower_to_source(&lifted, &document).unwrap();
        let written: Value = serde_json::from_str(&written[0]).unwrap();
        let expected: Value = serde_json::from_str(schema).unwrap();
        assert_eq!(written["tools"][0]["outputSchema"], expected);
    }
}

/// So are those of other formats.
#[test]
fn schemas_of_results_come_from_elsewhere() {
    for (schema, written) in [("true", json!(true)), ("false", json!(false)), ("{}", json!({}))] {
        let text = format!(
            r#"{{"toolId": "a.b", "name": "n", "version": "1.0.0", "description": "d", "capabilities": ["c"],
                "endpoint": {{"type": "http", "method": "POST", "url": "https://a.example"}},
                "input_schema": {{"type": "object"}}, "output_schema": {schema}}}"#
        );
        let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let (from, to) = (toolglot::FormatName::Mcpkg, toolglot::FormatName::ToolList);
        let options = toolglot::testkit::laws::accept_all();
        let converted = toolglot::convert(&source, from, to, &options).unwrap();
        let list: Value = serde_json::from_str(&converted.documents[0].text).unwrap();
        assert_eq!(list["tools"][0]["outputSchema"], written, "{schema}");
    }
}

/// A schema in the words of Gemini stays in them, as it was or with what was edited.
#[test]
fn gemini_is_answered_in_its_own_words() {
    let own = json!({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}});
    let text = json!({"tools": [{"functionDeclarations": [{"name": "f", "parameters": own}]}]});
    let text = text.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let written = |edited: Option<&'static str>| {
        let mut lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
        if let Some(edited) = edited {
            lifted.tools[0].input_schema = Some(Raw::parse(edited).unwrap().into());
        }
        let written = FORMAT.lower_to_source(&lifted, &document).unwrap();
        let written: Value = serde_json::from_str(&written[0]).unwrap();
        written["tools"][0]["functionDeclarations"][0]["parameters"].clone()
    };
    assert_eq!(written(None), own);
    let edited = r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#;
    let expected = json!({"type": "OBJECT", "properties": {"a": {"type": "INTEGER"}}});
    assert_eq!(written(Some(edited)), expected);
}
