//! What other formats become here, and what comes back.

mod ledger;
mod source;

use std::path::Path;

use convert::{Conversion, Options, RunMode, convert};
use manifest_core::json::{Document, Node};
use manifest_core::{Limits, Profile, Report, ValidateOptions};
use serde_json::{Value, json};
use source::SOURCE;

fn document(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

fn converted(source: &Value, options: &Options) -> Result<Conversion, Report> {
    let text = source.to_string();
    convert(&document(&text), &SOURCE, &mcpkg::FORMAT, options)
}

/// What a source becomes, and how it runs.
fn target(source: &Value) -> (Value, RunMode) {
    let conversion = converted(source, &Options::default()).unwrap();
    let text = &conversion.documents[0].text;
    (serde_json::from_str(text).unwrap(), conversion.tools[0].runs.clone())
}

/// A tool that is called by a request.
fn request() -> Value {
    json!({
        "id": "acme.crm.search", "title": "Search", "description": "Finds customers.",
        "version": "1.2.3", "tags": ["crm"],
        "input": {"type": "object", "properties": {"q": {"type": "string"}}},
        "output": {"type": "array"},
        "call": {"kind": "http", "method": "POST", "url": "https://crm.example", "path": "/search"},
        "timeoutMs": 2000
    })
}

fn with(mut source: Value, pointer: &str, value: Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    source.pointer_mut(parent).unwrap()[name] = value;
    source
}

#[test]
fn a_request_is_said_as_it_is() {
    let (found, runs) = target(&request());
    let expected = json!({
        "toolId": "acme.crm.search", "name": "Search", "version": "1.2.3",
        "description": "Finds customers.", "capabilities": ["crm"],
        "endpoint": {
            "type": "http", "method": "POST", "url": "https://crm.example/search",
            "timeoutMs": 2000
        },
        "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}},
        "output_schema": {"type": "array"}
    });
    assert_eq!((found, runs), (expected, RunMode::AsItIs));
}

/// Each with whether it is the same request here.
fn requests() -> Vec<(Value, bool)> {
    let call = |call: Value| with(request(), "/call", call);
    let http = |method: &str, url: &str, path: &str| {
        call(json!({"kind": "http", "method": method, "url": url, "path": path}))
    };
    let sent = |headers: Value| {
        let source = with(request(), "/env", json!([{"name": "KEY", "secret": true}]));
        with(source, "/call/headers", headers)
    };
    let schemed = |scheme: &str, names: &[&str]| {
        let env: Vec<Value> =
            names.iter().map(|name| json!({"name": name, "secret": true})).collect();
        let source = with(sent(json!({"Authorization": "Bearer ${env.KEY}"})), "/env", env.into());
        with(source, "/scheme", json!(scheme))
    };
    let base = "https://crm.example";
    vec![
        (http("POST", base, "/search"), true),
        (http("PUT", base, "/search"), true),
        (http("PATCH", base, "/search?exact=1"), true),
        (http("POST", "https://crm.example/v1/", "/search"), true),
        // No body is sent there, and one is here.
        (http("GET", base, "/search"), false),
        (http("DELETE", base, "/search"), false),
        (http("POST", base, "/search/${input.q}"), false),
        (http("POST", "https://crm.example?a=b", "/search"), false),
        (http("POST", "ftp://crm.example", "/search"), false),
        (http("POST", base, "search"), false),
        (sent(json!({"Authorization": "Bearer ${env.KEY}"})), true),
        (sent(json!({"authorization": "Bearer ${env.KEY}"})), true),
        (sent(json!({"x-api-key": "${env.KEY}"})), true),
        (sent(json!({"Authorization": "${env.KEY}"})), false),
        (sent(json!({"Authorization": "Basic ${env.KEY}"})), false),
        (sent(json!({"Authorization": "Bearer ${input.q}"})), false),
        (sent(json!({"Authorization": "Bearer ${env.KEY}x"})), false),
        (sent(json!({"Authorization": "Bearer ${env.KEY}${env.KEY}"})), false),
        (sent(json!({"X-API-Key": "constant"})), false),
        (sent(json!({"Accept": "text/plain"})), false),
        (sent(json!({"X-API-Key": "${env.KEY}", "Accept": "text/plain"})), false),
        // Beside a scheme: the first variable is what the scheme sends.
        (schemed("bearer", &["KEY", "OTHER"]), true),
        (schemed("bearer", &["OTHER", "KEY"]), false),
        (schemed("api_key", &["KEY"]), false),
        // It is sent also where nobody sets it.
        (
            with(
                sent(json!({"X-API-Key": "${env.KEY}"})),
                "/env",
                json!([{"name": "KEY", "default": "demo"}]),
            ),
            false,
        ),
        (call(json!({"kind": "argument", "argv": ["/bin/find", "--it's"]})), true),
        (call(json!({"kind": "argument", "argv": ["find"]})), true),
        (call(json!({"kind": "argument", "argv": ["./find"]})), false),
        (call(json!({"kind": "argument", "argv": ["bin/find"]})), false),
        (call(json!({"kind": "argument", "argv": ["find"], "cwd": "/"})), false),
        (call(json!({"kind": "stdin", "argv": ["/bin/find"]})), false),
    ]
}

#[test]
fn only_the_same_call_is_said_the_rest_is_the_bridge() {
    for (source, exact) in requests() {
        let (found, runs) = target(&source);
        let call = source["call"].to_string();
        assert_eq!(runs == RunMode::AsItIs, exact, "{call}");
        let line = found["endpoint"]["command"].as_str().unwrap_or_default();
        assert_eq!(line.starts_with("toolglot bridge"), !exact, "{call}: {line}");
        assert_eq!(found["endpoint"]["timeoutMs"], 2000);
    }
}

/// What the published tool can say, it takes.
#[test]
fn the_published_tool_takes_every_request() {
    let ids = ["get_time", "demo.echo", "Local.Time", "tool:mail.send", "日本"];
    let named = ids.map(|id| (with(request(), "/id", json!(id)), true));
    let publishers = [json!({"id": "acme"}), json!({"name": "Acme"}), json!({"url": "https://a"})];
    let published = publishers
        .map(|publisher| (with(request(), "/package", json!({ "publisher": publisher })), true));
    let timed = ["0.5", "5e3", "1e30", "2147483648"].map(|number| {
        let text = request().to_string().replace("2000", number);
        (text.parse().unwrap(), true)
    });
    let all = requests().into_iter().chain(named).chain(published).chain(timed);
    for (source, _) in all.filter(|(source, exact)| *exact && source["call"]["kind"] == "http") {
        let text = target(&source).0.to_string();
        let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
        let report = mcpkg::validate(&document(&text), &options);
        assert!(report.is_valid(), "{source}: {report}");
    }
}

#[test]
fn a_header_is_the_scheme_that_stands_for_it() {
    let env = json!([{"name": "REGION", "secret": false}, {"name": "KEY", "secret": true},
        {"name": "OTHER"}]);
    let source = with(request(), "/env", env);
    // No other variable may be sent in its place, and without a header none at all.
    let auth =
        |headers: Value| target(&with(source.clone(), "/call/headers", headers)).0["auth"].clone();
    let scheme = |kind| json!({"type": kind, "configHints": {"env": ["KEY"]}});
    assert_eq!(auth(json!({"Authorization": "Bearer ${env.KEY}"})), scheme("bearer"));
    assert_eq!(auth(json!({"X-Api-Key": "${env.KEY}"})), scheme("api_key"));
    assert_eq!(auth(json!({})), Value::Null);
    // A program is sent nothing: where something is or may be secret, all is named.
    let all = json!(["REGION", "KEY", "OTHER"]);
    let hints = json!({"type": "api_key", "configHints": {"env": all}});
    assert_eq!(auth(json!({"Accept": "text/plain"})), hints);
    let called = with(source.clone(), "/call", json!({"kind": "stdin", "argv": ["/bin/x"]}));
    assert_eq!(target(&called).0["auth"], hints);
    let plain = with(called.clone(), "/env", json!([{"name": "REGION", "secret": false}]));
    assert_eq!(target(&plain).0["auth"], Value::Null);
    // A scheme that is known stays; what the provider calls a scope is one.
    let known = with(with(called, "/scheme", json!("oauth2")), "/scopes", json!(["crm:read"]));
    let expected = json!({"type": "oauth2", "scopes": ["crm:read"],
        "configHints": {"env": all}});
    assert_eq!(target(&known).0["auth"], expected);
}

#[test]
fn the_bridge_is_one_line() {
    let source = with(request(), "/call", json!({"kind": "stdin", "argv": ["./x"]}));
    let source = with(source, "/id", json!("two words"));
    let conversion = converted(&source, &Options::default()).unwrap();
    let digest = manifest_core::sha256_hex(source.to_string().as_bytes());
    let expected = json!({
        "type": "local",
        "command": format!("toolglot bridge --for mcpkg --source sha256:{digest} --tool 'two words'"),
        "timeoutMs": 2000
    });
    let found: Value = serde_json::from_str(&conversion.documents[0].text).unwrap();
    assert_eq!(found["endpoint"], expected);
    assert_eq!(conversion.tools[0].runs, RunMode::ThroughTheBridge);
    let name = &conversion.documents[0].name;
    assert!(name.starts_with("local.twowords.") && name.ends_with(".mcpkg.json"), "{name}");
}

#[test]
fn what_is_not_said_is_assumed_or_nearly_the_same() {
    let (found, runs) = target(&json!({"id": "a.b.c"}));
    assert!(matches!(runs, RunMode::Not(_)));
    assert_eq!(found["version"], "0.0.0");
    assert_eq!(found["capabilities"], json!(["tool"]));
    assert_eq!(found["input_schema"], json!({"type": "object"}));
    assert_eq!((&found["name"], &found["description"]), (&json!("a.b.c"), &json!("a.b.c")));

    let part = json!({"id": "now", "name": "now", "summary": "Tells the weather.",
        "package": {"id": "weather", "title": "Weather", "namespace": "acme"}});
    let (found, _) = target(&part);
    assert_eq!(found["toolId"], "local.weather.now");
    assert_eq!(found["name"], "Weather: now");
    assert_eq!(found["description"], "Tells the weather.");
    assert_eq!(found["meta"], json!({"publisher": {"id": "acme", "name": "acme"}}));

    // A name for people has no control characters, and a schema is never given a type.
    let odd = with(request(), "/title", json!("a\nb"));
    assert_eq!(target(&odd).0["name"], "acme.crm.search");
    for schema in [json!({}), json!(true)] {
        assert_eq!(target(&with(request(), "/input", schema.clone())).0["input_schema"], schema);
    }
}

#[test]
fn a_time_out_is_whole_milliseconds() {
    for (said, expected) in
        [("0.2", "1"), ("1500.5", "1501"), ("5e3", "5000"), ("7", "7"), ("3e9", "2147483647")]
    {
        let text = request().to_string().replace("2000", said);
        let (found, _) = target(&text.parse().unwrap());
        assert_eq!(found["endpoint"]["timeoutMs"].to_string(), expected);
    }
    assert_eq!(
        target(&with(request(), "/timeoutMs", json!(0))).0["endpoint"].get("timeoutMs"),
        None
    );
}

#[test]
fn what_cannot_be_said_is_refused() {
    let code = |source: &Value, version: Option<&str>| {
        let options = Options { version: version.map(str::to_owned), ..Options::default() };
        converted(source, &options).err().map(|report| report.errors().next().unwrap().rule.code)
    };
    let bridged = with(request(), "/call/method", json!("GET"));
    assert_eq!(code(&with(request(), "/version", json!("1.0")), None), Some("mcpkg/version"));
    assert_eq!(code(&request(), Some("0.1")), None);
    assert_eq!(code(&bridged, Some("0.1")), Some("convert/version"));
    assert_eq!(code(&bridged, Some("0.2")), None);
    assert_eq!(code(&request(), Some("0.3")), Some("convert/version"));
}

/// The manifests of the specification and our own, as they are written.
fn manifests() -> Vec<(String, String)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mcpkg");
    let mut found = vec![("everything".to_owned(), EVERYTHING.to_owned())];
    for (folder, ending) in [("spec", "manifest.json"), ("valid", ".json")] {
        for entry in std::fs::read_dir(fixtures.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if name.ends_with(ending) {
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert_eq!(found.len(), 10);
    found
}

/// Every member, in odd spellings, and what says nothing here.
const EVERYTHING: &str = r#"{
  "x": 1, "version": "1.0.0", "toolId": "a\u002eb", "name": "\u0041", "description": "b",
  "capabilities": ["c", "c"],
  "endpoint": {"type": "ht\u0074p", "method": "post", "url": "https://a.example/", "timeoutMs": 1.5e3,
    "command": "unused", "x": {}},
  "implementations": [
    {"id": "i", "language": "l", "runtime": "r", "platforms": ["linux-x64"], "requirements": {},
      "endpoint": {"type": "local", "command": "node 'x", "timeoutMs": 10.0, "url": "u"}},
    {"platforms": [], "endpoint": {"type": "http", "method": "GET", "url": "https://b.example"}, "x": 2}
  ],
  "chain": [{"step": "s", "tool": "a.c", "inputMapping": {"\u0061": "$.input.a"}, "outputKey": "k", "x": 3},
    {"tool": "a.d", "outputKey": "m", "inputMapping": {}}],
  "input_schema": {"maximum": 1E2}, "output_schema": true,
  "auth": {"type": "bearer", "scopes": ["s"], "configHints": {"env": ["A", "B"], "docsUrl": "d", "x": []}},
  "tests": ["t.json"], "examples": [],
  "meta": {"publisher": {"id": "p", "name": "n", "website": "w", "x": 4}, "license": "MIT",
    "homepage": "h", "tags": ["t"], "x": null}
}"#;

/// How a leaf is spelled. White space in an empty object says nothing.
fn spelled(leaf: Node<'_>) -> String {
    let is_empty = leaf.is_object() || leaf.is_array();
    if is_empty { leaf.raw().replace(' ', "") } else { leaf.raw().to_owned() }
}

/// What lifting marked is there again, as it was spelled; nothing else is.
#[test]
fn a_manifest_comes_back_from_its_descriptor() {
    for (name, text) in manifests() {
        let source = document(&text);
        let lifted = mcpkg::FORMAT.lift(&source, &Limits::default());
        let lifted = lifted.unwrap_or_else(|report| panic!("{name}: {report}"));
        let written = mcpkg::FORMAT.lower_to_source(&lifted, &source).unwrap();
        let [written] = written.as_slice() else { panic!("{name}: one document") };
        let written = document(written);
        let mut marked = 0;
        for (pointer, leaf) in source.root().leaves() {
            let found = written.root().at(&pointer).map(spelled);
            let is_marked = lifted.marks.has_node(leaf);
            assert_eq!(found, is_marked.then(|| spelled(leaf)), "{name} at {pointer:?}");
            marked += usize::from(is_marked);
        }
        assert_eq!(marked, written.root().leaves().count(), "{name}");
    }
    // What the specification does not know, or the endpoint does not use.
    let source = document(EVERYTHING);
    let lifted = mcpkg::FORMAT.lift(&source, &Limits::default()).unwrap();
    let unread = source.root().leaves().filter(|(_, leaf)| !lifted.marks.has_node(*leaf));
    let unread: Vec<String> = unread.map(|(pointer, _)| pointer.as_str().to_owned()).collect();
    let expected = [
        "/x",
        "/endpoint/command",
        "/endpoint/x",
        "/implementations/0/endpoint/url",
        "/implementations/1/platforms",
        "/implementations/1/x",
        "/chain/0/x",
        "/chain/1/inputMapping",
        "/auth/configHints/x",
        "/examples",
        "/meta/publisher/x",
        "/meta/x",
    ];
    assert_eq!(unread, expected);
}

/// Into its own format in a version that is asked for: the same call.
#[test]
fn a_version_can_be_asked_for() {
    for (name, text) in manifests() {
        let source = document(&text);
        let options =
            |version: &str| Options { version: Some(version.to_owned()), ..Options::default() };
        let newer = convert(&source, &mcpkg::FORMAT, &mcpkg::FORMAT, &options("0.2"));
        let newer = newer.unwrap_or_else(|report| panic!("{name}: {report}"));
        assert_eq!(newer.tools[0].runs, RunMode::AsItIs);
        let (before, after): (Value, Value) =
            (text.parse().unwrap(), newer.documents[0].text.parse().unwrap());
        if name != "everything" {
            for member in
                ["endpoint", "implementations", "chain", "auth/type", "tests", "meta/tags"]
            {
                let of = |value: &Value| value.pointer(&format!("/{member}")).cloned();
                assert_eq!(of(&before), of(&after), "{name}");
            }
        }
        let older = convert(&source, &mcpkg::FORMAT, &mcpkg::FORMAT, &options("0.1"));
        let is_0_1 = before["endpoint"]["type"] == "http" && name != "everything";
        assert_eq!(older.is_ok(), is_0_1, "{name}");
    }
}

#[test]
fn an_array_is_no_document() {
    let text = format!("[{}]", manifests()[1].1);
    let document = document(&text);
    let report = mcpkg::validate(&document, &ValidateOptions::default());
    let found: Vec<_> =
        report.errors().map(|error| (error.rule.code, error.message.as_str())).collect();
    assert_eq!(found, [("json/type", "expected an object, found an array")]);
    assert!((mcpkg::FORMAT.detect)(document.root()).is_none());
}

/// What 0.2 added tells the version.
#[test]
fn a_version_is_told_by_what_is_there() {
    for (text, version) in [
        (r#"{"toolId": "a.b"}"#, Some("0.1")),
        (r#"{"toolId": "a.b", "endpoint": {"type": "http"}}"#, Some("0.1")),
        (r#"{"toolId": "a.b", "endpoint": {"type": "local"}}"#, Some("0.2")),
        (r#"{"toolId": "a.b", "implementations": []}"#, Some("0.2")),
        (r#"{"toolId": "a.b", "chain": []}"#, Some("0.2")),
        (r#"{"toolId": "a.b", "chain": [], "endpoint": {"type": "local"}}"#, Some("0.2")),
        (r#"{"toolId": 1}"#, None),
        ("{}", None),
    ] {
        let found =
            (mcpkg::FORMAT.detect)(document(text).root()).map(|found| found.version.unwrap());
        assert_eq!(found.as_deref(), version, "{text}");
    }
}

#[test]
fn what_the_command_line_exports_is_no_manifest() {
    for (text, looks) in [
        (r#"[{"name": "a", "input_schema": {}}]"#, true),
        (r#"[{"name": "a", "input_schema": {}}, {"toolId": "a.b", "input_schema": {}}]"#, false),
        (r#"[{"name": "a"}]"#, false),
        ("[]", false),
        (r#"{"input_schema": {}}"#, false),
    ] {
        assert_eq!((mcpkg::FORMAT.look_alike)(document(text).root()).is_some(), looks, "{text}");
    }
}
