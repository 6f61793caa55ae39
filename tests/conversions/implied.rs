//! What hosts do around a call although no document says it, by what was seen of them.

use std::borrow::Cow;

use serde_json::{Value, json};
use toolglot::FormatName::{self, InstallManifest, Jumith, Mcpkg, ToolsJson};
use toolglot::json::Document;
use toolglot::testkit::laws;
use toolglot::{Limits, convert};

/// What is done otherwise, and the two ways.
fn implied(from: FormatName, to: FormatName, source: &Value) -> Vec<[&'static str; 3]> {
    let text = source.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let conversion = convert(&document, from, to, &laws::accept_all()).unwrap();
    let plain = |text: &Cow<'static, str>| match text {
        Cow::Borrowed(text) => *text,
        Cow::Owned(text) => panic!("{text} was read from somewhere"),
    };
    let rows = conversion.host_differences.iter();
    rows.map(|one| [&one.about, &one.source, &one.target].map(plain)).collect()
}

fn request(action: &Value) -> Value {
    let mut action = action.clone();
    action["name"] = json!("find");
    action["summary"] = json!("Finds.");
    action["side_effects"] = json!("write");
    action["invocation"] = json!({"kind": "http", "method": "POST", "path": "/find"});
    let mut manifest = json!({
        "manifest_version": "0.4",
        "tool": {"id": "finder", "version": "1.0.0", "name": "Finder", "summary": "Finds.",
            "homepage": "https://a.example/"},
        "runtime": {"kind": "shell-binary", "endpoint_url": "https://a.example",
            "install": {"method": "pip", "package": "finder"}},
        "smoke": {"kind": "shell", "command": ["true"], "success": {"exit_code": 0}},
        "kill_switch": {"kind": "manual", "instructions_url": "https://a.example/"},
    });
    manifest["actions"] = json!([action]);
    manifest
}

#[test]
fn an_action_closes_its_schema_and_may_have_an_envelope() {
    const UNNAMED: &str = "arguments that the schema does not name";
    let found = |action: &Value| implied(InstallManifest, Mcpkg, &request(action));
    let closed = found(&json!({"input": {"type": "object"}, "error_envelope": "standard"}));
    assert!(closed.contains(&[UNNAMED, "refused", "passed on"]), "{closed:?}");
    let standard = [
        "failure",
        "a status other than 2xx, or the standard error object",
        "no answer in time; the status is not looked at",
    ];
    assert!(closed.contains(&standard), "{closed:?}");
    let open = found(&json!({"input": {"type": "object", "additionalProperties": true}}));
    assert!(!open.iter().any(|[about, ..]| *about == UNNAMED), "{open:?}");
    assert!(open.iter().any(|row| row[..2] == ["failure", "a status other than 2xx"]), "{open:?}");
    assert!(found(&json!({})).contains(&[UNNAMED, "refused", "passed on"]));
}

#[test]
fn a_time_out_that_is_said_is_not_one_that_is_not() {
    const TIMEOUT: &str = "time-out where none is said";
    let tools = |first: Value| {
        json!({"tools": [
            {"name": "a", "command": ["/bin/a"], "timeoutSec": first},
            {"name": "b", "command": ["/bin/b"], "timeoutSec": 5},
        ]})
    };
    for to in [Mcpkg, Jumith, InstallManifest] {
        let rows = |first| implied(ToolsJson, to, &tools(first));
        assert!(!rows(json!(5)).iter().any(|[about, ..]| *about == TIMEOUT), "{to}");
        // Zero is none.
        assert!(rows(json!(0)).iter().any(|[about, ..]| *about == TIMEOUT), "{to}");
    }
}

#[test]
fn chains_and_implementations_have_hosts_too() {
    let tool = |name: &str, how: Value| {
        let mut manifest = json!({
            "toolId": "acme.web.find", "name": "Find", "version": "1.0.0", "description": "Finds.",
            "capabilities": ["find"], "input_schema": {"type": "object"},
            "output_schema": {"type": "object"},
        });
        manifest[name] = how;
        manifest
    };
    let result = |manifest: &Value| {
        let rows = implied(Mcpkg, ToolsJson, manifest);
        rows.into_iter().find(|[about, ..]| *about == "result").map(|[_, source, _]| source)
    };
    let http = json!({"type": "http", "method": "POST", "url": "https://a.example/find"});
    let local = json!({"type": "local", "command": "find"});
    let one = |endpoint: &Value| json!({"id": endpoint["type"], "endpoint": endpoint});
    let chain = json!([{"step": "a", "tool": "acme.web.other", "outputKey": "a"}]);
    assert_eq!(result(&tool("chain", chain)), Some("the output of the last step"));
    let local_only = tool("implementations", json!([one(&local)]));
    assert_eq!(result(&local_only), Some("standard output as JSON"));
    let both = tool("implementations", json!([one(&local), one(&http)]));
    assert_eq!(result(&both), Some("as the chosen implementation is called"));
    assert_eq!(result(&tool("endpoint", local)), Some("standard output as JSON"));
}
