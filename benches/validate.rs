//! Bytes to verdict: toolglot against `serde_json::Value` and `jsonschema` on the
//! same bytes, in the same run.
//!
//! `cargo bench --bench validate` prints ratios. `cargo bench --bench validate --
//! ours|theirs NAME COUNT` runs one side only, for an instruction counter.

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a bench may stop

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolglot::json::Document;
use toolglot::{Format, Limits, Validate};

struct Case {
    name: &'static str,
    format: &'static Format,
    bytes: Vec<u8>,
    schema: Value,
}

fn main() {
    let cases = cases();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [side, name, count] = arguments.as_slice() {
        let case = cases.iter().find(|case| case.name == name).expect("a case of that name");
        let validator =
            jsonschema::draft202012::options().offline().build(&case.schema).expect("a schema");
        for _ in 0..count.parse().expect("a number") {
            match side.as_str() {
                "ours" => assert!(ours(case)),
                "theirs" => assert!(theirs(case, &validator)),
                other => panic!("{other}: ours or theirs"),
            }
        }
        return;
    }
    println!("{:<22} {:>9} {:>11} {:>11} {:>7}", "document", "bytes", "ours", "theirs", "ratio");
    for case in &cases {
        let validator =
            jsonschema::draft202012::options().offline().build(&case.schema).expect("a schema");
        assert!(ours(case) && theirs(case, &validator), "{} must be valid to both", case.name);
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let rounds = (4_000_000 / case.bytes.len()).clamp(20, 2_000);
        for _ in 0..rounds {
            a.push(time(|| ours(case)));
            b.push(time(|| theirs(case, &validator)));
        }
        let (a, b) = (median(a), median(b));
        let ratio = a.as_secs_f64() / b.as_secs_f64();
        println!("{:<22} {:>9} {a:>11.1?} {b:>11.1?} {ratio:>7.3}", case.name, case.bytes.len());
    }
}

fn ours(case: &Case) -> bool {
    let options = Validate { limits: Limits::for_catalog(), ..Validate::default() };
    let document = Document::parse(black_box(&case.bytes), &options.limits);
    document.is_ok_and(|document| (case.format.validate)(&document, &options).is_valid())
}

fn theirs(case: &Case, validator: &jsonschema::Validator) -> bool {
    let value: Result<Value, _> = serde_json::from_slice(black_box(&case.bytes));
    value.is_ok_and(|value| validator.is_valid(&value))
}

fn time(run: impl FnOnce() -> bool) -> Duration {
    let start = Instant::now();
    assert!(black_box(run()));
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn cases() -> Vec<Case> {
    let file = |name: &str| {
        let path = format!("{}/examples/manifests/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(path).expect("an example")
    };
    let case = |name, format, bytes, schema| Case { name, format, bytes, schema };
    vec![
        case("echo.mcpkg", &toolglot::mcpkg::FORMAT, file("echo.mcpkg.json"), mcpkg_schema()),
        case("charge.mcpkg", &toolglot::mcpkg::FORMAT, file("charge.mcpkg.json"), mcpkg_schema()),
        case("30-fields.mcpkg", &toolglot::mcpkg::FORMAT, charge(30), mcpkg_schema()),
        case("1-tool.tools-json", &toolglot::tools_json::FORMAT, tools(1), tools_schema()),
        case("1000-tools.tools-json", &toolglot::tools_json::FORMAT, tools(1_000), tools_schema()),
    ]
}

/// A manifest whose tool takes and returns that many fields.
fn charge(fields: usize) -> Vec<u8> {
    let field = |i: usize| {
        let description = "What the field means, in the sentence or two that authors spend on it.";
        let value = json!({"type": "string", "description": description, "maxLength": 280});
        (format!("field_{i}"), value)
    };
    let properties: serde_json::Map<_, _> = (0..fields).map(field).collect();
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": ["field_0"],
        "additionalProperties": false
    });
    let manifest = json!({
        "toolId": "acme.payments.create_charge",
        "name": "Create charge",
        "version": "1.4.2",
        "description": "Creates a payment charge for a customer and an amount.",
        "capabilities": ["payments", "charges", "acme"],
        "endpoint": {"type": "http", "method": "POST", "url": "https://api.acme.example/v1/charges"},
        "input_schema": schema,
        "output_schema": schema,
        "tests": ["tests/basic_charge.test.json"],
        "examples": ["examples/basic_usage.md"],
        "meta": {"license": "proprietary"}
    });
    serde_json::to_vec_pretty(&manifest).expect("JSON")
}

fn tools(count: usize) -> Vec<u8> {
    let tool = |i: usize| {
        json!({
            "name": format!("get_time_{i}"),
            "description": "Get current time for an IANA timezone",
            "schema": {
                "type": "object",
                "properties": {
                    "timezone": {"type": "string", "description": "IANA timezone, e.g. Europe/Helsinki"},
                    "tz": {"type": "string", "description": "Alias for timezone (deprecated)"}
                },
                "required": ["timezone"],
                "additionalProperties": false
            },
            "command": [format!("./tools/bin/get_time_{i}")],
            "timeoutSec": 5,
            "envPassthrough": ["TZ", "OAI_HTTP_TIMEOUT"]
        })
    };
    let manifest = json!({ "tools": (0..count).map(tool).collect::<Vec<_>>() });
    serde_json::to_vec_pretty(&manifest).expect("JSON")
}

fn strings() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

fn tools_schema() -> Value {
    json!({
        "type": "object",
        "required": ["tools"],
        "properties": {"tools": {"type": "array", "items": {
            "type": "object",
            "required": ["name", "command"],
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "description": {"type": "string"},
                "schema": {"type": "object"},
                "command": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "timeoutSec": {"type": "integer"},
                "envPassthrough": {"type": "array", "items": {"type": "string", "pattern": "^[A-Z_][A-Z0-9_]*$"}}
            }
        }}}
    })
}

fn mcpkg_schema() -> Value {
    let text = json!({"type": "string", "minLength": 1});
    json!({
        "type": "object",
        "required": ["toolId", "name", "version", "description", "capabilities", "input_schema", "output_schema"],
        "properties": {
            "toolId": {"type": "string", "pattern": "^[a-z0-9][a-z0-9_.-]*$"},
            "name": text, "description": text,
            "version": {"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"},
            "capabilities": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "endpoint": {
                "type": "object",
                "required": ["type"],
                "properties": {
                    "type": {"enum": ["http", "local"]}, "method": {"type": "string"},
                    "url": {"type": "string"}, "command": {"type": "string"},
                    "timeoutMs": {"type": "number", "exclusiveMinimum": 0}
                }
            },
            "input_schema": {"type": ["object", "boolean"]},
            "output_schema": {"type": ["object", "boolean"]},
            "auth": {
                "type": "object",
                "required": ["type"],
                "properties": {
                    "type": {"enum": ["none", "bearer", "api_key", "oauth2"]},
                    "scopes": strings(), "configHints": {"type": "object"}
                }
            },
            "tests": strings(), "examples": strings(),
            "meta": {
                "type": "object",
                "properties": {
                    "publisher": {"type": "object", "properties": {"id": text, "name": text, "website": text}},
                    "license": {"type": "string"}, "homepage": {"type": "string"}, "tags": strings()
                }
            }
        }
    })
}
